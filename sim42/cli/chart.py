"""``sim42 chart``: pictures of bids and surveys."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from sim42.cli._options import (
    OneTrump,
    Whole,
    read_bytes,
    refuse_idle,
    threads_option,
    typed,
)
from sim42.cli._output import PICTURES, settle_target
from sim42.cli._records import read_games, with_plays
from sim42.cli._sources import Sources, go_headless, read_sources
from sim42.errors import RequestError, at
from sim42.game.trumps import Trump
from sim42.tables.words import PLAIN

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from sim42.runs.sample import HandSample

_ONE_BID: Final = ("one bid.json", lambda bids, runs: (bids, runs) == (1, 0))
_RUNS: Final = ("RUN, or several that are added", lambda bids, runs: bids == 0 and runs > 0)
KINDS: Final[dict[str, tuple[str, Callable[[int, int], bool]]]] = {
    "hand": _ONE_BID,
    "curve": ("one bid.json, and RUN if you like", lambda bids, runs: bids == 1),
    "points": _ONE_BID,
    "types": _RUNS,
    "bids": _RUNS,
    "trumps": _RUNS,
    "convergence": ("one bid.json, or RUN", lambda bids, runs: bids == 1 - (runs > 0)),
    "compare": ("two bid.json, or two RUN", lambda bids, runs: sorted((bids, runs)) == [0, 2]),
}
"""What each kind of chart is drawn from: in words, and whether so many bids and runs are that."""
ONE_FILE: Final = {"lead": "one lead.json", "review": "one file of records"}
"""Kinds that are drawn from a file of their own, and what it is."""
OPTIONS: Final = {
    "trump": ("points", "convergence", "compare"),
    "bid": ("convergence",),
    "by": ("types",),
    "threads": ("convergence", "compare", "review"),
}
"""Options that only some kinds have."""


@click.command("chart")
@click.argument("kind", type=click.Choice([*KINDS, *ONE_FILE]))
@click.argument("sources", metavar="RUN|FILE ...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", required=True, help="The picture; - is stdout.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(PICTURES),
    help="Format of the picture; the ending of FILE when not given.",
)
@click.option(
    "--dpi", type=Whole(10, 1200), default=150, show_default=True, help="Dots per inch of a png."
)
@click.option("--title", metavar="TEXT", help="A title of your own.")
@click.option(
    "--trump",
    type=OneTrump(),
    help="points, convergence, compare: this trump, not the best.",
)
@click.option("--bid", type=Whole(30, 42), help="convergence: of this bid; 30 when not given.")
@click.option(
    "--by",
    type=click.Choice(("doubles", "shape")),
    help="types: by trumps and doubles held, as when not given, or by shape.",
)
@threads_option
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(
    kind: str,
    sources: tuple[str, ...],
    output: str,
    format_: str | None,
    dpi: int,
    title: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Draw a picture of what sim42 bid, survey, lead or review found.

    \b
    KIND         shows                                            from
    hand         every trump and bid, and the recommended call    bid.json
    curve        chance of each bid by trump; other hands behind  bid.json [RUN]
    points       how often each number of points comes            bid.json
    types        30 and 42 by trumps and doubles, or by shape     RUN
    bids         the highest bid that hands can make              RUN
    trumps       the best trump, and what the second best costs   RUN
    convergence  how the estimate settles with more deals         bid.json or RUN
    compare      two hands or two surveys, and their difference   two of a kind
    lead         how often each bid makes after each lead         lead.json
    review       what a played hand was worth after every play    record.jsonl

    bid.json and lead.json are what sim42 bid and sim42 lead write with --format json, and
    record.jsonl is as for sim42 play. RUN is a directory of sim42 survey, and the counts of several
    are added. The same input gives the same bytes.
    """  # noqa: D301
    target = settle_target(output, force, PICTURES, format_)
    for name, kinds in OPTIONS.items():
        if kind not in kinds:
            refuse_idle(f"goes with {', '.join(kinds)}, not with {kind}", name)
    if target.format != "png":
        refuse_idle(f"goes with png; a {target.format} has no dots", "dpi")
    if kind in ONE_FILE and len(sources) != 1:
        raise RequestError(
            f"chart {kind}: is drawn from {ONE_FILE[kind]}, not {len(sources)} files"
        )
    found = None if kind in ONE_FILE else _found(kind, sources)
    go_headless()

    from sim42.charts import picture, retitle

    if found is None:
        ax = _draw_file(kind, sources[0], options["threads"])
    else:
        ax = _draw(kind, found, **options)
    if title is not None:
        retitle(ax, typed(title))
    target.write(picture(ax, target.format, dpi))


def _found(kind: str, sources: tuple[str, ...]) -> Sources:
    """The sources of a kind, if they fit it."""
    found = read_sources(sources)
    what, fits = KINDS[kind]
    if not fits(len(found.bids), len(found.runs)):
        raise RequestError(
            f"chart {kind}: is drawn from {what}, not from {len(found.bids)} bid.json and "
            f"{len(found.runs)} RUN"
        )
    if found.runs:
        refuse_idle("goes with bid.json; in surveys each hand plays its best", "trump")
        refuse_idle("goes with bid.json, whose deals are solved again", "threads")
    return found


def _draw_file(kind: str, source: str, threads: int | None) -> "Axes":
    """The chart of a kind that has a file of its own."""
    from sim42 import charts

    if kind == "lead":
        from sim42.tables.leads import read_lead

        name, data = read_bytes(source)
        with at(name):
            return charts.chart_lead(read_lead(data))
    from sim42.cli._progress import compile_for
    from sim42.solver.inside import play_values
    from sim42.tables.review import review

    games = [played.game for played in with_plays(read_games(source))]
    if len(games) > 1:
        raise RequestError(f"{source}: {len(games)} hands; the chart of a review shows one")
    compile_for(play_values)
    return charts.chart_review(review(games, threads))


def _draw(
    kind: str,
    found: Sources,
    trump: Trump | None,
    bid: int | None,
    by: str | None,
    threads: int | None,
) -> "Axes":
    """The chart of a kind, from sources that fit it."""
    from sim42 import charts
    from sim42.runs.frames import add_runs
    from sim42.tables.compare import compare_hands, compare_runs, compare_samples, same_deals
    from sim42.tables.convergence import running_run

    bids, runs = found
    if kind == "hand":
        return charts.chart_hand(bids[0])
    if kind == "points":
        return charts.chart_points(bids[0], trump)
    if kind == "curve":
        return charts.chart_curve(bids[0], survey=add_runs(*runs) if runs else None)
    if kind == "compare" and bids:
        first, second = bids
        if same_deals(first, second):
            one, other = (_solved_again(rows, trump, threads) for rows in bids)
            plain = PLAIN in (rows.attrs["estimate"] for rows in bids)
            return charts.chart_compare(compare_samples(one, other, plain=plain))
        return charts.chart_compare(compare_hands(first, second, trump, trump))
    if kind == "compare":
        return charts.chart_compare(compare_runs(*runs))
    if kind == "convergence" and bids:
        return charts.chart_convergence(_running(bids[0], bid or 30, trump, threads))
    run = add_runs(*runs)
    if kind == "convergence":
        return charts.chart_convergence(running_run(run, bid or 30))
    draw = {
        "types": charts.chart_shapes if by == "shape" else charts.chart_types,
        "bids": charts.chart_bids,
        "trumps": charts.chart_trumps,
    }
    return draw[kind](run)


def _running(
    rows: "pd.DataFrame", bid: int, trump: Trump | None, threads: int | None
) -> "pd.DataFrame":
    """The convergence of a bid, with the trump that makes it most often if none is named."""
    from sim42.tables.convergence import running_bid

    if trump is None:
        of_bid = rows[rows["bid"] == bid]
        trump = Trump(str(of_bid["trump"].iloc[int(of_bid["made"].argmax())]))
    plain = rows.attrs["estimate"] == PLAIN
    return running_bid(_solved_again(rows, trump, threads), bid, plain=plain)


def _solved_again(rows: "pd.DataFrame", trump: Trump | None, threads: int | None) -> "HandSample":
    """A sample of a bid with one trump, the recommended if None: its file only counts its deals."""
    from sim42.cli._progress import compile_for, show_progress
    from sim42.runs.sample import sample_hand
    from sim42.solver.values import solve_many
    from sim42.tables.bid import chosen_trump

    facts = rows.attrs
    trumps = [Trump(chosen_trump(rows, trump))]
    compile_for(solve_many)
    with show_progress(facts["deals"], "deals") as progress:
        sample = sample_hand(
            facts["hand"],
            facts["deals"],
            facts["seed"],
            trumps,
            facts["rules"],
            threads,
            progress,
            facts["given"],
        )
    if sample.counts.tolist() != [list(facts["counts"][str(trumps[0])].values())]:
        raise RequestError(f"{facts['hand']}: its deals, solved again, have other counts")
    return sample
