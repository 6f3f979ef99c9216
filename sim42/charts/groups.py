"""Charts of many hands: what a hand's make-up is worth, what can be bid, and with which trump."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sim42.charts._grid import grid_names, heat
from sim42.charts._style import (
    ACCENT,
    BLUE,
    CHANCE,
    DOUBLE_DUMMY,
    INK,
    LINE,
    MIDDLE,
    SOFT,
    axes_of,
    beside,
    foot,
    head,
    in_style,
    ink_on,
    panels,
    percent_axis,
    points_of,
    right_of,
)
from sim42.errors import RequestError
from sim42.game.trumps import Trump
from sim42.runs.frames import check_run
from sim42.tables.best import best_trumps, highest_bids, share_of_hands
from sim42.tables.counts import bids_of
from sim42.tables.groups import group_table
from sim42.tables.hands import THRESHOLDS
from sim42.tables.spread import USUAL_RATES, student_interval
from sim42.tables.words import (
    CROSS_FITTED,
    count_words,
    hands_words,
    number_words,
    percent,
    resting_on,
    seed_words,
)

FEW: Final = 30
"""Groups of fewer hands are marked: their interval is hardly one."""
_THRESHOLD_LOOKS: Final = ((MIDDLE, ""), (BLUE, "////"), (INK, ""))


@in_style
def chart_types(run: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Chance of 30 and of 42 by trumps held and doubles held, over the pip trumps of many hands.

    Parameters
    ----------
    run : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        Its ``child_axes`` are the heat maps of 30 and 42 (of the floor, if that is above 30).

    Raises
    ------
    RequestError
        When the run has no pip trump.
    """
    groups = group_table(_pip_trumps(run), ["trumps", "doubles"])
    ax = axes_of(ax, 11.4, 6.6)
    held, doubles = range(7, -1, -1), range(7)
    shown = _shown_bids(run)
    for panel, bid in zip(panels(ax, [1.0] * len(shown)), shown, strict=True):
        rates, hands = (
            groups.pivot(index="trumps", columns="doubles", values=column)
            .reindex(index=held, columns=doubles)
            .to_numpy(dtype=float)
            for column in (f"rate_{bid}", "hands")
        )
        heat(panel, rates, lift=0.14)
        for (row, column), number in np.ndenumerate(hands):
            _cell_note(panel, row, column, float(number), float(rates[row, column]))
        grid_names(panel, held, doubles)
        panel.set_title(f"bid {bid}", fontsize=11, fontweight="bold", pad=7)
        panel.set_xlabel("doubles held that are not trumps")
        panel.set_ylabel("trumps held, their double included")
    head(
        ax,
        f"How often the declarer makes {_and(shown)}, in per cent of deals",
        f"By what the declarer, who leads, holds, any pip suit being trump; {DOUBLE_DUMMY}",
        above=30,
        columns=120,
    )
    foot(
        ax,
        f"{_run_note(run)} Small figures: hands that have a suit so; dotted: fewer than {FEW}; "
        f"–: none. {_group_note(groups, shown)}",
        below=46,
        columns=150,
    )
    return ax


@in_style
def chart_shapes(run: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Chance of 30 and of 42 by shape (trumps-doubles-offs), over the pip trumps of many hands.

    Parameters and errors are those of `chart_types`.

    Returns
    -------
    Axes
        Its y labels are the shapes, the best on top.
    """
    shown = _shown_bids(run)
    groups = group_table(_pip_trumps(run), ["shape"])
    groups = groups.sort_values(f"rate_{shown[0]}", ignore_index=True, kind="stable")
    ax = axes_of(ax, 8.6, 2.6 + 0.25 * len(groups))
    few = (groups["hands"] < FEW).to_numpy()
    for bid, colour, marker, lift in zip(
        shown, (BLUE, ACCENT), ("o", "D"), (0.13, -0.13), strict=False
    ):
        heights = np.arange(len(groups)) + lift
        ax.hlines(heights, groups[f"low_{bid}"], groups[f"high_{bid}"], color=colour, lw=1.4)
        for part, face in ((~few, colour), (few, "white")):
            ax.plot(
                groups.loc[part, f"rate_{bid}"],
                heights[part],
                marker,
                color=colour,
                mfc=face,
                ms=5.5,
                label=f"bid {bid}" if face == colour else f"_few {bid}",
            )
    ax.set_yticks(groups.index, list(groups["shape"]))
    ax.set_ylim(-0.7, len(groups) - 0.3)
    for place, number in enumerate(groups["hands"]):
        right_of(ax, f"{number:,}", place)
    beside(ax, "hands", (1, 1), (8, 4), "bottom", size=8.5)
    beside(ax, "shape", (0, 1), (-6, 4), "bottom", size=8.5, ha="right")
    percent_axis(ax, "chance to make it, %", across=True)
    ax.grid(axis="x")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)
    head(
        ax,
        f"How often the declarer makes {_and(shown)}, by shape of the hand",
        f"Trumps-doubles-offs, any pip suit trump, the declarer leading; {DOUBLE_DUMMY}",
        above=32,
        columns=100,
    )
    foot(ax, f"{_run_note(run)} Hollow: fewer than {FEW} hands. " + _group_note(groups, shown))
    return ax


@in_style
def chart_bids(run: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Share of hands whose highest bid with a chance of 50, 60 or 75 % each bid is; by best trump.

    Parameters
    ----------
    run : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        Its ``child_axes`` are the bars, and the heat map of trumps and bids.

    Raises
    ------
    RequestError
        When no hand has two deals.
    """
    best = best_trumps(run)
    bids = [0, *bids_of(run)]
    names = ["none", *map(str, bids[1:])]
    trumps = [trump for trump in map(str, Trump) if (best["trump"] == trump).any()]
    ax = axes_of(ax, 9.6, 5.6 + 0.33 * len(trumps))
    bars, grid = panels(ax, [2.8, 0.33 * len(trumps)], gap=0.13, down=True)
    most = 0.0
    for place, (q, (colour, hatch)) in enumerate(zip(THRESHOLDS, _THRESHOLD_LOOKS, strict=True)):
        highest = highest_bids(best, q)
        shares = np.array([share_of_hands(best, highest == bid) for bid in bids])
        at = np.arange(len(bids)) + (place - 1) * 0.27
        bars.bar(
            at,
            shares[:, 0],
            0.25,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            lw=0,
            label=f"{q} %",
        )
        bars.vlines(at, shares[:, 1], shares[:, 2], color=ACCENT, lw=1.1)
        most = max(most, float(shares.max()))
    bars.set_ylim(0, 1.08 * most)
    percent_axis(bars, "share of hands, %", whole=False)
    bars.set_xticks(range(len(bids)), names)
    bars.set_xlim(-0.5, len(bids) - 0.5)
    bars.tick_params(axis="x", length=0)
    bars.grid(axis="y")
    bars.legend(
        title="highest bid made in at least",
        ncols=3,
        loc="lower right",
        bbox_to_anchor=(1, 1),
        borderaxespad=0.1,
    )
    highest = highest_bids(best, THRESHOLDS[0])
    weight = 1 / best.groupby("mask")["mask"].transform("size") / best["mask"].nunique()
    shares = np.array(
        [
            [weight[(best["trump"] == trump) & (highest == bid)].sum() for bid in bids]
            for trump in trumps
        ]
    )
    shares = shares.round(12)  # sums of fractions that are all hands say 100 and not >99.9
    heat(grid, shares, most=float(shares.max()), places=1, size=9)
    grid_names(grid, trumps, names)
    grid.set_xlabel("highest bid in points (42: every trick, as for 84; none: all make too rarely)")
    beside(
        grid,
        f"The same at {THRESHOLDS[0]} %, by best trump: share of all hands, %",
        (0, 1),
        (0, 5),
        "bottom",
        size=9.5,
    )
    head(
        ax,
        "The highest bid that a hand can make",
        f"Hands by the highest bid the declarer makes so often, best trump; {DOUBLE_DUMMY}",
        above=40,
        columns=104,
    )
    foot(
        ax,
        f"{_run_note(run)} {CROSS_FITTED} Red: 95 % intervals from the spread between hands. "
        f"A chance measured on {number_words(int(best['deals'].median()), 'deal')} is rough: it "
        "spreads the bids.",
        columns=128,
    )
    return ax


@in_style
def chart_trumps(run: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How often each trump is a hand's best, and what playing the second best instead costs.

    Parameters and errors are those of `chart_bids`.

    Returns
    -------
    Axes
        Its ``child_axes`` are the shares and the costs, a row a trump.
    """
    best = best_trumps(run)
    bid = bids_of(run)[0]
    trumps = [trump for trump in map(str, Trump) if (run["trump"] == trump).any()]
    rows = list(range(len(trumps)))
    ax = axes_of(ax, 9.6, 2.7 + 0.36 * len(trumps))
    left, right = panels(ax, [1.0, 1.0], gap=0.16)
    shares = np.array([share_of_hands(best, best["trump"] == trump) for trump in trumps])
    left.barh(rows, shares[:, 0], height=0.68, color=MIDDLE)
    left.hlines(rows, shares[:, 1], shares[:, 2], color=INK, lw=1.3)
    for row, (share, _, high) in zip(rows, shares, strict=True):
        left.annotate(
            percent(share, 0),
            (high, row),
            (5, 0),
            textcoords="offset points",
            va="center",
        )
    left.set_yticks(rows, trumps)
    left.set_xlim(0, 1.2 * float(shares.max()))
    percent_axis(left, "share of hands whose best trump it is, %", whole=False, across=True)
    cost = best[f"rate_{bid}"] - best[f"second_{bid}"]
    for row, trump in enumerate(trumps):
        of_hand = cost[best["trump"] == trump].groupby(best["mask"]).mean().dropna()
        if of_hand.empty:
            right.text(0, row, " nothing to compare", va="center", color=SOFT, fontsize=9)
            continue
        mean, low, high = student_interval(of_hand, USUAL_RATES, -1, 1)
        right.hlines(row, low, high, color=INK, lw=1.3)
        right.plot(mean, row, "D", color=INK, mfc="white" if len(of_hand) < FEW else INK, ms=5.5)
        right_of(right, f"{len(of_hand):,}", row)
    right.axvline(0, color=LINE, lw=0.9)
    right.set_yticks(rows, trumps)
    beside(right, "hands", (1, 1), (8, 2), "bottom", size=8.5)
    percent_axis(
        right, f"chance of {bid} that the second best costs, points", whole=False, across=True
    )
    right.grid(axis="x")
    for panel in (left, right):
        panel.set_ylim(len(trumps) - 0.4, -0.6)
        panel.tick_params(axis="y", length=0)
    head(
        ax,
        "Which trump is best, and what the second best costs",
        f"The declarer's side, the declarer leading; {DOUBLE_DUMMY}",
        above=18,
        columns=104,
    )
    foot(
        ax,
        f"{_run_note(run)} {CROSS_FITTED} Lines: 95 % intervals from the spread between hands; "
        f"hollow: fewer than {FEW} hands.",
        columns=128,
    )
    return ax


def _pip_trumps(run: pd.DataFrame) -> pd.DataFrame:
    """The rows of a run in which a pip suit is trump."""
    check_run(run)
    rows = run[run["trump"].cat.codes < Trump.DOUBLES]
    if rows.empty:
        raise RequestError("types: the run has no pip suit as trump")
    return rows


def _shown_bids(run: pd.DataFrame) -> list[int]:
    """The lowest bid of a run and 42."""
    check_run(run)
    bids = bids_of(run)
    return sorted({bids[0], bids[-1]})


def _cell_note(panel: Axes, row: int, column: int, number: float, rate: float) -> None:
    """The number of hands in a cell, a hatch over few, and a dash where there is none."""
    if np.isnan(number):
        panel.text(column, row, "–", ha="center", va="center", color=SOFT)
        return
    ink = ink_on(CHANCE(rate))
    panel.text(
        column, row + 0.27, f"{int(number):,}", ha="center", va="center", fontsize=7.5, color=ink
    )
    if number < FEW:
        panel.add_patch(
            Rectangle(
                (column - 0.46, row - 0.46),
                0.92,
                0.92,
                fill=False,
                hatch="...",
                lw=0,
                ec=MIDDLE,
                zorder=1.5,
            )
        )


def _group_note(groups: pd.DataFrame, bids: list[int]) -> str:
    """The widest interval of groups that are not small, in words."""
    halves = [
        (groups[f"high_{bid}"] - groups[f"low_{bid}"])[groups["hands"] >= FEW] / 2 for bid in bids
    ]
    half = pd.concat(halves).max()
    if np.isnan(half):
        return f"No group has the {FEW} hands that an interval wants."
    return (
        "95 % intervals from the spread between hands, half-width at most "
        f"{points_of(float(half))} points where there are {FEW} hands or more."
    )


def _run_note(run: pd.DataFrame) -> str:
    """What the figures of a survey rest on."""
    hands = run["mask"].nunique()
    deals = count_words(run["deals"].min(), run["deals"].max(), "random deal")
    seed = seed_words(run.attrs["seed"])
    return f"{hands_words(hands, run.attrs)}, {deals} each, {seed}.{resting_on(run.attrs)}"


def _and(bids: list[int]) -> str:
    return " and ".join(map(str, bids))
