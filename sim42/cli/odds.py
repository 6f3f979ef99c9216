"""``sim42 odds``: how likely the hidden tiles lie so, without solving."""

import json
import textwrap
from typing import Final

import click

from sim42.cli._known import (
    Known,
    estimate_for,
    explain,
    known_options,
    meant_trump_option,
    read_question,
    say_cost,
)
from sim42.cli._options import Whole, read_argument, seed_option, tell_seed
from sim42.cli._output import output_options, settle_target
from sim42.cli._terminal import write_table
from sim42.deals.conditions.functions import FUNCTIONS, OTHER_NAMES, signature
from sim42.deals.seeds import fresh_seed
from sim42.errors import Sim42Error, at
from sim42.game.tiles import HANDS, Hand
from sim42.game.trumps import Trump

SAMPLED: Final = 200_000
"""Random deals that are asked, where not all can be counted."""
SOLVED: Final = 1_000
"""The same where they must be solved."""
FORMATS = ("table", "json", "jsonl", "csv", "parquet")


def _language() -> str:
    """The functions of the language, for the help."""
    lines = []
    for function in FUNCTIONS.values():
        others = [other for other, name in OTHER_NAMES.items() if name == function.name]
        meaning = function.meaning + "".join(
            f"; {other} is another word for it" for other in others
        )
        lines += [
            f"  {signature(function)}",
            *textwrap.wrap(meaning, 70, initial_indent="    ", subsequent_indent="    "),
        ]
    return "\n".join(
        [
            "\b",
            "QUESTION asks of a SEAT: me, partner, left (who plays after me) or right.",
            *lines,
            "Numbers: + - * min(a, b) max(a, b). Comparisons: < <= = != >= >, also",
            "1 <= doubles(left) <= 3. Conditions: and, or, not, parentheses.",
        ]
    )


@click.command("odds", epilog=_language())
@click.argument("words", metavar="[HAND] QUESTION", nargs=-1, required=True)
@click.option("--hands", is_flag=True, help=f"Count over all {HANDS:,} hands; QUESTION is of me.")
@meant_trump_option
@known_options
@click.option(
    "--deals",
    type=Whole(100, 100_000_000),
    help=f"Random deals to ask where not all can be counted; {SAMPLED:,} when not given, and"
    f" {SOLVED:,} where bids are asked.",
)
@seed_option
@output_options(*FORMATS)
def command(
    words: tuple[str, ...],
    hands: bool,
    trump: Trump | None,
    known: Known,
    deals: int | None,
    seed: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """How likely it is that the tiles lie as QUESTION says, without solving anything.

    QUESTION is a condition, as "suit(partner, fives) >= 1", or a number, as "suit(partner, fives)";
    @FILE reads it from a file. HAND is seven tiles, held by me; without it all four hands are
    hidden. What can be counted is counted over all layouts and exact; else random deals are asked,
    and the answer has its interval.
    """
    *tiles, text = words
    if hands and tiles:
        raise click.UsageError("--hands counts all hands; leave HAND out")
    if not tiles and _is_hand(text):
        raise click.UsageError("Missing argument 'QUESTION': what is asked of the deals with HAND.")
    hand = Hand(read_argument(" ".join(tiles))) if tiles else None
    target = settle_target(output, force, FORMATS, format_)

    from sim42.cli._render import frame_bytes, records
    from sim42.cli._render_odds import odds_text
    from sim42.deals.conditions.parse import parse
    from sim42.tables.odds import odds, odds_of_hands

    with at("QUESTION"):
        tree = parse(read_question(text), trump)
    given = known.given(trump)
    fresh, estimate = fresh_seed(), None
    if hands:
        if given is not None:
            raise click.UsageError("--hands is of one hand; nothing is known of others")
        table = odds_of_hands(tree)
    else:
        chosen = fresh if seed is None else seed
        estimate = estimate_for(given) or estimate_for(tree)
        number = deals or (SAMPLED if estimate is None else SOLVED)
        if estimate is not None:
            known.say(given, hand, chosen, number, estimate)
            say_cost(tree, hand, number, estimate)
        table = odds(tree, hand, given=given, deals=number, seed=chosen, estimate=estimate)
        if seed is None and not table.attrs["exact"]:
            tell_seed(fresh)
    if known.explain:
        for part in [tree] if given is None or given.tree is None else [given.tree, tree]:
            click.echo(explain(part, hand, fresh if seed is None else seed, estimate), err=True)
    if target.format == "table":
        write_table(target, odds_text(table))
    elif target.format == "json":
        target.write(json.dumps({**table.attrs, "rows": records(table)}, indent=1) + "\n")
    else:
        target.write(frame_bytes(table, target.format))


def _is_hand(text: str) -> bool:
    try:
        Hand(text)
    except Sim42Error:
        return False
    return True
