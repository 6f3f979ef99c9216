"""Tables of a run as text for a terminal, and as JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final

import pandas as pd

from sim42.cli._render import given_lines, in_play_lines, records, rules_lines
from sim42.cli._terminal import by_chance
from sim42.game.rules import Rules
from sim42.runs.sample import POINTS
from sim42.tables.played_rate import PLAYER
from sim42.tables.words import (
    MARKS_ARE_POINTS,
    POINTS_SCORED,
    caution,
    count_words,
    hands_words,
    number_words,
    percent,
    seats_words,
    seed_words,
)

TILES: Final = {"dash": ("", "-", ""), "colon": ("", ":", ""), "bracket": ("[", "|", "]")}
RATE: Final = "rate_"
COLUMNS: Final = 80
CROSS_FITTED: Final = "Cross-fitted: chosen on half of the deals, rated on the other half."
FAIR: Final = (
    "fair: marks drawn towards what hands like it make, by which hands are ranked;",
    "± is the half-width of its 95 % interval.",
)
NOT_ALL: Final = "Not all bids fit; --format csv has them."
MATTERS: Final = (30, 42, 35, 40, 31, 41, 34, 36, 32, 33, 39, 38, 37)
"""Bids in the order in which they are shown where there is not room for all."""


def with_tiles(table: pd.DataFrame, style: str) -> pd.DataFrame:
    """The same table with tiles, and shapes of hands, written in another way.

    >>> with_tiles(pd.DataFrame({"hand": ["6-4 5-5"]}), "bracket").loc[0, "hand"]
    '[6|4] [5|5]'
    """
    before, between, after = TILES[style]
    if style == "dash":
        return table
    written = {
        name: before
        + table[name].str.replace("-", between).str.replace(" ", f"{after} {before}")
        + after
        for name in ("hand", "shape")
        if name in table
    }
    return table.assign(**written)


def survey_json(table: pd.DataFrame) -> str:
    """The whole table as one JSON object."""
    facts = {"double_dummy": True, "rows": records(table)}
    return json.dumps({**table.attrs, **facts}, indent=1) + "\n"


def survey_text(table: pd.DataFrame, colour: bool = False) -> str:
    """A table of a run for a terminal."""
    attrs = table.attrs
    deals = count_words(attrs.get("fewest_deals", attrs["deals"]), attrs["deals"], "deal")
    lines = [
        f"{hands_words(attrs['hands'], attrs)}, {deals} a hand, {seed_words(attrs['seed'])}",
        "Chance in % that each bid makes, double dummy: all four hands are seen.",
        *given_lines(attrs),
        *([f"Of trumps {', '.join(attrs['trumps'])} alone."] if "trumps" in attrs else []),
        *rules_lines(Rules.from_dict(attrs["rules"])),
        "",
    ]
    if "hands" in table:
        lines += [*_group_lines(table, colour), *filter(None, [caution(attrs)])]
    else:
        lines += _row_lines(table, colour) if "trump" in table else _best_lines(table, colour)
        if attrs["rules"]["scoring"] == "points":
            lines.append(POINTS_SCORED if attrs["floor"] else MARKS_ARE_POINTS)
    if "mask" in table and (more := attrs["hands"] - table["mask"].nunique()):
        lines += ["", f"and {number_words(more, 'more hand')}: --limit N, or -o FILE"]
    if "hands" in table and (more := attrs.get("groups", len(table)) - len(table)):
        lines += ["", f"and {number_words(more, 'more group')}: --limit N, or -o FILE"]
    return "\n".join(lines) + "\n"


def _bids(table: pd.DataFrame, prefix: str = RATE) -> list[int]:
    return [bid for bid in POINTS if f"{prefix}{bid}" in table]


def _cells(row: Any, bids: list[int], colour: bool, of: str = "") -> str:
    """Rates of the bids, or chances in play, and the largest half-width of their intervals."""
    name, low, high = (of, f"{of}_low", f"{of}_high") if of else ("rate", "low", "high")
    half = max(row[f"{high}_{bid}"] - row[f"{low}_{bid}"] for bid in bids) / 2
    rates = [row[f"{name}_{bid}"] for bid in bids]
    cells = "".join(by_chance(f"{percent(rate):>5}", rate, colour) for rate in rates)
    return cells + f"{percent(half):>6}"


def _row_lines(table: pd.DataFrame, colour: bool) -> Iterator[str]:
    every = _bids(table)
    bids = _that_fit(every, 9, "mean" in table)
    head = f"{'trump':9}" + "".join(f"{bid:>5}" for bid in bids) + "     ±" + _points_head(table)
    for _, rows in table.groupby("mask", sort=False):
        first = rows.iloc[0]
        yield f"{first['hand']}  {_play_words(first)}"
        yield f"{'double dummy':>{len(first['hand'])}}  {_call_words(first)}"
        yield head
        for row in rows.to_dict("records"):
            yield f"{row['trump']:9}" + _cells(row, bids, colour) + _points_cells(row)
            yield f"{' in play':9}" + _cells(row, bids, colour, "in_play")
            if row.get("games"):
                yield f"{' played':9}" + _played_cells(row, bids, colour)
        yield ""
    yield "± is the half-width of the 95 % interval (Wilson), the widest of the row."
    yield from in_play_lines(PLAYER)
    yield from _played_lines(table)
    yield from _points_lines(table)
    yield "Marks are those expected of the call on these deals."
    yield CROSS_FITTED
    if len(bids) < len(every):
        yield NOT_ALL


def _call_words(row: Any) -> str:
    """The call of a hand and its marks, also cross-fitted."""
    if pd.isna(row["best_bid"]):
        return "pass"
    cross = "" if pd.isna(row["cross_marks"]) else f" ({row['cross_marks']:+.2f} cross-fitted)"
    return f"bid {row['best_bid']}, {row['best_trump']}: {row['shown']:+.2f} marks{cross}"


def _play_words(row: Any) -> str:
    """The call of a hand that is best in play."""
    if pd.isna(row["play_bid"]):
        return "in play: pass"
    return f"in play: bid {row['play_bid']}, {row['play_trump']}: {row['play_marks']:+.2f} marks"


def _best_lines(table: pd.DataFrame, colour: bool) -> Iterator[str]:
    bids = _bids(table, "best_rate_")
    ends = sorted({bids[0], bids[-1]})
    few = table["fair"].isna().all()
    yield (
        f"{'hand':{_width(table, 'hand')}}  {'trump':9}  bid"
        + "".join(f"{bid:>6}" for bid in ends)
        + ("   shown  cross-fitted" if few else "   shown    fair     ±")
    )
    for row in table.to_dict("records"):
        call = _call_cells(row, "best", "shown", ends, colour)
        if few:
            figures = f"{_marks(row['cross_marks']):>14}"
        else:
            half = (row["fair_high"] - row["fair_low"]) / 2
            figures = f"{_marks(row['fair']):>8}{'' if pd.isna(half) else f'{half:.2f}':>6}"
        yield f"{row['hand']}  {call}{figures}"
        call = _call_cells(row, "play", "play_marks", ends, colour)
        yield f"{'in play':>{len(row['hand'])}}  {call}"
    yield ""
    yield "Rates are those of the trump, shown are the marks of the bid on these deals; a"
    yield "pass is worth 0. What looks best owes part of that to luck:"
    yield from [CROSS_FITTED] if few else FAIR
    yield "In play: the call that is best by the chances estimated when nobody sees the"
    yield f"others' hands ({PLAYER})."


def _call_cells(row: Any, of: str, marks: str, bids: list[int], colour: bool) -> str:
    """Trump and bid of a call, double dummy (`best`) or in play, its rates and its marks."""
    bid = "pass" if pd.isna(row[f"{of}_bid"]) else str(row[f"{of}_bid"])
    rates = [row[f"{of}_rate_{bid}"] for bid in bids]
    cells = "".join(by_chance(f"{percent(rate):>6}", rate, colour) for rate in rates)
    return f"{row[f'{of}_trump']:9} {bid:>4}{cells}{row[marks]:>+8.2f}"


def _marks(marks: float) -> str:
    return "" if pd.isna(marks) else f"{marks:+.2f}"


def _group_lines(table: pd.DataFrame, colour: bool) -> Iterator[str]:
    by = list(table.columns[: table.columns.get_loc("hands")])
    widths = [max(len(name), _width(table, name)) for name in by]
    every = _bids(table)
    bids = _that_fit(every, sum(width + 1 for width in widths) + 7, "mean" in table)
    yield (
        "".join(f"{name:<{width}} " for name, width in zip(by, widths, strict=True))
        + f"{'hands':>7}"
        + "".join(f"{bid:>5}" for bid in bids)
        + "     ±"
        + _points_head(table)
    )
    for row in table.to_dict("records"):
        names = (_plain(row[name]) for name in by)
        yield (
            "".join(f"{name:<{width}} " for name, width in zip(names, widths, strict=True))
            + f"{row['hands']:>7}"
            + _cells(row, bids, colour)
            + _points_cells(row)
        )
        width = sum(width + 1 for width in widths) + 7
        yield f"{' in play':{width}}" + _cells(row, bids, colour, "in_play")
        if row.get("games"):
            yield f"{' played':{width}}" + _played_cells(row, bids, colour)
    yield ""
    yield "± is the widest half-width of the 95 % intervals (spread between hands)."
    if table.attrs.get("simultaneous"):
        yield "In 95 of 100 such tables all of them hold at once."
    yield f"in play: mean chance as estimated when nobody sees the others' hands ({PLAYER})."
    yield from _played_lines(table)
    yield from _points_lines(table)
    if table.attrs["best"]:
        yield "Each hand with its best trump, chosen on half of its deals, rated on the rest;"
        yield "if its halves choose trumps of two groups, it counts in both."
    if len(bids) < len(every):
        yield NOT_ALL


def _that_fit(bids: list[int], taken: int, with_points: bool) -> list[int]:
    """The bids that matter most, as many as there is room for beside what takes so many columns."""
    room = (COLUMNS - taken - 6 - 14 * with_points) // 5
    return sorted(sorted(bids, key=MATTERS.index)[: max(room, 2)])


def _played_cells(row: Any, bids: list[int], colour: bool) -> str:
    """Rates of the bids that were played, below those of double dummy, and the widest interval."""
    played = [bid for bid in bids if f"played_rate_{bid}" in row]
    half = max((row[f"played_high_{bid}"] - row[f"played_low_{bid}"] for bid in played), default=0)
    rates = [row[f"played_rate_{bid}"] if bid in played else None for bid in bids]
    cells = (
        " " * 5 if rate is None else by_chance(f"{percent(rate):>5}", rate, colour)
        for rate in rates
    )
    return "".join(cells) + f"{percent(half / 2):>6}"


def _played_lines(table: pd.DataFrame) -> list[str]:
    """Who played, where bids were played."""
    playing = table.attrs.get("playing")
    if not playing:
        return []
    return [f"played: made on the same deals by {seats_words(playing)}."]


def _points_head(table: pd.DataFrame) -> str:
    return f"{'points':>8}{'sd':>6}" if "mean" in table else ""


def _points_cells(row: Any) -> str:
    """Mean and deviation of the points, where all are told apart."""
    if "mean" not in row:
        return ""
    deviation = "–" if pd.isna(row["sd"]) else f"{row['sd']:.1f}"
    return f"{row['mean']:8.1f}{deviation:>6}"


def _points_lines(table: pd.DataFrame) -> list[str]:
    return ["points, sd: their mean and standard deviation over deals."] * ("mean" in table)


def _width(table: pd.DataFrame, name: str) -> int:
    return max((len(_plain(value)) for value in table[name]), default=0)


def _plain(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
