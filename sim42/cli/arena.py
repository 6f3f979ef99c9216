"""``sim42 arena``: players against each other, on the same deals."""

import json
from itertools import combinations
from typing import TYPE_CHECKING

import click

from sim42.cli._options import (
    OneTrump,
    Whole,
    rules_option,
    seed_option,
    settle_seed,
    threads_option,
)
from sim42.cli._output import check_apart, output_options, settle_target
from sim42.errors import NotationError
from sim42.game.records import format_record, parse_bid
from sim42.game.rules import MARK_BIDS, PASS, Rules
from sim42.game.state import Game
from sim42.game.tiles import Deal
from sim42.game.trumps import Trump
from sim42.tables.words import number_words

if TYPE_CHECKING:
    import pandas as pd

    from sim42.game.tricks import Tricks

FORMATS = ("table", "json", "csv", "parquet")


class _TrumpOrLongest(OneTrump):
    """A trump, or the declarer's longest suit."""

    def convert(self, value, param, ctx):  # type: ignore[no-untyped-def]
        return value if value == "longest" else super().convert(value, param, ctx)


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
@click.argument("names", metavar="PLAYER PLAYER ...", nargs=-1, required=True)
@click.option("--deals", type=Whole(1, 1_000_000), default=1000, show_default=True)
@click.option("--bid", type=_Bid(), default=30, show_default=True, help="The contract.")
@click.option(
    "--trump",
    type=_TrumpOrLongest(),
    default="longest",
    show_default=True,
    help="What the declarer names: a trump, or its longest suit.",
)
@seed_option
@threads_option
@rules_option
@click.option("--record", metavar="FILE", help="Write every hand too, as sim42 play reads them.")
@output_options(*FORMATS)
def command(
    names: tuple[str, ...],
    deals: int,
    bid: int,
    trump: Trump | str,
    seed: int | None,
    threads: int | None,
    rules: Rules,
    record: str | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Let players who see only their own hand play the same deals against each other.

    PLAYER is random, club (rules of thumb), pimc:N (solves N layouts that fit what the seat knows,
    for each decision), alphamu:N,M (plans M plays of its own for N layouts at once), double-dummy
    (sees all four hands), or module:name, a Python player of your own. Each plays both seats of its
    side; every deal is played with one declaring and the other defending, and then the reverse. Of
    more than two, all meet all.
    """
    if len(names) < 2 or len(set(names)) < len(names):
        raise click.UsageError("two players or more, each once, as pimc:20 club")
    target = settle_target(output, force, FORMATS, format_)
    records = None if record is None else settle_target(record, force, ("jsonl",), "jsonl")
    if records is not None:
        check_apart(records, target)
    if bid > 42 * rules.max_marks:
        raise click.UsageError(f"--bid {bid}: the rules end the ladder at {42 * rules.max_marks}")

    from sim42.cli._progress import compile_for, show_progress
    from sim42.play.arena import longest_suit, meet, play_deals
    from sim42.play.names import find_player

    players = {name: find_player(name) for name in names}
    seed = settle_seed(seed)
    from sim42.cli._render import frame_bytes
    from sim42.cli._render import records as records_of
    from sim42.deals.random import random_deals
    from sim42.tables.arena import match_table

    compile_for(play_deals)
    dealt = random_deals(deals, seed)
    trumps = [
        trump if isinstance(trump, Trump) else longest_suit(mask) for mask in dealt[:, 0].tolist()
    ]
    pairs = list(combinations(names, 2))
    lines: list[str] = []
    done = 0
    with show_progress(2 * deals * len(pairs), "hands") as progress:

        def each(_: int, tricks: "Tricks") -> None:
            nonlocal done
            number = done % deals
            done += 1
            progress(done, 2 * deals * len(pairs))
            if records is not None:
                deal = Deal(dealt[number].tolist())
                bids = [bid, PASS, PASS, PASS]
                plays = tricks.plays
                game = Game(deal, 3, rules=rules, bids=bids, trump=trumps[number], plays=plays)
                lines.append(format_record(game.record()) + "\n")

        matches = {
            pair: meet(
                players[pair[0]], players[pair[1]], dealt, trumps, bid, seed, rules, threads, each
            )
            for pair in pairs
        }
    table = match_table(matches, bid)
    if records is not None:
        records.write("".join(lines))
    if target.format == "table":
        about = f"{number_words(deals, 'deal')}, seed {seed}, bid {bid}, trump: {trump}"
        target.write(_text(table, about))
    elif target.format == "json":
        facts = {"deals": deals, "seed": seed, "bid": bid, "trump": str(trump)}
        facts |= {"rules": rules.as_dict()}
        target.write(json.dumps({**facts, "matches": records_of(table)}, indent=1) + "\n")
    else:
        target.write(frame_bytes(table, target.format))


def _text(table: "pd.DataFrame", about: str) -> str:
    """The matches for a terminal."""
    import pandas as pd

    width = max(map(len, [*table["first"], *table["second"], "declares"]))
    lines = [
        about,
        "Contracts made in %, with 95 % intervals; the same deals for all, each player declaring",
        "once and defending once. Players see only their own hand, but for double-dummy.",
        "",
        f"{'declares':{width}}  {'defends':{width}}   made         95 %",
    ]
    for row in table.to_dict("records"):
        for one, other in (("first", "second"), ("second", "first")):
            made, low, high = (100 * row[f"{one}_{name}"] for name in ("made", "low", "high"))
            lines.append(
                f"{row[one]:{width}}  {row[other]:{width}}  {made:5.1f}  {low:5.1f} to {high:5.1f}"
            )
        ahead, low, high = (100 * row[name] for name in ("ahead", "ahead_low", "ahead_high"))
        needed = [] if pd.isna(row["needed"]) else [_needed(row["needed"])]
        difference = f"{row['first']} less {row['second']}: {ahead:+.1f}"
        interval = f"({low:+.1f} to {high:+.1f})"
        marks = f"{row['ahead_marks']:+.2f} marks a hand"
        lines += [f"{difference} {interval} percentage points, {marks}", *needed, ""]
    return "\n".join(lines[:-1]) + "\n"


def _needed(deals: object) -> str:
    return f"(players that differ by one point are told apart after {deals:,} deals)"
