"""Intervals that come from the spread of what was seen: of means, differences, and rates of hands.

They are made for few observations too; how often they hold the truth is measured by
``scripts/coverage_groups.py``.
"""

from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.tables.stats import LEVEL, score, student

LIKENESS: Final = 0.15
"""Share of the variance of outcomes that lies between hands (intra-class correlation), as seen in
surveys: what is assumed of the spread as long as few hands tell it."""
PRIOR: Final = 4
"""Degrees of freedom that the assumed spread is worth."""
USUAL_POINTS: Final = 10.0
"""Standard deviation of points from deal to deal, and of differences of points, as usually seen."""
USUAL_RATES: Final = 0.15
"""The same of differences of rates, from hand to hand."""


def difference_interval(
    mean: float, variance: float, n: int, most: float, level: float = LEVEL
) -> tuple[float, float]:
    """Interval of a mean of paired differences that holds when few or none of them differ.

    Two more deals are imagined, one that differs as much as can be either way (for the difference
    of two rates that is the method of Bonett and Price, 2012), and Student's quantile is taken. So
    the interval never has width 0, and it lies a little nearer to 0 than the mean.

    Parameters
    ----------
    mean : float
        Mean of the differences seen.
    variance : float
        Variance of that mean, as of the differences over `n` (less one in the divisor).
    n : int
        How many differences, 1 or more.
    most : float
        The largest difference there can be.
    level : float
        Coverage.

    Returns
    -------
    low, high : float
        Within -most..most.

    >>> low, high = difference_interval(0.0, 0.0, 20, most=2.0)  # the same in all of 20 deals
    >>> round(low, 2), round(high, 2)
    (-0.27, 0.27)
    """
    squares = n * (n - 1) * variance + n * mean**2 + 2 * most**2
    centre = n * mean / (n + 2)
    half = student(level, n + 1) * sqrt(squares / (n + 2) - centre**2) / sqrt(n + 2)
    return float(max(centre - half, -most)), float(min(centre + half, most))


def student_interval(
    values: ArrayLike, usual: float, least: float, most: float, level: float = LEVEL
) -> tuple[float, float, float]:
    """Mean of independent values of many sizes, with the ends of its interval by Student's t.

    The spread that such values usually have is weighed in with `PRIOR`, so that a few values
    that happen to be alike do not look sure.

    Parameters
    ----------
    values : array_like
        One or more; of differences, deal by deal or hand by hand, what both share cancels.
    usual : float
        Their usual standard deviation.
    least, most : float
        The bounds of their mean.
    level : float
        Coverage.

    Returns
    -------
    mean, low, high : float
        Within the bounds.

    >>> [round(figure, 1) for figure in student_interval([42, 42, 42, 42], USUAL_POINTS, 0, 42)]
    [42.0, 32.3, 42.0]
    """
    sample = np.asarray(values, dtype=np.float64)
    n, mean = sample.size, float(sample.mean())
    squares = float(((sample - mean) ** 2).sum())
    variance = (squares + PRIOR * usual**2) / (n - 1 + PRIOR) / n
    half = student(level, n - 1 + PRIOR / 2) * sqrt(variance)
    return mean, float(max(mean - half, least)), float(min(mean + half, most))


def mean_interval(
    values: ArrayLike, least: float, most: float, level: float = LEVEL
) -> tuple[float, float, float]:
    """Mean of independent values within bounds, with the ends of its interval.

    For values of few sizes, as outcomes and their differences: as for `difference_interval`, one
    more value at each bound is imagined. Values of many sizes have `student_interval`.

    Parameters
    ----------
    values : array_like
        One or more.
    least, most : float
        The bounds: 0 and 1 for outcomes, -1 and 1 for their differences.
    level : float
        Coverage.

    Returns
    -------
    mean, low, high : float
        Within the bounds.

    >>> [round(figure, 2) for figure in mean_interval([1, 1, 1, 1], 0, 1)]
    [1.0, 0.44, 1.0]
    """
    sample, middle = np.asarray(values, dtype=np.float64), (least + most) / 2
    mean, n = float(sample.mean()), sample.size
    variance = float(sample.var(ddof=1)) / n if n > 1 else 0.0
    low, high = difference_interval(mean - middle, variance, n, (most - least) / 2, level)
    return mean, middle + low, middle + high


def mean_interval_of(
    values: ArrayLike, times: ArrayLike, most: float, level: float = LEVEL
) -> tuple[float, float, float]:
    """`mean_interval`, from -most to most, of whole values that came so many times each.

    >>> mean_interval_of([2, 0], [2, 2], 2) == mean_interval([2, 2, 0, 0], -2, 2)
    True
    """
    each, weights = np.asarray(values, dtype=np.int64), np.asarray(times, dtype=np.int64)
    n, total = int(weights.sum()), int(each @ weights)
    squares = n * int(each**2 @ weights) - total**2  # whole, so nothing cancels
    variance = squares / n / (n - 1) / n if n > 1 else 0.0
    return total / n, *difference_interval(total / n, variance, n, most, level)


def clustered(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Rate over several hands, with an interval that comes from the spread between the hands.

    Deals of one hand resemble each other, so a thousand deals of ten hands tell less about all
    hands than a thousand hands. The variance of the rate is that of a ratio of sums over hands
    (cluster-robust, each residual set right for its own part in the rate). Few hands, or a few with
    most of the deals, do not tell it well: its degrees of freedom are Satterthwaite's, and the
    spread that hands usually have (`LIKENESS`) is weighed in with `PRIOR`. The variance says
    how many independent deals would be as uncertain, and the score interval of so many is given,
    with Student's quantile.

    Parameters
    ----------
    successes : array (hands, ...)
        Deals of each hand that count; one rate for each place of the other axes.
    trials : int array (hands,)
        Deals of each hand, not all of them 0; hands without any are left out.
    level : float
        Coverage.

    Returns
    -------
    rate, low, high : float64 arrays (...)
        Of a single hand nothing is known of the spread: its interval is 0 to 1.

    >>> rate, low, high = clustered([90, 10, 90, 10], [100, 100, 100, 100])
    >>> round(float(rate), 2), round(float(low), 2), round(float(high), 2)
    (0.5, 0.17, 0.83)
    """
    hits, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    hits, n = hits[n > 0], n[n > 0]
    rate = np.asarray(hits.sum(axis=0) / n.sum())
    if len(n) < 2:
        return rate, np.zeros_like(rate), np.ones_like(rate)
    share = n / n.sum()
    seen = _spread(hits, n)
    assumed = rate * (1 - rate) * (share**2 * _usual(n)).sum()
    both = (seen.freedom * seen.variance + PRIOR * assumed) / (seen.freedom + PRIOR)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.fmin(rate * (1 - rate) / both, n.sum())
    # Where all hands agree on 0 or 1, each is worth one deal: no spread was seen, but may be there.
    worth = np.where((rate <= 0) | (rate >= 1), 1 / (share**2).sum(), worth)
    low, high = score(rate, worth, student(level, seen.freedom + PRIOR / 2))
    return rate, low, high


def clustered_mean(
    sums: ArrayLike, counts: ArrayLike, level: float = LEVEL, least: float = 0.0
) -> tuple[float, float, float]:
    """Mean of amounts over several hands, with an interval from their spread.

    Parameters
    ----------
    sums, counts : arrays (hands,)
        What the amounts of each hand add up to, and how many there are.
    level : float
        Coverage, 0.95 unless said otherwise.
    least : float
        The least that an amount can be.

    Returns
    -------
    mean, low, high : float
        As for `clustered`, but nothing is assumed of the spread. Nan is what is not known: the ends
        with less than two hands or without any spread, and the mean of nothing.

    >>> [round(end, 2) for end in clustered_mean([4, 0, 2, 2], [2, 1, 2, 1])]
    [1.33, 0.0, 2.78]
    """
    amounts, n = np.asarray(sums, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    amounts, n = amounts[n > 0], n[n > 0]
    if not n.sum():
        return float("nan"), float("nan"), float("nan")
    mean = float(amounts.sum() / n.sum())
    seen = _spread(amounts, n) if len(n) > 1 else None
    if seen is None or not seen.variance:
        return mean, float("nan"), float("nan")
    half = student(level, seen.freedom) * sqrt(seen.variance)
    return mean, max(mean - half, least), mean + half


class _Spread(NamedTuple):
    """Variance of a ratio of sums over hands, and how many degrees of freedom it has."""

    variance: NDArray[np.float64]
    freedom: float


def _usual(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Variance of the rate of a hand with n deals, as a part of that of one deal."""
    return LIKENESS + (1 - LIKENESS) / n


def _spread(sums: NDArray[np.float64], n: NDArray[np.float64]) -> _Spread:
    """Spread of the mean of two or more hands, whose deals are `n` and add to `sums` (hands, ...).

    The variance is y'By for the means y of the hands, B = (I - s 1') W (I - 1 s') with shares s and
    weights W; where hand i varies by u_i, its degrees of freedom are (tr BU)^2 / tr BUBU.
    """
    s, u = n / n.sum(), _usual(n)
    each = (sums.T / n).T
    w = s**2 / (1 - s)
    variance = np.tensordot(w, (each - np.tensordot(s, each, axes=(0, 0))) ** 2, axes=(0, 0))
    k = w.sum()
    diagonal = w - 2 * w * s + k * s**2
    p, q, r = (u * w**2).sum(), (u * s**2).sum(), (u * s * w).sum()
    squares = (u**2 * (w**2 + 2 * w * (diagonal - w))).sum() + 2 * p * q + k**2 * q**2 + 2 * r**2
    squares -= 4 * k * r * q
    return _Spread(variance, float((u * diagonal).sum() ** 2 / squares))
