"""Dominoes as SVG text, for notebooks and reports, and where the pips sit, for every drawing.

A tile here is only its two ends, (high, low), drawn upright with the high end on top. The SVG has
no ids, scripts, fonts or links, so any number of drawings can stand in one page.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

Ends = tuple[int, int]

FACE: Final = "#fbf8ef"
EDGE: Final = "#3b4650"
PIP: Final = "#1f2a33"
MARK: Final = "#c8553d"

_LOW, _MID, _HIGH = 0.25, 0.5, 0.75
_TWO = ((_LOW, _LOW), (_HIGH, _HIGH))
_FOUR = (*_TWO, (_LOW, _HIGH), (_HIGH, _LOW))
_CENTRE = ((_MID, _MID),)

PIPS: Final[tuple[tuple[tuple[float, float], ...], ...]] = (
    (),
    _CENTRE,
    _TWO,
    _TWO + _CENTRE,
    _FOUR,
    _FOUR + _CENTRE,
    (*_FOUR, (_LOW, _MID), (_HIGH, _MID)),
)
"""Centres of the pips of ends 0 to 6 in a square of side 1."""
PIP_RADIUS: Final = 0.105
CORNER: Final = 0.14
GAP: Final = 0.16
"""Radius of pips and of a tile's corners, and the space between tiles, in widths of a tile."""


def pips_of(ends: Ends) -> list[tuple[float, float]]:
    """Centres of a tile's pips in a box 1 wide and 2 high, y going down.

    >>> pips_of((1, 1))
    [(0.5, 0.5), (0.5, 1.5)]
    """
    return [(x, y + half) for half, end in enumerate(ends) for x, y in PIPS[end]]


def tiles_svg(tiles: Iterable[Ends], width: int = 28) -> str:
    """A row of tiles as one `<svg>` element.

    Parameters
    ----------
    tiles : iterable of (high, low)
        The tiles from left to right.
    width : int
        Width of a tile in pixels; it is twice as high.

    >>> tiles_svg([(6, 4)]).count("<circle")
    10
    """
    return rows_svg([list(tiles)], width=width)


def rows_svg(
    rows: Sequence[Sequence[Ends]],
    labels: Sequence[str] = (),
    marked: Sequence[int | None] = (),
    width: int = 28,
) -> str:
    """Rows of tiles as one `<svg>` element: the hands of a deal, or the tricks of a line of play.

    Parameters
    ----------
    rows : sequence of sequences of (high, low)
        The tiles of each row.
    labels : sequence of str
        Text left of each row; empty for none.
    marked : sequence of int or None
        Place of the tile in each row to mark with a bar under it, as the winner of a trick.
    width : int
        Width of a tile in pixels.

    >>> drawing = rows_svg([[(6, 6), (6, 4)], [(5, 5), (0, 0)]], labels=["trick 1", "trick 2"])
    >>> drawing.count("<rect"), "trick 2" in drawing
    (4, True)
    """
    left = max((len(label) for label in labels), default=0) * 0.27 + (0.4 if labels else 0.0)
    across = left + max((len(row) for row in rows), default=0) * (1 + GAP) + GAP
    step = 2 + 3 * GAP
    down = len(rows) * step
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{across * width:.0f}" '
            f'height="{down * width:.0f}" viewBox="0 0 {across:.3g} {down:.4g}" role="img" '
            f'aria-label="{escape(_spoken(rows, labels))}">'
        )
    ]
    for place, row in enumerate(rows):
        top = place * step + GAP
        if place < len(labels):
            parts.append(
                f'<text x="0.1" y="{top + 1.15:.4g}" font-family="sans-serif" font-size="0.46" '
                f'fill="currentColor">{escape(labels[place])}</text>'
            )
        for column, ends in enumerate(row):
            parts.append(_tile_svg(ends, left + GAP + column * (1 + GAP), top))
        mark = marked[place] if place < len(marked) else None
        if mark is not None:
            parts.append(_mark_svg(left + GAP + mark * (1 + GAP), top))
    return "".join([*parts, "</svg>"])


def _tile_svg(ends: Ends, x: float, y: float) -> str:
    pips = "".join(
        f'<circle cx="{across:.4g}" cy="{down:.4g}" r="{PIP_RADIUS}"/>'
        for across, down in pips_of(ends)
    )
    return (
        f'<g transform="translate({x:.4g} {y:.4g})"><title>{ends[0]}-{ends[1]}</title>'
        f'<rect width="1" height="2" rx="{CORNER}" fill="{FACE}" stroke="{EDGE}" '
        f'stroke-width="0.05"/><path d="M0.15 1H0.85" stroke="{EDGE}" stroke-width="0.05"/>'
        f'<g fill="{PIP}">{pips}</g></g>'
    )


def _mark_svg(x: float, y: float) -> str:
    return (
        f'<path d="M{x + 0.1:.4g} {y + 2.16:.4g}h0.8" stroke="{MARK}" stroke-width="0.12" '
        'stroke-linecap="round"/>'
    )


def _spoken(rows: Sequence[Sequence[Ends]], labels: Sequence[str]) -> str:
    """The drawing in words, for those who cannot see it."""
    texts = [" ".join(f"{high}-{low}" for high, low in row) for row in rows]
    named = [f"{label}: {text}" for label, text in zip(labels, texts, strict=False)]
    return "; ".join([*named, *texts[len(named) :]])
