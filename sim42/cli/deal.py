"""``sim42 deal``: random deals, a line each."""

import csv
import io
import json

import click

from sim42.cli._options import Whole, read_argument, seed_option, settle_seed
from sim42.cli._output import output_options, settle_target
from sim42.game.tiles import Deal, Hand

FORMATS = ("table", "csv", "json", "jsonl")


@click.command("deal")
@click.option(
    "-n",
    "--number",
    type=Whole(1, 10_000_000),
    default=1,
    show_default=True,
    help="How many deals.",
)
@click.option("--hand", metavar="HAND", help="Tiles of seat 0; the rest is dealt at random.")
@click.option(
    "--start",
    type=Whole(0, 2**62),
    default=0,
    show_default=True,
    help="Index of the first deal of the seed.",
)
@seed_option
@output_options(*FORMATS)
def command(
    number: int,
    hand: str | None,
    start: int,
    seed: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Print random deals, a line each, as ``sim42 solve`` reads them: seats 0 to 3 with / between.

    Deal i of a seed is the same everywhere; those of --hand HAND are the deals of sim42 bid.
    """
    known = Hand(read_argument(hand)).mask if hand is not None else 0
    target = settle_target(output, force, FORMATS, format_)
    seed = settle_seed(seed)

    from sim42.deals.random import random_deals

    masks = random_deals(number, seed, (known, 0, 0, 0), start).tolist()
    deals = [str(Deal(row)) for row in masks]
    target.write(_format(deals, seed, start, target.format))


def _format(deals: list[str], seed: int, start: int, format_: str) -> str:
    if format_ == "table":
        return "".join(f"{deal}\n" for deal in deals)
    rows = [{"seed": seed, "index": start + i, "deal": deal} for i, deal in enumerate(deals)]
    if format_ == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows)
    if format_ == "json":
        return json.dumps(rows, indent=1) + "\n"
    text = io.StringIO()
    writer = csv.DictWriter(text, ["seed", "index", "deal"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
