"""``sim42 warmup``: compile everything now."""

from time import perf_counter

import click


@click.command("warmup")
def command() -> None:
    """Compile everything now, so that later runs start at once."""
    from sim42.cli._progress import compile_for
    from sim42.solver.kernels import _jit

    begin = perf_counter()
    compile_for()
    click.echo(f"ready in {perf_counter() - begin:.1f} s; cache: {_jit.cache_state()}")
