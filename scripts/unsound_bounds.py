"""Make each bound of the search say too much, and see that tests/test_bounds.py notices.

    python scripts/unsound_bounds.py [NUMBER...]

Each change is made in a copy of the package that has compiled code of its own, which takes half a
minute. Exit 1 if the tests pass with one of the changes, or fail without any.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.files import write_file

ROOT = Path(__file__).resolve().parent.parent
CHANGES = [
    ("a trump that others can beat is sure", "& above(theirs & trumps)", ""),
    ("tiles run although an opponent may have a trump", "if longest <= leads", "if leads"),
    (
        "a tile that can be beaten within its suit is sure",
        "if not theirs & word",
        "if not 0 & word",
    ),
    ("the tile played before the run is led again", "sure_trumps & ~used", "sure_trumps"),
    ("the same for a tile that is no trump", "others & ~used", "others"),
    ("partner's trumps win although led out", "popcount(partner_trumps) - leads", "7"),
    ("top trumps of both partners bring a trick each", "popcount(longer)", "popcount(tops)"),
    ("trumps of count are equal to others", "legal & trumps & ~count", "legal & trumps"),
    ("trumps are equal across those of others", "if not theirs & between", "if True"),
    ("the trump that the partner gives stays", "~trump_given(below, trumps, count, tens)", "~0"),
    ("opponents give their best count", "points += least(replies1", "points += most(replies1"),
    (
        "the partner beats the lead and the leader wins",
        "below = replies2 & ~beating",
        "below = replies2",
    ),
    (
        "the partner wins what an opponent can beat",
        "= partner_beats & above(danger)",
        "= partner_beats",
    ),
    (
        "a lead is still there after the trick",
        "kept = hand0 & trumps & ~lead",
        "kept = hand0 & trumps",
    ),
    (
        "the leader's run goes on with the lead",
        "trumps0, others0, longest, lead,",
        "trumps0, others0, longest, 0,",
    ),
    (
        "the partner's run goes on with the reply",
        "trumps2, others2, longest, reply,",
        "trumps2, others2, longest, 0,",
    ),
    ("a run needs a trick less", "lead, kept, tricks - 1,", "lead, kept, tricks - 2,"),
    ("a trick is lost that the partner can win", "danger & above(partner_beats)", "danger"),
    (
        "the partner gives the best to a lost trick",
        "points += least(replies2",
        "points += most(replies2",
    ),
    ("an opponent wins with a tile that does not beat", "most(beaters & replies1", "most(replies1"),
]


def fails(before: str, after: str) -> bool:
    """Whether the tests fail on a copy with one piece of `bounds` replaced."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sim42", "tests", "pyproject.toml"):
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, Path(folder, name))
        bounds = Path(folder, "sim42/solver/kernels/bounds.py")
        text = bounds.read_text(encoding="utf-8")
        if before not in text:
            sys.exit(f"bounds.py has no {before!r} any more")
        write_file(bounds, text.replace(before, after).encode())
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": folder}
        tests = [sys.executable, "-m", "pytest", "-qx", "tests/test_bounds.py"]
        run = subprocess.run(tests, cwd=folder, env=environment, capture_output=True, text=True)
        if run.returncode not in (0, 1) or "error" in run.stdout.splitlines()[-1]:
            sys.exit(run.stdout + run.stderr)
        return run.returncode == 1


def main(numbers: list[int]) -> None:
    if not numbers and fails("trumps", "trumps"):
        sys.exit("the tests fail without any change")
    unseen = 0
    for number in numbers or range(len(CHANGES)):
        what, before, after = CHANGES[number]
        noticed = fails(before, after)
        unseen += not noticed
        print(f"{number:2} {'noticed' if noticed else 'NOT NOTICED'}: {what}", flush=True)
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]])
