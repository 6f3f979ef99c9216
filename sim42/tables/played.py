"""Bids that were played, beside what they make when all four hands are seen."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import bid_marks
from sim42.runs.playing import PlayedSample
from sim42.runs.shards import GAMES
from sim42.tables.spread import mean_interval_of
from sim42.tables.stats import wilson

if TYPE_CHECKING:  # the figures of a hand need no frame, which takes a while to import
    import pandas as pd

FIGURES: Final = (
    "played_rate",
    "played_low",
    "played_high",
    "difference",
    "difference_low",
    "difference_high",
)
"""What tables of runs hold of each bid that was played."""


def played_facts(played: PlayedSample) -> dict[str, Any]:
    """Who played, and the figures of each trump and bid: what the JSON of ``sim42 bid`` holds.

    Returns
    -------
    dict
        ``player``, ``others``, ``bids``, ``deals``; and ``rows``, one a (trump, bid), as
        `played_row` gives them.

    >>> from sim42 import Trump
    >>> from sim42.runs.playing import Playing, play_sample
    >>> hand = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
    >>> facts = played_facts(play_sample(hand, [Trump.SIXES], Playing("random", bids=[42]), 20))
    >>> facts["rows"][0]["played_rate"], facts["rows"][0]["difference"]
    (1.0, 0.0)
    """
    rows = [
        {"trump": str(trump), "bid": bid, **played_row(played.counts[t, b], bid)}
        for t, trump in enumerate(played.trumps)
        for b, bid in enumerate(played.playing.bids)
    ]
    return {**played.playing.as_dict(), "deals": played.deals, "rows": rows}


def played_row(counts: NDArray[np.int64], bid: int) -> dict[str, float]:
    """The figures of one bid.

    Parameters
    ----------
    counts : int64 (2, 2)
        Deals by whether it makes double dummy, and whether it was made.
    bid : int
        The bid.

    Returns
    -------
    dict
        ``played_made`` deals, ``played_rate`` and its Wilson interval ``played_low``,
        ``played_high``; ``difference``, that rate less the double-dummy one of the same deals, with
        ``difference_low`` and ``difference_high`` (95 %, paired); ``played_marks`` expected.

    >>> row = played_row(np.array([[2, 1], [3, 4]]), 30)
    >>> row["played_rate"], round(row["difference"], 9), row["played_marks"]
    (0.5, -0.2, 0.0)
    """
    deals, made = int(counts.sum()), int(counts[:, 1].sum())
    low, high = wilson(made, deals)
    times = [counts[0, 0] + counts[1, 1], counts[0, 1], counts[1, 0]]
    ahead = mean_interval_of([0, 1, -1], times, 1)
    return {
        "played_made": made,
        **dict(zip(FIGURES, (made / deals, float(low), float(high), *ahead), strict=True)),
        "played_marks": bid_marks(bid) * (2 * made / deals - 1),
    }


def played_bids(attrs: Mapping[Any, Any]) -> list[int]:
    """The bids that were played in a run, from the attributes of its frame."""
    return list((attrs.get("playing") or {"bids": ()})["bids"])


def games_of(frame: "pd.DataFrame", bid: int) -> NDArray[np.int64]:
    """Deals by whether a bid makes double dummy, and whether it was made; (rows, 2, 2).

    Rows are those of `sim42.runs.frames.load_run`; what was not played has no deals.
    """
    made, seen, both = (frame[f"{name}_{bid}"].to_numpy(dtype=np.int64) for name in GAMES)
    neither = frame["games"].to_numpy(dtype=np.int64) - made - seen + both
    return np.stack([neither, made - both, seen - both, both], axis=-1).reshape(-1, 2, 2)


def played_columns(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The figures of `played_row` for each row of a run, as `played_rate_30`; nan where none is.

    Returns
    -------
    DataFrame
        `games`, and the columns; nothing when no bid was played.

    >>> from sim42 import Study, run_study
    >>> hands = ["6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    >>> study = Study(hands=hands, deals=4, seed=1, trumps=["fives", "sixes"], playing="random")
    >>> played_columns(run_study(study))[["games", "played_rate_42"]].values.tolist()
    [[0.0, nan], [4.0, 1.0]]
    """
    import pandas as pd

    bids = played_bids(frame.attrs)
    columns: dict[str, Any] = {"games": frame["games"]} if bids else {}
    for bid in bids:
        rows = [played_row(counts, bid) if counts.any() else {} for counts in games_of(frame, bid)]
        figures = pd.DataFrame(rows, index=frame.index, columns=list(FIGURES), dtype=float)
        columns |= {f"{name}_{bid}": figures[name] for name in FIGURES}
    return pd.DataFrame(columns, index=frame.index)


def with_played(rows: "pd.DataFrame", facts: dict[str, Any]) -> "pd.DataFrame":
    """The rows of `sim42.tables.bid.bid_rows` with the figures of the bids that were played.

    >>> from sim42.runs.playing import Playing, play_sample
    >>> from sim42.runs.tally import tally_hand
    >>> from sim42.tables.bid import bid_rows
    >>> question = {"hand": "6-6 6-5 6-4 6-3 6-2 6-1 6-0", "deals": 9, "trumps": ["sixes"]}
    >>> played = play_sample(**question, playing=Playing("random", bids=[42]))
    >>> rows = with_played(bid_rows(tally_hand(**question)), played_facts(played))
    >>> rows[["bid", "rate", "played_rate"]].tail(2).values.tolist()
    [[41.0, 1.0, nan], [42.0, 1.0, 1.0]]
    """
    import pandas as pd

    figures = pd.DataFrame(facts["rows"])
    figures["trump"] = pd.Categorical(
        figures["trump"], categories=rows["trump"].cat.categories, ordered=True
    )
    joined = rows.merge(figures, on=["trump", "bid"], how="left")
    joined["played_made"] = joined["played_made"].astype("Int64")
    joined.attrs = {**rows.attrs, "played": facts}
    return joined
