"""Bids and hand records as text. Tiles, hands, deals and trumps read and print themselves.

A hand record is one JSON object a line, all of it optional: what is missing is not yet known::

    {"deal": "6-6 6-5 ... / ... / ... / ...", "shaker": 3, "bids": ["30", "pass", "pass", "pass"],
     "trump": "sixes", "plays": ["6-6", "6-1", "6-0", "5-1"]}

- ``deal``: the hands of seats 0 to 3; ``shaker``: the seat that dealt, 0 to 3.
- ``bids`` in the order spoken, ``plays`` in the order played. Whose each is follows from the rules.
- ``claim``: true when the player to lead then claimed every trick left.
- ``result``: ``made``, and of each side (seats 0 and 2, seats 1 and 3) the ``points`` taken and the
  ``score`` that they gave, in marks or points.
- ``score``: of each side before the hand, 0 and 0 when missing; ``rules``: a name, or the options
  that differ from the tournament's.

A `Record` is only what was written; `sim42.game.Game.from_record` plays it by the rules.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import index
from typing import Any, Final, NamedTuple

from sim42.errors import NotationError, at, shown
from sim42.game.rules import LADDER, MARK, MARK_BIDS, PASS, PRESETS, Rules
from sim42.game.tiles import NAMES, SEATS, Deal, parse_tile
from sim42.game.trumps import Trump

_MARKS = re.compile(r"([1-5]) ?marks?")


def parse_bid(text: str) -> int:
    """The bid written ``pass``, ``30`` to ``41``, ``42`` or ``1 mark``, ``84`` or ``2 marks``, ...

    Returns
    -------
    int
        0 for a pass; 30 to 42, 84, 126, 168 or 210.

    Raises
    ------
    NotationError
        When the text is no bid.

    >>> [parse_bid(text) for text in ("pass", "31", "1 mark", "84")]
    [0, 31, 42, 84]
    """
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)}: a bid is text here, as 30 or pass")
    word = text.strip().lower()
    if word == "pass":
        return PASS
    if match := _MARKS.fullmatch(word):
        return MARK * int(match[1])
    if word in _BIDS:
        return int(word)
    marks = ", ".join(map(str, MARK_BIDS))
    raise NotationError(
        f"{_shown(text)}: not a bid; pass, 30 to 41, or marks: {marks} (1 mark to 5 marks)"
    )


_BIDS: Final = frozenset(map(str, LADDER))


def bid_of(bid: int | str) -> int:
    """The bid given by its number or its text.

    Raises
    ------
    NotationError
        When it is neither; whether the number is on the ladder is for the auction to say.

    >>> bid_of("1 mark"), bid_of(42)
    (42, 42)
    """
    try:
        return parse_bid(bid) if isinstance(bid, str) else index(bid)
    except TypeError:
        raise NotationError(f"{shown(bid)}: a bid is a number or text, as 30 or pass") from None


def format_bid(bid: int) -> str:
    """Canonical text of a bid.

    >>> format_bid(0), format_bid(84)
    ('pass', '84')
    """
    return str(bid) if bid else "pass"


class Result(NamedTuple):
    """How a hand ended; pairs are of seats 0 and 2, and of seats 1 and 3.

    Attributes
    ----------
    made : bool
        Whether the contract was made; else it was set.
    points : tuple of two int
        Points taken by each side until play stopped (S1).
    score : tuple of two int
        What each side scores for it: marks (S2) or points (S3).

    >>> print(Result(made=True, points=(30, 2), score=(1, 0)))
    made, points 30 to 2, score 1 to 0
    """

    made: bool
    points: tuple[int, int]
    score: tuple[int, int]

    def __str__(self) -> str:
        ending = "made" if self.made else "set"
        return "{}, points {} to {}, score {} to {}".format(ending, *self.points, *self.score)


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a hand record says, each part read but not judged by the rules.

    >>> record = parse_record('{"shaker": 3, "bids": ["30", "pass"]}')
    >>> record.bids, record.deal
    ((30, 0), None)
    >>> parse_record(format_record(record)) == record
    True
    """

    deal: Deal | None = None
    shaker: int | None = None
    score: tuple[int, int] = (0, 0)
    rules: Rules | None = None
    bids: tuple[int, ...] = ()
    trump: Trump | None = None
    plays: tuple[int, ...] = ()
    claim: bool = False
    result: Result | None = None


def parse_record(text: str) -> Record:
    """The record in one line of JSON.

    Raises
    ------
    NotationError, TileError, RulesError
        When it is no record; says at which key, bid or play, and why.
    """
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotationError(
            f"not a line of JSON: {error.msg} at character {error.pos + 1}"
        ) from None
    except RecursionError:
        raise NotationError("not a record: too deeply nested") from None
    except TypeError:
        raise NotationError(f"{shown(text)}: a record is a line of text") from None
    except NotationError:
        raise
    except ValueError:
        raise NotationError("not a record: a number of too many digits") from None
    if not isinstance(data, dict):
        raise NotationError(f'a record is a JSON object, {{"deal": ...}}, not {_shown(data)}')
    for key in data:
        if key not in _READERS:
            raise NotationError(f"{_shown(key)}: no such key; keys are {', '.join(_READERS)}")
    parts: dict[str, Any] = {}
    for key, value in data.items():
        with at(key):
            parts[key] = _READERS[key](value)
    return Record(**parts)


def format_record(record: Record) -> str:
    """A record as one line of JSON without its end; what is not known is left out.

    >>> format_record(Record(shaker=1, bids=(0, 42)))
    '{"shaker": 1, "bids": ["pass", "42"]}'
    """
    data: dict[str, Any] = {}
    if record.deal is not None:
        data["deal"] = str(record.deal)
    if record.shaker is not None:
        data["shaker"] = record.shaker
    if record.score != (0, 0):
        data["score"] = list(record.score)
    if record.rules is not None:
        names = [name for name, preset in PRESETS.items() if preset == record.rules]
        data["rules"] = names[0] if names else record.rules.changes()
    if record.bids:
        data["bids"] = [format_bid(bid) for bid in record.bids]
    if record.trump is not None:
        data["trump"] = str(record.trump)
    if record.plays:
        data["plays"] = [NAMES[tile] for tile in record.plays]
    if record.claim:
        data["claim"] = True
    if record.result is not None:
        data["result"] = record.result._asdict()
    return json.dumps(data)


def read_records(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Record]]:
    """Records of a stream with the number of the line each stands in; blank lines are passed over.

    Raises
    ------
    NotationError, TileError, RulesError
        When a line is no record; says which line.

    >>> [line for line, _ in read_records(['{"shaker": 0}', "", '{"shaker": 1}'])]
    [1, 3]
    """
    for number, line in enumerate(lines, start=1):
        with at(f"line {number}"):
            text = _decoded(line).removeprefix("\ufeff").strip()
            record = parse_record(text) if text else None
        if record is not None:
            yield number, record


def _decoded(line: str | bytes) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise NotationError(f"not UTF-8 text (byte {error.start})") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise NotationError(f"{_shown(twice)}: given twice")
    return found


def _no_constant(name: str) -> None:
    raise NotationError(f"{name}: not JSON")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{_shown(value)} is not text")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NotationError(f"{_shown(value)} is not a list")
    return value


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise NotationError(f"{_shown(value)} is not a whole number from 0 to {most}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"{_shown(value)} is not true or false")
    return value


def _pair(value: Any) -> tuple[int, int]:
    if len(_list(value)) != 2:
        raise NotationError(f"{_shown(value)} is not two numbers, of seats 0 and 2, and 1 and 3")
    return _whole(value[0], 1000), _whole(value[1], 1000)


def _bids(value: Any) -> tuple[int, ...]:
    bids = []
    for place, bid in enumerate(_list(value), start=1):
        with at(f"bid {place}"):
            bids.append(parse_bid(str(bid) if type(bid) is int else _text(bid)))
    return tuple(bids)


def _plays(value: Any) -> tuple[int, ...]:
    tiles = []
    for place, tile in enumerate(_list(value), start=1):
        with at(f"play {place}"):
            tiles.append(parse_tile(_text(tile)))
    return tuple(tiles)


def _rules(value: Any) -> Rules:
    if isinstance(value, str) and value in PRESETS:
        return PRESETS[value]
    if not isinstance(value, dict):
        raise NotationError(f"{_shown(value)} is not one of {', '.join(PRESETS)}, nor options")
    return Rules.from_dict(value)


def _result(value: Any) -> Result:
    if not isinstance(value, dict) or set(value) != set(Result._fields):
        raise NotationError(f"{_shown(value)} is not an object of made, points and score")
    with at("made"):
        made = _flag(value["made"])
    with at("points"):
        points = _pair(value["points"])
    with at("score"):
        score = _pair(value["score"])
    return Result(made, points, score)


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "deal": lambda value: Deal(_text(value)),
    "shaker": lambda value: _whole(value, SEATS[-1]),
    "score": _pair,
    "rules": _rules,
    "bids": _bids,
    "trump": lambda value: Trump(_text(value)),
    "plays": _plays,
    "claim": _flag,
    "result": _result,
}
"""Keys of a record in the order they are written, and what reads each."""


def _shown(value: Any) -> str:
    """A value of the input as JSON on one short line."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:40] + "..."
