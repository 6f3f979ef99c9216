"""Questions about positions inside deals: yes or no, the value, and the value of every play.

All are answered for thousands of positions at a time, in blocks that threads share.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.errors import BatchError, RequestError, check_kind
from sim42.game.rules import AnyRules
from sim42.game.state import Game
from sim42.game.tiles import MOST_POINTS, TILES, Deal
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump, choose_trumps
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import makes_block, play_block, value_block
from sim42.solver.lookups import stacked
from sim42.solver.positions import Ints, Positions, position_of, whole_numbers
from sim42.solver.threads import Progress, run_blocks, thread_count
from sim42.solver.warm import compiles, tiny_positions, warm_up

BLOCK: Final = 128
"""Positions that a thread solves between two looks at the world."""


def makes(
    position: Deal | Game | Tricks | str,
    need: int,
    trump: Trump | str | None = None,
    leader: int | None = None,
    rules: AnyRules = None,
) -> bool:
    """Whether the side that led first ends with `need` points or more, with best play by all.

    What it took already is counted. This asks the search one question, where a value takes
    several: of the time that the value of a deal takes with floor 30, half when 30 points are
    needed, an eighth when 42 are.

    Parameters
    ----------
    position, trump, leader, rules
        As for `sim42.solve`.
    need : int
        Points, as a bid of 30 to 42.

    Raises
    ------
    NotationError, TileError, RequestError
        When it is no position, or nothing is left to play.

    >>> from sim42 import Deal
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0 / 5-5 5-4 5-3 5-2 5-1 5-0 4-4 /"
    ...             "4-3 4-2 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> makes(deal, 42, "sixes"), makes(deal, 30, "blanks")
    (True, False)
    """
    play, rules = position_of(position, trump, leader, rules)
    return bool(makes_many(Positions.of([play]), need, [play.trump], rules, threads=1)[0, 0])


def _first_makes() -> None:
    hands, table, zero, arrays = tiny_positions()
    makes_block(hands, table, zero, zero, zero, *arrays, ALL_BOUNDS)


@compiles(_first_makes)
def makes_many(
    positions: Positions,
    need: int | ArrayLike,
    trumps: Sequence[Trump | str | int] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> NDArray[np.bool_]:
    """Whether the side of each position ends with its need or more, with best play by all.

    Parameters
    ----------
    positions : Positions
        Where the play stands.
    need : int or int array (n,)
        Points at the end of the hand, for all positions or for each.
    trumps, rules, threads, progress
        As for `sim42.solve_many`.

    Returns
    -------
    bool (n, trumps)

    Raises
    ------
    BatchError
        When entries are wrong: names each, and holds the answers of the others.
    RequestError
        When another argument is out of range.

    >>> positions = Positions([[1 << 27, 1 << 26, 1 << 25, 1 << 24]])
    >>> makes_many(positions, 11, ["fives", "fours"]).tolist()
    [[False, True]]
    """
    check_kind(positions, "positions", Positions, "Positions")
    needs = whole_numbers("need", need)
    if needs.shape not in ((), (len(positions),)):
        raise RequestError(f"need: one number, or {len(positions)}, not shape {needs.shape}")
    still = np.broadcast_to(needs, (len(positions),)) - positions.taken
    return _solved(makes_many, makes_block, positions, still, (trumps, rules, threads, progress))


def _first_positions() -> None:
    hands, table, zero, arrays = tiny_positions()
    value_block(hands, table, zero, zero, zero, *arrays, ALL_BOUNDS)


@compiles(_first_positions)
def solve_many_positions(
    positions: Positions,
    trumps: Sequence[Trump | str | int] | None = None,
    floor: int | ArrayLike = 0,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> NDArray[np.int8]:
    """Points of each position's side at the end of the hand: `sim42.solve_many` of positions.

    Returns
    -------
    int8 (n, trumps)
        Values below the floor are ``floor - 1``.
    """
    check_kind(positions, "positions", Positions, "Positions")
    options = (trumps, rules, threads, progress)
    return _solved(solve_many_positions, value_block, positions, _floors(positions, floor), options)


def _first_plays() -> None:
    hands, table, zero, arrays = tiny_positions()
    play_block(hands, table, zero, zero, zero, *arrays, ALL_BOUNDS)


@compiles(_first_plays)
def play_values(
    positions: Positions,
    trumps: Sequence[Trump | str | int] | None = None,
    floor: int | ArrayLike = 0,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> NDArray[np.int8]:
    """Points of each position's side at the end of the hand after every legal play.

    Parameters
    ----------
    positions : Positions
        Where the play stands.
    trumps, rules, threads, progress
        As for `sim42.solve_many`.
    floor : int or int array (n,)
        Values below come back as ``floor - 1``; faster when only the bids matter.

    Returns
    -------
    int8 (n, trumps, 28)
        By tile id; -1 for what may not be played.

    Raises
    ------
    BatchError
        When entries are wrong: names each, and holds the values of the others.
    RequestError
        When another argument is out of range.

    >>> two_tiles_each = Positions([[0b11, 0b1100, 0b110000, 0b11000000]])
    >>> play_values(two_tiles_each, ["blanks"])[0, 0, :3].tolist()
    [2, 1, -1]
    """
    options = (trumps, rules, threads, progress)
    return _solved(play_values, play_block, positions, _floors(positions, floor), options)


Options = tuple[Sequence[Trump | str | int] | None, AnyRules, int | None, bool | Progress | None]
"""Trumps, rules, threads and progress."""


def _solved(
    asker: Callable[..., Any],
    kernel: Callable[..., Any],
    positions: Positions,
    asked: Ints,
    options: Options,
) -> NDArray[Any]:
    """What a kernel answers about the positions that are right, for the function that asks.

    `asked` is each position's floor or need, of points to come. Answers in points get those taken
    added; -1 says that there is none. Of a position that is wrong there is none.
    """
    trumps, rules, threads, progress = options
    chosen = choose_trumps(trumps)
    threads = thread_count(threads)
    arrays = stacked(chosen, rules)
    faults = positions.faults()
    right = np.setdiff1d(np.arange(len(positions)), np.array(list(faults), dtype=np.int64))
    hands, taken = positions.hands, positions.taken.astype(np.int8)
    columns = (hands, positions.table, positions.leader, positions.side, asked)
    shape = (len(positions), len(chosen), *((len(TILES),) if kernel is play_block else ()))
    answers: NDArray[Any] = np.full(shape, -1, dtype=np.int8)
    if kernel is makes_block:
        answers = np.zeros(shape, dtype=np.bool_)

    def run(part: slice) -> None:
        chosen = right[part]
        found = kernel(*(column[chosen] for column in columns), *arrays, ALL_BOUNDS)[0]
        if kernel is not makes_block:
            more = taken[chosen].reshape(-1, *[1] * (found.ndim - 1))
            found = np.where(found < 0, found, found + more)
        answers[chosen] = found

    if len(right):
        warm_up(asker)
        run_blocks(run, len(right), BLOCK, threads, progress, "position")
    if faults:
        number, fault = next(iter(faults.items()))
        others = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        raise BatchError(f"position {number}: {fault}{others}", faults, answers)
    return answers


def _floors(positions: Positions, floor: int | ArrayLike) -> Ints:
    """Floors of the points to come."""
    floors = whole_numbers("floor", floor)
    if floors.shape not in ((), (len(positions),)):
        raise RequestError(f"floor: one number, or {len(positions)}, not shape {floors.shape}")
    if ((floors < 0) | (floors > MOST_POINTS)).any():
        raise RequestError(f"floor {floor!r}: points are a whole number from 0 to {MOST_POINTS}")
    return (np.broadcast_to(floors, (len(positions),)) - positions.taken).clip(0)
