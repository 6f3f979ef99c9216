"""An HTML page that stands alone: headings, charts as inline SVG, tables that sort, facts."""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import count
from typing import Final, NamedTuple

from matplotlib.axes import Axes

from sim42.charts import picture

Cell = str | float | int | None
"""What a table holds: text or a number; None is shown as a dash, and comes last in any order."""


class Column(NamedTuple):
    """A column of a table: its heading, and how its numbers are shown; None when it is text."""

    name: str
    show: Callable[[float], str] | None = None


_STYLE: Final = """
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.5rem 4rem; color: #22303c;
  background: #fff; font: 16px/1.55 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .4rem; }
h2 { font-size: 1.15rem; margin: 3rem 0 .6rem; padding-top: 1.2rem; border-top: 1px solid #dde2e5; }
p { max-width: 46rem; margin: .5rem 0; }
.lead { font-size: 1.2rem; font-weight: 600; margin-top: 1.1rem; }
.soft, footer { color: #5d6a75; }
figure { margin: 1.2rem 0; overflow-x: auto; }
.chart { width: 100%; height: auto; min-width: 36rem; }
.chart * { stroke-linejoin: round; stroke-linecap: butt; }
.table { overflow: auto; max-height: 36rem; border: 1px solid #dde2e5; border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .84rem;
  font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: #f3f5f6; text-align: right; padding: 0; }
th button { all: unset; box-sizing: border-box; width: 100%; cursor: pointer; padding: .5rem .45rem;
  font-weight: 600; white-space: nowrap; }
th button:focus-visible { outline: 2px solid #2b6a8c; outline-offset: -2px; }
th[aria-sort] button { color: #2b6a8c; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
td { padding: .32rem .45rem; text-align: right; white-space: nowrap;
  border-top: 1px solid #eef0f1; }
.text { text-align: left; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.5rem; margin: 1rem 0; }
dt { color: #5d6a75; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em "DejaVu Sans Mono", ui-monospace, monospace; }
footer { margin-top: 3rem; font-size: .88rem; }
@media print { .table { max-height: none; } h2, figure { break-inside: avoid; } }
"""

_SORT: Final = """
document.querySelectorAll("th button").forEach(button => button.addEventListener("click", () => {
  const head = button.parentElement, table = head.closest("table"), body = table.tBodies[0];
  const place = head.cellIndex, numbers = head.className === "number";
  const [first, second] = numbers ? ["descending", "ascending"] : ["ascending", "descending"];
  const order = head.getAttribute("aria-sort") === first ? second : first;
  const sign = order === "ascending" ? 1 : -1;
  const value = row => row.cells[place].dataset.value ?? row.cells[place].textContent;
  const compare = (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    return sign * (numbers ? x - y : (x > y) - (x < y));
  };
  table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  body.append(...[...body.rows].sort(compare));
}));
"""


class Page:
    """A page, written from the top down; `html` is the whole of it."""

    def __init__(self, title: str, subtitle: str) -> None:
        self._title = title
        self._parts = [f"<h1>{escape(title)}</h1>", f'<p class="soft">{escape(subtitle)}</p>']
        self._charts = count(1)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{escape(text)}</h2>")

    def text(self, text: str, look: str = "") -> None:
        """A paragraph."""
        self._parts.append(f'<p class="{look}">{escape(text)}</p>')

    def drawing(self, svg: str) -> None:
        """An SVG element as it is, as `sim42.game.dominoes` draws it."""
        self._parts.append(f"<figure>{svg}</figure>")

    def chart(self, ax: Axes) -> None:
        """The whole figure of some axes, as inline SVG whose text is text."""
        spoken = ax.get_title("left").replace("\n", " ")
        svg = inline_svg(picture(ax, "svg").decode(), f"c{next(self._charts)}", spoken)
        self._parts.append(f"<figure>{svg}</figure>")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
        """A table that sorts on a click."""
        head = "".join(
            f'<th scope="col" class="{"number" if column.show else "text"}">'
            f'<button type="button">{escape(column.name)}</button></th>'
            for column in columns
        )
        body = "".join(f"<tr>{''.join(map(_cell, row, columns))}</tr>\n" for row in rows)
        self._parts.append(
            f'<div class="table"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>'
            "</table></div>"
        )

    def facts(self, facts: dict[str, str]) -> None:
        """Names and values, one under the other."""
        items = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
        self._parts.append(f"<dl>{items}</dl>")

    def html(self, foot: str) -> str:
        """The page, with a last line."""
        body = "\n".join([*self._parts, f"<footer>{escape(foot)}</footer>"])
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            # Nothing may be fetched, whatever text found its way into the page.
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
            f"<title>{escape(self._title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
            f"{body}\n<script>{_SORT}</script>\n</body>\n</html>\n"
        )


def inline_svg(svg: str, prefix: str, spoken: str = "") -> str:
    """The SVG file of a chart as an element of a page: no header, and ids that are its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    width, box = re.findall(r'(?:width|viewBox)="([^"]*)"', svg[: svg.index(">")])
    look = f'class="chart" role="img" aria-label="{escape(spoken)}" style="max-width: {width}"'
    svg = f'<svg {look} viewBox="{box}"{svg[svg.index(">") :]}'
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'(url\(|xlink:href=")#', rf"\1#{prefix}", svg)
    return svg.replace("xlink:href", "href")


def _cell(value: Cell, column: Column) -> str:
    if value is None:
        return '<td data-value="">–</td>'
    if column.show is None:
        return f'<td class="text">{escape(str(value))}</td>'
    assert not isinstance(value, str)
    shown = escape(column.show(value)).replace("-", "\N{MINUS SIGN}")
    return f'<td data-value="{value:.9g}">{shown}</td>'
