"""What is known of the hidden hands, as options that commands share."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from sim42.cli._options import read_lines
from sim42.errors import at
from sim42.game.trumps import Trump

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sim42.deals.conditions.tree import Expression
    from sim42.deals.given import Given

Command = TypeVar("Command", bound=Callable[..., Any])
OTHERS: Final = ("partner", "left", "right")
EXPLAINED: Final = 5
"""Deals that are shown part by part."""
PILOT: Final = 20_000
"""Layouts tried to see how many pass."""


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


def known_options(command: Command) -> Command:
    """``--partner``, ``--left``, ``--right``, ``--holds``, ``--where``, ``--explain``: `known`."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        said = {name: options.pop(name) for name in Known.__dataclass_fields__}
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


def read_question(text: str) -> str:
    """A text of the language itself, or that of a file for ``@FILE``."""
    if not text.startswith("@"):
        return text
    return "\n".join(line for _, line in read_lines(text[1:]))


def say_what_is_given(given: "Given", hand_mask: int | None, deals: int | None) -> None:
    """Say on stderr how many layouts there are, and how many of those drawn will pass."""
    from time import perf_counter

    around = given.around(hand_mask)
    line = f"given {given}: {around.layouts.count:,} layouts"
    if around.rest is None:
        click.echo(f"{line}, dealt exactly", err=True)
        return
    start = perf_counter()
    passed = around.pilot(PILOT)
    cost = (perf_counter() - start) / PILOT
    if not passed:
        click.echo(f"{line}, of which none passed in {PILOT:,} tries", err=True)
        return
    rate = passed / PILOT
    time = f"; {deals:,} deals take about {_seconds(deals * cost / rate)}" if deals else ""
    click.echo(f"{line}, of which about 1 in {1 / rate:,.3g} passes{time}", err=True)


def _seconds(number: float) -> str:
    """A time in words, not finer than it is known.

    >>> _seconds(0.2), _seconds(7.4), _seconds(4000)
    ('a second', '7 seconds', '67 minutes')
    """
    if number < 1.5:
        return "a second"
    return f"{number:.0f} seconds" if number < 120 else f"{number / 60:.0f} minutes"


def explain(tree: "Expression", deals: "NDArray[np.int64]") -> str:
    """What each part of a tree says of some deals (n, 4), a column a deal, counted from 0."""
    from sim42.deals.conditions.parse import is_truth
    from sim42.deals.conditions.tree import Number, parts_of
    from sim42.deals.conditions.values import values_of

    lines = ["deal  " + "".join(f"{i:>6}" for i in range(len(deals)))]

    def show(part: "Expression", depth: int) -> None:
        values = values_of(part, deals).tolist()
        words = [("yes" if v else "no") if is_truth(part) else f"{v}" for v in values]
        lines.append("      " + "".join(f"{word:>6}" for word in words) + f"  {'  ' * depth}{part}")
        for inner in parts_of(part):
            if not isinstance(inner, Number):
                show(inner, depth + 1)

    show(tree, 0)
    return "\n".join(lines)
