"""What a user can get wrong: every error says in one line what, where, and what would be right.

All are `ValueError`, so a caller who does not care which may catch that.

>>> from sim42 import Hand, errors
>>> try:
...     Hand("6-4 7-0")
... except errors.NotationError as error:
...     print(error)
tile 2: '7-0': not a tile; a tile is two ends of 0 to 6, as 6-4
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index
from typing import Any


class Sim42Error(ValueError):
    """Base of all errors that come from what the user gave."""


class NotationError(Sim42Error):
    """Text that is not a tile, hand, deal, trump, bid or record."""


class ConditionError(NotationError):
    """Text that is not a condition; below the message it shows the place, with a caret."""


class TileError(Sim42Error):
    """Tiles that cannot be so: held twice, too many, too few, not in the set."""


class RulesError(Sim42Error):
    """Options of the rules that do not exist or do not go together."""


class IllegalBid(Sim42Error):
    """A bid that the auction does not allow at this point."""


class IllegalPlay(Sim42Error):
    """A tile that may not be played at this point."""


class RequestError(Sim42Error):
    """A question that cannot be answered as asked: no deals, a seat or seed out of range."""


class BatchError(RequestError):
    """Entries of a batch that are wrong, while the others are answered.

    Attributes
    ----------
    faults : dict of int to str
        What is wrong with each wrong entry, by its number.
    answers : array
        What would have been returned; -1 or False where an entry is wrong.
    """

    def __init__(self, message: str, faults: dict[int, str] | None = None, answers: Any = None):
        super().__init__(message)
        self.faults = faults or {}
        self.answers = answers


class RunError(Sim42Error):
    """A run directory that is not whole, or was asked something else."""


def whole(number: object, what: str, least: int, most: int) -> int:
    """A plain int from any kind of whole number, as numpy has.

    Raises
    ------
    RequestError
        When it is none, or not within the bounds.

    >>> whole(3, "shaker", 0, 3)
    3
    >>> try:
    ...     whole(3.0, "shaker", 0, 3)
    ... except RequestError as error:
    ...     print(error)
    shaker 3.0: not a whole number from 0 to 3
    """
    try:
        plain = least - 1 if isinstance(number, bool) else index(number)  # type: ignore[arg-type]
    except TypeError:
        plain = least - 1
    if not least <= plain <= most:
        raise RequestError(f"{what} {shown(number)}: not a whole number from {least} to {most}")
    return plain


def shown(value: object) -> str:
    """Any value on one short line; of a large one what it is.

    >>> shown("6-4"), shown([0] * 100)
    ("'6-4'", 'a value of type list')
    """
    text = repr(value)
    if len(text) <= 60 and text.isprintable():
        return text
    return f"a value of type {type(value).__name__}"


def check_kind(value: object, what: str, kinds: type | tuple[type, ...], right: str) -> None:
    """Raise `RequestError` unless a value is of one of these types; `right` names them.

    >>> try:
    ...     check_kind(3, "study", str, "a Study")
    ... except RequestError as error:
    ...     print(error)
    study 3: give a Study
    """
    if not isinstance(value, kinds):
        raise RequestError(f"{what} {shown(value)}: give {right}")


def check_frame(
    value: object, what: str, made_by: str, columns: Iterable[str], facts: Iterable[str] = ()
) -> None:
    """Raise `RequestError` unless a value is a frame with these columns, and facts in ``.attrs``.

    >>> import pandas as pd
    >>> for value in (None, pd.DataFrame({"mask": []})):
    ...     try:
    ...         check_frame(value, "run", "load_run", ["mask"], ["seed"])
    ...     except RequestError as error:
    ...         print(error)
    run None: give a frame as load_run does
    run: a frame without .attrs seed; give one as load_run does
    """
    import pandas as pd

    if not isinstance(value, pd.DataFrame):
        raise RequestError(f"{what} {shown(value)}: give a frame as {made_by} does")
    lacking = [f"column {name}" for name in columns if name not in value]
    lacking += [f".attrs {name}" for name in facts if name not in value.attrs]
    if lacking:
        raise RequestError(
            f"{what}: a frame without {', '.join(lacking)}; give one as {made_by} does"
        )


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put the place before the message of an error of ours raised inside.

    >>> try:
    ...     with at("line 3"):
    ...         raise NotationError("not a tile")
    ... except NotationError as error:
    ...     print(error)
    line 3: not a tile
    """
    try:
        yield
    except Sim42Error as error:
        raise type(error)(f"{place}: {error}") from None
