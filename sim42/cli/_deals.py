"""Deals from stdin, in any format that ``sim42 deal`` writes."""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

from sim42.cli._options import read_lines
from sim42.errors import RequestError, at, shown

Placed = tuple[str, str]
"""Where a deal stands, as a message says it, and its text."""


def read_deals() -> list[Placed]:
    """The deals of stdin: a line each, or with a column or key ``deal`` in csv, json or jsonl.

    Raises
    ------
    RequestError
        When there are none, or the text is none of these; says where and what would be right.
    """
    lines = read_lines()
    if not lines:
        raise RequestError("stdin: no deals; one a line, as sim42 deal prints them")
    first = lines[0][1]
    if first.startswith("{"):
        return [_of_row(_parsed(line, where), where) for line, where in map(_placed, lines)]
    # A tile in brackets, as [6|4], begins with one too.
    if re.match(r"\[\s*(\{|\]|$)", first):
        rows = _parsed("\n".join(line for _, line in lines), "stdin")
        if not rows:
            raise RequestError("stdin: no deals; the list is empty")
        return [_of_row(row, f"stdin, deal {place}") for place, row in enumerate(rows, start=1)]
    header = _cells(*_placed(lines[0]))
    if "deal" in header:
        return list(_of_table(header, lines[1:]))
    return [(where, line) for line, where in map(_placed, lines)]


def _placed(line: tuple[int, str]) -> tuple[str, str]:
    return line[1], f"stdin, line {line[0]}"


def _of_table(header: list[str], lines: list[tuple[int, str]]) -> Iterator[Placed]:
    if not lines:
        raise RequestError("stdin: no deals below the names of the columns")
    place = header.index("deal")
    for line, where in map(_placed, lines):
        cells = _cells(line, where)
        if len(cells) != len(header):
            raise RequestError(f"{where}: {len(cells)} cells; the header names {len(header)}")
        yield where, cells[place]


def _cells(line: str, where: str) -> list[str]:
    try:
        return next(csv.reader([line]))
    except csv.Error as error:
        raise RequestError(f"{where}: {error}") from None


def _parsed(text: str, where: str) -> Any:
    with at(where):
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            what = f"{error.msg} at line {error.lineno}, character {error.colno}"
        except (ValueError, RecursionError):
            what = "numbers of too many digits, or too deeply nested"
        raise RequestError(f"not JSON: {what}")


def _of_row(row: Any, where: str) -> Placed:
    if not isinstance(row, dict) or not isinstance(row.get("deal"), str):
        raise RequestError(f'{where}: {shown(row)} is no object with a text "deal"')
    return where, row["deal"]
