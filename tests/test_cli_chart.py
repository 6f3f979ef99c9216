"""``sim42 chart``: every kind from the files it takes, and one line for what it does not."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pictures import HAND, assert_nothing_cut

from sim42 import Study, charts, load_run, run_study
from sim42.cli import main
from sim42.cli.chart import KINDS
from sim42.tables.bid_file import read_bid
from sim42.tables.compare import compare_runs
from sim42.tables.words import percent

OTHER = "6-6 6-5 6-4 5-5 4-4 3-3 2-1"


def sim42(*words, **more):
    return CliRunner().invoke(main, [*map(str, words)], **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """bid.json, other.json, and the runs run and run2 in one folder."""
    path = tmp_path_factory.mktemp("chart")
    for name, hand in (("bid", str(HAND)), ("other", OTHER)):
        words = ("--deals", 12, "--seed", 5, "--trumps", "ones,fives")
        result = sim42("bid", hand, *words, "-o", path / f"{name}.json")
        assert result.exit_code == 0, result.stderr
    for name, seed in (("run", 1), ("run2", 2)):
        study = Study(hands=range(6), deals=4, seed=seed, trumps=["fives", "sixes"])
        run_study(study, path=path / name)
    return path


EVERY = [
    ("hand", "bid.json"),
    ("curve", "bid.json"),
    ("curve", "bid.json", "run"),
    ("points", "bid.json", "--trump", "ones"),
    ("types", "run"),
    ("types", "run", "run2", "--by", "shape"),
    ("bids", "run"),
    ("trumps", "run"),
    ("convergence", "bid.json", "--bid", 31),
    ("convergence", "run"),
    ("compare", "bid.json", "other.json"),
    ("compare", "run", "run2"),
]


@pytest.mark.parametrize("words", EVERY, ids=lambda words: "-".join(map(str, words)))
def test_every_kind(words, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    result = sim42("chart", *words, "-o", tmp_path / "a.svg")
    assert result.exit_code == 0, result.stderr
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "double dummy" in svg
    assert sim42("chart", *words, "-o", tmp_path / "b.svg", "--title", "Mine").exit_code == 0
    assert ">Mine</text>" in (tmp_path / "b.svg").read_text(encoding="utf-8")


def test_every_kind_is_tried():
    assert {words[0] for words in EVERY} == set(KINDS)


@pytest.mark.parametrize(
    ("name", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_formats_to_a_file_and_to_stdout(name, start, folder, tmp_path):
    file = tmp_path / f"a.{name.upper()}"
    assert sim42("chart", "hand", folder / "bid.json", "-o", file).exit_code == 0
    data = file.read_bytes()
    assert data.startswith(start)
    stdin = (folder / "bid.json").read_bytes()
    result = sim42("chart", "hand", "-", "-o", "-", "--format", name, input=stdin)
    assert result.stdout_bytes == data


def test_help_lists_every_kind_on_a_line():
    lines = sim42("chart", "--help").stdout.splitlines()
    for kind in KINDS:
        assert any(line.split()[:1] == [kind] for line in lines)
    assert max(map(len, lines)) <= 80


def test_dots_per_inch(folder, tmp_path):
    sizes = []
    for dpi in (50, 100):
        file = tmp_path / f"{dpi}.png"
        assert sim42("chart", "hand", folder / "bid.json", "-o", file, "--dpi", dpi).exit_code == 0
        sizes.append(int.from_bytes(file.read_bytes()[16:20], "big"))
    assert sizes[1] == 2 * sizes[0]


def test_convergence_ends_at_the_rate_of_the_bid(folder, tmp_path):
    rows = json.loads((folder / "bid.json").read_text())["rows"]
    best = max(row["made"] for row in rows if row["bid"] == 30)
    file = tmp_path / "a.svg"
    assert sim42("chart", "convergence", folder / "bid.json", "-o", file).exit_code == 0
    assert f">{100 * best / 12:.0f} %" in file.read_text(encoding="utf-8")


def test_convergence_is_of_the_deals_that_were_given(folder, tmp_path):
    words = (str(HAND), "--deals", 40, "--seed", 5, "--trumps", "ones", "--partner", "6-6 1-0")
    assert sim42("bid", *words, "-o", tmp_path / "given.json").exit_code == 0
    stored = json.loads((tmp_path / "given.json").read_text())
    (made,) = (row["made"] for row in stored["rows"] if row["bid"] == 30)
    words = (tmp_path / "given.json", "-o", tmp_path / "a.svg")
    result = sim42("chart", "convergence", *words)
    assert result.exit_code == 0, result.stderr
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert f">{percent(made / 40, 0)} %" in svg
    assert "Given that" in svg
    stored["given"] = None  # now they are the deals of another question
    (tmp_path / "given.json").write_text(json.dumps(stored))
    result = sim42("chart", "convergence", *words, "--force")
    assert result.exit_code == 2
    assert "solved again, have other counts" in result.stderr


@pytest.mark.parametrize("backend", ["TkAgg", "no_such_backend", "module://nowhere"])
def test_whatever_mplbackend_is(backend, folder, tmp_path):
    words = [
        sys.executable,
        "-m",
        "sim42",
        "chart",
        "hand",
        "bid.json",
        "-o",
        str(tmp_path / "a.png"),
    ]
    environment = {**os.environ, "MPLBACKEND": backend, "DISPLAY": ""}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True)
    assert done.stderr == b""


BAD = [
    (("hand", "run", "-o", "a.png"), "is drawn from one bid.json, not from 0 bid.json and 1 RUN"),
    (("hand", "bid.json", "bid.json", "-o", "a.png"), "not from 2 bid.json"),
    (("compare", "bid.json", "run", "-o", "a.png"), "two bid.json, or two RUN"),
    (("compare", "run", "-o", "a.png"), "two bid.json, or two RUN"),
    (("bids", "bid.json", "-o", "a.png"), "RUN, or several"),
    (("convergence", "bid.json", "run", "-o", "a.png"), "one bid.json, or RUN"),
    (("convergence", "run", "--trump", "fives", "-o", "a.png"), "--trump goes with bid.json"),
    (("hand", "nothing.json", "-o", "a.png"), "nothing.json: there is no such file"),
    (("hand", "broken.json", "-o", "a.png"), "broken.json: not the JSON of sim42 bid"),
    (("hand", "binary.json", "-o", "a.png"), "binary.json: not the JSON of sim42 bid"),
    (("hand", "bid.json", "-o", "a.gif"), "unknown ending"),
    (("hand", "bid.json", "-o", "bid.json", "--format", "png"), "exists"),
    (("hand", "bid.json", "-o", "nowhere/a.png"), "no folder"),
    (("hand", "bid.json", "--by", "shape", "-o", "a.png"), "--by goes with types, not with hand"),
    (("points", "bid.json", "--trump", "sixes", "-o", "a.png"), "trump sixes: was not solved"),
    (("types", "bid.json", "--by", "colour", "-o", "a.png"), "colour"),
    (("pie", "bid.json", "-o", "a.png"), "pie"),
    (("hand", "bid.json", "--dpi", "5", "-o", "a.png"), "from 10 to"),
    (("hand", "bid.json"), "-o"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=lambda part: " ".join(part)[:40])
def test_bad_input_is_one_line(words, message, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "broken.json").write_text((folder / "bid.json").read_text()[:-40])
    (folder / "binary.json").write_bytes(bytes(range(256)))
    result = sim42("chart", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    "change",
    [
        lambda bid: bid.pop("counts"),
        lambda bid: bid.update(counts={}),
        lambda bid: bid["counts"]["fives"].update({"42": -1}),
        lambda bid: bid["counts"].update(hearts=bid["counts"]["fives"]),
        lambda bid: bid.update(deals=13),
        lambda bid: bid.update(hand="6-6"),
        lambda bid: bid.update(rules={"scoring": "goals"}),
        lambda bid: bid.update(call=[]),
        lambda bid: bid["call"].pop("marks"),
        lambda bid: bid["call"].update(trump="sixes"),
        lambda bid: bid["call"].update(second=5),
    ],
)
def test_a_changed_bid_is_refused(change, folder):
    stored = json.loads((folder / "bid.json").read_text())
    change(stored)
    result = sim42("chart", "hand", "-", "-o", "-", input=json.dumps(stored))
    assert result.exit_code == 2
    assert result.stderr.startswith("sim42: stdin: not the JSON of sim42 bid: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda bid: bid.update(seed=-1), "seed: -1 is not a whole number"),
        (lambda bid: bid.update(seed=True), "seed: True"),
        (lambda bid: bid.update(seed=1e400), "Infinity is not a number"),
        (lambda bid: bid.update(deals=12.0), "deals: 12.0"),
        (lambda bid: bid["counts"]["fives"].update({"42": 1.5}), "a count of fives: 1.5"),
        (lambda bid: bid["counts"]["fives"].update({"42": True}), "a count of fives: True"),
        (lambda bid: bid["counts"]["fives"].update({"42": "30"}), "a count of fives: '30'"),
        (lambda bid: bid["counts"]["fives"].update({"42": 10**30}), "a count of fives: 1000"),
        (lambda bid: bid["counts"].update({"5": bid["counts"].pop("fives")}), "'5' is written"),
        (lambda bid: bid["call"].update(cross_fitted="much"), "cross_fitted: 'much'"),
        (lambda bid: bid["call"]["second"].update(low=True), "low: True"),
        (lambda bid: bid["call"]["offers"][0].update(bid=42), "its call is not that of its counts"),
        (lambda bid: bid.update(rules=[]), "of other kinds"),
        (lambda bid: bid.update(counts=[1]), "of other kinds"),
    ],
)
def test_numbers_of_a_bid_are_whole_numbers_that_can_be(change, words, folder):
    stored = json.loads((folder / "bid.json").read_text())
    if stored["call"]["second"] is None:  # the second best only stands beside a bid
        stored["call"]["second"] = {"low": None}
    change(stored)
    result = sim42("chart", "hand", "-", "-o", "-", input=json.dumps(stored))
    assert result.exit_code == 2
    assert result.stderr.startswith("sim42: stdin: not the JSON of sim42 bid: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 250


@pytest.mark.parametrize("text", ["[" * 200_000, '{"counts": ' * 200_000, '{"seed": Infinity}'])
def test_text_that_no_bid_is_is_one_line(text):
    result = sim42("chart", "hand", "-", "-o", "-", input=text)
    assert result.exit_code == 2
    assert result.stderr.startswith("sim42: stdin: not the JSON of sim42 bid: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("bell \a", r"letter 6, '\x07', is not in the font"),
        ("escape \x1b[31m", r"letter 8, '\x1b', is not in the font"),
        ("hands 手", r"letter 7, '\u624b', is not in the font"),
        ("x" * 1000, "title: has 1,000 letters; at most 150"),
    ],
)
def test_titles_that_cannot_be_drawn_are_one_line(title, words, folder):
    result = sim42(
        "chart", "hand", folder / "bid.json", "-o", "-", "--format=svg", "--title", title
    )
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_titles_are_text_not_formulas_and_are_not_cut(folder):
    rows = read_bid((folder / "bid.json").read_bytes())
    run = load_run(folder / "run")
    axes = [charts.chart_hand(rows), charts.chart_points(rows), charts.chart_types(run)]
    axes += [charts.chart_trumps(run), charts.chart_compare(compare_runs(run, run))]
    for title in ("$5 or $6_a$ b", "Été à Tyler, ça va?", "W" * 150, "Mm " * 50):
        for ax in axes:
            charts.retitle(ax, title)
            assert "".join(ax.get_title("left").split()) == "".join(title.split())
            assert_nothing_cut(ax)
            charts.retitle(ax, "")  # what a title takes must not stay


@pytest.mark.parametrize("mode", ["0", "1"])
def test_titles_with_accents_in_a_posix_locale(mode, folder, tmp_path):
    target = tmp_path / "a.svg"
    words = ["chart", "hand", str(folder / "bid.json"), "-o", str(target), "--title", "Été"]
    environment = {
        **os.environ,
        **{"LC_ALL": "POSIX", "PYTHONUTF8": mode, "PYTHONCOERCECLOCALE": "0"},
    }
    command = [sys.executable, "-m", "sim42", *words]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stderr == b""
    assert ">Été</text>" in target.read_text(encoding="utf-8")


RECORD = """{"deal": "6-3 6-2 5-4 4-3 3-3 2-0 1-0 / 6-6 5-5 5-1 4-0 3-1 3-0 2-1 / \
6-5 5-3 5-2 5-0 4-4 4-1 2-2 / 6-4 6-1 6-0 4-2 3-2 1-1 0-0", "shaker": 3, \
"bids": ["30", "pass", "pass", "pass"], "trump": "threes", "plays": ["3-3", "3-0"], \
"rules": {"doubles": "low"}}"""
OF_A_HAND = (HAND, "--deals", 9, "--seed", 5, "--rules", "low.toml")


@pytest.mark.parametrize(
    "words",
    [
        ("bid", *OF_A_HAND, "--trumps", "sixes"),
        ("lead", *OF_A_HAND, "--trump", "sixes"),
        ("arena", "club", "random", "--deals", 2, "--seed", 1, "--rules", "low.toml"),
        ("solve", "--record", "record.json", "--at", 2),
        ("play", "--record", "record.json"),
        ("review", "record.json"),
        ("report", *OF_A_HAND, "--trumps", "sixes", "-o", "-"),
        ("report", "--record", "record.json", "-o", "-"),
        ("chart", "hand", "bid.json", "-o", "-.svg"),
        ("chart", "curve", "bid.json", "-o", "-.svg"),
        ("chart", "points", "bid.json", "-o", "-.svg"),
        ("chart", "convergence", "bid.json", "-o", "-.svg"),
        ("chart", "lead", "lead.json", "-o", "-.svg"),
        ("chart", "review", "record.json", "-o", "-.svg"),
    ],
    ids=lambda words: "-".join(map(str, words[:2])),
)
def test_rules_of_a_house_are_said_wherever_figures_rest_on_them(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("low.toml").write_text('doubles = "low"')
    Path("record.json").write_text(RECORD)
    for name in ("bid", "lead"):
        if f"{name}.json" in words:
            trump = {"bid": "--trumps", "lead": "--trump"}[name]
            assert sim42(name, *OF_A_HAND, trump, "sixes", "-o", f"{name}.json").exit_code == 0
    result = sim42(*words)
    assert result.exit_code == 0, result.stderr
    said = Path("-.svg").read_text(encoding="utf-8") if "-.svg" in words else result.stdout
    assert "Rules: doubles = low." in " ".join(re.sub("<[^>]*>", " ", said).split())


def test_two_of_one_hand_and_seed_are_compared_deal_by_deal(folder, tmp_path):
    rules = tmp_path / "low.toml"
    rules.write_text('doubles = "low"')
    words = (str(HAND), "--deals", 9, "--seed", 5, "--trumps", "follow-me")
    assert sim42("bid", *words, "--rules", rules, "-o", tmp_path / "low.json").exit_code == 0
    assert sim42("bid", *words, "-o", tmp_path / "high.json").exit_code == 0
    both = (tmp_path / "high.json", tmp_path / "low.json", "-o", tmp_path / "a.svg")
    assert sim42("chart", "compare", *both).exit_code == 0
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for part in ("The same 9 random deals", "doubles = low", "tournament rules", "deal by deal"):
        assert part in svg
    assert "independent" not in svg
