"""Surveys on a dask cluster: the same bytes, also when a worker dies at work."""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest
import stand_in
from click.testing import CliRunner

import sim42.runs.blocks
from sim42 import Study, load_run, run_study
from sim42.cli import main

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent
QUESTION = ["--hands", "60", "--deals", "4", "--seed", "3"]


@contextmanager
def process(*words):
    """A Python process, killed in the end."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def wait_for(condition, *needed):
    """However long it takes, as long as the processes that it needs are there."""
    while not condition():
        for each in needed:
            assert each.poll() is None, each.stderr.read()
        time.sleep(0.02)


class Cluster(NamedTuple):
    """A scheduler and its workers, of which each does one block until there is a file `gate`."""

    scheduler: subprocess.Popen
    workers: list[subprocess.Popen]
    address: str
    gate: Path


@contextmanager
def cluster(folder, monkeypatch, size):
    file, gate = folder / "scheduler.json", folder / "gate"
    monkeypatch.setenv("SOLVER_GATE", str(gate))
    with ExitStack() as stack:
        start = lambda *words: stack.enter_context(process("-m", "dask", *words))  # noqa: E731
        place = ["--no-dashboard", "--scheduler-file", file]
        scheduler = start("scheduler", "--host=127.0.0.1", "--port=0", *place)
        wait_for(file.exists, scheduler)
        quick = ["--preload", stand_in.__file__, "--local-directory", folder]
        one = ["worker", "--nthreads=1", "--no-nanny", *place, *quick]
        workers = [start(*one) for _ in range(size)]
        address = json.loads(file.read_text())["address"]
        wait_for(lambda: workers_of(address) == size, scheduler, *workers)
        yield Cluster(scheduler, workers, address, gate)


@contextmanager
def survey_on(cluster, run):
    """A survey of twenty blocks, of which some are done and most are not."""
    words = ["survey", run, *QUESTION, "--block=3", "--scheduler", cluster.address]
    with process("-m", "sim42", *words) as survey:
        wait_for(lambda: list(run.glob("*.parquet")), survey, *cluster.workers)
        yield survey


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path, monkeypatch):
    run = tmp_path / "run"
    with cluster(tmp_path, monkeypatch, 2) as found, survey_on(found, run) as survey:
        found.workers[0].kill()
        done = len(list(run.glob("*.parquet")))
        found.gate.touch()
        _, message = survey.communicate()
    assert done <= 2
    assert survey.returncode == 0, message
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    frame = run_study(Study(hands=60, deals=4, seed=3), path=tmp_path / "threads")
    assert load_run(run).equals(frame)
    csv = [
        CliRunner().invoke(main, ["table", str(path), "--format", "csv"]).stdout_bytes
        for path in (run, tmp_path / "threads")
    ]
    assert csv[0] == csv[1]


def test_a_scheduler_that_is_gone_is_said_and_what_is_finished_is_kept(tmp_path, monkeypatch):
    run = tmp_path / "run"
    with cluster(tmp_path, monkeypatch, 1) as found, survey_on(found, run) as survey:
        found.scheduler.kill()
        _, message = survey.communicate()
    assert survey.returncode == 1
    assert message == (
        f"sim42 survey: {run}: the scheduler {found.address} is gone; what is finished is kept;"
        f" go on with: sim42 survey {run} --resume\n"
    )
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    assert CliRunner().invoke(main, ["survey", str(run), "--resume"]).exit_code == 0
    assert load_run(run).equals(run_study(Study(hands=60, deals=4, seed=3)))


def ends():
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.client import ClosedClientError
    from distributed.comm import CommClosedError

    for error in (
        CommClosedError("ConnectionPool closing."),
        ClosedClientError("Client is closed. Can't send message."),
        CancelledError("block-1"),
        TimeoutError("no answer"),
        OSError("Timed out trying to connect to tcp://there:1 after 10 s"),
    ):
        yield error, "the scheduler tcp://there:1 is gone"
    yield KilledWorker("block-1", None, []), "the cluster tcp://there:1 lost several workers"


@pytest.mark.parametrize(("error", "says"), [*ends()], ids=lambda value: type(value).__name__)
def test_however_dask_puts_it_a_lost_cluster_is_one_line(tmp_path, monkeypatch, error, says):
    class Gone:
        def get_executor(self, pure):
            return None

        def nthreads(self):
            raise error

    monkeypatch.setattr("sim42.cli._cluster._client", lambda scheduler: nullcontext(Gone()))
    words = ["survey", str(tmp_path / "run"), *QUESTION, "--scheduler", "tcp://there:1"]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"sim42 survey: {tmp_path / 'run'}: {says}; what is finished")
    assert result.stderr.count("\n") == 1


def workers_of(address):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return len(client.nthreads())


def test_local_workers_solve_what_threads_solve(tmp_path):
    question = ["--hands", "4", "--deals", "3", "--seed", "3", "--block", "1"]
    with process(
        "-m", "sim42", "survey", tmp_path / "run", *question, "--scheduler=local:2"
    ) as run:
        _, message = run.communicate()
    assert run.returncode == 0
    assert message == ""
    assert load_run(tmp_path / "run").equals(run_study(Study(hands=4, deals=3, seed=3)))


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("local:0", "local:N with N from 1"),
        ("local:", "local:N with N from 1"),
        ("local:two", "local:N with N from 1"),
        ("tcp://127.0.0.1:1", "no scheduler answers there"),
        ("nonsense", "tcp://HOST:PORT, or local:N"),
        ("gopher://there:80", "tcp://HOST:PORT, or local:N"),
        ("tls://127.0.0.1:1", "dask's configuration names no certificates"),
        ("tls://", "tcp://HOST:PORT, or local:N"),
        ("tcp://there:66000", "tcp://HOST:PORT, or local:N"),
        ("tcp://there", "tcp://HOST:PORT, or local:N"),
        ("ucx://there:80", "tcp://HOST:PORT, or local:N"),
        ("tcp://127.0.0.1:99999999", "tcp://HOST:PORT, or local:N"),
        ("", "tcp://HOST:PORT, or local:N"),
    ],
)
def test_schedulers_that_cannot_be(tmp_path, monkeypatch, address, says):
    monkeypatch.setattr("sim42.cli._cluster.PATIENCE", 0.5)
    words = ["survey", str(tmp_path / "run"), *QUESTION, "--scheduler", address]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert not (tmp_path / "run").exists()


def test_without_dask_the_way_to_get_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["survey", str(tmp_path / "run"), *QUESTION, "--scheduler", "local:2"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "pip install 'sim42[cluster]'" in result.stderr


def test_an_arena_is_played_the_same_on_processes(tmp_path):
    words = ["arena", "club", "random", "--deals", "30", "--seed", "5", "--format", "json"]
    here = CliRunner().invoke(main, words)
    there = CliRunner().invoke(main, [*words, "--scheduler", "local:2"])
    assert (there.exit_code, there.stdout) == (0, here.stdout)
