"""What a hand is worth in play, estimated: the chances of its bids, and the call that follows.

Double-dummy rates are what the solver tells; `sim42.tables.played_rate` turns them into chances of
players who see only their own hand. What passing is worth is told in the same way: the others bid
by their own chances in play, and make what they bid as often as these say.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import PASS, Rules, bid_marks, bid_points
from sim42.game.trumps import Trump
from sim42.tables.advice import best_of
from sim42.tables.counts import BIDS
from sim42.tables.passing import NO_PASS, OPENED, Contracts, Passing, contracts_after
from sim42.tables.played_rate import PLAYER, Estimate, played_rate
from sim42.tables.rates import PARTS, PLACES, whole
from sim42.tables.recommend import ENDS, call_from
from sim42.tables.spread import mean_interval

COLUMNS: Final = ("in_play", "in_play_low", "in_play_high")
"""What tables call the parts of an `Estimate`."""


def estimates_of(rates: NDArray[np.float64], bids: Sequence[int] = BIDS) -> Estimate:
    """Chances in play from double-dummy rates (..., bids), none higher than that of a lower bid.

    >>> estimates = estimates_of(np.array([[0.9, 0.9]]), [31, 35])
    >>> bool((np.diff(estimates.rate) <= 0).all())
    True
    """
    parts = (np.minimum.accumulate(part, axis=-1) for part in played_rate(rates, bids))
    return Estimate(*(part.round(PLACES) for part in parts))


def smoothed(made: NDArray[np.int64], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rates to estimate from: with half a deal more made, and set, as few deals tell no certainty.

    >>> smoothed(np.array([12]), np.array([12])).round(3).tolist()
    [0.962]
    """
    rates: NDArray[np.float64] = (made + 0.5) / (deals + 1)
    return rates


def columns_of(
    rates: NDArray[np.float64], bids: Sequence[int], names: Sequence[str] = COLUMNS
) -> dict[str, NDArray[np.float64]]:
    """Estimates of a table's rows, (rows, bids), as columns ``in_play_30``, ``in_play_low_30``...

    >>> list(columns_of(np.array([[0.5, 0.4]]), [36, 42], ["play"]))
    ['play_36', 'play_42']
    """
    estimates = estimates_of(rates, bids)
    return {
        f"{name}_{bid}": part[:, place]
        for place, bid in enumerate(bids)
        for name, part in zip(names, estimates, strict=False)
    }


def in_play(
    trumps: Sequence[Trump], rates: NDArray[np.float64], rules: Rules, passing: Passing = NO_PASS
) -> dict[str, Any]:
    """The chances of a hand in play, and the call that is best by them.

    Parameters
    ----------
    trumps : sequence of Trump
        Those that were solved.
    rates : float64 (trumps, 13)
        Double-dummy rates of `BIDS`.
    rules : Rules
        Rules of the auction.
    passing : Passing
        What passing is worth in play, as `passing_in_play` tells it.

    Returns
    -------
    dict
        ``player``, whose play is estimated; ``chances``, for each trump by name the chance of each
        bid with the low and high of an `Estimate`; ``call``, as of
        `sim42.tables.recommend.call_from` and in marks, with ``low`` and ``high``: between these
        its best bid is worth for 95 % of the hands with such double-dummy rates. None of a game to
        points, as chances of bids do not tell what is scored.

    >>> told = in_play([Trump.SIXES], np.full((1, 13), 0.8), Rules())
    >>> told["call"]["trump"], told["call"]["bid"], sorted(told)
    ('sixes', 30, ['call', 'chances', 'player'])
    """
    estimates = estimates_of(rates)
    chances = np.stack(estimates, axis=-1).tolist()
    by_trump = dict(zip(map(str, trumps), chances, strict=True))
    call = None
    if rules.scoring == "marks":
        deals = np.full(len(trumps), PARTS)
        call = call_from(trumps, whole(estimates.rate), deals, rules, passing)
        call["opened"] = _opened(passing, rules, call)
        best = best_of(call)
        _, *ends = by_trump[best["trump"]][BIDS.index(bid_points(best["bid"]))]
        stake = bid_marks(best["bid"])
        call |= {name: stake * (2 * end - 1) for name, end in zip(ENDS, ends, strict=True)}
    return {"player": PLAYER, "chances": by_trump, "call": call}


def passing_in_play(passing: Passing, rules: Rules) -> Passing:
    """What passing is worth in play, on the deals on which it was measured double dummy.

    A worth that was only named, or that the rules tell, stays.

    >>> passing_in_play(Passing(-0.4), Rules()).value
    -0.4
    """
    if passing.measured is None or rules.scoring != "marks":
        return passing
    chances = estimates_of(passing.measured.chances).rate
    contracts = contracts_after(chances, rules)
    scores = _scores(contracts, chances)
    value, low, high = mean_interval(scores, -_most(contracts), _most(contracts))
    measured = passing.measured._replace(contracts=contracts, chances=chances)
    return replace(passing, value=value, low=low, high=high, measured=measured)


def _opened(passing: Passing, rules: Rules, call: dict[str, Any]) -> dict[str, float] | None:
    """What a bid is worth in play where the others may bid over it, as `Passing.opened` says."""
    if passing.measured is None or call["bid"] is None:
        return None
    chances = passing.measured.chances
    contracts = contracts_after(chances, rules, int(Trump(call["trump"])), call["bid"])
    holds = contracts.declarer == 0
    scores = np.where(holds, call["marks"], _scores(contracts, chances))
    figures = mean_interval(scores, -_most(contracts), _most(contracts))
    return dict(zip(OPENED, (*figures, float(holds.mean())), strict=True))


def _scores(contracts: Contracts, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Marks expected for the side of seat 0 of what each deal is played for; 0 where it declares.

    Chances are those of the seats after it, (n, seats, 9, 13).
    """
    scores = np.zeros(len(chances))
    for seat in range(1, chances.shape[1] + 1):
        here = (contracts.declarer == seat) & (contracts.bid != PASS)
        bids = contracts.bid[here]
        places = np.minimum(bids, BIDS[-1]) - BIDS[0]
        chance = chances[here, seat - 1, contracts.trump[here], places]
        side = 1 if seat % 2 == 0 else -1
        scores[here] = side * np.maximum(bids // BIDS[-1], 1) * (2 * chance - 1)
    return scores


def _most(contracts: Contracts) -> float:
    """The most marks that any of these contracts stakes."""
    return float(max(bid_marks(bid) for bid in (*contracts.bid.tolist(), BIDS[0])))
