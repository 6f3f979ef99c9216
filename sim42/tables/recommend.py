"""The call that a sample of one hand recommends, beside what each trump offers."""

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import PASS, Rules, bid_marks, bid_points
from sim42.game.trumps import Trump
from sim42.runs.sample import HandSample
from sim42.runs.tally import HandTally, tally_of
from sim42.tables.call import call_bids, choose, cross_fitted, marks_of
from sim42.tables.counts import BIDS, made_of
from sim42.tables.spread import mean_interval_of

DEAL_BY_DEAL: Final = ("difference", "low", "high")
"""What the second best call is compared by; counts alone do not tell it."""


def call_of(sample: HandSample | HandTally) -> dict[str, Any]:
    """The call that a sample recommends, and what each trump offers.

    It is that of `sim42.tables.call.choose`: the bid among 30, 42 and 84, as far as the rules allow
    them, with the most expected marks (won less given); a pass, which is worth 0, where that is
    less than nothing. What was chosen for being best on some deals looks better on these than it is
    (the winner's curse): ``cross_fitted`` is the mean of marks when the call is chosen on the even
    deals and rated on the odd, and the reverse.

    Returns
    -------
    dict
        ``trump``, the best; ``bid`` (None: pass); ``marks`` a deal; ``cross_fitted`` (None of a
        single deal); ``second``, the second best trump (trump, bid, marks, and the difference to
        the call on the same deals with low and high; None for a single trump or a pass); and
        ``offers``: for each trump its name, ``even_chance`` (highest bid that makes in half the
        deals or more; None), ``marks`` of each bid, and best ``bid``.

    >>> sample = tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> best = call_of(sample)
    >>> best["trump"], best["bid"], best["marks"]
    ('sixes', 84, 2.0)
    """
    tally = tally_of(sample)
    bids = call_bids(tally.rules)
    made, deals = _of_trumps(tally.trumps, tally.halves)
    cross = cross_fitted(made, deals, bids)
    call = call_of_counts(tally.trumps, tally.counts, tally.rules)
    call["cross_fitted"] = float(cross.marks / cross.deals) if cross.deals else None
    if (second := call["second"]) is not None:
        most = bid_marks(call["bid"]) + bid_marks(second["bid"])
        ahead = mean_interval_of(*_differences(tally, call, second), most)
        second |= zip(DEAL_BY_DEAL, map(_number, ahead), strict=True)
    return call


def _differences(
    tally: HandTally, first: dict[str, Any], second: dict[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Marks that one call wins more than another on the same deal, and in how many deals (A5, S2).

    Both are made, the first only, the second only, or neither.
    """
    trump, other = (tally.trumps.index(Trump(call["trump"])) for call in (first, second))
    bid, lower = (BIDS.index(bid_points(call["bid"])) for call in (first, second))
    both = tally.together[trump, bid, other, lower]
    one, two = tally.together[trump, bid, trump, bid], tally.together[other, lower, other, lower]
    stake, less = bid_marks(first["bid"]), bid_marks(second["bid"])
    marks = [stake - less, stake + less, -stake - less, less - stake]
    return np.array(marks), np.array([both, one - both, two - both, tally.deals - one - two + both])


def call_of_counts(
    trumps: Sequence[Trump], counts: NDArray[np.int64], rules: Rules
) -> dict[str, Any]:
    """What of `call_of` follows from the counts alone, (trumps, 14)."""
    bids = call_bids(rules)
    made, deals = _of_trumps(trumps, counts)
    best = choose(made, deals, bids)
    offers = _offers(trumps, made, deals, bids)
    second = None
    if len(trumps) > 1 and best.bid != PASS:
        others = np.where(np.arange(len(deals)) == best.trump, 0, deals)
        other = choose(made, others, bids)
        trump, bid = str(Trump(int(other.trump))), int(other.offer)
        (marks,) = (offer["marks"][str(bid)] for offer in offers if offer["trump"] == trump)
        second = {"trump": trump, "bid": bid, "marks": marks}
    return {
        "trump": str(Trump(int(best.trump))),
        "bid": None if best.bid == PASS else int(best.bid),
        "marks": float(best.marks / best.deals),
        "cross_fitted": None,
        "second": second,
        "offers": offers,
    }


def _of_trumps(
    trumps: Sequence[Trump], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Deals that make each bid, (9, ..., bids), and deals, (9, ...); none for trumps not solved."""
    every = np.zeros((len(Trump), *counts.shape[1:]), dtype=np.int64)
    every[list(trumps)] = counts
    return made_of(every), every.sum(axis=-1)


def _offers(
    trumps: Sequence[Trump],
    made: NDArray[np.int64],
    deals: NDArray[np.int64],
    bids: Sequence[int],
) -> list[dict[str, Any]]:
    """What each trump offers, as `call_of` describes it."""
    offers = []
    for trump in trumps:
        even = [
            bid for bid, times in zip(BIDS, made[trump], strict=True) if 2 * times >= deals[trump]
        ]
        marks = marks_of(made[trump], deals[trump], bids)
        offers.append(
            {
                "trump": str(trump),
                "even_chance": max(even, default=None),
                "bid": bids[int(marks.argmax())],
                "marks": {
                    str(bid): float(won / deals[trump])
                    for bid, won in zip(bids, marks, strict=True)
                },
            }
        )
    return offers


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
