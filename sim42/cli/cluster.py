"""Where the blocks of a survey are worked on: threads here, or a dask cluster."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from sim42.errors import RequestError

Workers = int | Callable[[], int] | None


@contextmanager
def executor_of(
    scheduler: str | None, threads: int | None
) -> Iterator[tuple[Executor | None, Workers]]:
    """An executor on a dask scheduler and how many blocks it can work on, or None for threads here.

    Parameters
    ----------
    scheduler : str or None
        ``tcp://HOST:PORT``, or ``local:N`` for N worker processes on this machine.
    threads : int or None
        Threads here; with a scheduler, the workers say how many they have.

    Raises
    ------
    RequestError
        When there is no such scheduler, or dask is not installed.
    """
    if scheduler is None:
        yield None, threads
        return
    with _client(scheduler) as client:
        # A block is not a pure function of its text to dask: every one is to be done.
        yield client.get_executor(pure=False), lambda: max(1, sum(client.nthreads().values()))


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise RequestError("--scheduler needs dask: pip install 'sim42[cluster]'") from None
    kind, _, number = scheduler.partition(":")
    if kind != "local":
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError):
            raise RequestError(f"--scheduler {scheduler}: no scheduler answers there") from None
        with client:
            yield client
        return
    if not number.isdecimal() or not 1 <= int(number) <= 1024:
        raise RequestError(f"--scheduler {scheduler}: local:N with N from 1 to 1024")
    with (
        LocalCluster(
            n_workers=int(number), threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
