"""Make the checkout's .venv from locks of exact versions: ``python _venv.py LOCK...``.

The first lock is what sim42 needs, the others add to it. Only one process at a time does this,
and the marks that say it is done are written last: a set-up cut short is made anew.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
VENV = ROOT / ".venv"
MARKS = VENV / "lib"  # a .venv that lost its lib has lost its marks too
LOG = ROOT / ".venv.log"
# pip must not see packages of another place, nor put them there.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | {
    "PIP_USER": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def say(text: str) -> None:
    print(f"sim42: {text}", file=sys.stderr, flush=True)


def ready(locks: list[str]) -> bool:
    """Whether .venv was made here, from these very locks, and its Python is still there."""
    marks = {MARKS / "checkout": f"{ROOT}\n"}
    marks |= {MARKS / lock: (SCRIPTS / lock).read_text() for lock in locks}
    return os.access(VENV / "bin/python", os.X_OK) and all(
        mark.is_file() and mark.read_text() == text for mark, text in marks.items()
    )


def run(*command: str | Path, lock_file: int) -> None:
    """Run a program, its output to the log; its children keep the lock as long as they live."""
    with LOG.open("a") as log:
        done = subprocess.run(
            command,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[lock_file],
            check=False,
        )
    if done.returncode:
        said = LOG.read_text(errors="replace")
        if "connection broken" in said or "(from versions: none)" in said:
            sys.exit(f"sim42: pip cannot reach its package index (details in {LOG})")
        reasons = re.findall(r"^[ E]*(?:ERROR|\w*Error): (.+)", said, re.MULTILINE)
        reason = reasons[-1] if reasons else f"{Path(command[0]).name} failed"
        sys.exit(f"sim42: could not make .venv: {reason} (details in {LOG})")


def make(locks: list[str], lock_file: int) -> None:
    """Bring .venv to what the locks say, from nothing or by adding to what is there."""
    runtime, *more = locks
    grow = ready([runtime]) and not any((MARKS / lock).exists() for lock in more)
    existed = VENV.exists()
    for mark in ("checkout", *(path.name for path in SCRIPTS.glob("requirements*.txt"))):
        (MARKS / mark).unlink(missing_ok=True)
    LOG.unlink(missing_ok=True)
    if not grow:
        state = "out of date or incomplete" if existed else "missing"
        version = ".".join(map(str, sys.version_info[:3]))
        say(f".venv is {state}: making it with Python {version} (a minute or two)")
        # The file behind all links: when that Python goes, .venv/bin/python dangles and we see it.
        base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
        run(base, "-I", "-m", "venv", "--clear", "--prompt", "sim42", VENV, lock_file=lock_file)
    pip = (VENV / "bin/python", "-I", "-m", "pip", "install", "--quiet", "--no-input", "--no-deps")
    say(f"installing the versions listed in scripts/{locks[-1]}")
    run(
        *(*pip, "--require-hashes", "--only-binary=:all:", "-r", SCRIPTS / locks[-1]),
        lock_file=lock_file,
    )
    run(*pip, "--no-index", "--no-build-isolation", "--editable", ROOT, lock_file=lock_file)
    for lock in locks:
        shutil.copyfile(SCRIPTS / lock, MARKS / lock)
    (MARKS / "checkout").write_text(f"{ROOT}\n")
    LOG.unlink()
    say(".venv is ready")


def main(locks: list[str]) -> None:
    with (ROOT / ".venv.lock").open("w") as lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of .venv to end")
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not ready(locks):
            make(locks, lock_file.fileno())


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as error:
        sys.exit(f"sim42: could not make .venv: {error}")
    except KeyboardInterrupt:
        say("set-up interrupted; the next start begins it anew")
        sys.exit(130)
