"""The call that a sample of one hand recommends, beside what each trump offers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import PASS, Rules, bid_marks, bid_points
from sim42.game.trumps import Trump
from sim42.runs.sample import HandSample, folded
from sim42.runs.tally import HandTally, tally_of
from sim42.tables.advice import best_of
from sim42.tables.call import (
    MUST_BID,
    call_bids,
    choose,
    cross_fitted,
    good_to,
    scores_of,
    unit_of,
    worth_of,
)
from sim42.tables.counts import BIDS, made_of
from sim42.tables.passing import NO_PASS, Passing, deals_of, paired, scores_of_call
from sim42.tables.rates import PARTS, PLACES, Rates, difference, hand_rates, whole
from sim42.tables.spread import difference_interval, mean_interval_of
from sim42.tables.stats import LEVEL

DEAL_BY_DEAL: Final = ("difference", "low", "high")
"""What the second best call is compared by; counts alone do not tell it."""
ENDS: Final = ("low", "high")


def call_of(
    sample: HandSample | HandTally,
    passing: Passing = NO_PASS,
    threads: int | None = None,
    *,
    plain: bool = False,
) -> dict[str, Any]:
    """The call that a sample recommends, and what each trump offers.

    It is that of `sim42.tables.call.choose`: the bid among 30, 42 and 84, as far as the rules allow
    them, with the most expected marks (won less given), or points where the game is to points and
    all points are told apart; a pass where that is less than passing is worth. What was chosen for
    being best on some deals looks better on these than it is (the winner's curse): ``cross_fitted``
    is the mean of marks when the call is chosen on the even deals and rated on the odd, and the
    reverse.

    Returns
    -------
    dict
        - ``trump``, the best; ``bid`` (None: pass); ``marks`` a deal, of a pass what passing is
          worth; ``unit`` of these and all others: marks, or points
        - ``good_to``: the highest bid up to 42 that is worth no less than passing (None); and
          ``further``: the trump with which it is higher, if one is
        - ``passing``: as `sim42.tables.passing.Passing.as_dict` has it
        - ``ahead``: ``difference`` of the best bid to passing, with ``low`` and ``high``, from the
          same deals where passing was measured; None where there is no passing
        - ``opened``: what the bid is worth where the others may bid over it, where passing was
          measured: ``value``, ``low``, ``high``, and ``holds``, the share of deals in which nobody
          does (None); all else takes it that the bid holds
        - ``cross_fitted`` (None of a single deal)
        - ``second``, the second best trump: trump, bid, marks, and the difference to the call on
          the same deals with low and high; None for a single trump or a pass
        - ``offers``: for each trump its name, ``even_chance`` (highest bid that makes in half the
          deals or more; None), ``good_to``, ``marks`` of each bid, and best ``bid``.

    >>> from sim42.runs.tally import tally_hand
    >>> sample = tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> best = call_of(sample)
    >>> best["trump"], best["bid"], best["marks"]
    ('sixes', 84, 2.0)
    """
    tally = tally_of(sample, plain=plain)
    bids = call_bids(tally.rules)
    rates = hand_rates(tally)
    made, deals, worth = _halves(tally, bids)
    cross = cross_fitted(made, deals, bids, worth, passing.value)
    call = call_from(tally.trumps, *rates.whole(), tally.rules, passing, tally.full)
    call["cross_fitted"] = float(cross.marks / cross.deals) if cross.deals else None
    if (ahead := call["ahead"]) is not None:
        ends = _ahead(tally, rates, call, passing, threads)
        ahead |= {name: round(end, PLACES) for name, end in zip(ENDS, ends, strict=True)}
    if call["bid"] is not None:
        call["opened"] = passing.opened(call["trump"], call["bid"], tally.rules, threads)
    if (second := call["second"]) is not None:
        found = _difference(tally, rates, call, second, threads)
        second |= {name: round(f, PLACES) for name, f in zip(DEAL_BY_DEAL, found, strict=True)}
    return call


def _difference(
    tally: HandTally,
    rates: Rates,
    first: dict[str, Any],
    second: dict[str, Any],
    threads: int | None,
) -> tuple[float, float, float]:
    """How much more one call is worth than another on the same deals, with its interval."""
    if first["unit"] == "points":
        given = None if tally.given is None else tally.given.text
        deals = deals_of(tally.hand, tally.deals, tally.seed, tally.rules, given, threads)
        one, other = (
            scores_of_call(deals, call["trump"], call["bid"], tally.rules, threads)
            for call in (first, second)
        )
        return paired(one, other, tally.rules)
    return difference_in_marks(tally, rates, first, second)


def difference_in_marks(
    tally: HandTally,
    rates: Rates,
    first: dict[str, Any],
    second: dict[str, Any],
    level: float = LEVEL,
) -> tuple[float, float, float]:
    """How many marks one trump and bid are worth more than another, with the ends of its interval.

    >>> from sim42.runs.tally import tally_hand
    >>> tally = tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=["sixes"])
    >>> low, high = ({"trump": "sixes", "bid": bid} for bid in (30, 84))
    >>> round(difference_in_marks(tally, hand_rates(tally), high, low)[0], 6)
    1.0
    """
    weights = stakes_of(tally.trumps, first) - stakes_of(tally.trumps, second)
    mean, variance = difference(weights, rates, tally.counted, tally.adjusted)
    # The marks of a call that is set are lost, whatever the rate: 2 stakes times it, less one.
    stakes = bid_marks(first["bid"]), bid_marks(second["bid"])
    mean = round(mean + stakes[1] - stakes[0], PLACES)
    return mean, *difference_interval(mean, variance, tally.deals, sum(stakes), level)


def _ahead(
    tally: HandTally, rates: Rates, call: dict[str, Any], passing: Passing, threads: int | None
) -> tuple[float, float]:
    """Ends of the interval of what the best bid is worth more than passing.

    They come from the deals on which passing was measured, set around the difference that is shown:
    more deals, or better rates, may have told what the bid is worth.
    """
    best, shown = best_of(call), call["ahead"]["difference"]
    if passing.measured is not None:
        deals, scores = passing.measured.deals, passing.measured.scores
        won = scores_of_call(deals, best["trump"], best["bid"], tally.rules, threads)
        mean, low, high = paired(won, scores, tally.rules)
        return low - mean + shown, high - mean + shown
    place = tally.trumps.index(Trump(best["trump"]))
    if call["unit"] == "marks":
        stake, bid = bid_marks(best["bid"]), BIDS.index(bid_points(best["bid"]))
        low, high = (stake * (2 * float(ends[place, bid]) - 1) for ends in rates.interval())
    else:
        assert tally.full is not None
        worth = scores_of([best["bid"]], tally.rules)[:, 0]
        _, low, high = mean_interval_of(worth, tally.full[place], int(abs(worth).max()))
    return low - passing.value, high - passing.value


def best_offers(offers: Sequence[dict[str, Any]], count: int) -> list[Trump]:
    """The trumps that offer the most marks, the best first.

    >>> best_offers([{"trump": "ones", "marks": {"30": -1.0}},
    ...              {"trump": "sixes", "marks": {"30": 0.5, "42": -1.0}}], count=2)
    [<Trump.SIXES: 6>, <Trump.ONES: 1>]
    """
    best = sorted(offers, key=lambda offer: -max(offer["marks"].values()))
    return [Trump(offer["trump"]) for offer in best[:count]]


def stakes_of(trumps: Sequence[Trump], call: dict[str, Any]) -> NDArray[np.float64]:
    """What the rate of each bid adds to the marks of a call, (trumps, bids) (A5, S2)."""
    stakes = np.zeros((len(trumps), len(BIDS)))
    place = BIDS.index(bid_points(call["bid"]))
    stakes[list(trumps).index(Trump(call["trump"])), place] = 2 * bid_marks(call["bid"])
    return stakes


def _halves(
    tally: HandTally, bids: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rates on even and on odd deals as whole numbers, for nine trumps, and the worth of bids.

    They are made (9, 2, 13), of (9, 2), and worth (9, 2, bids).
    """
    full = tally.full_halves
    if full is not None and unit_of(tally.rules, full) == "points":
        made, deals = _counted(full)  # points are counted: nothing adjusts them
    elif tally.adjusted is None:
        made, deals = _counted(tally.halves)
    else:
        means = tally.adjusted.sums / tally.adjusted.deals[:, np.newaxis]
        made = whole(means.reshape(2, len(tally.trumps), len(BIDS)).swapaxes(0, 1))
        deals = np.full(made.shape[:-1], PARTS)
    made, deals = spread_out(tally.trumps, made), spread_out(tally.trumps, deals)
    every = None if full is None else spread_out(tally.trumps, full)
    return made, deals, worth_of(made, deals, bids, tally.rules, every)


def _counted(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Deals that make each bid, and deals, of counts at 30 to 42 or all points."""
    return made_of(folded(counts)), counts.sum(axis=-1)


def call_from(
    trumps: Sequence[Trump],
    made: NDArray[np.int64],
    deals: NDArray[np.int64],
    rules: Rules,
    passing: Passing = NO_PASS,
    full: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """The call that follows from rates and from what passing is worth, and what each trump offers.

    Parameters
    ----------
    trumps : sequence of Trump
        The trumps solved.
    made : int64 (trumps, 13)
        Deals that make each of `sim42.tables.counts.BIDS`.
    deals : int64 (trumps,)
        Deals with each trump.
    rules : Rules
        Rules of the auction and the score.
    passing : Passing
        What passing is worth.
    full : int64 (trumps, 43), optional
        Deals at each number of points, without which a game to points is called in marks.

    Returns
    -------
    dict
        See `call_of`; of what needs more than these counts there is nothing.

    >>> from sim42.tables.advice import call_words
    >>> made = np.array([[70] * 6 + [40] * 7, [60] * 8 + [50] * 5])
    >>> call = call_from([Trump.FOURS, Trump.FOLLOW_ME], made, np.array([100, 100]), Rules())
    >>> ", ".join(call_words(call))
    'open 30 in fours, good up to 35 (42 in follow-me), 84: no, against passing: +0.40'
    """
    bids = call_bids(rules)
    if full is not None and unit_of(rules, full) == "points":
        made, deals = _counted(full)
    made, deals = spread_out(trumps, made), spread_out(trumps, deals)
    counts = None if full is None else spread_out(trumps, full)
    ladder, each = (worth_of(made, deals, some, rules, counts) for some in (BIDS, bids))
    best = choose(made, deals, bids, each, passing.value)
    must = passing.value == MUST_BID
    reach = good_to(ladder, deals, passing.value) * (not must)
    offers = [
        {
            "trump": str(trump),
            "even_chance": _even_chance(made[trump], deals[trump]),
            "good_to": int(reach[trump]) or None,
            "bid": bids[int(each[trump].argmax())],
            "marks": {
                str(bid): float(won / deals[trump])
                for bid, won in zip(bids, each[trump], strict=True)
            },
        }
        for trump in trumps
    ]
    further = max(trumps, key=lambda trump: (int(reach[trump]), *ladder[trump, ::-1].tolist()))
    second = None
    if len(trumps) > 1 and best.bid != PASS:
        others = np.where(np.arange(len(deals)) == best.trump, 0, deals)
        other = choose(made, others, bids, each)
        second = {"trump": str(Trump(int(other.trump))), "bid": int(other.offer)}
        second["marks"] = worth_in(offers, second)
    call = {
        "trump": str(Trump(int(best.trump))),
        "bid": None if best.bid == PASS else int(best.bid),
        "marks": float(best.marks / best.deals),
        "unit": unit_of(rules, counts),
        "good_to": int(reach[best.trump]) or None,
        "further": str(further) if reach[further] > reach[best.trump] else None,
        "passing": passing.as_dict(),
        "ahead": None,
        "opened": None,
        "cross_fitted": None,
        "second": second,
        "offers": offers,
    }
    if not must:
        call["ahead"] = {"difference": worth_in(offers, best_of(call)) - passing.value}
    return call


def worth_in(offers: Sequence[Mapping[str, Any]], call: Mapping[str, Any]) -> float:
    """What a trump and bid are worth, of what each trump offers."""
    (worth,) = (
        offer["marks"][str(call["bid"])] for offer in offers if offer["trump"] == call["trump"]
    )
    return float(worth)


def spread_out(trumps: Sequence[Trump], part: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same with a row for each of the nine trumps; nothing for those that were not solved."""
    every = np.zeros((len(Trump), *part.shape[1:]), dtype=np.int64)
    every[list(trumps)] = part
    return every


def _even_chance(made: NDArray[np.int64], deals: np.int64) -> int | None:
    often = (bid for bid, times in zip(BIDS, made, strict=True) if 2 * times >= deals)
    return max(often, default=None)
