"""How often a bid makes when nobody sees the others' hands, told from its double-dummy rate.

For each bid the log-odds of making it in play are a line in the log-odds of making it double dummy,
with a bend where that is nearly certain. The numbers, in ``played_rate.csv``, were fitted by
``scripts/real_play_page.py`` on hands that `PLAYER` played in all four seats; results/real_play.md
tells how well they foretell hands that they were not fitted on. Hands with the same double-dummy
rate are not all as hard to play: the interval is that of one hand, not of the mean of such hands.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError, shown
from sim42.tables.counts import BIDS
from sim42.tables.stats import LEVEL, quantile_of

PLAYER: Final = "pimc:20"
"""Who played in all four seats."""
NUMBERS: Final = Path(__file__).with_name("played_rate.csv")
FITTED: Final = (30, 31, 35, 36, 40, 42)
"""The bids that were played; between them the numbers lie on a line."""
EDGE: Final = 0.5 / 401
"""Rates are taken to be no nearer to 0 and 1: those fitted on were of 400 deals."""
BEND: Final = float(np.log(0.9 / 0.1))
"""Log-odds from which a double-dummy rate is nearly certain."""
TERMS: Final = ("one", "odds", "bend")
VARIANCES: Final = tuple((a, b) for a in range(len(TERMS)) for b in range(a, len(TERMS)))
"""Pairs of terms whose covariances are kept."""
COLUMNS: Final = ("bid", *TERMS, "spread", *(f"{TERMS[a]}*{TERMS[b]}" for a, b in VARIANCES))


class Estimate(NamedTuple):
    """What is estimated of one hand, each 0..1, of the shape that was asked for.

    Attributes
    ----------
    rate : float array
        Chance of making the bid.
    low, high : float arrays
        Between these it lies for 95 % of the hands with such a double-dummy rate.
    """

    rate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def played_rate(seen_rate: ArrayLike, bid: ArrayLike) -> Estimate:
    """Chance that a bid makes when nobody sees the others' hands.

    Parameters
    ----------
    seen_rate : array_like
        Double-dummy rates, 0..1.
    bid : array_like of int
        30 to 42, or marks; broadcast with the rates.

    Returns
    -------
    Estimate

    Raises
    ------
    RequestError
        When a rate or a bid is none.

    >>> estimate = played_rate([0.5, 0.7, 0.9], 30)
    >>> bool((estimate.low < estimate.rate).all() and (estimate.rate < estimate.high).all())
    True
    >>> bool((np.diff(estimate.rate) > 0).all())
    True
    """
    rates = np.asarray(seen_rate, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all():
        raise RequestError(f"rate {shown(seen_rate)}: from 0 to 1")
    asked = np.asarray(bid)
    if asked.dtype.kind not in "iu" or {*np.unique(asked).tolist()} - {*BIDS, 84, 126, 168, 210}:
        raise RequestError(f"bid {shown(bid)}: {BIDS[0]} to {BIDS[-1]}, or marks")
    points = np.minimum(asked, BIDS[-1])
    numbers = _numbers()
    weights, spread = numbers[points - BIDS[0], :3], numbers[points - BIDS[0], 3]
    terms = terms_of(rates)
    odds = (weights * terms).sum(axis=-1)
    variance = spread**2
    for (a, b), column in zip(
        VARIANCES, np.moveaxis(numbers[points - BIDS[0], 4:], -1, 0), strict=True
    ):
        variance = variance + (1 + (a != b)) * column * terms[..., a] * terms[..., b]
    half = quantile_of(LEVEL) * np.sqrt(variance)
    return Estimate(*(1 / (1 + np.exp(-x)) for x in (odds, odds - half, odds + half)))


def terms_of(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The `TERMS` of double-dummy rates (...), as (..., 3).

    >>> terms_of(np.array([0.5, 0.9])).round(3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 2.197, 0.0]]
    """
    inside = rates.clip(EDGE, 1 - EDGE)
    odds = np.log(inside / (1 - inside))
    return np.stack([np.ones_like(odds), odds, np.maximum(odds - BEND, 0)], axis=-1)


@lru_cache(maxsize=1)
def _numbers() -> NDArray[np.float64]:
    """The numbers of each of `BIDS`, (13, columns without the bid)."""
    rows = [line.split(",") for line in NUMBERS.read_text(encoding="utf-8").splitlines()]
    if tuple(rows[0]) != COLUMNS or [int(row[0]) for row in rows[1:]] != list(FITTED):
        raise ValueError(f"{NUMBERS}: made for other terms; run scripts/real_play_page.py")
    fitted = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
    return np.stack([np.interp(BIDS, FITTED, column) for column in fitted.T], axis=1)
