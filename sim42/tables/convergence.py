"""How sure an estimate is: what it is after more and more deals, or hands, with its interval."""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.errors import RequestError, check_kind, whole
from sim42.game.trumps import Trump
from sim42.runs.frames import check_run
from sim42.runs.sample import HandSample
from sim42.runs.tally import tally_of
from sim42.tables.best import cross_fitted_rates
from sim42.tables.counts import BIDS, bids_of
from sim42.tables.rates import hand_rates
from sim42.tables.spread import clustered
from sim42.tables.words import ADJUSTED, PLAIN, method_words

STEPS: Final = (1, 2, 5)
"""Convergence is looked at after these numbers of deals times powers of ten, and after all."""


def running_bid(
    sample: HandSample, bid: int = 30, trump: Trump | str | None = None, *, plain: bool = False
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
    plain : bool
        Whether deals are only counted.

    Returns
    -------
    DataFrame
        Columns n, rate, low, high; ``.attrs`` what, unit, hand, seed, rules, method.

    Raises
    ------
    RequestError
        When there is no such bid, or the trump was not solved.

    >>> from sim42.runs.sample import sample_hand
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> running_bid(sample, 42)[["n", "rate"]].to_numpy().tolist()
    [[10.0, 1.0], [20.0, 1.0]]
    """
    check_kind(sample, "sample", HandSample, "what sample_hand returns")
    made = sample.points >= check_bid(bid)
    if trump is None:
        column = int(made.sum(axis=0).argmax())
    elif (chosen := Trump(trump)) in sample.trumps:
        column = sample.trumps.index(chosen)
    else:
        raise RequestError(f"trump {chosen}: was not solved")
    frame = _running(made[:, column])
    estimate, place = PLAIN, BIDS.index(bid)
    for row, n in enumerate(frame["n"]):
        points = sample.points[:n, [column]]
        part = replace(sample, trumps=(sample.trumps[column],), points=points)
        rates = hand_rates(tally_of(part, plain=plain))
        estimate = ADJUSTED if rates.is_adjusted else PLAIN
        figures = (rates.rate, *rates.interval())
        frame.loc[row, ["rate", "low", "high"]] = [figure[0, place] for figure in figures]
    frame.attrs = {
        "what": f"bid {bid} with {sample.trumps[column]} as trump",
        "unit": "deal",
        "hand": str(sample.hand),
        "seed": sample.seed,
        "rules": sample.rules.as_dict(),
        "given": None if sample.given is None else sample.given.text,
        "method": method_words(estimate),
    }
    return frame


def running_run(run: pd.DataFrame, bid: int = 30) -> pd.DataFrame:
    """Mean rate of one bid over the first 10, 20, 50, ... hands of a survey, with its interval.

    Each hand plays its best trump, cross-fitted.

    Parameters
    ----------
    run : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.
    bid : int
        30 to 42, not below the floor of the run.

    Returns
    -------
    DataFrame
        As `running_bid`.

    Raises
    ------
    RequestError
        When there is no such bid, or no hand has two deals.

    >>> from sim42 import Study, run_study
    >>> running_run(run_study(Study(hands=12, deals=2, seed=1, trumps=["fives"])))["n"].tolist()
    [10, 12]
    """
    check_run(run)
    if check_bid(bid) not in bids_of(run):
        raise RequestError(f"bid {bid}: the run does not tell bids below {bids_of(run)[0]} apart")
    hands = cross_fitted_rates(run, [bid])
    values, deals = hands[f"cross_{bid}"].to_numpy(), hands["deals"].to_numpy()
    frame = _running(values)
    ends = [clustered(values[:n] * deals[:n], deals[:n]) for n in frame["n"]]
    frame["rate"], frame["low"], frame["high"] = np.transpose(ends)
    frame.attrs = {
        "what": f"bid {bid} with the best trump",
        "unit": "hand",
        **{name: run.attrs[name] for name in ("seed", "rules", "selection")},
        "given": run.attrs.get("given"),
        "method": "spread between hands",
    }
    return frame


def _running(values: NDArray[np.generic]) -> pd.DataFrame:
    total = len(values)
    steps = {step * 10**power for power in range(19) for step in STEPS}
    least = 10 if total >= 10 else 1
    marks = sorted({n for n in steps if least <= n <= total} | {total})
    means = np.cumsum(values, dtype=np.float64)[np.array(marks) - 1] / marks
    return pd.DataFrame({"n": marks, "rate": means})


def check_bid(bid: int) -> int:
    """The bid, if tables have it.

    Raises
    ------
    RequestError
        When it is not one of 30 to 42.

    >>> check_bid(30)
    30
    """
    return whole(bid, "bid", BIDS[0], BIDS[-1])
