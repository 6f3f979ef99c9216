"""``sim42 solve``: the value of a deal or a position, of every play, and a line of best play."""

import json
from collections.abc import Iterator

import click

from sim42.cli._deals import read_deals
from sim42.cli._options import OneTrump, Whole, rules_option
from sim42.cli._output import output_options, settle_target
from sim42.cli._records import END, PlayNumber, game_at, read_games
from sim42.errors import at
from sim42.game.rules import Rules
from sim42.game.state import Game
from sim42.game.tiles import parse_hands
from sim42.game.trumps import Trump

FORMATS = ("table", "json", "jsonl")


@click.command("solve")
@click.argument("deal", metavar="DEAL", required=False)
@click.option("--trump", type=OneTrump(), help="The trump called, as fives.")
@click.option("--leader", type=Whole(0, 3), help="Seat that leads first, 0 to 3; 0 if not given.")
@click.option("--record", metavar="FILE", help="Records of hands, in place of DEAL; - is stdin.")
@click.option(
    "--at",
    "number",
    type=PlayNumber(),
    default="end",
    show_default=True,
    help="Of a record: after so many plays, as 13, or before its last ones, as end-4.",
)
@rules_option
@output_options(*FORMATS)
def command(
    deal: str | None,
    trump: Trump | None,
    leader: int | None,
    record: str | None,
    number: int,
    rules: Rules,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Solve DEAL double dummy: the declarer's points, every legal play, a best line.

    DEAL is the hands of seats 0 to 3 with / between, as sim42 deal prints them: one to seven tiles
    each, the same for all; seat --leader declares and leads. Without DEAL, or with -, deals come
    from stdin, in any format that sim42 deal writes. With --record, the hands of a file are solved
    as they stand at --at, and the points are those at the end of the hand, what is taken counted.
    """
    target = settle_target(output, force, FORMATS, format_)
    given: list[tuple[str, Game | str]]
    if record is not None:
        if deal is not None or trump is not None or leader is not None:
            raise click.UsageError("--record brings its own deal, trump and leader")
        given = [
            (where, game_at(game, number, where))
            for game, _, where in read_games(record, None, rules)
        ]
    else:
        if trump is None:
            raise click.UsageError("Missing option '--trump'.")
        if number != END:
            raise click.UsageError("--at goes with --record")
        given = list(_read(deal or "-"))

    from sim42.cli._progress import compile_for
    from sim42.cli._render import solution_dict, solution_text
    from sim42.solver.values import solve

    compile_for(solve)
    solutions = []
    for where, one in given:
        with at(where):
            is_game = isinstance(one, Game)
            solutions.append(solve(one) if is_game else solve(one, trump, leader, rules))
    if target.format == "table":
        target.write("\n".join(map(solution_text, solutions)))
    elif target.format == "jsonl":
        target.write("".join(json.dumps(solution_dict(s)) + "\n" for s in solutions))
    else:
        found = [solution_dict(s) for s in solutions]
        several = len(found) > 1 or (record is None and deal in (None, "-"))
        target.write(json.dumps(found if several else found[0], indent=1) + "\n")


def _read(deal: str) -> Iterator[tuple[str, str]]:
    """Deals with the place each stands at, every one looked at before any is solved."""
    for where, text in [("DEAL", deal)] if deal != "-" else read_deals():
        with at(where):
            parse_hands(text)
        yield where, text
