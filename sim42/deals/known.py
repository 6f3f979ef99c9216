"""Short ways to say what is known of a seat, each read into a condition.

``6-6 !5-5`` of the partner is ``has(partner, 6-6) and not has(partner, 5-5)``, and ``fives>=2`` of
the left is ``suit(left, fives) >= 2``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from sim42.deals.conditions.functions import FUNCTIONS, OTHER_NAMES
from sim42.deals.conditions.parse import parse_condition
from sim42.deals.conditions.tree import SEAT_NAMES, Both, Call, Expression, Not, join
from sim42.deals.given import Given, Test
from sim42.errors import NotationError, RequestError, at, check_kind, shown
from sim42.game.tiles import parse_tiles
from sim42.game.trumps import ALIASES, Trump

_HOLDING: Final = re.compile(r"\s*([a-z0-9_-]+)\s*(<=|>=|==|!=|=|<|>)\s*([0-9]+)\s*", re.IGNORECASE)
_WORDS: Final = re.compile(r"[\s,;]+")


def what_is_known(
    where: str | Expression | Test | Given | None = None,
    *,
    partner: str = "",
    left: str = "",
    right: str = "",
    holds: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    trump: Trump | str | None = None,
) -> Given | None:
    """All that is known of the hidden hands as one condition; None when nothing is.

    Parameters
    ----------
    where : str, expression, function or Given, optional
        As for `Given`. A function goes with nothing else.
    partner, left, right : str
        Tiles that the seat holds and, with ``!`` before them, does not hold, as ``"6-6 !5-5"``.
    holds : mapping or pairs of str
        Seats and how many of a kind they hold, as ``{"left": "fives>=2"}``: a suit of pips, or a
        function of the language that takes a seat alone.
    trump : Trump or str, optional
        Meant by ``trumps`` and ``top`` where none is named.

    Raises
    ------
    NotationError, TileError
        When something cannot be read; says what and where.

    >>> what_is_known(partner="6-6 !5-5", holds={"left": "fives>=2"}).text
    'has(partner, 6-6) and not has(partner, 5-5) and suit(left, fives) >= 2'
    >>> what_is_known(holds=[("right", "trumps=0")], trump="sixes").text
    'trumps(right, sixes) = 0'
    """
    named = None if trump is None else Trump(trump)
    parts: list[Expression] = []
    for seat, text in (("partner", partner), ("left", left), ("right", right)):
        check_kind(text, seat, str, "tiles as a text, as 6-6 !5-5")
        with at(seat):
            parts.extend(_tiles_known(SEAT_NAMES.index(seat), text))
    for seat, text in _pairs(holds):
        with at("holds"):
            parts.append(_holding(seat, text, named))
    if where is None:
        return Given(join(Both, parts)) if parts else None
    condition = Given(where, named)
    if not parts:
        return condition
    if condition.tree is None:
        raise NotationError("a function of one's own goes with no other condition; put all in it")
    return Given(join(Both, [*parts, condition.tree]))


def _pairs(holds: object) -> list[tuple[str, str]]:
    """Seats and what they hold, if that is what these are."""
    pairs = holds.items() if isinstance(holds, Mapping) else holds
    try:
        found = [(seat, text) for seat, text in pairs]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        found = [(None, None)]
    if not all(isinstance(part, str) for pair in found for part in pair):
        raise RequestError(f"holds {shown(holds)}: give texts by seat, as {{'left': 'fives>=2'}}")
    return found


def _tiles_known(seat: int, text: str) -> list[Expression]:
    """What a list of tiles held and not held says of a seat."""
    words = [word for word in _WORDS.split(text.strip()) if word]
    tiles = parse_tiles(" ".join(word.removeprefix("!") for word in words))
    calls = [Call("has", seat, (tile,)) for tile in tiles]
    return [
        Not(call) if word.startswith("!") else call for word, call in zip(words, calls, strict=True)
    ]


def _holding(seat: str, text: str, trump: Trump | None) -> Expression:
    """What ``fives>=2`` says of a seat."""
    if seat not in SEAT_NAMES:
        raise NotationError(f"{seat!r} is no seat; one of {', '.join(SEAT_NAMES)}")
    match = _HOLDING.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{text!r}: a kind, a comparison and a number, as fives>=2, doubles<=1 or count=0"
        )
    what, sign, number = match[1].lower(), match[2], match[3]
    function = FUNCTIONS.get(OTHER_NAMES.get(what, what))
    if function is not None and set(function.takes) <= {"trump"}:
        asked = f"{what}({seat})"
    elif ALIASES.get(what, 9) <= Trump.SIXES:
        asked = f"suit({seat}, {what})"
    else:
        kinds = [f.name for f in FUNCTIONS.values() if set(f.takes) <= {"trump"}]
        raise NotationError(
            f"{what!r}: not a kind to count; blanks, ones, ... sixes, {', '.join(kinds)}"
        )
    return parse_condition(f"{asked} {sign} {number}", trump)
