"""Matches of players as text, and their games as records."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim42.cli._render import rules_lines
from sim42.deals.random import random_deals
from sim42.game.records import format_record
from sim42.game.rules import PASS, Rules
from sim42.game.state import Game
from sim42.game.tiles import Deal
from sim42.game.trumps import Trump
from sim42.tables.words import number_words

if TYPE_CHECKING:
    import pandas as pd

    from sim42.runs.matches import Arena

ABOUT_TRUMP = {
    "longest": "trump: longest suit",
    "best": "trump: best for the bid, double dummy",
    "call": "trump and bid as called, double dummy",
}


def game_records(games: "pd.DataFrame") -> Iterator[str]:
    """Lines of the records of games (`sim42.runs.frames.load_games`), match by match.

    All deals with the first player declaring, then all with the second.
    """
    rules, seed = Rules.from_dict(games.attrs["rules"]), games.attrs["seed"]
    dealt = random_deals(games.attrs["deals"], seed).tolist()
    for _, match in games.groupby(["first", "second"], sort=False):
        for who in ("first", "second"):
            columns = (match[name] for name in ("deal", "trump", "bid", f"{who}_plays"))
            for number, trump, bid, plays in zip(*columns, strict=True):
                deal, bids = Deal(dealt[number]), [int(bid), PASS, PASS, PASS]
                game = Game(deal, 3, rules=rules, bids=bids, trump=Trump(trump), plays=[*plays])
                yield format_record(game.record()) + "\n"


def arena_text(table: "pd.DataFrame", arena: "Arena") -> str:
    """The matches for a terminal."""
    width = max(map(len, [*arena.players, "declares"]))
    bid = "" if arena.bid is None else f", bid {arena.bid}"
    trump = ABOUT_TRUMP.get(arena.trump, f"trump: {arena.trump}")
    lines = [
        f"{number_words(arena.deals, 'deal')}, seed {arena.seed}{bid}, {trump}",
        *_played(table, arena),
        *rules_lines(arena.rules),
        "Contracts made in %, with 95 % intervals; the same deals for all, each player declaring",
        "once and defending once. Players see only their own hand, but for double-dummy.",
        "",
        *(_all_against_all(table, arena, width) if len(arena.players) > 2 else ()),
        f"{'declares':{width}}  {'defends':{width}}   made         95 %",
    ]
    for row in table.to_dict("records"):
        for one, other in (("first", "second"), ("second", "first")):
            made, low, high = (100 * row[f"{one}_{name}"] for name in ("made", "low", "high"))
            lines.append(
                f"{row[one]:{width}}  {row[other]:{width}}  {made:5.1f}  {low:5.1f} to {high:5.1f}"
            )
        ahead, low, high = (100 * row[name] for name in ("ahead", "ahead_low", "ahead_high"))
        lines.append(
            f"{row['first']} less {row['second']}: {ahead:+.1f} ({low:+.1f} to {high:+.1f}) "
            f"percentage points, {row['ahead_marks']:+.2f} marks a hand"
        )
        if isinstance(row["needed"], int):
            lines.append(
                f"(players that differ by one point are told apart after {row['needed']:,} deals)"
            )
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _played(table: "pd.DataFrame", arena: "Arena") -> list[str]:
    """How many deals were played, where some were passed out."""
    played = int(table["deals"].iloc[0])
    if played == arena.deals:
        return []
    return [f"Played were {played:,}: in the others the declarer's hand is a pass."]


def _all_against_all(table: "pd.DataFrame", arena: "Arena", width: int) -> list[str]:
    """A row for who declares, a column for who defends."""
    made = {}
    for row in table.to_dict("records"):
        made[row["first"], row["second"]] = row["first_made"]
        made[row["second"], row["first"]] = row["second_made"]
    widths = [max(len(name), 5) for name in arena.players]
    columns = list(zip(arena.players, widths, strict=True))
    names = "  ".join(f"{name:>{w}}" for name, w in columns)
    lines = [f"{'':{width}}  against", f"{'declares':{width}}  {names}"]
    for one in arena.players:
        cells = (f"{100 * made[one, o]:.1f}" if o != one else "-" for o in arena.players)
        line = "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, widths, strict=True))
        lines.append(f"{one:{width}}  {line}")
    return [*lines, ""]
