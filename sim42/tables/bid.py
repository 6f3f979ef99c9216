"""One hand: how often each bid makes, and the call that follows from it.

Every frame carries in ``.attrs`` what it was made of: hand, deals, seed, rules, version, counts.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim42 import __version__
from sim42.deals.given import Given
from sim42.errors import RequestError, check_frame, check_kind
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.runs.sample import (
    FLOOR,
    POINTS,
    HandSample,
    points_told,
)
from sim42.runs.tally import HandTally, tally_hand, tally_of
from sim42.solver.values import Progress
from sim42.tables.counts import BIDS, made_of, moments_of
from sim42.tables.in_play import COLUMNS, in_play, passing_in_play
from sim42.tables.passing import NO_PASS, Passing, PassValue, pass_value
from sim42.tables.rates import Rates, hand_rates, rates_of
from sim42.tables.recommend import call_of
from sim42.tables.stopping import Wanted, settle
from sim42.tables.words import ADJUSTED, PLAIN

if TYPE_CHECKING:  # the figures of a hand need no frame, which takes a while to import
    import pandas as pd


def bid_table(
    hand: Hand | str,
    deals: int | None = None,
    seed: int = 42,
    trumps: Sequence[Trump] | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    floor: int | None = None,
    *,
    plain: bool = False,
    passing: PassValue = "model",
    speaks: int = 1,
    precision: float | None = None,
    until_sure: float | None = None,
) -> "pd.DataFrame":
    """How often each bid makes with a hand, double dummy, for every trump.

    Parameters
    ----------
    hand, seed, trumps, rules, threads, progress, given
        As for `sim42.runs.sample.sample_hand`.
    deals, precision, until_sure
        How many deals, or how sure it is to be: as for `sim42.tables.stopping.settle`.
    floor : int, optional
        30; or 0, which takes longer, to tell all points apart. When None, 30, and 0 in a game to
        points, whose call depends on them.
    plain : bool
        Whether rates are shares of the deals. Else they are adjusted for what the partner and the
        others were dealt (`sim42.runs.adjust`), which is worth about twice as many deals.
    passing, speaks
        What passing is worth and when the hand speaks, as for `sim42.tables.passing.pass_value`.

    Returns
    -------
    DataFrame
        Rates 0..1; a row a trump (index of names), integer columns 30..42, and with floor 0 the
        columns ``mean`` and ``sd`` of the points. ``.attrs`` hold hand, deals, seed, rules, given,
        version, estimate ("adjusted" or "plain"), asked (None for a number of deals), counts and
        call (double dummy: see `call_of`), in_play (see `sim42.tables.in_play.in_play`), and
        all_counts (at 0 to 42; None).

    >>> table = bid_table("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump.SIXES])
    >>> float(table.loc["sixes", 42])
    1.0
    >>> table.attrs["deals"]
    20
    """
    rules = Rules.of(rules)
    least = floor_for(rules) if floor is None else floor
    wanted = settle(deals, precision, until_sure)
    question = (hand, wanted.deals, seed, trumps, rules, threads, progress, given, least)
    tally = tally_hand(*question, plain=plain, until=wanted.until)
    priced = pass_value(passing, hand, tally.deals, seed, rules, given, speaks, threads)
    rows = bid_rows(tally, priced, threads, wanted=wanted)
    grid = wide(rows)
    if tally.full is not None:
        for name in ("mean", "sd"):
            grid[name] = rows.groupby("trump", observed=True)[name].first().to_numpy()
    return grid


def floor_for(rules: Rules) -> int:
    """The floor of a sample that is to tell a call: 0 in a game to points, else 30.

    >>> floor_for(Rules()), floor_for(Rules.points250())
    (30, 0)
    """
    return 0 if rules.scoring == "points" else FLOOR


def bid_rows(
    sample: HandSample | HandTally,
    passing: Passing = NO_PASS,
    threads: int | None = None,
    *,
    plain: bool = False,
    wanted: Wanted | None = None,
) -> "pd.DataFrame":
    """One row a (trump, bid): how many deals made it, the rate and its interval.

    Parameters
    ----------
    sample : HandSample or HandTally
        What was solved.
    passing : Passing
        What passing is worth.
    threads : int, optional
        One a core when None.
    plain : bool
        Whether it is only to be counted.
    wanted : Wanted, optional
        How sure it was to be, to be told with it.

    Returns
    -------
    DataFrame
        Columns trump (categorical), bid, made, deals, rate, low, high, worth (deals that would say
        as much if they were only counted), in_play (the estimated chance when nobody sees the
        others' hands) with in_play_low and in_play_high for 95 % of such hands, and where all
        points are told apart mean and sd of the trump's points; ``.attrs`` as `bid_table`.

    >>> rows = bid_rows(tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=[Trump(6)]))
    >>> print(rows.loc[rows["bid"] == 42, ["trump", "made", "rate"]].to_string(index=False))
    trump  made  rate
    sixes    20   1.0
    """
    return rows_of(bid_facts(sample, passing, threads, plain=plain, wanted=wanted))


def bid_facts(
    sample: HandSample | HandTally,
    passing: Passing = NO_PASS,
    threads: int | None = None,
    *,
    plain: bool = False,
    wanted: Wanted | None = None,
) -> dict[Any, Any]:
    """What `bid_rows`, whose parameters these are, keep in ``.attrs``: facts, counts and the call.

    >>> sample = tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=["sixes"])
    >>> facts = bid_facts(sample)
    >>> facts["deals"], facts["counts"]["sixes"][42], facts["call"]["bid"]
    (20, 20, 84)
    """
    check_kind(sample, "sample", (HandSample, HandTally), "what sample_hand or tally_hand returns")
    tally = tally_of(sample, plain=plain)
    rates = hand_rates(tally)
    return {
        "hand": str(tally.hand),
        "seed": tally.seed,
        "deals": tally.deals,
        "rules": tally.rules.as_dict(),
        "given": None if tally.given is None else tally.given.text,
        "version": __version__,
        "asked": None if wanted is None else wanted.facts(tally),
        "call": call_of(tally, passing, threads),
        "in_play": in_play(
            tally.trumps, rates.rate, tally.rules, passing_in_play(passing, tally.rules)
        ),
        **rated(tally.trumps, rates),
        "counts": by_name(tally.trumps, tally.counts),
        "all_counts": None if tally.full is None else by_name(tally.trumps, tally.full),
    }


def rated(trumps: Sequence[Trump], rates: Rates) -> dict[str, Any]:
    """What the rates are, and where they are no mere counts, what they and their worth are."""
    if not rates.is_adjusted:
        return {"estimate": PLAIN, "rates": None}
    told = zip(trumps, rates.rate.tolist(), rates.worth.tolist(), strict=True)
    return {
        "estimate": ADJUSTED,
        "rates": {str(trump): list(zip(row, worth, strict=True)) for trump, row, worth in told},
    }


def points_of(facts: dict[Any, Any]) -> dict[str, tuple[float, float]]:
    """Mean and deviation of the points of each trump; empty unless all are told apart."""
    if facts["all_counts"] is None:
        return {}
    counts = np.array([list(row.values()) for row in facts["all_counts"].values()])
    figures = (figure.tolist() for figure in moments_of(counts))
    return dict(zip(facts["all_counts"], zip(*figures, strict=True), strict=True))


def rates_in(facts: dict[Any, Any]) -> Rates:
    """Rates of `BIDS`, a row a trump, with what is needed for their intervals."""
    made = made_of(np.array([list(row.values()) for row in facts["counts"].values()]))
    if facts["rates"] is None:
        return rates_of(made, facts["deals"])
    told = np.array(list(facts["rates"].values()))
    return Rates(made, facts["deals"], told[..., 0], told[..., 1])


def check_rows(rows: object, what: str = "rows") -> None:
    """Raise `RequestError` unless these are the rows of `bid_rows`."""
    columns = ("trump", "bid", "made", "rate", "low", "high", "worth")
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


def rows_of(facts: dict[Any, Any]) -> "pd.DataFrame":
    """The rows of a bid with these facts."""
    import pandas as pd

    names = list(facts["counts"])
    rates = rates_in(facts)
    low, high = rates.interval()
    frame = pd.DataFrame(
        {
            "trump": pd.Categorical(np.repeat(names, len(BIDS)), categories=names, ordered=True),
            "bid": np.tile(BIDS, len(names)),
            "made": rates.made.ravel(),
            "deals": np.full(rates.made.size, facts["deals"]),
            "rate": rates.rate.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "worth": rates.worth.ravel(),
        }
    )
    chances = np.array(list(facts["in_play"]["chances"].values())).reshape(len(frame), -1)
    frame[list(COLUMNS)] = chances
    if points := points_of(facts):
        for place, name in enumerate(("mean", "sd")):
            frame[name] = np.repeat([figures[place] for figures in points.values()], len(BIDS))
    frame.attrs = facts
    return frame


def by_name(trumps: Sequence[Trump], counts: NDArray[np.int64]) -> dict[str, dict[int, int]]:
    """Counts (trumps, 14) or (trumps, 43) by the name of the trump and the points."""
    told = points_told(FLOOR if counts.shape[1] == len(POINTS) else 0)
    return {
        str(trump): dict(zip(told, map(int, row), strict=True))
        for trump, row in zip(trumps, counts, strict=True)
    }
