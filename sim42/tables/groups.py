"""Groups of hands that look alike under a trump, and how often they make each bid."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.deals.conditions.parse import is_truth, parse
from sim42.deals.conditions.tree import calls_of
from sim42.deals.conditions.values import is_costly, values_of
from sim42.errors import ConditionError, RequestError, at, check_kind, shown
from sim42.game.trumps import Trump
from sim42.runs.frames import KEYS, check_run
from sim42.runs.shards import COUNT_COLUMNS, FULL_COLUMNS, GAMES, PLAYED_COLUMNS
from sim42.tables.best import best_trumps
from sim42.tables.counts import (
    HALVES,
    all_counts_of,
    bids_of,
    counts_of,
    is_full,
    made_of,
    moments_of,
)
from sim42.tables.features import FEATURES, hand_features
from sim42.tables.in_play import COLUMNS, estimates_of, smoothed
from sim42.tables.played import FIGURES, played_bids
from sim42.tables.spread import clustered, clustered_mean
from sim42.tables.stats import LEVEL

Of_Hands = Callable[[NDArray[np.int64], NDArray[np.int64]], Any]
"""From masks of hands and trump ids, (n,) each, to what each hand has in common with others."""


def group_table(
    frame: pd.DataFrame,
    by: Sequence[str | Of_Hands],
    best: bool = False,
    simultaneous: bool = False,
) -> pd.DataFrame:
    """Rates of groups of hands that look alike under a trump.

    What a hand looks like under a pip trump, under doubles and in follow me are three things, so
    groups are always of one kind of trump.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.
    by : sequence of str or functions
        What a group has in common: "trump"; a name of `sim42.tables.features.FEATURES`; a column
        of one's own in the frame; a text of the language of conditions about ``me``, a number or a
        condition, as ``"has(me, 5-5)"``, where ``trumps(me)`` is of the row's trump; or a function
        from masks of hands and trump ids, (n,) each, to an array (n,), whose name is the column's.
        Without "trump" or "kind" among them, "kind" is put before them.
    best : bool
        Take each hand with its best trump only, chosen and rated on different deals.
    simultaneous : bool
        Make the intervals of the rates, and of those in play, so wide that in 95 of 100 such tables
        all of them hold (Bonferroni), not each alone in 95 of 100.

    Returns
    -------
    DataFrame
        Columns of `by`; `hands` and `deals`; for each bid from the floor up `rate_30`, `low_30` and
        `high_30`, the ends of a 95 % interval from the spread between hands (`spread.clustered`);
        `in_play_30`, `in_play_low_30`, `in_play_high_30`, the mean of the chances in play that are
        estimated of these hands (`sim42.tables.in_play`), with such an interval of the mean.
        Of a run of floor 0, unless `best`, also `mean`, `mean_low`, `mean_high` and `sd` of the
        points; where bids were played, `games` (deals) and the names of
        `sim42.tables.played.FIGURES` for each, as `played_rate_30`. ``.attrs`` as in the frame, and
        `best`.
        Groups without a hand are not there. A hand is in all groups that its trumps are in; with
        `best`, in two when its halves choose trumps of two groups, in each with the deals that
        rate.

    Raises
    ------
    RequestError
        When a name is not one of those, or no hand has the two deals that `best` needs.
    ConditionError
        When a text cannot be read; says the column, and shows it with a caret.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> table = group_table(frame, ["shape"], best=True)
    >>> table[["kind", "shape", "hands", "rate_42"]].values.tolist()
    [['pip', '7-0-0', 1, 1.0]]
    """
    check_run(frame)
    check_kind(best, "best", (bool, np.bool_), "True or False")
    asked = _checked(by, frame)
    bids = bids_of(frame)
    if best:
        rows = best_trumps(frame)
        made = rows[[f"made_{bid}" for bid in bids]].set_axis(bids, axis=1)
    else:
        rows = frame
        made = pd.DataFrame(made_of(counts_of(rows, *HALVES))[:, -len(bids) :], columns=bids)
    keys = _keys(rows, asked, frame)
    names = [str(name) for name in keys]
    groups = keys.drop_duplicates().sort_values(names, ignore_index=True)
    group = keys.groupby(names, observed=True).ngroup().to_numpy()
    deals = rows["deals"].to_numpy()[:, np.newaxis]
    played = [f"in_play_{bid}" for bid in bids]
    expected = estimates_of(smoothed(made.to_numpy(), deals), bids).rate * deals
    of_rows = made.assign(deals=deals[:, 0], **dict(zip(played, expected.T, strict=True)))
    of_hand = of_rows.groupby([group, rows["mask"].to_numpy()]).sum()
    cells = len(groups) * (len(bids) + len(played)) if simultaneous else 1
    level = 1 - (1 - LEVEL) / cells
    columns: list[dict[str, Any]] = []
    for _, hands in of_hand.groupby(level=0):
        columns.append({"hands": len(hands), "deals": int(hands["deals"].sum())})
        for sums, ends in ((bids, ("rate", "low", "high")), (played, COLUMNS)):
            found = clustered(hands[sums].to_numpy(), hands["deals"].to_numpy(), level)
            for end, part in zip(ends, found, strict=True):
                columns[-1] |= {f"{end}_{bid}": part[n] for n, bid in enumerate(bids)}
    if is_full(frame) and not best:
        for row, counts in zip(columns, _counts_of_groups(frame, group), strict=True):
            row |= _points(counts)
    if (games := played_bids(frame.attrs)) and not best:
        for row, figures in zip(columns, _games_of_groups(frame, group, games), strict=True):
            row |= figures
    table = pd.concat([groups, pd.DataFrame(columns)], axis=1)
    table.attrs = {**frame.attrs, "best": best, "simultaneous": simultaneous}
    return table


def _counts_of_groups(
    frame: pd.DataFrame, group: NDArray[np.integer[Any]]
) -> Iterator[NDArray[np.int64]]:
    """Counts at 0 to 42 points of the hands of each group, (hands, 43)."""
    counts = pd.DataFrame(all_counts_of(frame, *HALVES))
    of_hand = counts.groupby([group, frame["mask"].to_numpy()]).sum()
    for _, hands in of_hand.groupby(level=0):
        yield hands.to_numpy()


def _points(counts: NDArray[np.int64]) -> dict[str, float]:
    """Mean of the points with its interval, from the spread between hands, and their deviation."""
    mean, low, high = clustered_mean(counts @ np.arange(counts.shape[1]), counts.sum(axis=1))
    deviation = float(moments_of(counts.sum(axis=0))[1])
    return {"mean": mean, "mean_low": low, "mean_high": high, "sd": deviation}


def _games_of_groups(
    frame: pd.DataFrame, group: NDArray[np.integer[Any]], bids: list[int]
) -> Iterator[dict[str, float]]:
    """Deals played in each group, and the rates of bids, from the spread between hands."""
    names = ["games", *(f"{name}_{bid}" for bid in bids for name in GAMES)]
    of_hand = frame[names].groupby([group, frame["mask"].to_numpy()]).sum()
    for _, hands in of_hand.groupby(level=0):
        played = hands[hands["games"] > 0]
        row: dict[str, float] = {"games": int(played["games"].sum())}
        for bid in bids if len(played) else ():
            made, games = played[f"played_{bid}"], played["games"]
            ends = clustered(made.to_numpy(), games.to_numpy())
            less = clustered_mean(made - played[f"seen_{bid}"], games, least=-1.0)
            figures = zip(FIGURES, (*map(float, ends), *less), strict=True)
            row |= {f"{name}_{bid}": figure for name, figure in figures}
        yield row


def split_names(text: str) -> list[str]:
    """The names and texts of a list, whose commas within parentheses part nothing.

    >>> split_names("kind, has(me, 5-5), tops")
    ['kind', 'has(me, 5-5)', 'tops']
    """
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _checked(by: Sequence[str | Of_Hands], frame: pd.DataFrame) -> list[str | Of_Hands]:
    own = [
        str(name)
        for name in frame
        if name not in [*KEYS, *COUNT_COLUMNS, *FULL_COLUMNS, *PLAYED_COLUMNS]
    ]
    known = ("trump", *FEATURES, *own)
    check_kind(by, "by", (list, tuple), "a list of names, questions or functions")
    for name in by:
        is_text = isinstance(name, str) and (name in known or "(" in name)
        if not callable(name) and not is_text:
            raise RequestError(
                f"by {shown(name)}: groups are by {', '.join(known)}, or by a question as"
                " has(me, 5-5)"
            )
    if not by or len(set(by)) < len(by):
        raise RequestError(f"by: one or more of {', '.join(known)}, each once")
    return list(by) if {"trump", "kind"} & set(by) else ["kind", *by]


def _keys(rows: pd.DataFrame, asked: Sequence[str | Of_Hands], frame: pd.DataFrame) -> pd.DataFrame:
    """What each row has in common with others, a column each."""
    masks = rows["mask"].to_numpy()
    trumps = rows["trump"].cat.codes.to_numpy().astype(np.int64)
    known = hand_features(masks, trumps).assign(trump=rows["trump"].array)
    keys: dict[str, Any] = {}
    for one in asked:
        if callable(one):
            name = getattr(one, "__name__", "function")
            values = np.asarray(one(masks, trumps))
            if values.shape != masks.shape:
                raise RequestError(f"by {name}: {len(masks)} values, one a row, not {values.shape}")
            keys[name] = values
        elif one in known:
            keys[one] = known[one].array
        elif one in frame:
            keys[one] = _own_column(rows, one, frame)
        else:
            with at("by"):
                keys[one] = _answers(one, masks, trumps)
    return pd.DataFrame(keys)


def _own_column(rows: pd.DataFrame, name: str, frame: pd.DataFrame) -> Any:
    """A column of the frame, in the rows of the frame or of best trumps."""
    by = ["mask", "trump"]
    wanted = rows[by].astype({"trump": str})
    there = frame[[*by, name]].astype({"trump": str})
    return wanted.merge(there, on=by, how="left")[name].array


def _answers(text: str, masks: NDArray[np.int64], trumps: NDArray[np.int64]) -> NDArray[Any]:
    """What a question says of each hand under its trump."""
    deals = np.zeros((len(masks), 4), dtype=np.int64)
    deals[:, 0] = masks
    values = np.zeros(len(masks), dtype=np.int64)
    truth = False
    for trump in Trump:
        tree = parse(text, trump)
        truth = is_truth(tree)
        for call in calls_of(tree):
            if call.seat != 0 or is_costly(call):
                raise ConditionError(f"{call}: of a hand alone only what me holds can be asked")
        here = trumps == trump
        values[here] = values_of(tree, deals[here])
    return values > 0 if truth else values
