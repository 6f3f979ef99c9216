"""Counts to deals that make each bid: of one sample, or of a run's frame hand by hand."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.trumps import Trump
from sim42.runs.sample import BIDS as BIDS
from sim42.runs.sample import FLOOR, folded, points_told

if TYPE_CHECKING:  # what counts one hand does without the time that pandas takes to import
    import pandas as pd

HALVES: Final = ("even", "odd")
"""The halves of a hand's deals, by their number, that choose for each other."""
CHUNK: Final = 20_000
"""Hands whose counts are spread out at a time."""


def bids_of(frame: "pd.DataFrame") -> list[int]:
    """The bids that a run tells apart: from its floor to 42.

    >>> import pandas as pd
    >>> frame = pd.DataFrame()
    >>> frame.attrs["floor"] = 40
    >>> bids_of(frame)
    [40, 41, 42]
    """
    return [bid for bid in BIDS if bid >= frame.attrs["floor"]]


def made_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deals that make each of `BIDS`, from counts at each of `POINTS` along the last axis.

    >>> made_of(np.array([[3] + [0] * 12 + [2]]))[0, [0, -1]].tolist()
    [2, 2]
    """
    at_least = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]
    return at_least[..., 1:]


def counts_of(frame: "pd.DataFrame", *prefixes: str) -> NDArray[np.int64]:
    """Deals at each of `POINTS`, summed over the columns with these prefixes, (rows, 14)."""
    return folded(all_counts_of(frame, *prefixes))


def all_counts_of(frame: "pd.DataFrame", *prefixes: str) -> NDArray[np.int64]:
    """The same at all points that the frame tells apart, (rows, 14) or (rows, 43)."""
    told = points_told(0 if f"{prefixes[0]}_0" in frame else FLOOR)
    return sum(
        (
            frame[[f"{prefix}_{points}" for points in told]].to_numpy(dtype=np.int64)
            for prefix in prefixes
        ),
        start=np.zeros((len(frame), len(told)), dtype=np.int64),
    )


def is_full(frame: "pd.DataFrame") -> bool:
    """Whether a run tells all points apart, so that there are means."""
    return bool(frame.attrs["floor"] == 0)


def moments_of(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of the points, from counts at 0 to 42 along the last axis.

    The deviation is that of the deals (n - 1); of a single deal there is none.

    >>> mean, sd = moments_of(np.bincount([10, 20], minlength=43))
    >>> float(mean), round(float(sd), 3)
    (15.0, 7.071)
    """
    points = np.arange(counts.shape[-1])
    deals = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = counts @ points / deals
        square = (counts * (points - mean[..., np.newaxis]) ** 2).sum(axis=-1)
        deviation = np.sqrt(square / (deals - 1))
    return mean, deviation


class Counted(NamedTuple):
    """What some hands were counted at, by halves of their deals.

    Attributes
    ----------
    made : int array (hands, 9, 2, bids)
        Deals that make each bid.
    deals : int array (hands, 9, 2)
        Deals; none of a trump that was not solved for a hand.
    full : int array (hands, 9, 2, 43) or None
        Deals at each number of points, where all are told apart.
    """

    made: NDArray[np.int64]
    deals: NDArray[np.int64]
    full: NDArray[np.int64] | None


def by_hand(frame: "pd.DataFrame", bids: list[int]) -> Iterator[Counted]:
    """Counts of the hands in the order of the frame, some thousand at a time."""
    import pandas as pd

    hand, hands = pd.factorize(frame["mask"])
    order = np.argsort(hand, kind="stable")
    sorted_hand = hand[order]
    for start in range(0, len(hands), CHUNK):
        first, last = np.searchsorted(sorted_hand, [start, start + CHUNK])
        rows = frame.iloc[order[first:last]]
        told = np.stack([all_counts_of(rows, half) for half in HALVES], axis=1)
        here = (sorted_hand[first:last] - start, rows["trump"].cat.codes.to_numpy())
        size = min(CHUNK, len(hands) - start)
        counts = np.zeros((size, len(Trump), *told.shape[1:]), dtype=np.int64)
        counts[here] = told
        made = made_of(folded(counts))[..., -len(bids) :]
        yield Counted(made, counts.sum(axis=-1), counts if is_full(frame) else None)
