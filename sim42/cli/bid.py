"""``sim42 bid``: one hand, every trump and bid."""

from typing import TYPE_CHECKING, Any

import click

from sim42.cli._known import Known, estimate_for, known_options, only
from sim42.cli._options import read_argument, sample_options, settle_seed
from sim42.cli._output import PICTURES, check_apart, output_options, settle_target
from sim42.cli._passing import Asked, passing_options
from sim42.cli._playing import playing_options
from sim42.cli._sources import go_headless
from sim42.cli._terminal import wants_colour, write_table
from sim42.game.rules import Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump

if TYPE_CHECKING:
    from sim42.runs.leads import LeadSample
    from sim42.runs.playing import Playing

FORMATS = ("table", "json", "jsonl", "csv", "parquet")
PLAYED = 3
"""Trumps that are played, those of most expected marks."""


@click.command("bid")
@click.argument("tiles", metavar="HAND", nargs=-1, required=True)
@sample_options
@known_options
@passing_options
@playing_options
@click.option(
    "--lead",
    type=click.Choice(("free", "fixed")),
    default="free",
    show_default=True,
    help="fixed: also with one opening lead for all deals, chosen without seeing.",
)
@click.option(
    "--floor",
    type=click.Choice(("0", "30")),
    help="0 tells all points apart, for their mean and deviation, and takes longer; 30 if not"
    " given, and 0 in a game to points, whose call needs them.",
)
@click.option("--chart", metavar="FILE", help="Draw the table too, as .png, .svg or .pdf.")
@output_options(*FORMATS)
def command(
    tiles: tuple[str, ...],
    deals: int | None,
    precision: float | None,
    until_sure: float | None,
    trumps: tuple[Trump, ...],
    rules: Rules,
    seed: int | None,
    threads: int | None,
    known: Known,
    playing: "Playing | None",
    passing: Asked,
    lead: str,
    floor: str | None,
    plain: bool,
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

    The declarer sees all hands, the opening lead included. --lead fixed prints beside it how often
    each bid makes when the lead is one tile for all deals, and all is seen from then on. --play
    lets players who see only their own hand play the same deals, each bid as a game of its own,
    with the three trumps of most expected marks in play.

    Below each chance stands the one in play: what it comes to when nobody sees the others' hands,
    estimated from it. The call is the one that is best by these; it is said which call the
    double-dummy chances would make.

    The call is worth no less than passing (--pass-value), which is priced by what the others then
    bid.
    """
    hand = Hand(read_argument(" ".join(tiles)))
    target = settle_target(output, force, FORMATS, format_)
    picture_target = None if chart is None else settle_target(chart, force, PICTURES)
    if picture_target is not None:
        check_apart(picture_target, target)
    if lead == "fixed" and deals == 1:
        raise click.UsageError("--lead fixed chooses on one half of the deals; --deals 2 at least")
    if floor == "30" and rules.scoring == "points":
        raise click.UsageError("--floor 30 hides what a game to points scores below; leave it out")
    given = known.given(only(trumps))
    seed = settle_seed(seed)

    from sim42.tables.stopping import settle

    wanted = settle(deals, precision, until_sure)
    known.say(given, hand, seed, wanted.deals, estimate_for(given, rules, threads))

    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._render import bid_json, bid_text, frame_bytes
    from sim42.runs.leads import sample_leads
    from sim42.runs.tally import tally_hand
    from sim42.solver.inside import play_values
    from sim42.solver.values import solve_many
    from sim42.tables.bid import bid_facts, floor_for, rows_of
    from sim42.tables.recommend import best_offers

    compile_for(solve_many)
    with show_progress(wanted.deals, "deals") as progress:
        sample = tally_hand(
            hand,
            wanted.deals,
            seed,
            trumps,
            rules,
            threads,
            progress,
            given,
            floor_for(rules) if floor is None else int(floor),
            plain=plain,
            until=wanted.until,
        )
    deals, leads, played = sample.deals, None, None
    if lead == "fixed":
        compile_for(play_values)
        with show_progress(deals, "deals") as progress:
            leads = sample_leads(
                hand, deals, seed, trumps, rules, threads, progress, given, floor=30
            )
    priced = passing.worth(hand, deals, seed, rules, given, threads)
    facts = bid_facts(sample, priced, threads, wanted=wanted)
    if picture_target is not None:
        go_headless()
        from sim42.charts import chart_hand, picture

        picture_target.write(picture(chart_hand(rows_of(facts)), picture_target.format))
    if playing:
        from sim42.play.arena import play_deals
        from sim42.runs.playing import play_sample
        from sim42.tables.played import played_facts

        best = best_offers((facts["in_play"]["call"] or facts["call"])["offers"], PLAYED)
        compile_for(play_deals)
        with show_progress(deals * len(best) * len(playing.bids), "games") as progress:
            played = played_facts(
                play_sample(hand, best, playing, deals, seed, rules, threads, progress, given)
            )
    if target.format == "table":
        colour = wants_colour(target)
        text = bid_text(facts, colour)
        text += _fixed_text(leads, colour) if leads else ""
        write_table(target, text + (_played_text(played, colour) if played else ""))
        return
    rows = rows_of(facts)
    if played:
        from sim42.tables.played import with_played

        rows = with_played(rows, played)
    if leads:
        from sim42.tables.leads import with_fixed_leads

        rows = with_fixed_leads(rows, leads)
    if target.format == "json":
        target.write(bid_json(rows) + "\n")
    else:
        target.write(frame_bytes(rows, target.format))


def _played_text(played: dict[str, Any], colour: bool) -> str:
    from sim42.cli._render_played import played_text

    return played_text(played, colour)


def _fixed_text(leads: "LeadSample", colour: bool) -> str:
    from sim42.cli._render_leads import fixed_text
    from sim42.tables.leads import fixed_leads

    return fixed_text(fixed_leads(leads), colour)
