"""``sim42 bid``: one hand, every trump and bid."""

import click

from sim42.cli._known import Known, estimate_for, known_options, only
from sim42.cli._options import read_argument, sample_options, settle_seed
from sim42.cli._output import PICTURES, check_apart, output_options, settle_target
from sim42.cli._sources import go_headless
from sim42.cli._terminal import wants_colour, write_table
from sim42.game.rules import Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump

FORMATS = ("table", "json", "jsonl", "csv", "parquet")


@click.command("bid")
@click.argument("tiles", metavar="HAND", nargs=-1, required=True)
@sample_options
@known_options
@click.option("--chart", metavar="FILE", help="Draw the table too, as .png, .svg or .pdf.")
@output_options(*FORMATS)
def command(
    tiles: tuple[str, ...],
    deals: int,
    trumps: tuple[Trump, ...],
    rules: Rules,
    seed: int | None,
    threads: int | None,
    known: Known,
    chart: str | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """How often each bid makes with HAND, for every trump.

    HAND is seven tiles, as "6-4 5-5 4-2 3-1 2-0 1-1 0-0"; - reads them from stdin. The other 21
    tiles are dealt at random, and each deal is solved double dummy (all four hands seen, best play
    by everyone) with the declarer, who holds HAND, leading. What is known of the other hands,
    --partner to --where, limits which deals are dealt.
    """
    hand = Hand(read_argument(" ".join(tiles)))
    target = settle_target(output, force, FORMATS, format_)
    picture_target = None if chart is None else settle_target(chart, force, PICTURES)
    if picture_target is not None:
        check_apart(picture_target, target)
    given = known.given(only(trumps))
    seed = settle_seed(seed)
    known.say(given, hand, seed, deals, estimate_for(given, rules, threads))

    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._render import bid_json, bid_text, frame_bytes
    from sim42.runs.tally import tally_hand
    from sim42.solver.values import solve_many
    from sim42.tables.bid import bid_facts, bid_rows

    compile_for(solve_many)
    with show_progress(deals, "deals") as progress:
        sample = tally_hand(hand, deals, seed, trumps, rules, threads, progress, given)
    if picture_target is not None:
        go_headless()
        from sim42.charts import chart_hand, picture

        picture_target.write(picture(chart_hand(bid_rows(sample)), picture_target.format))
    if target.format == "table":
        write_table(target, bid_text(bid_facts(sample), wants_colour(target)))
    elif target.format == "json":
        target.write(bid_json(bid_rows(sample)) + "\n")
    else:
        target.write(frame_bytes(bid_rows(sample), target.format))
