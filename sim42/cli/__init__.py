"""The command line: a file a command, loaded when it is called, so that ``--help`` is quick.

Exit codes: 0 done, 1 could not (disk full, unwritable), 2 the input was wrong, 130 interrupted.
"""

import io
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from sim42 import __version__
from sim42.errors import ConditionError, Sim42Error

# Before numpy is imported: its sums are small, and threads that wait for each other in a loop make
# them a hundred times slower where all cores solve.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

INTERRUPTED: Final = 130

COMMANDS: Final = {
    "arena": "Players who see only their own hand, against each other.",
    "bid": "How often each bid makes with one hand, for every trump.",
    "chart": "Draw a bid or a survey: png, svg or pdf.",
    "deal": "Print random deals.",
    "info": "Versions, cores and folders in use.",
    "odds": "How likely the hidden tiles lie so, without solving.",
    "lead": "How often each bid makes after each lead, chosen without seeing.",
    "play": "Replay and check records of hands, trick by trick.",
    "report": "One HTML page about a hand or a survey.",
    "review": "What every play of played hands gave away, and where the contract was lost.",
    "rules": "The rules that messages name, as R6.",
    "solve": "Points, every opening lead and a best line of play of a deal.",
    "survey": "Count the bids of many hands into a run directory.",
    "table": "Rates, intervals and best calls of a run, by hand or by group.",
    "warmup": "Compile everything now, so that later runs start at once.",
}
"""Each command, in ``sim42.cli.NAME``, with its line in the list."""


class _ReaderLeftError(Exception):
    """Nobody reads stdout any more, as with ``| head -1``."""


class LazyGroup(click.Group):
    """Loads a command's module when it is called, and turns every failure into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sim42.cli.{name}").command
        _read_environment(ctx, name, command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader that has enough is kept from click, which would exit 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderLeftError from error

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str = "sim42", **extra: Any
    ) -> NoReturn:
        """Run and exit; failures say one line on stderr."""
        try:
            code = super().main(args, prog_name, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            code = _fail(error.exit_code, error.format_message())
        except click.ClickException as error:
            context = error.ctx if isinstance(error, click.UsageError) else None
            where = context.command_path if context else "sim42"
            code = _fail(error.exit_code, _one_line(f"{where}: {error.format_message()}"))
        except ConditionError as error:  # its place is shown on the lines below
            code = _fail(2, "\n".join(map(_shown, f"sim42: {error}".splitlines())))
        except Sim42Error as error:
            code = _fail(2, _one_line(f"sim42: {error}"))
        except (click.Abort, KeyboardInterrupt):
            code = _fail(INTERRUPTED, "sim42: interrupted")
        except (BrokenPipeError, _ReaderLeftError):
            _drop_stdout()  # the reader has enough
            code = 0
        except OSError as error:
            what = f"{error.filename or 'output'}: {error.strerror or error}"
            code = _fail(1, _one_line(f"sim42: {what}"))
            try:
                sys.stdout.flush()
            except OSError:
                _drop_stdout()
        sys.exit(code if isinstance(code, int) else 0)


def _drop_stdout() -> None:
    """Let go of what stdout did not take; Python says nothing when it flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _read_environment(ctx: click.Context, name: str, command: click.Command) -> None:
    """Let every option be set by a variable, as it is written: SIM42_BID_DEALS for --deals."""
    prefix = f"SIM42_{name.upper()}_"
    options = [option for option in command.params if isinstance(option, click.Option)]
    for option in options:
        written = max(option.opts, key=len).lstrip("-")
        option.envvar = prefix + written.replace("-", "_").upper()
    for variable in os.environ:
        if variable.startswith(prefix) and variable not in {option.envvar for option in options}:
            known = ", ".join(str(option.envvar).removeprefix(prefix) for option in options)
            what = f"{variable}: sim42 {name} has no such option; after {prefix} comes {known}"
            raise click.UsageError(what, ctx)


def _fail(code: int, message: str) -> int:
    click.echo(message, err=True)
    return code


def _one_line(message: str) -> str:
    """The message on one line."""
    return _shown(" ".join(message.split()))


def _shown(line: str) -> str:
    """A line without what a terminal would act on, and not longer than can be read."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line)
    return shown if len(shown) <= 1000 else f"{shown[:1000]}..."


@click.group(
    "sim42",
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
    },
)
@click.version_option(__version__, message="sim42 %(version)s")
def main() -> None:
    """What really happens in Texas 42: exact double-dummy results of millions of random deals.

    Data goes to stdout, progress and messages to stderr; - stands for stdin or stdout. Every option
    can be set in the environment: SIM42_BID_DEALS=500 for --deals of sim42 bid.
    """


def run() -> None:
    """The program itself: `main` for a process of its own, whose end waits for nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    _write_all_of_stdout()
    warnings.showwarning = _show_warning  # as one of our own lines
    try:
        _check_environment()
        main()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # Threads may compile or solve for a while yet; what they do is not wanted any more.
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        raise


def _write_all_of_stdout() -> None:
    """Write what stdout takes only a part of again; with PYTHONUNBUFFERED the rest would be lost.

    A disk that becomes full takes a part, and says that it is full when the rest is written.
    """
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        sys.stdout.detach()  # type: ignore[union-attr]
        whole = io.BufferedWriter(raw)
        sys.stdout = io.TextIOWrapper(whole, encoding, errors, line_buffering=True)


def _check_environment() -> None:
    """Refuse a number of threads that numba would answer with a traceback."""
    threads = os.environ.get("NUMBA_NUM_THREADS")
    if threads is not None and not (threads.isascii() and threads.isdigit() and int(threads)):
        sys.exit(_fail(2, _one_line(f"sim42: NUMBA_NUM_THREADS={threads}: a whole number from 1")))


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    click.echo(_one_line(f"sim42: {message}"), err=True)
