"""Text to the tree of a condition; what cannot be read is shown with its column and a caret."""

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, cast

from sim42.deals.conditions.functions import FUNCTIONS, KINDS, OTHER_NAMES, Function, signature
from sim42.deals.conditions.tree import (
    SEAT_NAMES,
    Arithmetic,
    Both,
    Call,
    Comparison,
    Either,
    Expression,
    Extreme,
    Minus,
    Not,
    Number,
    Sign,
    join,
)
from sim42.errors import ConditionError, Sim42Error
from sim42.game.trumps import Trump

LONGEST: Final = 4000
"""Characters of a text."""
DEEPEST: Final = 60
"""Parentheses, signs, negations and calls within each other, and levels of the tree."""
LARGEST: Final = 10**6
"""The largest number that may be written."""
WIDEST: Final = 10**15
"""The largest number that arithmetic may come to, well within 64 bits."""

_TOKEN: Final = re.compile(r"\s*(?:([0-9]+)|([a-z_]+)|(<=|>=|==|!=|[-+*<>=(),]))", re.IGNORECASE)
_KINDS: Final = ("number", "word", "sign")
"""Kinds of tokens in the order of the groups; there is "end" too."""
_SIGNS: Final = {"<", "<=", "=", "==", "!=", ">=", ">"}
_WORDS: Final = {"and", "or", "not", "min", "max", *SEAT_NAMES}


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    stop: int


class _Typed(NamedTuple):
    """A part with its place in the text, and whether it is true or false rather than a number."""

    tree: Expression
    start: int
    truth: bool
    depth: int = 0


def parse(text: str, trump: Trump | None = None) -> Expression:
    """The tree of a text, a number or a condition.

    Parameters
    ----------
    text : str
        As in the grammar of this package; line breaks are blanks.
    trump : Trump, optional
        Meant by ``trumps(seat)`` and ``top(seat)`` where none is named.

    Raises
    ------
    ConditionError
        When it cannot be read; says the column, and shows it with a caret.

    >>> str(parse("Trumps(left)<2 AND not has( partner,6-6 )", Trump.FIVES))
    'trumps(left, fives) < 2 and not has(partner, 6-6)'
    >>> parse("dubles(me)")
    Traceback (most recent call last):
    ...
    sim42.errors.ConditionError: column 1: no function 'dubles'; one of has, doubles, suit, \
trumps, top, count, counters, longest, voids, bids, points, min, max
      dubles(me)
      ^
    """
    return _Parser(text, trump).whole().tree


def parse_condition(text: str, trump: Trump | None = None) -> Expression:
    """The tree of a text that is true or false.

    Raises
    ------
    ConditionError
        As for `parse`, and when it is a number.
    """
    parser = _Parser(text, trump)
    part = parser.whole()
    if not part.truth:
        raise parser.wrong("this is a number; compare it, as in doubles(partner) >= 2", part.start)
    return part.tree


def is_truth(tree: Expression) -> bool:
    """Whether a tree is true or false rather than a number.

    >>> is_truth(parse("has(me, 6-6)")), is_truth(parse("doubles(me)"))
    (True, False)
    """
    if isinstance(tree, Call):
        return FUNCTIONS[tree.name].truth
    return isinstance(tree, Comparison | Not | Both | Either)


class _Parser:
    """Reads a text from left to right; `token` is what comes next."""

    def __init__(self, text: str, trump: Trump | None) -> None:
        self.text = " ".join(text.splitlines()) if isinstance(text, str) else ""
        self.trump = trump
        self.depth = 0
        self.stop = 0
        if not isinstance(text, str):
            raise ConditionError(f"a condition is text, not {type(text).__name__}")
        if len(text) > LONGEST:
            raise ConditionError(f"{len(text)} characters; a condition has at most {LONGEST}")
        self.token = self._next()

    def wrong(self, message: str, place: int) -> ConditionError:
        """The error with the column and the part of the text around it."""
        first = max(0, place - 50)
        shown = "".join(c if c.isprintable() else "?" for c in self.text[first : first + 76])
        raise ConditionError(
            f"column {place + 1}: {message}\n  {shown}\n  {' ' * (place - first)}^"
        )

    def _next(self) -> _Token:
        match = _TOKEN.match(self.text, self.stop)
        if match is None:
            start = len(self.text) - len(self.text[self.stop :].lstrip())
            if start < len(self.text):
                sign = self.text[start]
                raise self.wrong(f"{sign!r} means nothing here", start)
            return _Token("end", "the end", start, start)
        group = match.lastindex or 0
        start, self.stop = match.span(group)
        return _Token(_KINDS[group - 1], self.text[start : self.stop].lower(), start, self.stop)

    def take(self) -> _Token:
        """The next token, which is passed."""
        token, self.token = self.token, self._next()
        return token

    def expect(self, sign: str, where: str) -> None:
        if self.token.text != sign:
            raise self.wrong(f"{sign!r} is missing {where}", self.token.start)
        self.take()

    def whole(self) -> _Typed:
        if self.token.kind == "end":
            raise self.wrong("nothing is asked; as in doubles(partner) >= 2", self.token.start)
        part = self.either()
        if self.token.kind != "end":
            raise self.wrong(f"{self.token.text!r} does not go on from here", self.token.start)
        return part

    def either(self) -> _Typed:
        return self._joined(Either, "or")

    def _joined(self, kind: type[Both] | type[Either], word: str) -> _Typed:
        parts = [self._joined(Both, "and") if kind is Either else self.negation()]
        while self.token.text == word:
            self.take()
            parts.append(self._joined(Both, "and") if kind is Either else self.negation())
        if len(parts) == 1:
            return parts[0]
        for part in parts:
            self.must_be_truth(part, word)
        return self.made(join(kind, [part.tree for part in parts]), parts[0].start, True, *parts)

    def made(self, tree: Expression, start: int, truth: bool, *parts: _Typed) -> _Typed:
        """A part made of parts."""
        depth = 1 + max(part.depth for part in parts)
        if depth > DEEPEST:
            raise self.wrong(f"more than {DEEPEST} things within each other, or in one sum", start)
        if isinstance(tree, Arithmetic) and max(map(abs, extent(tree))) > WIDEST:
            raise self.wrong("this can come to more than 10**15", start)
        return _Typed(tree, start, truth, depth)

    def must_be_truth(self, part: _Typed, word: str) -> None:
        if not part.truth:
            raise self.wrong(
                f"{word!r} takes what is true or false, and this is a number", part.start
            )

    def negation(self) -> _Typed:
        if self.token.text != "not":
            return self.comparison()
        start = self.take().start
        with _Deeper(self, start):
            part = self.negation()
        self.must_be_truth(part, "not")
        return self.made(Not(part.tree), start, True, part)

    def comparison(self) -> _Typed:
        parts, signs = [self.sum()], []
        while self.token.text in _SIGNS:
            signs.append(cast(Sign, self.take().text.replace("==", "=")))
            parts.append(self.sum())
        if not signs:
            return parts[0]
        tree = Comparison(tuple(signs), tuple(part.tree for part in parts))
        return self.made(tree, parts[0].start, True, *parts)

    def sum(self) -> _Typed:
        return self._arithmetic(("+", "-"))

    def _arithmetic(self, signs: tuple[str, ...]) -> _Typed:
        part = self.factor() if signs == ("*",) else self._arithmetic(("*",))
        while self.token.text in signs:
            sign = cast(Literal["+", "-", "*"], self.take().text)
            right = self.factor() if signs == ("*",) else self._arithmetic(("*",))
            tree = Arithmetic(sign, part.tree, right.tree)
            part = self.made(tree, part.start, False, part, right)
        return part

    def factor(self) -> _Typed:
        token = self.take()
        if token.kind == "number":
            if len(token.text) > len(str(LARGEST)) or int(token.text) > LARGEST:
                raise self.wrong(f"numbers are at most {LARGEST}", token.start)
            return _Typed(Number(int(token.text)), token.start, False)
        if token.text == "-":
            with _Deeper(self, token.start):
                part = self.factor()
            if isinstance(part.tree, Number):
                return _Typed(Number(-part.tree.value), token.start, False)
            return self.made(Minus(part.tree), token.start, False, part)
        if token.text == "(":
            with _Deeper(self, token.start):
                inside = self.either()
            self.expect(")", "after what is in parentheses")
            return inside._replace(start=token.start)
        if token.kind == "word" and (token.text not in _WORDS or token.text in ("min", "max")):
            with _Deeper(self, token.start):
                return self.call(token)
        if token.text in SEAT_NAMES:
            raise self.wrong(
                f"{token.text!r} is a seat; ask of it, as doubles({token.text})", token.start
            )
        comes = "the text ends" if token.kind == "end" else f"{token.text!r} comes"
        raise self.wrong(f"{comes} where a number or a function is missing", token.start)

    def call(self, token: _Token) -> _Typed:
        if token.text in ("min", "max"):
            return self.extreme(token)
        name = OTHER_NAMES.get(token.text, token.text)
        if name not in FUNCTIONS:
            names = ", ".join([*FUNCTIONS, *OTHER_NAMES, "min", "max"])
            raise self.wrong(f"no function {token.text[:20]!r}; one of {names}", token.start)
        function = FUNCTIONS[name]
        self.expect("(", f"after {token.text}; it is written {signature(function)}")
        seat = self.take()
        if seat.text not in SEAT_NAMES:
            raise self.wrong(
                f"{seat.text!r} is no seat; one of {', '.join(SEAT_NAMES)}", seat.start
            )
        given = []
        while self.token.text == ",":
            given.append(self.argument())
        place = self.token.start
        self.expect(")", f"after {signature(function)}")
        return self.called(function, SEAT_NAMES.index(seat.text), given, token.start, place)

    def argument(self) -> _Token:
        """What stands between a comma and the next comma or parenthesis, as one token."""
        self.take()
        first = last = self.token
        while self.token.text not in (",", ")") and self.token.kind != "end":
            last = self.take()
        if first.text in (",", ")") or first.kind == "end":
            raise self.wrong("something is missing here", first.start)
        return first._replace(text=self.text[first.start : last.stop].lower(), stop=last.stop)

    def called(
        self, function: Function, seat: int, given: Sequence[_Token], start: int, end: int
    ) -> _Typed:
        if len(given) > len(function.takes) and function.name != "has":
            raise self.wrong(
                f"one too many; it is {signature(function)}", given[len(function.takes)].start
            )
        if function.name == "has" and given:  # of several tiles: all of them
            tiles = [self.read("tile", token) for token in given]
            trees: list[Expression] = [Call("has", seat, (tile,)) for tile in tiles]
            return _Typed(join(Both, trees), start, True, len(trees) > 1)
        defaults = function.defaults
        if function.takes == ("trump",) and not given:
            if self.trump is None:
                raise self.wrong(
                    f"of which trump? As {function.name}({SEAT_NAMES[seat]}, fives),"
                    " or name the one trump that is meant",
                    start,
                )
            defaults = (int(self.trump),)
        lacking = len(function.takes) - len(given)
        if lacking > len(defaults):
            raise self.wrong(f"something is missing; it is {signature(function)}", end)
        kinds = function.takes[: len(given)]
        values = [self.read(kind, token) for kind, token in zip(kinds, given, strict=True)]
        arguments = (*values, *defaults[len(defaults) - lacking :])
        return _Typed(Call(function.name, seat, arguments), start, function.truth)

    def read(self, kind: str, token: _Token) -> int:
        try:
            return KINDS[kind][0](token.text)
        except Sim42Error as error:
            raise self.wrong(str(error), token.start) from None

    def extreme(self, token: _Token) -> _Typed:
        self.expect("(", f"after {token.text}")
        parts = [self.either()]
        while self.token.text == ",":
            self.take()
            parts.append(self.either())
        self.expect(")", f"after the numbers of {token.text}")
        name = cast(Literal["min", "max"], token.text)
        tree = Extreme(name, tuple(part.tree for part in parts))
        return self.made(tree, token.start, False, *parts)


class _Deeper:
    """Count how deep the parser is, and refuse what is too deep."""

    def __init__(self, parser: _Parser, place: int) -> None:
        self.parser, self.place = parser, place

    def __enter__(self) -> None:
        self.parser.depth += 1
        if self.parser.depth > DEEPEST:
            raise self.parser.wrong(f"more than {DEEPEST} things within each other", self.place)

    def __exit__(self, *_: object) -> None:
        self.parser.depth -= 1


def extent(tree: Expression) -> tuple[int, int]:
    """The least and the greatest that a tree can come to, or beyond, whatever the tiles.

    >>> extent(parse("count(me) - 2 * doubles(left)"))
    (-14, 35)
    """
    match tree:
        case Number(value):
            return value, value
        case Call(name):
            return 0, FUNCTIONS[name].most
        case Minus(part):
            low, high = extent(part)
            return -high, -low
        case Arithmetic(sign, left, right):
            return combine(sign, extent(left), extent(right))
        case Extreme(name, parts):
            pick = min if name == "min" else max
            lows, highs = zip(*map(extent, parts), strict=True)
            return pick(lows), pick(highs)
        case _:
            return 0, 1


def combine(sign: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """The extent of a sum, a difference or a product.

    >>> combine("*", (-1, 2), (-3, 4))
    (-6, 8)
    """
    if sign == "+":
        return left[0] + right[0], left[1] + right[1]
    if sign == "-":
        return left[0] - right[1], left[1] - right[0]
    ends = [a * b for a in left for b in right]
    return min(ends), max(ends)
