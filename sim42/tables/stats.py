"""Intervals for rates and differences: what turns counts into honest numbers."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

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
    return score(hits / n, n, quantile_of(level))


def student(level: float, freedom: float) -> float:
    """Two-sided quantile of Student's t.

    >>> [round(student(0.95, freedom), 2) for freedom in (1, 2, 10, 1000)]
    [12.71, 4.3, 2.23, 1.96]
    """
    from scipy.special import stdtrit  # a third of a second to import

    return float(stdtrit(freedom, (1 + level) / 2))


def score(
    rate: NDArray[np.float64], n: NDArray[np.float64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Score interval of a rate seen in `n` independent trials."""
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt((rate * (1 - rate) + z**2 / (4 * n)) / n) / (1 + z**2 / n)
    low = np.where(rate == 0, 0.0, centre - half)
    high = np.where(rate == 1, 1.0, centre + half)
    return low, high


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
    return difference_of(
        (p, *wilson(successes, trials, level)), (q, *wilson(other_successes, other_trials, level))
    )


def difference_of(
    first: Sequence[Any], second: Sequence[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Interval of the difference of two independent figures, each given with its own interval.

    >>> low, high = difference_of((0.5, 0.2, 0.9), (0.4, 0.4, 0.4))
    >>> round(float(low), 2), round(float(high), 2)
    (-0.2, 0.5)
    """
    (p, p_low, p_high), (q, q_low, q_high) = (
        np.asarray(figures, dtype=np.float64) for figures in (first, second)
    )
    low = p - q - np.sqrt((p - p_low) ** 2 + (q_high - q) ** 2)
    high = p - q + np.sqrt((p_high - p) ** 2 + (q - q_low) ** 2)
    return low, high
