"""Options that let bids be played by players who see only their own hand."""

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from sim42.cli._options import Command, refuse_idle
from sim42.errors import RequestError

if TYPE_CHECKING:
    from sim42.runs.playing import Playing


class _Bids(click.ParamType[tuple[int, ...]]):
    """Bids in a list as ``30,36,42``."""

    name = "list"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        words = value.split(",")
        bids = [int(word) for word in words if word.strip().isdecimal() and len(word) < 9]
        if len(bids) < len(words) or len(set(bids)) < len(bids) or set(bids) - {*range(30, 43)}:
            self.fail(f"{value[:60]!r}: bids of 30 to 42, each once, as 30,36,42", param, ctx)
        return tuple(bids)


def playing_options(command: Command) -> Command:
    """``--play``, ``--others``, ``--bids``: `playing`, a function that gives it or None."""

    @wraps(command)
    def run(*args: Any, play: str | None, others: str | None, bids: Any, **options: Any) -> Any:
        return command(*args, playing=_playing(play, others, bids), **options)

    decorated: Any = click.option(
        "--bids", type=_Bids(), help="With --play: the bids played; 30,31,35,42 if not given."
    )(run)
    decorated = click.option(
        "--others", metavar="PLAYER", help="With --play: who defends, if it is another."
    )(decorated)
    decorated = click.option(
        "--play",
        metavar="PLAYER",
        help="Let each bid be played too, by players who see only their own hand: pimc:20, club,"
        " ...; sim42 arena --help names them.",
    )(decorated)
    result: Command = decorated
    return result


def _playing(
    play: str | None, others: str | None, bids: tuple[int, ...] | None
) -> "Playing | None":
    """What the options ask for, its players found."""
    if play is None:
        refuse_idle("goes with --play PLAYER", "others", "bids")
        return None
    from sim42.runs.playing import PLAYED_BIDS, Playing

    try:
        return Playing(play, others, bids or PLAYED_BIDS)
    except RequestError as error:
        raise RequestError(f"--play: {error}") from None
