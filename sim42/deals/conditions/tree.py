"""The tree of a condition: a few kinds of nodes, each of which prints as text that reads as it."""

from dataclasses import dataclass
from typing import Final, Literal

from sim42.deals.conditions.functions import argument_texts

SEAT_NAMES: Final = ("me", "left", "partner", "right")
"""Words for seats 0 to 3, as seen from seat 0."""

Sign = Literal["<", "<=", "=", "!=", ">=", ">"]
_EITHER, _BOTH, _NOT, _COMPARISON, _SUM, _PRODUCT, _MINUS, _ATOM = range(8)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one seat's tiles.

    Attributes
    ----------
    name : str
        One of `sim42.deals.conditions.functions.FUNCTIONS`.
    seat : int
        0 to 3.
    arguments : tuple of int
        What follows the seat: ids of a tile, a suit or a trump, or numbers.
    """

    name: str
    seat: int
    arguments: tuple[int, ...] = ()

    def __str__(self) -> str:
        words = [SEAT_NAMES[self.seat], *argument_texts(self.name, self.arguments)]
        return f"{self.name}({', '.join(words)})"


@dataclass(frozen=True, slots=True)
class Minus:
    """A number with its sign changed."""

    part: "Expression"

    def __str__(self) -> str:
        return f"-{_within(self.part, _MINUS)}"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two numbers added, subtracted or multiplied."""

    sign: Literal["+", "-", "*"]
    left: "Expression"
    right: "Expression"

    def __str__(self) -> str:
        level = _level(self)
        return f"{_within(self.left, level)} {self.sign} {_within(self.right, level + 1)}"


@dataclass(frozen=True, slots=True)
class Extreme:
    """The least or the greatest of some numbers."""

    name: Literal["min", "max"]
    parts: tuple["Expression", ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Numbers compared, each with the next; true when all comparisons hold."""

    signs: tuple[Sign, ...]
    parts: tuple["Expression", ...]

    def __str__(self) -> str:
        first, *others = (_within(part, _SUM) for part in self.parts)
        return " ".join([first, *(f"{s} {p}" for s, p in zip(self.signs, others, strict=True))])


@dataclass(frozen=True, slots=True)
class Not:
    """True when its part is false."""

    part: "Expression"

    def __str__(self) -> str:
        return f"not {_within(self.part, _NOT)}"


@dataclass(frozen=True, slots=True)
class Both:
    """True when all of its parts are; none of them is itself such a node."""

    parts: tuple["Expression", ...]

    def __str__(self) -> str:
        return " and ".join(_within(part, _NOT) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """True when one of its parts is; none of them is itself such a node."""

    parts: tuple["Expression", ...]

    def __str__(self) -> str:
        return " or ".join(_within(part, _BOTH) for part in self.parts)


Expression = Number | Call | Minus | Arithmetic | Extreme | Comparison | Not | Both | Either


def join(kind: type[Both] | type[Either], parts: list[Expression]) -> Expression:
    """Parts that must all be true, or of which one must be, as one node without such nodes in it.

    >>> a, b, c = (Call("doubles", seat) for seat in range(3))
    >>> join(Both, [a, join(Both, [b, c])]) == Both((a, b, c))
    True
    """
    flat: list[Expression] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else [part])
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def calls_of(tree: Expression) -> list[Call]:
    """The calls in a tree, each once, in the order of the text.

    >>> [str(call) for call in calls_of(Minus(Call("doubles", 2)))]
    ['doubles(partner)']
    """
    if isinstance(tree, Call):
        return [tree]
    return list(dict.fromkeys(call for part in parts_of(tree) for call in calls_of(part)))


def parts_of(tree: Expression) -> tuple[Expression, ...]:
    """The trees that a tree is made of.

    >>> parts_of(Not(Call("has", 2, (27,))))
    (Call(name='has', seat=2, arguments=(27,)),)
    """
    match tree:
        case Minus(part) | Not(part):
            return (part,)
        case Arithmetic(_, left, right):
            return left, right
        case Extreme(_, parts) | Comparison(_, parts) | Both(parts) | Either(parts):
            return parts
        case _:
            return ()


def at_seat(tree: Expression, seat: int) -> Expression:
    """The same question about another hidden seat: every call but those of seat 0 is of this one.

    >>> str(at_seat(Arithmetic("-", Call("doubles", 2), Call("doubles", 0)), 1))
    'doubles(left) - doubles(me)'
    """
    match tree:
        case Call(name, asked, arguments):
            return Call(name, seat if asked else 0, arguments)
        case Number():
            return tree
        case Minus(part) | Not(part):
            return type(tree)(at_seat(part, seat))
        case Arithmetic(sign, left, right):
            return Arithmetic(sign, at_seat(left, seat), at_seat(right, seat))
        case Extreme(name, parts):
            return Extreme(name, tuple(at_seat(part, seat) for part in parts))
        case Comparison(signs, parts):
            return Comparison(signs, tuple(at_seat(part, seat) for part in parts))
        case Both(parts) | Either(parts):
            return type(tree)(tuple(at_seat(part, seat) for part in parts))


def _level(tree: Expression) -> int:
    match tree:
        case Either():
            return _EITHER
        case Both():
            return _BOTH
        case Not():
            return _NOT
        case Comparison():
            return _COMPARISON
        case Arithmetic(sign, _, _):
            return _PRODUCT if sign == "*" else _SUM
        case Minus():
            return _MINUS
        case _:
            return _ATOM


def _within(tree: Expression, least: int) -> str:
    """The text of a part, in parentheses where it binds less than it must."""
    return str(tree) if _level(tree) >= least else f"({tree})"
