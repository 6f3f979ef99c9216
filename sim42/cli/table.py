"""``sim42 table``: what came out of runs, by hand, by best call, or by group."""

from typing import TYPE_CHECKING

import click

from sim42.cli._options import TrumpList, Whole, refuse_idle
from sim42.cli._output import output_options, settle_target
from sim42.cli._sources import read_run
from sim42.cli._terminal import wants_colour, write_table
from sim42.game.trumps import Trump

if TYPE_CHECKING:
    import pandas as pd

DEALS = {"fewest_deals": "min", "deals": "max"}
"""Facts of a table about the deals of its hands, which may differ where runs were added."""
FORMATS = ("table", "csv", "json", "jsonl", "parquet")
LIMIT = 20


@click.command("table")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--by",
    metavar="NAMES",
    help="Group what looks alike, as trumps,double_held. Names: trump, kind, trumps, double_held,"
    " top_missing, doubles, offs, protected, bare, count, count_in_offs, voids, tops, cover,"
    " longest_side_suit, points_at_risk, shape. Or a question about the hand, as has(me, 5-5) or"
    " doubles(me) >= 3; sim42 odds --help tells the language.",
)
@click.option(
    "--trumps",
    type=TrumpList(),
    help="Leave all but these trumps out, as fives,sixes; pips leaves doubles and follow-me out.",
)
@click.option(
    "--best",
    is_flag=True,
    help="Each hand with its best trump only, chosen on half of its deals and rated on the other.",
)
@click.option(
    "--simultaneous",
    is_flag=True,
    help="With --by: intervals of the rates that all hold at once, in 95 of 100 such tables.",
)
@click.option(
    "--rank",
    type=click.Choice(("fair", "shown")),
    help="With --best: the hands whose call is fairly worth most first, or those that show most.",
)
@click.option(
    "--tiles",
    type=click.Choice(("dash", "colon", "bracket")),
    default="dash",
    show_default=True,
    help="Write tiles as 6-4, 6:4 or [6|4], which no spreadsheet takes for a date.",
)
@click.option(
    "--limit",
    type=Whole(1, 10**9),
    help=f"So many hands or groups at most; {LIMIT} hands when printed as a table.",
)
@output_options(*FORMATS)
def command(
    runs: tuple[str, ...],
    by: str | None,
    trumps: tuple[Trump, ...] | None,
    best: bool,
    simultaneous: bool,
    rank: str | None,
    tiles: str,
    limit: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Rates of every bid, with intervals, and the calls, of the hands in RUN.

    A row is a hand and a trump; with --best a hand, with --by a group, always of one kind of trump:
    pip, doubles or follow-me. Counts of runs over the same hands with other seeds are added.
    What looks best on some deals owes part of that to luck (the winner's curse). Figures called
    fair are drawn towards what hands like it make; those called cross are cross-fitted: chosen on
    some deals of the hand and rated on others.
    """
    target = settle_target(output, force, FORMATS, format_)
    if by is None:
        refuse_idle("goes with --by", "simultaneous")
    if by is not None or not best:
        refuse_idle("goes with --best, and without --by", "rank")

    from sim42.tables.groups import group_table, split_names

    groups = None if by is None else split_names(by)
    if groups is not None and "shape" not in groups:
        refuse_idle("goes with hands and shapes, and here are none", "tiles")

    from sim42.cli._render import frame_bytes
    from sim42.cli._render_run import survey_json, survey_text, with_tiles
    from sim42.runs.frames import add_runs, of_trumps
    from sim42.tables.hands import fair_calls, survey_table

    for run in runs:
        _say_if_unfinished(run)
    frame = add_runs(*map(read_run, runs))
    if trumps is not None:
        frame = of_trumps(frame, trumps)
    attrs = {**frame.attrs, "hands": frame["mask"].nunique()}
    attrs |= {name: int(frame["deals"].agg(how)) for name, how in DEALS.items()}
    if limit is None and target.format == "table" and groups is None:
        limit = LIMIT
    if groups is not None:
        table = group_table(frame, groups, best, simultaneous)
        attrs["groups"] = len(table)
    elif best:
        table = fair_calls(frame)
        if rank is not None:
            table = table.sort_values(rank, ascending=False, ignore_index=True, kind="stable")
    else:
        table = survey_table(frame if limit is None else _first_hands(frame, limit))
        limit = None
    attrs = {**table.attrs, **attrs}
    table = table.head(len(table) if limit is None else limit)
    table = with_tiles(table, tiles)
    table.attrs = attrs
    if target.format == "table":
        write_table(target, survey_text(table, wants_colour(target)))
    elif target.format == "json":
        target.write(survey_json(table))
    else:
        target.write(frame_bytes(table, target.format))


def _say_if_unfinished(path: str) -> None:
    from sim42.runs.store import Run, go_on

    run = Run.open(path)
    if (done := run.done()) < (asked := len(run.study) * run.study.deals):
        percent = 100 * done // asked
        click.echo(f"{path}: {percent} % is done; go on with: {go_on(path)}", err=True)


def _first_hands(frame: "pd.DataFrame", limit: int) -> "pd.DataFrame":
    """The rows of the first hands."""
    hands = frame["mask"].drop_duplicates().head(limit)
    return frame[frame["mask"].isin(hands)]
