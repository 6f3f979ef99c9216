"""``sim42 solve``: the value of a deal, of every opening lead, and a line of best play."""

import json
from collections.abc import Iterator

import click

from sim42.cli._options import OneTrump, Whole, read_lines, rules_option
from sim42.cli._output import output_options, settle_target
from sim42.errors import RequestError, at
from sim42.game.rules import Rules
from sim42.game.tiles import Deal
from sim42.game.trumps import Trump

FORMATS = ("table", "json", "jsonl")


@click.command("solve")
@click.argument("deal", metavar="DEAL", default="-")
@click.option("--trump", type=OneTrump(), required=True, help="The trump called, as fives.")
@click.option(
    "--leader",
    type=Whole(0, 3),
    default=0,
    show_default=True,
    help="Seat that leads first, 0 to 3.",
)
@rules_option
@output_options(*FORMATS)
def command(
    deal: str,
    trump: Trump,
    leader: int,
    rules: Rules,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Solve DEAL double dummy: points of the leader's side, every opening lead, a best line.

    DEAL is the hands of seats 0 to 3 with / between, as sim42 deal prints them. Without DEAL, or
    with -, deals come from stdin, a line each.
    """
    target = settle_target(output, force, FORMATS, format_)
    deals = list(_read(deal))

    from sim42.cli._progress import compile_for
    from sim42.cli._render import solution_dict, solution_text
    from sim42.solver.values import solve

    compile_for(solve)
    solutions = [solve(one, trump, leader, rules) for one in deals]
    if target.format == "table":
        target.write("\n".join(map(solution_text, solutions)))
    elif target.format == "jsonl":
        target.write("".join(json.dumps(solution_dict(s)) + "\n" for s in solutions))
    else:
        found = [solution_dict(s) for s in solutions]
        target.write(json.dumps(found if deal == "-" else found[0], indent=1) + "\n")


def _read(deal: str) -> Iterator[Deal]:
    if deal != "-":
        yield Deal(deal)
        return
    lines = read_lines()
    if not lines:
        raise RequestError("stdin: no deals; one a line, as sim42 deal prints them")
    for number, line in lines:
        with at(f"stdin, line {number}"):
            yield Deal(line)
