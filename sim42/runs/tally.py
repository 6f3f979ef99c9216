"""A sample of any number of deals in little memory: what of it adds up is kept, not its deals."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given, given_deals
from sim42.errors import check_kind
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.runs.adjust import Adjuster, Moments
from sim42.runs.looks import looks
from sim42.runs.sample import (
    ALL_POINTS,
    BIDS,
    FLOOR,
    PIECE,
    POINTS,
    HandSample,
    Question,
    asked,
    count_points,
    solved,
)
from sim42.solver.threads import Progress

Until = Callable[["HandTally"], bool]
"""Whether what was found in the deals so far is enough."""


@dataclass(frozen=True, eq=False)
class HandTally:
    """All of a sample that its table and its call need, however many the deals.

    Attributes
    ----------
    hand, trumps, seed, rules, given
        As of `sim42.runs.sample.HandSample`.
    halves : int64 (trumps, 2, 14)
        Deals of even and of odd number at each of `POINTS`.
    together : int64 (trumps, 13, trumps, 13)
        Deals in which one trump makes one of `BIDS`, and another trump makes another.
    full_halves : int64 (trumps, 2, 43) or None
        As `halves` at each of 0 to 42 points; None when they are not told apart below 30.
    adjusted : Moments or None
        Of what is made, trump by trump and bid by bid, adjusted as `sim42.runs.adjust` says; None
        where outcomes are only counted.
    """

    hand: Hand
    trumps: tuple[Trump, ...]
    seed: int
    rules: Rules
    halves: NDArray[np.int64]
    together: NDArray[np.int64]
    given: Given | None = None
    full_halves: NDArray[np.int64] | None = None
    adjusted: Moments | None = None

    @property
    def deals(self) -> int:
        """How many deals were solved."""
        return int(self.halves[0].sum())

    @property
    def counts(self) -> NDArray[np.int64]:
        """Deals at each of `POINTS`, shape (trumps, 14)."""
        return np.add(self.halves[:, 0], self.halves[:, 1])

    @property
    def full(self) -> NDArray[np.int64] | None:
        """Deals at each of 0 to 42 points, shape (trumps, 43), where they are told apart."""
        halves = self.full_halves
        return None if halves is None else np.add(halves[:, 0], halves[:, 1])

    @property
    def counted(self) -> Moments:
        """Moments of what is made, trump by trump and bid by bid, without adjusting."""
        made = np.cumsum(self.halves[..., ::-1], axis=-1)[..., -2::-1].swapaxes(0, 1)
        return Moments(
            self.halves[0].sum(axis=-1),
            made.reshape(2, -1).astype(np.float64),
            self.together.reshape(2 * (made[0].size,)).astype(np.float64),
        )


def tally_hand(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    floor: int = FLOOR,
    *,
    plain: bool = False,
    until: Until | None = None,
) -> HandTally:
    """Solve the deals of `sim42.runs.sample.sample_hand`, whose parameters these are, and add up.

    With `floor` 0, which takes longer, all points are told apart; `plain` does not adjust. What
    `until` is given it is asked after some numbers of deals (`sim42.runs.looks`), to stop early.

    >>> from sim42.runs.sample import sample_hand
    >>> question = {"hand": "6-6 6-5 6-4 6-3 6-2 6-1 5-0", "deals": 20, "trumps": ["sixes"]}
    >>> tally_hand(**question).counts.tolist() == sample_hand(**question).counts.tolist()
    True
    """
    question = asked(hand, deals, seed, trumps, rules, given, floor)
    return _tallied(question, threads, progress, plain, until)


def sample_until(
    until: Until | None,
    hand: Hand | str,
    deals: int,
    seed: int,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    floor: int = FLOOR,
    *,
    plain: bool = False,
) -> HandSample:
    """The sample of `tally_hand`: as many deals as that solves, with their points."""
    question = asked(hand, deals, seed, trumps, rules, given, floor)
    pieces: list[NDArray[np.int8]] = []
    _tallied(question, threads, progress, plain, until, pieces.append)
    return HandSample(
        question.hand,
        question.trumps,
        question.seed,
        question.rules,
        np.concatenate(pieces),
        question.given,
        question.floor,
    )


def _tallied(
    question: Question,
    threads: int | None,
    progress: Progress | bool,
    plain: bool,
    until: Until | None,
    keep: Callable[[NDArray[np.int8]], object] = lambda _: None,
) -> HandTally:
    """The deals of a question added up, as far as `until` wants; points are given to `keep`."""
    tally = _empty(*question[:-2], is_full=question.floor == 0)
    adjuster = None if plain else _adjuster_of(tally)
    stops = [] if until is None else looks(question.deals)
    # Closed at once when one stops early, and with it the progress.
    with closing(solved(question, threads, progress, stops)) as pieces:
        for start, dealt, points in pieces:
            _add(tally, points, start)
            keep(points)
            if adjuster is not None:
                adjuster.add(points, dealt)
            if until is not None and tally.deals in stops[:-1] and until(_now(tally, adjuster)):
                break
    return _now(tally, adjuster)


def _now(tally: HandTally, adjuster: Adjuster | None) -> HandTally:
    return tally if adjuster is None else replace(tally, adjusted=adjuster.moments())


def tally_of(sample: HandSample | HandTally, *, plain: bool = False) -> HandTally:
    """What of a sample adds up.

    >>> from sim42.runs.sample import sample_hand
    >>> tally = tally_of(sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", 20, trumps=["sixes"]))
    >>> tally.deals, int(tally.halves[0, 0, -1]), int(tally.together[0, 0, 0, -1])
    (20, 10, 20)
    """
    if isinstance(sample, HandTally):
        return replace(sample, adjusted=None) if plain else sample
    check_kind(sample, "sample", HandSample, "what sample_hand or tally_hand returns")
    is_full = sample.floor == 0
    tally = _empty(
        sample.hand, sample.trumps, sample.seed, sample.rules, sample.given, is_full=is_full
    )
    adjuster = None if plain else _adjuster_of(tally)
    for start in range(0, sample.deals, PIECE):
        points = sample.points[start : start + PIECE]
        _add(tally, points, start)
        if adjuster is not None and adjuster.is_able:
            adjuster.add(points, dealt_again(sample, start, len(points)))
    return _now(tally, adjuster)


def dealt_again(sample: HandSample, start: int, count: int) -> NDArray[np.int64]:
    """Deals of a sample, int64 (count, 4): a sample keeps their points alone."""
    index = np.arange(start, start + count, dtype=np.int64)
    return given_deals(np.full(count, sample.hand.mask), index, sample.seed, sample.given)


def made_in(points: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether each of `BIDS` is made, (..., 13).

    >>> made_in(np.array([29, 31, 42], dtype=np.int8)).sum(axis=1).tolist()
    [0, 2, 13]
    """
    return points[..., np.newaxis] >= np.array(BIDS, dtype=np.int8)


def _adjuster_of(tally: HandTally) -> Adjuster:
    return Adjuster(tally.hand.mask, tally.given, tally.trumps, made_in)


def _empty(
    hand: Hand,
    trumps: tuple[Trump, ...],
    seed: int,
    rules: Rules,
    given: Given | None,
    *,
    is_full: bool,
) -> HandTally:
    halves = np.zeros((len(trumps), 2, len(POINTS)), dtype=np.int64)
    together = np.zeros((len(trumps), len(BIDS)) * 2, dtype=np.int64)
    full = np.zeros((len(trumps), 2, len(ALL_POINTS)), dtype=np.int64) if is_full else None
    return HandTally(hand, trumps, seed, rules, halves, together, given, full)


def _add(tally: HandTally, points: NDArray[np.int8], start: int) -> None:
    """Add the points of a piece of deals, (deals, trumps), whose first is number `start`."""
    for half in range(2):
        every = points[(half - start) % 2 :: 2]
        if tally.full_halves is not None:
            tally.full_halves[:, half] += count_points(every, ALL_POINTS)
        tally.halves[:, half] += count_points(every.clip(POINTS[0]))
    # A product of matrices counts the pairs; in 32 bits whole numbers are exact up to 2**24.
    flat = made_in(points).reshape(len(points), -1).astype(np.float32)
    tally.together[...] += (flat.T @ flat).astype(np.int64).reshape(tally.together.shape)
