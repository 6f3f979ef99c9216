"""Exact values of deals: `solve` explains one, `solve_many` values any number of them.

Both check what they are given, hand it to the compiled search and return plain values. The answer
is double dummy: all four hands are seen by everyone, and everyone plays as well as can be.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import or_
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError, TileError, at, shown
from sim42.game.dominoes import rows_svg
from sim42.game.rules import AnyRules, Rules
from sim42.game.state import Game
from sim42.game.tiles import (
    ALL_TILES,
    ENDS,
    HAND_SIZE,
    MOST_POINTS,
    NAMES,
    SEATS,
    Deal,
    Masks,
    parse_tile,
    tiles_of,
)
from sim42.game.tricks import Trick, Tricks, played_by
from sim42.game.trumps import Trump, choose_trumps
from sim42.solver.inside import solve_many_positions
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain
from sim42.solver.lookups import stacked
from sim42.solver.positions import Positions, declarer_of, position_of, total_of
from sim42.solver.threads import Progress as Progress
from sim42.solver.threads import is_whole, run_blocks, thread_count
from sim42.solver.warm import compiles, tiny_positions
from sim42.solver.warm import is_compiled as is_compiled
from sim42.solver.warm import warm_up as warm_up

BLOCK: Final = 32
"""Deals that a thread solves between two looks at the world: some tenths of a second."""


@dataclass(frozen=True)
class Solution:
    """What a position is worth to the side that led first, and how it comes to that.

    That side is the declarer's; of four hands, the leader's.

    Attributes
    ----------
    position : Tricks
        The play as it stands; of a deal, before the first lead.
    points : int
        What that side has at the end of the hand with best play by all, what it took counted.
    plays : dict of str to int
        The same after each legal play, from the highest tile id down.
    line : tuple of tuple of str
        The tricks to come in which all play as well as can be, tiles in the order played; the first
        is what is left of the trick on the table.
    rules : Rules
        The house rules it was solved under.
    """

    position: Tricks
    points: int
    plays: dict[str, int]
    line: tuple[tuple[str, ...], ...]
    rules: Rules

    @property
    def trump(self) -> Trump:
        """The trump called."""
        return self.position.trump

    @property
    def leader(self) -> int:
        """Seat that led first, whose side's points are counted."""
        return declarer_of(self.position)

    @property
    def turn(self) -> int:
        """Seat to play."""
        return self.position.turn

    @property
    def leads(self) -> dict[str, int]:
        """The plays, of a position at the start of a trick."""
        return {} if self.position.table else self.plays

    @property
    def best(self) -> tuple[str, ...]:
        """The plays that keep the value; several when they tie."""
        return tuple(name for name, points in self.plays.items() if points == self.points)

    @property
    def masks(self) -> Masks:
        """The hands before anything was played, as far as the position tells."""
        position = self.position
        played = played_by(position.done, position.leader, position.table)
        first, second, third, fourth = map(or_, position.hands, played)
        return first, second, third, fourth

    @property
    def deal(self) -> Deal:
        """The four hands as dealt; an ending that tells of no seven tiles each has none."""
        return Deal(self.masks)

    @property
    def total(self) -> int:
        """Points of both sides at the end: 42 of a whole deal, less of an ending by itself."""
        return total_of(self.position)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks, those done and those of the line: who led and who won, and the points."""
        play = self.position
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
            f"{self.leader % 2 + 2} take {self.points} of {self.total} points</p>{drawing}"
        )


def _first_line() -> None:
    hands, table, _, arrays = tiny_positions()
    explain(hands[0], table[0], 0, *(array[0] for array in arrays), ALL_BOUNDS)


@compiles(_first_line)
def solve(
    deal: Deal | Game | Tricks | str,
    trump: Trump | str | None = None,
    leader: int | None = None,
    rules: AnyRules = None,
) -> Solution:
    """Value of a deal or of a game as it stands, of each legal play, and a line of best play.

    Parameters
    ----------
    deal : Deal, str, Game or Tricks
        The four hands or their text (one to seven tiles each), or a game at a tile to play.
    trump : Trump or str
        The trump called. A game brings its own, and its leader and rules.
    leader : int
        Seat that leads first and whose side's points are counted; 0 when not given.
    rules : Rules, or what `Rules.of` takes, optional
        House rules; only `doubles` matters here.

    Returns
    -------
    Solution
        Points, at the end of the hand, of the side that led first: the declarer's.

    Raises
    ------
    NotationError, TileError
        When the text is no deal or no trump.
    RequestError
        When the leader is no seat, or nothing is left to play.

    >>> solution = solve("4-4 2-2 6-1 1-0 2-1 6-0 5-3 / 5-2 6-3 6-4 2-0 5-4 6-2 0-0 /"
    ...                  "5-0 1-1 4-0 3-1 5-5 4-1 4-3 / 6-5 4-2 3-3 3-0 5-1 6-6 3-2", "fours")
    >>> solution.points == max(solution.leads.values())
    True
    >>> solution.line[0][0] in solution.best
    True
    >>> after = solve(solution.position.play(parse_tile(solution.best[0])))
    >>> after.points == solution.points  # best play keeps the value
    True
    """
    position, rules = position_of(deal, trump, leader, rules)
    warm_up(solve)
    one, arrays = Positions.of([position]), stacked([position.trump], rules)
    rows = (array[0] for array in arrays)
    to_come, tiles, _ = explain(one.hands[0], one.table[0], position.leader, *rows, ALL_BOUNDS)
    side = declarer_of(position) % 2
    left = total_of(position) - sum(position.points)
    taken = position.points[side]
    plays = {
        NAMES[tile]: taken + int(left - to_come[tile] if side else to_come[tile])
        for tile in reversed(tiles_of(position.legal_mask))
    }
    choose = max if position.turn % 2 == side else min
    names = [NAMES[tile] for tile in tiles if tile >= 0]
    first = 4 - len(position.table)
    starts = range(first, len(names), 4)
    line = (tuple(names[:first]), *(tuple(names[start : start + 4]) for start in starts))
    return Solution(position, choose(plays.values()), plays, line, rules)


def _first_values() -> None:
    hands, _, zero, arrays = tiny_positions()
    solve_block(hands, *arrays, zero.reshape(1, 1), 0, ALL_BOUNDS)


@compiles(_first_values)
def solve_many(
    deals: ArrayLike | Iterable[Deal] | Positions,
    trumps: Sequence[Trump | str | int] | None = None,
    leader: int | ArrayLike | Literal["all"] = 0,
    floor: int | ArrayLike = 0,
    threads: int | None = None,
    rules: AnyRules = None,
    progress: bool | Progress | None = None,
) -> NDArray[np.int8]:
    """Values of many deals, or positions inside deals, under several trumps.

    Parameters
    ----------
    deals : int array (n, 4), Deals, or Positions
        Mask of each seat's hand, a row a deal. `Positions` say for themselves who leads, what is
        taken, and whose points are counted.
    trumps : sequence of Trump, optional
        In the order of the columns; all nine if not given.
    leader : int, int array (n,), or "all"
        Seat that leads first, for all deals or for each; "all" asks for each of the four, which
        is cheaper than four calls.
    floor : int
        Values below come back as ``floor - 1``; the search is faster when only the bids matter. Of
        positions, also one for each.
    threads : int, optional
        Threads to use; as many as numba would if not given.
    rules : Rules, or what `Rules.of` takes, optional
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
    BatchError
        When positions are wrong: names each, and holds the values of the others.
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
    if isinstance(deals, Positions):
        if not isinstance(leader, int) or leader != 0:
            raise RequestError("positions say who leads; give no leader with them")
        return solve_many_positions(deals, trumps, floor, rules, threads, progress)
    masks = _checked_deals(deals)
    chosen = choose_trumps(trumps)
    leaders = _leaders(leader, len(masks))
    if not is_whole(floor) or not 0 <= cast(int, floor) <= MOST_POINTS:
        raise RequestError(
            f"floor {shown(floor)}: points are a whole number from 0 to {MOST_POINTS}"
        )
    threads, least = thread_count(threads), int(cast(int, floor))
    points = np.empty((len(masks), len(chosen), leaders.shape[1]), dtype=np.int8)
    arrays = stacked(chosen, rules)

    def run(part: slice) -> None:
        points[part] = solve_block(masks[part], *arrays, leaders[part], least, ALL_BOUNDS)[0]

    if points.size:
        warm_up(solve_many)
        run_blocks(run, len(masks), BLOCK, threads, progress)
    return points if isinstance(leader, str) else points[:, :, 0]


def _checked_deals(deals: ArrayLike | Iterable[Deal]) -> NDArray[np.int64]:
    """Deals as int64 (n, 4), every row four hands of seven different tiles."""
    if isinstance(deals, np.ndarray):
        masks = deals
    else:
        if isinstance(deals, Deal | str):
            raise RequestError("deals: a single deal; give a list of deals, or call solve")
        if not isinstance(deals, Iterable):
            raise RequestError(f"deals {shown(deals)}: give a list of deals, or an array (n, 4)")
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
            raise RequestError(f"leader {shown(leader)}: a seat from 0 to 3, one a deal, or 'all'")
        return np.tile(np.array(SEATS, dtype=np.int64), (count, 1))
    leaders = np.asarray(leader)
    if leaders.ndim and leaders.shape != (count,):
        raise RequestError(f"leader: {count} deals need {count} seats, not shape {leaders.shape}")
    if leaders.dtype.kind not in "iu" and leaders.size:
        raise RequestError(f"leader {shown(leader)}: a seat is a whole number from 0 to 3")
    wrong = np.flatnonzero((leaders < 0) | (leaders > 3))
    if len(wrong):
        seat = leaders.flat[wrong[0]]
        where = f"deal {wrong[0]}, " if leaders.ndim else ""
        raise RequestError(f"{where}leader {seat}: a seat is a whole number from 0 to 3")
    return np.require(np.broadcast_to(leaders, (count,)), np.int64, ["C", "W"]).reshape(-1, 1)
