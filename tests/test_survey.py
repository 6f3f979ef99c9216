"""Studies: their hands and counts, however the work is cut and done."""

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import stand_in
from click.testing import CliRunner

import sim42.runs.blocks
from sim42 import Hand, Rules, Study, Trump, load_run, run_study
from sim42.cli import main
from sim42.deals.random import HANDS, deals_around, hands_at, random_hands
from sim42.errors import NotationError, RequestError, RunError, TileError
from sim42.game.tiles import ENDS, tiles_of
from sim42.runs.blocks import CHUNK, block_of, count_block, plausible_trumps
from sim42.runs.execute import fill
from sim42.runs.sample import sample_hand
from sim42.runs.shards import COUNT_COLUMNS
from sim42.runs.store import Run
from sim42.solver.lookups import stacked

SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
MIXED = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)


def sim42_(*words, stdin=None):
    return CliRunner().invoke(main, ["survey", *map(str, words)], input=stdin)


def table_bytes(*runs):
    """The summary as it is handed on."""
    folder = Path(runs[0]).parent
    for ending in ("csv", "parquet"):
        words = [*map(str, runs), "-o", str(folder / f"summary.{ending}"), "--force"]
        assert CliRunner().invoke(main, ["table", *words]).exit_code == 0
    return [(folder / f"summary.{ending}").read_bytes() for ending in ("csv", "parquet")]


# Hands


def test_hands_are_numbered_once_each():
    masks = hands_at(np.arange(HANDS))
    assert len(np.unique(masks)) == HANDS == 1_184_040
    assert set(np.bitwise_count(masks)) == {7}


def test_random_hands_are_different_and_do_not_depend_on_how_many():
    hands = random_hands(20_000, seed=42)
    assert len(set(hands.tolist())) == 20_000
    assert (random_hands(50, seed=42, start=1000) == hands[1000:1050]).all()
    assert (random_hands(50, seed=43) != hands[:50]).any()
    assert len(np.unique(random_hands(HANDS, seed=1))) == HANDS


def test_random_hands_hold_every_tile_equally_often():
    hands = random_hands(40_000, seed=7)
    held = (hands[:, np.newaxis] >> np.arange(28) & 1).mean(axis=0)
    assert abs(held - 1 / 4).max() < 4 * (3 / 16 / 40_000) ** 0.5


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"hands": 0}, "1 to 1184040"),
        ({"hands": HANDS + 1}, "1 to 1184040"),
        ({"hands": range(5, 5)}, "not empty"),
        ({"hands": range(HANDS + 1)}, "a part of 0 to 1184040"),
        ({"hands": range(0, 10, 2)}, "without gaps"),
        ({"hands": []}, "no hands"),
        ({"hands": None}, "a number, a range, or a list of hands"),
        ({"hands": 5.0}, "a number, a range, or a list of hands"),
        ({"hands": True}, "a number, a range, or a list of hands"),
        ({"hands": SIXES}, "a number, a range, or a list of hands"),
        ({"hands": 5, "deals": True}, "deals True"),
        ({"hands": 5, "deals": "9"}, "deals '9'"),
        ({"hands": 5, "floor": 30.0}, "a bid from 30 to 42"),
        ({"hands": [SIXES, MIXED, SIXES]}, "hand 3.*is hand 1 too"),
        ({"hands": 5, "deals": 0}, "deals 0"),
        ({"hands": 5, "deals": 2.5}, "deals 2.5"),
        ({"hands": 5, "floor": 29}, "a bid from 30 to 42"),
        ({"hands": 5, "trumps": []}, "one at least"),
        ({"hands": 5, "trumps": ["fives", "5"]}, "fives is named twice"),
        ({"hands": 5, "trumps": "plausibly"}, "not a trump"),
        ({"hands": 5, "seed": -1}, "seed"),
    ],
)
def test_studies_that_cannot_be(question, says):
    with pytest.raises((RequestError, NotationError), match=says):
        Study(**{"seed": 1, **question})


def test_a_bad_hand_is_refused():
    with pytest.raises(TileError, match="7 different tiles"):
        Study(hands=["6-6 5-5"], seed=1)


@pytest.mark.parametrize(
    "hands", [7, range(3, 9), [MIXED, SIXES]], ids=["random", "numbered", "listed"]
)
def test_a_study_is_stored_and_read_back(hands):
    study = Study(
        hands=hands, deals=9, seed=2**64 - 1, trumps=["doubles", "5"], rules=Rules(doubles="low")
    )
    listed = study.hands if isinstance(hands, list) else ()
    assert Study.from_dict(study.as_dict(), listed) == study


def test_numbers_of_numpy_are_numbers():
    study = Study(hands=np.int64(7), deals=np.int32(9), seed=np.uint64(3), floor=np.int8(31))
    assert study == Study(hands=7, deals=9, seed=3, floor=31)
    assert Study.from_dict(study.as_dict()) == study
    masks = random_hands(4, seed=1)
    assert (Study(hands=masks, seed=1).masks(0, 4) == masks).all()


def test_plausible_trumps_are_those_with_two_tiles_or_two_doubles():
    masks = random_hands(500, seed=3)
    for mask, found in zip(masks.tolist(), plausible_trumps(masks), strict=True):
        tiles = [ENDS[tile] for tile in tiles_of(mask)]
        doubles = sum(high == low for high, low in tiles) >= 2
        suits = [sum(pip in ends for ends in tiles) >= 2 for pip in range(7)]
        assert found.tolist() == [*suits, doubles, doubles]
    assert plausible_trumps(hands_at(np.arange(0, HANDS, 97))).any(axis=1).all()


# Counts


def test_a_survey_counts_what_bid_counts():
    hands = [MIXED, "6-5 6-2 5-4 4-1 4-0 3-0 2-2"]
    frame = run_study(Study(hands=hands, deals=10, seed=5))
    for hand in hands:
        rows = frame[frame["mask"] == Hand(hand).mask]
        assert rows["trump"].tolist() == [str(trump) for trump in Trump]
        points = sample_hand(hand, deals=10, seed=5).points
        for half, columns in ((0, COUNT_COLUMNS[:14]), (1, COUNT_COLUMNS[14:])):
            expected = [np.bincount(p - 29, minlength=14) for p in points[half::2].T]
            assert (rows[columns].to_numpy() == expected).all()


def test_a_floor_hides_what_is_below_it_and_nothing_else():
    question = {"hands": [MIXED], "deals": 10, "seed": 5}
    low, high = (run_study(Study(**question, floor=floor)) for floor in (30, 36))
    for half in ("even", "odd"):
        columns = [f"{half}_{points}" for points in range(36, 43)]
        assert (low[columns] == high[columns]).all().all()
        assert (high[[f"{half}_{points}" for points in range(29, 35)]] == 0).all().all()
        below = low[[f"{half}_{points}" for points in range(29, 36)]].sum(axis=1)
        assert (high[f"{half}_35"] == below).all()


def test_doubles_of_follow_me_are_those_of_the_rules():
    frames = [
        run_study(Study(hands=[MIXED], deals=10, seed=5, rules=Rules(doubles=doubles)))
        for doubles in ("high", "low")
    ]
    equal = (frames[0][COUNT_COLUMNS] == frames[1][COUNT_COLUMNS]).all(axis=1)
    assert equal.tolist() == [True] * 8 + [False]


@pytest.mark.usefixtures("quick")
def test_the_frame_is_as_promised():
    frame = run_study(Study(hands=6, deals=5, seed=3, trumps="plausible"))
    assert frame.columns.tolist() == ["mask", "hand", "trump", "deals", *COUNT_COLUMNS]
    assert frame["trump"].cat.categories.tolist() == [str(trump) for trump in Trump]
    assert frame["deals"].tolist() == [5] * len(frame)
    assert frame[COUNT_COLUMNS[:14]].sum(axis=1).eq(3).all()
    assert frame[COUNT_COLUMNS[14:]].sum(axis=1).eq(2).all()
    assert frame["mask"].drop_duplicates().tolist() == random_hands(6, 3).tolist()
    assert frame["hand"].map(Hand).map(lambda hand: hand.mask).equals(frame["mask"])
    facts = {"seed", "deals", "floor", "rules", "given", "playing", "selection", "version"}
    assert set(frame.attrs) == facts | {"schema"}


@pytest.mark.usefixtures("quick")
def test_threads_and_blocks_change_no_byte(tmp_path):
    study = Study(hands=70, deals=5, seed=3, trumps="plausible")
    seen = []
    for threads, block in ((1, None), (2, None), (1, 1), (2, 7), (2, 64), (1, 64)):
        path = tmp_path / f"{threads}-{block}"
        run_study(study, path=path, threads=threads, block=block)
        seen.append(table_bytes(path))
    assert all(each == seen[0] for each in seen[1:])


@pytest.mark.usefixtures("quick")
def test_many_deals_of_few_hands_are_cut_too(tmp_path, monkeypatch):
    study = Study(hands=3, deals=1000, seed=3)
    whole = run_study(study)
    monkeypatch.setattr("sim42.runs.execute.SOLVES", (900, 900))
    run_study(study, path=tmp_path / "run")
    assert len(list((tmp_path / "run").glob("*.parquet"))) == 30
    assert load_run(tmp_path / "run").equals(whole)


@pytest.mark.usefixtures("quick")
def test_an_executor_of_the_caller_does_the_work_and_stays_open():
    study = Study(hands=5, deals=4, seed=3)
    with ThreadPoolExecutor(2) as pool:
        assert run_study(study, pool).equals(run_study(study))
        assert pool.submit(int).result() == 0


@pytest.mark.usefixtures("quick")
def test_progress_goes_from_what_is_done_to_all():
    calls = []
    run_study(Study(hands=6, deals=4, seed=3), block=2, progress=lambda *call: calls.append(call))
    assert calls == [(0, 24), (8, 24), (16, 24), (24, 24)]


@pytest.mark.usefixtures("quick")
def test_a_block_that_is_stopped_gives_its_finished_hands(monkeypatch):
    stop = Event()
    solved = []

    def points(deals, *arguments):
        solved.append(len(deals))
        if sum(solved) >= 9 * 500:  # deals of nine trumps
            stop.set()
        return stand_in.points(deals, *arguments)

    study = Study(hands=9, deals=200, seed=3)
    whole = count_block(block_of(study, range(2, 9), range(200)))
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", points)
    counts = count_block(block_of(study, range(2, 9), range(200)), stop)
    assert 9 * 500 <= sum(solved) < 9 * (500 + CHUNK)
    assert counts.hands == range(2, 4)
    assert len(counts.mask) == len(counts.trump) == 18
    assert (counts.even == whole.even[:18]).all()
    assert (counts.odd == whole.odd[:18]).all()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("trumps", ["plausible", ["fives", "doubles"]])
@pytest.mark.parametrize("deals", [range(1), range(5, 12), range(3, 203)])
def test_a_block_counts_what_each_hand_gives_by_itself(trumps, deals):
    block = block_of(Study(hands=40, deals=203, seed=3, trumps=trumps), range(6, 36), deals)
    counts = count_block(block)
    assert (counts.hands, counts.deals) == (block.hands, deals)
    row = 0
    for mask, wanted in zip(block.masks.tolist(), block.trumps, strict=True):
        dealt = deals_around(mask, len(deals), 3, deals.start)
        for trump in np.flatnonzero(wanted):
            assert (counts.mask[row], counts.trump[row]) == (mask, trump)
            values, _ = stand_in.points(dealt, *stacked([Trump(trump)]), None, 30, 0)
            points = values[:, 0, 0]
            for parity, both in enumerate((counts.even, counts.odd)):
                part = points[(parity - deals.start) % 2 :: 2]
                assert both[row].tolist() == np.bincount(part - 29, minlength=14).tolist()
            row += 1
    assert row == len(counts.mask)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("failing", [KeyboardInterrupt, OSError, ZeroDivisionError])
def test_what_is_finished_is_kept_when_the_work_ends_early(tmp_path, failing):
    study = Study(hands=40, deals=4, seed=3)

    def progress(done, asked):
        if done >= 40:
            raise failing

    with pytest.raises(failing):
        fill(Run.create(tmp_path / "run", study), block=4, progress=progress)
    done = load_run(tmp_path / "run")
    assert 10 <= done["mask"].nunique() < 40
    assert run_study(study, path=tmp_path / "run").equals(run_study(study))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("failing", [KeyboardInterrupt, OSError])
def test_an_end_stops_the_blocks_in_work_between_two_hands(tmp_path, monkeypatch, failing):
    """The second block goes on only once the stop sign is set, and then it does no hand."""
    seen = []

    def counted(block, stop):
        if block.hands.start:
            seen.append(stop.wait(60))
        return count_block(block, stop)

    def progress(done, asked):
        if done:
            raise failing

    monkeypatch.setattr("sim42.runs.execute.count_block", counted)
    run = Run.create(tmp_path / "run", Study(hands=4, deals=4, seed=3))
    with pytest.raises(failing):
        fill(run, block=2, threads=1, progress=progress)
    assert seen == [True]
    assert [shard.hands for shard in Run.open(tmp_path / "run").shards] == [range(2)]


# The command


@pytest.mark.usefixtures("quick")
def test_a_run_is_made_gone_on_with_and_extended(tmp_path):
    question = ["--hands", 6, "--trumps", "fives,doubles", "--seed", 9]
    run, whole = tmp_path / "run", tmp_path / "whole"
    assert sim42_(run, *question, "--deals", 7).exit_code == 0
    assert sim42_(run, "--resume").exit_code == 0
    assert sim42_(run, *question, "--deals", 7, "--resume").exit_code == 0
    assert sim42_(run, "--extend", "--deals", 12).exit_code == 0
    assert sim42_(run, "--extend", "--hands", 11, "--block", 2).exit_code == 0
    assert sim42_(whole, "--hands", 11, *question[2:], "--deals", 12).exit_code == 0
    assert table_bytes(run) == table_bytes(whole)


@pytest.mark.usefixtures("quick")
def test_another_question_is_refused_and_says_what_differs(tmp_path):
    run = tmp_path / "run"
    sim42_(run, "--hands", 6, "--deals", 7, "--seed", 9, "--trumps", "fives")
    for words, says in (
        ((), "holds a run"),
        (("--hands", 6, "--seed", 9), "holds a run"),
        (("--resume", "--seed", 8), "seed 9, now 8"),
        (("--resume", "--deals", 8), "deals 7, now 8"),
        (("--resume", "--hands", 7), "hands random 6, now random 7"),
        (("--resume", "--all"), "hands random 6, now from 0 to 1184040"),
        (("--resume", "--trumps", "all"), "trumps fives, now blanks,ones,"),
        (("--resume", "--floor", 31), "floor 30, now 31"),
        (("--resume", "--rules", "family"), "rules max_marks 5, now 2; rules all_pass redeal, now"),
        (("--extend", "--seed", 8, "--deals", 9), "asked for seed 9, now 8"),
        (("--extend", "--deals", 6), "deals 7, now 6"),
        (("--extend", "--hands", 5), "hands random 6, now random 5"),
        (("--extend", "--all"), "hands random 6"),
    ):
        result = sim42_(run, *words)
        assert (result.exit_code, result.stdout) == (2, ""), words
        assert says in result.stderr
        assert result.stderr.count("\n") == 1


def test_questions_that_make_no_sense(tmp_path):
    run = tmp_path / "run"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    for words, says in (
        ((run,), "which hands?"),
        ((run, "--resume"), "not a run"),
        ((run, "--hands", 5, "--all"), "one of --hands"),
        ((run, "--hands", 5, "--from", 2), "go with --all"),
        ((run, "--all", "--from", 9, "--to", 9), "is not below"),
        ((run, "--hands", 0), "from 1 to 1,184,040"),
        ((run, "--hands", 5, "--floor", 43), "from 30 to 42"),
        ((run, "--hands", 5, "--trumps", "hearts"), "not a trump"),
        ((run, "--hands-file", tmp_path / "none.txt"), "no such file"),
        ((tmp_path / "full", "--hands", 5, "--seed", 1), "is not a run"),
    ):
        result = sim42_(*words)
        assert result.exit_code == 2, words
        assert says in result.stderr
        assert not run.exists()


@pytest.mark.usefixtures("quick")
def test_hands_from_a_file_or_stdin(tmp_path):
    text = f"\ufeff# mine\r\n\r\n{MIXED}  # a comment\r\n  64,55,42,31,20,11,10\r\n"
    (tmp_path / "hands.txt").write_bytes(text.encode())
    for name, run in (("-", "one"), (tmp_path / "hands.txt", "two")):
        result = sim42_(
            tmp_path / run, "--hands-file", name, "--deals", 3, "--seed", 1, stdin=text.encode()
        )
        assert result.exit_code == 0, result.stderr
        hands = load_run(tmp_path / run)["hand"].drop_duplicates().tolist()
        assert hands == [str(Hand(MIXED)), "6-4 5-5 4-2 3-1 2-0 1-1 1-0"]
    more = text + SIXES
    result = sim42_(tmp_path / "two", "--extend", "--hands-file", "-", stdin=more.encode())
    assert result.exit_code == 0
    assert len(load_run(tmp_path / "two")) == 27
    other = f"{SIXES}\n{text[1:]}"
    result = sim42_(tmp_path / "two", "--extend", "--hands-file", "-", stdin=other.encode())
    assert "hands listed 3" in result.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{MIXED}\n\n6-4 7-7\n", "stdin, line 3: tile 2: '7-7': not a tile"),
        (f"{MIXED}\n{SIXES} 0-0\n", "stdin, line 2: a hand is 7 different tiles, not 8"),
        (f"{MIXED}\n# and\n{MIXED}\n", "stdin, line 3: the hand of line 1 again"),
        ("# nothing\n", "stdin: no hands"),
        (b"\xff\xfe", "stdin: not UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path, text, says):
    stdin = text if isinstance(text, bytes) else text.encode()
    result = sim42_(tmp_path / "run", "--hands-file", "-", stdin=stdin)
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.usefixtures("quick")
def test_all_hands_from_one_number_to_another(tmp_path):
    result = sim42_(tmp_path / "run", "--all", "--from", 1_184_030, "--deals", 2, "--seed", 1)
    assert result.exit_code == 0
    masks = load_run(tmp_path / "run")["mask"].drop_duplicates()
    assert masks.tolist() == hands_at(np.arange(1_184_030, HANDS)).tolist()
    assert masks.iloc[-1] == Hand(SIXES).mask


@pytest.mark.usefixtures("quick")
def test_a_survey_in_a_pipe_says_nothing(tmp_path):
    result = sim42_(tmp_path / "run", "--hands", 2, "--deals", 2, "--seed", 1)
    assert (result.stdout, result.stderr) == ("", "")


@pytest.mark.usefixtures("quick")
def test_a_drawn_seed_is_said_and_stored(tmp_path):
    result = sim42_(tmp_path / "run", "--hands", 2, "--deals", 2)
    assert f"seed {load_run(tmp_path / 'run').attrs['seed']}, drawn" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_is_finished_and_says_how_to_go_on(tmp_path, monkeypatch, number):
    run, whole = tmp_path / "run", tmp_path / "whole"
    question = ["--hands", "600", "--deals", "4", "--seed", "3"]
    process = slow_survey(0.1, run, *question, "--block", "5")  # a minute, unless it is stopped
    while not list(run.glob("*.parquet")):
        time.sleep(0.01)
    process.send_signal(number)
    _, message = process.communicate()
    assert process.returncode == 130
    assert message == (
        "sim42 survey: interrupted; what is finished is kept;"
        f" go on with: sim42 survey {run} --resume\n"
    )
    assert 0 < len(load_run(run)) < 5400
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    for path, words in ((run, ["--resume"]), (whole, question)):
        assert sim42_(path, *words).exit_code == 0
    assert table_bytes(run) == table_bytes(whole)


def slow_survey(seconds, run, *words):
    """A survey on the stand-in that is about to begin, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, stand_in.__file__, str(seconds), "survey", str(run), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_run_study_refuses_a_run_of_another_question(tmp_path):
    Run.create(tmp_path / "run", Study(hands=2, seed=1))
    with pytest.raises(RunError, match="hands random 2, now random 3"):
        run_study(Study(hands=3, seed=1), path=tmp_path / "run")
    with pytest.raises(RequestError, match="threads 0"):
        run_study(Study(hands=2, seed=1), threads=0)
    with pytest.raises(RequestError, match="block 0"):
        run_study(Study(hands=2, seed=1), block=0)
