"""Charts of a played hand: its value after every play."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from sim42.charts._style import (
    ACCENT,
    FAINT,
    INK,
    LINE,
    MIDDLE,
    SOFT,
    axes_of,
    foot,
    head,
    in_style,
    right_of,
)
from sim42.errors import RequestError
from sim42.game.records import format_bid
from sim42.tables.review import NO_VERDICT, check_plays

MINUS: Final = "\N{MINUS SIGN}"


@in_style
def chart_review(plays: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Value of a hand after every play, the contract's line, and the plays that gave points away.

    Parameters
    ----------
    plays : DataFrame
        As `sim42.tables.review.review` gives it, of a single hand.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        The first line is the value, stepped.

    Raises
    ------
    RequestError
        When there are several hands.

    >>> from sim42 import Game
    >>> from sim42.tables.review import review
    >>> game = Game("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0",
    ...             shaker=3, bids=["42", "pass", "pass", "pass"], trump="sixes", plays=["6-6"])
    >>> chart_review(review([game])).lines[0].get_ydata().tolist()
    [42, 42]
    """
    check_plays(plays)
    hands = plays.attrs["hands"]
    if len(hands) != 1:
        raise RequestError(f"the chart of a review shows one hand, not {len(hands)}")
    (hand,) = hands
    ax = axes_of(ax, 9.6, 5.2)
    count = len(plays)
    values = [hand["worth"], *plays["after"]]
    ax.step(np.arange(count + 1), values, where="post", color=INK, lw=1.8, zorder=3)
    ax.axhline(hand["need"], color=ACCENT, lw=1.4, ls=(0, (5, 3)), zorder=2)
    for trick in range(0, 7, 2):
        ax.axvspan(4 * trick + 0.5, 4 * trick + 4.5, color=FAINT, lw=0, zorder=0)
    _given(ax, plays)
    ax.set_xticks([4 * trick + 2.5 for trick in range(7)], [f"trick {n}" for n in range(1, 8)])
    ax.tick_params(axis="x", length=0)
    ax.set_xlim(-0.3, 28.8)
    ax.set_ylim(-2.5, 46)
    ax.set_yticks(range(0, 43, 6))
    ax.set_ylabel("points of the declarer's side")
    side = hand["declarer"] % 2
    right_of(ax, f"bid {format_bid(hand['bid'])}", hand["need"], color=ACCENT)
    how = "breaks off" if hand["made"] is None else "made" if hand["made"] else "set"
    head(
        ax,
        f"What the hand was worth after every play: {format_bid(hand['bid'])}, {hand['trump']} "
        f"trump, {how}",
        f"Seat {hand['declarer']} declares, with seat {(hand['declarer'] + 2) % 4}. "
        "Circles gave points away: seat, tile, points.",
    )
    taken = "{} to {}".format(*(hand["points"][side], hand["points"][1 - side]))
    foot(
        ax,
        f"Filled circles lost the contract or let it through. Points taken: {taken}. {NO_VERDICT}",
    )
    return ax


def _given(ax: Axes, plays: pd.DataFrame) -> None:
    """A circle at each play that gave points away, with its seat, tile and price."""
    costly = plays[plays["given"] > 0]
    turned = costly["turn"] != ""
    for chosen, fill in ((~turned, "white"), (turned, ACCENT)):
        part = costly[chosen]
        ax.plot(
            part["play"], part["after"], "o", ms=7, mfc=fill, mec=ACCENT, mew=1.5, ls="", zorder=4
        )
    for row in costly.to_dict("records"):
        drops = row["after"] < row["before"]
        ax.vlines(row["play"], row["after"], row["before"], color=MIDDLE, lw=2.4, zorder=3)
        ax.annotate(
            f"{row['seat']}: {row['tile']}\n{MINUS if drops else '+'}{row['given']}",
            (row["play"], row["after"]),
            (0, -10 if drops else 10),
            textcoords="offset points",
            ha="center",
            va="top" if drops else "bottom",
            fontsize=8.5,
            color=INK if row["turn"] else SOFT,
            zorder=5,
        )
    ax.axhline(0, color=LINE, lw=0.8)
