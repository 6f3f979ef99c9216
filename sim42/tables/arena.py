"""What players are worth against each other: the contracts that they made on the same deals."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.game.rules import bid_marks
from sim42.tables.spread import mean_interval
from sim42.tables.stats import quantile_of, wilson


def match_table(matches: dict[tuple[str, str], NDArray[np.bool_]], bid: int) -> pd.DataFrame:
    """A row for each match of two players.

    Parameters
    ----------
    matches : dict
        From the names of two players to what `sim42.play.arena.meet` gave, bool (deals, 2).
    bid : int
        The contract.

    Returns
    -------
    DataFrame
        - `first`, `second`, `deals`
        - `first_made`, `first_low`, `first_high`: rate at which the first made the contract as
          declarer against the second, and its 95 % Wilson interval; `second_made` ... the reverse
        - `ahead`, `ahead_low`, `ahead_high`: the first's rate less the second's, paired by deal,
          with its 95 % interval; `ahead_marks`, the marks a deal that go with it, each
          made contract being worth its stake to one side instead of the other (A5)
        - `needed`: deals after which a difference of one percentage point stands out at 95 %;
          missing when all pairs are alike

    >>> made = np.array([[True, False], [True, True], [False, False], [True, False]])
    >>> table = match_table({("a", "b"): made}, 30)
    >>> table[["first_made", "second_made", "ahead"]].values.tolist()
    [[0.75, 0.25, 0.5]]
    """
    rows: list[dict[str, Any]] = []
    for (first, second), made in matches.items():
        row: dict[str, Any] = {"first": first, "second": second, "deals": len(made)}
        for column, name in enumerate(("first", "second")):
            low, high = wilson(made[:, column].sum(), np.int64(len(made)))
            row |= {
                f"{name}_made": float(made[:, column].mean()),
                f"{name}_low": float(low),
                f"{name}_high": float(high),
            }
        paired = made[:, 0].astype(np.int64) - made[:, 1]
        ahead, *ends = mean_interval(paired, -1, 1)
        spread = float(paired.std(ddof=1)) if len(paired) > 1 else 0.0
        needed = (quantile_of(0.95) * spread / 0.01) ** 2
        row |= {"ahead": ahead, "ahead_low": ends[0], "ahead_high": ends[1]}
        row |= {"ahead_marks": bid_marks(bid) * ahead}
        row |= {"needed": int(np.ceil(needed)) if needed else pd.NA}
        rows.append(row)
    table = pd.DataFrame(rows)
    table["needed"] = table["needed"].astype("Int64")
    return table
