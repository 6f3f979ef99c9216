"""What is known of the hidden hands, as options that commands share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from sim42.cli._options import OneTrump, read_lines
from sim42.errors import RequestError, at
from sim42.game.rules import Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.tables.words import number_words

if TYPE_CHECKING:
    from sim42.deals.conditions.tree import Expression
    from sim42.deals.conditions.values import Estimate
    from sim42.deals.given import Given

Command = TypeVar("Command", bound=Callable[..., Any])
OTHERS: Final = ("partner", "left", "right")
EXPLAINED: Final = 5
"""Deals that are shown part by part."""
PILOT: Final = 20_000
"""Layouts tried to see how many pass."""
ASKED: Final = 24
"""Deals of which it is asked what a seat would bid, to see how many pass and what it costs."""


@dataclass(frozen=True)
class Known:
    """What the options say of the hidden hands."""

    partner: str | None
    left: str | None
    right: str | None
    holds: tuple[tuple[str, str], ...]
    where: str | None
    explain: bool

    def given(self, trump: Trump | None) -> "Given | None":
        """All of it as one condition; the trump is what ``trumps(seat)`` means."""
        from sim42.deals.given import Given
        from sim42.deals.known import what_is_known

        where = None
        if self.where is not None:
            with at("--where"):
                where = Given(read_question(self.where), trump)
        seats = {name: getattr(self, name) or "" for name in OTHERS}
        return what_is_known(where, holds=self.holds, trump=trump, **seats)

    def say(
        self,
        given: "Given | None",
        hand: Hand | None,
        seed: int,
        deals: int,
        estimate: "Estimate | None" = None,
    ) -> None:
        """Say on stderr what dealing so many deals will take, and what `explain` shows.

        Raises
        ------
        RequestError
            When it is certain that no deal is so.
        """
        if given is None:
            if self.explain and estimate is None:
                raise click.UsageError("--explain: nothing is known that could be explained")
            return
        _say_layouts(given, hand, deals, estimate)
        if self.explain and given.tree is not None:
            click.echo(explain(given.tree, hand, seed, estimate), err=True)


KNOWN_OPTIONS: Final = tuple(Known.__dataclass_fields__)
"""Names of these options."""


def known_options(command: Command) -> Command:
    """``--partner``, ``--left``, ``--right``, ``--holds``, ``--where``, ``--explain``: `known`."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        said = {name: options.pop(name) for name in KNOWN_OPTIONS}
        return command(*args, known=Known(**said), **options)

    decorated: Any = click.option(
        "--explain",
        is_flag=True,
        help=f"Show what each part of the condition says of {EXPLAINED} random deals.",
    )(run)
    decorated = click.option(
        "--where",
        metavar="CONDITION",
        help='What is known besides, as "doubles(partner) >= 2 and trumps(left) <= 1", or @FILE;'
        " sim42 odds --help tells the language.",
    )(decorated)
    decorated = click.option(
        "--holds",
        metavar="SEAT WHAT",
        nargs=2,
        multiple=True,
        help='How many a seat holds of a kind, as left "fives>=2"; may come more than once.',
    )(decorated)
    for name in reversed(OTHERS):
        decorated = click.option(
            f"--{name}",
            metavar="TILES",
            help=f'Tiles of {"the partner" if name == "partner" else f"the {name}"}, as "6-6 !5-5":'
            " the one is held, the other is not.",
        )(decorated)
    result: Command = decorated
    return result


def meant_trump_option(command: Command) -> Command:
    """``--trump``, where no trumps are asked for otherwise."""
    return click.option(
        "--trump", type=OneTrump(), help="Meant by trumps(SEAT) and top(SEAT) where none is named."
    )(command)


def read_question(text: str) -> str:
    """A text of the language itself, or that of a file for ``@FILE``."""
    if not text.startswith("@"):
        return text
    if text == "@":
        raise RequestError("'@' names no file; as @question.txt, or @- for stdin")
    return "\n".join(line for _, line in read_lines(text[1:]))


def only(trumps: Sequence[Trump]) -> Trump | None:
    """The trump that ``trumps(seat)`` means: the only one asked for."""
    return trumps[0] if len(trumps) == 1 else None


def _say_layouts(
    given: "Given", hand: Hand | None, deals: int, estimate: "Estimate | None"
) -> None:
    """Say on stderr how many layouts there are, how many drawn will pass, and what that costs."""
    around = given.around(None if hand is None else hand.mask)
    line = f"given {given}: {number_words(around.layouts.count, 'layout')}"
    if around.rest is None:
        click.echo(f"{line}, drawn exactly", err=True)
        return
    start = perf_counter()
    passing, tries = around.pilot(PILOT)
    cost = (perf_counter() - start) * deals
    take = f"{number_words(deals, 'deal')} {'take' if deals > 1 else 'takes'}"
    if not len(passing):
        line += f", of which none passed in {tries:,} tries"
        click.echo(f"{line}; {take} {_seconds(cost)} or more", err=True)
        return
    if len(passing) < tries:
        unit = "" if tries == around.layouts.count else " tries"
        line += f", of which {len(passing) / tries:.2%} pass ({len(passing):,} of {tries:,}{unit})"
    cost /= len(passing)
    bid = 1
    if given.is_costly:
        few = passing[:ASKED]
        start = perf_counter()
        bid = around.passes(few, costly=True, estimate=estimate).sum()
        solving = perf_counter() - start
        line += f"; what takes solving let {bid} of {len(few)} pass"
        # Where none passed, as if one of so many more would have.
        cost = (cost * len(few) + solving * deals) / max(bid, 0.5)
    time = f"about {_seconds(cost)}" if bid else f"{_seconds(cost)} or more"
    click.echo(f"{line}; {take} {time}", err=True)


def estimate_for(
    tree: "Given | Expression | None", rules: Rules | None = None, threads: int | None = None
) -> "Estimate | None":
    """What answers ``bids``, made ready where it is asked."""
    if tree is None or "bids(" not in str(tree):
        return None
    from sim42.cli._progress import compile_for
    from sim42.runs.bidding import bid_estimate
    from sim42.solver.inside import makes_many

    compile_for(makes_many)
    return bid_estimate(rules, threads)


def say_cost(tree: "Expression", hand: Hand | None, deals: int, estimate: "Estimate") -> None:
    """Say on stderr what it takes to ask so many deals what must be solved."""
    from sim42.deals.conditions.values import values_of
    from sim42.deals.random import random_deals

    few = random_deals(ASKED, 0, (0 if hand is None else hand.mask, 0, 0, 0))
    start = perf_counter()
    values_of(tree, few, estimate)
    cost = (perf_counter() - start) / ASKED
    click.echo(
        f"asking {number_words(deals, 'deal')} {tree} takes about {_seconds(deals * cost)}",
        err=True,
    )


def _seconds(number: float) -> str:
    """A time in words, not finer than it is known.

    >>> _seconds(0.2), _seconds(7.4), _seconds(4000)
    ('a second', '7 seconds', '67 minutes')
    """
    if number < 1.5:
        return "a second"
    return f"{number:.0f} seconds" if number < 120 else f"{number / 60:.0f} minutes"


def explain(
    tree: "Expression", hand: Hand | None, seed: int, estimate: "Estimate | None" = None
) -> str:
    """What each part of a tree says of some random deals around a hand, a column a deal."""
    from sim42.deals.conditions.parse import is_truth
    from sim42.deals.conditions.tree import Number, parts_of
    from sim42.deals.conditions.values import values_of
    from sim42.deals.random import random_deals

    deals = random_deals(EXPLAINED, seed, (0 if hand is None else hand.mask, 0, 0, 0))
    lines = ["deal  " + "".join(f"{i:>6}" for i in range(EXPLAINED))]

    def show(part: "Expression", depth: int) -> None:
        values = values_of(part, deals, estimate).tolist()
        words = [("yes" if v else "no") if is_truth(part) else f"{v}" for v in values]
        lines.append("      " + "".join(f"{word:>6}" for word in words) + f"  {'  ' * depth}{part}")
        for inner in parts_of(part):
            if not isinstance(inner, Number):
                show(inner, depth + 1)

    show(tree, 0)
    return "\n".join(lines)
