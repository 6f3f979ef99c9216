"""``sim42 report``: one HTML file about a hand or a survey."""

from pathlib import Path

import click

from sim42.cli._known import KNOWN_OPTIONS, Known, estimate_for, known_options, only
from sim42.cli._options import (
    SURE_OPTIONS,
    read_argument,
    refuse_idle,
    sample_options,
    settle_seed,
)
from sim42.cli._output import settle_target
from sim42.cli._passing import PASSING_OPTIONS, Asked, passing_options
from sim42.cli._sources import go_headless, read_run
from sim42.errors import RequestError
from sim42.game.rules import Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump


@click.command("report")
@click.argument("source", metavar="RUN|HAND", nargs=-1)
@click.option(
    "--record", metavar="FILE", help="Records of played hands to review, in place of RUN|HAND."
)
@click.option("-o", "--output", metavar="FILE", required=True, help="The page; - is stdout.")
@sample_options
@known_options
@passing_options
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(
    source: tuple[str, ...],
    record: str | None,
    output: str,
    deals: int | None,
    precision: float | None,
    until_sure: float | None,
    trumps: tuple[Trump, ...],
    rules: Rules,
    seed: int | None,
    threads: int | None,
    plain: bool,
    known: Known,
    passing: Asked,
    force: bool,
) -> None:
    """Write a page about a HAND, which is solved as by sim42 bid, or about the hands of a RUN.

    With --record it is about played hands, as sim42 review finds them. The page is one file that
    needs no network: charts, a table that sorts, and what was run.
    """
    target = settle_target(output, force, ("html",))
    if bool(source) == (record is not None):
        raise click.UsageError("name a HAND, a RUN, or --record FILE")
    go_headless()
    others = (*PASSING_OPTIONS, *KNOWN_OPTIONS)
    if record is not None:
        why = f"goes with a HAND; {record} holds played hands"
        refuse_idle(why, *SURE_OPTIONS, "trumps", "seed", *others)
        target.write(_review(record, rules, threads))
        return
    if len(source) == 1 and Path(source[0]).is_dir():
        why = f"goes with a HAND; {source[0]} is a run, solved already"
        refuse_idle(why, *SURE_OPTIONS, "trumps", "rules", "seed", "threads", *others)

        from sim42.report import report_survey

        target.write(report_survey(read_run(source[0])))
        return
    hand = _hand(source)
    given = known.given(only(trumps))
    seed = settle_seed(seed)
    from sim42.tables.stopping import settle

    wanted = settle(deals, precision, until_sure)
    known.say(given, hand, seed, wanted.deals, estimate_for(given, rules, threads))

    from sim42.cli._progress import compile_for, show_progress
    from sim42.report import report_hand
    from sim42.runs.tally import sample_until
    from sim42.solver.values import solve_many
    from sim42.tables.bid import floor_for

    compile_for(solve_many)
    with show_progress(wanted.deals, "deals") as progress:
        asked = (hand, wanted.deals, seed, trumps, rules, threads, progress, given)
        sample = sample_until(wanted.until, *asked, floor_for(rules), plain=plain)
    priced = passing.worth(hand, sample.deals, seed, rules, given, threads)
    target.write(report_hand(sample, priced, plain=plain))


def _review(record: str, rules: Rules, threads: int | None) -> str:
    """The page about the played hands of a file of records."""
    from sim42.cli._progress import compile_for, show_progress
    from sim42.cli._records import read_games, with_plays
    from sim42.report.review import report_review
    from sim42.solver.inside import play_values
    from sim42.tables.review import review

    games = [played.game for played in with_plays(read_games(record, None, rules))]
    compile_for(play_values)
    with show_progress(sum(len(game.plays) for game in games), "plays") as progress:
        return report_review(review(games, threads, progress))


def _hand(source: tuple[str, ...]) -> Hand:
    """The hand of an argument that is no folder."""
    text = " ".join(source)
    if any(letter.isalpha() for letter in text):
        raise RequestError(f"{text}: neither the directory of a run nor a hand of seven tiles")
    return Hand(read_argument(text))
