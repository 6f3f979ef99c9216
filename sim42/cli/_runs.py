"""What commands that work in a run directory do when they are ended before the end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from sim42.runs.store import go_on, is_run


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
