"""``sim42 lead``: how often each bid makes after each lead of a player who sees one hand."""

import json

import click

from sim42.cli._known import Known, estimate_for, known_options
from sim42.cli._options import (
    OneTrump,
    Whole,
    read_argument,
    rules_option,
    seed_option,
    settle_seed,
    threads_option,
)
from sim42.cli._output import PICTURES, check_apart, output_options, settle_target
from sim42.cli._records import END, PlayNumber, game_at, read_games
from sim42.cli._sources import go_headless
from sim42.cli._terminal import wants_colour, write_table
from sim42.errors import RequestError
from sim42.game.rules import Rules
from sim42.game.state import Game
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump

FORMATS = ("table", "json", "jsonl", "csv", "parquet")


@click.command("lead")
@click.argument("tiles", metavar="HAND", nargs=-1)
@click.option("--trump", type=OneTrump(), help="The trump called, as fives.")
@click.option(
    "--side",
    type=click.Choice(("declare", "defend")),
    help="Of HAND: whose side leads; the declarer's when not given.",
)
@click.option("--record", metavar="FILE", help="A record in place of HAND; - is stdin.")
@click.option(
    "--at",
    "number",
    type=PlayNumber(),
    default="end",
    show_default=True,
    help="Of the record: after so many plays, as 13, or before its last ones, as end-4.",
)
@click.option(
    "--bid",
    type=Whole(30, 42),
    help="The bid to compare leads at; that of the record, else 30, when not given.",
)
@click.option(
    "--deals",
    type=Whole(1, 10_000_000),
    default=1000,
    show_default=True,
    help="Random deals of the tiles that the player cannot see.",
)
@known_options
@click.option("--chart", metavar="FILE", help="Draw it too, as .png, .svg or .pdf.")
@rules_option
@seed_option
@threads_option
@output_options(*FORMATS)
def command(
    tiles: tuple[str, ...],
    trump: Trump | None,
    side: str | None,
    record: str | None,
    number: int,
    bid: int | None,
    deals: int,
    known: Known,
    chart: str | None,
    rules: Rules,
    seed: int | None,
    threads: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """How often each bid makes after each lead of HAND, when all is seen from then on.

    HAND is seven tiles, and the deals are those of sim42 bid with the same seed. The lead is one
    tile for all of them, chosen without seeing; after it everyone sees all four hands and plays as
    well as can be. Leads are compared deal by deal. What is known of the other hands, --partner to
    --where, limits which deals are dealt.

    With --record, the plays of the seat to play at --at are compared. Of the other hands nothing is
    known but their sizes, what was played, and the suits not followed; every layout that agrees is
    as likely as any other, and when they are few all are solved. For a seat that defends the
    figures are the chances to set the bid.
    """
    target = settle_target(output, force, FORMATS, format_)
    picture_target = None if chart is None else settle_target(chart, force, PICTURES)
    if picture_target is not None:
        check_apart(picture_target, target)
    game = _game(record, number, rules, tiles, trump, side)
    hand = None if game is not None else _hand(tiles, trump, number)
    if bid is None:
        bid = min(game.contract.bid, 42) if game is not None and game.contract is not None else 30
    given = known.given(trump)
    if given is not None and game is not None:
        raise click.UsageError("--record tells what is known; --partner to --where go with HAND")
    seed = settle_seed(seed)
    known.say(given, hand, seed, deals, estimate_for(given, rules, threads))

    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._render import frame_bytes
    from sim42.cli._render_leads import lead_json, lead_text
    from sim42.runs.leads import sample_leads, sample_plays
    from sim42.solver.inside import play_values
    from sim42.tables.leads import lead_table

    compile_for(play_values)
    with show_progress(deals, "deals") as progress:
        if game is not None:
            sample = sample_plays(game, deals, seed, threads, progress)
        else:
            assert hand is not None
            sample = sample_leads(
                hand,
                deals,
                seed,
                trump,
                rules,
                threads,
                progress,
                given,
                defends=side == "defend",
            )
    table = lead_table(sample, bid)
    if picture_target is not None:
        go_headless()
        from sim42.charts import chart_lead, picture

        picture_target.write(picture(chart_lead(table), picture_target.format))
    if target.format == "table":
        write_table(target, lead_text(table, wants_colour(target)))
    elif target.format == "json":
        target.write(json.dumps(lead_json(table), indent=1) + "\n")
    else:
        target.write(frame_bytes(table, target.format))


def _hand(tiles: tuple[str, ...], trump: Trump | None, number: int) -> Hand:
    if not tiles:
        raise click.UsageError("Missing argument 'HAND', or --record.")
    if trump is None:
        raise click.UsageError("Missing option '--trump'.")
    if number != END:
        raise click.UsageError("--at goes with --record")
    return Hand(read_argument(" ".join(tiles)))


def _game(
    record: str | None,
    number: int,
    rules: Rules,
    tiles: tuple[str, ...],
    trump: Trump | None,
    side: str | None,
) -> Game | None:
    """The game of a record as it stood; None when a hand is given."""
    if record is None:
        return None
    if tiles or trump is not None or side is not None:
        raise click.UsageError("--record brings its own hand, trump and side")
    games = read_games(record, None, rules)
    if len(games) > 1:
        raise RequestError(f"{record}: {len(games)} records; give one")
    game, _, where = games[0]
    return game_at(game, number, where)
