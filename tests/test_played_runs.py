"""Surveys whose deals are played too: the counts, how runs keep them, and the tables."""

import json
from threading import Event

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from sim42 import Hand, Study, Trump, add_runs, load_run, run_study
from sim42.cli import main
from sim42.deals.random import deals_around
from sim42.errors import RequestError, RunError
from sim42.runs.blocks import PILOT, block_of, count_block, trump_to_play
from sim42.runs.manifest import PLAYED_SCHEMA
from sim42.runs.playing import Playing, play_sample
from sim42.runs.shards import COUNT_COLUMNS
from sim42.runs.store import Run
from sim42.solver.values import solve_many
from sim42.tables.counts import HALVES, counts_of, made_of
from sim42.tables.groups import group_table
from sim42.tables.hands import survey_table
from sim42.tables.played import played_row
from sim42.tables.spread import clustered, clustered_mean

PLAYING = Playing("pimc:2", "club", (30, 36))
QUESTION = {"seed": 6, "trumps": ["fives", "sixes", "doubles"], "playing": PLAYING}
PLAYED = ["games", *(f"{name}_{bid}" for bid in (30, 36) for name in ("played", "seen", "both"))]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "whole"
    run_study(Study(hands=4, deals=10, **QUESTION), path=path)
    return path


def test_games_are_those_of_single_hands(run):
    frame = load_run(run)
    assert frame.columns.tolist()[4:] == [*COUNT_COLUMNS, *PLAYED]
    assert frame.attrs["playing"] == PLAYING.as_dict()
    played = frame[frame["games"] > 0]
    assert (played["games"] == 10).all()
    assert played["mask"].is_unique
    assert len(played) == 4
    assert not frame.loc[frame["games"] == 0, PLAYED].to_numpy().any()
    for row in played.to_dict("records"):
        counts = play_sample(row["hand"], [Trump(row["trump"])], PLAYING, 10, 6).counts[0]
        told = [[row[f"{name}_{bid}"] for name in ("played", "seen", "both")] for bid in (30, 36)]
        assert told == [[n[:, 1].sum(), n[1].sum(), n[1, 1]] for n in counts]
    made = made_of(counts_of(played, *HALVES))
    assert (made[:, [0, 6]] == played[["seen_30", "seen_36"]].to_numpy()).all()


def test_the_trump_to_play_is_the_best_of_the_first_deals():
    study = Study(hands=3, deals=2, **QUESTION)
    block = block_of(study, range(3), range(1, 2))
    for mask in block.masks.tolist():
        points = solve_many(deals_around(mask, PILOT, 6), study.trumps)
        made = [((p >= 30).sum(), (p >= 36).sum()) for p in points.T]
        best = study.trumps[max(range(3), key=lambda n: made[n])]
        assert trump_to_play(block, mask, study.trumps, (30, 36)) == best


def test_cut_and_extended_runs_hold_the_same(run, tmp_path):
    run_study(Study(hands=2, deals=3, **QUESTION), path=tmp_path / "run", block=1, threads=1)
    more = Study(hands=4, deals=10, **QUESTION)
    Run.open(tmp_path / "run").extend(more)
    again = run_study(more, path=tmp_path / "run", block=3)
    assert again.equals(load_run(run))
    run_study(more, path=tmp_path / "same", threads=1)
    shards = sorted(run.glob("*.parquet"))
    assert shards
    for shard in shards:
        assert (tmp_path / "same" / shard.name).read_bytes() == shard.read_bytes()


def test_the_manifest_keeps_who_plays(run):
    opened = Run.open(run)
    assert opened.study == Study(hands=4, deals=10, **QUESTION)
    assert json.loads((run / "manifest.json").read_text())["schema"] == PLAYED_SCHEMA
    with pytest.raises(RunError, match="playing"):
        opened.extend(Study(hands=4, deals=20, **{**QUESTION, "playing": "club"}))


def test_a_stopped_block_keeps_whole_hands_only():
    block = block_of(Study(hands=3, deals=4, **QUESTION), range(3), range(4))
    stop = Event()
    stop.set()
    assert len(count_block(block, stop).hands) == 0
    asked = []

    class AfterOne(Event):
        """Set from the second hand that is played on."""

        def is_set(self):
            asked.append(1)
            return len(asked) > 2  # one look while solving, one before the first hand

    counts = count_block(block, AfterOne())
    assert (len(counts.hands), len(counts.mask), counts.played.shape) == (1, 3, (3, 7))
    assert counts.played.tolist() == count_block(block).played[:3].tolist()


def test_runs_of_other_seeds_add(run):
    frames = [load_run(run), run_study(Study(hands=4, deals=5, **{**QUESTION, "seed": 7}))]
    added = add_runs(*frames)
    assert added[PLAYED].sum().tolist() == sum(frame[PLAYED].sum() for frame in frames).tolist()
    other = run_study(Study(hands=1, deals=2, **{**QUESTION, "seed": 8, "playing": None}))
    with pytest.raises(RunError, match="do not add"):
        add_runs(frames[0], other)


def test_tables_stand_on_the_games(run):
    frame = load_run(run)
    table = survey_table(frame)
    for row, told in zip(frame.to_dict("records"), table.to_dict("records"), strict=True):
        for bid in (30, 36):
            if not row["games"]:
                assert np.isnan(told[f"played_rate_{bid}"])
                continue
            made, seen, both = (row[f"{name}_{bid}"] for name in ("played", "seen", "both"))
            figures = played_row(
                np.array([[10 - made - seen + both, made - both], [seen - both, both]]), bid
            )
            for name in ("played_rate", "played_high", "difference", "difference_low"):
                assert told[f"{name}_{bid}"] == pytest.approx(figures[name])
    groups = group_table(frame, ["trump"])
    rows = frame[frame["games"] > 0].groupby("trump", observed=True)
    for trump, hands in rows:
        (told,) = groups[groups["trump"] == trump].to_dict("records")
        assert told["games"] == hands["games"].sum()
        ends = clustered(hands["played_30"].to_numpy(), hands["games"].to_numpy())
        assert [told[f"played_{name}_30"] for name in ("rate", "low", "high")] == pytest.approx(
            list(map(float, ends))
        )
        less = (hands["played_30"] - hands["seen_30"]).to_numpy()
        ends = clustered_mean(less, hands["games"].to_numpy(), least=-1.0)
        figures = [told[f"difference{name}_30"] for name in ("", "_low", "_high")]
        assert figures == pytest.approx(list(ends), nan_ok=True)


def test_command(tmp_path):
    def sim42(*words):
        return CliRunner().invoke(main, list(map(str, words)))

    path = tmp_path / "run"
    words = ("--hands", 2, "--deals", 3, "--trumps", "fives", "--seed", 1)
    assert sim42("survey", path, *words, "--play", "club", "--bids", "30,42").exit_code == 0
    assert sim42("survey", path, "--resume").exit_code == 0
    assert sim42("survey", path, "--extend", "--deals", 5, "--play", "club").exit_code == 2
    assert sim42("survey", path, "--extend", "--deals", 5).exit_code == 0
    for more in ((), ("--by", "trump"), ("--by", "trump", "--best"), ("--best",)):
        assert sim42("table", path, *more).exit_code == 0
    text = sim42("table", path).stdout
    assert text.count("\n played ") == 2
    assert "played: made on the same deals by club, who see only their own hand." in text
    assert max(map(len, text.splitlines())) <= 80
    sim42("table", path, "-o", tmp_path / "table.csv")
    table = pd.read_csv(tmp_path / "table.csv")
    assert table["games"].tolist() == [5, 5]
    assert (
        "--others goes with --play" in sim42("survey", path, "--resume", "--others", "club").stderr
    )
    refused = sim42("survey", tmp_path / "new", *words, "--play", "club", "--floor", 36)
    assert "bid 30 is played: floor 36 is above it" in refused.stderr


def test_a_lone_name_plays_all_seats():
    study = Study(hands=[Hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0")], deals=2, seed=1, playing="club")
    assert study.played == Playing("club")
    with pytest.raises(RequestError, match="none of that name"):
        Study(hands=1, seed=1, playing="nobody")
