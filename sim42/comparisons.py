"""How sure the figures are: estimates that settle with more deals, and differences of two.

Each function makes the small frame that a chart of the same name draws.
"""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError
from sim42.simulate import HandSample
from sim42.stats import mean_interval, newcombe, wilson
from sim42.tables import BIDS
from sim42.trumps import Trump

STEPS: Final = (1, 2, 5)
"""Convergence is looked at after these numbers of deals times powers of ten, and after all."""


def running_bid(
    sample: HandSample, bid: int = 30, trump: Trump | str | None = None
) -> pd.DataFrame:
    """Rate of one bid after the first 10, 20, 50, 100, ... deals of a sample, with its interval.

    Parameters
    ----------
    sample : HandSample
        The solved deals.
    bid : int
        30 to 42.
    trump : Trump or str, optional
        The one that makes the bid most often when None.

    Returns
    -------
    DataFrame
        Columns n, rate, low, high (Wilson); ``.attrs`` what, unit, hand, seed, method.

    Raises
    ------
    RequestError
        When there is no such bid, or the trump was not solved.

    >>> from sim42.simulate import sample_hand
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> running_bid(sample, 42)[["n", "rate"]].to_numpy().tolist()
    [[10.0, 1.0], [20.0, 1.0]]
    """
    made = sample.points >= check_bid(bid)
    if trump is None:
        column = int(made.sum(axis=0).argmax())
    elif (chosen := Trump(trump)) in sample.trumps:
        column = sample.trumps.index(chosen)
    else:
        raise RequestError(f"trump {chosen}: was not solved")
    frame = _running(made[:, column])
    frame["low"], frame["high"] = wilson((frame["rate"] * frame["n"]).round(), frame["n"])
    frame.attrs = {
        "what": f"bid {bid} with {sample.trumps[column]} as trump",
        "unit": "deals",
        "hand": str(sample.hand),
        "seed": sample.seed,
        "method": "Wilson",
    }
    return frame


def running_mean(values: ArrayLike, what: str, seed: int) -> pd.DataFrame:
    """Mean over the first 10, 20, 50, ... hands of a survey, with the interval of their spread.

    Parameters
    ----------
    values : float (hands,)
        A figure of each hand, in the order of the hands.
    what : str
        What is averaged.
    seed : int
        Seed of the survey.

    Returns
    -------
    DataFrame
        As `running_bid`; a single hand has no interval (nan).

    >>> running_mean([0.5] * 12, "bid 30", 1)["n"].tolist()
    [10, 12]
    """
    sample = np.asarray(values, dtype=np.float64)
    frame = _running(sample)
    ends = [mean_interval(sample[:n])[1:] for n in frame["n"]]
    frame["low"], frame["high"] = np.transpose(ends)
    frame.attrs = {"what": what, "unit": "hands", "seed": seed, "method": "spread between hands"}
    return frame


def _running(values: NDArray[np.generic]) -> pd.DataFrame:
    total = len(values)
    steps = {step * 10**power for power in range(19) for step in STEPS}
    least = 10 if total >= 10 else 1
    marks = sorted({n for n in steps if least <= n <= total} | {total})
    means = np.cumsum(values, dtype=np.float64)[np.array(marks) - 1] / marks
    return pd.DataFrame({"n": marks, "rate": means})


def compare_hands(
    first: pd.DataFrame,
    second: pd.DataFrame,
    first_trump: Trump | str | None = None,
    second_trump: Trump | str | None = None,
) -> pd.DataFrame:
    """Chance of every bid with two hands, each with one trump, and the difference.

    The deals around two hands have nothing to do with each other, so the interval of the difference
    is Newcombe's for independent rates.

    Parameters
    ----------
    first, second : DataFrame
        As `sim42.tables.bid_rows` gives them.
    first_trump, second_trump : Trump or str, optional
        The recommended ones when None.

    Returns
    -------
    DataFrame
        A row a bid: columns bid; first, first_low, first_high and the same of second; difference
        (first less second), low, high. ``.attrs`` title, subtitle, names, hands and note.
    """
    frame = pd.DataFrame({"bid": BIDS})
    made: list[pd.Series] = []
    names = []
    for side, rows, trump in (("first", first, first_trump), ("second", second, second_trump)):
        name = chosen_trump(rows, trump)
        part = rows[rows["trump"] == name].reset_index(drop=True)
        frame[side], frame[f"{side}_low"], frame[f"{side}_high"] = (
            part[column] for column in ("rate", "low", "high")
        )
        made.append(part["made"])
        names.append(f"{name} trump with {rows.attrs['hand']}")
    frame["difference"] = frame["first"] - frame["second"]
    n = (first.attrs["deals"], second.attrs["deals"])
    frame["low"], frame["high"] = newcombe(made[0], n[0], made[1], n[1])
    frame.attrs = {
        "title": "Two hands: how often the bidder's side takes at least the bid",
        "subtitle": "Each with one trump, the bidder leading",
        "names": names,
        "hands": [first.attrs["hand"], second.attrs["hand"]],
        "note": (
            f"{n[0]:,} and {n[1]:,} random deals, seeds {first.attrs['seed']} and "
            f"{second.attrs['seed']}; 95 % intervals, Wilson and for the difference Newcombe "
            "(deals of two hands are independent)."
        ),
    }
    return frame


def chosen_trump(rows: pd.DataFrame, trump: Trump | str | None = None) -> str:
    """Name of the trump asked for, or of the one recommended, in the rows of a bid.

    Raises
    ------
    RequestError
        When the rows hold no such trump.
    """
    names = [str(name) for name in rows["trump"].unique()]
    name = str(rows.attrs["calls"]["trump"] if trump is None else Trump(trump))
    if name not in names:
        raise RequestError(f"trump {name}: was not solved; there are {', '.join(names)}")
    return name


def check_bid(bid: int) -> int:
    """The bid, if tables have it.

    Raises
    ------
    RequestError
        When it is not one of 30 to 42.

    >>> check_bid(30)
    30
    """
    if bid not in BIDS:
        raise RequestError(f"bid {bid}: one of {BIDS[0]} to {BIDS[-1]}")
    return bid
