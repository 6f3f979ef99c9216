"""Intervals for rates and differences: what turns counts into honest numbers."""

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
    z2 = quantile_of(level) ** 2
    centre = (hits + z2 / 2) / (n + z2)
    half = np.sqrt(z2 * (hits * (n - hits) / n + z2 / 4)) / (n + z2)
    low = np.where(hits == 0, 0.0, centre - half)
    high = np.where(hits == n, 1.0, centre + half)
    return low, high


def mean_interval(values: ArrayLike, level: float = LEVEL) -> tuple[float, float, float]:
    """Mean of independent values with the ends of its normal interval.

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
    half = quantile_of(level) * float(sample.std(ddof=1)) / sample.size**0.5
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
