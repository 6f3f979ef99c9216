"""Leads of one hand as text and as JSON."""

from typing import Any, cast

import pandas as pd

from sim42.cli._render import given_lines, records, rules_lines
from sim42.cli._terminal import by_chance
from sim42.game.rules import Rules
from sim42.tables.counts import BIDS
from sim42.tables.leads import SEEING
from sim42.tables.words import every_words, number_words, percent


def lead_json(table: pd.DataFrame) -> dict[str, Any]:
    """The whole result as plain data."""
    return {**cast(dict[str, Any], table.attrs), "rows": records(table)}


def lead_text(table: pd.DataFrame, colour: bool = False) -> str:
    """Leads for a terminal of 80 columns: chances, then how far each is behind the best."""
    attrs, rows = cast(dict[str, Any], table.attrs), records(table)
    what = "set" if attrs["side"] == "defenders" else "made"
    lines = [
        f"{attrs['hand']}   trump {attrs['trump']}, {_deals(attrs)}",
        f"Chance in % that each bid is {what} after each {_play(attrs)}, chosen without seeing;",
        "from then on double dummy: all four hands are seen.",
        *given_lines(attrs),
        *rules_lines(Rules(**attrs["rules"])),
        "",
        f"{_play(attrs):7}" + "".join(f"{bid:>5}" for bid in BIDS) + "  points",
    ]
    for row in rows:
        rates = [row[f"rate_{bid}"] for bid in BIDS]
        cells = "".join(by_chance(f"{percent(rate):>5}", rate, colour) for rate in rates)
        lines.append(f"{row['lead']:7}{cells}{row['mean']:8.1f}")
    lines += [
        f"{SEEING}: the best {_play(attrs)} of each deal, for a player who sees all hands.",
        "points: mean of the player's side at the end of the hand.",
        "",
        *_behind(attrs, rows[:-1]),
    ]
    return "\n".join(lines) + "\n"


def fixed_text(rows: pd.DataFrame, colour: bool = False) -> str:
    """What fixed leads add to the table of a bid: chances, and the lead that was chosen."""
    lines = [
        "",
        "The same with one opening lead for all deals, chosen without seeing:",
        "",
        f"{'trump':9}" + "".join(f"{bid:>5}" for bid in BIDS) + "     ±",
    ]
    leads = []
    for trump, part in rows.groupby("trump", observed=True, sort=False):
        half = 50 * (part["fixed_high"] - part["fixed_low"]).max()
        cells = "".join(by_chance(f"{percent(r):>5}", r, colour) for r in part["fixed_rate"])
        lines.append(f"{trump!s:9}{cells}{half:6.1f}")
        leads.append(f"{trump!s:9}" + "".join(f"{lead:>5}" for lead in part["lead"]))
    lines += [
        "",
        f"{'lead':9}" + "".join(f"{bid:>5}" for bid in BIDS),
        *leads,
        "The lead is the best for the bid. Its chance is cross-fitted: chosen on one half",
        "of the deals and rated on the other, and that for each bid, so by luck a higher",
        "bid may come out above a lower one. After it all four hands are seen. These are",
        "shares of the deals, to be held against those that --plain prints above.",
    ]
    return "\n".join(lines) + "\n"


def _behind(attrs: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    best, exact = attrs["best"], attrs["exact"]
    what = "setting" if attrs["side"] == "defenders" else "making"
    if len(rows) == 1:
        return [f"{best} is the only legal play."]
    ends = "" if exact else f"{'from':>8}{'to':>7}"
    head = f"% of {attrs['bid']}"
    how = "deal by deal" if exact else "deal by deal, with 95 % intervals"
    lines = [
        f"Behind {best}, the best for {what} {attrs['bid']}, {how}:",
        "",
        f"{_play(attrs):7}{head:>10}{ends}{'points':>12}{ends}",
    ]
    for row in rows[1:]:
        rate, points = _ends(row, "behind", 100, exact), _ends(row, "points_behind", 1, exact)
        lines.append(f"{row['lead']:7}{rate[0]:>10}{rate[1]}{points[0]:>12}{points[1]}")
    equals = {row["equal"]: None for row in rows if " " in row["equal"]}
    if equals:
        where = "every layout" if exact else "each of these deals"
        lines += ["", *(f"The same in {where}: {equal}" for equal in equals)]
    lines += ["", *_choice(attrs)]
    return lines


def _ends(row: dict[str, Any], name: str, scale: int, exact: bool) -> tuple[str, str]:
    """A difference, and the ends of its interval if it has one."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    shown = "" if exact else f"{scale * low:8.1f}{scale * high:7.1f}"
    return f"{scale * row[name]:.1f}", shown


def _choice(attrs: dict[str, Any]) -> list[str]:
    if attrs["exact"]:
        return ["All layouts are solved, so nothing is left to chance."]
    if attrs["cross_fitted"] is None:
        return ["Of one deal no difference is known."]
    return [
        "Choosing and rating on the same deals flatters the choice; chosen on one half",
        f"of the deals and rated on the other its chance is {percent(attrs['cross_fitted'])} %.",
    ]


def _play(attrs: dict[str, Any]) -> str:
    return "play" if len(attrs["played"]) % 4 else "lead"


def _deals(attrs: dict[str, Any]) -> str:
    if attrs["exact"]:
        return f"{every_words(attrs['layouts'], 'layout')} of the rest"
    deals = f"{number_words(attrs['deals'], 'random deal')}, seed {attrs['seed']}"
    return deals if attrs["layouts"] is None else f"{deals}, of {attrs['layouts']:,}"
