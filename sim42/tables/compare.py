"""How sure the figures are: estimates that settle with more deals, and differences of two.

Each function makes the small frame that a chart of the same name draws.
"""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.errors import RequestError
from sim42.game.trumps import Trump
from sim42.runs.sample import POINTS, HandSample
from sim42.tables.bid import BIDS, made_of
from sim42.tables.hands import best_calls, bids_of, cross_fitted_rows
from sim42.tables.stats import mean_interval, newcombe, wilson

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

    >>> from sim42.runs.sample import sample_hand
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
        As `running_bid`; a single hand has no interval (nan).

    Raises
    ------
    RequestError
        When there is no such bid, or no hand has two deals.

    >>> from sim42 import Study, run_study
    >>> running_run(run_study(Study(hands=12, deals=2, seed=1, trumps=["fives"])))["n"].tolist()
    [10, 12]
    """
    if check_bid(bid) not in bids_of(run):
        raise RequestError(f"bid {bid}: the run does not tell bids below {bids_of(run)[0]} apart")
    values = cross_fitted_rates(run, [bid])[f"cross_{bid}"].to_numpy()
    frame = _running(values)
    ends = [mean_interval(values[:n])[1:] for n in frame["n"]]
    frame["low"], frame["high"] = np.transpose(ends)
    frame.attrs = {
        "what": f"bid {bid} with the best trump",
        "unit": "hands",
        "seed": run.attrs["seed"],
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
        As `sim42.tables.bid.bid_rows` gives them.
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


def best_trumps(run: pd.DataFrame) -> pd.DataFrame:
    """The best and the second best trump of each hand, rated on deals that did not choose them.

    Parameters
    ----------
    run : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.

    Returns
    -------
    DataFrame
        Two rows a hand, of the trumps chosen on its even deals and rated on its odd ones, and the
        reverse: mask, trump, chosen_on, deals; rate of each bid, as `rate_30`; second (a trump;
        missing where only one was solved) and `second_30` ....

    Raises
    ------
    RequestError
        When no hand has two deals.
    """
    bids = bids_of(run)
    best = cross_fitted_rows(run)
    if best.empty:
        raise RequestError("cross-fitted figures need hands with two deals or more")
    key = ["mask", "chosen_on"]
    seconds = [best.iloc[:0]]
    for half in ("even", "odd"):
        taken = best.loc[best["chosen_on"] == half, ["mask", "trump"]]
        rest = run.merge(taken.assign(taken=True), on=["mask", "trump"], how="left", sort=False)
        rest = rest[rest["taken"].isna()].drop(columns="taken")
        rest.attrs = run.attrs
        if not rest.empty:
            fitted = cross_fitted_rows(rest)
            seconds.append(fitted[fitted["chosen_on"] == half])
    second = _with_rates(pd.concat(seconds), bids, "second")[
        [*key, "trump", *(f"second_{bid}" for bid in bids)]
    ].rename(columns={"trump": "second"})
    table = _with_rates(best, bids, "rate").merge(second, on=key, how="left", sort=False)
    table.attrs = run.attrs
    return table


def highest_bids(best: pd.DataFrame, chance: float) -> pd.Series:
    """The highest bid that each row of `best_trumps` makes so often; 0 for none."""
    bids = [int(name.removeprefix("rate_")) for name in best.columns if name.startswith("rate_")]
    often = best[[f"rate_{bid}" for bid in bids]].to_numpy() >= chance - 1e-12
    highest = np.where(often.any(axis=1), bids[-1] - often[:, ::-1].argmax(axis=1), 0)
    return pd.Series(highest, index=best.index)


def share_of_hands(best: pd.DataFrame, chosen: pd.Series) -> tuple[float, float, float]:
    """Share of hands for which something is so, with its interval; a half of a hand counts half."""
    return mean_interval(chosen.astype(float).groupby(best["mask"]).mean())


def _with_rates(fitted: pd.DataFrame, bids: list[int], name: str) -> pd.DataFrame:
    counts = fitted[[f"n_{points}" for points in POINTS]].to_numpy()
    rates = made_of(counts)[:, -len(bids) :] / fitted[["deals"]].to_numpy()
    columns = [f"{name}_{bid}" for bid in bids]
    kept = fitted[["mask", "trump", "chosen_on", "deals"]]
    return pd.concat([kept, pd.DataFrame(rates, kept.index, columns)], axis=1)


def compare_runs(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Mean chance of every bid over the hands of two surveys, and the difference.

    Each hand plays its best trump, cross-fitted. Hands that are in both surveys are compared one by
    one (paired); when there are none, the means of all hands are.

    Parameters
    ----------
    first, second : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.

    Returns
    -------
    DataFrame
        As `compare_hands`.
    """
    bids = sorted({*bids_of(first)} & {*bids_of(second)})
    columns = [f"cross_{bid}" for bid in bids]
    one, other = (cross_fitted_rates(run, bids) for run in (first, second))
    shared = one.index.intersection(other.index)
    if paired := len(shared) > 0:
        one, other = one.loc[shared], other.loc[shared]
    rows = []
    for bid, column in zip(bids, columns, strict=True):
        a, b = mean_interval(one[column]), mean_interval(other[column])
        if paired:
            difference = mean_interval(one[column] - other[column])
        else:
            half = float(np.hypot(a[2] - a[0], b[2] - b[0]))
            difference = (a[0] - b[0], a[0] - b[0] - half, a[0] - b[0] + half)
        rows.append((bid, *a, *b, *difference))
    sides = [f"{side}{end}" for side in ("first", "second") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=["bid", *sides, "difference", "low", "high"])
    hands = f"{len(shared):,} hands in both" if paired else f"{len(one):,} and {len(other):,} hands"
    pairing = "hand by hand" if paired else "of two independent means"
    frame.attrs = {
        "title": "Two surveys: how often the bidder's side takes at least the bid",
        "subtitle": "Mean of hands, each with its best trump, the bidder leading",
        "names": [
            f"{place} survey, {seed_words(run.attrs['seed'])}, {run.attrs['deals']} deals a hand"
            for place, run in (("first", first), ("second", second))
        ],
        "hands": [],
        "note": (
            f"{hands}; 95 % intervals from the spread between hands, the difference {pairing}. "
            "Trumps chosen on half the deals of a hand and rated on the other half."
        ),
    }
    return frame


def cross_fitted_rates(run: pd.DataFrame, bids: list[int]) -> pd.DataFrame:
    """Rates of each hand's best trump, `cross_30` ..., a row a mask."""
    rates = best_calls(run).set_index("mask")[[f"cross_{bid}" for bid in bids]].dropna()
    if rates.empty:
        raise RequestError("cross-fitted figures need hands with two deals or more")
    return rates


def seed_words(seed: int | list[int]) -> str:
    """A seed, or those of runs that were added, in words.

    >>> seed_words(42), seed_words([1, 2])
    ('seed 42', 'seeds 1, 2')
    """
    if isinstance(seed, list) and len(seed) > 1:
        return f"seeds {', '.join(map(str, seed))}"
    return f"seed {seed[0] if isinstance(seed, list) else seed}"
