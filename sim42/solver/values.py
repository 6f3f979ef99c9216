"""Exact values of deals: `solve` explains one, `solve_many` values any number of them.

Both check what they are given, hand it to the compiled search and return plain values. The answer
is double dummy: all four hands are seen by everyone, and everyone plays as well as can be.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from threading import Thread
from typing import Any, Final, Literal, cast

import numpy as np
from numba.core import config
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError, TileError, at
from sim42.game.dominoes import rows_svg
from sim42.game.rules import Rules
from sim42.game.tiles import (
    ALL_TILES,
    ENDS,
    HAND_SIZE,
    MOST_POINTS,
    NAMES,
    SEATS,
    Deal,
    Hand,
    parse_tile,
)
from sim42.game.tricks import Trick, Tricks
from sim42.game.trumps import Trump, choose_trumps
from sim42.solver.kernels._cache import on_compile
from sim42.solver.kernels.lines import solve_one
from sim42.solver.kernels.search import solve_block
from sim42.solver.lookups import Lookups, stacked

BLOCK: Final = 32
"""Deals that a thread solves between two looks at the world: some tenths of a second."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Solution:
    """What a deal is worth to the leader's side, and how it comes to that.

    Attributes
    ----------
    deal : Deal
        The four hands.
    trump : Trump
        The call.
    leader : int
        Seat that leads first, 0 to 3.
    points : int
        What the leader and partner take with best play by all, 0 to 42.
    leads : dict of str to int
        The same after each opening lead, from the highest tile id down.
    line : tuple of tuple of str
        Seven tricks in which all play as well as can be; tiles in the order played.
    rules : Rules
        The house rules it was solved under.
    """

    deal: Deal
    trump: Trump
    leader: int
    points: int
    leads: dict[str, int]
    line: tuple[tuple[str, ...], ...]
    rules: Rules

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The line as the game plays it: who led and who won each trick, and its points."""
        play = Tricks(self.trump, self.rules.doubles, self.deal.masks, self.leader)
        for name in chain(*self.line):
            play = play.play(parse_tile(name))
        return play.done

    def _repr_html_(self) -> str:
        tricks = self.tricks
        drawing = rows_svg(
            [[ENDS[tile] for tile in trick.tiles] for trick in tricks],
            [f"{place}: seat {trick.leader} leads" for place, trick in enumerate(tricks, start=1)],
            [(trick.winner - trick.leader) % 4 for trick in tricks],
        )
        return (
            f"<p>{self.trump} trump, double dummy: seats {self.leader % 2} and "
            f"{self.leader % 2 + 2} take {self.points} of 42 points</p>{drawing}"
        )


def solve(
    deal: Deal | str, trump: Trump | str, leader: int = 0, rules: Rules | None = None
) -> Solution:
    """Value of a deal, of each opening lead, and a line of best play.

    Parameters
    ----------
    deal : Deal or str
        The four hands, or their text.
    trump : Trump or str
        The call.
    leader : int
        Seat that leads first and whose side's points are counted.
    rules : Rules, optional
        House rules; only `doubles` matters here.

    Returns
    -------
    Solution
        Points of the leader's side.

    Raises
    ------
    NotationError, TileError
        When the text is no deal or no trump.
    RequestError
        When the leader is no seat.

    >>> solution = solve("4-4 2-2 6-1 1-0 2-1 6-0 5-3 / 5-2 6-3 6-4 2-0 5-4 6-2 0-0 /"
    ...                  "5-0 1-1 4-0 3-1 5-5 4-1 4-3 / 6-5 4-2 3-3 3-0 5-1 6-6 3-2", "fours")
    >>> solution.points == max(solution.leads.values())
    True
    >>> solution.line[0][0] in solution.leads
    True
    """
    deal, trump, rules = Deal(deal), Trump(trump), rules or Rules()
    _leaders(leader, 1)
    warm_up(solve)
    arrays = stacked([trump], rules)
    values, line, _ = solve_one(
        np.array(deal.masks, dtype=np.int64), *(array[0] for array in arrays), int(leader)
    )
    leads = {
        NAMES[tile]: int(MOST_POINTS - values[tile] if leader % 2 else values[tile])
        for tile in Hand(deal.masks[leader])
    }
    names = [NAMES[tile] for tile in line]
    tricks = tuple(tuple(names[start : start + 4]) for start in range(0, 28, 4))
    return Solution(deal, trump, int(leader), max(leads.values()), leads, tricks, rules)


def solve_many(
    deals: ArrayLike | Iterable[Deal],
    trumps: Sequence[Trump | str | int] | None = None,
    leader: int | ArrayLike | Literal["all"] = 0,
    floor: int = 0,
    threads: int | None = None,
    rules: Rules | None = None,
    progress: bool | Progress | None = None,
) -> NDArray[np.int8]:
    """Values of many deals under several trumps.

    Parameters
    ----------
    deals : int array (n, 4), or Deals
        Mask of each seat's hand, a row a deal.
    trumps : sequence of Trump, optional
        The calls, in the order of the columns; all nine if not given.
    leader : int, int array (n,), or "all"
        Seat that leads first, for all deals or for each; "all" asks for each of the four, which
        is cheaper than four calls.
    floor : int
        Values below come back as ``floor - 1``; the search is faster when only the bids matter.
    threads : int, optional
        Threads to use; as many as numba would if not given.
    rules : Rules, optional
        House rules; only `doubles` matters here.
    progress : bool or callable, optional
        True for a bar on standard error, or a function called with the deals done and their
        number.

    Returns
    -------
    int8 (n, trumps), or (n, trumps, 4) with leader "all"
        Points of the leader's side with best play by all.

    Raises
    ------
    TileError
        When a deal is not four hands of seven different tiles; says which.
    RequestError
        When another argument is out of range.

    >>> from sim42.deals.random import random_deals
    >>> deals = random_deals(3, seed=42)
    >>> points = solve_many(deals)
    >>> points.shape
    (3, 9)
    >>> bool((solve_many(deals, ["fives"], floor=30)[:, 0] == points[:, 5].clip(29)).all())
    True
    """
    masks = _checked_deals(deals)
    calls = choose_trumps(trumps)
    leaders = _leaders(leader, len(masks))
    if not _is_whole(floor) or not 0 <= floor <= MOST_POINTS:
        raise RequestError(f"floor {floor!r}: points are a whole number from 0 to {MOST_POINTS}")
    if threads is None:
        threads = int(config.NUMBA_NUM_THREADS)
    if not _is_whole(threads) or threads < 1:
        raise RequestError(f"threads {threads!r}: not a whole number from 1 up")
    points = np.empty((len(masks), len(calls), leaders.shape[1]), dtype=np.int8)
    if points.size:
        warm_up(solve_many)
        _solve_blocks(masks, stacked(calls, rules), leaders, int(floor), threads, points, progress)
    return points if isinstance(leader, str) else points[:, :, 0]


def warm_up(*functions: Callable[..., Any]) -> None:
    """Compile what these functions need, or load it from the cache of an earlier run.

    The compiler works in a thread of its own, so that Ctrl-C ends the waiting for it at once.

    Parameters
    ----------
    functions : solve, solve_many
        Those to be called; all of them when none is named.

    >>> warm_up()
    """
    for function in functions or _FIRST_CALLS:
        if function not in _warm:
            _aside(_FIRST_CALLS[function])
            _warm.add(function)


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether an earlier run left all that a function needs, whole; nothing is compiled to know.

    >>> warm_up(solve)
    >>> is_compiled(solve)
    True
    """

    def refuse(_: bool) -> None:
        raise _NotCompiledError

    try:
        with on_compile(refuse):
            _FIRST_CALLS[function]()
    except _NotCompiledError:
        return False
    return True


class _NotCompiledError(Exception):
    """The compiler would be needed."""


def _first_values() -> None:
    deals = np.array([_TINY], dtype=np.int64)
    leaders = np.zeros((1, 1), dtype=np.int64)
    solve_block(deals, *stacked([Trump.FOLLOW_ME]), leaders, 0)


def _first_line() -> None:
    arrays = stacked([Trump.FOLLOW_ME])
    solve_one(np.array(_TINY, dtype=np.int64), *(array[0] for array in arrays), 0)


_TINY: Final = (1, 2, 4, 8)
"""One tile a seat: the smallest game there is."""
_FIRST_CALLS: Final[dict[Callable[..., Any], Callable[[], None]]] = {
    solve_many: _first_values,
    solve: _first_line,
}
"""The quickest call of all compiled code that a function needs."""
_warm: Final[set[Callable[..., Any]]] = set()


def _aside(task: Callable[[], None]) -> None:
    """Do a task in a thread that nothing waits for once this one is interrupted."""
    done: Future[None] = Future()

    def work() -> None:
        try:
            task()
            done.set_result(None)
        except BaseException as error:  # noqa: BLE001
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    # Some systems see Ctrl-C only between two waits.
    while not wait([done], timeout=1).done:
        pass
    done.result()


def _solve_blocks(
    deals: NDArray[np.int64],
    arrays: Lookups,
    leaders: NDArray[np.int64],
    floor: int,
    threads: int,
    points: NDArray[np.int8],
    progress: bool | Progress | None,
) -> None:
    """Fill `points` block by block; blocks do not depend on the threads, so nor do results."""

    def run(start: int) -> int:
        block = slice(start, start + BLOCK)
        points[block] = solve_block(deals[block], *arrays, leaders[block], floor)
        return len(deals[block])

    starts = range(0, len(deals), BLOCK)
    with _reporter(progress, len(deals)) as report, ThreadPoolExecutor(threads) as pool:
        try:
            for done in _in_turn(pool, run, starts, 2 * threads):
                report(done)
        except BaseException:
            # After Ctrl-C, or a progress function that raises, only running blocks are waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_turn(
    pool: ThreadPoolExecutor, run: Callable[[int], int], starts: Iterable[int], ahead: int
) -> Iterator[int]:
    """Results of `run` in the order of `starts`, with a few blocks handed out in advance."""
    waiting: deque[Future[int]] = deque()
    for start in starts:
        waiting.append(pool.submit(run, start))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    for future in waiting:
        yield future.result()


@contextmanager
def _reporter(progress: bool | Progress | None, total: int) -> Iterator[Callable[[int], object]]:
    """A function to call with the number of deals just done."""
    if callable(progress):
        done = 0

        def report(count: int) -> None:
            nonlocal done
            done += count
            progress(done, total)

        yield report
    elif progress:
        from tqdm.auto import tqdm

        with tqdm(total=total, unit="deal") as bar:
            yield bar.update
    else:
        yield lambda *_: None


def _checked_deals(deals: ArrayLike | Iterable[Deal]) -> NDArray[np.int64]:
    """Deals as int64 (n, 4), every row four hands of seven different tiles."""
    if isinstance(deals, np.ndarray):
        masks = deals
    else:
        if isinstance(deals, Deal | str):
            raise RequestError("deals: a single deal; give a list of deals, or call solve")
        rows = []
        for index, deal in enumerate(cast(Iterable[Any], deals)):
            with at(f"deal {index}"):
                row = Deal(deal).masks if isinstance(deal, Deal | str) else deal
                if np.shape(row) != (4,):
                    raise TileError("not four masks, one a seat")
                rows.append(row)
        masks = np.array(rows) if rows else np.empty((0, 4), dtype=np.int64)
    if masks.ndim != 2 or masks.shape[1] != 4 or masks.dtype.kind not in "iu":
        raise TileError(
            "deals: an array of whole numbers of shape (n, 4) is needed,"
            f" not of {masks.dtype} and shape {masks.shape}"
        )
    full = (np.bitwise_count(masks) == HAND_SIZE) & (masks >= 0) & (masks <= ALL_TILES)
    whole = np.bitwise_or.reduce(masks, axis=1) == ALL_TILES
    wrong = np.flatnonzero(~(full.all(axis=1) & whole))
    if len(wrong):
        index = int(wrong[0])
        with at(f"deal {index}"):
            Deal(masks[index].tolist())
    return np.require(masks, np.int64, ["C", "W"])  # read-only arrays would be compiled for anew


def _leaders(leader: int | ArrayLike | Literal["all"], count: int) -> NDArray[np.int64]:
    """Leaders as int64 (n, k): one a deal, or all four."""
    if isinstance(leader, str):
        if leader != "all":
            raise RequestError(f"leader {leader!r}: a seat from 0 to 3, one a deal, or 'all'")
        return np.tile(np.array(SEATS, dtype=np.int64), (count, 1))
    leaders = np.asarray(leader)
    if leaders.ndim and leaders.shape != (count,):
        raise RequestError(f"leader: {count} deals need {count} seats, not shape {leaders.shape}")
    if leaders.dtype.kind not in "iu" and leaders.size:
        raise RequestError(f"leader {leader!r}: a seat is a whole number from 0 to 3")
    wrong = np.flatnonzero((leaders < 0) | (leaders > 3))
    if len(wrong):
        seat = leaders.flat[wrong[0]]
        where = f"deal {wrong[0]}, " if leaders.ndim else ""
        raise RequestError(f"{where}leader {seat}: a seat is a whole number from 0 to 3")
    return np.require(np.broadcast_to(leaders, (count,)), np.int64, ["C", "W"]).reshape(-1, 1)


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
