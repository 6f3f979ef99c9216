"""Compiled code on the disk: loaded when whole, else compiled again, and commands say so."""

import errno
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys

import numba
import numpy as np
import pytest
from click.testing import CliRunner

from sim42.cli import main
from sim42.deals.random import random_deals
from sim42.solver.inside import makes_many, play_values
from sim42.solver.kernels import _jit
from sim42.solver.kernels._cache import CodeFiles, on_compile
from sim42.solver.positions import Positions
from sim42.solver.values import is_compiled, solve, solve_many, warm_up

pytestmark = pytest.mark.skipif(_jit.config.DISABLE_JIT, reason="nothing is compiled")

SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
DEAL = (
    f"{SIXES} / 5-5 5-4 5-3 5-2 5-1 5-0 4-4 / 4-3 4-2 4-1 4-0 3-3 3-2 3-1 /"
    " 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
)


def thrice(number):
    return 3 * number


class Run:
    """What another run does with the kernel `thrice`: its result, and what it had to compile."""

    def __init__(self, folder, number=14):
        kernel = numba.njit(thrice)
        kernel._cache = CodeFiles("thrice", folder)
        self.compiled = []
        with on_compile(self.compiled.append):
            self.result = kernel(number)


def test_code_is_kept_for_each_kind_of_argument(tmp_path):
    assert Run(tmp_path).compiled == [False]
    assert Run(tmp_path, 1.5).compiled == [False]
    assert len(list(tmp_path.iterdir())) == 2
    for number in (14, 1.5):
        again = Run(tmp_path, number)
        assert (again.result, again.compiled) == (3 * number, [])


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:3000] + bytes([data[3000] ^ 1]) + data[3001:],
        lambda data: hashlib.sha256(b"other").digest() + b"other",
    ],
    ids=["empty", "cut in the digest", "cut", "longer", "one bit", "another compiler's"],
)
def test_damaged_code_is_compiled_again(tmp_path, damage):
    assert Run(tmp_path).compiled == [False]
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    again = Run(tmp_path)
    assert (again.result, again.compiled) == (42, [True])
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert Run(tmp_path).compiled == []


def test_a_full_disk_costs_only_the_keeping(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(RuntimeWarning, match="No space left on device; compiled code is not"):
            assert Run(tmp_path).result == 42
        assert Run(tmp_path).result == 42  # said once, not for each kernel: warnings are errors
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_compiler_left_is_not_read(tmp_path):
    Run(tmp_path)
    (file,) = tmp_path.iterdir()
    file.rename(tmp_path / ".sim42-0123456789abcdef.tmp")
    assert Run(tmp_path).compiled == [False]


def test_without_a_folder_every_run_compiles():
    for _ in range(2):
        assert (Run(None).result, Run(None).compiled) == (42, [False])


def test_another_python_has_a_folder_of_its_own(monkeypatch):
    assert _jit._sources_hash() in str(_jit.CACHE_FOLDER)
    monkeypatch.setattr(platform, "python_version", lambda: "3.99.0")
    assert _jit._sources_hash() not in str(_jit.CACHE_FOLDER)


def test_a_listener_may_refuse_the_compiler(tmp_path):
    def refuse(_):
        raise InterruptedError

    with pytest.raises(InterruptedError), on_compile(refuse):
        Run(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert Run(tmp_path).compiled == [False]


def test_nothing_is_left_to_compile_after_warm_up():
    warm_up()
    assert is_compiled(solve)
    assert is_compiled(solve_many)
    deals = random_deals(3, seed=1)
    read_only = deals.copy()
    read_only.flags.writeable = False
    compiled = []
    with on_compile(compiled.append):
        for given in (
            deals,
            read_only,
            deals.astype(np.int32),
            deals[::-1],
            np.asfortranarray(deals),
        ):
            for leader in (0, np.int8(1), np.zeros(3, dtype=np.int64), [0, 1, 2], "all"):
                solve_many(given, leader=leader, floor=np.int64(30))
        solve(DEAL, "fives", leader=np.int64(2))
        for positions in (Positions(read_only), Positions(deals, leader=[0, 1, 2])):
            solve_many(positions, floor=30)
            makes_many(positions, 30)
            play_values(positions, floor=np.arange(3))
    assert compiled == []


@pytest.fixture
def sim42(tmp_path):
    """Run a command on a copy of the compiled code, in ``sim42.folder``."""
    warm_up()
    folder = tmp_path / "cache" / _jit.CACHE_FOLDER.name
    shutil.copytree(_jit.CACHE_FOLDER, folder)

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "sim42", *words],
            env={**os.environ, "NUMBA_CACHE_DIR": str(folder.parent)},
            capture_output=True,
            text=True,
            check=True,
        )

    run.folder = folder
    return run


BID = ("bid", SIXES, "--deals=2", "--seed=1", "--trumps=sixes")
SOLVE = ("solve", DEAL, "--trump=sixes")


def test_a_command_says_what_it_compiles_and_why_and_nothing_else(sim42):
    (values,) = sim42.folder.glob("solve_block-*.code")
    (plays,) = sim42.folder.glob("explain-*.code")
    values.write_bytes(b"")
    plays.unlink()
    assert "values: not yet, plays and lines: not yet, positions: yes" in sim42("info").stdout
    said = "compiling the solver, once; sim42 warmup does it beforehand\n"
    assert sim42(*SOLVE).stderr == said
    assert "values: not yet, plays and lines: yes, positions: yes" in sim42("info").stdout
    plays.unlink()
    first = sim42(*BID)
    assert first.stderr == "compiling the solver again: its compiled code was damaged\n"
    again = sim42(*BID)
    assert (again.stdout, again.stderr) == (first.stdout, "")
    assert values.read_bytes()
    assert not plays.exists()


# A compiler that says what it is about to do, and never ends.
NEVER_COMPILED = """
import sys, time
from sim42 import cli
from sim42.solver import values, warm
from sim42.solver.kernels import _cache

def compile_for_ever():
    for listener in _cache._listeners:
        listener(False)
    time.sleep(10**6)

warm._first_calls.update(dict.fromkeys(warm._first_calls, compile_for_ever))
sys.argv[0] = "sim42"
cli.run()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "words",
    [
        BID,
        SOLVE,
        ("survey", "run", "--hands=2", "--deals=2", "--seed=1"),
        ("report", SIXES, "--deals=2", "--seed=1", "-o", "x.html"),
        ("chart", "convergence", "bid.json", "-o", "x.svg"),
        ("warmup",),
    ],
    ids=lambda words: words[0],
)
def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path, words):
    if words[0] == "chart":
        CliRunner().invoke(main, [*BID, "-o", str(tmp_path / "bid.json")])
    before = sorted(tmp_path.iterdir())
    process = subprocess.Popen(
        [sys.executable, "-c", NEVER_COMPILED, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr.readline().startswith("compiling the solver")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stdout.read() == ""
        said = process.stderr.read().strip().splitlines()
    assert said[-1].endswith("interrupted")
    assert len(said) == 1
    assert sorted(tmp_path.iterdir()) == before
