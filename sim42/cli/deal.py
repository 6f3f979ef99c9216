"""``sim42 deal``: random deals, a line each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Final

import click

from sim42.cli._known import Known, estimate_for, known_options, meant_trump_option
from sim42.cli._options import Whole, read_argument, seed_option, settle_seed
from sim42.cli._output import output_options, settle_target
from sim42.game.tiles import HAND_SIZE, Hand, format_tiles
from sim42.game.trumps import Trump

if TYPE_CHECKING:
    from sim42.deals.conditions.values import Estimate
    from sim42.deals.given import Given

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
    "--tiles",
    type=Whole(1, 7),
    default=7,
    show_default=True,
    help="Tiles of each hand: fewer for random endings.",
)
@click.option(
    "--start",
    type=Whole(0, 2**62),
    default=0,
    show_default=True,
    help="Index of the first deal of the seed.",
)
@meant_trump_option
@known_options
@seed_option
@output_options(*FORMATS)
def command(
    number: int,
    hand: str | None,
    tiles: int,
    start: int,
    trump: Trump | None,
    known: Known,
    seed: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Print random deals, a line each, as ``sim42 solve`` reads them: seats 0 to 3 with / between.

    Deal i of a seed is the same everywhere; those of --hand HAND are the deals of sim42 bid. With
    --partner to --where only deals are dealt that are so. With --tiles they are random endings, all
    equally likely: the other tiles are gone.
    """
    held = None if hand is None else Hand(read_argument(hand))
    target = settle_target(output, force, FORMATS, format_)
    given = known.given(trump)
    if tiles < HAND_SIZE and (held is not None or given is not None):
        raise click.UsageError("--tiles: an ending goes with no --hand, and nothing is known of it")
    seed = settle_seed(seed)
    estimate = estimate_for(given)
    known.say(given, held, seed, number, estimate)

    target.write(_Listing(number, tiles, held, given, estimate, start, seed, target.format))


@dataclass(frozen=True)
class _Listing:
    """The deals as text, in pieces that are made when they are asked for."""

    number: int
    tiles: int
    hand: Hand | None
    given: "Given | None"
    estimate: "Estimate | None"
    start: int
    seed: int
    format: str

    def __iter__(self) -> Iterator[str]:
        head, end = _FRAMES.get(self.format, ("", ""))
        yield head
        stop = self.start + self.number
        for first in range(self.start, stop, PIECE):
            count = min(PIECE, stop - first)
            rows = self._deal(first, count)
            yield "".join(self._line(first + i, _text(row)) for i, row in enumerate(rows))
        yield end

    def _deal(self, first: int, count: int) -> list[list[int]]:
        from sim42.deals.endings import random_endings
        from sim42.deals.random import random_deals

        held = None if self.hand is None else self.hand.mask
        if self.tiles < HAND_SIZE:
            deals = random_endings(count, self.seed, self.tiles, first)
        elif self.given is not None:
            deals = self.given.deals_around(held, count, self.seed, first, self.estimate)
        else:
            deals = random_deals(count, self.seed, (held or 0, 0, 0, 0), first)
        rows: list[list[int]] = deals.tolist()
        return rows

    def _line(self, index: int, deal: str) -> str:
        if self.format == "table":
            return f"{deal}\n"
        if self.format == "csv":
            return f"{self.seed},{index},{deal}\n"
        row = {"seed": self.seed, "index": index, "deal": deal}
        if self.format == "jsonl":
            return f"{json.dumps(row)}\n"
        return "," * (index > self.start) + indent(f"\n{json.dumps(row, indent=1)}", " ")


def _text(hands: list[int]) -> str:
    """Four hands as `sim42.game.tiles.parse_hands` reads them."""
    return " / ".join(map(format_tiles, hands))
