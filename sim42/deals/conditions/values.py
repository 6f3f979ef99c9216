"""Trees put to arrays of deals: the value of every part, a row a deal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.conditions.functions import FUNCTIONS, trump_mask
from sim42.deals.conditions.tree import (
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
    calls_of,
)
from sim42.errors import ConditionError
from sim42.game.suits import strength
from sim42.game.tiles import ENDS, TILES, mask_of, tiles_of
from sim42.game.trumps import Trump

Ints = NDArray[np.int64]
Estimate = Callable[[Ints, int, int], NDArray[np.float64]]
"""From masks of hands, a bid and a number of deals to the chance of the bid with the best trump."""
Parts = Callable[[Call], Ints]
"""The values of a call, a row a deal."""
PIP_MASKS: Final = [mask_of(tile for tile in TILES if pip in ENDS[tile]) for pip in range(7)]
COSTLY: Final = ("bids",)
"""Functions that are asked only of the deals that the other parts of a conjunction let pass."""

_COMPARE: Final[Mapping[str, Callable[[Any, Any], NDArray[np.bool_]]]] = {
    "<": np.less,
    "<=": np.less_equal,
    "=": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    ">": np.greater,
}
_COMPUTE: Final[Mapping[str, Callable[[Any, Any], Ints]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
}


def values_of(tree: Expression, deals: Ints, estimate: Estimate | None = None) -> Ints:
    """The value of a tree in each deal.

    Parameters
    ----------
    tree : Expression
        As `parse` gives it.
    deals : int64 (n, 4)
        Mask of each seat's hand.
    estimate : callable, optional
        What answers ``bids``.

    Returns
    -------
    int64 (n,)
        Numbers; 1 for true and 0 for false.

    Raises
    ------
    ConditionError
        When the tree asks for ``bids`` and there is no estimate.

    >>> from sim42 import Deal
    >>> from sim42.deals.conditions.parse import parse
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0 / 5-5 5-4 5-3 5-2 5-1 5-0 4-4 /"
    ...             "4-3 4-2 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> deals = np.array([deal.masks])
    >>> [int(values_of(parse(text), deals)[0]) for text in (
    ...     "count(left)", "longest(left)", "voids(me)", "top(partner, threes)", "has(right, 0-0)")]
    [15, 6, 0, 7, 1]
    """
    if isinstance(tree, Both) and (costly := [part for part in tree.parts if is_costly(part)]):
        kept = np.ones(len(deals), dtype=np.int64)
        for part in [part for part in tree.parts if part not in costly] + costly:
            rows = np.flatnonzero(kept)
            kept[rows] = values_of(part, deals[rows], estimate)
        return kept
    seats = deals.T
    known: dict[Call, Ints] = {}

    def value(call: Call) -> Ints:
        if call not in known:
            known[call] = call_values(call, seats[call.seat], estimate)
        return known[call]

    return np.array(np.broadcast_to(combine_values(tree, value), len(deals)), dtype=np.int64)


def is_costly(tree: Expression) -> bool:
    """Whether a tree asks what takes solving."""
    return any(call.name in COSTLY for call in calls_of(tree))


def combine_values(tree: Expression, value: Parts) -> Ints:
    """The value of a tree from the values of its calls, which may have any shape."""
    match tree:
        case Number(number):
            return np.array(number, dtype=np.int64)
        case Call():
            return value(tree)
        case Minus(part):
            return -combine_values(part, value)
        case Not(part):
            return 1 - combine_values(part, value)
        case Arithmetic(sign, left, right):
            return _COMPUTE[sign](combine_values(left, value), combine_values(right, value))
        case Extreme(name, parts):
            pick = np.minimum if name == "min" else np.maximum
            return _folded(pick, [combine_values(part, value) for part in parts])
        case Comparison(signs, parts):
            numbers = [combine_values(part, value) for part in parts]
            pairs = zip(signs, numbers, numbers[1:], strict=False)
            return _folded(np.minimum, [_COMPARE[s](a, b).astype(np.int64) for s, a, b in pairs])
        case Both(parts):
            return _folded(np.minimum, [combine_values(part, value) for part in parts])
        case Either(parts):
            return _folded(np.maximum, [combine_values(part, value) for part in parts])


def _folded(pick: Callable[[Ints, Ints], Ints], numbers: Sequence[Ints]) -> Ints:
    result = numbers[0]
    for other in numbers[1:]:
        result = pick(result, other)
    return result


def call_values(call: Call, masks: Ints, estimate: Estimate | None = None) -> Ints:
    """The value of a call for each hand of its seat."""
    weights = FUNCTIONS[call.name].weights
    if weights is not None:
        return weighed(weights(*call.arguments), masks)
    if call.name == "bids":
        bid, chance, deals = call.arguments
        if estimate is None:
            raise ConditionError(f"{call}: what a seat bids cannot be asked here")
        return (estimate(masks, bid, deals) >= chance / 100).astype(np.int64)
    return _OTHERS[call.name](masks, *call.arguments)


def weighed(weights: Sequence[int], masks: Ints) -> Ints:
    """The sum over the tiles of each mask of what a tile counts for.

    >>> weighed([1, 2] + [0] * 26, np.array([0b11, 0b101])).tolist()
    [3, 1]
    """
    total = np.zeros(masks.shape, dtype=np.int64)
    for weight in set(weights) - {0}:
        tiles = mask_of(tile for tile in TILES if weights[tile] == weight)
        total += weight * sizes(masks & tiles)
    return total


def sizes(masks: Ints) -> Ints:
    """How many tiles are in each mask."""
    return np.bitwise_count(masks).astype(np.int64)


def _longest(masks: Ints) -> Ints:
    return _folded(np.maximum, [sizes(masks & suit) for suit in PIP_MASKS])


def _voids(masks: Ints) -> Ints:
    return _folded(np.add, [((masks & suit) == 0).astype(np.int64) for suit in PIP_MASKS])


def _top(masks: Ints, trump: int) -> Ints:
    rank = np.zeros(masks.shape, dtype=np.int64)
    for place, tile in enumerate(ranked_trumps(trump), start=1):
        rank = np.where(masks >> tile & 1, place, rank)
    return rank


def ranked_trumps(trump: int) -> list[int]:
    """The trumps of a call from the lowest up; follow me has none.

    >>> from sim42.game.tiles import NAMES
    >>> [NAMES[tile] for tile in ranked_trumps(3)]
    ['3-0', '3-1', '3-2', '4-3', '5-3', '6-3', '3-3']
    """
    return sorted(tiles_of(trump_mask(trump)), key=lambda tile: strength(tile, 7, Trump(trump)))


_OTHERS: Final[dict[str, Callable[..., Ints]]] = {
    "longest": _longest,
    "voids": _voids,
    "top": _top,
}
"""Functions that are no sum over the tiles."""
