"""The examples of README.md: run them, and write what they print into the page.

A ``console`` block is a session: each ``$ command`` runs in the same empty folder, one after the
other, and the lines below it are what it prints; ``...`` on a line of its own stands for any lines.
``python scripts/readme.py`` writes the outputs anew (blocks with ``...`` are left as they are), and
tests/test_readme.py checks them.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from sim42.cli import main as main_command
from sim42.files import write_file

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PROGRAM = re.compile(r"(^|\| )(?:scripts/)?sim42(?= |$)")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A command of the page, what the page says it prints, and where that text stands."""

    command: str
    expected: str
    span: tuple[int, int]


def examples(page: str) -> Iterator[Example]:
    """The commands of a page, in order."""
    for block in CONSOLE.finditer(page):
        place = block.start(1)
        command, lines, begin = "", [], place
        for line in [*block[1].splitlines(keepends=True), "$ "]:
            if line.startswith("$ "):
                if command:
                    yield Example(command, "".join(lines), (begin, place))
                command, lines = line[2:].strip(), []
                begin = place + len(line)
            elif line.startswith("> ") and not lines:
                command = f"{command.rstrip(chr(92))} {line[2:].strip()}"
                begin = place + len(line)
            else:
                lines.append(line)
            place += len(line)


def run(command: str, folder: Path) -> str:
    """What a command prints, on stdout and then on stderr, run in a folder as a user would.

    The page says ``sim42`` and ``scripts/sim42`` for the program; here it is this Python's, in this
    process where no shell is needed: that saves the imports.
    """
    environment: dict[str, str | None] = {
        **dict.fromkeys(name for name in os.environ if name.startswith("SIM42_")),
        **{"PYTHONPATH": str(ROOT), "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"},
    }
    words = shlex.split(command)
    if PROGRAM.match(command) and not {"|", "<", ">"} & {*words}:
        with chdir(folder):
            # Two columns less than the terminal's are what click leaves for help.
            runner = CliRunner(env=environment)
            result = runner.invoke(main_command, words[1:], terminal_width=78)
        printed, said = result.stdout, result.stderr
    else:
        done = subprocess.run(
            PROGRAM.sub(rf"\1{shlex.quote(sys.executable)} -m sim42", command),
            shell=True,
            cwd=folder,
            env={name: value for name, value in {**os.environ, **environment}.items() if value},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        printed, said = done.stdout, done.stderr
    errors = said.splitlines(keepends=True)
    return printed + "".join(line for line in errors if not line.startswith("compiling"))


def matches(printed: str, expected: str) -> bool:
    """Whether a command printed what the page says; trailing blanks do not count."""
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\s*?\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None


def main() -> None:
    """Write the outputs of all examples into README.md."""
    page = README.read_text(encoding="utf-8")
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        for example in examples(page):
            print(f"$ {example.command}", flush=True)
            printed = run(example.command, Path(folder))
            if "..." not in example.expected.split("\n"):
                changes.append((example.span, printed))
    for (begin, end), printed in reversed(changes):
        text = "".join(line.rstrip() + "\n" for line in printed.splitlines())
        page = page[:begin] + text + page[end:]
    write_file(README, page.encode())


if __name__ == "__main__":
    main()
