"""Bids that were played, as text."""

from typing import Any, Final

from sim42.cli._terminal import by_chance
from sim42.tables.words import number_words, percent, seats_words

HEADING: Final = (
    f"{'trump':9}{'bid':>5}{'played':>8}  {'95 %':^14}{'seen':>7}{'less':>8}  {'95 %':^14}"
    f"{'marks':>8}"
)


def played_text(facts: dict[str, Any], colour: bool = False) -> str:
    """What `sim42.tables.played.played_facts` tells, below the table of a bid."""
    deals = number_words(facts["deals"], "deal").replace(",", "")
    lines = [
        "",
        f"Played by {seats_words(facts)}:",
        f"the same {deals}, each bid a game of its own. Made in %, and the difference to",
        "double dummy deal by deal, with 95 % intervals.",
        "",
        HEADING,
    ]
    for row in facts["rows"]:
        played, low, high = (row[f"played_{name}"] for name in ("rate", "low", "high"))
        cell = by_chance(f"{percent(played):>8}", played, colour)
        ends = f"{percent(low):>5} to {percent(high):<5}"
        less, *less_ends = (_signed(row[f"difference{name}"]) for name in ("", "_low", "_high"))
        seen = percent(min(max(played - row["difference"], 0.0), 1.0))
        lines.append(
            f"{row['trump']:9}{row['bid']:>5}{cell}  {ends:14}{seen:>7}{less:>8}"
            f"  {less_ends[0]:>5} to {less_ends[1]:<5}{row['played_marks']:>+8.2f}"
        )
    return "\n".join(lines) + "\n"


def _signed(part: float) -> str:
    """A difference of rates in percentage points; nothing known of a single deal."""
    return "?" if part != part else f"{100 * part:+.1f}"
