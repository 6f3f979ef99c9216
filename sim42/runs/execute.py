"""Carry out a study: its blocks go to an executor, their counts to a run directory."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final

import pandas as pd

from sim42.deals.random import random_deals
from sim42.errors import RequestError, shown, whole
from sim42.game.tiles import HANDS
from sim42.game.trumps import Trump
from sim42.runs.blocks import Block, Counts, block_of, count_block
from sim42.runs.frames import load_run
from sim42.runs.matches import Contracts, GameBlock, Games, play_block
from sim42.runs.store import Run, is_run
from sim42.runs.study import Study
from sim42.solver.threads import Progress, reporter, thread_count

Task = Callable[[Event | None], Counts | Games]
"""The work of a block: called with a sign to stop, or None where nobody could give one."""
GAME: Final = 30
"""A deal played takes as long as so many solved."""
SOLVES: Final = (30_000, 500_000)
"""Least and most solves of a block that is cut by default: some seconds of work, or a minute."""
GAMES: Final = (200, 5_000)
"""The same of games of players, whose time differs more."""
BLOCKS: Final = 2_000
"""Blocks that a run is cut in by default, within those limits."""


def run_study(
    study: Study,
    executor: Executor | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    threads: int | None = None,
    block: int | None = None,
    progress: bool | Progress | None = None,
) -> pd.DataFrame:
    """Count a study, and keep the counts in a run directory if one is named.

    Parameters
    ----------
    study : Study
        The question.
    executor : concurrent.futures.Executor, optional
        What does the work; else a pool of `threads`. For a dask cluster: `client.get_executor()`.
    path : str or path, optional
        The run directory; when it holds a run, that is gone on with.
    threads : int, optional
        How many blocks are in work at once, by default one a core.
    block : int, optional
        Hands a block. It changes nothing in the counts.
    progress : bool or callable, optional
        Whether to show a bar, or a function called with the deals done and the deals asked for,
        over all hands, at the start and after each block.

    Returns
    -------
    DataFrame
        As `load_run` gives it.

    Raises
    ------
    RunError
        When the directory holds another run or something else, or another process is at work in
        it.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1, trumps=["sixes"])
    >>> run_study(study)[["even_42", "odd_42"]].to_numpy().tolist()  # it never loses a trick
    [[5, 5]]
    """
    if not isinstance(study, Study):
        raise RequestError(f"study {shown(study)}: not a Study")
    _settle(executor, threads, block)  # refused before a run is begun
    if path is None:
        with TemporaryDirectory() as folder:
            return run_study(
                study, executor, folder, threads=threads, block=block, progress=progress
            )
    with Run.open(path).locked() if is_run(path) else Run.begin(path, study) as run:
        run.expect(study)
        fill(run, executor, threads=threads, block=block, progress=progress)
        return load_run(path)


def fill(
    run: Run,
    executor: Executor | None = None,
    *,
    threads: int | Callable[[], int] | None = None,
    block: int | None = None,
    progress: bool | Progress | None = None,
    contracts: Contracts | None = None,
) -> None:
    """Do what a run lacks; it takes the memory of a few blocks.

    When an exception ends it, KeyboardInterrupt included, threads finish the hand in work, and all
    finished hands are kept.

    Parameters
    ----------
    run : Run
        The run, open.
    executor, threads, block, progress
        As in `run_study`; `threads` may be a function, for a cluster that grows.
    contracts : callable, optional
        Of an arena, what the declarers call; it is asked for deals that are not played yet.
    """
    workers, block = _settle(executor, threads, block)
    with run.locked():
        todo = tasks(run, block) if contracts is None else game_tasks(run, contracts)
        if executor is not None:
            _work(run, executor, workers, todo, progress)
            return
        with ThreadPoolExecutor(workers()) as pool:
            _work(run, pool, workers, todo, progress)


def _settle(
    executor: object, threads: int | Callable[[], int] | None, block: int | None
) -> tuple[Callable[[], int], int | None]:
    """How many workers there are, as a function, and the hands a block.

    Raises
    ------
    RequestError
        When one of them cannot be.
    """
    if executor is not None and not isinstance(executor, Executor):
        raise RequestError(f"executor {shown(executor)}: not one as of concurrent.futures")
    if block is not None:
        block = whole(block, "block", 1, HANDS)
    if callable(threads):
        return threads, block
    number = thread_count(threads)
    return lambda: number, block


def blocks(run: Run, hands: int | None = None) -> Iterator[Block]:
    """What a run lacks, cut in blocks of so many hands, or of a reasonable size."""
    study = run.study
    trumps = len(Trump) if study.trumps == "plausible" else len(study.trumps)
    trumps += GAME * len(study.bids)
    least, most = SOLVES
    solves = min(max(len(study) * study.deals * trumps // BLOCKS, least), most)
    deals_step = max(1, solves // trumps)
    for lacking, deals in list(run.missing()):
        for start in deals[::deals_step]:
            part = range(start, min(start + deals_step, deals.stop))
            step = hands or max(1, solves // (len(part) * trumps))
            for first in lacking[::step]:
                yield block_of(study, range(first, min(first + step, lacking.stop)), part)


def tasks(run: Run, hands: int | None) -> Iterator[Task]:
    """The `blocks` of a survey, each with what does it."""
    return (partial(count_block, block) for block in blocks(run, hands))


def game_tasks(run: Run, contracts: Contracts) -> Iterator[Task]:
    """What an arena lacks, cut in blocks of a reasonable size."""
    arena = run.arena
    least, most = GAMES
    games = min(max(2 * len(arena) * arena.deals // BLOCKS, least), most)
    for pairs, deals in list(run.missing()):
        step = max(1, games // (2 * len(pairs)))
        for start in deals[::step]:
            part = range(start, min(start + step, deals.stop))
            called = contracts(random_deals(len(part), arena.seed, start=start))
            yield partial(play_block, GameBlock(arena, pairs, part, *called))


def _work(
    run: Run,
    executor: Executor,
    workers: Callable[[], int],
    todo: Iterator[Task],
    progress: bool | Progress | None,
) -> None:
    stop = Event() if isinstance(executor, ThreadPoolExecutor) else None
    in_work: set[Future[Counts | Games]] = set()
    with reporter(progress, len(run.question) * run.question.deals) as report:
        try:
            report(run.done())
            while True:
                while len(in_work) < 2 * workers() and (task := next(todo, None)) is not None:
                    in_work.add(executor.submit(task, stop))
                if not in_work:
                    return
                # Some systems see Ctrl-C only between two waits.
                for future in wait(in_work, timeout=1, return_when=FIRST_COMPLETED).done:
                    in_work.remove(future)
                    run.add(future.result())
                    report(run.done())
        except BaseException:
            running = [future for future in in_work if not future.cancel()]
            if stop is not None:
                stop.set()
                with suppress(Exception):  # what ended the work is told, not what follows from it
                    for future in running:
                        run.add(future.result())
            raise
