"""Progress on stderr: a bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def show_progress(total: int, unit: str) -> Iterator[Callable[[int, int], object]]:
    """Give a callable that takes how many are done, and of how many."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=f" {unit}", leave=False, file=sys.stderr) as bar:
        yield lambda done, total: bar.update(done - bar.n)


def say_if_compiling() -> None:
    """Say on stderr that the first run compiles, when it does."""
    from sim42.solver.kernels._jit import is_compiled

    if not is_compiled():
        click.echo("compiling the solver, once; sim42 warmup does it beforehand", err=True)
