"""Options that say what passing is worth and when the hand speaks."""

from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from sim42.cli._options import Command
from sim42.errors import RequestError, shown
from sim42.game.rules import Rules
from sim42.game.tiles import Hand

if TYPE_CHECKING:
    from sim42.deals.given import Given
    from sim42.tables.passing import Passing, PassValue

PASSING_OPTIONS: Final = ("pass_value", "speaks")
PLACES: Final = ("first", "second", "third", "last")
"""As `sim42.tables.passing.PLACES`, which takes a while to import."""


class Asked(NamedTuple):
    """What the options say."""

    value: "PassValue"
    speaks: int

    def worth(
        self,
        hand: Hand,
        deals: int,
        seed: int,
        rules: Rules,
        given: "Given | None",
        threads: int | None,
    ) -> "Passing":
        """What passing is worth with a hand."""
        from sim42.tables.passing import pass_value

        return pass_value(self.value, hand, deals, seed, rules, given, self.speaks, threads)


class _Value(click.ParamType["PassValue"]):
    """A number, or ``model``."""

    name = "0|model|number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "PassValue":
        from sim42.tables.passing import checked_value

        try:
            return checked_value(value if value == "model" else float(value))
        except (RequestError, ValueError):
            self.fail(f'{shown(value)}: "model", or a number from -250 to 250', param, ctx)


def passing_options(command: Command) -> Command:
    """``--pass-value``, ``--speaks``: `passing`, an `Asked`."""

    @wraps(command)
    def run(*args: Any, pass_value: "PassValue", speaks: str, **options: Any) -> Any:
        return command(*args, passing=Asked(pass_value, PLACES.index(speaks) + 1), **options)

    decorated: Any = click.option(
        "--speaks",
        type=click.Choice(PLACES),
        default=PLACES[0],
        show_default=True,
        help="Place of HAND in the auction; those before it have passed.",
    )(run)
    result: Command = click.option(
        "--pass-value",
        type=_Value(),
        default="model",
        show_default=True,
        help="What passing is worth, in marks or points a deal; model: as the others then bid, each"
        " by what its own tiles promise, and play it double dummy.",
    )(decorated)
    return result
