"""Dominoes beside a chart, at a fixed size in points whatever the axes."""

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.offsetbox import AnnotationBbox, DrawingArea, OffsetBox
from matplotlib.patches import Circle, FancyBboxPatch

from sim42.game.dominoes import CORNER, EDGE, FACE, GAP, PIP, PIP_RADIUS, Ends, pips_of
from sim42.game.tiles import ENDS, Hand

TILE: float = 21
"""Width of a tile in points; it is twice as high."""


def hand_above(ax: Axes, hand: str, above: float = 12, size: float = TILE) -> float:
    """Draw a hand `above` points over the upper left corner of axes; returns the points used."""
    place_above(ax, hand_area(hand, size), above)
    return above + 2 * size + 12


def hand_area(hand: str, size: float = TILE) -> DrawingArea:
    """A hand as a box of fixed size, to be packed beside others."""
    row = [ENDS[tile] for tile in Hand(hand)]
    step = size * (1 + GAP)
    area = DrawingArea(step * len(row), 2 * size)
    for place, ends in enumerate(row):
        _draw_tile(area, ends, place * step, size)
    return area


def place_above(ax: Axes, box: OffsetBox, above: float) -> None:
    """Put a box `above` points over the upper left corner of axes."""
    ax.add_artist(
        AnnotationBbox(
            box,
            (0, 1),
            (0, above),
            xycoords="axes fraction",
            boxcoords="offset points",
            box_alignment=(0, 0),
            frameon=False,
            pad=0,
            annotation_clip=False,
        )
    )


def _draw_tile(area: DrawingArea, ends: Ends, left: float, size: float) -> None:
    corner = size * CORNER
    area.add_artist(
        FancyBboxPatch(
            (left + corner, corner),
            size - 2 * corner,
            2 * size - 2 * corner,
            boxstyle=f"round,pad={corner}",
            facecolor=FACE,
            edgecolor=EDGE,
            linewidth=0.9,
        )
    )
    middle = [left + 0.15 * size, left + 0.85 * size]
    area.add_artist(Line2D(middle, [size, size], color=EDGE, linewidth=0.9))
    for x, y in pips_of(ends):
        area.add_artist(
            Circle((left + x * size, (2 - y) * size), PIP_RADIUS * size, color=PIP, linewidth=0)
        )
