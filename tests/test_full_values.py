"""Floor 0: counts at all points, their means and deviations, and how runs keep them."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from sim42 import Study, Trump, bid_table, load_run, run_study, solve_many
from sim42.charts import chart_points
from sim42.cli import main
from sim42.deals.random import deals_around
from sim42.errors import RequestError, RunError
from sim42.game.tiles import Hand
from sim42.runs.frames import add_runs
from sim42.runs.manifest import MANIFEST
from sim42.runs.sample import folded, sample_hand
from sim42.runs.shards import COUNT_COLUMNS, FULL_COLUMNS
from sim42.runs.tally import tally_hand
from sim42.tables.bid import bid_rows
from sim42.tables.bid_file import read_bid
from sim42.tables.groups import group_table
from sim42.tables.hands import best_calls, survey_table

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
OTHER = "6-5 6-2 5-4 4-1 4-0 3-0 2-2"


def points_of(hand, deals, seed, trumps=None):
    return solve_many(deals_around(Hand(hand).mask, deals, seed), trumps)


@pytest.fixture(scope="module")
def study():
    return Study(hands=[HAND, OTHER], deals=9, seed=5, trumps=["fours", "doubles"], floor=0)


@pytest.fixture(scope="module")
def frame(study):
    return run_study(study)


def run(*words):
    return CliRunner().invoke(main, list(map(str, words)))


# --- surveys --------------------------------------------------------------------------------------


def test_all_points_are_counted(frame):
    assert frame.columns.tolist() == ["mask", "hand", "trump", "deals", *FULL_COLUMNS]
    for hand in (HAND, OTHER):
        points = points_of(hand, 9, 5, ["fours", "doubles"])
        rows = frame.loc[frame["mask"] == Hand(hand).mask, FULL_COLUMNS].to_numpy()
        for half in (0, 1):
            expected = [np.bincount(column, minlength=43) for column in points[half::2].T]
            assert (rows[:, 43 * half : 43 * (half + 1)] == expected).all()


def test_from_30_up_they_are_the_counts_of_floor_30(frame):
    plain = run_study(Study(hands=[HAND, OTHER], deals=9, seed=5, trumps=["fours", "doubles"]))
    counts = frame[FULL_COLUMNS].to_numpy().reshape(-1, 2, 43)
    assert (folded(counts).reshape(-1, 28) == plain[COUNT_COLUMNS].to_numpy()).all()
    # So everything that is made of them is the same.
    table, other = survey_table(frame), survey_table(plain)
    pd.testing.assert_frame_equal(table.drop(columns=["mean", "sd"]), other)
    pd.testing.assert_frame_equal(best_calls(frame), best_calls(plain))
    pd.testing.assert_frame_equal(
        group_table(frame, ["trump"], best=True), group_table(plain, ["trump"], best=True)
    )


def test_means_and_deviations(frame):
    table = survey_table(frame)
    for hand in (HAND, OTHER):
        points = points_of(hand, 9, 5, ["fours", "doubles"]).astype(float)
        rows = table[table["mask"] == Hand(hand).mask]
        assert np.allclose(rows["mean"], points.mean(axis=0))
        assert np.allclose(rows["sd"], points.std(axis=0, ddof=1))
    groups = group_table(frame, ["trump"])
    both = np.concatenate([points_of(hand, 9, 5, ["fours", "doubles"]) for hand in (HAND, OTHER)])
    assert np.allclose(groups["mean"], both.mean(axis=0))
    assert np.allclose(groups["sd"], both.std(axis=0, ddof=1))
    assert (groups["mean_low"] <= groups["mean"]).all()
    assert (groups["mean"] <= groups["mean_high"]).all()


def test_a_full_run_is_stored_extended_and_added(tmp_path, study, frame):
    path = tmp_path / "run"
    run_study(study, path=path)
    pd.testing.assert_frame_equal(load_run(path), frame)
    assert json.loads((path / MANIFEST).read_text())["schema"] == frame.attrs["schema"] == 2
    assert run("survey", path, "--extend", "--deals", 20).exit_code == 0
    longer = Study(hands=[HAND, OTHER], deals=20, seed=5, trumps=["fours", "doubles"], floor=0)
    assert load_run(path).equals(run_study(longer))
    other = run_study(Study(hands=[HAND], deals=4, seed=6, trumps=["fours"], floor=0))
    added = add_runs(frame, other)
    assert int(added["deals"].sum()) == int(frame["deals"].sum()) + 4
    assert {"mean", "sd"} <= set(survey_table(added))
    with pytest.raises(RunError, match="do not add: floor 0 and 30"):
        add_runs(frame, run_study(Study(hands=[HAND], deals=4, seed=6, trumps=["fours"])))


def test_other_runs_stay_as_they_were(tmp_path):
    path = tmp_path / "run"
    run_study(Study(hands=[HAND], deals=4, seed=6, trumps=["fours"], floor=36), path=path)
    assert json.loads((path / MANIFEST).read_text())["schema"] == 1
    assert load_run(path).columns.tolist()[4:] == COUNT_COLUMNS


def test_a_schema_that_does_not_go_with_the_floor_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run"
    monkeypatch.setattr("sim42.runs.manifest.schema_of", lambda study: 2)
    run_study(Study(hands=[HAND], deals=4, seed=6, trumps=["fours"]), path=path)
    monkeypatch.undo()
    with pytest.raises(RunError, match="schema 2 is not that of its question"):
        load_run(path)


@pytest.mark.parametrize("floor", [1, 29, 43, -1])
def test_floors_between_are_none(floor):
    with pytest.raises(RequestError, match="a bid from 30 to 42, or 0"):
        Study(hands=[HAND], seed=1, floor=floor)
    with pytest.raises(RequestError, match="30, or 0 to tell all points apart"):
        tally_hand(HAND, deals=1, floor=floor)


def test_tables_and_pictures_of_a_full_run(tmp_path):
    path = tmp_path / "run"
    words = ("--hands", 5, "--deals", 6, "--seed", 3, "--trumps", "fives,sixes")
    assert run("survey", path, *words, "--floor", 0).exit_code == 0
    for words in ((), ("--best",), ("--by", "trump"), ("--by", "shape,trump")):
        done = run("table", path, *words)
        assert done.exit_code == 0, done.output
        assert ("points" in done.stdout) == (words != ("--best",))
        assert max(map(len, done.stdout.splitlines())) <= 80
    assert "mean,sd" in run("table", path, "--format", "csv").stdout
    assert run("report", path, "-o", tmp_path / "x.html").exit_code == 0
    for kind in ("types", "bids", "trumps", "convergence"):
        assert run("chart", kind, path, "-o", tmp_path / f"{kind}.svg").exit_code == 0


# --- one hand -------------------------------------------------------------------------------------


def test_bid_tells_mean_and_deviation():
    trumps = [Trump.FOURS, Trump.FIVES]
    points = points_of(HAND, 50, 7, trumps).astype(float)
    table = bid_table(HAND, deals=50, seed=7, trumps=trumps, floor=0)
    assert np.allclose(table["mean"], points.mean(axis=0))
    assert np.allclose(table["sd"], points.std(axis=0, ddof=1))
    plain = bid_table(HAND, deals=50, seed=7, trumps=trumps)
    assert (table.drop(columns=["mean", "sd"]) == plain).all(axis=None)
    assert table.attrs["call"] == plain.attrs["call"]
    assert plain.attrs["all_counts"] is None
    for trump, column in zip(trumps, points.T, strict=True):
        counts = table.attrs["all_counts"][str(trump)]
        assert list(counts.values()) == np.bincount(column.astype(int), minlength=43).tolist()


def test_one_deal_has_no_deviation():
    rows = bid_rows(tally_hand(HAND, deals=1, seed=7, trumps=[Trump.FOURS], floor=0))
    assert rows["sd"].isna().all()
    assert rows["mean"].iloc[0] == points_of(HAND, 1, 7, ["fours"])[0, 0]


@pytest.mark.parametrize("lead", ["free", "fixed"])
def test_bid_on_the_command_line(tmp_path, lead):
    words = ("bid", HAND, "--deals", 40, "--seed", 7, "--trumps", "4,5", "--lead", lead)
    full, plain = run(*words, "--floor", 0), run(*words)
    assert full.exit_code == 0, full.output
    mean = points_of(HAND, 40, 7, ["fours"]).mean()
    lines = full.stdout.splitlines()
    (line,) = (text for text in lines if text.startswith("fours  ") and "+" in text)
    assert line.split()[-2] == f"{mean:.1f}"
    kept = [line for line in plain.stdout.splitlines() if "%" in line]
    assert [line for line in lines if "%" in line] == kept
    path = tmp_path / "bid.json"
    assert run(*words, "--floor", 0, "-o", path).exit_code == 0
    rows = read_bid(path.read_bytes())
    assert np.isclose(rows["mean"].iloc[0], mean)
    assert (
        rows.attrs["all_counts"]
        == bid_table(HAND, 40, 7, [Trump.FOURS, Trump.FIVES], floor=0).attrs["all_counts"]
    )
    assert chart_points(rows).patches
    damaged = json.loads(path.read_text())
    damaged["all_counts"]["fours"]["0"] += 1
    with pytest.raises(RequestError, match="its counts of all points are not those from 30 up"):
        read_bid(json.dumps(damaged))
    refused = run("bid", HAND, "--floor", 12)
    assert refused.exit_code == 2
    assert len(refused.stderr.splitlines()) == 1


def test_a_sample_stays_as_it_was():
    assert sample_hand(HAND, deals=20, seed=7).points.min() == 29
