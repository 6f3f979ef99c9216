"""Progress on stderr: a bar on a terminal, nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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


def compile_for(*functions: Callable[..., Any]) -> None:
    """Compile what these functions of `sim42.solver.values` lack, or all do, and say so on stderr.

    Said before, not after: it takes a while. Ctrl-C ends it at once.
    """
    _import_numba_alone()
    from sim42.solver.kernels import _cache, _jit
    from sim42.solver.values import warm_up

    why = ", once; sim42 warmup does it beforehand" if functions else ""
    if _jit.CACHE_FOLDER is None:
        why = ", as in every run: there is no folder to keep it in"
    said = False

    def say(damaged: bool) -> None:
        nonlocal said
        if not said:
            reason = " again: its compiled code was damaged" if damaged else why
            click.echo(f"compiling the solver{reason}", err=True)
        said = True

    with _cache.on_compile(say):
        warm_up(*functions)


def _import_numba_alone() -> None:
    """Import numba without the linear algebra of scipy, which it looks for and we never compile.

    That takes longer than to import and load the solver. Other programs, which may want it, are
    left alone: this is for commands.
    """
    name = "scipy.linalg"
    if name in sys.modules:
        return
    sys.modules[name] = None  # type: ignore[assignment]  # not there, for those who ask now
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[name]
