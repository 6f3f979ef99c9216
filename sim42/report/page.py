"""An HTML page that stands alone: headings, charts as inline SVG, tables that sort, facts.

How it looks and sorts stands beside this module, in page.html.jinja, page.css and page.js.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import count
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup
from matplotlib.axes import Axes

from sim42.charts import picture

Cell = str | float | int | None
"""What a table holds: text or a number; None is shown as a dash, and comes last in any order."""


class Column(NamedTuple):
    """A column of a table: its heading, and how its numbers are shown; None when it is text."""

    name: str
    show: Callable[[float], str] | None = None


class Page:
    """A page, written from the top down; `html` is the whole of it."""

    def __init__(self, title: str, subtitle: str) -> None:
        self._head = {"title": title, "subtitle": subtitle}
        self._parts: list[dict[str, Any]] = []
        self._charts = count(1)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append({"kind": "heading", "text": text})

    def text(self, text: str, look: str = "") -> None:
        """A paragraph."""
        self._parts.append({"kind": "text", "text": text, "look": look})

    def drawing(self, svg: str) -> None:
        """An SVG element as it is, as `sim42.game.dominoes` draws it."""
        self._parts.append({"kind": "drawing", "svg": Markup(svg)})

    def chart(self, ax: Axes) -> None:
        """The whole figure of some axes, as inline SVG whose text is text."""
        spoken = ax.get_title("left").replace("\n", " ")
        self.drawing(inline_svg(picture(ax, "svg").decode(), f"c{next(self._charts)}", spoken))

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
        """A table that sorts on a click."""
        cells = [list(map(_cell, row, columns)) for row in rows]
        self._parts.append({"kind": "table", "columns": columns, "rows": cells})

    def facts(self, facts: dict[str, str]) -> None:
        """Names and values, one under the other."""
        self._parts.append({"kind": "facts", "facts": facts})

    def html(self, foot: str) -> str:
        """The page, with a last line."""
        return _template().render(self._head, parts=self._parts, foot=foot)


@cache
def _template() -> Template:
    """The page without what is in it; all text in it is escaped."""
    folder = files("sim42.report")

    def source(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=plain,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["style"] = Markup(source("page.css"))
    environment.globals["script"] = Markup(source("page.js"))
    return environment.get_template("page.html.jinja")


def plain(value: Any) -> Any:
    """Text without what no page may hold: control characters and halves of letters.

    >>> plain("caf" + chr(233) + chr(27) + "[1m") == "caf" + chr(233) + chr(0xFFFD) + "[1m"
    True
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", value)


def inline_svg(svg: str, prefix: str, spoken: str = "") -> str:
    """The SVG file of a chart as an element of a page: no header, and ids that are its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    width, box = re.findall(r'(?:width|viewBox)="([^"]*)"', svg[: svg.index(">")])
    look = (
        f'class="chart" role="img" aria-label="{escape(plain(spoken))}" style="max-width: {width}"'
    )
    svg = f'<svg {look} viewBox="{box}"{svg[svg.index(">") :]}'
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'(url\(|xlink:href=")#', rf"\1#{prefix}", svg)
    return svg.replace("xlink:href", "href")


class _Shown(NamedTuple):
    """A cell: its text, and the number that it goes by in an order; None when that is the text."""

    text: str
    number: str | None


def _cell(value: Cell, column: Column) -> _Shown:
    if value is None:
        return _Shown("\N{EN DASH}", "")
    if column.show is None:
        return _Shown(str(value), None)
    assert not isinstance(value, str)
    return _Shown(column.show(value).replace("-", "\N{MINUS SIGN}"), f"{value:.9g}")
