"""Groups of hands that look alike under a trump, and how often they make each bid."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from sim42.errors import RequestError
from sim42.tables.best import best_trumps
from sim42.tables.counts import HALVES, bids_of, counts_of, made_of
from sim42.tables.features import FEATURES, hand_features
from sim42.tables.stats import clustered


def group_table(frame: pd.DataFrame, by: Sequence[str], best: bool = False) -> pd.DataFrame:
    """Rates of groups of hands that look alike under a trump.

    What a hand looks like under a pip trump, under doubles and in follow me are three things, so
    groups are always of one kind of trump.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.
    by : sequence of str
        What a group has in common: names of `sim42.tables.features.FEATURES`, or "trump". Without
        "trump" or "kind" among them, "kind" is put before them.
    best : bool
        Take each hand with its best trump only, chosen and rated on different deals.

    Returns
    -------
    DataFrame
        Columns of `by`; `hands` and `deals`; for each bid from the floor up `rate_30`, `low_30` and
        `high_30`, the ends of a 95 % interval from the spread between hands (`stats.clustered`).
        ``.attrs`` as in the frame, and `best`.
        Groups without a hand are not there. A hand is in all groups that its trumps are in; with
        `best`, in two when its halves choose trumps of two groups, in each with the deals that
        rate.

    Raises
    ------
    RequestError
        When a name is not one of those, or no hand has the two deals that `best` needs.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> table = group_table(frame, ["shape"], best=True)
    >>> table[["kind", "shape", "hands", "rate_42"]].values.tolist()
    [['pip', '7-0-0', 1, 1.0]]
    """
    names = _checked(by)
    bids = bids_of(frame)
    if best:
        rows = best_trumps(frame)
        made = rows[[f"made_{bid}" for bid in bids]].set_axis(bids, axis=1)
    else:
        rows = frame
        made = pd.DataFrame(made_of(counts_of(rows, *HALVES))[:, -len(bids) :], columns=bids)
    features = hand_features(rows["mask"].to_numpy(), rows["trump"].cat.codes.to_numpy())
    keys = features.assign(trump=rows["trump"].array)[names]
    groups = keys.drop_duplicates().sort_values(names, ignore_index=True)
    group = keys.groupby(names, observed=True).ngroup().to_numpy()
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
    table.attrs = {**frame.attrs, "best": best}
    return table


def _checked(by: Sequence[str]) -> list[str]:
    known = ("trump", *FEATURES)
    for name in by:
        if name not in known:
            raise RequestError(f"by {name!r:.60}: groups are by {', '.join(known)}")
    if not by or len(set(by)) < len(by):
        raise RequestError(f"by: one or more of {', '.join(known)}, each once")
    return list(by) if {"trump", "kind"} & set(by) else ["kind", *by]
