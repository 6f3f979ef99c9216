"""``sim42 warmup``: compile everything now."""

from time import perf_counter

import click


@click.command("warmup")
def command() -> None:
    """Compile everything now, so that later runs start at once."""
    begin = perf_counter()
    from sim42.solver.kernels import _jit
    from sim42.solver.values import warm_up

    warm_up()
    click.echo(f"compiled in {perf_counter() - begin:.1f} s; cache: {_jit.cache_state()}")
