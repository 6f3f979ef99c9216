"""Reviews of played hands as text and as JSON."""

import json
import textwrap
from collections.abc import Iterator
from math import isnan
from typing import Any

import pandas as pd

from sim42.cli._render import records, rules_lines
from sim42.game.rules import Rules
from sim42.tables.review import (
    GROUPS,
    KINDS,
    NO_VERDICT,
    contract_line,
    given_away,
    given_line,
    turn_lines,
    worth_line,
)
from sim42.tables.words import number_words


def review_json(plays: pd.DataFrame) -> str:
    """All of a review: facts of the hands, every play, and what was given away by group."""
    groups = {by: records(given_away(plays, by)) for by in GROUPS}
    return json.dumps({**plays.attrs, "given_away": groups, "plays": records(plays)}, indent=1)


def review_text(plays: pd.DataFrame) -> str:
    """A review for a terminal: of one hand every play, of several what was given away."""
    hands = plays.attrs["hands"]
    lines = _one_hand(plays, hands[0]) if len(hands) == 1 else _many_hands(plays, hands)
    return "\n".join([*lines, "", *textwrap.wrap(NO_VERDICT, 80)]) + "\n"


def _one_hand(plays: pd.DataFrame, hand: dict[str, Any]) -> Iterator[str]:
    yield contract_line(hand)
    yield from rules_lines(Rules(**hand["rules"]))
    yield worth_line(hand)
    yield ""
    yield "play  trick  seat  tile  kind         value  gives away"
    for row in plays.to_dict("records"):
        if row["place"] == 1 and row["play"] > 1:
            yield ""
        line = "{play:4}{trick:7}{seat:6}  {tile:4}  {kind:11}{after:7}".format_map(row)
        if row["given"]:
            line += f"{row['given']:12}   best {row['best']}{row['turn'] and '; ' + row['turn']}"
        yield line
    yield ""
    yield given_line(hand)
    for turn in turn_lines(plays):
        yield from textwrap.wrap(turn, 80, break_on_hyphens=False)


def _many_hands(plays: pd.DataFrame, hands: list[dict[str, Any]]) -> Iterator[str]:
    made = sum(hand["made"] is True for hand in hands)
    over = sum(hand["made"] is not None for hand in hands)
    worth = sum(hand["worth"] >= hand["need"] for hand in hands)
    yield f"{number_words(len(hands), 'hand')}, {number_words(len(plays), 'play')}."
    yield f"Contracts that make double dummy: {worth} of {len(hands)}; made: {made} of {over}."
    turns = plays["turn"].value_counts()
    yield (
        f"Lost by the declarer's side {turns.get('lost', 0)} times, "
        f"let through by the defenders {turns.get('let through', 0)} times."
    )
    for by in GROUPS:
        yield ""
        yield f"{by:12}  plays  choices  costly  points   a hand       ±   a choice       ±"
        for row in given_away(plays, by).to_dict("records"):
            counts = "{plays:7,}{choices:9,}{costly:8,}{points:8,}".format_map(row)
            hand = _mean(row["a_hand"], row["a_hand_high"])
            choice = _mean(row["a_choice"], row["a_choice_high"])
            yield f"{row[by]!s:12}{counts}{hand:>17}{choice:>19}"
    yield ""
    yield "Points given away: how much worse a play was than the best one. A choice is a"
    yield "play with more than one legal tile; costly ones gave something away."
    yield "± is the half-width of the 95 % interval, from the spread between hands."
    kinds = "; ".join(f"{kind}, {what}" for kind, what in KINDS.items())
    yield from textwrap.wrap(f"Kinds: {kinds}.", 80)


def _mean(mean: float, high: float) -> str:
    """A mean and the half-width above it; a dash for what is not known."""
    half = "–" if isnan(high) else f"{high - mean:.3f}"
    return f"{'–' if isnan(mean) else f'{mean:.3f}'}{half:>8}"
