"""Charts of how sure the figures are: estimates that settle, and differences of two."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.offsetbox import DrawingArea, HPacker, TextArea
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import NDArray

from sim42.charts._dominoes import hand_above, hand_area, place_above
from sim42.charts._style import (
    ACCENT,
    BLUE,
    DOUBLE_DUMMY,
    INK,
    axes_of,
    foot,
    head,
    in_style,
    panels,
    percent_axis,
    right_of,
)
from sim42.errors import check_frame
from sim42.tables.words import number_words, percent, resting_on, seed_words

LOOKS: tuple[tuple[str, str, str], ...] = ((BLUE, "o", "-"), (ACCENT, "s", "--"))
"""Colour, marker and line of the first and the second of two."""


@in_style
def chart_convergence(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """An estimate and its interval against the number of deals or hands it rests on.

    Parameters
    ----------
    frame : DataFrame
        As `sim42.tables.convergence.running_bid` or `running_run` gives it.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        The estimate is its first line.

    >>> from sim42.tables.convergence import running_bid
    >>> from sim42.runs.sample import sample_hand
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps=["sixes"])
    >>> chart_convergence(running_bid(sample)).lines[0].get_ydata().tolist()
    [1.0, 1.0]
    """
    check_frame(
        frame, "frame", "running_bid or running_run", ("n", "rate", "low"), ("what", "unit")
    )
    ax = axes_of(ax, 8.6, 5.0)
    facts = frame.attrs
    last = frame.iloc[-1]
    ax.plot(frame["n"], frame["rate"], color=BLUE, marker="o", ms=5, lw=1.6)
    ax.fill_between(frame["n"], frame["low"], frame["high"], color=BLUE, alpha=0.18, lw=0)
    ax.vlines(frame["n"], frame["low"], frame["high"], color=BLUE, lw=0.9)
    ax.axhline(last["rate"], color=INK, lw=0.9, ls=(0, (4, 3)))
    right_of(ax, _sure(last), last["rate"], 10, fontweight="bold", color=INK)
    ax.set_xscale("log")
    _count_ticks(ax, [int(n) for n in frame["n"]])
    ax.set_xlabel(f"number of {facts['unit']}s (logarithmic)")
    _close_limits(ax, frame[["rate", "low", "high"]].to_numpy())
    percent_axis(ax, "chance to make it, %", whole=False)
    ax.grid(axis="y")
    above = 8.0
    subject = f"Mean over hands, the declarer leading; {DOUBLE_DUMMY}"
    if "hand" in facts:
        subject = f"Declarer holds {facts['hand']} and leads; {DOUBLE_DUMMY}"
        above = hand_above(ax, facts["hand"])
    head(ax, f"Convergence: {facts['what']}, declarer's side", subject, above=above)
    foot(
        ax,
        f"Each estimate is that of the first n of {number_words(int(last['n']), facts['unit'])}, "
        f"{seed_words(facts['seed'])}. Band: 95 % interval ({facts['method']}) at each number; "
        f"dashed: the estimate of all.{resting_on(facts)}",
    )
    return ax


def _sure(last: "pd.Series[Any]") -> str:
    """The last estimate with its interval, in as many decimals as that is worth."""
    width = last["high"] - last["low"]
    places = 0 if width > 0.02 else 1 if width > 0.002 else 2
    rate, low, high = (percent(last[name], places) for name in ("rate", "low", "high"))
    return f"{rate} % ({low} to {high})"


@in_style
def chart_compare(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Two hands or two surveys side by side: the chance of each bid, and the difference.

    Parameters
    ----------
    frame : DataFrame
        As `sim42.tables.compare.compare_hands` or `compare_runs` gives it.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        Its ``child_axes`` are the two panels.
    """
    check_frame(frame, "frame", "compare_hands", ("bid", "difference", "low"), ("names", "note"))
    ax = axes_of(ax, 10.4, 6.0)
    left, right = panels(ax, [1.15, 1.0], gap=0.12)
    facts = frame.attrs
    for side, name, (colour, marker, line) in zip(
        ("first", "second"), facts["names"], LOOKS, strict=True
    ):
        left.fill_between(
            frame["bid"],
            frame[f"{side}_low"],
            frame[f"{side}_high"],
            color=colour,
            alpha=0.15,
            lw=0,
        )
        left.plot(frame["bid"], frame[side], line, color=colour, marker=marker, ms=5, label=name)
    percent_axis(left, "chance to make it, %")
    right.axhline(0, color=INK, lw=0.9)
    right.vlines(frame["bid"], frame["low"], frame["high"], color=INK, lw=1.4)
    right.plot(frame["bid"], frame["difference"], "D", color=INK, ms=5)
    _close_limits(right, np.append(frame[["low", "high"]].to_numpy(), 0.0), bounds=(-1, 1))
    percent_axis(right, "difference, first less second, points", whole=False)
    for panel in (left, right):
        panel.grid(axis="y")
        panel.set_xticks(list(frame["bid"]))
        panel.tick_params(axis="x", labelsize=9)
        panel.set_xlabel("bid in points")
    above = _legend_above(ax, facts)
    head(ax, facts["title"], f"{facts['subtitle']}; {DOUBLE_DUMMY}", above=above, columns=110)
    foot(ax, facts["note"], columns=140)
    return ax


def _legend_above(ax: Axes, facts: dict[Any, Any]) -> float:
    """A line for each of the two, with its dominoes if it is a hand; returns the points used."""
    tiles = [hand_area(hand, 13) for hand in facts["hands"]]
    step = 34 if tiles else 20
    for place, (name, (colour, marker, line)) in enumerate(zip(facts["names"], LOOKS, strict=True)):
        sample = DrawingArea(30, 10)
        sample.add_artist(
            Line2D(
                [0, 15, 30], [5, 5, 5], ls=line, color=colour, marker=marker, ms=5, markevery=[1]
            )
        )
        words = TextArea(name, textprops={"color": INK, "fontsize": 10})
        row = HPacker(
            children=[sample, *tiles[place : place + 1], words], align="center", pad=0, sep=10
        )
        place_above(ax, row, 12 + (1 - place) * step)
    return 12 + 2 * step


def _count_ticks(ax: Axes, counts: list[int]) -> None:
    """Plain numbers at the counts themselves, on a logarithmic axis; the last two may be close."""
    shown = [n for n in counts[:-1] if n <= counts[-1] / 1.5] + counts[-1:]
    ax.xaxis.set_major_locator(FixedLocator(shown))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: _short(int(n))))
    ax.set_xlim(counts[0] / 1.15, counts[-1] * 1.15)


def _short(number: int) -> str:
    """A count for an axis: 500, 2k, 1M."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return str(number)


def _close_limits(
    ax: Axes, values: NDArray[np.float64], bounds: tuple[float, float] = (0.0, 1.0)
) -> None:
    """Limits round the values, a tenth apart at least and within bounds (or just outside)."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = max(0.06 * (high - low), 0.05 - (high - low) / 2)
    ax.set_ylim(max(low - room, bounds[0] - 0.01), min(high + room, bounds[1] + 0.01))
