"""The HTML report: whole, safe, the figures in it, and what a real browser makes of it."""

import html
import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from pictures import HAND, random_points, random_run, run_with, sample_with

from sim42 import Rules, Study, Trump, run_study
from sim42.cli import main
from sim42.report import report_hand, report_survey
from sim42.report.page import Column, Page, inline_svg
from sim42.tables.bid import bid_rows
from sim42.tables.hands import best_calls
from sim42.tables.words import percent

VOID = {"meta", "rect", "path", "circle", "use", "image", "br"}


class Outline(HTMLParser):
    """Checks that what is opened is closed, and collects ids, links and cells."""

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.links, self.rows, self.tags = [], [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [value for name, value in attrs.items() if name in ("href", "src")]
        self.links += [
            v for value in attrs.values() for v in re.findall(r"url\(([^)]*)", value or "")
        ]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "button"):
            self.rows[-1].append(data)


@pytest.fixture(scope="module")
def sample():
    return sample_with(random_points())


@pytest.fixture(scope="module")
def hand_page(sample):
    return report_hand(sample)


@pytest.fixture(scope="module")
def run():
    return random_run()


@pytest.fixture(scope="module")
def survey_page(run):
    return report_survey(run)


@pytest.mark.parametrize("name", ["hand_page", "survey_page"])
def test_a_page_stands_alone(name, request):
    page = request.getfixturevalue(name)
    outline = Outline(page)
    assert len(set(outline.ids)) == len(outline.ids)
    assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)
    assert not {"link", "img", "iframe", "image"} & set(outline.tags)
    assert re.sub(r'xmlns(:\w+)?="[^"]*"', "", page).count("://") == 0


def test_the_table_of_a_hand_holds_the_rates(sample, hand_page):
    rows = bid_rows(sample)
    head, *body = Outline(hand_page).rows
    assert head[:3] == ["trump", "30", "31"]
    assert [row[0] for row in body] == [str(trump) for trump in Trump]
    assert [cell for row in body for cell in row[1:14]] == [percent(rate) for rate in rows["rate"]]
    first = head.index("in play 30")
    played = [cell for row in body for cell in row[first : first + 13]]
    assert played == [percent(chance) for chance in rows["in_play"]]


def test_the_table_of_a_survey_holds_the_hands(run, survey_page):
    head, *body = Outline(survey_page).rows
    best = best_calls(run)
    assert head == [
        *("hand", "best trump", "bid", "shown marks", "makes 30", "makes 42"),
        *("cross-fitted marks", "trump in play", "bid in play", "marks in play"),
        *("makes 30 in play", "makes 42 in play", "deals"),
    ]
    assert [row[10] for row in body] == [percent(rate) for rate in best["play_rate_30"]]
    assert [row[0] for row in body] == best["hand"].tolist()
    assert [row[4] for row in body] == [percent(rate) for rate in best["best_rate_30"]]
    assert [row[2] for row in body] == ["–" if b is None else str(b) for b in _bids(best)]


def _bids(best):
    return best["best_bid"].astype(object).where(best["best_bid"].notna(), None)


def test_a_page_says_what_was_run(hand_page, survey_page):
    for part in (str(HAND), "500", "42", "double dummy", "Wilson", "seat 0, who leads"):
        assert part.lower() in hand_page.lower()
    assert "--deals 500 --seed 42" in hand_page
    for part in ("300", "seed 7", "spread between hands", "cross-fitted"):
        assert part in survey_page


def test_the_same_input_gives_the_same_page(sample, run, hand_page, survey_page):
    assert report_hand(sample) == hand_page
    assert report_survey(run) == survey_page


def test_what_cannot_be_drawn_is_said_in_the_page():
    page = report_survey(run_with(np.full((2, 1, 1), 42), [Trump.DOUBLES]))
    assert "Not drawn: types: the run has no pip suit" in page
    assert "Not drawn: cross-fitted figures need" in page
    Outline(page)


def test_a_long_survey_lists_the_first_hands():
    page = report_survey(run_with(np.full((1100, 1, 2), 42), [Trump.FIVES]))
    assert "The first 1,000 hands" in page
    assert len(Outline(page).rows) == 1001


def test_text_is_escaped():
    page = Page("<b>&", "<i>")
    page.text('"<script>alert(1)</script>')
    page.facts({"<u>": "<s>"})
    page.table([Column("<p>")], [["<q>"], [None]])
    html = page.html("<footer>")
    for tag in ("<b>", "<i>", "<script>alert", "<u>", "<s>", "<q>"):
        assert tag not in html


def test_accents_are_kept_and_what_no_page_may_hold_is_not():
    title = "Caf\u00e9 \u2014 \u0141\u00f3d\u017a \u6f22 \U0001f600"
    page = Page(title, "a\x00b\x1b[31mc\ud800d\x85e\nf")
    page.facts({"\x07": "\ufffe"})
    page.table([Column("\x9b")], [["\x0c"]])
    html = page.html("")
    assert html.count(title) == 2
    assert "a\ufffdb\ufffd[31mc\ufffdd\ufffde\nf" in html
    assert html.encode().decode() == html
    assert all(sign.isprintable() or sign in "\n\ufffd" for sign in html)


def test_the_page_works_from_its_files_alone():
    page = Page("A", "B").html("C")
    assert "addEventListener" in page
    assert ".chart" in page
    assert "{{" not in page
    assert "{%" not in page


def test_ids_of_charts_do_not_meet():
    svg = (
        '<?xml?><svg width="9pt" viewBox="0 0 9 9"><g id="unused"><path id="p"/></g>'
        '<g clip-path="url(#p)"/></svg>'
    )
    assert 'id="c1p"' in inline_svg(svg, "c1")
    assert "unused" not in inline_svg(svg, "c1")


PROBE = """<script>
const buttons = [...document.querySelectorAll("th button")];
const column = place => [...document.querySelectorAll("tbody tr")].map(
  row => row.cells[place].textContent);
const orders = {};
for (const [place, button] of buttons.entries()) {
  button.click(); const once = column(place); button.click();
  orders[button.textContent] = [once, column(place)];
}
const cut = [...document.querySelectorAll("svg.chart")].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map(text => text.textContent);
});
const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
const found = {orders, cut, wide, charts: document.querySelectorAll("svg.chart text").length,
  fetched: performance.getEntriesByType("resource").length};
document.documentElement.innerHTML = "<pre></pre>";
document.querySelector("pre").textContent = JSON.stringify(found);
</script>"""


@pytest.mark.parametrize("width", [1100, 400])
@pytest.mark.parametrize("name", ["hand_page", "survey_page"])
def test_in_a_browser(name, width, request, tmp_path):
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip(f"no headless browser is installed (looked for {', '.join(names)})")
    page = request.getfixturevalue(name)
    file = tmp_path / "report.html"
    file.write_text(page.replace("</body>", PROBE + "</body>"), encoding="utf-8")
    done = subprocess.run(
        [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},900",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", file.as_uri(),
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr, done.stderr
    parser = HTMLParser()
    parser.texts = []
    parser.handle_data = parser.texts.append
    parser.feed(done.stdout)
    found = json.loads("".join(parser.texts))
    assert found["fetched"] == 0
    assert found["cut"] == []
    assert not found["wide"]
    assert found["charts"] > 200
    for heading, (once, twice) in found["orders"].items():
        first, second = map(_keys, (once, twice))
        rising, falling = (first, second) if isinstance(first[0], str) else (second, first)
        assert rising == sorted(rising), heading
        assert falling == sorted(falling, reverse=True), heading


def _keys(cells):
    """What a column is in order by; what is missing comes last and is left out."""
    cells = [cell for cell in cells if cell != "–"]
    if any("a" <= letter <= "z" for letter in cells[0]) or "-" in cells[0]:
        return cells
    return [float(re.sub("[<>,]", "", cell).replace("\N{MINUS SIGN}", "-")) for cell in cells]


def report(*words):
    return CliRunner().invoke(main, ["report", *map(str, words)])


def test_the_command_writes_a_page(tmp_path):
    file = tmp_path / "report.html"
    words = (*str(HAND).split(), "--deals", 5, "--seed", 3, "--trumps", "fives", "-o", file)
    result = report(*words)
    assert result.exit_code == 0, result.stderr
    Outline(file.read_text(encoding="utf-8"))
    assert report(*words).exit_code == 2
    assert report(*words, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("6-6", "-o", "a.html"), "seven|7 different tiles"),
        ((str(HAND), "-o", "a.txt"), "unknown ending; one of .html"),
        ((str(HAND), "-o", "nowhere/a.html"), "no folder"),
        ((".", "-o", "a.html"), "not a run"),
    ],
)
def test_bad_input_is_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = report(*words)
    assert result.exit_code == 2
    assert re.search(message, result.stderr)
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_run_does_not_heed_options_of_a_hand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_study(Study(hands=2, deals=2, seed=1, trumps=["fives"]), path="run")
    options = [("--deals", 5), ("--rules", "family"), ("--seed", 1), ("--trumps", "fives")]
    for name, value in [*options, ("--threads", 1)]:
        result = report("run", "-o", "a.html", name, value)
        assert result.exit_code == 2
        assert f"{name} goes with a HAND; run is a run, solved already" in result.stderr
    assert not (tmp_path / "a.html").exists()
    monkeypatch.setenv("SIM42_REPORT_DEALS", "5")  # a default for hands
    assert report("run", "-o", "a.html").exit_code == 0


def test_no_such_run_is_said():
    result = report("NOSUCHRUN", "-o", "-")
    assert result.stderr == (
        "sim42: NOSUCHRUN: neither the directory of a run nor a hand of seven tiles\n"
    )


def test_one_is_one():
    page = report_survey(run_with([[[42]]], [Trump.FIVES]))
    assert "What 1 hand of Texas 42 can bid" in page
    for wrong in ("1 hands", "1 deals", "1 random hands", "1 random deals"):
        assert wrong not in page
        assert wrong not in report_hand(sample_with([[42]], [Trump.FIVES]))


def test_a_page_says_the_rules_and_how_to_make_it_again(run):
    sample = replace(sample_with(random_points()), rules=Rules(doubles="low", max_marks=1))
    page = html.unescape(report_hand(sample))
    assert "Rules: doubles = low, max_marks = 1." in page
    command = re.search(r"printf '%s\\n' (.*?) > rules.toml && sim42 report .*?</dd>", page)
    lines = shlex.split(command[1])
    assert Rules.from_toml("\n".join(lines)) == sample.rules
    assert "--rules rules.toml --pass-value 0 -o report.html" in command[0]
    family = html.unescape(report_hand(replace(sample, rules=Rules.family())))
    assert "--rules family --pass-value 0 -o report.html" in family
    survey = run.copy()
    survey.attrs = {**run.attrs, "rules": Rules(scoring="points").as_dict(), "selection": "listed"}
    page = report_survey(survey)
    for words in ("Rules: scoring = points.", "These rules score points", "not drawn at random"):
        assert words in page


def test_reports_are_drawn_without_assertions_too(tmp_path):
    """Under python -O pandas keeps an index of whole numbers whole."""
    program = (
        "from pictures import *; from sim42.report import *; "
        "print(len(report_survey(random_run(40))));"
        "print(len(report_hand(sample_with(random_points(50)))))"
    )
    words = [sys.executable, "-O", "-c", program]
    done = subprocess.run(
        words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    expected = (report_survey(random_run(40)), report_hand(sample_with(random_points(50))))
    assert done.stdout.split() == [str(len(page)) for page in expected]
