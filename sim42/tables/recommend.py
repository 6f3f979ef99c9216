"""The call that a sample of one hand recommends, beside what each trump offers."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import PASS, Rules, bid_marks, bid_points
from sim42.game.trumps import Trump
from sim42.runs.sample import HandSample
from sim42.runs.tally import HandTally, tally_of
from sim42.tables.call import call_bids, choose, cross_fitted, marks_of
from sim42.tables.counts import BIDS, made_of
from sim42.tables.rates import PARTS, PLACES, difference, hand_rates, whole
from sim42.tables.spread import difference_interval

DEAL_BY_DEAL: Final = ("difference", "low", "high")
"""What the second best call is compared by; counts alone do not tell it."""


def call_of(sample: HandSample | HandTally, *, plain: bool = False) -> dict[str, Any]:
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
    tally = tally_of(sample, plain=plain)
    bids = call_bids(tally.rules)
    rates = hand_rates(tally)
    cross = cross_fitted(*_of_trumps(tally.trumps, *_halves(tally)), bids)
    call = call_from(tally.trumps, *rates.whole(), tally.rules)
    call["cross_fitted"] = float(cross.marks / cross.deals) if cross.deals else None
    if (second := call["second"]) is not None:
        weights = _stakes(tally.trumps, call) - _stakes(tally.trumps, second)
        mean, variance = difference(weights, rates, tally.counted, tally.adjusted)
        # The marks of a call that is set are lost, whatever the rate: 2 stakes times it, less one.
        stakes = bid_marks(call["bid"]), bid_marks(second["bid"])
        mean = round(mean + stakes[1] - stakes[0], PLACES)
        ends = difference_interval(mean, variance, tally.deals, most=sum(stakes))
        second |= zip(DEAL_BY_DEAL, (mean, *(round(end, PLACES) for end in ends)), strict=True)
    return call


def _stakes(trumps: Sequence[Trump], call: dict[str, Any]) -> NDArray[np.int64]:
    """What the rate of each bid adds to the marks of a call, (trumps, bids) (A5, S2)."""
    stakes = np.zeros((len(trumps), len(BIDS)), dtype=np.int64)
    place = BIDS.index(bid_points(call["bid"]))
    stakes[list(trumps).index(Trump(call["trump"])), place] = 2 * bid_marks(call["bid"])
    return stakes


def _halves(tally: HandTally) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rates on even and on odd deals as whole numbers: made (trumps, 2, bids), of (trumps, 2)."""
    if tally.adjusted is None:
        return made_of(tally.halves), tally.halves.sum(axis=-1)
    means = tally.adjusted.sums / tally.adjusted.deals[:, np.newaxis]
    made = whole(means.reshape(2, len(tally.trumps), len(BIDS)).swapaxes(0, 1))
    return made, np.full(made.shape[:-1], PARTS)


def call_from(
    trumps: Sequence[Trump],
    made: NDArray[np.int64],
    deals: NDArray[np.int64],
    rules: Rules,
) -> dict[str, Any]:
    """What of `call_of` follows from the rates alone: made (trumps, bids), of so many (trumps,)."""
    bids = call_bids(rules)
    made, deals = _of_trumps(trumps, made, deals)
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
    trumps: Sequence[Trump], made: NDArray[np.int64], deals: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same with a row for each of the nine trumps; no deals for those that were not solved."""
    every = tuple(np.zeros((len(Trump), *part.shape[1:]), dtype=np.int64) for part in (made, deals))
    for whole_of, part in zip(every, (made, deals), strict=True):
        whole_of[list(trumps)] = part
    return every[0], every[1]


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
