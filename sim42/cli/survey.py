"""``sim42 survey``: many hands, into a run directory that can be cut, gone on with and extended."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from sim42.cli._known import Known, estimate_for, known_options, only
from sim42.cli._options import (
    RulesChoice,
    TrumpList,
    Whole,
    check_going_on,
    read_lines,
    scheduler_option,
    settle_seed,
    threads_option,
)
from sim42.cli._playing import playing_options
from sim42.errors import NotationError, RequestError, TileError
from sim42.game.rules import PRESETS
from sim42.game.tiles import HANDS, Hand

if TYPE_CHECKING:
    from sim42.runs.playing import Playing
    from sim42.runs.store import Run
    from sim42.runs.study import Study


class Trumps(TrumpList):
    """A list of trumps, ``all``, or ``plausible``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == "plausible" else super().convert(value, param, ctx)


class Floor(Whole):
    """A bid, or 0 for all points."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return 0 if value in (0, "0") else super().convert(value, param, ctx)


@click.command("survey")
@click.argument("run", metavar="RUN", type=click.Path(file_okay=False))
@click.option("--hands", type=Whole(1, HANDS), help="So many random hands, all different.")
@click.option("--hands-file", metavar="FILE", help="The hands of a file, one a line; - is stdin.")
@click.option("--all", "all_", is_flag=True, help="All 1,184,040 hands, or a part of them.")
@click.option("--from", "from_", type=Whole(0, HANDS - 1), help="With --all: number of the first.")
@click.option("--to", type=Whole(1, HANDS), help="With --all: number after the last.")
@click.option("--deals", type=Whole(1, 10**9), help="Deals around each hand; 100 if not given.")
@click.option(
    "--trumps",
    type=Trumps(),
    help="Trumps to try, as fives,doubles; all if not given; plausible for those of which the hand"
    " holds two tiles or more, and doubles and follow-me with two doubles or more.",
)
@click.option(
    "--floor",
    type=Floor(30, 42),
    help="Lowest bid that matters, 30 if not given; higher is faster. 0 counts all points, for"
    " means: two to three times slower.",
)
@click.option(
    "--seed", type=Whole(0, 2**64 - 1), help="Seed of hands and deals; drawn when not given."
)
@click.option(
    "--rules",
    type=RulesChoice(),
    metavar="NAME|FILE",
    help=f"Rules: {', '.join(PRESETS)}, or a TOML file; tournament if not given.",
)
@known_options
@playing_options
@click.option("--resume", is_flag=True, help="Go on with the run that RUN holds.")
@click.option("--extend", is_flag=True, help="Go on, with more --deals a hand or more hands.")
@threads_option
@click.option("--block", type=Whole(1, HANDS), help="Hands a block; changes no count.")
@scheduler_option
def command(
    run: str,
    known: Known,
    playing: "Playing | None",
    resume: bool,
    extend: bool,
    threads: int | None,
    block: int | None,
    scheduler: str | None,
    **question: Any,
) -> None:
    """Count how often each bid makes, for many hands and every trump, in the directory RUN.

    Counts are kept there block by block, so that a run that was cut goes on with --resume and loses
    the blocks in work at most. sim42 table RUN shows what came out. With --play the same deals are
    also played by players who see only their own hand, each bid as a game of its own, with the
    trump that makes the lowest of the bids most often in the first 50 deals of the hand.
    """
    check_going_on(resume, extend, scheduler)
    trumps = question["trumps"]
    question["given"] = known.given(only(trumps) if isinstance(trumps, tuple) else None)
    question["playing"] = playing
    study, opened = _asked(run, question, resume, extend)
    if study.known is not None:
        first = Hand(int(study.masks(0, 1)[0]))
        click.echo(f"around the first hand, {first}:", err=True)
        estimate = estimate_for(study.known, study.rules, threads)
        known.say(study.known, first, study.seed, study.deals, estimate)

    from sim42.cli._cluster import executor_of
    from sim42.cli._progress import compile_for
    from sim42.cli._runs import at_work, working_in
    from sim42.play.arena import play_deals
    from sim42.runs.execute import fill
    from sim42.runs.store import SURVEY
    from sim42.solver.values import solve_many

    with (
        working_in(run, SURVEY),
        executor_of(scheduler, threads) as (executor, workers),
    ):
        if scheduler is None or scheduler.startswith("local:"):
            # before work begins; processes here find it in the cache
            compile_for(solve_many, *([] if study.played is None else [play_deals]))
        with at_work(run, study, opened, extend) as begun, _progress(begun) as progress:
            fill(begun, executor, threads=workers, block=block, progress=progress)


def _asked(
    path: str, question: dict[str, Any], resume: bool, extend: bool
) -> "tuple[Study, Run | None]":
    """The study that the options ask for, and the run that is gone on with or extended."""
    from sim42.runs.store import Run, is_run

    if not is_run(path) and not (resume or extend):
        return _study(None, question), None
    run = Run.open(path)
    if not (resume or extend):
        raise RequestError(f"{path}: holds a run; --resume goes on with it, --extend asks for more")
    study = _study(run.study, question)
    run.expect(study, more=extend)
    return study, run


def _study(known: "Study | None", question: dict[str, Any]) -> "Study":
    """The study that the options ask for; what they leave out is as it was in the run."""
    from sim42.runs.study import Study

    names = ("hands", "deals", "trumps", "floor", "seed", "rules", "given", "playing")
    asked = {**question, "hands": _hands(question)}
    asked = {name: asked[name] for name in names if asked[name] is not None}
    if known is not None:
        return Study(**{**{name: getattr(known, name) for name in names}, **asked})
    if "hands" not in asked:
        raise click.UsageError("which hands? --hands N, --hands-file FILE or --all")
    study = Study(**{"seed": 0, **asked})  # refused before a seed is drawn
    return replace(study, seed=settle_seed(asked.get("seed")))


def _hands(question: dict[str, Any]) -> int | range | list[Hand] | None:
    number, file, all_ = question["hands"], question["hands_file"], question["all_"]
    from_, to = question["from_"], question["to"]
    if (number is not None) + (file is not None) + all_ > 1:
        raise click.UsageError("one of --hands, --hands-file and --all")
    if not all_ and (from_ is not None or to is not None):
        raise click.UsageError("--from and --to go with --all")
    if from_ is not None and to is not None and from_ >= to:
        raise click.UsageError(f"--from {from_} is not below --to {to}")
    if all_:
        return range(from_ or 0, HANDS if to is None else to)
    return number if file is None else _read_hands(file)


def _read_hands(file: str) -> list[Hand]:
    hands: dict[Hand, int] = {}
    name = "stdin" if file == "-" else file
    for number, line in read_lines(file):
        try:
            hand = Hand(line)
        except (NotationError, TileError) as error:
            raise type(error)(f"{name}, line {number}: {error}") from None
        if (first := hands.setdefault(hand, number)) < number:
            raise RequestError(f"{name}, line {number}: the hand of line {first} again")
    if not hands:
        raise RequestError(f"{name}: no hands; one a line, as 6-4 5-5 4-2 3-1 2-0 1-1 0-0")
    return list(hands)


@contextmanager
def _progress(run: "Run") -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal: hands done, deals a second, time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    def show(done: int, asked: int) -> None:
        bar.total = asked
        bar.set_postfix_str(f"{done // run.study.deals} of {len(run.study)} hands", refresh=False)
        bar.update(done - bar.n)

    with tqdm(initial=run.done(), unit=" deals", leave=False, file=sys.stderr) as bar:
        yield show
