"""``sim42 play``: replays records of hands by the rules."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from sim42.cli.options import rules_option
from sim42.cli.output import output_options, settle_target, write_whole
from sim42.errors import RequestError, at
from sim42.game import Game
from sim42.notation import Record, format_record, read_records
from sim42.rules import Rules
from sim42.tiles import Deal

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
    results.
    """
    chosen_format = settle_target(output, force, FORMATS, format_)
    given = Deal(deal) if deal is not None else None
    with at("stdin" if source == "-" else source):
        games = list(_games(_lines(source), given, rules))
        if not games:
            raise RequestError('no records; one a line, as {"deal": ..., "shaker": 0}')
    if chosen_format == "jsonl":
        write_whole(output, "".join(format_record(game.record()) + "\n" for game in games))
    else:
        write_whole(output, "\n".join(f"{game}\n" for game in games))


def _lines(source: str) -> Iterable[bytes]:
    if source == "-":
        return sys.stdin.buffer
    try:
        return Path(source).read_bytes().splitlines()
    except (FileNotFoundError, IsADirectoryError, ValueError):
        raise RequestError("there is no such file") from None


def _games(lines: Iterable[bytes], deal: Deal | None, rules: Rules) -> Iterator[Game]:
    for number, record in read_records(lines):
        with at(f"line {number}"):
            game = Game.from_record(_with_deal(record, deal), rules)
        yield game


def _with_deal(record: Record, deal: Deal | None) -> Record:
    if record.deal is not None and deal is not None and record.deal != deal:
        raise RequestError("deal: not that of --deal")
    return replace(record, deal=record.deal or deal)
