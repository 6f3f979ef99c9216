"""``sim42 review``: what every play of played hands gave away."""

import click

from sim42.cli._options import rules_option, threads_option
from sim42.cli._output import PICTURES, check_apart, output_options, settle_target
from sim42.cli._records import read_games, with_plays
from sim42.cli._sources import go_headless
from sim42.cli._terminal import write_table
from sim42.errors import RequestError
from sim42.game.rules import Rules
from sim42.game.tiles import Deal

FORMATS = ("table", "json", "jsonl", "csv", "parquet")


@click.command("review")
@click.argument("sources", metavar="RECORDS...", nargs=-1, required=True)
@click.option("--deal", metavar="DEAL", help="The deal of records that name none.")
@click.option("--chart", metavar="FILE", help="Draw it too, as .png, .svg or .pdf.")
@rules_option
@threads_option
@output_options(*FORMATS)
def command(
    sources: tuple[str, ...],
    deal: str | None,
    chart: str | None,
    rules: Rules,
    threads: int | None,
    format_: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Review played hands: the points that every play gave away, and where the contract was lost.

    RECORDS are files of records as for sim42 play, - being stdin. Of one hand the table shows every
    play, of several what was given away by seat, side, trick and kind of play; the other formats
    hold the plays of all. Values are double dummy: with all four hands in sight. They are no
    verdict on a player who could not see.
    """
    target = settle_target(output, force, FORMATS, format_)
    picture_target = None if chart is None else settle_target(chart, force, PICTURES)
    if picture_target is not None:
        check_apart(picture_target, target)
    given = Deal(deal) if deal is not None else None
    games = [played for source in sources for played in read_games(source, given, rules)]
    chosen = with_plays(games)
    if picture_target is not None and len(chosen) > 1:
        raise RequestError(f"--chart: the chart of a review shows one hand, not {len(chosen)}")

    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._render import frame_bytes
    from sim42.cli._render_review import review_json, review_text
    from sim42.solver.inside import play_values
    from sim42.tables.review import review

    compile_for(play_values)
    with show_progress(sum(len(played.game.plays) for played in chosen), "plays") as progress:
        plays = review((played.game for played in chosen), threads, progress)
    if picture_target is not None:
        go_headless()
        from sim42.charts import chart_review, picture

        picture_target.write(picture(chart_review(plays), picture_target.format))
    if target.format == "table":
        write_table(target, review_text(plays))
    elif target.format == "json":
        target.write(review_json(plays) + "\n")
    else:
        target.write(frame_bytes(plays, target.format))
