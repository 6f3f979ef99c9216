"""``sim42 arena``: players against each other, on the same deals."""

import json
import re
from contextlib import ExitStack
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from sim42.cli._options import (
    OneTrump,
    RulesChoice,
    Whole,
    check_going_on,
    refuse_idle,
    scheduler_option,
    settle_seed,
    threads_option,
)
from sim42.cli._output import check_apart, output_options, settle_target
from sim42.errors import NotationError, RequestError
from sim42.game.records import parse_bid
from sim42.game.rules import MARK_BIDS, PASS, PRESETS

if TYPE_CHECKING:
    from sim42.runs.matches import Arena
    from sim42.runs.store import Run

FORMATS = ("table", "json", "csv", "parquet")


class _Trump(OneTrump):
    """A trump, or how the declarer chooses it."""

    def convert(self, value, param, ctx):  # type: ignore[no-untyped-def]
        from sim42.runs.matches import TRUMP_CHOICES

        return value if value in TRUMP_CHOICES else str(super().convert(value, param, ctx))


class _Bid(click.ParamType[int]):
    """A bid of 30 to 210."""

    name = "bid"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        try:
            bid = value if isinstance(value, int) else parse_bid(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)
        if bid == PASS or bid > MARK_BIDS[1]:
            self.fail(f"{value!r}: the declarer bids 30 to 42, or 84", param, ctx)
        return bid


@click.command("arena")
@click.argument("names", metavar="PLAYER PLAYER ...", nargs=-1)
@click.option("--deals", type=Whole(1, 1_000_000), help="Deals for each pair; 1000 if not given.")
@click.option("--bid", type=_Bid(), help="The contract; 30 if not given.")
@click.option(
    "--trump",
    type=_Trump(),
    help="What the declarer names: a trump; longest, its longest suit, if not given; best, the one"
    " that makes the bid most often in some deals around its hand, double dummy; call, trump and"
    " bid as sim42 bid recommends them, or a pass.",
)
@click.option(
    "--seed", type=Whole(0, 2**64 - 1), help="Seed of deals and players; drawn when not given."
)
@click.option(
    "--rules",
    type=RulesChoice(),
    metavar="NAME|FILE",
    help=f"Rules: {', '.join(PRESETS)}, or a TOML file; tournament if not given.",
)
@click.option(
    "--run",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep the games in this directory, as a run that can be gone on with.",
)
@click.option("--resume", is_flag=True, help="Go on with the run that DIR holds, and show it.")
@click.option("--extend", is_flag=True, help="Go on, with more --deals or more players at the end.")
@threads_option
@scheduler_option
@click.option(
    "--infer",
    type=click.Choice(["bids"]),
    help="Let all who draw layouts draw them by how well each hand fits its own bid: as if +bids"
    " stood at the end of their names.",
)
@click.option("--record", metavar="FILE", help="Write every hand too, as sim42 play reads them.")
@output_options(*FORMATS)
def command(
    names: tuple[str, ...],
    run: str | None,
    resume: bool,
    extend: bool,
    threads: int | None,
    scheduler: str | None,
    infer: str | None,
    record: str | None,
    format_: str | None,
    output: str | None,
    force: bool,
    **question: Any,
) -> None:
    """Let players who see only their own hand play the same deals against each other.

    PLAYER is random, club (rules of thumb), pimc:N (solves N layouts that fit what the seat knows,
    for each decision), alphamu:N,M (plans M plays of its own for N layouts at once), either of them
    with +bids (see --infer), double-dummy (sees all four hands), or module:name, a Python player of
    your own. Each plays both seats of its side; every deal is played with one declaring and the
    other defending, and then the reverse. Of more than two, all meet all.
    """
    check_going_on(resume, extend, scheduler)
    if (resume or extend) and run is None:
        raise click.UsageError("--resume and --extend go with --run DIR")
    target = settle_target(output, force, FORMATS, format_)
    records = None if record is None else settle_target(record, force, ("jsonl",), "jsonl")
    if records is not None:
        check_apart(records, target)
    if infer is not None:
        names = _inferring(names)
    arena, opened = _asked(run, {**question, "players": names or None}, resume, extend)

    from sim42.cli._cluster import executor_of
    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._render import frame_bytes
    from sim42.cli._render import records as rows_of
    from sim42.cli._render_arena import arena_text, game_records
    from sim42.cli._runs import at_work, working_in
    from sim42.play.arena import play_deals
    from sim42.runs.execute import fill
    from sim42.runs.frames import load_games
    from sim42.runs.store import ARENA
    from sim42.tables.arena import contracts_of, match_table

    with ExitStack() as stack:
        if run is None:
            run = stack.enter_context(TemporaryDirectory()) + "/arena"
        else:
            stack.enter_context(working_in(run, ARENA))
        executor, workers = stack.enter_context(executor_of(scheduler, threads))
        compile_for(play_deals)
        with at_work(run, arena, opened, extend) as begun:
            contracts = contracts_of(arena, threads)
            with show_progress(len(arena) * arena.deals, "deals") as progress:
                fill(begun, executor, threads=workers, progress=progress, contracts=contracts)
            games = load_games(run)
    if games.empty:
        raise RequestError(f"nobody bids in {arena.deals:,} deals, so nothing was played")
    table = match_table(games)
    if records is not None:
        records.write(game_records(games))
    if target.format == "table":
        target.write(arena_text(table, arena))
    elif target.format == "json":
        facts = {**arena.as_dict(), "matches": rows_of(table)}
        target.write(json.dumps(facts, indent=1) + "\n")
    else:
        target.write(frame_bytes(table, target.format))


def _inferring(names: tuple[str, ...]) -> tuple[str, ...]:
    """The players, those who draw layouts by the bids."""
    drawing = [name for name in names if re.match(r"(pimc|alphamu):[^+]*$", name)]
    if not drawing:
        raise click.UsageError("--infer goes with players who draw layouts, as pimc:20")
    return tuple(f"{name}+bids" if name in drawing else name for name in names)


def _asked(
    path: str | None, question: dict[str, Any], resume: bool, extend: bool
) -> "tuple[Arena, Run | None]":
    """The question that the options ask, and the run that is gone on with or extended."""
    from sim42.runs.matches import Arena
    from sim42.runs.store import Run, is_run

    asked = {name: value for name, value in question.items() if value is not None}
    if resume or extend:
        run = Run.open(str(path))
        arena = replace(run.arena, **asked)
        run.expect(arena, more=extend)
        return arena, run
    if path is not None and is_run(path):
        raise RequestError(f"{path}: holds a run; --resume goes on with it, --extend asks for more")
    if asked.get("trump") == "call":
        refuse_idle("goes with a trump that is not called: --trump call chooses its bid", "bid")
        asked["bid"] = None
    arena = Arena(**{"players": (), "seed": 0, **asked})  # refused before a seed is drawn
    return replace(arena, seed=settle_seed(asked.get("seed"))), None
