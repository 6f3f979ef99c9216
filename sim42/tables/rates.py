"""Rates of bids with their intervals: from counts alone, or adjusted for what the tiles promise.

How often the intervals hold the truth is measured by ``scripts/coverage.py``.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.runs.adjust import Moments
from sim42.runs.tally import HandTally
from sim42.tables.counts import made_of
from sim42.tables.stats import LEVEL, quantile_of, score

FEW: Final = 5
"""A bid made, or set, in fewer deals is rated by its count alone."""
PLACES: Final = 9
"""Decimals of a rate. The last digits of sums depend on the machine; no figure may."""
PARTS: Final = 10**PLACES
"""An adjusted rate as a whole number is of so many deals."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rates:
    """How often bids make, and how well that is known.

    Attributes
    ----------
    made : int64 (rows, bids)
        Deals that made each bid; a row is a trump, or a lead.
    deals : int
        Deals solved.
    rate : float64 (rows, bids)
        0..1, none higher than that of a lower bid of its row.
    worth : float64 (rows, bids)
        Deals that would say as much if they were only counted.
    """

    made: NDArray[np.int64]
    deals: int
    rate: Floats
    worth: Floats

    @property
    def is_adjusted(self) -> bool:
        """Whether any rate is more than a count."""
        return bool((self.worth != self.deals).any())

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Where a rate is from its count alone: where a bid is hardly ever made, or set."""
        few = np.minimum(self.made, self.deals - self.made) < FEW
        counted: NDArray[np.bool_] = few | (self.worth == self.deals)
        return counted

    def interval(self, level: float = LEVEL) -> tuple[Floats, Floats]:
        """Ends of the intervals around `rate`, (rows, bids) each.

        They are the score intervals of `worth` deals: Wilson's where the rate is only a count.
        """
        low, high = score(self.rate, self.worth, quantile_of(level))
        return _falling(low), _falling(high)

    def whole(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rates as whole numbers, (rows, bids), and of how many, (rows,): no rounding breaks a tie.

        They are numbers of deals, or where rates are adjusted of `PARTS`.
        """
        if not self.is_adjusted:
            return self.made, np.full(len(self.made), self.deals)
        return whole(self.rate), np.full(len(self.made), PARTS)


def whole(rates: Floats) -> NDArray[np.int64]:
    """Rates as numbers of `PARTS`.

    >>> whole(np.array([0.25, 1.0])).tolist()
    [250000000, 1000000000]
    """
    return np.rint(rates * PARTS).astype(np.int64)


def rates_of(made: NDArray[np.int64], deals: int, adjusted: Moments | None = None) -> Rates:
    """Rates of bids, adjusted where moments of adjusted outcomes are given.

    Parameters
    ----------
    made : int64 (rows, bids)
        Deals that made each bid, all of the same deals.
    deals : int
        Deals solved.
    adjusted : Moments, optional
        Of what was made, row by row and bid by bid.

    Returns
    -------
    Rates
        Adjusted rates are unbiased but for what keeps them in order. Where a bid is made, or set,
        in fewer than `FEW` deals, and where the adjusted rate would be no rate, it is the count.

    >>> rates_of(np.array([[3, 0]]), 4).rate.tolist()
    [[0.75, 0.0]]
    """
    rate, worth = made / deals, np.full(made.shape, float(deals))
    if adjusted is not None:
        means = adjusted.means.reshape(made.shape).round(PLACES)
        variances = adjusted.variances().reshape(made.shape)
        few = np.minimum(made, deals - made) < FEW
        better = ~few & (means > 0) & (means < 1) & (variances > 0)
        rate = _falling(np.where(better, means, rate)).round(PLACES)
        spread = np.divide(rate * (1 - rate), variances, out=worth.copy(), where=better)
        worth = np.where(better, spread.round(3), worth)
    return Rates(made, deals, rate, worth)


def hand_rates(tally: HandTally) -> Rates:
    """Rates of a hand, a row a trump."""
    return rates_of(made_of(tally.counts), tally.deals, tally.adjusted)


def difference(
    weights: NDArray[np.generic], rates: Rates, counted: Moments, adjusted: Moments | None
) -> tuple[float, float]:
    """A sum of rates with these weights, and its variance, from the same deals.

    Parameters
    ----------
    weights : array (rows, bids)
        Weights; those of a difference of two calls are the marks that they stake, one less.
    rates : Rates
        The rates.
    counted, adjusted : Moments
        Those that `rates` come from. Where all of these rates are counts, or every deal gives the
        same, the variance is that of what was counted.

    Returns
    -------
    mean, variance : float
        Of a single deal no variance is seen: 0.
    """
    by = np.asarray(weights, dtype=np.float64)
    (variance,) = counted.variances(by.ravel())
    if adjusted is not None and variance and not rates.counted[by != 0].all():
        (variance,) = adjusted.variances(by.ravel())
    return float((by * rates.rate).sum()), float(variance)


def _falling(values: Floats) -> Floats:
    """The middle between the highest below and the lowest above that do not rise with the bid."""
    above = np.maximum.accumulate(values[:, ::-1], axis=1)[:, ::-1]
    below = np.minimum.accumulate(values, axis=1)
    middle: Floats = (above + below) / 2
    return middle
