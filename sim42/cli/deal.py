"""``sim42 deal``: random deals, a line each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import Final

import click

from sim42.cli._options import Whole, read_argument, seed_option, settle_seed
from sim42.cli._output import output_options, settle_target
from sim42.game.tiles import Deal, Hand

FORMATS = ("table", "csv", "json", "jsonl")
PIECE: Final = 1000
"""Deals dealt and written at once."""
_FRAMES: Final = {"csv": ("seed,index,deal\n", ""), "json": ("[", "\n]\n")}
"""What is written before and after the deals."""


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

    target.write(_Listing(number, known, start, seed, target.format))


@dataclass(frozen=True)
class _Listing:
    """The deals as text, in pieces that are made when they are asked for."""

    number: int
    known: int
    start: int
    seed: int
    format: str

    def __iter__(self) -> Iterator[str]:
        from sim42.deals.random import random_deals

        head, end = _FRAMES.get(self.format, ("", ""))
        yield head
        stop = self.start + self.number
        for first in range(self.start, stop, PIECE):
            count = min(PIECE, stop - first)
            rows = random_deals(count, self.seed, (self.known, 0, 0, 0), first).tolist()
            yield "".join(self._line(first + i, str(Deal(row))) for i, row in enumerate(rows))
        yield end

    def _line(self, index: int, deal: str) -> str:
        if self.format == "table":
            return f"{deal}\n"
        if self.format == "csv":
            return f"{self.seed},{index},{deal}\n"
        row = {"seed": self.seed, "index": index, "deal": deal}
        if self.format == "jsonl":
            return f"{json.dumps(row)}\n"
        return "," * (index > self.start) + indent(f"\n{json.dumps(row, indent=1)}", " ")
