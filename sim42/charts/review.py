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
from sim42.tables.review import NO_VERDICT, check_plays, points_by_side
from sim42.tables.words import rules_words

VALUES: Final = (-8, 50)
"""Ends of the axis: room for the labels of 0 and of 42."""
PER_PLAY: Final = 19.5
"""Points of type between two plays in a figure of our own size."""
PER_POINT: Final = 4.3
"""The same between two values."""
LABEL: Final = (32.0, 24.0)
"""Width and height of a label."""
CLEAR: Final = 9.0
"""From the middle of a circle to its label."""

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
    ax.set_ylim(*VALUES)
    ax.set_yticks(range(0, 43, 6))
    ax.set_ylabel("points of the declarer's side")
    right_of(ax, f"bid {format_bid(hand['bid'])}", hand["need"], color=ACCENT)
    how = "breaks off" if hand["made"] is None else "made" if hand["made"] else "set"
    head(
        ax,
        f"What the hand was worth after every play: {format_bid(hand['bid'])}, {hand['trump']} "
        f"trump, {how}",
        f"Seat {hand['declarer']} declares, with seat {(hand['declarer'] + 2) % 4}. "
        "Circles gave points away: seat, tile, points.",
    )
    ours, theirs = points_by_side(hand)
    foot(
        ax,
        "Filled circles lost the contract or let it through. Points taken: "
        f"{ours} by the declarer's side, {theirs} by the defenders. {NO_VERDICT} "
        f"{rules_words(hand['rules'])}",
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
    for row, offset in zip(costly.to_dict("records"), label_offsets(costly), strict=True):
        drops = row["after"] < row["before"]
        ax.vlines(row["play"], row["after"], row["before"], color=MIDDLE, lw=2.4, zorder=3)
        ax.annotate(
            f"{row['seat']}: {row['tile']}\n{MINUS if drops else '+'}{row['given']}",
            (row["play"], row["after"]),
            (0, offset),
            textcoords="offset points",
            ha="center",
            va="top" if offset < 0 else "bottom",
            fontsize=8.5,
            color=INK if row["turn"] else SOFT,
            bbox={"boxstyle": "square,pad=0", "fc": "white", "ec": "none", "alpha": 0.8},
            arrowprops={"arrowstyle": "-", "color": LINE, "lw": 0.8, "shrinkA": 0, "shrinkB": 5},
            zorder=2.5,  # over the contract's line, under the values
        )
    ax.axhline(0, color=LINE, lw=0.8)


def label_offsets(costly: pd.DataFrame) -> list[float]:
    """How far above each circle its label is put, in points of type, so that none touch.

    A label stands below a drop and above a rise; further off where another label or circle is in
    the way, and on the other side where there is no room.

    >>> two_drops = pd.DataFrame({"play": [4, 5], "before": [42, 36], "after": [36, 35]})
    >>> label_offsets(two_drops)
    [-9.0, -33.0]
    """
    rows = list(zip(costly["play"], costly["before"], costly["after"], strict=True))
    circles = [(PER_PLAY * play, PER_POINT * after) for play, _, after in rows]
    width, height = LABEL
    lowest, highest = (PER_POINT * value for value in VALUES)
    placed: list[tuple[float, float]] = []
    offsets = []

    def is_free(x: float, y: float) -> bool:
        """Whether a label may stand there: inside, apart from labels and from other circles."""
        inside = lowest <= y - height / 2 and y + height / 2 <= highest
        clear = (width + CLEAR) / 2, (height + CLEAR) / 2
        apart = all(abs(x - u) >= width or abs(y - v) >= height for u, v in placed)
        return (
            inside
            and apart
            and all(u == x or abs(x - u) >= clear[0] or abs(y - v) >= clear[1] for u, v in circles)
        )

    for (x, y), (_, before, after) in zip(circles, rows, strict=True):
        sign = -1 if after < before else 1
        distances = [CLEAR + step * height / 4 for step in range(12)]
        tries = [side * distance for side in (sign, -sign) for distance in distances]
        middles = [y + offset + (height if offset > 0 else -height) / 2 for offset in tries]
        place = next((n for n, m in enumerate(middles) if is_free(x, m)), 0)
        offsets.append(tries[place])
        placed.append((x, middles[place]))
    return offsets
