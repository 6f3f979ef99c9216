"""What all charts share: ink, type, honest figures, and space that is never cut off."""

import textwrap
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from sim42.errors import check_kind

INK: Final = "#22303c"
SOFT: Final = "#5d6a75"
LINE: Final = "#c9d0d5"
FAINT: Final = "#eef0f1"
ACCENT: Final = "#b5452c"
BLUE: Final = "#2b6a8c"
MIDDLE: Final = "#8db8c6"

CHANCE: Final[Colormap] = LinearSegmentedColormap.from_list(
    "chance", ["#f8f5ec", "#cfe0da", "#86b6b8", "#3d7f9a", "#173f63"]
)
"""Chances 0..1, light to dark: the luminance only falls, so it reads the same in grey."""

TRUMP_LOOKS: Final = (
    ("#7a7f85", "s"),
    ("#0072b2", "o"),
    ("#d55e00", "^"),
    ("#009e73", "D"),
    ("#a8527d", "v"),
    ("#22303c", "P"),
    ("#b98a00", "X"),
    ("#4aa5d8", "<"),
    ("#6b4e2e", ">"),
)
"""Colour and marker of each trump id; the markers alone tell them apart."""

TITLE_COLUMNS: Final = 66
"""Letters of ours that fit in a line of a title; capitals may not."""
DOUBLE_DUMMY: Final = "double dummy: all hands are seen"

_OURS: Final[dict[str, Any]] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],  # the first comes with matplotlib
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "sim42",
    "pdf.fonttype": 42,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "axes.labelsize": 10,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.unicode_minus": True,
    "grid.color": FAINT,
    "xtick.color": LINE,
    "xtick.labelcolor": INK,
    "ytick.color": LINE,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "hatch.linewidth": 0.8,
}
# A user's matplotlibrc must not change our bytes, and the backend is not ours to choose.
_STYLE: Final[Any] = {
    **{key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")},
    **_OURS,
}

_P = ParamSpec("_P")
_R = TypeVar("_R")


def in_style(draw: Callable[_P, _R]) -> Callable[_P, _R]:
    """Run a function with the style of these charts, leaving matplotlib's settings as they were."""

    @wraps(draw)
    def styled(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with mpl.rc_context(_STYLE):
            return draw(*args, **kwargs)

    return styled


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """The given axes, or those of a new figure of this size in inches that needs no display."""
    if ax is not None:
        check_kind(ax, "ax", Axes, "the Axes of matplotlib to draw in")
        return ax
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.2, h_pad=0.2)  # type: ignore[union-attr, call-arg]
    return figure.add_subplot()


def panels(ax: Axes, shares: list[float], gap: float = 0.1, down: bool = False) -> list[Axes]:
    """Split axes into panels of these proportions, from left to right or from the top `down`."""
    ax.set_axis_off()
    ax.set(xticks=[], yticks=[])
    room = 1 - gap * (len(shares) - 1)
    parts, start = [], 0.0
    for share in shares:
        size = room * share / sum(shares)
        bounds = (0, 1 - start - size, 1, size) if down else (start, 0, size, 1)
        parts.append(ax.inset_axes(bounds))
        start += size + gap
    return parts


def head(ax: Axes, title: str, subtitle: str, above: float = 8, columns: int = 92) -> None:
    """Title and a line of explanation over axes, leaving `above` points free between."""
    lines = textwrap.wrap(subtitle, columns)
    ax.set_title(
        wrap_title(title),
        loc="left",
        fontsize=13,
        fontweight="bold",
        pad=above + 6 + 13 * len(lines),
    )
    beside(ax, "\n".join(lines), (0, 1), (0, above), "bottom")


def wrap_title(title: str, columns: int = TITLE_COLUMNS) -> str:
    """A title in lines of so many letters; by default such as fit over the narrowest chart."""
    return "\n".join(textwrap.wrap(title, columns))


def foot(ax: Axes, note: str, below: float = 40, columns: int = 118) -> None:
    """A note in small type, `below` points under axes."""
    beside(ax, "\n".join(textwrap.wrap(note, columns)), (0, 0), (0, -below), "top", 8.5)


def beside(
    ax: Axes,
    text: str,
    corner: tuple[float, float],
    offset: tuple[float, float],
    va: str,
    size: float = 9.5,
    color: str = SOFT,
    **look: Any,
) -> None:
    """Text at an offset in points from a place of axes (fractions), wherever that comes to lie."""
    ax.annotate(
        text,
        corner,
        offset,
        xycoords="axes fraction",
        textcoords="offset points",
        va=va,
        fontsize=size,
        color=color,
        linespacing=1.3,
        annotation_clip=False,
        **look,
    )


def percent_axis(ax: Axes, label: str, whole: bool = True, across: bool = False) -> None:
    """Label the axis of rates in per cent, the horizontal one if `across`; all of it if `whole`."""
    axis = ax.xaxis if across else ax.yaxis
    if whole:
        (ax.set_xlim if across else ax.set_ylim)(-0.02, 1.02)
        axis.set_ticks(np.linspace(0, 1, 6))
    else:
        low, high = axis.get_view_interval()
        axis.set_ticks([tick for tick in axis.get_ticklocs() if low <= tick <= min(high, 1)])
    axis.set_major_formatter(FuncFormatter(lambda rate, _: minus(f"{100 * rate:.6g}")))
    axis.set_label_text(label)


def right_of(ax: Axes, text: str, height: float, size: float = 8.5, **look: Any) -> None:
    """Text right of axes, at a height of the data."""
    ax.annotate(
        text,
        (1, height),
        (8, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        annotation_clip=False,
        **{"fontsize": size, "color": SOFT, **look},
    )


def minus(number: str) -> str:
    """A number with a true minus sign."""
    return number.replace("-", "\N{MINUS SIGN}")


def ink_on(background: Any) -> str:
    """The text colour, black or white, with the higher contrast on a background: 4.5 or more.

    >>> ink_on("#173f63"), ink_on("#f8f5ec")
    ('white', 'black')
    """
    return "white" if luminance(background) < 0.179 else "black"


def luminance(colour: Any) -> float:
    """Relative luminance of a colour, 0 for black to 1 for white (as WCAG defines it)."""
    rgb = np.asarray(to_rgb(colour))
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def points_of(width: float) -> str:
    """A width of rates in percentage points, to two figures.

    >>> points_of(0.0312), points_of(0.123), points_of(0.00019)
    ('3.1', '12', '0.019')
    """
    return f"{100 * width:.2g}"
