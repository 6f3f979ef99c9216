"""``sim42 play``: replays records of hands by the rules."""

from dataclasses import replace

import click

from sim42.cli._options import rules_option
from sim42.cli._output import output_options, settle_target
from sim42.cli._records import read_games
from sim42.game.records import Result, format_record
from sim42.game.rules import Rules
from sim42.game.state import Game
from sim42.game.tiles import Deal

FORMATS = ("table", "jsonl")


@click.command("play")
@click.option(
    "--record", "source", metavar="FILE", required=True, help="Records, one a line; - is stdin."
)
@click.option("--deal", metavar="DEAL", help="The deal of records that name none.")
@rules_option
@output_options(*FORMATS)
def command(
    source: str,
    deal: str | None,
    rules: Rules,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Replay records of hands, check every bid and play, and print them trick by trick.

    A record is a line of JSON with deal, shaker, bids, trump and plays; it may break off anywhere.
    --rules are those of records that name none. --format jsonl prints the records with their
    rules and results.
    """
    target = settle_target(output, force, FORMATS, format_)
    given = Deal(deal) if deal is not None else None
    games = read_games(source, given, rules)
    if target.format == "jsonl":
        records = (replace(game.record(), result=game.result or told) for game, told, _ in games)
        target.write("".join(format_record(record) + "\n" for record in records))
    else:
        target.write("\n".join(_text(game, told) for game, told, _ in games))


def _text(game: Game, told: Result | None) -> str:
    return f"{game}\n" if game.result or not told else f"{game}\nThe record says: {told}.\n"
