"""Tables of a run: the rates of each bid, the best call of each hand, and groups of hands.

They are made from the frame of `sim42.runs.frames.load_run` and keep its ``.attrs``.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.errors import RequestError
from sim42.game.trumps import Trump
from sim42.runs.sample import POINTS
from sim42.tables.bid import BIDS, made_of
from sim42.tables.features import FEATURES, hand_features
from sim42.tables.stats import clustered, wilson

THRESHOLDS: Final = (50, 60, 75)
"""Per cent of the deals in which a bid is to be made, for the columns `bid_50` and so on."""
KEYS: Final = ["mask", "hand", "trump", "deals"]
HALVES: Final = ("even", "odd")
CHUNK: Final = 20_000
"""Hands whose counts are spread out at a time."""


def bids_of(frame: pd.DataFrame) -> list[int]:
    """The bids that a run tells apart: from its floor to 42.

    >>> frame = pd.DataFrame()
    >>> frame.attrs["floor"] = 40
    >>> bids_of(frame)
    [40, 41, 42]
    """
    return [bid for bid in BIDS if bid >= frame.attrs["floor"]]


def survey_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Rates of each (hand, trump), and the best calls of the hand.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.

    Returns
    -------
    DataFrame
        Columns `mask`, `hand`, `trump`, `deals`; for each bid from the floor up `rate_30`,
        `low_30`, `high_30` (rate 0..1, and the ends of its 95 % Wilson interval); and the columns
        of `best_calls`, the same in all rows of a hand.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> table = survey_table(frame)
    >>> table.loc[table["trump"] == "sixes", ["rate_42", "best_trump"]].values.tolist()
    [[1.0, 'sixes']]
    """
    bids = bids_of(frame)
    made = made_of(_counts(frame, *HALVES))[:, -len(bids) :]
    deals = frame["deals"].to_numpy()[:, np.newaxis]
    low, high = wilson(made, deals)
    columns = {
        f"{name}_{bid}": values[:, place]
        for place, bid in enumerate(bids)
        for name, values in (("rate", made / deals), ("low", low), ("high", high))
    }
    rates = pd.concat([frame[KEYS], pd.DataFrame(columns, index=frame.index)], axis=1)
    best = best_calls(frame).drop(columns=["hand", "deals"])
    table = rates.merge(best, on="mask", how="left", sort=False)
    table.attrs = frame.attrs
    return table


def best_calls(frame: pd.DataFrame) -> pd.DataFrame:
    """The best call of each hand, and what it is worth when deals that chose it do not rate it.

    The best trump and bid are, as for `sim42 bid`, those with the most expected marks (won less
    given) among the lowest bid, 42 and 84. What was chosen for being best on some deals looks
    better on these than it is: cross-fitted figures are chosen on the even deals and rated on the
    odd, and the reverse, and the mean of both is taken.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.

    Returns
    -------
    DataFrame
        A row a hand, in order:

        - `mask`, `hand`, `deals`
        - `best_trump` (categorical), `best_bid` (30 or the floor, 42 or 84; missing: pass, less
          than nothing is expected), `marks` expected, `cross_marks` the same cross-fitted
        - `best_rate_30` ...: rates of that trump; `cross_30` ...: the same, cross-fitted
        - for 50, 60 and 75 per cent: `bid_50`, the highest bid with any trump that is made so
          often, its trump `trump_50`, its rate `rate_50`, and `cross_50`, the same cross-fitted,
          over the halves of the deals in which there is such a bid. Missing where there is none.

        A cross-fitted figure is missing when the hand has only one deal.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> best_calls(frame)[["best_trump", "best_bid", "cross_marks", "bid_75"]].values.tolist()
    [['sixes', 84, 2.0, 42]]
    """
    bids = bids_of(frame)
    chunks = [_best_calls(made, deals, bids) for made, deals in _by_hand(frame, bids)]
    hands = frame.groupby("mask", sort=False)[["hand", "deals"]].first().reset_index()
    best = pd.concat([hands, pd.concat(chunks, ignore_index=True)], axis=1)
    for name in ("best_trump", *(f"trump_{q}" for q in THRESHOLDS)):
        best[name] = pd.Categorical.from_codes(
            best[name].to_numpy(), frame["trump"].cat.categories, ordered=True
        )
    for name in ("best_bid", *(f"bid_{q}" for q in THRESHOLDS)):
        best[name] = best[name].astype("Int16").mask(best[name] == 0)
    best.attrs = frame.attrs
    return best


def cross_fitted_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of each hand's best trump, chosen on half of the deals and counted on the other half.

    Returns
    -------
    DataFrame
        Columns `mask`, `hand`, `trump`, `deals`, `n_29` ... `n_42` and `chosen_on`: two rows a
        hand, of the trump chosen on the even deals with the counts of the odd, and the reverse. A
        hand with only one deal is left out.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> cross_fitted_rows(frame)[["trump", "deals", "n_42"]].values.tolist()
    [['sixes', 2, 2], ['sixes', 2, 2]]
    """
    bids = bids_of(frame)
    trump = {
        chosen_on: np.concatenate(
            [
                _choose(_rates(made[:, :, half], deals[:, :, half]))[0]
                for made, deals in _by_hand(frame, bids)
            ]
        )
        for half, chosen_on in enumerate(HALVES)
    }
    hand, _ = pd.factorize(frame["mask"])
    parts = []
    for chosen_on, rated_on in (HALVES, HALVES[::-1]):
        rows = frame[frame["trump"].cat.codes.to_numpy() == trump[chosen_on][hand]]
        rows = rows[_counts(rows, chosen_on).any(axis=1) & _counts(rows, rated_on).any(axis=1)]
        counts = pd.DataFrame(_counts(rows, rated_on), rows.index, [f"n_{p}" for p in POINTS])
        part = pd.concat([rows[KEYS], counts], axis=1)
        parts.append(part.assign(deals=counts.sum(axis=1), chosen_on=chosen_on))
    fitted: pd.DataFrame = pd.concat(parts)
    order = pd.factorize(fitted["mask"])[0].argsort(kind="stable")
    rows = fitted.take(order).reset_index(drop=True)
    rows.attrs = frame.attrs
    return rows


def group_table(frame: pd.DataFrame, by: Sequence[str], best: bool = False) -> pd.DataFrame:
    """Rates of groups of hands that look alike under a trump.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.
    by : sequence of str
        What a group has in common: names of `sim42.tables.features.FEATURES`, or "trump".
    best : bool
        Take each hand with its best trump only, chosen and rated on different deals.

    Returns
    -------
    DataFrame
        Columns of `by`; `hands` and `deals`; for each bid from the floor up `rate_30`, `low_30` and
        `high_30`, the ends of a 95 % interval from the spread between hands (`stats.clustered`).
        Groups without a hand are not there.

    Raises
    ------
    RequestError
        When a name is not one of those.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> group_table(frame, ["shape"], best=True)[["shape", "hands", "rate_42"]].values.tolist()
    [['7-0-0', 1, 1.0]]
    """
    known = ("trump", *FEATURES)
    for name in by:
        if name not in known:
            raise RequestError(f"by {name!r}: groups are by {', '.join(known)}")
    if not by or len(set(by)) < len(by):
        raise RequestError(f"by: one or more of {', '.join(known)}, each once")
    bids = bids_of(frame)
    rows = cross_fitted_rows(frame) if best else frame
    counts = _counts(rows, "n") if best else _counts(rows, *HALVES)
    features = hand_features(rows["mask"].to_numpy(), rows["trump"].cat.codes.to_numpy())
    keys = features.assign(trump=rows["trump"].array)[list(by)]
    groups = keys.drop_duplicates().sort_values(list(by), ignore_index=True)
    group = keys.groupby(list(by), observed=True).ngroup().to_numpy()
    made = pd.DataFrame(made_of(counts)[:, -len(bids) :], columns=bids)
    of_hand = made.assign(deals=rows["deals"].to_numpy())
    of_hand = of_hand.groupby([group, rows["mask"].to_numpy()]).sum()
    columns: list[dict[str, Any]] = []
    for _, hands in of_hand.groupby(level=0):
        rate, low, high = clustered(hands[bids].to_numpy(), hands["deals"].to_numpy())
        columns.append({"hands": len(hands), "deals": int(hands["deals"].sum())})
        for place, bid in enumerate(bids):
            columns[-1] |= {
                f"rate_{bid}": rate[place],
                f"low_{bid}": low[place],
                f"high_{bid}": high[place],
            }
    table = pd.concat([groups, pd.DataFrame(columns)], axis=1)
    table.attrs = frame.attrs
    return table


def _counts(frame: pd.DataFrame, *prefixes: str) -> NDArray[np.int64]:
    """Deals at each of `POINTS`, summed over the columns with these prefixes, (rows, 14)."""
    return sum(
        (
            frame[[f"{prefix}_{points}" for points in POINTS]].to_numpy(dtype=np.int64)
            for prefix in prefixes
        ),
        start=np.zeros((len(frame), len(POINTS)), dtype=np.int64),
    )


def _by_hand(
    frame: pd.DataFrame, bids: list[int]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Deals that make each bid, (hands, 9, 2, bids), and deals, (hands, 9, 2), by halves.

    Hands come in the order of the frame, some thousand at a time; a trump that was not solved for a
    hand has no deals.
    """
    hand, hands = pd.factorize(frame["mask"])
    order = np.argsort(hand, kind="stable")
    sorted_hand = hand[order]
    for start in range(0, len(hands), CHUNK):
        first, last = np.searchsorted(sorted_hand, [start, start + CHUNK])
        rows = frame.iloc[order[first:last]]
        counts = np.stack([_counts(rows, half) for half in HALVES], axis=1)
        here = (sorted_hand[first:last] - start, rows["trump"].cat.codes.to_numpy())
        size = min(CHUNK, len(hands) - start)
        made = np.zeros((size, len(Trump), 2, len(bids)), dtype=np.int64)
        deals = np.zeros((size, len(Trump), 2), dtype=np.int64)
        made[here] = made_of(counts)[..., -len(bids) :]
        deals[here] = counts.sum(axis=-1)
        yield made, deals


def _best_calls(made: NDArray[np.int64], deals: NDArray[np.int64], bids: list[int]) -> pd.DataFrame:
    """The columns of `best_calls`; trumps as ids, -1 for none, and bids as numbers, 0 for none."""
    rates = _rates(made.sum(axis=2), deals.sum(axis=2))
    halves = [_rates(made[:, :, half], deals[:, :, half]) for half in range(2)]
    # Deals that rate what each half chose; none where a half has none.
    of_half = deals.max(axis=1)
    rating = np.where(of_half.min(axis=1, keepdims=True) > 0, of_half[:, ::-1], 0)
    hands = np.arange(len(made))
    trump, call = _choose(rates)
    marks = _marks(rates)[hands, trump, call]
    chosen = [_choose(half) for half in halves]
    columns: dict[str, NDArray[Any]] = {
        "best_trump": trump,
        "best_bid": np.where(marks < 0, 0, np.array([bids[0], 42, 84])[call]),
        "marks": marks,
        "cross_marks": _mean(
            [
                _marks(rated)[hands, trump, call]
                for rated, (trump, call) in zip(halves[::-1], chosen, strict=True)
            ],
            rating,
        ),
    }
    cross = [rated[hands, trump] for rated, (trump, _) in zip(halves[::-1], chosen, strict=True)]
    for place, bid in enumerate(bids):
        columns[f"best_rate_{bid}"] = rates[hands, trump, place]
        columns[f"cross_{bid}"] = _mean([rate[:, place] for rate in cross], rating)
    for q in THRESHOLDS:
        trump, nth, found = _highest(rates, q / 100)
        columns[f"bid_{q}"] = np.where(found, np.array(bids)[nth], 0)
        columns[f"trump_{q}"] = np.where(found, trump, -1)
        columns[f"rate_{q}"] = np.where(found, rates[hands, trump, nth], np.nan)
        parts, weights = [], []
        for half in range(2):
            trump, nth, found = _highest(halves[half], q / 100)
            parts.append(halves[1 - half][hands, trump, nth])
            weights.append(np.where(found, rating[:, half], 0))
        columns[f"cross_{q}"] = _mean(parts, np.stack(weights, axis=1))
    return pd.DataFrame(columns)


def _rates(made: NDArray[np.int64], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rates, or -1 where there are no deals, which is worse than never."""
    rates = made / np.maximum(deals, 1)[..., np.newaxis]
    return np.where(deals[..., np.newaxis] > 0, rates, -1.0)


def _marks(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Marks expected when bidding the lowest bid, 42 and 84, along the last axis (A5, S2)."""
    low, high = 2 * rates[..., 0] - 1, 2 * rates[..., -1] - 1
    return np.stack([low, high, 2 * high], axis=-1)


def _choose(rates: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Trump and call (0, 1, 2) with the most marks; then with the most low bids made; the first."""
    marks = _marks(rates).max(axis=-1)
    equal = marks == marks.max(axis=1, keepdims=True)
    trump = np.where(equal, rates[..., 0], -2.0).argmax(axis=1)
    call = _marks(rates)[np.arange(len(rates)), trump].argmax(axis=-1)
    return trump, call


def _highest(
    rates: NDArray[np.float64], rate: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Trump and place of the highest bid made so often; the one made most, then the first trump."""
    bids = rates.shape[-1]
    # Counts are whole numbers, so a rate that equals the threshold may be off by a rounding.
    score = np.where(rates >= rate - 1e-12, np.arange(bids) + rates / 2, -1.0)
    flat = score.reshape(len(rates), -1)
    best = flat.argmax(axis=1)
    return best // bids, best % bids, flat.max(axis=1) >= 0


def _mean(parts: list[NDArray[np.float64]], weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean of two figures a hand, by their deals; nan without deals."""
    total = weights.sum(axis=1)
    mean = (np.stack(parts, axis=1) * weights).sum(axis=1) / np.maximum(total, 1)
    return np.where(total > 0, mean + 0.0, np.nan)  # no negative zero
