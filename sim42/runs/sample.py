"""Hands to points: deal around a hand, solve every deal for every trump, count.

Counts add: those of other deals, threads or machines are summed, and rates come at the end.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given, given_deals
from sim42.deals.seeds import check_seed
from sim42.errors import RequestError, shown, whole
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import MOST_POINTS, Hand
from sim42.game.trumps import Trump, choose_trumps
from sim42.runs.bidding import bid_estimate
from sim42.solver.threads import Progress, reporter
from sim42.solver.values import solve_many

FLOOR: Final = 30
"""The lowest bid: points below it are not told apart."""
MOST_DEALS: Final = 10_000_000
"""Deals of one sample, whose every value is kept; a survey has no such limit."""
PIECE: Final = 2**14
"""Deals dealt at once: of a sample only their points are kept, of a tally not even those."""
GIVEN_PIECE: Final = 2**10
"""The same where a condition may make them rare, so that progress is seen."""
POINTS: Final = tuple(range(FLOOR - 1, 43))
"""Points that counts tell apart; the first stands for all below `FLOOR`."""
ALL_POINTS: Final = tuple(range(MOST_POINTS + 1))
"""Points that counts of floor 0 tell apart: all."""
BIDS: Final = POINTS[1:]
"""The bids of a table: 30..41 and 42, every trick."""


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
        Points of seats 0 and 2; 29 stands for less than 30 unless the floor is 0.
    floor : int
        30; or 0 where all points are told apart.
    """

    hand: Hand
    trumps: tuple[Trump, ...]
    seed: int
    rules: Rules
    points: NDArray[np.int8]
    given: Given | None = None
    floor: int = FLOOR

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
        return self.hand, self.trumps, self.seed, self.rules, given, self.deals, self.floor

    @property
    def deals(self) -> int:
        """How many deals were solved."""
        return len(self.points)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Deals at each of `POINTS`, shape (trumps, 14)."""
        return count_points(self.points.clip(POINTS[0]))


def sample_hand(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    floor: int = FLOOR,
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
    floor : int
        30; or 0, which takes longer, to tell all points apart.

    Raises
    ------
    NotationError, RequestError
        When trumps, deals or seed cannot be, or no deal is as `given` says.

    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> sample.points.min(), sample.points.max()  # a lay-down
    (np.int8(42), np.int8(42))
    """
    question = asked(hand, deals, seed, trumps, rules, given, floor)
    points = np.empty((question.deals, len(question.trumps)), dtype=np.int8)
    for start, _, piece in solved(question, threads, progress):
        points[start : start + len(piece)] = piece
    hand, trumps, seed, rules, given, _, floor = question
    return HandSample(hand, trumps, seed, rules, points, given, floor)


class Question(NamedTuple):
    """What a sample was asked for, checked."""

    hand: Hand
    trumps: tuple[Trump, ...]
    seed: int
    rules: Rules
    given: Given | None
    deals: int
    floor: int = FLOOR


def asked(
    hand: Hand | str,
    deals: int,
    seed: int,
    trumps: Sequence[Trump] | None,
    rules: AnyRules,
    given: Given | str | None,
    floor: int = FLOOR,
) -> Question:
    """The question, checked."""
    return Question(
        Hand(hand),
        choose_trumps(trumps),
        check_seed(seed),
        Rules.of(rules),
        None if given is None else Given(given),
        whole(deals, "deals", 1, MOST_DEALS),
        _checked_floor(floor),
    )


def _checked_floor(floor: int) -> int:
    plain = int(floor) if isinstance(floor, int | np.integer) else -1
    if isinstance(floor, bool) or plain not in (0, FLOOR):
        raise RequestError(f"floor {shown(floor)}: {FLOOR}, or 0 to tell all points apart")
    return plain


def solved(
    question: Question,
    threads: int | None,
    progress: Progress | bool,
    stops: Sequence[int] = (),
) -> Generator[tuple[int, NDArray[np.int64], NDArray[np.int8]], None, None]:
    """The deals piece by piece, (n, 4), with the index of the first, and their points.

    After each number of deals in `stops` a piece ends.
    """
    trumps, rules = question.trumps, question.rules
    for start, deals, report in dealt(question, threads, progress, stops):
        yield start, deals, solve_many(deals, trumps, 0, question.floor, threads, rules, report)


def dealt(
    question: Question,
    threads: int | None,
    progress: Progress | bool,
    stops: Sequence[int] = (),
) -> Iterator[tuple[int, NDArray[np.int64], Progress]]:
    """The deals piece by piece, (n, 4): the index of the first, and what to tell of the piece."""
    hand, _, seed, rules, given, deals, _ = question
    step = PIECE if given is None else GIVEN_PIECE
    estimate = bid_estimate(rules, threads)
    with reporter(progress, deals) as report:
        for start, stop in pairwise(sorted({*range(0, deals, step), *stops, deals})):
            index = np.arange(start, stop, dtype=np.int64)
            piece = given_deals(np.full(len(index), hand.mask), index, seed, given, estimate)
            yield start, piece, _after(start, report)


def _after(start: int, report: Callable[[int], object]) -> Progress:
    """Progress of a piece, told as progress of the whole."""
    return lambda done, _: report(start + done)


def points_told(floor: int) -> tuple[int, ...]:
    """Points that counts of this floor tell apart: all for 0, else `POINTS`.

    >>> len(points_told(0)), points_told(36) == points_told(30) == POINTS
    (43, True)
    """
    return POINTS if floor else ALL_POINTS


def folded(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts at each of `POINTS`, from counts at these or at `ALL_POINTS` along the last axis.

    >>> folded(np.ones((2, 43), dtype=np.int64))[0].tolist()
    [30, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    below = counts.shape[-1] - len(BIDS)
    low = counts[..., :below].sum(axis=-1, keepdims=True)
    return np.concatenate([low, counts[..., below:]], axis=-1)


def count_points(points: NDArray[np.int8], told: tuple[int, ...] = POINTS) -> NDArray[np.int64]:
    """Deals at each of `POINTS` for each column of points.

    Parameters
    ----------
    points : int8 (deals, trumps)
        Values 29 to 42, or 0 to 42.
    told : tuple of int
        Points to tell apart: `POINTS`, or `ALL_POINTS`.

    Returns
    -------
    int64 (trumps, 14)
        Each row adds up to the number of deals.

    >>> count_points(np.array([[29], [42], [42]], dtype=np.int8)).tolist()
    [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]]
    """
    columns = points.T
    return np.array([np.bincount(c - told[0], minlength=len(told)) for c in columns])
