"""Charts to files: the same chart gives the same bytes, and text stays text."""

from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.font_manager import findfont, get_font
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from sim42.charts._style import TITLE_COLUMNS, in_style, wrap_title
from sim42.errors import RequestError, check_kind, shown, whole
from sim42.files import write_file

FORMATS: Final = ("png", "svg", "pdf")
DPI: Final = 150
LONGEST_TITLE: Final = 150
LINE_HEIGHT: Final = 1.25
LABELS: Final = 130
"""Points of a figure's width that labels beside the axes, under a title, may take."""

# Without these, every file would hold the moment it was made or the library that made it.
_TIMELESS: Final[dict[str, dict[str, Any]]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


@in_style
def picture(ax: Axes, file_format: str = "png", dpi: int = DPI) -> bytes:
    """The whole figure of some axes as the bytes of a file.

    Parameters
    ----------
    ax : Axes
        As the chart functions return them.
    file_format : {"png", "svg", "pdf"}
        Kind of file.
    dpi : int
        Dots per inch of a png, 10 to 1200.

    Raises
    ------
    RequestError
        When there is no such format, or dpi is out of range.

    >>> from matplotlib.figure import Figure
    >>> picture(Figure().add_subplot(), "svg")[:5]
    b'<?xml'
    """
    check_kind(ax, "ax", Axes, "the Axes that a chart returned")
    if not isinstance(file_format, str) or file_format not in FORMATS:
        raise RequestError(f"format {shown(file_format)}: a picture is one of {', '.join(FORMATS)}")
    dpi = whole(dpi, "dpi", 10, 1200)
    figure = ax.get_figure(root=True)
    assert figure is not None
    file = BytesIO()
    figure.savefig(file, format=file_format, dpi=dpi, metadata=_TIMELESS[file_format])
    return file.getvalue()


@in_style
def retitle(ax: Axes, title: str) -> None:
    """Put another title over a chart, in lines that fit the figure, which grows for more of them.

    Raises
    ------
    RequestError
        When it is longer than 150 letters, or holds what the font of the charts cannot draw.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> _ = ax.set_title("a", loc="left")
    >>> retitle(ax, "My hand")
    >>> ax.get_title("left")
    'My hand'
    """
    check_kind(ax, "ax", Axes, "the Axes that a chart returned")
    check_kind(title, "title", str, "a text")
    if len(title) > LONGEST_TITLE:
        raise RequestError(f"title: has {len(title):,} letters; at most {LONGEST_TITLE}")
    figure = ax.get_figure(root=True)
    assert figure is not None
    old = ax.get_title("left")
    for text in ax.get_children():
        if (
            not isinstance(text, Text)
            or text.get_text() != old
            or text.get_horizontalalignment() != "left"
        ):
            continue
        font = text.get_fontproperties()
        drawn = get_font(findfont(font))
        for place, letter in enumerate(title, start=1):
            if not letter.isspace() and not drawn.get_char_index(ord(letter)):
                raise RequestError(
                    f"title: letter {place}, {letter!a}, is not in the font of the charts"
                )
        size = font.get_size_in_points()
        lines = _fitted(title, 72 * figure.get_figwidth() - LABELS, size, drawn)
        text.set_parse_math(False)
        text.set_text(lines)
        more = lines.count("\n") - old.count("\n")
        figure.set_figheight(figure.get_figheight() + more * LINE_HEIGHT * size / 72)


def _fitted(title: str, room: float, size: float, font: FT2Font) -> str:
    """A title in lines of so many points at most."""
    font.set_size(size, 72)
    for columns in range(TITLE_COLUMNS, 1, -1):
        lines = wrap_title(title, columns)
        widths = []
        for line in lines.split("\n"):
            font.set_text(line)
            widths.append(font.get_width_height()[0] / 64)
        if max(widths) <= room:
            return lines
    return wrap_title(title, 1)


def save(ax: Axes, path: str | Path, dpi: int = DPI) -> None:
    """Write the whole figure of some axes to a file, whose ending says the format.

    A file of that name is replaced, once the new one is whole.

    Raises
    ------
    RequestError
        When the ending is not that of a picture.

    >>> from matplotlib.figure import Figure
    >>> save(Figure().add_subplot(), "chart.jpg")
    Traceback (most recent call last):
    ...
    sim42.errors.RequestError: format 'jpg': a picture is one of png, svg, pdf
    """
    check_kind(path, "path", (str, PathLike), "the name of a file")
    write_file(path, picture(ax, Path(path).suffix.lower().lstrip("."), dpi))
