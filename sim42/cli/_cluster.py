"""Where the blocks of a survey are worked on: threads here, or a dask cluster."""

import logging
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import Any

from sim42.errors import RequestError

PATIENCE = 10
"""Seconds that a scheduler is waited for."""
_ADDRESS = re.compile(r"(?:tcp|tls|ws|wss)://[^\s/]+:(?P<port>[0-9]{1,5})")
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
    ConnectionError
        When the scheduler goes away, or several workers die of the same block.
    """
    if scheduler is None:
        yield None, threads
        return
    with _client(scheduler) as client:
        from distributed import KilledWorker
        from distributed.client import ClosedClientError
        from distributed.comm import CommClosedError

        gone = f"the scheduler {scheduler} is gone"

        def workers() -> int:
            try:
                return max(1, sum(map(int, client.nthreads().values())))
            except OSError:
                raise ConnectionError(gone) from None

        try:
            yield client.get_executor(pure=False), workers
        except KilledWorker:
            # dask gives a lost worker's block to others; here it gave up.
            raise ConnectionError(f"the cluster {scheduler} lost several workers") from None
        except (CancelledError, ClosedClientError, CommClosedError):
            raise ConnectionError(gone) from None


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster, Security
    except ImportError:
        raise RequestError("--scheduler needs dask: pip install 'sim42[cluster]'") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # their failures become one line
    kind, _, number = scheduler.partition(":")
    if kind != "local":
        address = _ADDRESS.fullmatch(scheduler)
        if not address or int(address["port"]) not in range(1, 2**16):
            raise RequestError(f"--scheduler {scheduler}: tcp://HOST:PORT, or local:N")
        if kind == "tls" and Security().get_connection_args("client")["ssl_context"] is None:
            raise RequestError(
                f"--scheduler {scheduler}: dask's configuration names no certificates for tls://"
            )
        try:
            client = Client(scheduler, timeout=PATIENCE)
        except (OSError, ValueError, RuntimeError, CancelledError):
            raise RequestError(f"--scheduler {scheduler}: no scheduler answers there") from None
        with client:
            yield client
        return
    if not number.isdecimal() or not 1 <= int(number) <= 1024:
        raise RequestError(f"--scheduler {scheduler}: local:N with N from 1 to 1024")
    with _no_interrupts():
        cluster = LocalCluster(
            n_workers=int(number),
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
    with cluster, Client(cluster) as client:
        yield client


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one, which ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
