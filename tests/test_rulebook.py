"""`sim42 rules`: every rule that anything names is in the book, and is printed."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sim42.cli import main
from sim42.cli.rules import book, rules_of
from sim42.game.rules import Rules

ROOT = Path(__file__).parent.parent
NAMED = re.compile(r"\b[TARSN]\d+\b")


def run(*words):
    return CliRunner().invoke(main, ["rules", *words])


def test_the_book_has_its_rules_in_order():
    assert list(rules_of(book())) == [
        *("T1", "T2", "T3", "T4", "A1", "A2", "A3", "A4", "A5"),
        *("R1", "R2", "R3", "R4", "R5", "R6", "R7", "S1", "S2", "S3"),
    ]


@pytest.mark.parametrize("folder", ["sim42", "tests", "README.md"])
def test_every_rule_that_is_named_is_in_the_book(folder):
    place = ROOT / folder
    pages = [place] if place.is_file() else sorted(place.rglob("*.py"))
    named = {
        name: str(page)
        for page in pages
        if page != Path(__file__)
        for name in NAMED.findall(page.read_text(encoding="utf-8"))
    }
    assert named
    missing = {name: page for name, page in named.items() if name not in rules_of(book())}
    assert missing == {}


def test_every_option_is_in_the_book_with_its_values():
    text = book()
    for name, value in Rules().as_dict().items():
        assert f"`{name}`" in text or f"`{name} " in text, name
        assert isinstance(value, bool) or str(value) in text or name == "scoring", name


def test_all_rules_are_printed():
    result = run()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == book()


@pytest.mark.parametrize("name", ["R6", "r6", "S1", "T2"])
def test_one_rule_is_printed(name):
    result = run(name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{name.upper()}  ")
    assert len(NAMED.findall(result.stdout)) == 1
    assert "**" not in result.stdout
    words = rules_of(book())[name.upper()].split()
    assert result.stdout.split()[1:] == words


def test_more_than_one_rule():
    result = run("s1", "A5")
    assert result.stdout == run("S1").stdout + "\n" + run("A5").stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("R9", "'R9': no such rule; there are R1, R2, R3, R4, R5, R6, R7"),
        ("t0", "'t0': no such rule; there are T1, T2, T3, T4"),
        ("follow", "'follow': no such rule; there are T1, T2, T3, T4, A1, A2, A3"),
        ("", "'': no such rule; there are T1"),
        ("R6\n" * 1000, "no such rule; there are R1"),
    ],
)
def test_rules_that_are_not_in_the_book(name, said):
    result = run("A1", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
