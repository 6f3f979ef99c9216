"""Options: each can come from the environment, and one that would do nothing is refused."""

import copy
import json
import re

import click
import pytest
from click.testing import CliRunner

from sim42 import Study, load_run, run_study
from sim42.cli import COMMANDS, main

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
VALUES = {"rules": "family", "trump": "sixes", "trumps": "doubles,fives"}


def sim42(*words, **more):
    return CliRunner().invoke(main, [*map(str, words)], **more)


def refused(*words, **more):
    """The one line that a refusal says."""
    result = sim42(*words, **more)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


def options_of(name):
    """The options of a command as its help shows them."""
    return re.findall(r"^  (?:-\w, )?--([a-z-]+)", sim42(name, "--help").stdout, re.MULTILINE)


EVERY = [(name, option) for name in COMMANDS for option in options_of(name) if option != "help"]


def understood(name, words):
    """What a command takes from some words, by name, and where from; nothing else is needed."""
    group = click.Context(main, info_name="sim42")
    command = copy.deepcopy(main.get_command(group, name))
    for each in command.params:
        each.required = False
    context = command.make_context(name, list(words), parent=group)
    sources = [context.get_parameter_source(key).name for key in context.params]
    return context.params, sources


def words_for(name, option):
    """Words to say for an option that are not its default; none for a flag."""
    command = main.get_command(click.Context(main, info_name="sim42"), name)
    (found,) = (each for each in command.params if f"--{option}" in each.opts)
    if found.is_flag:
        return []
    if isinstance(found.type, click.Choice):
        return [found.type.choices[-1]]
    return [VALUES.get(option) or str(getattr(found.type, "least", 30) + 1)] * found.nargs


def test_every_option_is_walked():
    assert {("bid", "format"), ("survey", "from"), ("survey", "all"), ("play", "record")} < {*EVERY}
    assert len(EVERY) > 55


@pytest.mark.parametrize(("name", "option"), EVERY)
def test_every_option_can_come_from_the_environment(monkeypatch, name, option):
    words = words_for(name, option)
    typed, _ = understood(name, [f"--{option}", *words])
    variable = f"SIM42_{name}_{option}".replace("-", "_").upper()
    monkeypatch.setenv(variable, " ".join(words) or "1")
    found, sources = understood(name, [])
    assert found == typed
    assert sources.count("ENVIRONMENT") == 1


def test_what_the_environment_says_is_done(tmp_path, monkeypatch):
    monkeypatch.setenv("SIM42_DEAL_FORMAT", "json")
    monkeypatch.setenv("SIM42_DEAL_SEED", "7")
    assert json.loads(sim42("deal").stdout)[0]["seed"] == 7
    for name, value in (("ALL", "1"), ("FROM", "9"), ("TO", "11"), ("DEALS", "2"), ("SEED", "1")):
        monkeypatch.setenv(f"SIM42_SURVEY_{name}", value)
    assert sim42("survey", tmp_path / "run", "--trumps", "fives").exit_code == 0
    assert load_run(tmp_path / "run")["deals"].tolist() == [2, 2]
    record = {"shaker": 0, "deal": sim42("deal", "--seed", "1", "--format", "table").stdout.strip()}
    (tmp_path / "record.jsonl").write_text(json.dumps(record))
    monkeypatch.setenv("SIM42_PLAY_RECORD", str(tmp_path / "record.jsonl"))
    assert sim42("play").exit_code == 0


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("SIM42_BID_DEAL", "5", "SIM42_BID_DEAL: sim42 bid has no such option; after SIM42_BID_"),
        ("SIM42_BID_FORMAT_", "json", "SIM42_BID_FORMAT_: sim42 bid has no such option"),
        ("SIM42_BID_FORMAT", "xml", "--format"),
        ("SIM42_BID_DEALS", "many", "--deals"),
        ("SIM42_BID_FORCE", "perhaps", "--force"),
    ],
)
def test_a_wrong_variable_is_refused(monkeypatch, variable, value, says):
    monkeypatch.setenv(variable, value)
    assert says in refused("bid", HAND)


def test_variables_of_other_commands_and_programs_are_left_alone(monkeypatch):
    for name in ("SIM42_SURVEY_DEALS", "SIM42_SURVEY_NOTHING", "SIM42_RUNS", "SIM42"):
        monkeypatch.setenv(name, "nonsense")
    assert sim42("deal", "--seed", "1").exit_code == 0


# Options that would do nothing


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """bid.json and run in one folder."""
    path = tmp_path_factory.mktemp("idle")
    words = ("--deals", 4, "--seed", 5, "--trumps", "ones,fives", "-o", path / "bid.json")
    assert sim42("bid", HAND, *words).exit_code == 0
    run_study(Study(hands=range(6), deals=4, seed=1, trumps=["fives"]), path=path / "run")
    return path


IDLE = [
    *(
        (f"report run -o x.html --{words}", f"--{words.split()[0]} goes with a HAND")
        for words in ("deals 5", "trumps fives", "rules family", "seed 1", "threads 2")
    ),
    ("chart bids run -o x.svg --by shape", "--by goes with types, not with bids"),
    ("chart hand bid.json -o x.svg --bid 30", "--bid goes with convergence, not with hand"),
    ("chart hand bid.json -o x.svg --trump ones", "--trump goes with points, convergence, compare"),
    (
        "chart hand bid.json -o x.svg --threads 2",
        "--threads goes with convergence, compare, review, not with hand",
    ),
    ("chart convergence run -o x.svg --threads 2", "--threads goes with bid.json"),
    ("chart convergence run -o x.svg --trump fives", "--trump goes with bid.json"),
    ("chart hand bid.json -o x.svg --dpi 100", "--dpi goes with png; a svg has no dots"),
    ("chart hand bid.json -o x.pdf --dpi 100", "--dpi goes with png; a pdf has no dots"),
    ("survey run --extend --resume --deals 9", "one of --resume and --extend"),
    ("survey run --resume --scheduler local:1 --threads 2", "--threads goes without --scheduler"),
    ("survey new --hands 5 --from 2", "--from and --to go with --all"),
    ("table run --by trumps --tiles colon", "--tiles goes with hands and shapes"),
]


@pytest.mark.parametrize(("line", "says"), IDLE)
def test_an_option_that_would_do_nothing_is_refused(folder, monkeypatch, line, says):
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    assert f"sim42 {line.split()[0]}: {says}" in refused(*line.split())
    assert sorted(folder.rglob("*")) == before


def test_a_default_of_the_environment_waits_where_it_does_nothing(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for name in ("CHART_BY=shape", "CHART_DPI=100", "CHART_THREADS=1", "CHART_TRUMP=fives",
                 "TABLE_TILES=colon"):  # fmt: skip
        monkeypatch.setenv(*f"SIM42_{name}".split("="))
    assert sim42("chart", "bids", "run", "-o", "waits.svg").exit_code == 0
    assert sim42("table", "run", "--by", "trumps").exit_code == 0
