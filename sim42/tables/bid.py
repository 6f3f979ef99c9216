"""One hand: how often each bid makes, and the call that follows from it.

Every frame carries in ``.attrs`` what it was made of: hand, deals, seed, rules, version, counts.
"""

import json
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim42 import __version__
from sim42.deals.given import Given
from sim42.deals.seeds import MAX_SEED
from sim42.errors import RequestError, check_frame, check_kind
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.runs.sample import (
    ALL_POINTS,
    FLOOR,
    MOST_DEALS,
    POINTS,
    HandSample,
    folded,
    points_told,
)
from sim42.runs.tally import HandTally, tally_hand
from sim42.solver.values import Progress
from sim42.tables.counts import BIDS, made_of, moments_of
from sim42.tables.recommend import DEAL_BY_DEAL, call_of, call_of_counts
from sim42.tables.stats import wilson

if TYPE_CHECKING:  # the figures of a hand need no frame, which takes a while to import
    import pandas as pd


def bid_table(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    floor: int = FLOOR,
) -> "pd.DataFrame":
    """How often each bid makes with a hand, double dummy, for every trump.

    Parameters
    ----------
    hand, deals, seed, trumps, rules, threads, progress, given
        As for `sim42.runs.sample.sample_hand`.
    floor : int
        30; or 0, which takes longer, to tell all points apart.

    Returns
    -------
    DataFrame
        Rates 0..1; a row a trump (index of names), integer columns 30..42, and with floor 0 the
        columns ``mean`` and ``sd`` of the points. ``.attrs`` hold hand, deals, seed, rules, given,
        version, counts and call (see `call_of`), and all_counts (at 0 to 42; None).

    >>> table = bid_table("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> float(table.loc["sixes", 42])
    1.0
    >>> table.attrs["deals"]
    20
    """
    tally = tally_hand(hand, deals, seed, trumps, rules, threads, progress, given, floor)
    rows = bid_rows(tally)
    grid = wide(rows)
    if tally.full is not None:
        for name in ("mean", "sd"):
            grid[name] = rows.groupby("trump", observed=True)[name].first().to_numpy()
    return grid


def bid_rows(sample: HandSample | HandTally) -> "pd.DataFrame":
    """One row a (trump, bid): how many deals made it, the rate and its Wilson interval.

    Returns
    -------
    DataFrame
        Columns trump (categorical), bid, made, deals, rate, low, high, and where all points are
        told apart mean and sd of the trump's points; ``.attrs`` as `bid_table`.

    >>> rows = bid_rows(tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump(6)]))
    >>> print(rows.loc[rows["bid"] == 42, ["trump", "made", "rate"]].to_string(index=False))
    trump  made  rate
    sixes    20   1.0
    """
    return _rows_of(bid_facts(sample))


def bid_facts(sample: HandSample | HandTally) -> dict[Any, Any]:
    """What the rows of a bid keep in ``.attrs``: its facts, its counts and the call.

    >>> sample = tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=["sixes"])
    >>> facts = bid_facts(sample)
    >>> facts["deals"], facts["counts"]["sixes"][42], facts["call"]["bid"]
    (20, 20, 84)
    """
    check_kind(sample, "sample", (HandSample, HandTally), "what sample_hand or tally_hand returns")
    full = getattr(sample, "full", None)
    return {
        "hand": str(sample.hand),
        "seed": sample.seed,
        "deals": sample.deals,
        "rules": sample.rules.as_dict(),
        "given": None if sample.given is None else sample.given.text,
        "version": __version__,
        "call": call_of(sample),
        "counts": _by_name(sample.trumps, sample.counts),
        "all_counts": None if full is None else _by_name(sample.trumps, full),
    }


def points_of(facts: dict[Any, Any]) -> dict[str, tuple[float, float]]:
    """Mean and deviation of the points of each trump; empty unless all are told apart."""
    if facts["all_counts"] is None:
        return {}
    counts = np.array([list(row.values()) for row in facts["all_counts"].values()])
    figures = (figure.tolist() for figure in moments_of(counts))
    return dict(zip(facts["all_counts"], zip(*figures, strict=True), strict=True))


def rates_of(
    facts: dict[Any, Any],
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Deals of each trump that make each of `BIDS`, their rate and its ends, (trumps, bids)."""
    made = made_of(np.array([list(row.values()) for row in facts["counts"].values()]))
    return made, made / facts["deals"], *wilson(made, facts["deals"])


def check_rows(rows: object, what: str = "rows") -> None:
    """Raise `RequestError` unless these are the rows of `bid_rows`."""
    columns = ("trump", "bid", "made", "rate", "low", "high")
    check_frame(rows, what, "bid_rows", columns, ("hand", "seed", "deals", "rules", "call"))


def wide(rows: "pd.DataFrame") -> "pd.DataFrame":
    """The rates of `bid_rows` as a grid, a row a trump and a column a bid."""
    check_rows(rows)
    grid = rows.pivot(index="trump", columns="bid", values="rate")
    grid.index = grid.index.astype(str)
    grid.attrs = rows.attrs
    return grid


def chosen_trump(rows: "pd.DataFrame", trump: Trump | str | None = None) -> str:
    """Name of the trump asked for, or of the one recommended, in the rows of a bid.

    Raises
    ------
    RequestError
        When the rows hold no such trump.
    """
    check_rows(rows)
    names = [str(name) for name in rows["trump"].unique()]
    name = str(rows.attrs["call"]["trump"] if trump is None else Trump(trump))
    if name not in names:
        raise RequestError(f"trump {name}: was not solved; there are {', '.join(names)}")
    return name


def _rows_of(facts: dict[Any, Any]) -> "pd.DataFrame":
    """The rows of a bid with these facts."""
    import pandas as pd

    names = list(facts["counts"])
    made, rate, low, high = (figures.ravel() for figures in rates_of(facts))
    frame = pd.DataFrame(
        {
            "trump": pd.Categorical(np.repeat(names, len(BIDS)), categories=names, ordered=True),
            "bid": np.tile(BIDS, len(names)),
            "made": made,
            "deals": np.full(len(made), facts["deals"]),
            "rate": rate,
            "low": low,
            "high": high,
        }
    )
    if points := points_of(facts):
        for place, name in enumerate(("mean", "sd")):
            frame[name] = np.repeat([figures[place] for figures in points.values()], len(BIDS))
    frame.attrs = facts
    return frame


def _by_name(trumps: Sequence[Trump], counts: NDArray[np.int64]) -> dict[str, dict[int, int]]:
    """Counts (trumps, 14) or (trumps, 43) by the name of the trump and the points."""
    told = points_told(FLOOR if counts.shape[1] == len(POINTS) else 0)
    return {
        str(trump): dict(zip(told, map(int, row), strict=True))
        for trump, row in zip(trumps, counts, strict=True)
    }


def read_bid(text: str | bytes) -> "pd.DataFrame":
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
        stored = json.loads(text, parse_constant=_no_number)
        counts = _read_counts(stored["counts"], POINTS)
        told = stored.get("all_counts")
        full = None if told is None else _read_counts(told, ALL_POINTS)
        deals = _whole(stored["deals"], "deals", least=1)
        if not counts or any(sum(row) != deals for row in counts.values()):
            raise ValueError("its counts do not add up to its deals")
        rules = Rules.from_dict({**stored["rules"]})
        table = np.array(list(counts.values()), dtype=np.int64)
        every = table if full is None else np.array(list(full.values()), dtype=np.int64)
        if full is not None and (list(full) != list(counts) or (folded(every) != table).any()):
            raise ValueError("its counts of all points are not those from 30 up")
        facts = {
            "hand": str(Hand(str(stored["hand"]))),
            "seed": _whole(stored["seed"], "seed", most=MAX_SEED),
            "deals": deals,
            "rules": rules.as_dict(),
            "given": _text_or_none(stored.get("given"), "given"),
            "version": str(stored["version"]),
            "call": _checked_call(stored["call"], call_of_counts(list(counts), table, rules)),
            "counts": _by_name(list(counts), table),
            "all_counts": None if full is None else _by_name(list(full), every),
        }
    except KeyError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error} is missing") from None
    except (TypeError, AttributeError, IndexError):
        raise RequestError("not the JSON of sim42 bid: its parts are of other kinds") from None
    except RecursionError:
        raise RequestError("not the JSON of sim42 bid: nested too deep") from None
    except ValueError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error}") from None
    return _rows_of(facts)


def _read_counts(stored: dict[str, Any], told: tuple[int, ...]) -> dict[Trump, list[int]]:
    """Counts by the trump, at each of these points."""
    return {
        _trump_named(name): [_whole(row[str(points)], f"a count of {name}") for points in told]
        for name, row in stored.items()
    }


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _text_or_none(value: object, what: str) -> str | None:
    if value is not None and not (isinstance(value, str) and value.isprintable()):
        raise ValueError(f"{what} is no text of one line")
    return value


def _trump_named(name: str) -> Trump:
    trump = Trump(name)
    if name != str(trump):
        raise ValueError(f"{name!r} is written {trump}")
    return trump


def _whole(value: object, what: str, least: int = 0, most: int = MOST_DEALS) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{what}: {value!r:.40} is not a whole number from {least} to {most}")
    return value


def _checked_call(stored: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    """A stored call, if it is the right one of its counts but for what these do not tell."""
    call = {name: stored[name] for name in right}
    told = {**call, "cross_fitted": None}
    numbers = [("cross_fitted", call["cross_fitted"])]
    if call["second"] is not None and right["second"] is not None:
        numbers += [(name, call["second"][name]) for name in DEAL_BY_DEAL]
        told["second"] = {name: call["second"][name] for name in right["second"]}
    if told != right:
        raise ValueError("its call is not that of its counts")
    for name, number in numbers:
        if number is not None and not (type(number) is float and isfinite(number)):
            raise ValueError(f"{name}: {number!r:.40} is not a number")
    return call
