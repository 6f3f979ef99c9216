"""Players by name: ``random``, ``club``, ``pimc:20``, ``double-dummy``, the user's own, ...."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Final

from sim42.errors import RequestError, check_kind
from sim42.game.tiles import HAND_SIZE
from sim42.play.alphamu import AlphaMuPlayer
from sim42.play.bids import fit_of_bids
from sim42.play.club import ClubPlayer
from sim42.play.pimc import PimcPlayer
from sim42.play.players import Player, RandomPlayer, SeeingPlayer
from sim42.play.seeing import DoubleDummyPlayer

NAMES: Final = ("random", "club", "pimc:N", "alphamu:N,M", "double-dummy", "module:name")
PLAIN: Final[dict[str, Callable[[], Player | SeeingPlayer]]] = {
    "random": RandomPlayer,
    "club": ClubPlayer,
    "double-dummy": DoubleDummyPlayer,
}
MOST_LAYOUTS: Final = 100_000
MOST_PLANNED: Final = 60
"""Layouts that a plan is made for: each is a bit of a word."""


def find_player(name: str) -> Player | SeeingPlayer:
    """The player with a name.

    Parameters
    ----------
    name : str
        ``random``; ``club``; ``pimc:N``, which solves N layouts for each decision, 1 to 100,000;
        ``alphamu:N,M``, which plans M plays of its own, 1 to 7, in N layouts, 1 to 60; either with
        ``+bids`` at its end, which draws layouts by how well each hand fits its own bid;
        ``double-dummy``; or ``module:name`` of a Python player: an object with the method of
        `sim42.play.players.Player`, or a class or function that gives one without arguments.

    Raises
    ------
    RequestError
        When there is none, or it cannot play.

    >>> find_player("pimc:20")
    PimcPlayer(layouts=20)
    """
    check_kind(name, "player", str, f"the name of one; players are {', '.join(NAMES)}")
    if name in PLAIN:
        return PLAIN[name]()
    if found := re.fullmatch(
        r"(pimc|alphamu):([0-9]{1,9})(?:,([0-9]{1,9}))?(\+bids)?", name, re.ASCII
    ):
        kind, *numbers, infers = found.groups()
        weigh = fit_of_bids if infers else None
        layouts, moves = (None if number is None else int(number) for number in numbers)
        most = MOST_LAYOUTS if kind == "pimc" else MOST_PLANNED
        if layouts is None or not 1 <= layouts <= most:
            raise RequestError(f"player {name!r}: from 1 to {most:,} layouts")
        if kind == "pimc" and moves is None:
            return PimcPlayer(layouts, weigh=weigh)
        if kind == "alphamu" and moves is not None:
            if not 1 <= moves <= HAND_SIZE:
                raise RequestError(f"player {name!r}: plans 1 to {HAND_SIZE} plays ahead")
            return AlphaMuPlayer(layouts, moves, weigh=weigh)
    module, colon, attribute = name.partition(":")
    if not colon or module in ("pimc", "alphamu", *PLAIN) or not attribute.isidentifier():
        raise RequestError(f"player {name!r}: none of that name; players are {', '.join(NAMES)}")
    return _imported(name, module, attribute)


def _imported(name: str, module: str, attribute: str) -> Player | SeeingPlayer:
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise RequestError(f"player {name!r}: {error}") from None
    methods = ("choose", "choose_seeing")
    if isinstance(found, type) or not any(hasattr(found, method) for method in methods):
        if not callable(found):
            raise RequestError(f"player {name!r}: has no method choose(view, draw)")
        found = found()
    if not any(callable(getattr(found, method, None)) for method in methods):
        raise RequestError(f"player {name!r}: has no method choose(view, draw)")
    player: Player | SeeingPlayer = found
    return player
