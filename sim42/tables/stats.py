"""Intervals for rates and differences: what turns counts into honest numbers."""

from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL: Final = 0.95


def quantile_of(level: float) -> float:
    """Standard normal quantile of a two-sided interval; 1.96 for 95 %.

    >>> round(quantile_of(0.95), 2)
    1.96
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wilson score interval of a rate: sound near 0 and 1, where the usual one collapses.

    Parameters
    ----------
    successes, trials : array_like of int
        Counts that broadcast; trials of 1 or more.
    level : float
        Coverage, 0.95 unless said otherwise.

    Returns
    -------
    low, high : float64 arrays
        Ends of the interval, within 0..1; they hold successes / trials.

    >>> low, high = wilson(1000, 1000)
    >>> round(float(low), 4), float(high)
    (0.9962, 1.0)
    """
    hits, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    return _score(hits / n, n, quantile_of(level))


def clustered(
    successes: ArrayLike, trials: ArrayLike, level: float = LEVEL
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Rate over several hands, with an interval that comes from the spread between the hands.

    Deals of one hand resemble each other, so a thousand deals of ten hands tell less about all
    hands than a thousand hands. The variance of the rate is that of a ratio of sums over hands
    (cluster-robust, the hands being the clusters); it says how many independent deals would be as
    uncertain, and the score interval of so many is given, with Student's quantile for the number
    of hands.

    Parameters
    ----------
    successes : int array (hands, ...)
        Deals of each hand that count; one rate for each place of the other axes.
    trials : int array (hands,)
        Deals of each hand, not all of them 0.

    Returns
    -------
    rate, low, high : float64 arrays (...)
        Of a single hand nothing is known of the spread: its interval is 0 to 1.

    >>> rate, low, high = clustered([90, 10, 90, 10], [100, 100, 100, 100])
    >>> round(float(rate), 2), round(float(low), 2), round(float(high), 2)
    (0.5, 0.09, 0.91)
    """
    hits, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    hands, total = len(n), n.sum()
    rate = hits.sum(axis=0) / total
    if hands < 2:
        return rate, np.zeros_like(rate), np.ones_like(rate)
    residual = hits - rate * n.reshape(-1, *[1] * rate.ndim)
    variance = (residual**2).sum(axis=0) * hands / (hands - 1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.fmin(rate * (1 - rate) / variance, total)
    # Where all hands agree on 0 or 1, each is worth one deal: no spread was seen, but may be there.
    worth = np.where((rate == 0) | (rate == 1), hands, worth)
    low, high = _score(rate, worth, student(level, hands - 1))
    return rate, low, high


def student(level: float, freedom: int) -> float:
    """Two-sided quantile of Student's t.

    >>> [round(student(0.95, freedom), 2) for freedom in (1, 2, 10, 1000)]
    [12.71, 4.3, 2.23, 1.96]
    """
    from scipy.special import stdtrit  # a third of a second to import

    return float(stdtrit(freedom, (1 + level) / 2))


def _score(
    rate: NDArray[np.float64], n: NDArray[np.float64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Score interval of a rate seen in `n` independent trials."""
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt((rate * (1 - rate) + z**2 / (4 * n)) / n) / (1 + z**2 / n)
    low = np.where(rate == 0, 0.0, centre - half)
    high = np.where(rate == 1, 1.0, centre + half)
    return low, high


def mean_interval(values: ArrayLike, level: float = LEVEL) -> tuple[float, float, float]:
    """Mean of independent values with the ends of its interval, by Student's t.

    For a comparison on the same deals, give the differences deal by deal: what both share cancels.

    Returns
    -------
    mean, low, high : float
        With a single value the ends are not known and are nan.

    >>> mean_interval([1, 1, 1, 1])
    (1.0, 1.0, 1.0)
    """
    sample = np.asarray(values, dtype=np.float64)
    mean = float(sample.mean())
    if sample.size < 2:
        return mean, float("nan"), float("nan")
    half = student(level, sample.size - 1) * float(sample.std(ddof=1)) / sample.size**0.5
    return mean, mean - half, mean + half


def mean_interval_of(
    values: ArrayLike, times: ArrayLike, level: float = LEVEL
) -> tuple[float, float, float]:
    """`mean_interval` of whole values that came so many times each.

    >>> mean_interval_of([2, 0], [2, 2]) == mean_interval([2, 2, 0, 0])
    True
    """
    each, weights = np.asarray(values, dtype=np.int64), np.asarray(times, dtype=np.int64)
    count, total = int(weights.sum()), int(each @ weights)
    mean = total / count
    if count < 2:
        return mean, float("nan"), float("nan")
    squares = count * int(each**2 @ weights) - total**2  # whole, so nothing cancels
    half = student(level, count - 1) * sqrt(squares / count / (count - 1)) / sqrt(count)
    return mean, mean - half, mean + half


def newcombe(
    successes: ArrayLike,
    trials: ArrayLike,
    other_successes: ArrayLike,
    other_trials: ArrayLike,
    level: float = LEVEL,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interval of the difference of two independent rates, from their Wilson intervals.

    Method 10 of Newcombe (1998).

    >>> low, high = newcombe(56, 70, 48, 80)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0524, 0.3339)
    """
    p, q = np.divide(successes, trials), np.divide(other_successes, other_trials)
    p_low, p_high = wilson(successes, trials, level)
    q_low, q_high = wilson(other_successes, other_trials, level)
    low = p - q - np.sqrt((p - p_low) ** 2 + (q_high - q) ** 2)
    high = p - q + np.sqrt((p_high - p) ** 2 + (q - q_low) ** 2)
    return low, high


def clustered_mean(
    sums: ArrayLike, counts: ArrayLike, level: float = LEVEL
) -> tuple[float, float, float]:
    """Mean of amounts of 0 and more over several hands, with an interval from their spread.

    Parameters
    ----------
    sums, counts : arrays (hands,)
        What the amounts of each hand add up to, and how many there are.
    level : float
        Coverage, 0.95 unless said otherwise.

    Returns
    -------
    mean, low, high : float
        By the variance of a ratio of sums, the hands being the clusters, and Student's quantile.
        Nan is what is not known: the ends with less than two hands or without any spread, and the
        mean of nothing.

    >>> [round(end, 2) for end in clustered_mean([4, 0, 2, 2], [2, 1, 2, 1])]
    [1.33, 0.04, 2.62]
    """
    amounts, n = np.asarray(sums, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    hands, total = len(n), n.sum()
    if not total:
        return float("nan"), float("nan"), float("nan")
    mean = float(amounts.sum() / total)
    spread = float(((amounts - mean * n) ** 2).sum())
    if hands < 2 or not spread:
        return mean, float("nan"), float("nan")
    half = student(level, hands - 1) * sqrt(spread * hands / (hands - 1)) / float(total)
    return mean, max(mean - half, 0.0), mean + half
