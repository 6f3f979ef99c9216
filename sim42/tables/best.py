"""Each hand with its best trump, rated on deals that did not choose it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sim42.errors import RequestError
from sim42.game.rules import PASS, Rules
from sim42.game.trumps import Trump
from sim42.runs.frames import check_run
from sim42.tables.call import Whole, call_bids, choose, mean, rate, worth_of
from sim42.tables.counts import HALVES, bids_of, by_hand
from sim42.tables.hands import best_calls
from sim42.tables.spread import mean_interval


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
        reverse: mask, trump, chosen_on, deals; how many of these make each bid, as `made_30`, and
        the rate, `rate_30`; second (a trump; missing where only one was solved) and `second_30`
        .... Halves that have no deals to choose on or to rate are left out.

    Raises
    ------
    RequestError
        When no hand has two deals.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> run = run_study(Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"]))
    >>> best_trumps(run)[["trump", "deals", "made_42", "second"]].values.tolist()
    [['sixes', 2, 2, 'fives'], ['sixes', 2, 2, 'fives']]
    """
    check_run(run)
    bids = bids_of(run)
    rules = Rules.from_dict(run.attrs["rules"])
    call = call_bids(rules, bids[0])
    halves, first = [], 0
    for made, deals, full in by_hand(run, bids):
        worth = worth_of(made, deals, call, rules, full)
        for half, chosen_on in enumerate(HALVES):
            chosen, rated = (
                (made[:, :, h], deals[:, :, h], worth[:, :, h]) for h in (half, 1 - half)
            )
            part = _best_and_second(chosen, rated, call, bids)
            halves.append(part.assign(hand=first + part.index, chosen_on=chosen_on))
        first += len(made)
    table = pd.concat(halves).sort_values("hand", kind="stable", ignore_index=True)
    if table.empty:
        raise RequestError("cross-fitted figures need hands with two deals or more")
    masks = run["mask"].drop_duplicates().to_numpy()
    names = run["trump"].cat.categories
    trumps = {
        name: pd.Categorical.from_codes(table[name].to_numpy(), names, ordered=True)
        for name in ("trump", "second")
    }
    rates = {f"rate_{bid}": table[f"made_{bid}"] / table["deals"] for bid in bids}
    table = table.assign(mask=masks[table.pop("hand").to_numpy()], **trumps, **rates)
    table.attrs = run.attrs
    return table


def _best_and_second(
    chosen: tuple[Whole, Whole, Whole],
    rated: tuple[Whole, Whole, Whole],
    call: Sequence[int],
    bids: list[int],
) -> pd.DataFrame:
    """Trumps chosen on some deals and rated on others, for hands where there are both.

    Both are deals that make each bid, (hands, 9, bids), deals, (hands, 9), and the worth of each
    bid of a call, (hands, 9, call).
    """
    made, deals, each = chosen
    best = choose(made, deals, call, each)
    others = np.where(np.arange(len(Trump)) == best.trump[:, np.newaxis], 0, deals)
    second = choose(made, others, call, each)
    in_rated = rated[0], rated[1], call, rated[2]
    worth, of_second = rate(best, *in_rated), rate(second, *in_rated)
    has_second = (second.deals > 0) & (of_second.deals > 0)
    columns = {
        "trump": best.trump,
        "deals": worth.deals,
        **{f"made_{bid}": worth.made[:, place] for place, bid in enumerate(bids)},
        "second": np.where(has_second, second.trump, -1),
        **{
            f"second_{bid}": mean(np.where(has_second, times, 0), of_second.deals * has_second)
            for bid, times in zip(bids, of_second.made.T, strict=True)
        },
    }
    return pd.DataFrame(columns)[(best.deals > 0) & (worth.deals > 0)]


def highest_bids(best: pd.DataFrame, q: int) -> "pd.Series[int]":
    """The highest bid that each row of `best_trumps` makes in `q` per cent; 0 for none."""
    bids = [int(name.removeprefix("made_")) for name in best.columns if name.startswith("made_")]
    made = best[[f"made_{bid}" for bid in bids]].to_numpy()
    often = 100 * made >= q * best[["deals"]].to_numpy()
    highest = np.where(often.any(axis=1), bids[-1] - often[:, ::-1].argmax(axis=1), PASS)
    return pd.Series(highest, index=best.index, dtype="int64")


def share_of_hands(best: pd.DataFrame, chosen: "pd.Series[bool]") -> tuple[float, float, float]:
    """Share of hands for which something is so, with its interval; a half of a hand counts half."""
    return mean_interval(chosen.astype(float).groupby(best["mask"]).mean(), 0, 1)


def cross_fitted_rates(run: pd.DataFrame, bids: list[int]) -> pd.DataFrame:
    """Rates of each hand's best trump, `cross_30` ..., and its `deals`, a row a mask.

    Raises
    ------
    RequestError
        When no hand has two deals.
    """
    rates = best_calls(run).set_index("mask")[["deals", *(f"cross_{bid}" for bid in bids)]].dropna()
    if rates.empty:
        raise RequestError("cross-fitted figures need hands with two deals or more")
    return rates
