"""One HTML file about a hand or a survey: charts, tables, and what was run. It needs no network."""

import shlex
from collections.abc import Callable
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from sim42 import charts
from sim42.charts.hand import call_lines
from sim42.errors import RequestError, check_kind
from sim42.game.dominoes import tiles_svg
from sim42.game.rules import PRESETS, Rules
from sim42.game.tiles import ENDS
from sim42.report.page import Cell, Column, Page
from sim42.runs.frames import check_run
from sim42.runs.sample import HandSample
from sim42.tables.advice import passing_words
from sim42.tables.bid import bid_rows, wide
from sim42.tables.convergence import running_bid, running_run
from sim42.tables.counts import bids_of
from sim42.tables.hands import best_calls, unit_in
from sim42.tables.passing import NO_PASS, PLACES, Passing
from sim42.tables.words import (
    POINTS_SCORED,
    caution,
    count_words,
    given_words,
    hands_words,
    method_words,
    number_words,
    percent,
    rules_words,
    seed_words,
)

MOST_HANDS: Final = 1000
"""Hands listed in the report of a survey; a browser sorts so many at once."""
DOUBLE_DUMMY: Final = (
    "Double dummy: every deal is solved with all four hands seen and best play by everyone. "
    "People, who see one hand, make a bid more or less often than this."
)


def report_hand(sample: HandSample, passing: Passing = NO_PASS, *, plain: bool = False) -> str:
    """A page about one hand: dominoes, the call, charts, the table, and what was run.

    Parameters
    ----------
    sample : HandSample
        The solved deals.
    passing : Passing
        What passing is worth, as `sim42.tables.passing.pass_value` prices it.
    plain : bool
        Whether they are only counted; else rates are adjusted for what was dealt.

    Returns
    -------
    str
        HTML that needs nothing beside it.

    >>> from sim42.runs.sample import sample_hand
    >>> page = report_hand(sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=10, trumps=["sixes"]))
    >>> page.count("<svg"), "sixes" in page
    (5, True)
    """
    check_kind(sample, "sample", HandSample, "what sample_hand returns")
    rows = bid_rows(sample, passing, plain=plain)
    page = Page(f"How often each bid makes with {sample.hand}", DOUBLE_DUMMY)
    page.drawing(tiles_svg((ENDS[tile] for tile in sample.hand), width=44))
    call, *reasons = call_lines(rows.attrs)
    page.text(call, "lead")
    page.text("; ".join(reasons) + ".")
    for words in _facts_lines(rows.attrs, rows.attrs["call"]["unit"]):
        page.text(words)
    page.heading("Every trump and bid")
    page.chart(charts.chart_hand(rows))
    page.text(
        "A click on a heading sorts by it. Rates in per cent; "
        f"{rows.attrs['call']['unit']} are those expected. In play: estimated chance, by "
        f"{rows.attrs['in_play']['player']}, who sees one hand.",
        "soft",
    )
    page.table(*_hand_table(rows))
    for heading, draw in (
        ("How fast the chance falls", charts.chart_curve),
        ("Points, with the recommended trump", charts.chart_points),
    ):
        page.heading(heading)
        page.chart(draw(rows))
    page.heading("How sure this is")
    page.chart(charts.chart_convergence(running_bid(sample, plain=plain)))
    page.heading("What was run")
    deals, seed = rows.attrs["deals"], rows.attrs["seed"]
    page.facts(
        {
            "hand": str(sample.hand),
            "deals": f"{number_words(deals, 'random deal')} of the other 21 tiles, the same for "
            "every trump",
            "seed": str(seed),
            "trumps": ", ".join(map(str, sample.trumps)),
            **_how(rows.attrs, method_words(rows.attrs["estimate"])),
            "passing": passing_words(rows.attrs["call"]["passing"], rows.attrs["call"]["unit"]),
            "again": _again(sample, passing, plain),
        }
    )
    return page.html(f"sim42 {rows.attrs['version']}")


def report_survey(run: pd.DataFrame) -> str:
    """A page about many hands: charts, a table of the hands, and what was run.

    Parameters
    ----------
    run : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.

    Returns
    -------
    str
        HTML that needs nothing beside it.

    >>> from sim42 import Study, run_study
    >>> page = report_survey(run_study(Study(hands=3, deals=4, seed=1, trumps=["fives", "sixes"])))
    >>> page.count("<svg"), page.count("<tr>")
    (5, 4)
    """
    check_run(run)
    facts = run.attrs
    hands = run["mask"].nunique()
    page = Page(f"What {number_words(hands, 'hand')} of Texas 42 can bid", DOUBLE_DUMMY)
    for words in (caution(facts), *_facts_lines(facts, unit_in(run))):
        if words:
            page.text(words)
    lowest = bids_of(run)[0]
    sections: list[tuple[str, Callable[[], Axes]]] = [
        ("The highest bid of a hand", lambda: charts.chart_bids(run)),
        ("Which trump", lambda: charts.chart_trumps(run)),
        ("What trumps and doubles are worth", lambda: charts.chart_types(run)),
        ("What a shape is worth", lambda: charts.chart_shapes(run)),
        ("How sure this is", lambda: charts.chart_convergence(running_run(run, lowest))),
    ]
    for heading, draw in sections:
        page.heading(heading)
        try:
            page.chart(draw())
        except RequestError as error:
            page.text(f"Not drawn: {error}.", "soft")
    page.heading("The hands")
    first = "The first " * (hands > MOST_HANDS)
    page.text(
        f"{first}{number_words(min(hands, MOST_HANDS), 'hand')}, each with its best trump and bid "
        "(–: pass). Marks are those expected of that bid, 0 of a pass; rates, in per cent, are "
        "those of that trump. Cross-fitted marks are free of the winner's curse: calls chosen on "
        "half the deals of the hand and rated on the other half. A click on a heading sorts by it.",
        "soft",
    )
    page.table(*_survey_table(run))
    page.heading("What was run")
    deals = count_words(run["deals"].min(), run["deals"].max(), "random deal")
    page.facts(
        {
            "hands": hands_words(hands, facts),
            "deals": f"{deals} around each hand, the same for every trump",
            "seed": seed_words(facts["seed"]).split(maxsplit=1)[1],
            "trumps": ", ".join(run["trump"].cat.remove_unused_categories().cat.categories),
            "lowest bid told apart": str(lowest),
            **_how(facts, "from the spread between hands"),
        }
    )
    return page.html(f"sim42 {facts['version']}")


def _hand_table(rows: pd.DataFrame) -> tuple[list[Column], list[list[Cell]]]:
    grid, offers = wide(rows), rows.attrs["call"]["offers"]
    bids = list(offers[0]["marks"])
    half = (rows["high"] - rows["low"]).groupby(rows["trump"], observed=True).max() / 2
    columns = [Column("trump"), *(Column(str(bid), percent) for bid in [*grid.columns, "±"])]
    columns += [Column("good up to", str)]
    columns += [Column(f"{rows.attrs['call']['unit']} {bid}", _marks) for bid in bids]
    told = rows.attrs["in_play"]
    chances = told["chances"]
    columns += [Column(f"in play {bid}", percent) for bid in grid.columns]
    columns += [Column("in play ±", percent)]
    played = [] if told["call"] is None else told["call"]["offers"]
    columns += [Column(f"marks in play {bid}", _marks) for bid in bids if played]
    table: list[list[Cell]] = [
        [
            offer["trump"],
            *grid.loc[offer["trump"]].tolist(),
            float(half[offer["trump"]]),
            offer["good_to"],
            *(offer["marks"][bid] for bid in bids),
            *(chance for chance, _, _ in chances[offer["trump"]]),
            max(high - low for _, low, high in chances[offer["trump"]]) / 2,
            *(part["marks"][bid] for part in played[place : place + 1] for bid in bids),
        ]
        for place, offer in enumerate(offers)
    ]
    return columns, table


def _survey_table(run: pd.DataFrame) -> tuple[list[Column], list[list[Cell]]]:
    shown = {
        "hand": Column("hand"),
        "best_trump": Column("best trump"),
        "best_bid": Column("bid", str),
        "shown": Column("shown marks", _marks),
        **{
            f"best_rate_{bid}": Column(f"makes {bid}", percent)
            for bid in sorted({bids_of(run)[0], 42})
        },
        "cross_marks": Column("cross-fitted marks", _marks),
        "play_trump": Column("trump in play"),
        "play_bid": Column("bid in play", str),
        "play_marks": Column("marks in play", _marks),
        **{
            f"play_rate_{bid}": Column(f"makes {bid} in play", percent)
            for bid in sorted({bids_of(run)[0], 42})
        },
        "deals": Column("deals", "{:,}".format),
    }
    best = best_calls(run).head(MOST_HANDS)[list(shown)].astype(object)
    rows = best.where(best.notna(), None).itertuples(index=False)
    return list(shown.values()), [list(row) for row in rows]


def _marks(marks: float) -> str:
    return f"{marks:+.2f}"


def _facts_lines(facts: dict[Any, Any], unit: str) -> list[str]:
    """What was given, and the rules if not the tournament's and what they mean for marks."""
    sentences = (given_words(facts), rules_words(facts["rules"]))
    in_marks = facts["rules"]["scoring"] == "points" and unit == "marks"
    return [*filter(None, sentences), *[POINTS_SCORED] * in_marks]


def _again(sample: HandSample, passing: Passing, plain: bool) -> str:
    """The command, for a shell, that makes this page."""
    rules, option, before = sample.rules, "", ""
    if rules != Rules():
        names = [name for name, preset in PRESETS.items() if preset == rules]
        if not names:
            changed = rules.changes()
            lines = [line for line in rules.to_toml().splitlines() if line.split()[0] in changed]
            quoted = " ".join(map(shlex.quote, lines))
            before = f"printf '%s\\n' {quoted} > rules.toml && "
        option = f" --rules {names[0] if names else 'rules.toml'}"
    trumps = ",".join(map(str, sample.trumps))
    price = f" --pass-value {passing.value:g}" * (passing.by == "number")
    price += f" --speaks {PLACES[passing.speaks - 1]}" * (passing.speaks > 1)
    given = "" if sample.given is None else f" --where {shlex.quote(sample.given.text)}"
    return (
        f'{before}sim42 report "{sample.hand}" --deals {sample.deals} --seed {sample.seed} '
        f"--trumps {trumps}{option}{given}{price}{' --plain' * plain} -o report.html"
    )


def _how(facts: dict[Any, Any], intervals: str) -> dict[str, str]:
    """What reports of both kinds say of how it was done."""
    return {
        "declarer": "seat 0, who leads; the declarer's side is seats 0 and 2",
        "rules": ", ".join(f"{name} {value}" for name, value in facts["rules"].items()),
        **({"given": facts["given"]} if facts.get("given") else {}),
        "intervals": f"95 % ({intervals})",
        "version": f"sim42 {facts['version']}",
    }
