"""What players are worth against each other: the contracts that they made on the same deals."""

from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.deals.random import deals_around_hands
from sim42.game.rules import PASS, bid_marks, bid_points
from sim42.game.trumps import Trump
from sim42.play.arena import longest_suit
from sim42.runs.bidding import SEED
from sim42.runs.matches import Arena, Contracts
from sim42.solver.values import solve_many
from sim42.tables.call import call_bids, choose
from sim42.tables.spread import mean_interval
from sim42.tables.stats import quantile_of, wilson

CALLED_ON: Final = 20
"""Deals around a hand, seen by all, that choose its trump or its call."""


def contracts_of(arena: Arena, threads: int | None = None) -> Contracts:
    """What the declarers of an arena call.

    Parameters
    ----------
    arena : Arena
        With the trump ``best`` it is the one that makes the bid most often, double dummy, in the
        first `CALLED_ON` deals of seed 42 around the hand; with ``call`` trump and bid are those of
        `sim42.tables.call.choose` in these deals, or a pass.
    threads : int, optional
        One a core when None.

    >>> from sim42.deals.random import random_deals
    >>> contracts = contracts_of(Arena(players=["club", "random"], seed=1, trump="call", bid=None))
    >>> trumps, bids = contracts(random_deals(3, 1))
    >>> [str(trump) for trump in trumps], bids
    (['ones', 'fours', 'fours'], [30, 30, 30])
    """
    rules = arena.rules

    def fixed(deals: NDArray[np.int64]) -> tuple[list[Trump], list[int]]:
        return [Trump(arena.trump)] * len(deals), [arena.bid or PASS] * len(deals)

    def longest(deals: NDArray[np.int64]) -> tuple[list[Trump], list[int]]:
        trumps = [longest_suit(mask) for mask in deals[:, 0].tolist()]
        return trumps, [arena.bid or PASS] * len(deals)

    def chosen(deals: NDArray[np.int64]) -> tuple[list[Trump], list[int]]:
        bids = call_bids(rules) if arena.bid is None else (arena.bid,)
        lowest = min(map(bid_points, bids))
        index = np.tile(np.arange(CALLED_ON), len(deals))
        around = deals_around_hands(np.repeat(deals[:, 0], CALLED_ON), index, SEED)
        points = solve_many(around, None, 0, lowest, threads, rules)
        points = points.reshape(len(deals), CALLED_ON, len(Trump))
        made = points[..., np.newaxis] >= np.arange(lowest, 43)
        called = choose(made.sum(axis=1), np.full((len(deals), len(Trump)), CALLED_ON), bids)
        trumps = [Trump(trump) for trump in called.trump.tolist()]
        taken = called.bid if arena.bid is None else called.offer
        return trumps, taken.tolist()

    return {"longest": longest, "best": chosen, "call": chosen}.get(arena.trump, fixed)


def match_table(games: pd.DataFrame) -> pd.DataFrame:
    """A row for each match of two players.

    Parameters
    ----------
    games : DataFrame
        Columns `first`, `second`, `bid`, `first_made` and `second_made` of those of
        `sim42.runs.frames.load_games`.

    Returns
    -------
    DataFrame
        - `first`, `second`, `deals`
        - `first_made`, `first_low`, `first_high`: rate at which the first made the contract as
          declarer against the second, and its 95 % Wilson interval; `second_made` ... the reverse
        - `ahead`, `ahead_low`, `ahead_high`: the first's rate less the second's, paired by deal,
          with its 95 % interval; `ahead_marks`, `ahead_marks_low`, `ahead_marks_high`: the marks a
          deal that go with it, each made contract being worth its stake to one side instead of the
          other (A5)
        - `needed`: deals after which a difference of one percentage point stands out at 95 %;
          missing when all pairs are alike

    >>> made = {"first_made": [True, True, False, True], "second_made": [False, True, False, False]}
    >>> table = match_table(pd.DataFrame({"first": "a", "second": "b", "bid": 30, **made}))
    >>> table[["first_made", "second_made", "ahead"]].values.tolist()
    [[0.75, 0.25, 0.5]]
    """
    rows: list[dict[str, Any]] = []
    for (first, second), match in games.groupby(["first", "second"], sort=False):
        row: dict[str, Any] = {"first": first, "second": second, "deals": len(match)}
        for name in ("first", "second"):
            made = match[f"{name}_made"]
            low, high = wilson(made.sum(), np.int64(len(made)))
            row |= {
                f"{name}_made": float(made.mean()),
                f"{name}_low": float(low),
                f"{name}_high": float(high),
            }
        paired = match["first_made"].to_numpy().astype(np.int64) - match["second_made"]
        stakes = match["bid"].map(bid_marks).to_numpy()
        spread = float(paired.std(ddof=1)) if len(paired) > 1 else 0.0
        needed = (quantile_of(0.95) * spread / 0.01) ** 2
        most = int(stakes.max())
        row |= _named("ahead", mean_interval(paired.to_numpy(), -1, 1))
        row |= _named("ahead_marks", mean_interval((stakes * paired).to_numpy(), -most, most))
        row |= {"needed": int(np.ceil(needed)) if needed else pd.NA}
        rows.append(row)
    table = pd.DataFrame(rows)
    table["needed"] = table["needed"].astype("Int64")
    return table


def _named(name: str, figures: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), figures, strict=True))
