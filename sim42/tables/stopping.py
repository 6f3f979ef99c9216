"""How many deals a hand takes: a number, or as many as make its figures as sure as was asked.

Two things can be asked, and one looks at them after numbers of deals that are fixed beforehand
(`sim42.runs.looks`).

- Precision: are the intervals narrow enough? One stops for the width, which says next to nothing of
  where a rate lies, so an interval at that moment is as good as any other (Chow and Robbins, 1965,
  for large samples; ``scripts/coverage.py`` measures it).
- Which trump is best? Here one stops for where the estimates lie, and with every look there is a
  new chance to be wrong. The chance that is allowed is shared out evenly among the looks and among
  the bids that could be mistaken for the best (Bonferroni), so the whole procedure names a wrong
  trump no more often than was asked, however often it looks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import numpy as np

from sim42.errors import RequestError, shown, whole
from sim42.game.trumps import Trump
from sim42.runs.looks import looks
from sim42.runs.sample import MOST_DEALS
from sim42.runs.tally import HandTally
from sim42.tables.advice import best_of
from sim42.tables.call import call_bids
from sim42.tables.rates import Rates, hand_rates
from sim42.tables.recommend import best_offers, call_from, difference_in_marks
from sim42.tables.stats import LEVEL, quantile_of

PRECISION: Final = 2.0
"""Percentage points that are asked for when nothing is: some seconds of work."""
LEAST_PRECISION, MOST_PRECISION = 0.1, 20.0
MOST_UNTIL_SURE: Final = 20_000
"""Deals after which it is left open which call is best, unless a number is given."""
LEAST_SURE, MOST_SURE = 50.0, 99.9
ROWS: Final = 2
"""Trumps whose every bid is to be so precise: the best ones."""


@dataclass(frozen=True)
class Wanted:
    """How many deals to solve.

    Attributes
    ----------
    deals : int
        So many, or at most so many.
    precision : float or None
        Percentage points: half-width of the 95 % intervals of the two best trumps.
    until_sure : float or None
        Per cent: how sure it is to be that no bid with another trump is worth more marks.
    """

    deals: int
    precision: float | None = None
    until_sure: float | None = None

    @property
    def until(self) -> Callable[[HandTally], bool] | None:
        """What a look asks; None when there is nothing to look for."""
        return self.reached if self.precision or self.until_sure else None

    def reached(self, tally: HandTally) -> bool:
        """Whether the figures are as sure as was asked."""
        return (self.precision is None or half_width(tally) <= self.precision / 100 + 1e-12) and (
            self.until_sure is None or self._is_sure(tally)
        )

    def facts(self, tally: HandTally) -> dict[str, Any] | None:
        """What was asked, and whether it was reached; None for a mere number of deals."""
        if self.until is None:
            return None
        named = {"precision": self.precision, "until_sure": self.until_sure}
        told = {name: value for name, value in named.items() if value is not None}
        return {**told, "at_most": self.deals, "reached": self.reached(tally)}

    def _is_sure(self, tally: HandTally) -> bool:
        """Whether the best bid is worth more marks than any with another trump."""
        assert self.until_sure is not None
        rates = hand_rates(tally)
        best = best_of(_call(tally, rates))
        rivals = [
            {"trump": str(trump), "bid": bid}
            for trump in tally.trumps
            if trump != Trump(best["trump"])
            for bid in call_bids(tally.rules)
        ]
        share = (1 - self.until_sure / 100) / len(looks(self.deals)) / max(len(rivals), 1)
        return all(
            difference_in_marks(tally, rates, best, rival, 1 - share)[1] > 0 for rival in rivals
        )


def _call(tally: HandTally, rates: Rates) -> dict[str, Any]:
    """The call so far, in marks."""
    return call_from(tally.trumps, *rates.whole(), tally.rules)


def half_width(tally: HandTally) -> float:
    """The widest half-width of the intervals of the two best trumps, as a rate."""
    rates = hand_rates(tally)
    best = best_offers(_call(tally, rates)["offers"], ROWS)
    rows = [tally.trumps.index(trump) for trump in best]
    low, high = rates.interval()
    return float((high - low)[rows].max() / 2)


def settle(
    deals: int | None = None, precision: float | None = None, until_sure: float | None = None
) -> Wanted:
    """How many deals to solve: what is asked for, or `PRECISION` when nothing is.

    Parameters
    ----------
    deals : int, optional
        So many; with `precision` or `until_sure`, at most so many.
    precision : float, optional
        Percentage points, 0.1 to 20.
    until_sure : float, optional
        Per cent, 50 to 99.9.

    Raises
    ------
    RequestError
        When a number is out of range.

    >>> settle(500)
    Wanted(deals=500, precision=None, until_sure=None)
    >>> settle()
    Wanted(deals=2398, precision=2.0, until_sure=None)
    """
    if deals is None and precision is None and until_sure is None:
        precision = PRECISION
    if precision is not None:
        precision = _within(precision, "precision", LEAST_PRECISION, MOST_PRECISION)
    if until_sure is not None:
        until_sure = _within(until_sure, "until_sure", LEAST_SURE, MOST_SURE)
    if deals is not None:
        most = whole(deals, "deals", 1, MOST_DEALS)
    else:
        enough = 0 if precision is None else _enough(precision)
        most = max(enough, 0 if until_sure is None else MOST_UNTIL_SURE)
    return Wanted(most, precision, until_sure)


def _enough(precision: float) -> int:
    """Deals after which any rate is known so precisely by counting alone."""
    quantile = quantile_of(LEVEL)
    return max(1, ceil((50 * quantile / precision) ** 2 - quantile**2))


def _within(value: object, what: str, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise RequestError(f"{what} {shown(value)}: a number from {least:g} to {most:g}")
    if not least <= float(value) <= most:  # nan too
        raise RequestError(f"{what} {shown(value)}: from {least:g} to {most:g}")
    return float(value)
