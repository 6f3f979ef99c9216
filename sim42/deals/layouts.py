"""The ways to lay hidden tiles on hidden seats, counted, numbered, and tallied.

What is known is, for each seat, which of the tiles it may hold and how many it holds, and limits
on sums over the tiles, as "left holds two fives or more". Tiles that nothing tells apart make a
class; how many of a class go to each seat is followed class by class, and the ways are counted from
the last class back. So a layout is one number: it says how each class splits, then which tiles of
the class go where. No layout is drawn and thrown away, and none is left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.deals.draws import choose_tiles
from sim42.errors import RequestError, TileError
from sim42.game.tiles import ALL_TILES, HAND_SIZE, TILES, tiles_of

NO_LIMIT: Final = 10**9
"""Beyond any sum over the tiles."""
MOST_STEPS: Final = 300_000
"""Splits of classes that may be followed; more would take longer than drawing in vain."""

Weights = tuple[tuple[int, ...], ...]
"""What each tile (28) counts for when each seat holds it, a row a seat."""
_Sums = tuple[int | None, ...]
_State = tuple[tuple[int, ...], _Sums]
_Step = tuple[int, tuple[int, ...], int, _State]
"""Number of a state, how a class splits, the ways to do that, and the state that follows."""


class Limit(NamedTuple):
    """Bounds on a sum over the layout: each tile counts what its holder makes it worth.

    Attributes
    ----------
    weights : seats tuples of 28 int
        What each tile counts for when a seat holds it.
    least, most : int
        The sum is from `least` to `most`.
    """

    weights: Weights
    least: int = -NO_LIMIT
    most: int = NO_LIMIT


class TooManyStepsError(RequestError):
    """Limits that tell so many tiles apart that the ways cannot be followed in reasonable time."""


class _Class(NamedTuple):
    """Tiles that nothing tells apart: who may hold them, and what one counts for with each seat."""

    mask: int
    seats: tuple[bool, ...]
    weights: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return self.mask.bit_count()


class _Table(NamedTuple):
    """How a class may split, for each state before it: options of state s are from[s] to from[s+1].

    Attributes
    ----------
    start : int64 (states + 1,)
        First option of each state.
    upto : int64 (options,)
        Ways of the state's options up to this one.
    ways_after : int64 (options,)
        Ways of the state that follows.
    state_after : int64 (options,)
        That state.
    split : int64 (options, seats)
        Tiles of the class that go to each seat.
    """

    start: NDArray[np.int64]
    upto: NDArray[np.int64]
    ways_after: NDArray[np.int64]
    state_after: NDArray[np.int64]
    split: NDArray[np.int64]


class Layouts:
    """All ways to lay the unseen tiles on some seats, numbered from 0.

    Parameters
    ----------
    unseen : int
        Mask of the tiles.
    allowed : sequence of int
        For each seat, the mask of the tiles that it may hold.
    sizes : sequence of int
        For each seat, how many it holds, at most seven; together all unseen tiles.
    limits : sequence of Limit
        Bounds on sums.

    Attributes
    ----------
    count : int
        How many ways there are; 0 when what is known contradicts itself.

    Raises
    ------
    TileError
        When the sizes do not add up to the unseen tiles.
    TooManyStepsError
        When the limits tell too many tiles apart.

    >>> layouts = Layouts(0b111111, [0b111111, 0b111110, 0b111111], [2, 2, 2])
    >>> layouts.count
    60
    >>> layouts.unrank([0, 59]).tolist()
    [[6, 24, 33], [33, 24, 6]]
    """

    def __init__(
        self,
        unseen: int,
        allowed: Sequence[int],
        sizes: Sequence[int],
        limits: Sequence[Limit] = (),
    ) -> None:
        _check(unseen, allowed, sizes)
        self.seats: Final = len(sizes)
        self._unseen, self._sizes = unseen, tuple(sizes)
        self._asked = tuple(allowed), tuple(limits)
        self._holding: dict[tuple[int, tuple[int, ...]], int] = {}
        allowed, limits = _tightened(allowed, limits)
        self._classes = _classes(unseen, allowed, [limit.weights for limit in limits])
        stages = list(_stages(self._classes, tuple(sizes), limits))
        self.count, self._tables = _count_back(self._classes, stages)

    def holding(self, seat: int, tiles: int) -> int:
        """How many of the ways let a seat hold all of these tiles.

        Parameters
        ----------
        seat : int
            Place of the seat.
        tiles : int
            Mask of some of the unseen tiles.

        Raises
        ------
        TooManyStepsError
            When that tells too many tiles apart.

        >>> layouts = Layouts(0b111111, [0b111111, 0b111110, 0b111111], [2, 2, 2])
        >>> layouts.holding(0, 0b1), layouts.holding(1, 0b1), layouts.holding(1, 0b110)
        (30, 0, 6)
        """
        # Tiles of a class are as good as each other, so few of these questions are different ones.
        alike = [(tiles & kind.mask).bit_count() for kind in self._classes]
        key = (seat, tuple(alike))
        if key not in self._holding:
            allowed, limits = self._asked
            held = [mask if at == seat else mask & ~tiles for at, mask in enumerate(allowed)]
            ways = 0
            if not tiles & ~allowed[seat] and tiles.bit_count() <= self._sizes[seat]:
                ways = Layouts(self._unseen, held, self._sizes, limits).count
            self._holding[key] = ways
        return self._holding[key]

    def unrank(self, numbers: ArrayLike) -> NDArray[np.int64]:
        """The layouts with these numbers, 0 to count - 1.

        Returns
        -------
        int64 (n, seats)
            Mask of what each seat holds, a row a layout.

        Raises
        ------
        RequestError
            When a number is out of range.
        """
        rank = np.array(numbers, dtype=np.int64)
        if len(rank) and not 0 <= rank.min() <= rank.max() < self.count:
            raise RequestError(f"layouts are numbered from 0, and there are {self.count}")
        held = np.zeros((len(rank), self.seats), dtype=np.int64)
        state = np.zeros(len(rank), dtype=np.int64)
        for tiles, table in zip(self._classes, self._tables, strict=True):
            option, rank = _find_option(table, state, rank)
            inside, rank = np.divmod(rank, table.ways_after[option])
            state = table.state_after[option]
            _hand_out(tiles, table.split[option], inside, held)
        return held


def tally(
    unseen: int, allowed: Sequence[int], sizes: Sequence[int], measures: Sequence[Weights]
) -> dict[tuple[int, ...], int]:
    """How many layouts give each combination of sums.

    Parameters
    ----------
    unseen, allowed, sizes
        As for `Layouts`.
    measures : sequence of weights
        The sums, as in a `Limit`.

    Returns
    -------
    dict
        From the sums, one a measure, to the number of layouts.

    Raises
    ------
    TileError, TooManyStepsError
        As for `Layouts`.

    >>> first = tuple(int(tile < 2) for tile in range(28))
    >>> tally(0b1111, [0b1111] * 2, [2, 2], [(first, (0,) * 28)])  # of two tiles, with the first
    {(0,): 1, (1,): 4, (2,): 1}
    """
    _check(unseen, allowed, sizes)
    ways: dict[_State, int] = {(tuple(sizes), (0,) * len(measures)): 1}
    steps = 0
    for tiles in _classes(unseen, allowed, measures):
        after: dict[_State, int] = {}
        for (room, sums), so_far in ways.items():
            for split, left, inside in _splits(tiles.size, tiles.seats, room):
                steps += 1
                state = (left, _added(sums, _worth(tiles, split)))
                after[state] = after.get(state, 0) + so_far * inside
        if steps > MOST_STEPS:
            raise TooManyStepsError("too many different sums to count them all")
        ways = after
    found: dict[tuple[int, ...], int] = {}
    for (_, sums), number in ways.items():
        key = tuple(int(value or 0) for value in sums)
        found[key] = found.get(key, 0) + number
    return dict(sorted(found.items()))


def _check(unseen: int, allowed: Sequence[int], sizes: Sequence[int]) -> None:
    if len(allowed) != len(sizes) or not 0 <= unseen <= ALL_TILES:
        raise TileError("layouts are of 28 tiles at most, with what each seat may hold and holds")
    if any(not 0 <= size <= HAND_SIZE for size in sizes) or sum(sizes) != unseen.bit_count():
        raise TileError(f"{unseen.bit_count()} tiles do not go to seats that hold {list(sizes)}")


def _tightened(
    allowed: Sequence[int], limits: Iterable[Limit]
) -> tuple[tuple[int, ...], list[Limit]]:
    """The same with limits that forbid tiles one by one told as what each seat may hold."""
    masks, kept = list(allowed), []
    for limit in limits:
        if limit.most == 0 >= limit.least and all(w >= 0 for row in limit.weights for w in row):
            for seat, row in enumerate(limit.weights):
                masks[seat] &= ~sum(1 << tile for tile in TILES if row[tile])
        else:
            kept.append(limit)
    return tuple(masks), kept


def _classes(unseen: int, allowed: Sequence[int], measures: Sequence[Weights]) -> list[_Class]:
    """The unseen tiles by what tells them apart; those that count for something come first."""
    found: dict[tuple[tuple[bool, ...], tuple[tuple[int, ...], ...]], int] = {}
    for tile in tiles_of(unseen):
        seats = tuple(bool(mask >> tile & 1) for mask in allowed)
        weights = tuple(tuple(row[tile] for row in measure) for measure in measures)
        found[seats, weights] = found.get((seats, weights), 0) | 1 << tile
    classes = [_Class(mask, seats, weights) for (seats, weights), mask in found.items()]
    return sorted(classes, key=lambda tiles: -sum(any(row) for row in tiles.weights))


def _stages(
    classes: Sequence[_Class], sizes: tuple[int, ...], limits: Sequence[Limit]
) -> Iterator[tuple[dict[_State, int], list[_Step]]]:
    """For each class the states before it, and its steps."""
    rest = [_reach(classes[place:], len(limits)) for place in range(len(classes) + 1)]
    first = _settled((0,) * len(limits), limits, rest[0])
    states: dict[_State, int] = {} if first is None else {(sizes, first): 0}
    total = 0
    for place, tiles in enumerate(classes):
        steps: list[_Step] = []
        after: dict[_State, int] = {}
        for (room, sums), number in states.items():
            for split, left, inside in _splits(tiles.size, tiles.seats, room):
                settled = _settled(_added(sums, _worth(tiles, split)), limits, rest[place + 1])
                if settled is not None:
                    state = (left, settled)
                    after.setdefault(state, len(after))
                    steps.append((number, split, inside, state))
            if total + len(steps) > MOST_STEPS:
                raise TooManyStepsError("the limits tell too many tiles apart to count the ways")
        total += len(steps)
        yield states, steps
        states = after
    yield states, []


def _reach(classes: Sequence[_Class], limits: int) -> list[tuple[int, int]]:
    """The least and the most that the tiles of some classes can add to each sum, or beyond."""
    bounds = []
    for limit in range(limits):
        lowest = highest = 0
        for tiles in classes:
            worth = [w for w, may in zip(tiles.weights[limit], tiles.seats, strict=True) if may]
            lowest += tiles.size * min(worth, default=0)
            highest += tiles.size * max(worth, default=0)
        bounds.append((lowest, highest))
    return bounds


def _settled(sums: _Sums, limits: Sequence[Limit], rest: Sequence[tuple[int, int]]) -> _Sums | None:
    """The sums, None for each that is sure to end in its limits; None when one is sure not to."""
    settled: list[int | None] = []
    for value, limit, (lowest, highest) in zip(sums, limits, rest, strict=True):
        if value is None or (value + lowest >= limit.least and value + highest <= limit.most):
            settled.append(None)
        elif value + highest < limit.least or value + lowest > limit.most:
            return None
        else:
            settled.append(value)
    return tuple(settled)


@lru_cache(maxsize=1 << 16)
def _splits(
    size: int, seats: tuple[bool, ...], room: tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]:
    """How so many tiles may go to the seats: tiles of each, room left, ways to choose which."""
    most = [min(left, size) if may else 0 for left, may in zip(room, seats, strict=True)]
    found = []
    for head in product(*(range(number + 1) for number in most[:-1])):
        last = size - sum(head)
        if 0 <= last <= most[-1]:
            split = (*head, last)
            left = tuple(there - taken for there, taken in zip(room, split, strict=True))
            ways = prod(comb(sum(split[seat:]), number) for seat, number in enumerate(split))
            found.append((split, left, ways))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _worth(tiles: _Class, split: tuple[int, ...]) -> tuple[int, ...]:
    """What a split of a class adds to each sum."""
    return tuple(
        sum(weight * number for weight, number in zip(worth, split, strict=True))
        for worth in tiles.weights
    )


def _added(sums: _Sums, worth: tuple[int, ...]) -> _Sums:
    return tuple(
        None if value is None else value + more for value, more in zip(sums, worth, strict=True)
    )


def _count_back(
    classes: Sequence[_Class],
    stages: Sequence[tuple[dict[_State, int], list[_Step]]],
) -> tuple[int, list[_Table]]:
    """The number of layouts, and how to find the one with a number."""
    states, _ = stages[-1]
    ways = dict.fromkeys(states, 1)  # all tiles are laid, and every sum is settled
    tables: list[_Table] = []
    for place in reversed(range(len(classes))):
        after, numbered = ways, stages[place + 1][0]
        states, steps = stages[place]
        totals = [0] * len(states)
        start = np.zeros(len(states) + 1, dtype=np.int64)
        options: list[tuple[int, int, int, tuple[int, ...]]] = []
        for number, split, inside, state in steps:  # in the order of the states
            if after[state]:
                totals[number] += inside * after[state]
                options.append((totals[number], after[state], numbered[state], split))
            start[number + 1] = len(options)
        np.maximum.accumulate(start, out=start)
        seats = len(classes[place].seats)
        upto, ways_after, state_after = (
            np.array([option[:3] for option in options], dtype=np.int64).reshape(-1, 3).T
        )
        splits = np.array([option[3] for option in options], dtype=np.int64).reshape(-1, seats)
        tables.append(_Table(start, upto.copy(), ways_after.copy(), state_after.copy(), splits))
        ways = {state: totals[number] for state, number in states.items()}
    return sum(ways.values()), tables[::-1]


def _find_option(
    table: _Table, state: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The option that each number falls into, and its number within the option."""
    low, high = table.start[state], table.start[state + 1] - 1
    while (low < high).any():
        middle = (low + high) // 2
        beyond = table.upto[middle] <= rank
        low, high = np.where(beyond, middle + 1, low), np.where(beyond, high, middle)
    before = np.where(low > table.start[state], table.upto[low - 1], 0)
    return low, rank - before


def _hand_out(
    tiles: _Class, split: NDArray[np.int64], number: NDArray[np.int64], held: NDArray[np.int64]
) -> None:
    """Give the tiles of a class to the seats, in way `number` of those of the split."""
    rest = np.full(len(number), tiles.mask, dtype=np.int64)
    takers = [seat for seat, may in enumerate(tiles.seats) if may]
    for seat in takers[:-1]:
        wanted = split[:, seat]
        number, choice = np.divmod(number, _WAYS[np.bitwise_count(rest), wanted])
        taken = choose_tiles(rest, wanted, choice)
        held[:, seat] |= taken
        rest &= ~taken
    for seat in takers[-1:]:
        held[:, seat] |= rest


_WAYS: Final = np.array(
    [[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(29)], dtype=np.int64
)
"""[n, k]: ways to choose k tiles out of n."""
