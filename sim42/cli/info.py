"""``sim42 info``: what a report of a fault should hold."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

import click

from sim42 import __version__

LIBRARIES = ("numba", "numpy", "pandas", "pyarrow", "matplotlib", "click", "distributed")


@click.command("info")
def command() -> None:
    """Versions, cores, threads, and the folder that keeps compiled code."""
    from sim42.solver.kernels import _jit

    facts = {
        "sim42": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        **{name: _version(name) for name in LIBRARIES},
        "system": platform.platform(),
        "cores": str(os.cpu_count()),
        "threads": f"{_jit.config.NUMBA_NUM_THREADS} unless --threads says otherwise",
        "compiler": "off (NUMBA_DISABLE_JIT)" if _jit.config.DISABLE_JIT else "on",
        "compiled": _compiled(),
        "cache": _jit.cache_state(),
    }
    for name, value in facts.items():
        click.echo(f"{name:12}{value}")


def _compiled() -> str:
    """What earlier runs left compiled: of values of deals, one deal in detail, and positions."""
    from sim42.solver.inside import makes_many, play_values, solve_many_positions
    from sim42.solver.values import is_compiled, solve, solve_many

    inside = (makes_many, play_values, solve_many_positions)
    parts = {
        "values": is_compiled(solve_many),
        "plays and lines": is_compiled(solve),
        "positions": all(is_compiled(function) for function in inside),
    }
    return ", ".join(f"{part}: {'yes' if done else 'not yet'}" for part, done in parts.items())


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
