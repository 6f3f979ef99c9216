"""What a condition can come to, before any tile is dealt: bounds, and the part that is a sum.

Bounds follow the tree with the least and the greatest value of each part, for arrays of hands at
once; where the greatest is 0, the condition cannot happen. They are safe, not always sharp.

A conjunct that compares sums over the tiles (``has``, ``suit``, ``doubles``, ``trumps``, ``count``
and what is added and subtracted of them) limits which tiles a seat holds; `split` takes those
apart, and `sim42.deals.layouts` deals them without drawing in vain.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.conditions.functions import FUNCTIONS
from sim42.deals.conditions.tree import (
    Arithmetic,
    Both,
    Call,
    Comparison,
    Either,
    Expression,
    Extreme,
    Minus,
    Not,
    Number,
    Sign,
)
from sim42.deals.conditions.values import PIP_MASKS, call_values, ranked_trumps, sizes
from sim42.deals.layouts import NO_LIMIT, Limit
from sim42.game.tiles import ALL_TILES, HAND_SIZE, SEATS, TILES, mask_of, tiles_of

Ints = NDArray[np.int64]
Bounds = tuple[Ints, Ints]
_NEGATED: Final[dict[Sign, Sign]] = {
    "<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<=",
}  # fmt: skip


class Seen(NamedTuple):
    """What is known of a seat's hand before the deal, for arrays of cases.

    Attributes
    ----------
    held : int64 (n,)
        Tiles that it holds for certain.
    possible : int64 (n,)
        Tiles that it may hold, those included.
    """

    held: Ints
    possible: Ints


def seen_around(hands: Ints) -> tuple[Seen, ...]:
    """What is known of the four seats when seat 0 holds each of these hands.

    >>> seen = seen_around(np.array([0b1111111]))
    >>> int(seen[0].held[0]), int(seen[1].held[0]), int(seen[1].possible[0]) == 2**28 - 2**7
    (127, 0, True)
    """
    nothing, rest = np.zeros_like(hands), ALL_TILES & ~hands
    return (Seen(hands, hands), *(Seen(nothing, rest) for _ in SEATS[1:]))


def seen_by_nobody() -> tuple[Seen, ...]:
    """What is known of the four seats when nothing is."""
    return (Seen(np.zeros(1, dtype=np.int64), np.full(1, ALL_TILES)),) * len(SEATS)


def bounds(tree: Expression, seen: Sequence[Seen]) -> Bounds:
    """The least and the greatest that a tree can come to in each case, or beyond.

    Returns
    -------
    low, high : int64 (n,)
        1 for true and 0 for false.

    >>> from sim42.deals.conditions.parse import parse
    >>> low, high = bounds(parse("doubles(left) >= 1"), seen_around(np.array([0b1])))
    >>> int(low[0]), int(high[0])
    (0, 1)
    """
    match tree:
        case Number(value):
            number = np.full(len(seen[0].held), value, dtype=np.int64)
            return number, number
        case Call():
            return _call_bounds(tree, seen[tree.seat])
        case Minus(part):
            low, high = bounds(part, seen)
            return -high, -low
        case Not(part):
            low, high = bounds(part, seen)
            return 1 - high, 1 - low
        case Arithmetic(sign, left, right):
            return _arithmetic(sign, bounds(left, seen), bounds(right, seen))
        case Comparison(signs, parts):
            numbers = [bounds(part, seen) for part in parts]
            pairs = zip(signs, numbers, numbers[1:], strict=False)
            return _extreme(np.minimum, [_compared(sign, a, b) for sign, a, b in pairs])
        case Extreme("min", parts) | Both(parts):
            return _extreme(np.minimum, [bounds(part, seen) for part in parts])
        case Extreme(_, parts) | Either(parts):
            return _extreme(np.maximum, [bounds(part, seen) for part in parts])


def _extreme(pick: np.ufunc, parts: Sequence[Bounds]) -> Bounds:
    lows, highs = zip(*parts, strict=True)
    return pick.reduce(np.stack(lows)), pick.reduce(np.stack(highs))


def _arithmetic(sign: str, left: Bounds, right: Bounds) -> Bounds:
    if sign == "+":
        return left[0] + right[0], left[1] + right[1]
    if sign == "-":
        return left[0] - right[1], left[1] - right[0]
    ends = np.stack([a * b for a in left for b in right])
    return ends.min(axis=0), ends.max(axis=0)


def _compared(sign: Sign, left: Bounds, right: Bounds) -> Bounds:
    """Whether a comparison holds for all values within the bounds, and for some."""
    (low, high), (other_low, other_high) = left, right
    if sign in (">", ">="):
        return _compared("<" if sign == ">" else "<=", right, left)
    if sign == "!=":
        always, ever = _compared("=", left, right)
        return 1 - ever, 1 - always
    if sign == "=":
        pair = (low == high) & (other_low == other_high) & (low == other_low)
        return pair.astype(np.int64), ((low <= other_high) & (other_low <= high)).astype(np.int64)
    if sign == "<":
        return (high < other_low).astype(np.int64), (low < other_high).astype(np.int64)
    return (high <= other_low).astype(np.int64), (low <= other_high).astype(np.int64)


def _call_bounds(call: Call, seat: Seen) -> Bounds:
    """Bounds of a function, which are its value where the whole hand is known."""
    function = FUNCTIONS[call.name]
    if call.name == "bids":
        return np.zeros_like(seat.held), np.ones_like(seat.held)
    if (sizes(seat.held) == HAND_SIZE).all():
        value = call_values(call, seat.held)
        return value, value
    if function.weights is not None:
        return _sum_bounds(function.weights(*call.arguments), seat)
    if call.name == "top":
        return _top_bounds(call.arguments[0], seat)
    suits = [_sum_bounds([int(tile in tiles_of(m)) for tile in TILES], seat) for m in PIP_MASKS]
    if call.name == "longest":
        return _extreme(np.maximum, suits)
    low = sum((high == 0).astype(np.int64) for _, high in suits)
    high = sum((low == 0).astype(np.int64) for low, _ in suits)
    # Seven tiles need four pips.
    return low, np.minimum(high, 3)


def _sum_bounds(weights: Sequence[int], seat: Seen) -> Bounds:
    """Bounds of a sum: the places that are open go to the tiles that count least, or most."""
    ends = []
    for order in (sorted(set(weights)), sorted(set(weights), reverse=True)):
        room = HAND_SIZE - sizes(seat.held)
        total = np.zeros_like(room)
        for weight in order:
            tiles = mask_of(tile for tile in TILES if weights[tile] == weight)
            open_tiles = sizes(seat.possible & ~seat.held & tiles)
            total += weight * (sizes(seat.held & tiles) + np.minimum(open_tiles, room))
            room = room - np.minimum(open_tiles, room)
        ends.append(total)
    return ends[0], ends[1]


def _top_bounds(trump: int, seat: Seen) -> Bounds:
    low = high = np.zeros_like(seat.held)
    for place, tile in enumerate(ranked_trumps(trump), start=1):
        low = np.where(seat.held >> tile & 1, place, low)
        high = np.where(seat.possible >> tile & 1, place, high)
    return low, high


@lru_cache(maxsize=64)
def split(tree: Expression) -> tuple[tuple[Expression, Limit | None], ...]:
    """The parts of a condition that must all be true, each as a limit of four seats if it is a sum.

    >>> from sim42.deals.conditions.parse import parse
    >>> for part, limit in split(parse("1 <= doubles(left) < 3 and longest(left) > 4")):
    ...     print(part, limit and (limit.least, limit.most))
    1 <= doubles(left) (-1000000000, -1)
    doubles(left) < 3 (-1000000000, 2)
    longest(left) > 4 None
    """
    return tuple((part, _limit(part)) for part in _conjuncts(tree, negated=False))


def _conjuncts(tree: Expression, negated: bool) -> Iterator[Expression]:
    """Conditions that must all hold for a tree to be true, or false; comparisons are of two."""
    match tree:
        case Not(part):
            yield from _conjuncts(part, not negated)
        case Both(parts) if not negated:
            for part in parts:
                yield from _conjuncts(part, negated)
        case Either(parts) if negated:
            for part in parts:
                yield from _conjuncts(part, negated)
        case Comparison(signs, parts) if not negated or len(signs) == 1:
            for sign, left, right in zip(signs, parts, parts[1:], strict=False):
                yield Comparison((_NEGATED[sign] if negated else sign,), (left, right))
        case _:
            yield Not(tree) if negated else tree


def _limit(tree: Expression) -> Limit | None:
    """A conjunct as a limit on a sum, if it is one."""
    match tree:
        case Comparison((sign,), (left, right)) if sign != "!=":
            difference = linear(Arithmetic("-", left, right))
            if difference is None:
                return None
            constant, weights = difference
            least = -constant if sign in ("=", ">=") else 1 - constant if sign == ">" else -NO_LIMIT
            most = -constant if sign in ("=", "<=") else -1 - constant if sign == "<" else NO_LIMIT
            return Limit(weights, least, most)
        case Call() | Not(Call()):
            call = tree.part if isinstance(tree, Not) else tree
            sum_of = linear(call)
            if sum_of is None:
                return None
            return Limit(sum_of[1], most=0) if isinstance(tree, Not) else Limit(sum_of[1], least=1)
    return None


def linear(tree: Expression) -> tuple[int, tuple[tuple[int, ...], ...]] | None:
    """A tree as a number and what each tile adds to it with each seat; None when it is no sum.

    >>> from sim42.deals.conditions.parse import parse
    >>> constant, weights = linear(parse("3 - 2 * has(left, 0-0)"))
    >>> constant, weights[1][0], sum(map(sum, weights))
    (3, -2, -2)
    """
    match tree:
        case Number(value):
            return value, ((0,) * len(TILES),) * len(SEATS)
        case Call(name, seat, arguments):
            function = FUNCTIONS[name]
            if function.weights is None:
                return None
            row = function.weights(*arguments)
            return 0, tuple(row if other == seat else (0,) * len(TILES) for other in SEATS)
        case Minus(part):
            return linear(Arithmetic("*", Number(-1), part))
        case Arithmetic(sign, left, right):
            first, second = linear(left), linear(right)
            if first is None or second is None:
                return None
            if sign == "*":
                if any(map(any, first[1])):
                    first, second = second, first
                if any(map(any, first[1])):
                    return None  # a product of two sums
                return first[0] * second[0], _scaled(second[1], first[0])
            factor = 1 if sign == "+" else -1
            other = _scaled(second[1], factor)
            rows = (
                tuple(a + b for a, b in zip(row, more, strict=True))
                for row, more in zip(first[1], other, strict=True)
            )
            return first[0] + factor * second[0], tuple(rows)
    return None


def _scaled(weights: tuple[tuple[int, ...], ...], factor: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(factor * weight for weight in row) for row in weights)
