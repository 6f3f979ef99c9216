"""Run directories: whatever happens to the process, the disk or the files, no count is wrong."""

import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import stand_in
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import sim42.runs.blocks
from sim42 import Hand, Rules, Study, __version__, add_runs, files, load_run, run_study
from sim42.cli import main
from sim42.errors import RunError
from sim42.runs.blocks import block_of, count_block
from sim42.runs.execute import fill
from sim42.runs.manifest import Manifest
from sim42.runs.shards import COUNT_COLUMNS, Shard
from sim42.runs.store import Run, is_run

STUDY = Study(hands=30, deals=4, seed=3)
HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)


@pytest.fixture
def run(tmp_path):
    """A finished run of ten blocks."""
    run_study(STUDY, path=tmp_path / "run", block=3)
    return tmp_path / "run"


def interrupt(*_):
    raise KeyboardInterrupt


def csv_of(run):
    return CliRunner().invoke(main, ["table", str(run), "--format", "csv"]).stdout_bytes


# Ends of the process

KILLED = """
import itertools, os, signal, sys, time
sys.path.insert(0, {here!r})
import stand_in, sim42.runs.study
from sim42.runs.store import Run
from sim42.runs.execute import fill

calls = itertools.count()

def points(*arguments):
    time.sleep(0.002 if next(calls) < 60 else 10**6)  # none finishes, however late it is killed
    return stand_in.points(*arguments)

sim42.runs.blocks.solve_block = points
for seconds in {seconds!r}:
    if not (child := os.fork()):
        fill(Run.open({run!r}), threads=2, block=2)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), sum(len(s.hands) for s in Run.open({run!r}).shards))
"""


def test_ten_kills_lose_blocks_in_work_only(tmp_path):
    study = Study(hands=400, deals=4, seed=3)
    Run.create(tmp_path / "run", study)
    seconds = [random.uniform(0.0, 0.3) for _ in range(10)]
    code = KILLED.format(here=str(HERE), seconds=seconds, run=str(tmp_path / "run"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    killed = [list(map(int, line.split())) for line in done.stdout.splitlines()]
    finished = [hands for _, hands in killed]
    assert len(killed) == 10
    assert killed[0][0] == -signal.SIGKILL
    assert finished == sorted(finished)
    run_study(study, path=tmp_path / "run")
    run_study(study, path=tmp_path / "whole")
    assert csv_of(tmp_path / "run") == csv_of(tmp_path / "whole")
    assert {file.name for file in (tmp_path / "run").glob(".*")} == {".lock"}


def test_a_kill_at_any_write_leaves_a_whole_run(tmp_path, monkeypatch):
    """Not even for a moment does a manifest list a shard that is not there."""
    study = Study(hands=6, deals=4, seed=3)
    more = Study(hands=["6-4 5-5 4-2 3-1 2-0 1-1 0-0", "6-6 6-5 6-4 6-3 6-2 6-1 6-0"], seed=1)
    write_file = files.write_file
    looks = []

    def look(path, data):
        """Before a file is written, and after."""
        for write in (lambda: None, lambda: write_file(path, data)):
            write()
            if is_run(path.parent):
                looks.append(sum(1 for _ in Run.open(path.parent).read()))

    for module in ("store", "manifest"):
        monkeypatch.setattr(f"sim42.runs.{module}.write_file", look)
    run_study(study, path=tmp_path / "run", block=2)
    assert looks == [0, *(shard for done in range(3) for shard in [done] * 3 + [done + 1])]
    looks.clear()
    Run.create(tmp_path / "listed", Study(hands=more.hands[:1], seed=1)).extend(more)
    assert looks == [0] * 5


def test_a_full_disk_is_one_line_and_resumable(tmp_path):
    run = tmp_path / "run"
    words = ["0", "survey", str(run), "--hands", "99", "--deals", "4", "--seed", "3"]

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (11_000, 11_000))

    done = subprocess.run(
        [sys.executable, stand_in.__file__, *words, "--block", "1", "--threads", "1"],
        capture_output=True,
        text=True,
        preexec_fn=little_room,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"sim42 survey: {run}/manifest.json: File too large; what is finished is kept;"
        f" go on with: sim42 survey {run} --resume\n"
    )
    assert 10 < load_run(run)["mask"].nunique() < 99
    assert {file.name for file in run.glob(".*")} == {".lock"}
    assert CliRunner().invoke(main, ["survey", str(run), "--resume"]).exit_code == 0
    assert load_run(run).equals(run_study(Study(hands=99, deals=4, seed=3)))


def test_no_place_to_write(tmp_path):
    (tmp_path / "file").write_text("")
    words = ["survey", str(tmp_path / "file" / "run"), "--hands", "5", "--seed", "1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert result.stderr == f"sim42 survey: {tmp_path / 'file' / 'run'}: Not a directory\n"


def test_two_processes_do_not_work_in_one_directory(run):
    with Run.open(run).locked(), pytest.raises(RunError, match="another process is at work"):
        fill(Run.open(run))
    with Run.open(run).locked(), pytest.raises(RunError, match="another process is at work"):
        Run.open(run).extend(Study(hands=60, deals=4, seed=3))
    fill(Run.open(run))


# Two at once in one directory


def test_of_two_that_begin_in_one_place_the_quicker_gets_it(tmp_path, monkeypatch):
    first, second = (Study(hands=6, deals=4, seed=seed) for seed in (1, 2))
    alone = Run._alone

    def overtaken(run):
        """All of the other's work is done just before this one has the lock."""
        monkeypatch.setattr(Run, "_alone", alone)
        run_study(first, path=tmp_path / "run")
        return alone(run)

    monkeypatch.setattr(Run, "_alone", overtaken)
    with pytest.raises(RunError, match="a run is there already"):
        run_study(second, path=tmp_path / "run")
    assert load_run(tmp_path / "run").equals(run_study(first))


def test_nobody_begins_where_another_just_began(tmp_path, monkeypatch):
    first, second = (Study(hands=6, deals=4, seed=seed) for seed in (1, 2))
    tried = []

    place = "run"

    def try_too(done, asked):
        for begin in (run_study, lambda study, path: Run.create(path, study)):
            with pytest.raises(RunError) as caught:
                begin(second, path=tmp_path / place)
            tried.append(str(caught.value).split(": ")[1])

    save = Run._save

    def slow_save(run):
        """Before there is a manifest, and after."""
        try_too(0, 0)
        save(run)

    monkeypatch.setattr(Run, "_save", slow_save)
    run_study(first, path=tmp_path / "run", progress=try_too)
    assert set(tried[:2]) == {"another process is at work in it"}
    assert len(tried) > 4
    assert load_run(tmp_path / "run").attrs["seed"] == 1
    tried.clear()  # now with hands that are written before the manifest
    place = "listed"
    run_study(Study(hands=first.masks(0, 2).tolist(), deals=4, seed=1), path=tmp_path / place)
    assert set(tried[:2]) == {"another process is at work in it"}


def test_a_run_that_becomes_one_while_it_is_looked_at_is_a_run(tmp_path, monkeypatch):
    first, second = (Study(hands=6, deals=4, seed=seed) for seed in (1, 2))
    exists = Path.exists

    def late_exists(path):
        """The other begins and ends before the first look."""
        monkeypatch.setattr(Path, "exists", exists)
        there = exists(path)
        run_study(first, path=tmp_path / "run")
        return there

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "exists", late_exists)
            with pytest.raises(RunError, match="a run is there already"):
                Run.create(tmp_path / "run", second)


def test_a_folder_with_a_lock_and_files_of_the_user_is_no_run(tmp_path):
    (tmp_path / ".lock").touch()
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match="is there and is not a run"):
        Run.create(tmp_path, STUDY)


def test_a_run_that_was_put_in_the_place_of_another_is_not_filled(tmp_path):
    run = Run.create(tmp_path / "run", Study(hands=6, deals=4, seed=1))
    shutil.rmtree(tmp_path / "run")
    Run.create(tmp_path / "run", Study(hands=6, deals=4, seed=2))
    with pytest.raises(RunError, match="another run took its place"):
        fill(run)
    assert Run.open(tmp_path / "run").done() == 0


LATE = "another process is at work in it|a run is there already; .*|holds a run; .*"
AT_ONCE = """
import os, sys
sys.path.insert(0, {here!r})
import filelock, stand_in, sim42.runs.blocks, sim42.runs.execute, sim42.cli.survey
from sim42.cli import main
sim42.runs.blocks.solve_block = stand_in.points
study = sim42.runs.study.Study(hands=6, seed=1)  # compiled code is loaded before, not between
sim42.runs.blocks.count_block(sim42.runs.blocks.block_of(study, range(6), range(4)))
for place in range({rounds}):
    gate, starter = os.pipe()
    children = []
    for seed in range({processes}):
        if not (child := os.fork()):
            os.close(starter)
            os.dup2(os.open(f"{folder}/{{place}}-{{seed}}", os.O_WRONLY | os.O_CREAT), 2)
            os.read(gate, 1)  # until all are there
            words = [f"{folder}/{{place}}", "--hands=6", "--deals=4", f"--seed={{seed}}"]
            try:
                main(["survey", *words])
            except SystemExit as end:
                sys.stderr.flush()
                os._exit(end.code)
        children.append(child)
    os.close(starter)
    os.close(gate)
    print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_of_many_processes_at_once_one_does_its_own_run_and_the_others_say_why(tmp_path):
    rounds, processes = 5, 4
    code = AT_ONCE.format(here=str(HERE), folder=str(tmp_path), rounds=rounds, processes=processes)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ends = [list(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(ends) == rounds
    for place, codes in enumerate(ends):
        assert sorted(codes) == [0, *[2] * (processes - 1)]
        winner = codes.index(0)
        run = load_run(tmp_path / str(place))
        assert run.attrs["seed"] == winner
        assert len(run) == 54
        for seed in set(range(processes)) - {winner}:
            said = (tmp_path / f"{place}-{seed}").read_text()
            assert re.fullmatch(f"sim42: {tmp_path}/{place}: ({LATE})\n", said)
        assert (tmp_path / f"{place}-{winner}").read_text() == ""


def test_a_run_that_another_process_went_on_with_is_read_anew(run):
    early = Run.open(run)
    Run.open(run).extend(Study(hands=60, deals=4, seed=3))
    fill(Run.open(run))
    fill(early)
    assert load_run(run)["mask"].nunique() == 60


def test_files_of_an_interrupted_process_are_removed(run):
    (run / ".sim42-0123456789abcdef.tmp").write_bytes(b"half")
    shard = (run / "hands-9-12-deals-0-4.parquet").read_bytes()
    (run / "hands-9-10-deals-0-4.parquet").write_bytes(shard)  # its manifest never came
    before = csv_of(run)
    fill(Run.open(run))
    assert not (run / ".sim42-0123456789abcdef.tmp").exists()
    assert not (run / "hands-9-10-deals-0-4.parquet").exists()
    assert csv_of(run) == before


def test_files_of_the_user_stay_whatever_their_names(run):
    import pandas as pd

    pd.read_parquet(run / "hands-0-3-deals-0-4.parquet").to_parquet(run / "hands-0-3.parquet")
    pd.DataFrame({"mine": [1]}).to_parquet(run / "hands-5-6-deals-0-4.parquet")
    for name in (
        "listed-mine.txt",
        "listed-0123456789abcdef.txt",
        "hands-of-mine-deals-of-mine.parquet",
        "hands-1-2-deals-0-4.parquet",
        "hands-1-2-deals-0-4.parquet.bak",
        ".notes.tmp",
        ".sim42-notes.tmp",
        "manifest.json.bak",
    ):
        (run / name).write_text("mine")
    for name in ("hands-2-3-deals-0-4.parquet", ".sim42-0123456789abcdef.tmp"):
        (run / name).mkdir()
    before = {file.name for file in run.iterdir()}
    for words in (["--resume"], ["--extend", "--deals", "5"]):
        assert CliRunner().invoke(main, ["survey", str(run), *words]).exit_code == 0
    assert before - {file.name for file in run.iterdir()} == set()


def test_an_extension_replaces_the_file_of_listed_hands(tmp_path):
    hands = ["6-4 5-5 4-2 3-1 2-0 1-1 0-0", "6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    for count in (1, 2):
        study = Study(hands=hands[:count], deals=2, seed=1)
        if count == 1:
            run_study(study, path=tmp_path / "run")
        else:
            Run.open(tmp_path / "run").extend(study)
        (listed,) = (tmp_path / "run").glob("listed-*.txt")
        assert len(listed.read_text().splitlines()) == count


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's /proc")
def test_memory_does_not_grow_with_the_hands(tmp_path):
    code = f"""
import os, re
from pathlib import Path
from threading import Event
import numpy as np
from sim42.runs.store import Run
from sim42.runs import execute
from sim42.runs.blocks import Counts
from sim42.runs.study import Study

def counted(block, stop):
    rows = len(block.hands) * 9
    counts = np.random.default_rng(block.hands.start).integers(0, 50, (rows, 14), dtype=np.int32)
    trump = np.tile(np.arange(9, dtype=np.int8), len(block.hands))
    return Counts(block.hands, block.deals, block.masks.repeat(9), trump, counts, counts)

execute.count_block = counted
os.fsync = int  # hundreds of them take a while
execute.SOLVES = (300_000, 500_000)
run = Run.create({str(tmp_path / "run")!r}, Study(hands=100_000, deals=100, seed=1))
execute.fill(run, threads=2)
# The peak of this process alone; getrusage would count that of its parent at the start.
peak = re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]
print(len(run.shards), int(peak) // 1024)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shards, megabytes = map(int, done.stdout.split())
    assert 200 < shards < 500
    assert megabytes < 600


# Files that are not as they were written


@pytest.mark.parametrize("harm", ["missing", "cut", "changed", "empty"])
def test_a_damaged_shard_is_noticed_and_done_again(run, harm):
    before = csv_of(run)
    shard = run / "hands-12-15-deals-0-4.parquet"
    data = shard.read_bytes()
    if harm == "missing":
        shard.unlink()
    else:
        middle = len(data) // 2
        changed = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        shard.write_bytes({"cut": data[:-9], "changed": changed, "empty": b""}[harm])
    result = CliRunner().invoke(main, ["table", str(run)])
    assert result.exit_code == 2
    assert "deals-0-4.parquet: missing or damaged" in result.stderr
    assert "--resume does it again" in result.stderr
    assert CliRunner().invoke(main, ["survey", str(run), "--resume"]).exit_code == 0
    assert csv_of(run) == before


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"seed": 3', '"seed": 4', "was edited"),
        ('"deals": 4', '"deals": 8', "was edited"),
        ('{"hands": [0, 3]', '{"hands": [0, 2]', "was edited"),
        ('"schema": 1', '"schema": 2', "was edited"),
        ('"digest": "', '"digest": "0', "was edited"),
        ('"digest"', '"digests"', "cut short or not a manifest"),
        ("}\n", "", "cut short or not a manifest"),
        ("{", "[", "cut short or not a manifest"),
        (Ellipsis, "[]", "cut short or not a manifest"),
        (Ellipsis, '"text"', "cut short or not a manifest"),
    ],
)
def test_a_manifest_that_was_edited_or_cut_is_refused(run, old, new, says):
    manifest = run / "manifest.json"
    text = manifest.read_text()
    old = text if old is Ellipsis else old
    at = text.rindex(old)
    manifest.write_text(text[:at] + new + text[at + len(old) :])
    for words in (["table"], ["survey", "--resume"], ["survey", "--extend", "--deals", "9"]):
        result = CliRunner().invoke(main, [words[0], str(run), *words[1:]])
        assert result.exit_code == 2
        assert says in result.stderr
        assert "manifest.json" in result.stderr


def test_a_manifest_cut_anywhere_is_refused(run):
    manifest = run / "manifest.json"
    text = manifest.read_text()
    for length in range(0, len(text) - 2, 37):
        manifest.write_text(text[:length])
        with pytest.raises(RunError):
            Run.open(run)


HOSTILE = {
    "deep": b"[" * 200_000,
    "deep inside": b'{"digest": "", "study": ' + b"[" * 200_000,
    "not a number": b'{"digest": "", "study": {"seed": Infinity}}',
    "many digits": b'{"digest": "", "study": {"seed": ' + b"9" * 5_000 + b"}}",
    "no text": b"\xff\xfe\x00",
    "nothing": b"",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_manifests_are_refused_in_a_line(run, data):
    (run / "manifest.json").write_bytes(data)
    for words in (["table"], ["survey", "--resume"], ["survey", "--extend", "--deals", "9"]):
        result = CliRunner().invoke(main, [words[0], str(run), *words[1:]])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"sim42: {run}/manifest.json: ")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((), None),
        (("schema",), [1]),
        (("schema",), None),
        (("sim42",), 7),
        (("sim42",), None),
        (("study",), None),
        (("study",), []),
        (("study", "seed"), float("inf")),
        (("study", "seed"), -1),
        (("study", "seed"), True),
        (("study", "seed"), 10**400),
        (("study", "deals"), 1.5),
        (("study", "deals"), True),
        (("study", "deals"), "4"),
        (("study", "deals"), 10**400),
        (("study", "floor"), [30]),
        (("study", "trumps"), "hearts"),
        (("study", "trumps"), {"fives": 5}),
        (("study", "trumps"), [[5]]),
        (("study", "hands"), 30),
        (("study", "hands"), {}),
        (("study", "hands"), {"random": 1e308}),
        (("study", "hands"), {"random": True}),
        (("study", "hands"), {"from": 0.0, "to": 5}),
        (("study", "hands"), {"listed": 3, "sha256": 5}),
        (("study", "hands"), {"listed": 3, "sha256": "../../etc/passwd"}),
        (("study", "rules"), []),
        (("study", "rules"), {"doubles": ["low"]}),
        (("study", "rules"), {"nothing": 1}),
        (("study", "more"), 1),
        (("blocks",), {}),
        (("blocks",), 5),
        (("blocks", 0), "shard"),
        (("blocks", 0, "hands"), [0, 3.0]),
        (("blocks", 0, "hands"), [3, 0]),
        (("blocks", 0, "hands"), [-1, 3]),
        (("blocks", 0, "hands"), [0, 3, 1]),
        (("blocks", 0, "hands"), [True, 3]),
        (("blocks", 0, "deals"), float("nan")),
        (("blocks", 0, "hands"), [0, 31]),
        (("blocks", 0, "deals"), [0, 5]),
    ],
    ids=str,
)
def test_a_manifest_of_other_kinds_is_refused_though_its_digest_is_right(run, place, value):
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest["digest"]
    if place:
        part = manifest
        for name in place[:-1]:
            part = part[name]
        part[place[-1]] = value
    else:
        manifest.clear()
    manifest["digest"] = hashlib.sha256(json.dumps(manifest).encode()).hexdigest()
    (run / "manifest.json").write_text(json.dumps(manifest))
    for words in (["table"], ["survey", "--resume"]):
        result = CliRunner().invoke(main, [words[0], str(run), *words[1:]])
        assert result.exit_code == 2, result.output
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
        assert result.stderr.startswith(f"sim42: {run}")


def test_a_shard_of_something_else_is_refused_though_its_digest_is_right(run):
    import pandas as pd

    name = "hands-0-3-deals-0-4.parquet"
    before = hashlib.sha256((run / name).read_bytes()).hexdigest()
    frame = pd.read_parquet(run / name)
    manifest = json.loads((run / "manifest.json").read_text())
    for data in (b"not parquet", frame.drop(columns="odd_42").to_parquet()):
        digest = hashlib.sha256(data).hexdigest()
        (run / name).write_bytes(data)
        stored = json.loads(json.dumps(manifest).replace(before, digest))
        del stored["digest"]
        stored["digest"] = hashlib.sha256(json.dumps(stored).encode()).hexdigest()
        (run / "manifest.json").write_text(json.dumps(stored))
        result = CliRunner().invoke(main, ["table", str(run)])
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert f"{name}: not a shard" in result.stderr


def test_a_manifest_remembers_every_version_that_worked_at_the_run(run, monkeypatch):
    first = load_run(run).attrs["version"]
    for version in ("0.7.0", "0.8.0", "0.7.0"):
        monkeypatch.setattr("sim42.runs.store.__version__", version)
        fill(Run.open(run))  # nothing to do, and nothing to remember
        Run.open(run).extend(Study(hands=len(Run.open(run).study) + 1, deals=4, seed=3))
        fill(Run.open(run))
    assert json.loads((run / "manifest.json").read_text())["sim42"] == [first, "0.7.0", "0.8.0"]
    assert load_run(run).attrs["version"] == f"{first}, 0.7.0, 0.8.0"
    monkeypatch.setattr("sim42.runs.store.__version__", "0.9.0")
    other = run_study(Study(hands=2, deals=4, seed=4), path=run.with_name("other"))
    added = add_runs(load_run(run), other)
    assert added.attrs["version"] == f"{first}, 0.7.0, 0.8.0, 0.9.0"


def test_a_run_of_a_sim42_that_knew_one_version_goes_on(run):
    """The manifest as it was written until runs remembered every version."""
    manifest = json.loads((run / "manifest.json").read_text())
    before, blocks = csv_of(run), manifest["blocks"]
    del manifest["digest"]
    manifest |= {"sim42": "0.0.9", "blocks": blocks[:4]}
    manifest["digest"] = hashlib.sha256(json.dumps(manifest).encode()).hexdigest()
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert Run.open(run).versions == ("0.0.9",)
    assert CliRunner().invoke(main, ["survey", str(run), "--resume"]).exit_code == 0
    assert Run.open(run).versions == ("0.0.9", __version__)
    assert csv_of(run) == before


def test_a_run_without_a_name_is_not_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = Study(hands=2, deals=2, seed=1)
    for begin in (Run.open, lambda path: Run.create(path, study), load_run):
        with pytest.raises(RunError, match="the name of the run is empty"):
            begin("")
    with pytest.raises(RunError, match="the name of the run is empty"):
        run_study(study, path="")
    for words in (["--hands", "2", "--seed", "1"], ["--resume"], ["--extend", "--deals", "9"]):
        result = CliRunner().invoke(main, ["survey", "", *words])
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "the name of the run is empty" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("--resume",), ("--extend", "--deals", "9")])
def test_a_mistyped_run_is_not_begun(tmp_path, words):
    (tmp_path / "folder").mkdir()
    for name in ("rum", "folder", "no/where"):
        for more in ((), ("--hands", "5", "--seed", "1"), ("--all",)):
            result = CliRunner().invoke(main, ["survey", str(tmp_path / name), *words, *more])
            assert (result.exit_code, result.stdout) == (2, "")
            assert result.stderr == (
                f"sim42: {tmp_path / name}: not a run, there is no manifest.json\n"
            )
    assert [file.name for file in tmp_path.rglob("*")] == ["folder"]


def test_another_schema_is_refused(run, monkeypatch):
    monkeypatch.setattr("sim42.runs.manifest.SCHEMA", 2)
    with pytest.raises(RunError, match="schema 1, and this sim42 reads 2 to 4"):
        Run.open(run)


def test_a_manifest_says_what_was_asked_and_what_is_done(run):
    manifest = json.loads((run / "manifest.json").read_text())
    assert set(manifest) == {"schema", "sim42", "study", "blocks", "digest"}
    assert manifest["study"] == STUDY.as_dict()
    assert [block["hands"] for block in manifest["blocks"]] == [[i, i + 3] for i in range(0, 30, 3)]


def test_listed_hands_that_were_edited_are_refused(tmp_path):
    hands = ["6-4 5-5 4-2 3-1 2-0 1-1 0-0", "6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    run_study(Study(hands=hands, deals=2, seed=1), path=tmp_path / "run")
    (listed,) = (tmp_path / "run").glob("listed-*.txt")
    assert listed.read_text().splitlines() == [str(Hand(hand)) for hand in hands]
    listed.write_text(hands[0] + "\n")
    with pytest.raises(RunError, match=r"listed-[0-9a-f]{16}\.txt was edited"):
        load_run(tmp_path / "run")
    listed.write_text("nothing\n")
    with pytest.raises(RunError, match="study cannot be read"):
        load_run(tmp_path / "run")
    listed.unlink()
    with pytest.raises(RunError, match="study cannot be read"):
        load_run(tmp_path / "run")


def test_an_extension_cut_before_its_manifest_leaves_the_old_run(tmp_path, monkeypatch):
    hands = ["6-4 5-5 4-2 3-1 2-0 1-1 0-0", "6-6 6-5 6-4 6-3 6-2 6-1 6-0"]
    short, long = (Study(hands=hands[:count], deals=2, seed=1) for count in (1, 2))
    frame = run_study(short, path=tmp_path / "run")
    run = Run.open(tmp_path / "run")
    monkeypatch.setattr(run, "_save", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run.extend(long)
    assert load_run(tmp_path / "run").equals(frame)


# What is missing


@given(st.data())
def test_blocks_and_what_is_missing_make_the_study(data):
    hands, deals = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    run = Run(".", Manifest(Study(hands=hands, deals=deals, seed=1), (), ()))
    seen = np.zeros((hands, deals), dtype=int)
    for _ in range(data.draw(st.integers(0, 5))):
        first, start = (data.draw(st.integers(0, size - 1)) for size in (hands, deals))
        last = data.draw(st.integers(first + 1, hands))
        stop = data.draw(st.integers(start + 1, deals))
        if not seen[first:last, start:stop].any():
            seen[first:last, start:stop] += 1
            run.shards.append(Shard(range(first, last), range(start, stop), ""))
    assert run.done() == seen.sum()
    for missing_hands, missing_deals in run.missing():
        seen[
            missing_hands.start : missing_hands.stop, missing_deals.start : missing_deals.stop
        ] += 1
    assert (seen == 1).all()


def test_blocks_of_odd_shapes_add_up_to_the_study(tmp_path):
    study = Study(hands=6, deals=11, seed=2)
    run = Run.create(tmp_path / "run", study)
    with run.locked():
        for hands, deals in ((range(1, 4), range(3, 8)), (range(6), range(8, 11))):
            run.add(count_block(block_of(study, hands, deals)))
        stop = Event()
        stop.set()
        run.add(count_block(block_of(study, range(6), range(3)), stop))  # stopped at once
    assert len(run.shards) == 2
    fill(run)
    assert load_run(tmp_path / "run").equals(run_study(study))


# Adding


def test_runs_of_other_seeds_are_added(tmp_path):
    question = {"hands": range(40, 46), "deals": 5}
    frames = [
        run_study(Study(**question, seed=seed), path=tmp_path / str(seed)) for seed in (1, 2, 3)
    ]
    added = add_runs(*frames)
    assert added["deals"].tolist() == [15] * 54
    counts = sum(frame[COUNT_COLUMNS].to_numpy() for frame in frames)
    assert (added[COUNT_COLUMNS].to_numpy() == counts).all()
    assert added.dtypes.equals(frames[0].dtypes)
    assert added.attrs == {**frames[0].attrs, "seed": [1, 2, 3], "deals": 15}
    assert add_runs(add_runs(*frames[:2]), frames[2]).equals(added)
    result = CliRunner().invoke(
        main, ["table", *(str(tmp_path / str(s)) for s in (1, 2, 3)), "--format", "json"]
    )
    assert json.loads(result.stdout)["seed"] == [1, 2, 3]


def test_runs_over_other_hands_stand_side_by_side():
    parts = [run_study(Study(hands=range(*ends), deals=5, seed=1)) for ends in ((0, 3), (3, 9))]
    assert add_runs(*parts)["mask"].nunique() == 9


def test_runs_that_do_not_add_are_refused():
    hands = {"hands": range(6), "deals": 5}
    first = run_study(Study(**hands, seed=1))
    for other, says in (
        (Study(**hands, seed=1), "both hold the deals of seed 1 around 3-"),
        (Study(hands=range(5, 9), deals=9, seed=1), "both hold the deals of seed 1"),
        (Study(**hands, seed=2, floor=36), "floor 30 and 36"),
        (Study(**hands, seed=2, rules=Rules(doubles="low")), "add: rules doubles high and low$"),
    ):
        with pytest.raises(RunError, match=says):
            add_runs(first, run_study(other))


def test_a_place_without_a_run(tmp_path):
    result = CliRunner().invoke(main, ["table", str(tmp_path)])
    assert result.exit_code == 2
    assert "not a run, there is no manifest.json" in result.stderr


def test_an_unfinished_run_can_be_looked_at(run):
    Run.open(run).extend(Study(hands=60, deals=4, seed=3))
    result = CliRunner().invoke(main, ["table", str(run), "--format", "csv"])
    assert result.exit_code == 0
    assert "50 % is done" in result.stderr
    assert result.stdout.count("\n") == 271


def test_a_shard_can_be_read_by_itself(run):
    import pandas as pd

    frame = pd.read_parquet(run / "hands-0-3-deals-0-4.parquet")
    assert frame.columns.tolist() == ["mask", "hand", "trump", "deals", *COUNT_COLUMNS]
    assert len(frame) == 27
