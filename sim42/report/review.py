"""The page about played hands: what every play gave away, and where contracts were lost."""

from typing import Any, Final

import pandas as pd

from sim42 import charts
from sim42.game.dominoes import rows_svg
from sim42.game.tiles import ENDS, SEATS, Deal
from sim42.report.page import Cell, Column, Page
from sim42.tables.review import (
    GROUPS,
    KINDS,
    NO_VERDICT,
    check_plays,
    contract_line,
    given_away,
    given_line,
    turn_lines,
    worth_line,
)
from sim42.tables.words import number_words, rules_words

MOST_PLAYS: Final = 1000
"""Plays listed when there are several hands: those that gave most away."""


def report_review(plays: pd.DataFrame) -> str:
    """A page about played hands: of one the chart and every play, of several what was given away.

    Parameters
    ----------
    plays : DataFrame
        As `sim42.tables.review.review` gives it.

    Returns
    -------
    str
        HTML that needs nothing beside it.

    >>> from sim42 import Game
    >>> from sim42.tables.review import review
    >>> game = Game("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0",
    ...             shaker=3, bids=["42", "pass", "pass", "pass"], trump="sixes", plays=["6-6"])
    >>> page = report_review(review([game]))
    >>> page.count("<svg"), "Seat 0 plays 42" in page
    (2, True)
    """
    check_plays(plays)
    hands = plays.attrs["hands"]
    if len(hands) == 1:
        (hand,) = hands
        page = Page(contract_line(hand), NO_VERDICT)
        _one_hand(page, plays, hand)
    else:
        page = Page(f"What {number_words(len(hands), 'played hand')} gave away", NO_VERDICT)
        _many_hands(page, plays)
    page.heading("What was reviewed")
    page.facts(
        {
            "hands": number_words(len(hands), "hand"),
            "plays": number_words(len(plays), "play"),
            "values": "points of the declarer's side at the end of the hand, with best play by all",
            **KINDS,
            "version": f"sim42 {plays.attrs['version']}",
        }
    )
    return page.html(f"sim42 {plays.attrs['version']}")


def _one_hand(page: Page, plays: pd.DataFrame, hand: dict[str, Any]) -> None:
    rows = [[ENDS[tile] for tile in held] for held in Deal(hand["deal"]).hands]
    page.drawing(rows_svg(rows, [f"seat {seat}" for seat in SEATS]))
    if rules := rules_words(hand["rules"]):
        page.text(rules)
    page.text(worth_line(hand))
    for line in turn_lines(plays):
        page.text(line, "lead")
    page.text(given_line(hand))
    page.heading("What it was worth after every play")
    page.chart(charts.chart_review(plays))
    page.heading("Every play")
    _plays_table(page, plays, [])


def _many_hands(page: Page, plays: pd.DataFrame) -> None:
    page.text(
        "Given away: how much worse a play was than the best one. A choice is a play with more "
        "than one legal tile. Intervals are 95 %, from the spread between hands.",
        "soft",
    )
    for by in GROUPS:
        page.heading(f"By {by}")
        groups = given_away(plays, by)
        columns = [Column(by), *(Column(name, "{:,}".format) for name in _COUNTS)]
        columns += [Column(shown, "{:.3f}".format) for shown in _MEANS.values()]
        cells = groups[[by, *_COUNTS, *_MEANS]].astype(object)
        cells[by] = cells[by].astype(str)
        shown = cells.where(groups[[by, *_COUNTS, *_MEANS]].notna(), None)
        page.table(columns, [list(row) for row in shown.itertuples(index=False)])
    costly = plays[plays["given"] > 0].sort_values("given", ascending=False, kind="stable")
    page.heading("The plays that gave most away")
    if len(costly) > MOST_PLAYS:
        page.text(f"The first {number_words(MOST_PLAYS, 'play')} of {len(costly):,}.", "soft")
    _plays_table(page, costly.head(MOST_PLAYS), ["hand"])


_COUNTS: Final = ("plays", "choices", "costly", "points")
_MEANS: Final = {
    "a_hand": "points a hand",
    "a_hand_low": "from",
    "a_hand_high": "to",
    "a_choice": "points a choice",
    "a_choice_low": "from ",
    "a_choice_high": "to ",
}


def _plays_table(page: Page, plays: pd.DataFrame, first: list[str]) -> None:
    """The plays, a row each."""
    numbers = [*first, "play", "trick", "seat"]
    columns = [Column(name, "{:,}".format) for name in numbers]
    columns += [Column("tile"), Column("kind"), Column("value", str), Column("gave away", str)]
    columns += [Column("best"), Column("contract")]
    table: list[list[Cell]] = [
        [
            *(row[name] for name in numbers),
            *(row["tile"], row["kind"], row["after"], row["given"]),
            row["best"] if row["given"] else "",
            row["turn"],
        ]
        for row in plays.to_dict("records")
    ]
    page.table(columns, table)
