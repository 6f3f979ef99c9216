"""Blocks of work in threads: in turn, with progress, and stopped soon when that is wanted."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import accumulate

import numpy as np
from numba.core import config

from sim42.errors import RequestError, check_kind, shown

Progress = Callable[[int, int], object]
"""Called with what is done and how much there is."""


def thread_count(threads: int | None) -> int:
    """How many threads to use: those asked for, or as many as numba would.

    Raises
    ------
    RequestError
        When it is no number of threads.
    """
    if threads is None:
        return int(config.NUMBA_NUM_THREADS)
    if not is_whole(threads) or threads < 1:
        raise RequestError(f"threads {shown(threads)}: not a whole number from 1 up")
    return int(threads)


def is_whole(number: object) -> bool:
    """Whether this is a whole number, and not a truth value."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def run_blocks(
    run: Callable[[slice], object],
    count: int,
    block: int,
    threads: int,
    progress: bool | Progress | None = None,
    unit: str = "deal",
) -> None:
    """Call `run` with slices of `block` that cover `count`, several at a time.

    Blocks do not depend on the threads, so nor do results. After Ctrl-C, or a progress function
    that raises, only blocks that run already are waited for.
    """

    def work(start: int) -> int:
        part = slice(start, min(start + block, count))
        run(part)
        return part.stop - part.start

    starts = range(0, count, block)
    with reporter(progress, count, unit) as report, ThreadPoolExecutor(threads) as pool:
        try:
            for done in accumulate(_in_turn(pool, work, starts, 2 * threads)):
                report(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_turn(
    pool: ThreadPoolExecutor, run: Callable[[int], int], starts: Iterable[int], ahead: int
) -> Iterator[int]:
    """Results of `run` in the order of `starts`, with a few blocks handed out in advance."""
    waiting: deque[Future[int]] = deque()
    for start in starts:
        waiting.append(pool.submit(run, start))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    for future in waiting:
        yield future.result()


@contextmanager
def reporter(
    progress: bool | Progress | None, total: int, unit: str = "deal"
) -> Iterator[Callable[[int], object]]:
    """A function to call with the number done so far; a bar only where one is asked for."""
    if not callable(progress):
        check_kind(progress, "progress", (bool, type(None)), "a function, True for a bar, or None")
    if callable(progress):
        yield lambda done: progress(done, total)
    elif progress:
        from tqdm.auto import tqdm

        with tqdm(total=total, unit=unit) as bar:
            yield lambda done: bar.update(done - bar.n)
    else:
        yield lambda _: None
