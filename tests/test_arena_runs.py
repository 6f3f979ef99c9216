"""Arenas kept in run directories: cut, gone on with, extended, and never mixed up with surveys."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import sim42.runs.execute
from sim42 import Hand, bid_table
from sim42.cli import main
from sim42.deals.random import deals_around_hands, random_deals
from sim42.errors import RunError
from sim42.game.trumps import Trump
from sim42.play.arena import meet
from sim42.play.names import find_player
from sim42.runs.execute import fill
from sim42.runs.frames import load_games, load_run
from sim42.runs.matches import Arena
from sim42.runs.store import Run
from sim42.solver.values import solve_many
from sim42.tables.arena import CALLED_ON, contracts_of


def arena(*words):
    return CliRunner().invoke(main, ["arena", *map(str, words)])


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(sim42.runs.execute, "GAMES", (4, 4))


def test_a_run_that_is_cut_and_extended_holds_what_one_in_a_piece_holds(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    asked = ("--deals", 30, "--seed", 4)
    assert arena("pimc:2", "club", "random", *asked, "--run", whole).exit_code == 0
    question = Arena(players=["pimc:2", "club"], deals=20, seed=4)

    def stop(done, asked):
        if done > 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(Run.create(cut, question), threads=2, progress=stop, contracts=contracts_of(question))
    assert 0 < Run.open(cut).done() < 20
    resumed = arena("--run", cut, "--resume", "--threads", 1)
    assert (resumed.exit_code, resumed.stdout.splitlines()[0][:8]) == (0, "20 deals")
    extended = arena("pimc:2", "club", "random", "--deals", 30, "--run", cut, "--extend")
    assert extended.exit_code == 0
    pd.testing.assert_frame_equal(load_games(cut), load_games(whole))
    assert extended.stdout == arena("--run", whole, "--resume").stdout
    min(cut.glob("pairs-*")).write_bytes(b"damaged")
    with pytest.raises(RunError, match=r"arena --run .* does it again"):
        load_games(cut)
    assert arena("--run", cut, "--resume").stdout == extended.stdout


def test_games_are_those_of_a_match(tmp_path):
    assert (
        arena(
            "club",
            "random",
            "--deals",
            25,
            "--seed",
            8,
            "--trump",
            "ones",
            "--run",
            tmp_path / "run",
        ).exit_code
        == 0
    )
    games = load_games(tmp_path / "run")
    players = map(find_player, ("club", "random"))
    made = meet(*players, random_deals(25, 8), [Trump.ONES] * 25, 30, 8)
    assert (games[["first_made", "second_made"]].to_numpy() == made).all()


def test_trump_and_call_are_those_of_the_hand():
    deals = random_deals(12, 3)
    best = Arena(players=["club", "random"], seed=3, trump="best", bid=36)
    trumps, bids = contracts_of(best)(deals)
    assert bids == [36] * 12
    for mask, trump in zip(deals[:, 0], trumps, strict=True):
        around = deals_around_hands(np.full(CALLED_ON, mask), np.arange(CALLED_ON), 42)
        made = (solve_many(around) >= 36).sum(axis=0)
        assert made[trump] == made.max()
    called = Arena(players=["club", "random"], seed=3, trump="call", bid=None)
    for mask, trump, bid in zip(deals[:, 0].tolist(), *contracts_of(called)(deals), strict=True):
        call = bid_table(Hand(mask), deals=CALLED_ON, seed=42).attrs["call"]
        assert (call["trump"], call["bid"] or 0) == (str(trump), bid)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("club", "random"), "--resume goes on with it"),
        (("--resume", "--bid", 31), "bid 30, now 31"),
        (("--resume", "--deals", 9), "deals 8, now 9"),
        (("club", "pimc:3", "--extend"), "players club,random, now club,pimc:3"),
        (("--extend", "--deals", 7), "deals 8, now 7"),
        (("--resume", "--extend"), "one of"),
    ],
)
def test_what_a_run_is_not_asked_for(tmp_path, words, says):
    run = tmp_path / "run"
    arena("club", "random", "--deals", 8, "--seed", 1, "--run", run)
    result = arena(*words, "--run", run)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_arenas_and_surveys_are_told_apart(tmp_path):
    games, counts = tmp_path / "games", tmp_path / "counts"
    arena("club", "random", "--deals", 4, "--seed", 1, "--run", games)
    with pytest.raises(RunError, match="holds games of players"):
        load_run(games)
    survey = ["survey", str(counts), "--hands", "1", "--deals", "2", "--seed", "1"]
    assert CliRunner().invoke(main, survey).exit_code == 0
    assert "holds a survey" in arena("--run", counts, "--resume").stderr
    assert "there is no manifest" in arena("--run", tmp_path / "none", "--resume").stderr
    assert "go with --run" in arena("club", "random", "--resume").stderr


def test_nobody_bids(tmp_path):
    weak = next(seed for seed in range(50) if contracts_of(CALL)(random_deals(1, seed))[1] == [0])
    result = arena("club", "random", "--trump", "call", "--deals", 1, "--seed", weak)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nobody bids" in result.stderr


CALL = Arena(players=["club", "random"], seed=1, trump="call", bid=None)
