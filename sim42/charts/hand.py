"""Charts of one hand: which bids make with which trump."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from sim42.charts._dominoes import TILE, hand_above
from sim42.charts._grid import grid_names, heat
from sim42.charts._style import (
    ACCENT,
    CHANCE,
    DOUBLE_DUMMY,
    INK,
    axes_of,
    beside,
    foot,
    head,
    in_style,
    ink_on,
    points_of,
)
from sim42.tables.advice import call_words
from sim42.tables.bid import check_rows
from sim42.tables.words import PLAIN, method_words, number_words, percent, resting_on


@in_style
def chart_hand(rows: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of one hand: the chance of every bid with every trump, the hand above it.

    Parameters
    ----------
    rows : DataFrame
        As `sim42.tables.bid.bid_rows` gives it, with its ``.attrs``.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        The figures are its texts, row by row; after all of them, the chances in play.

    >>> from sim42.tables.bid import bid_rows
    >>> from sim42.runs.sample import sample_hand
    >>> from sim42 import Trump
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=10, trumps=[Trump.SIXES])
    >>> chart_hand(bid_rows(sample)).texts[0].get_text()
    '100'
    """
    check_rows(rows)
    grid = rows.pivot(index="trump", columns="bid", values="rate")
    chances = grid.to_numpy()
    played = rows.pivot(index="trump", columns="bid", values="in_play").to_numpy()
    ax = axes_of(ax, 8.6, 2.5 + 0.44 * len(grid))
    heat(ax, chances, places=1, size=9, lift=0.16)
    for (row, column), chance in np.ndenumerate(played):
        ink = ink_on(CHANCE(chances[row, column]))
        text = percent(chance, 0)
        ax.text(column, row + 0.25, text, ha="center", va="center", color=ink, fontsize=7)
    _even_line(ax, chances)
    grid_names(ax, list(grid.index), list(grid.columns))
    ax.set_xlabel("bid in points (42: every trick, as for 84)")
    beside(ax, "trump", (0, 0), (-4, -4), "top", size=10, ha="right")
    hand = rows.attrs["hand"]
    above = hand_above(ax, hand, above=8)
    _call_beside(ax, rows.attrs)
    head(
        ax,
        "How often the declarer's side makes each bid, in per cent of deals",
        f"Declarer holds {hand} and leads; {DOUBLE_DUMMY}",
        above=above,
    )
    foot(
        ax,
        f"{sample_note(rows)} Left of the line, half the deals or more make it. "
        + in_play_note(rows),
    )
    return ax


def sample_note(rows: pd.DataFrame, drawn: str = "", half: float | None = None) -> str:
    """What one hand's rates rest on: deals, seed and the widest interval among them.

    `drawn` says what draws the intervals, if anything does; `half` is the widest half-width of what
    is only counted, whatever the rates are.
    """
    attrs = rows.attrs
    method = method_words(attrs["estimate"] if half is None else PLAIN)
    how = ", ".join(filter(None, (method, drawn)))
    if half is None:
        half = float(((rows["high"] - rows["low"]) / 2).max())
    return (
        f"{number_words(attrs['deals'], 'random deal')} of the other 21 tiles, seed "
        f"{attrs['seed']}; 95 % intervals ({how}), half-width at most "
        f"{points_of(half)} points.{resting_on(attrs)}"
    )


def in_play_note(rows: pd.DataFrame) -> str:
    """What the chances in play are."""
    return (
        f"Small: estimated chance in play, by {rows.attrs['in_play']['player']}, who sees one hand."
    )


def call_lines(attrs: Mapping[Any, Any]) -> list[str]:
    """The call that is best in play in words, what it is worth, and the one of double dummy.

    Parameters
    ----------
    attrs : dict
        Those of `sim42.tables.bid.bid_rows`.

    >>> from sim42.runs.tally import tally_hand
    >>> from sim42.tables.bid import bid_facts
    >>> call_lines(bid_facts(tally_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", 20, trumps=["sixes"])))[0]
    'Open 84 in sixes'
    """
    seen, played = attrs["call"], attrs["in_play"]["call"]
    first, *words = call_words(played or seen)
    lines = [first.capitalize(), *(["; ".join(words)] if words else [])]
    best = "pass" if seen["bid"] is None else f"{seen['bid']} in {seen['trump']}"
    worth = f"double dummy {best}, {seen['marks']:+.2f} {seen['unit']}"
    if played is not None and played["bid"] is not None:
        worth = f"{played['marks']:+.2f} marks in play; {worth}"
    return [*lines, worth]


def _call_beside(ax: Axes, attrs: Mapping[Any, Any]) -> None:
    """The recommended call at the right, level with the dominoes."""
    words, *reasons = call_lines(attrs)
    beside(
        ax, words, (1, 1), (0, 8 + 2 * TILE), "top", size=12, ha="right", weight="bold", color=INK
    )
    beside(ax, "\n".join(reasons), (1, 1), (0, 2 * TILE - 9), "top", size=9, ha="right")


def _even_line(ax: Axes, chances: np.ndarray[Any, Any]) -> None:
    """A stepped line right of the last bid that makes in half the deals or more."""
    reach = (chances >= 0.5).sum(axis=1) - 0.5
    for row, edge in enumerate(reach):
        ax.plot([edge, edge], [row - 0.5, row + 0.5], color="white", lw=4, clip_on=False)
    edges = np.repeat(reach, 2)
    sides = np.ravel([(row - 0.5, row + 0.5) for row in range(len(reach))])
    ax.plot(edges, sides, color=ACCENT, lw=2.2, clip_on=False, solid_joinstyle="miter")
