"""Plays to figures: how often each bid makes after each, and how far one is behind the best.

What is counted for a lead: deals in which the side of the player gets what it wants of a bid. The
declarer's side wants to make it, the others to set it.
"""

import json
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42 import __version__
from sim42.errors import RequestError, check_frame, check_kind, shown
from sim42.game.rules import MARK_BIDS, bid_points
from sim42.game.tiles import MOST_POINTS, NAMES, format_tiles
from sim42.runs.leads import LeadSample
from sim42.solver.threads import is_whole
from sim42.tables.bid import check_rows
from sim42.tables.counts import BIDS
from sim42.tables.spread import USUAL_POINTS, mean_interval, student_interval
from sim42.tables.stats import wilson

SEEING: Final = "seeing"
"""Name of the row of a player who sees all hands, and so leads the best tile of each deal."""
FACTS: Final = (
    "hand",
    "trump",
    "side",
    "bid",
    "best",
    "cross_fitted",
    "played",
    "deals",
    "seed",
    "layouts",
    "exact",
    "rules",
    "given",
    "double_dummy_after",
    "version",
)
"""What the attributes of a table hold."""


def wins(sample: LeadSample, bid: int) -> NDArray[np.bool_]:
    """Whether the player's side gets its way with a bid, bool (deals, trumps, tiles).

    >>> from sim42.runs.leads import sample_leads
    >>> sample = sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=5, trumps="sixes")
    >>> bool(wins(sample, 84).all())
    True
    """
    check_kind(sample, "sample", LeadSample, "what sample_leads or sample_plays returns")
    made: NDArray[np.bool_] = sample.points >= bid_points(bid)
    return ~made if sample.defends else made


def lead_table(sample: LeadSample, bid: int = 30) -> pd.DataFrame:
    """Every lead of a sample of one trump, the best for a bid first, and last the one who sees all.

    Parameters
    ----------
    sample : LeadSample
        Of one trump, nothing of whose points is below a floor.
    bid : int
        The bid that the order and the comparison are about; equal rates go by mean points.

    Returns
    -------
    DataFrame
        Columns ``lead`` (tile, or "seeing": the best one of each deal, as `sim42.bid_table` counts
        it), ``deals``, ``made_30`` ... ``made_42`` (deals made, or set by defenders), ``rate_``,
        ``low_`` and ``high_`` of these (Wilson), ``mean`` points of the player's side with
        ``mean_low`` and ``mean_high``; ``behind`` the best lead in the rate of the bid and
        ``points_behind`` in mean points, each with its ``_low`` and ``_high``, deal by deal; and
        ``equal``, the leads worth the same in every deal. Where all layouts were solved, nothing
        is a sample: the ends of intervals are the figures themselves. ``.attrs`` hold what was
        sampled, the best lead, and ``cross_fitted``: its rate when it is chosen on one half of the
        deals and rated on the other.

    Raises
    ------
    RequestError
        When there are several trumps, or the bid is none.

    >>> from sim42.runs.leads import sample_leads
    >>> table = lead_table(sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps="sixes"))
    >>> table.loc[0, "equal"], int(table.loc[0, "made_42"])
    ('6-6 6-5 6-4 6-3 6-2 6-1 6-0', 20)
    """
    check_kind(sample, "sample", LeadSample, "what sample_leads or sample_plays returns")
    if len(sample.trumps) != 1 or sample.floor:
        raise RequestError("a table of leads is of one trump, with all points told apart")
    if not is_whole(bid) or not (1 <= bid <= MOST_POINTS or bid in MARK_BIDS):
        raise RequestError(f"bid {shown(bid)}: 1 to {MOST_POINTS}, or marks")
    points = sample.points[:, 0]
    won = wins(sample, bid)[:, 0]
    mine = sample.total - points if sample.defends else points
    order = sorted(range(len(sample.tiles)), key=lambda n: (-won[:, n].sum(), -mine[:, n].sum(), n))
    best = order[0]
    rows = [_row(sample, NAMES[sample.tiles[n]], points[:, n], mine[:, n]) for n in order]
    for row, n in zip(rows, order, strict=True):
        behind = won[:, best].astype(np.int8) - won[:, n]
        row |= _ends("behind", mean_interval(behind, -1, 1), sample.is_all)
        behind, most = mine[:, best].astype(np.int64) - mine[:, n], sample.total
        in_points = student_interval(behind, USUAL_POINTS, -most, most)
        row |= _ends("points_behind", in_points, sample.is_all)
        same = (points == points[:, [n]]).all(axis=0)
        row["equal"] = " ".join(NAMES[sample.tiles[k]] for k in np.flatnonzero(same))
    seen = sample.seeing[:, 0]
    rows.append(_row(sample, SEEING, seen, sample.total - seen if sample.defends else seen))
    frame = pd.DataFrame(rows)
    frame["equal"] = frame["equal"].astype(object).where(frame["equal"].notna(), None)
    frame.attrs = {
        "hand": format_tiles(sample.mask),
        "trump": str(sample.trumps[0]),
        "side": "defenders" if sample.defends else "declarer",
        "bid": bid,
        "best": NAMES[sample.tiles[best]],
        "cross_fitted": cross_fitted(won),
        "played": [NAMES[tile] for tile in sample.plays],
        "deals": sample.deals,
        "seed": None if sample.is_all else sample.seed,
        "layouts": sample.ways,
        "exact": sample.is_all,
        "rules": sample.rules.as_dict(),
        "given": None if sample.given is None else sample.given.text,
        "double_dummy_after": True,
        "version": __version__,
    }
    return frame


def check_table(table: object) -> None:
    """Raise `RequestError` unless this is a table of `lead_table`."""
    check_frame(table, "table", "lead_table", ("lead", *(f"rate_{bid}" for bid in BIDS)), FACTS)


def read_lead(text: str | bytes) -> pd.DataFrame:
    """The table of `lead_table` again, from the JSON that ``sim42 lead --format json`` writes.

    Raises
    ------
    RequestError
        When it is something else, or was damaged.

    >>> read_lead("{}")
    Traceback (most recent call last):
    ...
    sim42.errors.RequestError: not the JSON of sim42 lead: 'rows' is missing
    """
    try:
        stored = json.loads(text)
        rows = pd.DataFrame(stored["rows"])
        facts: dict[Any, Any] = {name: stored[name] for name in FACTS}
        for bid in BIDS:
            made, deals = rows[f"made_{bid}"], rows["deals"]
            if not (
                (made >= 0) & (made <= deals) & (rows[f"rate_{bid}"] * deals).round().eq(made)
            ).all():
                raise ValueError(f"its rates of {bid} are not those of its counts")
    except KeyError as error:
        raise RequestError(f"not the JSON of sim42 lead: {error} is missing") from None
    except RecursionError:
        raise RequestError("not the JSON of sim42 lead: nested too deep") from None
    except (TypeError, AttributeError):
        raise RequestError("not the JSON of sim42 lead: its parts are of other kinds") from None
    except ValueError as error:
        raise RequestError(f"not the JSON of sim42 lead: {error}") from None
    rows.attrs = facts
    return rows


def cross_fitted(won: NDArray[np.bool_]) -> float | None:
    """Rate of the best lead when it is chosen on the even deals and rated on the odd, and back.

    Choosing and rating on the same deals flatters the choice.

    >>> cross_fitted(np.array([[True, False], [False, True]] * 2))
    0.0
    """
    if len(won) < 2:
        return None
    return float(_kept_on_the_other_half(won[:, None])[0] / len(won))


def fixed_leads(sample: LeadSample) -> pd.DataFrame:
    """How often each bid makes when the opening lead is one tile, chosen without seeing.

    After it everyone sees all hands. The lead is chosen for every trump and bid on one half of the
    deals and rated on the other, and back.

    Returns
    -------
    DataFrame
        A row a (trump, bid): ``lead`` (the best on all deals), ``fixed_made`` (deals, of two or
        more, that the lead chosen on the other half makes), ``fixed_rate``, ``fixed_low`` and
        ``fixed_high`` (Wilson), and ``flattered``, the rate of ``lead`` on the deals that chose it.

    Raises
    ------
    RequestError
        When there are less than two deals.

    >>> from sim42.runs.leads import sample_leads
    >>> fixed = fixed_leads(sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=9, trumps="sixes"))
    >>> fixed[["trump", "bid", "lead", "fixed_made"]].tail(1).to_string(index=False, header=False)
    'sixes 42 6-6 9'
    """
    check_kind(sample, "sample", LeadSample, "what sample_leads returns")
    if sample.deals < 2:
        raise RequestError("a lead is chosen on one half of the deals; that needs two at least")
    rows = []
    won = np.stack([wins(sample, bid) for bid in BIDS])
    for t, trump in enumerate(sample.trumps):
        for b, bid in enumerate(BIDS):
            total = won[b, :, t].sum(axis=0)
            made = int(_kept_on_the_other_half(won[b][:, [t]])[0])
            low, high = wilson(made, sample.deals)
            rows.append(
                {
                    "trump": str(trump),
                    "bid": bid,
                    "lead": NAMES[sample.tiles[int(total.argmax())]],
                    "fixed_made": made,
                    "fixed_rate": made / sample.deals,
                    "fixed_low": float(low),
                    "fixed_high": float(high),
                    "flattered": float(total.max() / sample.deals),
                }
            )
    return pd.DataFrame(rows)


def with_fixed_leads(rows: pd.DataFrame, sample: LeadSample) -> pd.DataFrame:
    """The rows of `sim42.tables.bid.bid_rows` with the columns of `fixed_leads` beside them.

    >>> from sim42.runs.leads import sample_leads
    >>> from sim42.tables.bid import bid_rows
    >>> sample = sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=9, trumps="sixes", floor=30)
    >>> rows = with_fixed_leads(bid_rows(sample.as_hand()), sample)
    >>> rows.columns[-6:].tolist()
    ['lead', 'fixed_made', 'fixed_rate', 'fixed_low', 'fixed_high', 'flattered']
    """
    check_rows(rows)
    fixed = fixed_leads(sample).drop(columns=["trump", "bid"])
    joined = pd.concat([rows, fixed], axis=1)
    joined.attrs = rows.attrs
    return joined


def _kept_on_the_other_half(won: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Deals won by the tile chosen on the other half of them: (deals, trumps, tiles) to (trumps,).

    Of tiles that win as many the first is taken, which does not look at the half that rates it.
    """
    found = np.zeros(won.shape[1], dtype=np.int64)
    for chosen_on, rated_on in ((won[0::2], won[1::2]), (won[1::2], won[0::2])):
        tile = chosen_on.sum(axis=0).argmax(axis=1)
        found += rated_on.sum(axis=0)[np.arange(len(tile)), tile]
    return found


def _row(
    sample: LeadSample, name: str, points: NDArray[np.int8], mine: NDArray[np.int8]
) -> dict[str, Any]:
    """The figures of one lead, whatever the others do."""
    row: dict[str, Any] = {"lead": name, "deals": sample.deals}
    made = [int((points < bid if sample.defends else points >= bid).sum()) for bid in BIDS]
    for bid, times in zip(BIDS, made, strict=True):
        low, high = wilson(times, sample.deals)
        rate = times / sample.deals
        row |= {f"made_{bid}": times, f"rate_{bid}": rate}
        row[f"low_{bid}"], row[f"high_{bid}"] = (
            (rate, rate) if sample.is_all else (float(low), float(high))
        )
    points_won = student_interval(mine, USUAL_POINTS, 0, sample.total)
    return row | _ends("mean", points_won, sample.is_all)


def _ends(name: str, interval: tuple[float, float, float], is_all: bool) -> dict[str, float]:
    """A mean with the ends of its interval, which are the mean itself when nothing is sampled."""
    mean, low, high = interval
    if is_all:
        low = high = mean
    return {name: mean, f"{name}_low": low, f"{name}_high": high}
