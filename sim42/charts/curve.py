"""Chances of one hand against the bid, and how often each number of points comes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from sim42.charts._dominoes import hand_above
from sim42.charts._style import (
    DOUBLE_DUMMY,
    INK,
    LINE,
    MIDDLE,
    SOFT,
    TRUMP_LOOKS,
    axes_of,
    foot,
    head,
    in_style,
    percent_axis,
)
from sim42.charts.hand import sample_note
from sim42.game.trumps import Trump
from sim42.runs.frames import check_run
from sim42.runs.sample import POINTS
from sim42.tables.best import cross_fitted_rates
from sim42.tables.bid import check_rows, chosen_trump
from sim42.tables.counts import bids_of
from sim42.tables.stats import wilson
from sim42.tables.words import hands_words, percent, resting_on


@in_style
def chart_curve(
    rows: pd.DataFrame, ax: Axes | None = None, survey: pd.DataFrame | None = None
) -> Axes:
    """Chance of making at least each bid, a line with an interval band for every trump.

    Parameters
    ----------
    rows : DataFrame
        As `sim42.tables.bid.bid_rows` gives it, with its ``.attrs``.
    ax : Axes, optional
        Where to draw; a new figure when None.
    survey : DataFrame, optional
        Counts of many hands, as `sim42.runs.frames.load_run` gives them, to stand behind.

    Returns
    -------
    Axes
        One line a trump, labelled with its name and its chance of the last bid.

    >>> from sim42 import Trump
    >>> from sim42.runs.sample import sample_hand
    >>> from sim42.tables.bid import bid_rows
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=10, trumps=[Trump.SIXES])
    >>> chart_curve(bid_rows(sample)).lines[0].get_label()
    'sixes'
    """
    check_rows(rows)
    ax = axes_of(ax, 8.6, 6.2)
    note = sample_note(rows, "bands")
    if survey is not None:
        note += " " + _draw_survey(ax, survey)
    ends: dict[str, float] = {}
    for name, part in rows.groupby("trump", observed=True):
        colour, marker = TRUMP_LOOKS[Trump(str(name))]
        ax.fill_between(part["bid"], part["low"], part["high"], color=colour, alpha=0.1, lw=0)
        ax.plot(
            part["bid"], part["rate"], color=colour, marker=marker, ms=5, lw=1.6, label=str(name)
        )
        ends[str(name)] = float(part["rate"].iloc[-1])
    last = int(rows["bid"].max())
    note += " " + _draw_in_play(ax, rows)
    _label_ends(ax, last, ends)
    ax.set_xticks(sorted(rows["bid"].unique()))
    ax.set_xlim(rows["bid"].min() - 0.4, last + 0.4)
    ax.set_xlabel("bid in points (42: every trick, as for 84)")
    percent_axis(ax, "chance to make it, %")
    ax.grid(axis="y")
    hand = rows.attrs["hand"]
    above = hand_above(ax, hand)
    head(
        ax,
        "How often the declarer's side takes at least the bid",
        f"Declarer holds {hand} and leads; {DOUBLE_DUMMY}",
        above=above,
    )
    foot(ax, note)
    return ax


@in_style
def chart_points(
    rows: pd.DataFrame, trump: Trump | str | None = None, ax: Axes | None = None
) -> Axes:
    """Share of deals at each number of points that the declarer's side takes with one trump.

    Parameters
    ----------
    rows : DataFrame
        As `sim42.tables.bid.bid_rows` gives it, with its ``.attrs``.
    trump : Trump or str, optional
        The recommended one when None.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        One bar each for less than 30, and 30 to 42 points.

    Raises
    ------
    RequestError
        When the rows hold no such trump.

    >>> from sim42 import Trump
    >>> from sim42.runs.sample import sample_hand
    >>> from sim42.tables.bid import bid_rows
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=10, trumps=[Trump.SIXES])
    >>> [bar.get_height() for bar in chart_points(bid_rows(sample)).patches][-1]
    np.float64(1.0)
    """
    chosen = chosen_trump(rows, trump)
    counted = {int(points): n for points, n in rows.attrs["counts"][chosen].items()}
    counts = np.array([counted[points] for points in POINTS])
    deals = int(counts.sum())
    shares = counts / deals
    low, high = wilson(counts, deals)
    ax = axes_of(ax, 8.6, 5.4)
    bars = ax.bar(POINTS, shares, width=0.78, color=MIDDLE)
    bars[0].set(facecolor=LINE, hatch="///", edgecolor="white")
    ax.vlines(POINTS, low, high, color=INK, lw=1.2)
    for points, share, top in zip(POINTS, shares, high, strict=True):
        ax.annotate(
            percent(share, 0),
            (points, top),
            (0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
        )
    ax.set_xticks(POINTS, ["under\n30", *map(str, POINTS[1:])])
    ax.set_xlim(POINTS[0] - 0.6, POINTS[-1] + 0.6)
    ax.set_ylim(0, 1.12 * float(high.max()))
    ax.set_xlabel("points the declarer's side takes of 42")
    percent_axis(ax, "share of deals, %", whole=False)
    ax.tick_params(axis="x", length=0)
    hand = rows.attrs["hand"]
    above = hand_above(ax, hand)
    head(
        ax,
        f"Points that the declarer's side takes with {chosen} as trump",
        f"Declarer holds {hand} and leads; {DOUBLE_DUMMY}",
        above=above,
    )
    foot(ax, sample_note(rows, "whiskers", float((high - low).max() / 2)), below=52)
    return ax


def _draw_in_play(ax: Axes, rows: pd.DataFrame) -> str:
    """The chances in play with the trump that is best by them, and the words for the note."""
    played = rows.attrs["in_play"]
    name = (played["call"] or rows.attrs["call"])["trump"]
    part = rows[rows["trump"] == name]
    colour, _ = TRUMP_LOOKS[Trump(name)]
    ends = part["in_play_low"], part["in_play_high"]
    ax.fill_between(part["bid"], *ends, color=colour, alpha=0.07, lw=0, hatch="....")
    ax.plot(part["bid"], part["in_play"], color=colour, lw=1.6, ls=":", label="_in play")
    return (
        f"Dotted: estimated chance in play with {name}, by {played['player']}, who sees one hand, "
        "and where it is for 95 % of such hands."
    )


def _draw_survey(ax: Axes, survey: pd.DataFrame) -> str:
    """The quartiles of many hands behind the lines, and the words for the note."""
    check_run(survey, "survey")
    bids = bids_of(survey)
    rates = cross_fitted_rates(survey, bids).drop(columns="deals")
    low, median, high = rates.quantile([0.25, 0.5, 0.75]).to_numpy()
    ax.fill_between(bids, low, high, color=LINE, alpha=0.35, lw=0)
    ax.plot(bids, median, color=SOFT, lw=1.4, ls=(0, (4, 3)), label="_median")
    return (
        f"Grey: the middle half of {hands_words(len(rates), survey.attrs)}, each with its best "
        f"trump, cross-fitted; dashed: their median.{resting_on(survey.attrs)}"
    )


def _label_ends(ax: Axes, last: int, ends: dict[str, float]) -> None:
    """Names right of the lines' ends, moved apart where they would touch."""
    names = sorted(ends, key=lambda name: ends[name])
    heights = spread([ends[name] for name in names], gap=0.058, least=0.0, most=1.0)
    for name, height in zip(names, heights, strict=True):
        colour, marker = TRUMP_LOOKS[Trump(name)]
        ax.plot(
            [last + 0.25, last + 0.75],
            [ends[name], height],
            color=colour,
            lw=0.8,
            clip_on=False,
            scalex=False,
            label=f"_{name}",
        )
        ax.plot(
            last + 0.95,
            height,
            marker,
            color=colour,
            ms=5,
            clip_on=False,
            scalex=False,
            label=f"_{name}",
        )
        ax.text(
            last + 1.15, height, f"{name} {percent(ends[name], 0)} %", va="center", fontsize=9.5
        )


def spread(heights: list[float], gap: float, least: float, most: float) -> list[float]:
    """Rising heights moved as little as needed so that neighbours are `gap` apart.

    >>> spread([0.0, 0.0, 1.0], gap=0.1, least=0.0, most=1.0)
    [0.0, 0.1, 1.0]
    """
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + gap if moved else least))
    ceiling = most
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], ceiling)
        ceiling = moved[place] - gap
    return moved
