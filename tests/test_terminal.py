"""Tables on a terminal: coloured by chance where that is wanted, 80 columns, signs it can show."""

import io
import os
import pty
import re
import subprocess
import sys

import pytest
from pictures import random_rows, random_run, rows_with

from sim42.cli import _terminal as terminal
from sim42.cli._output import Target, settle_target
from sim42.cli._render import bid_text
from sim42.cli._render_run import survey_text
from sim42.tables.groups import group_table
from sim42.tables.hands import fair_calls, survey_table

ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.TextIOWrapper):
    """Standard output that is, or is not, a terminal."""

    def __init__(self, is_terminal=True, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)
        self.isatty = lambda: is_terminal

    @property
    def written(self):
        return self.buffer.getvalue()


def survey_tables():
    run = random_run(5)
    for table in (
        survey_table(run),
        fair_calls(run),
        group_table(run, ["trumps", "double_held", "shape"]),
    ):
        table.attrs = {**table.attrs, "hands": 5}
        yield table


@pytest.mark.parametrize(
    ("is_terminal", "environment", "output", "wanted"),
    [
        (True, {"TERM": "xterm"}, None, True),
        (True, {"TERM": "xterm"}, "-", True),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, None, True),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, None, False),
        (True, {"TERM": "dumb"}, None, False),
        (True, {}, None, False),
        (False, {"TERM": "xterm"}, None, False),
        (True, {"TERM": "xterm"}, "table.txt", False),
    ],
)
def test_when_colour_is_wanted(is_terminal, environment, output, wanted, monkeypatch):
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal(is_terminal))
    assert terminal.wants_colour(settle_target(output, False, ("table",))) is wanted


def test_colour_changes_nothing_else():
    rows = random_rows()
    coloured = bid_text(rows.attrs, colour=True)
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == bid_text(rows.attrs)
    for table in survey_tables():
        assert ANSI.sub("", survey_text(table, colour=True)) == survey_text(table)
        assert ANSI.search(survey_text(table, colour=True))


def test_colours_go_by_chance():
    looks = [terminal.by_chance("x", chance, colour=True) for chance in (0.1, 0.3, 0.5, 0.75, 1)]
    assert looks == ["\x1b[2mx\x1b[0m", "x", "\x1b[32mx\x1b[0m", *["\x1b[1;32mx\x1b[0m"] * 2]


@pytest.mark.parametrize("points", [[[42] * 9], [[29] * 9] * 3, [[42] * 9] * 9999 + [[29] * 9]])
def test_bid_tables_fit_in_80_columns(points):
    assert max(map(len, bid_text(rows_with(points).attrs).splitlines())) <= 80


def test_survey_tables_fit_in_80_columns():
    for table in survey_tables():
        lines = survey_text(table).splitlines()
        assert max(map(len, lines)) <= 80, max(lines, key=len)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp437", "koi8-r"])
def test_tables_in_the_encoding_of_the_terminal(encoding, monkeypatch):
    stdout = Terminal(encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stdout)
    text = bid_text(random_rows().attrs)
    terminal.write_table(Target(None, "table"), text)
    shown = stdout.written.decode(encoding)
    assert "?" not in shown
    assert [len(line) for line in shown.splitlines()[:13]] == [
        len(line) for line in text.splitlines()[:13]
    ]


def test_on_a_real_terminal():
    words = [
        sys.executable,
        "-m",
        "sim42",
        "bid",
        "66 65 64 63 62 61 60",
        "--deals",
        "3",
        "--seed",
        "1",
    ]
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    subprocess.run([*words, "--trumps", "sixes"], stdout=slave, env=environment, check=True)
    os.close(slave)
    shown = os.read(master, 100_000).decode()
    os.close(master)
    assert "\x1b[1;32m  100\x1b[0m" in shown
