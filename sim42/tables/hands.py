"""Many hands: the rates of each, and its call.

They are made from the frame of `sim42.runs.frames.load_run` and keep its ``.attrs``.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.game.rules import MARK, PASS, Rules
from sim42.game.trumps import Trump
from sim42.runs.frames import KEYS, check_run
from sim42.tables.call import (
    Whole,
    at,
    call_bids,
    choose,
    cross_fitted,
    first_of,
    mean,
    worth_of,
)
from sim42.tables.counts import (
    BIDS,
    HALVES,
    Counted,
    all_counts_of,
    bids_of,
    by_hand,
    counts_of,
    is_full,
    made_of,
    moments_of,
)
from sim42.tables.fair import FairRates, fair_rates
from sim42.tables.in_play import columns_of, estimates_of, smoothed
from sim42.tables.played import played_columns
from sim42.tables.rates import PARTS, whole
from sim42.tables.stats import wilson

THRESHOLDS: Final = (50, 60, 75)
"""Per cent of the deals in which a bid is to be made, for the columns `at50_bid` and so on."""


def survey_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Rates of each (hand, trump), and the call of the hand.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.

    Returns
    -------
    DataFrame
        Columns `mask`, `hand`, `trump`, `deals`; for each bid from the floor up `rate_30`,
        `low_30`, `high_30` (rate 0..1, and the ends of its 95 % Wilson interval), and `in_play_30`,
        `in_play_low_30`, `in_play_high_30` (estimated chance when nobody sees the others' hands,
        and where it is for 95 % of such hands); of a run of floor 0, `mean` and `sd` of the
        points; where bids were played, the columns of
        `sim42.tables.played.played_columns`; and those of `best_calls`, the same in all rows of a
        hand.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> table = survey_table(frame)
    >>> table.loc[table["trump"] == "sixes", ["rate_42", "best_trump"]].values.tolist()
    [[1.0, 'sixes']]
    """
    check_run(frame)
    bids = bids_of(frame)
    made = made_of(counts_of(frame, *HALVES))[:, -len(bids) :]
    deals = frame["deals"].to_numpy()[:, np.newaxis]
    low, high = wilson(made, deals)
    columns = {
        f"{name}_{bid}": values[:, place]
        for place, bid in enumerate(bids)
        for name, values in (("rate", made / deals), ("low", low), ("high", high))
    }
    columns |= columns_of(smoothed(made, deals), bids)
    if is_full(frame):
        columns["mean"], columns["sd"] = moments_of(all_counts_of(frame, *HALVES))
    parts = [frame[[*KEYS]], pd.DataFrame(columns, index=frame.index), played_columns(frame)]
    rates = pd.concat(parts, axis=1)
    best = best_calls(frame).drop(columns=["hand", "deals"])
    table = rates.merge(best, on="mask", how="left", sort=False)
    table.attrs = frame.attrs
    return table


def unit_in(frame: pd.DataFrame) -> str:
    """What the calls of a run are rated in: marks, or points of a game to points.

    These need a run that tells all points apart.
    """
    rules = Rules.from_dict(frame.attrs["rules"])
    return "points" if rules.scoring == "points" and is_full(frame) else "marks"


def best_calls(frame: pd.DataFrame, passing: float | NDArray[np.float64] = 0.0) -> pd.DataFrame:
    """The call of each hand, and what it is worth when deals that chose it do not rate it.

    The best trump and bid are those of `sim42.tables.call.choose`, as for `sim42 bid`. What was
    chosen for being best on some deals looks better on these than it is (the winner's curse):
    cross-fitted figures are chosen on the even deals and rated on the odd, and the reverse, and the
    mean of both is taken.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it.
    passing : float or array (hands,)
        What passing is worth, in the unit of `unit_in`: to all hands, or to each in order.

    Returns
    -------
    DataFrame
        A row a hand, in order:

        - `mask`, `hand`, `deals`
        - `best_trump` (categorical), `best_bid` (30 or the floor, 42 or 84; missing: pass, worth
          more), `shown`, marks (or points) expected of it
          on these deals, `cross_marks` the same cross-fitted
        - `best_rate_30` ...: rates of that trump; `cross_30` ...: the same, cross-fitted
        - `play_trump`, `play_bid`, `play_marks`: the call that is best by the chances in play that
          are estimated of these rates, in marks and with a pass worth nothing; `play_rate_30`,
          `play_low_30`, `play_high_30` ...: these chances with that trump
        - for 50, 60 and 75 per cent: `at50_bid`, the highest bid with any trump that is made so
          often, its trump `at50_trump`, its rate `at50_rate`, and `at50_cross`, the same
          cross-fitted, over the halves of the deals in which there is such a bid. Missing where
          there is none.

        A cross-fitted figure is missing when the hand has only one deal.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> frame = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> best_calls(frame)[["best_trump", "best_bid", "cross_marks", "at75_bid"]].values.tolist()
    [['sixes', 84, 2.0, 42]]
    """
    check_run(frame)
    bids, rules = bids_of(frame), Rules.from_dict(frame.attrs["rules"])
    each = np.broadcast_to(np.asarray(passing, dtype=np.float64), frame["mask"].nunique())
    chunks, first = [], 0
    for counted in by_hand(frame, bids):
        last = first + len(counted.made)
        chunks.append(_best_calls(counted, bids, rules, each[first:last]))
        first = last
    hands = frame.groupby("mask", sort=False)[["hand", "deals"]].first().reset_index()
    best = pd.concat([hands, pd.concat(chunks, ignore_index=True)], axis=1)
    for name in ("best_trump", "play_trump", *(f"at{q}_trump" for q in THRESHOLDS)):
        best[name] = pd.Categorical.from_codes(
            best[name].to_numpy(), frame["trump"].cat.categories, ordered=True
        )
    for name in ("best_bid", "play_bid", *(f"at{q}_bid" for q in THRESHOLDS)):
        best[name] = best[name].astype("Int16").mask(best[name] == PASS)
    best.attrs = frame.attrs
    return best


def fair_calls(frame: pd.DataFrame) -> pd.DataFrame:
    """The call of each hand, and what it is fairly worth: the figures to rank hands by.

    What a call shows is drawn towards what hands like it make, as `sim42.tables.fair` says. So it
    is neither too high for being the best of many calls nor for being that of a hand that was
    picked for looking good, as cross-fitted figures still are.

    Parameters
    ----------
    frame : DataFrame
        As `load_run` or `add_runs` give it; of many hands, from which what is expected is learned.

    Returns
    -------
    DataFrame
        As `best_calls`, and after `shown`: `fair`, marks of the same call, with the ends of a 95 %
        interval, `fair_low` and `fair_high` (all 0 for a pass), and `fair_30` (or the floor) and
        `fair_42`, rates of the best trump. Missing where too few hands have the trump, and marks
        where the call is rated in points.

    >>> from sim42 import Study, run_study
    >>> calls = fair_calls(run_study(Study(hands=40, deals=2, seed=1, trumps=["fives"])))
    >>> bool((calls["fair_low"] <= calls["fair"]).all())
    True
    """
    best = best_calls(frame)
    bids = bids_of(frame)
    ends = sorted({bids[0], bids[-1]})
    made = made_of(counts_of(frame, *HALVES))[:, [bid - BIDS[0] for bid in ends]]
    trumps = frame["trump"].cat.codes.to_numpy().astype(np.int64)
    rates = fair_rates(frame["mask"].to_numpy(), trumps, made, frame["deals"].to_numpy())
    keys = frame["mask"].to_numpy() * len(Trump) + trumps
    wanted = best["mask"].to_numpy() * len(Trump) + best["best_trump"].cat.codes.to_numpy()
    order = np.argsort(keys)
    rows = order[np.searchsorted(keys[order], wanted)]
    rates = FairRates(rates.made[rows], rates.failed[rows])
    bid = best["best_bid"].fillna(PASS).to_numpy(dtype=np.int64)
    place = (np.arange(len(bid)), np.where(bid == ends[0], 0, len(ends) - 1))
    stake = np.select([bid == PASS, bid > MARK], [0.0, bid // MARK], 1.0)
    if unit_in(frame) != "marks":
        stake = np.full(len(bid), np.nan)  # points won are not told by rates
    low, high = rates.interval()
    figures = {
        name: stake * (2 * values[place] - 1) + 0.0  # no minus before the zero of a pass
        for name, values in (("fair", rates.mean), ("fair_low", low), ("fair_high", high))
    }
    figures |= {f"fair_{bid}": rates.mean[:, nth] for nth, bid in enumerate(ends)}
    after = list(best).index("shown") + 1
    parts = [best.iloc[:, :after], pd.DataFrame(figures), best.iloc[:, after:]]
    table = pd.concat(parts, axis=1)
    table.attrs = best.attrs
    return table


def _best_calls(
    counted: Counted, bids: list[int], rules: Rules, passing: NDArray[np.float64]
) -> pd.DataFrame:
    """The columns of `best_calls`; trumps as ids, -1 for none, and bids as numbers, 0 for none."""
    made, deals, full = counted
    call = call_bids(rules, bids[0])
    worth = worth_of(made, deals, call, rules, full)
    all_made, all_deals = made.sum(axis=2), deals.sum(axis=2)
    best = choose(all_made, all_deals, call, worth.sum(axis=2), passing)
    cross = cross_fitted(made, deals, call, worth, passing)
    of_best = at(all_made, best.trump, axis=-2)
    columns: dict[str, NDArray[Any]] = {
        "best_trump": best.trump,
        "best_bid": best.bid,
        "shown": mean(best.marks, best.deals),
        "cross_marks": mean(cross.marks, cross.deals),
    }
    for nth, bid in enumerate(bids):
        columns[f"best_rate_{bid}"] = mean(of_best[:, nth], best.deals)
        columns[f"cross_{bid}"] = mean(cross.made[:, nth], cross.deals)
    columns |= _in_play(all_made, all_deals, bids, call)
    for q in THRESHOLDS:
        trump, place, found = _highest(all_made, all_deals, q)
        columns[f"at{q}_bid"] = np.where(found, np.array(bids)[place], PASS)
        columns[f"at{q}_trump"] = np.where(found, trump, -1)
        columns[f"at{q}_rate"] = mean(*_counted(all_made, all_deals, trump, place, found))
        halves = []
        for half, other in ((0, 1), (1, 0)):
            trump, place, found = _highest(made[:, :, half], deals[:, :, half], q)
            found &= cross.deals > 0
            halves.append(_counted(made[:, :, other], deals[:, :, other], trump, place, found))
        columns[f"at{q}_cross"] = mean(*np.sum(halves, axis=0))
    return pd.DataFrame(columns)


def _in_play(
    made: Whole, deals: Whole, bids: list[int], call: Sequence[int]
) -> dict[str, NDArray[Any]]:
    """The columns of the call that is best in play, of deals made (hands, 9, bids)."""
    rates = smoothed(made, deals[..., np.newaxis])
    chances = whole(estimates_of(rates, bids).rate)
    best = choose(chances, np.where(deals > 0, PARTS, 0), call)
    of_best = np.take_along_axis(rates, best.trump[:, np.newaxis, np.newaxis], axis=1)[:, 0]
    return {
        "play_trump": best.trump,
        "play_bid": best.bid,
        "play_marks": mean(best.marks, best.deals),
        **columns_of(of_best, bids, ("play_rate", "play_low", "play_high")),
    }


def _highest(
    made: Whole, deals: Whole, q: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Trump and place of the highest bid made in `q` per cent of the deals, and whether one is.

    Of several trumps that make it the one that does most often; then the first.
    """
    often: NDArray[np.bool_] = (100 * made >= q * deals[..., np.newaxis]) & (deals > 0)[
        ..., np.newaxis
    ]
    so_often: NDArray[np.bool_] = np.any(often, axis=1)
    place = so_often.shape[1] - 1 - so_often[:, ::-1].argmax(axis=1)
    of_bid = np.moveaxis(made, 1, -1)[np.arange(len(made)), place]
    return first_of([of_bid], deals), place, np.any(so_often, axis=1)


def _counted(
    made: Whole,
    deals: Whole,
    trump: NDArray[np.intp],
    place: NDArray[np.intp],
    found: NDArray[np.bool_],
) -> tuple[Whole, Whole]:
    """How many deals make the bid at a place with a trump, and of how many; 0 where not found."""
    times = at(at(made, trump, axis=-2), place)
    return np.where(found, times, 0), np.where(found, at(deals, trump), 0)
