"""Counts to tables: how often each bid makes, and the call that follows from it.

Every frame carries in ``.attrs`` what it was made of: hand, deals, seed, rules, version, counts.
"""

import json
from collections.abc import Sequence
from types import NoneType
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42 import __version__
from sim42.errors import RequestError
from sim42.game.rules import MARK, AnyRules, Rules, bid_marks, bid_points
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.runs.sample import POINTS, HandSample, sample_hand
from sim42.solver.values import Progress
from sim42.tables.stats import mean_interval, wilson

BIDS: Final = POINTS[1:]
"""The bids of a table: 30..41 and 42, every trick."""
CALL_BIDS: Final = (30, 42, 84)
"""The bids a call is chosen from: the lowest, one mark and two marks."""
CALL_FACTS: Final = ("trump", "bid", "marks", "cross_fitted", "second", "trumps")
"""What `calls` gives."""


def bid_table(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
) -> pd.DataFrame:
    """How often each bid makes with a hand, double dummy, for every trump.

    Parameters
    ----------
    hand, deals, seed, trumps, rules, threads, progress
        As for `sim42.runs.sample.sample_hand`.

    Returns
    -------
    DataFrame
        Rates 0..1; a row a trump (index of names), integer columns 30..42. ``.attrs`` hold hand,
        deals, seed, rules, version, counts and calls.

    >>> table = bid_table("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> float(table.loc["sixes", 42])
    1.0
    >>> table.attrs["deals"]
    20
    """
    return wide(bid_rows(sample_hand(hand, deals, seed, trumps, rules, threads, progress)))


def bid_rows(sample: HandSample) -> pd.DataFrame:
    """One row a (trump, bid): how many deals made it, the rate and its Wilson interval.

    Returns
    -------
    DataFrame
        Columns trump (categorical), bid, made, deals, rate, low, high; ``.attrs`` as `bid_table`.

    >>> rows = bid_rows(sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump(6)]))
    >>> print(rows.loc[rows["bid"] == 42, ["trump", "made", "rate"]].to_string(index=False))
    trump  made  rate
    sixes    20   1.0
    """
    names = [str(trump) for trump in sample.trumps]
    frame = _rows_of(names, sample.counts)
    frame.attrs = {
        "hand": str(sample.hand),
        "seed": sample.seed,
        "deals": sample.deals,
        "rules": sample.rules.as_dict(),
        "version": __version__,
        "counts": {
            name: dict(zip(POINTS, map(int, row), strict=True))
            for name, row in zip(names, sample.counts, strict=True)
        },
        "calls": calls(sample),
    }
    return frame


def read_bid(text: str | bytes) -> pd.DataFrame:
    """The rows of `bid_rows` again, from the JSON that ``sim42 bid --format json`` writes.

    Raises
    ------
    RequestError
        When it is something else, or was damaged.

    >>> read_bid("{}")
    Traceback (most recent call last):
    ...
    sim42.errors.RequestError: not the JSON of sim42 bid: 'counts' is missing
    """
    try:
        stored = json.loads(text)
        counts = {
            str(Trump(name)): {points: int(row[str(points)]) for points in POINTS}
            for name, row in stored["counts"].items()
        }
        table = np.array([list(row.values()) for row in counts.values()])
        facts: dict[Any, Any] = {
            "hand": str(Hand(str(stored["hand"]))),
            "seed": int(stored["seed"]),
            "deals": int(stored["deals"]),
            "rules": Rules(**stored["rules"]).as_dict(),
            "version": str(stored["version"]),
            "counts": counts,
            "calls": {name: stored["calls"][name] for name in CALL_FACTS},
        }
        _check_calls(facts["calls"], list(counts), table)
        if table.min() < 0 or (table.sum(axis=1) != facts["deals"]).any():
            raise ValueError("its counts do not add up to its deals")
    except KeyError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error} is missing") from None
    except (TypeError, AttributeError, IndexError):
        raise RequestError("not the JSON of sim42 bid: its parts are of other kinds") from None
    except ValueError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error}") from None
    frame = _rows_of(list(counts), table)
    frame.attrs = facts
    return frame


def _check_calls(calls: dict[str, Any], names: list[str], counts: NDArray[np.int64]) -> None:
    """Raise `ValueError` or `KeyError` unless these calls go with these counts."""
    offers = _offers(names, counts, [int(bid) for bid in calls["trumps"][0]["marks"]])
    if calls["trumps"] != offers:
        raise ValueError("its calls are not those of its counts")
    for call in [calls] if calls["second"] is None else [calls, calls["second"]]:
        offer = offers[names.index(call["trump"])]
        if call["bid"] not in (None, offer["bid"]) or call["marks"] != max(offer["marks"].values()):
            raise ValueError("its calls are not those of its counts")
    if calls["second"] is not None:
        for name in ("difference", "low", "high"):
            if not isinstance(calls["second"][name], float | NoneType):
                raise ValueError(f"{name} is not a number")
    if not isinstance(calls["cross_fitted"], float | NoneType):
        raise ValueError("cross_fitted is not a number")


def _rows_of(names: list[str], counts: NDArray[np.int64]) -> pd.DataFrame:
    """The rows of trumps with these counts at each of `POINTS`."""
    made = made_of(counts).ravel()
    deals = np.repeat(counts.sum(axis=1), len(BIDS))
    low, high = wilson(made, deals)
    return pd.DataFrame(
        {
            "trump": pd.Categorical(np.repeat(names, len(BIDS)), categories=names, ordered=True),
            "bid": np.tile(BIDS, len(names)),
            "made": made,
            "deals": deals,
            "rate": made / deals,
            "low": low,
            "high": high,
        }
    )


def wide(rows: pd.DataFrame) -> pd.DataFrame:
    """The rates of `bid_rows` as a grid, a row a trump and a column a bid."""
    grid = rows.pivot(index="trump", columns="bid", values="rate")
    grid.index = grid.index.astype(str)
    grid.attrs = rows.attrs
    return grid


def made_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deals that make each of `BIDS`, from counts at each of `POINTS` along the last axis.

    >>> made_of(np.array([[3] + [0] * 12 + [2]]))[0, [0, -1]].tolist()
    [2, 2]
    """
    at_least = np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]
    return at_least[..., 1:]


def marks_won(points: NDArray[np.int8], bid: int) -> NDArray[np.int64]:
    """Marks a bid wins (positive) or gives away (negative) in each deal (A5, S2).

    >>> marks_won(np.array([42, 41], dtype=np.int8), 84).tolist()
    [2, -2]
    """
    made = points >= bid_points(bid)
    marks: NDArray[np.int64] = np.where(made, bid_marks(bid), -bid_marks(bid))
    return marks


def calls(sample: HandSample) -> dict[str, Any]:
    """The call that a sample recommends, and what each trump offers.

    A trump's call is the bid among 30, 42 and 84, as far as the rules allow them, with the most
    expected marks (won less given); the best trump is the one whose call has most, and ties go to
    the higher rate of 30 and then to the first. Choosing and rating on the same deals flatters the
    choice: ``cross_fitted`` is the mean of marks when the call is chosen on the even deals and
    rated on the odd, and the reverse.

    Returns
    -------
    dict
        ``trump``, ``bid`` (None: pass, for less than nothing is expected), ``marks``,
        ``cross_fitted``, ``second`` (trump, bid, marks, difference with low and high, on the same
        deals; None for a single trump), and ``trumps``: for each its name, ``even_chance`` (highest
        bid that makes in half the deals or more; None), ``marks`` of each bid, and best ``bid``.

    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> best = calls(sample)
    >>> best["trump"], best["bid"], best["marks"]
    ('sixes', 84, 2.0)
    """
    bids = [bid for bid in CALL_BIDS if bid <= MARK * sample.rules.max_marks]
    offers = _offers([str(trump) for trump in sample.trumps], sample.counts, bids)
    # won[deal, trump, bid] in marks
    won = np.stack([marks_won(sample.points, bid) for bid in bids], axis=-1)
    best_bids = _best_bids(won)
    order = _order(won)
    best = offers[order[0]]
    marks = best["marks"][str(best["bid"])]
    result: dict[str, Any] = {
        "trump": best["trump"],
        "bid": best["bid"] if marks >= 0 else None,
        "marks": marks,
        "cross_fitted": _cross_fitted(won),
        "second": None,
        "trumps": offers,
    }
    if len(order) > 1:
        second = offers[order[1]]
        ahead, behind = (won[:, trump, best_bids[trump]] for trump in order[:2])
        difference, low, high = mean_interval(ahead - behind)
        result["second"] = {
            "trump": second["trump"],
            "bid": second["bid"],
            "marks": second["marks"][str(second["bid"])],
            "difference": difference,
            "low": None if np.isnan(low) else low,
            "high": None if np.isnan(high) else high,
        }
    return result


def _offers(names: list[str], counts: NDArray[np.int64], bids: list[int]) -> list[dict[str, Any]]:
    """What each trump offers, as `calls` describes it."""
    offers = []
    for name, made, deals in zip(names, made_of(counts), counts.sum(axis=1).tolist(), strict=True):
        even = [bid for bid, times in zip(BIDS, made, strict=True) if 2 * times >= deals]
        chances = {bid: int(made[bid_points(bid) - BIDS[0]]) / deals for bid in bids}
        marks = {bid: bid_marks(bid) * (2 * chance - 1) for bid, chance in chances.items()}
        offers.append(
            {
                "trump": name,
                "even_chance": max(even, default=None),
                "bid": max(bids, key=marks.__getitem__),
                "marks": {str(bid): marks[bid] for bid in bids},
            }
        )
    return offers


def _best_bids(won: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index in `CALL_BIDS` of each trump's best bid."""
    best: NDArray[np.int64] = won.sum(axis=0).argmax(axis=1)
    return best


def _order(won: NDArray[np.int64]) -> list[int]:
    """Trumps from the best to the worst."""
    total = won.sum(axis=0)
    return sorted(range(total.shape[0]), key=lambda t: (-total[t].max(), -total[t, 0], t))


def _cross_fitted(won: NDArray[np.int64]) -> float | None:
    """Mean marks of calls chosen on one half of the deals and rated on the other."""
    if len(won) < 2:
        return None
    total = 0
    for chosen_on, rated_on in ((won[0::2], won[1::2]), (won[1::2], won[0::2])):
        trump = _order(chosen_on)[0]
        total += rated_on[:, trump, _best_bids(chosen_on)[trump]].sum()
    return float(total / len(won))
