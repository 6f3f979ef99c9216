"""The nine trumps: ids, names, and the other words players use for them (R1)."""

from collections.abc import Iterable
from enum import EnumType, IntEnum
from operator import index
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from sim42.errors import NotationError, shown


class _Calls(EnumType):
    """What `Trump` is made by: lets only numbers and texts reach the enumeration."""

    def __call__(cls, value: Any, *names: Any, **options: Any) -> Any:
        if not isinstance(value, str):
            try:
                value = -1 if isinstance(value, bool) else index(value)
            except TypeError:
                value = _not_a_trump(value)
        return super().__call__(value, *names, **options)


class Trump(IntEnum, metaclass=_Calls):
    """A trump; its value is its id, and the order everywhere is that of the ids.

    ``Trump(text)`` takes the name or an alias, in any case: ``"fives"``, ``"5"``, ``"aces"``,
    ``"deuces"``, ``"treys"``, ``"no-trump"``.

    Raises
    ------
    NotationError
        When the text is no trump.

    >>> Trump("fives") is Trump.FIVES is Trump(5) is Trump("5")
    True
    >>> [str(trump) for trump in Trump][-2:]
    ['doubles', 'follow-me']
    """

    BLANKS = 0
    ONES = 1
    TWOS = 2
    THREES = 3
    FOURS = 4
    FIVES = 5
    SIXES = 6
    DOUBLES = 7
    FOLLOW_ME = 8

    if TYPE_CHECKING:  # the enumeration's own constructor also takes what `_missing_` knows

        def __new__(cls, value: int | str) -> Self: ...  # noqa: D102

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")

    @classmethod
    def _missing_(cls, value: object) -> "Trump":
        word = str(value).strip().lower().replace("_", "-").replace(" ", "-")
        if isinstance(value, str) and word in ALIASES:
            return cls(ALIASES[word])
        return _not_a_trump(value)


def _not_a_trump(value: object) -> NoReturn:
    word = repr(value[:20]) if isinstance(value, str) else shown(value)
    raise NotationError(f"{word}: not a trump; one of {', '.join(map(str, Trump))}")


ALIASES: Final = {
    **{str(trump): int(trump) for trump in Trump},
    **{str(pip): pip for pip in range(7)},
    **dict.fromkeys(("blank", "zeros", "zeroes"), 0),
    **dict.fromkeys(("one", "ace", "aces"), 1),
    **dict.fromkeys(("two", "deuce", "deuces"), 2),
    **dict.fromkeys(("three", "trey", "treys"), 3),
    **{"four": 4, "five": 5, "six": 6, "double": 7},
    **dict.fromkeys(("followme", "no-trump", "no-trumps", "notrump", "nt", "none"), 8),
}
"""Trump id of each word that names one."""


def choose_trumps(trumps: Iterable[Trump | str | int] | str | None) -> tuple[Trump, ...]:
    """The trumps meant: all nine for None, those of a text, or the given ones, in their order.

    Raises
    ------
    NotationError
        When one is no trump, comes twice, or there is none.

    >>> choose_trumps(["doubles", 5]) == choose_trumps((Trump.DOUBLES, Trump.FIVES))
    True
    """
    if trumps is None:
        return tuple(Trump)
    if isinstance(trumps, str):
        return parse_trumps(trumps)
    try:
        chosen = tuple(Trump(trump) for trump in trumps)
    except TypeError:
        raise NotationError(f"trumps {shown(trumps)}: name them in a list or a text") from None
    if not chosen:
        raise NotationError("no trumps: name one at least")
    for place, trump in enumerate(chosen):
        if trump in chosen[:place]:
            raise NotationError(f"{trump} is named twice")
    return chosen


def parse_trumps(text: str) -> tuple[Trump, ...]:
    """Trumps named in a list as ``fives,doubles``, in the order of their ids.

    ``all`` is all nine, and ``pips`` the seven that are suits of pips.

    Raises
    ------
    NotationError
        When a word is no trump, comes twice, or there is none.

    >>> [str(trump) for trump in parse_trumps("doubles,fives")]
    ['fives', 'doubles']
    """
    words = [word.strip() for word in text.split(",")]
    if words == ["all"]:
        return tuple(Trump)
    if words == ["pips"]:
        return tuple(Trump)[: Trump.DOUBLES]
    return tuple(sorted(choose_trumps(words)))
