"""Hands to points: deal around a hand, solve every deal for every trump, count.

Counts add: those of other deals, threads or machines are summed, and rates come at the end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given, given_deals
from sim42.deals.seeds import check_seed
from sim42.errors import whole
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump, choose_trumps
from sim42.runs.bidding import bid_estimate
from sim42.solver.threads import Progress, reporter
from sim42.solver.values import solve_many

FLOOR: Final = 30
"""The lowest bid: points below it are not told apart."""
MOST_DEALS: Final = 10_000_000
"""Deals of one sample, whose every value is kept; a survey has no such limit."""
PIECE: Final = 2**14
"""Deals dealt at once: only their points are kept."""
GIVEN_PIECE: Final = 2**10
"""The same where a condition may make them rare, so that progress is seen."""
POINTS: Final = tuple(range(FLOOR - 1, 43))
"""Points that counts tell apart; the first stands for all below `FLOOR`."""


@dataclass(frozen=True, eq=False)
class HandSample:
    """What a declarer's hand took in random deals, solved double dummy.

    Two samples are equal when everything in them is.

    Attributes
    ----------
    hand : Hand
        The declarer's tiles (seat 0, who leads).
    trumps : tuple of Trump
        The trumps tried, every one on the same deals.
    seed : int
        Seed of the deals.
    rules : Rules
        Rules of play.
    given : Given or None
        What was known of the other hands.
    points : int8 (deals, trumps)
        Points of seats 0 and 2; 29 stands for less than 30.
    """

    hand: Hand
    trumps: tuple[Trump, ...]
    seed: int
    rules: Rules
    points: NDArray[np.int8]
    given: Given | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandSample):
            return NotImplemented
        return self._question() == other._question() and bool(
            np.array_equal(self.points, other.points)
        )

    def __hash__(self) -> int:
        return hash(self._question())

    def _question(self) -> tuple[object, ...]:
        given = None if self.given is None else self.given.text
        return self.hand, self.trumps, self.seed, self.rules, given, self.deals

    @property
    def deals(self) -> int:
        """How many deals were solved."""
        return len(self.points)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Deals at each of `POINTS`, shape (trumps, 14)."""
        return count_points(self.points)


def sample_hand(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
) -> HandSample:
    """Solve random deals around a hand for each trump.

    Parameters
    ----------
    hand : Hand or str
        The declarer's seven tiles.
    deals : int
        How many deals; the first n of a longer sample are the sample of n.
    seed : int
        0 to 2**64 - 1.
    trumps : sequence of Trump, optional
        All nine when None.
    rules : Rules, or what `Rules.of` takes, optional
        Tournament rules when None.
    threads : int, optional
        One a core when None; without effect on the values.
    progress : callable or bool
        Called with the deals done and their number; True shows a bar.
    given : Given or str, optional
        What is known of the other hands; only such deals are solved.

    Raises
    ------
    NotationError, RequestError
        When trumps, deals or seed cannot be, or no deal is as `given` says.

    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> sample.points.min(), sample.points.max()  # a lay-down
    (np.int8(42), np.int8(42))
    """
    hand = Hand(hand)
    deals = whole(deals, "deals", 1, MOST_DEALS)
    chosen = choose_trumps(trumps)
    rules, seed = Rules.of(rules), check_seed(seed)
    known = None if given is None else Given(given)
    estimate = bid_estimate(rules, threads)
    points = np.empty((deals, len(chosen)), dtype=np.int8)
    with reporter(progress, deals) as report:
        piece = PIECE if known is None else GIVEN_PIECE
        for start in range(0, deals, piece):
            index = np.arange(start, min(start + piece, deals), dtype=np.int64)
            dealt = given_deals(np.full(len(index), hand.mask), index, seed, known, estimate)
            points[start : start + piece] = solve_many(
                dealt, chosen, 0, FLOOR, threads, rules, _after(start, report)
            )
    return HandSample(hand, chosen, seed, rules, points, known)


def _after(start: int, report: Callable[[int], object]) -> Progress:
    """Progress of a piece, told as progress of the whole."""
    return lambda done, _: report(start + done)


def count_points(points: NDArray[np.int8]) -> NDArray[np.int64]:
    """Deals at each of `POINTS` for each column of points.

    Parameters
    ----------
    points : int8 (deals, trumps)
        Values 29 to 42.

    Returns
    -------
    int64 (trumps, 14)
        Each row adds up to the number of deals.

    >>> count_points(np.array([[29], [42], [42]], dtype=np.int8)).tolist()
    [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]]
    """
    columns = points.T
    return np.array([np.bincount(c - POINTS[0], minlength=len(POINTS)) for c in columns])
