"""Files are written whole or not at all, by everyone in the same way; a lock has one holder."""

import errno
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from sim42 import Study, files, run_study
from sim42.charts.files import save
from sim42.cli import main
from sim42.files import lock, write_file

ROOT = Path(__file__).parent.parent
HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path):
    return path.stat().st_mode & 0o777


def say_full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# Whole or not at all


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_is_written_whole_and_nothing_else_is_left(tmp_path, replace):
    write_file(tmp_path / "x", b"new", replace=replace)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("x", b"new")]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_names_it(tmp_path, monkeypatch, step):
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(*((os, step) if step == "fsync" else (Path, step)), say_full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_file(tmp_path / "x", b"new")
    assert caught.value.filename == str(tmp_path / "x")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("x", b"old")]


def test_what_is_renamed_is_on_the_disk_and_whole(tmp_path, monkeypatch):
    seen = []
    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: (seen.append("fsync"), fsync(file))[1])

    def look_and_replace(temporary, target):
        assert files.TEMPORARY.fullmatch(temporary.name)
        assert (temporary.parent, temporary.read_bytes()) == (tmp_path, b"new")
        seen.append("replace")
        return replace(temporary, target)

    monkeypatch.setattr(Path, "replace", look_and_replace)
    write_file(tmp_path / "x", b"new")
    assert seen == ["fsync", "replace"]


def test_a_file_is_not_replaced_when_it_must_not_be(tmp_path):
    (tmp_path / "x").write_bytes(b"old")
    with pytest.raises(FileExistsError) as caught:
        write_file(tmp_path / "x", b"new", replace=False)
    assert caught.value.filename == str(tmp_path / "x")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("x", b"old")]


def test_a_disk_without_hard_links_does_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "hardlink_to", say_full)
    write_file(tmp_path / "x", b"new", replace=False)
    with pytest.raises(FileExistsError):
        write_file(tmp_path / "x", b"newer", replace=False)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("x", b"new")]


def test_a_name_as_long_as_a_disk_allows(tmp_path):
    write_file(tmp_path / ("é" * 127), b"new")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path):
    for mask, mode in ((0o027, 0o640), (0o022, 0o644), (0o077, 0o600)):
        with umask(mask):
            write_file(tmp_path / f"{mask}", b"new")
            write_file(tmp_path / f"{mask}-only", b"new", replace=False)
        assert mode_of(tmp_path / f"{mask}") == mode_of(tmp_path / f"{mask}-only") == mode
    for mode in (0o600, 0o664, 0o444):
        (tmp_path / f"{mask}").chmod(mode)
        write_file(tmp_path / f"{mask}", b"newer")
        assert mode_of(tmp_path / f"{mask}") == mode


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_every_writer_gives_its_files_the_mode_of_the_umask(tmp_path):
    from matplotlib.figure import Figure

    with umask(0o027):
        assert CliRunner().invoke(main, ["deal", "-o", str(tmp_path / "deal.csv")]).exit_code == 0
        save(Figure().add_subplot(), tmp_path / "chart.svg")
        run_study(Study(hands=[HAND], deals=2, seed=1), path=tmp_path / "run")
    written = [tmp_path / "deal.csv", tmp_path / "chart.svg", *(tmp_path / "run").glob("[!.]*")]
    assert len(written) == 5
    assert {mode_of(file) for file in written} == {0o640}


def test_nobody_else_writes_files():
    """Other writers in the package or its scripts would be copies, and less careful ones."""
    writers = re.compile(r"\.write_(?:text|bytes)\(|open\([^)]*\"[wax]b?\"|mkstemp|NamedTemporary")
    found = {
        str(file.relative_to(ROOT))
        for folder in ("sim42", "scripts")
        for file in (ROOT / folder).rglob("*.py")
        if writers.search(file.read_text(encoding="utf-8"))
    }
    # _venv.py makes the place where sim42 can be imported.
    assert found == {"sim42/files.py", "scripts/_venv.py"}


# Pipes, devices and descriptors


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="names of open descriptors")
def test_an_open_descriptor_is_written_to_and_not_emptied(tmp_path):
    with (tmp_path / "log").open("ab") as log:
        log.write(b"before ")
        log.flush()
        write_file(f"/dev/fd/{log.fileno()}", b"new")
    assert (tmp_path / "log").read_bytes() == b"before new"


def shell(line, folder):
    return subprocess.run(
        ["bash", "-c", line.replace("sim42", f"'{sys.executable}' -m sim42")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="names of open descriptors")
def test_names_that_a_shell_gives_to_streams(tmp_path):
    deals = shell("sim42 deal -n 500 --seed 1", tmp_path).stdout
    first = deals.splitlines(keepends=True)[0]
    for line, printed in (
        ("sim42 deal -n 500 --seed 1 -o /dev/stdout", deals),
        ("sim42 deal -n 500 --seed 1 -o /dev/stdout | head -1", first),
        ("sim42 deal -n 500 --seed 1 -o /dev/stdout > all; cat all", deals),
        (
            "echo before > all; sim42 deal --seed 1 -o /dev/stdout >> all; cat all",
            f"before\n{first}",
        ),
        ("sim42 deal -n 500 --seed 1 -o >(cat > piped); wait $!; cat piped", deals),
        ("sim42 deal --seed 1 -o /dev/null", ""),
        ("sim42 deal --seed 1 -o /dev/fd/1", first),
        ("sim42 deal --seed 1 -o >(exit)", ""),
    ):
        done = shell(line, tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, printed, ""), line
    for line, says in (
        ("sim42 deal --seed 1 -o /dev/fd/77", "sim42: /dev/fd/77: is not open for writing\n"),
        ("sim42 deal --seed 1 -o /dev/stdin", "sim42: /dev/stdin: is not open for writing\n"),
    ):
        done = shell(f"{line} < /dev/null", tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", says)


# Results


def test_a_file_that_someone_makes_meanwhile_stays_and_the_result_is_kept(tmp_path, monkeypatch):
    from sim42.cli import deal

    class SlowListing(deal._Listing):
        def __iter__(self):
            (tmp_path / "x.csv").write_bytes(b"theirs")
            (tmp_path / "x-2.csv").write_bytes(b"theirs too")
            return super().__iter__()

    monkeypatch.setattr(deal, "_Listing", SlowListing)
    words = ["deal", "--seed", "1", "-o", str(tmp_path / "x.csv")]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"sim42: {tmp_path / 'x.csv'}: someone made it meanwhile, so it stays;"
        f" the result is in {tmp_path / 'x-3.csv'}\n"
    )
    assert (tmp_path / "x.csv").read_bytes() == b"theirs"
    assert (tmp_path / "x-2.csv").read_bytes() == b"theirs too"
    assert (tmp_path / "x-3.csv").read_text().startswith("seed,index,deal\n1,0,")
    assert CliRunner().invoke(main, [*words, "--force"]).exit_code == 0
    assert (tmp_path / "x.csv").read_bytes() == (tmp_path / "x-3.csv").read_bytes()
    assert len(list(tmp_path.iterdir())) == 3


# The lock

HOLD = """
import sys
sys.modules.update({without!r})
from sim42.files import lock
with lock({path!r}):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("without", [{}, {"fcntl": None}], ids=["fcntl", "no fcntl"])
def test_a_lock_has_one_holder_among_processes(tmp_path, without):
    def hold():
        return subprocess.Popen(
            [sys.executable, "-c", HOLD.format(without=without, path=str(tmp_path / "lock"))],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    with hold() as first:
        assert first.stdout.readline() == "held\n"
        with hold() as second:
            said = second.communicate()
            assert second.returncode == 1
            assert said[0] == ""
            assert said[1].endswith(f"BlockingIOError: {tmp_path / 'lock'}: held by another\n")
            assert "Warning" not in said[1]
        first.kill()
    with hold() as third:
        assert third.communicate()[0] == "held\n"
    with lock(tmp_path / "lock" if not without else tmp_path / "another"):
        pass
