"""Progress on stderr: a bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def show_progress(total: int, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a callable that takes how many more are done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=f" {unit}", leave=False, file=sys.stderr) as bar:
        yield bar.update


def say_if_compiling() -> None:
    """Say on stderr that the first run compiles, when it does."""
    from sim42.solver import is_compiled

    if not is_compiled():
        click.echo("compiling the solver, once; sim42 warmup does it beforehand", err=True)
