"""Matches of players: the figures, and the command."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import binomtest, ttest_1samp

from sim42.cli import main
from sim42.game.records import read_records
from sim42.game.state import Game
from sim42.play.arena import longest_suit
from sim42.tables.arena import match_table
from sim42.tables.spread import mean_interval


def arena(*words):
    return CliRunner().invoke(main, ["arena", *map(str, words)])


def games_of(made, bid):
    """Games of a against b, made with either declaring or not."""
    figures = {"first_made": made[:, 0], "second_made": made[:, 1]}
    return pd.DataFrame({"first": "a", "second": "b", "bid": bid, **figures})


def test_figures_are_those_of_scipy():
    made = np.random.default_rng(1).random((90, 2)) < [0.6, 0.4]
    row = match_table(games_of(made, 84)).iloc[0]
    for column, name in enumerate(("first", "second")):
        wilson = binomtest(int(made[:, column].sum()), 90).proportion_ci(method="wilson")
        assert row[f"{name}_low"] == pytest.approx(wilson.low)
        assert row[f"{name}_high"] == pytest.approx(wilson.high)
    paired = made[:, 0].astype(int) - made[:, 1]
    interval = ttest_1samp(paired, 0).confidence_interval()
    assert row["ahead"] == pytest.approx(paired.mean())
    assert (row["ahead_low"], row["ahead_high"]) == mean_interval(paired, -1, 1)[1:]
    assert (row["ahead_low"], row["ahead_high"]) == pytest.approx(
        (interval.low, interval.high), abs=0.01
    )
    assert row["ahead_marks"] == pytest.approx(2 * paired.mean())
    wide = (interval.high - interval.low) / 2 * 100
    assert row["needed"] == pytest.approx(90 * wide**2, rel=0.05)


def test_players_that_are_alike_need_no_deals():
    table = match_table(games_of(np.ones((5, 2), dtype=bool), 30))
    assert table["needed"].isna().all()
    assert table["ahead"].tolist() == [0.0]


def test_players_that_are_alike_are_printed():
    result = arena("club", "random", "--deals", 1, "--seed", 1)
    assert result.exit_code == 0
    assert result.stdout.endswith(
        "club less random: +0.0 (-100.0 to +100.0) percentage points, +0.00 marks a hand\n"
    )


def test_same_figures_on_any_threads_and_in_every_format(tmp_path):
    words = ("pimc:3", "club", "random", "--deals", 30, "--seed", 5)
    result = arena(*words, "--format", "json", "--threads", 1)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["deals"], told["seed"], told["bid"], told["trump"]) == (30, 5, 30, "longest")
    assert [(row["first"], row["second"]) for row in told["matches"]] == [
        ("pimc:3", "club"),
        ("pimc:3", "random"),
        ("club", "random"),
    ]
    assert arena(*words, "--format", "json", "--threads", 3).stdout == result.stdout
    assert arena(*words, "-o", tmp_path / "arena.csv").exit_code == 0
    rows = pd.read_csv(tmp_path / "arena.csv")
    assert rows["first_made"].tolist() == pytest.approx([r["first_made"] for r in told["matches"]])
    text = arena(*words).stdout
    assert "30 deals, seed 5, bid 30" in text
    assert max(map(len, text.splitlines())) <= 88


def test_records_replay_to_the_same_contracts(tmp_path):
    path = tmp_path / "hands.jsonl"
    words = ("club", "random", "--deals", 12, "--seed", 9, "--bid", 31, "--trump", "fives")
    told = json.loads(arena(*words, "--record", path, "--format", "json").stdout)
    games = [Game.from_record(r) for _, r in read_records(path.read_bytes().splitlines())]
    assert len(games) == 24
    made = np.array([game.result.made for game in games]).reshape(2, 12)
    row = told["matches"][0]
    assert (row["first_made"], row["second_made"]) == pytest.approx(tuple(made.mean(axis=1)))
    replayed = CliRunner().invoke(main, ["play", "--record", str(path), "--format", "jsonl"])
    assert replayed.exit_code == 0
    reviewed = CliRunner().invoke(main, ["review", str(path)])
    assert reviewed.exit_code == 0
    assert reviewed.stdout.startswith("24 hands, ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("club",), "two players"),
        (("club", "club"), "each once"),
        (("club", "pimc:0"), "layouts"),
        (("club", "nobody"), "none of that name"),
        (("club", "random", "--bid", "43"), "bid"),
        (("club", "random", "--bid", "pass"), "30 to 42, or 84"),
        (("club", "random", "--bid", "126"), "30 to 42, or 84"),
        (("club", "random", "--trump", "hearts"), "trump"),
        (("club", "random", "--deals", "0"), "deals"),
    ],
)
def test_wrong_words_are_one_line(words, says):
    result = arena(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_longest_suit():
    from sim42 import Hand

    for hand, suit in (
        ("6-6 6-5 6-4 1-0 2-0 3-0 4-0", "blanks"),
        ("6-6 6-5 6-4 1-1 2-1 3-1 4-2", "sixes"),
        ("6-5 6-4 6-3 1-1 2-1 1-0 5-4", "ones"),
    ):
        assert str(longest_suit(Hand(hand).mask)) == suit
