"""How commands work in a run directory, and what they do when they are ended before the end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from sim42.runs.matches import Arena
from sim42.runs.store import Run, go_on, is_run
from sim42.runs.study import Study


@contextmanager
def working_in(run: str, command: str) -> Iterator[None]:
    """Exit with a line that says why and, where something was begun, how to go on.

    Parameters
    ----------
    run : str
        The directory.
    command : str
        What begins such runs (`sim42.runs.store.go_on`).
    """
    try:
        with _term_is_interrupt():
            yield
    except KeyboardInterrupt:
        _end(130, run, command, "interrupted")
    except OSError as error:
        _end(1, run, command, f"{error.filename or run}: {error.strerror or error}")


@contextmanager
def at_work(path: str, question: Study | Arena, opened: Run | None, extend: bool) -> Iterator[Run]:
    """The run that answers a question, locked: begun, gone on with, or extended.

    Parameters
    ----------
    path : str
        The directory.
    question : Study or Arena
        What is asked.
    opened : Run or None
        The run that is there already.
    extend : bool
        Whether it is to be asked for more.
    """
    with opened.locked() if opened else Run.begin(path, question) as run:
        if extend:
            run.extend(question)
        run.expect(question)  # another process may have been here since it was opened
        yield run


def _end(code: int, run: str, command: str, reason: str) -> NoReturn:
    again = go_on(run, command)
    kept = f"; what is finished is kept; go on with: {again}" if is_run(run) else ""
    click.echo(f"sim42 {command.split()[0]}: {reason}{kept}", err=True)
    raise click.exceptions.Exit(code) from None


@contextmanager
def _term_is_interrupt() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
