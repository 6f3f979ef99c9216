"""What a player sees in a hand under a trump, as columns over arrays of hands.

The words are those of the rules: trumps, doubles and offs make seven; an off is protected when the
double of its higher end is in the hand.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError
from sim42.game.suits import TRUMP_SUIT, strength, suits
from sim42.game.tiles import ALL_TILES, COUNTS, ENDS, HAND_SIZE, TILES, mask_of
from sim42.game.trumps import Trump

if TYPE_CHECKING:  # numbers alone need no frame, which takes a while to import
    import pandas as pd

FEATURES: Final = (
    "kind",
    "trumps",
    "double_held",
    "top_missing",
    "doubles",
    "offs",
    "protected",
    "bare",
    "count",
    "count_in_offs",
    "voids",
    "tops",
    "cover",
    "longest_side_suit",
    "points_at_risk",
    "shape",
)
"""Columns of `hand_features`."""

_DOUBLES: Final = mask_of(tile for tile in TILES if ENDS[tile][0] == ENDS[tile][1])
_COUNT_TILES: Final = [(1 << tile, COUNTS[tile]) for tile in TILES if COUNTS[tile]]
_PIPS: Final = [mask_of(tile for tile in TILES if pip in ENDS[tile]) for pip in range(7)]
_HIGH_ENDS: Final = [mask_of(tile for tile in TILES if ENDS[tile][0] == pip) for pip in range(7)]
_TRUMPS: Final = np.array(
    [0 if trump == Trump.FOLLOW_ME else suits(trump).follows[TRUMP_SUIT] for trump in Trump]
)
"""Mask of the trump tiles of each trump; follow me has none."""
_RANKED: Final = np.array(
    [
        [1 << tile for tile in sorted(TILES, key=lambda tile: -strength(tile, 7, trump))[:7]]
        for trump in list(Trump)[:-1]
    ]
    + [[0] * 7]
)
"""The trump tiles of each trump as masks of one tile, from the highest down."""
_BEATEN_BY: Final = np.array(
    [
        [
            beats[leads[tile]][tile] & ~(0 if _TRUMPS[trump] >> tile & 1 else int(_TRUMPS[trump]))
            for tile in TILES
        ]
        for trump in Trump
        for leads, _, beats in [suits(trump)]
    ]
)
"""For each trump and tile, the tiles of its own suit that beat it when it is led."""
_OTHERS_IN_TRICK: Final = 3
_KINDS: Final = ["pip", "doubles", "follow-me"]
"""Kinds of trump; what a hand looks like under one says nothing of another."""


def hand_features(masks: ArrayLike, trumps: ArrayLike | Sequence[Trump] | Trump) -> "pd.DataFrame":
    """What a player sees in each hand under a trump.

    Parameters
    ----------
    masks : int array (n,)
        Hands.
    trumps : int array (n,), or one Trump for all
        Trump ids.

    Returns
    -------
    DataFrame
        A row a hand, whole numbers unless said otherwise:

        - `kind` (categorical): of the trump: pip, doubles or follow-me.
        - `trumps`: tiles of the trump suit; none with follow me.
        - `double_held` (bool): the double of trumps, which is the highest trump, is held; 6-6 when
          doubles are trumps, never with follow me.
        - `top_missing`: trumps outside the hand that are higher than its highest; all seven when it
          holds none, 0 with follow me.
        - `doubles`: doubles that are not trumps.
        - `offs`: tiles that are neither trumps nor doubles; of these `protected`, where the double
          of the higher end is in the hand, trump or not, and `bare`, the others.
        - `count`: points of the count tiles in the hand, and `count_in_offs`, of those in its offs.
        - `voids`: pip suits, the trump suit apart, of which there is no tile that is not a trump.
        - `tops`: trumps held from the highest down without a gap.
        - `cover`: offs that no tile of the suit they lead, outside the hand, can beat.
        - `longest_side_suit`: tiles of the pip, the trump suit apart, of which the hand holds most
          tiles that are no trumps.
        - `points_at_risk`: the count that can fall on the tricks that the hand may lose while none
          of its winners is trumped: one trick for each off without `cover`, and for each trump of
          its own that another trump outside can beat; these tiles bring their own count, and three
          others to each such trick as much of the count outside as they can.
        - `shape` (text): trumps-doubles-offs, as 4-2-1.

    >>> from sim42 import Hand
    >>> hand = Hand("5-5 5-4 5-1 6-6 6-4 3-1 1-0")
    >>> hand_features([hand.mask], Trump.FIVES).iloc[0].to_dict()
    {'kind': 'pip', 'trumps': 3, 'double_held': True, 'top_missing': 0, 'doubles': 1, \
'offs': 3, 'protected': 1, 'bare': 2, 'count': 20, 'count_in_offs': 10, 'voids': 1, 'tops': 1, \
'cover': 1, 'longest_side_suit': 2, 'points_at_risk': 15, 'shape': '3-1-3'}
    """
    import pandas as pd

    hands = _checked("masks", masks, ALL_TILES)
    named = _checked("trumps", trumps, max(Trump), hands.shape)
    numbers = feature_numbers(hands, named)
    kind = pd.Categorical.from_codes(kinds_of(named), pd.Index(_KINDS), ordered=True)
    shape = _shapes(numbers["trumps"], numbers["doubles"])
    return pd.DataFrame({"kind": kind, **numbers, "shape": shape})


def kinds_of(trumps: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each trump as a number: 0 a pip, 1 doubles, 2 follow me.

    >>> kinds_of(np.array([Trump.BLANKS, Trump.SIXES, Trump.DOUBLES, Trump.FOLLOW_ME])).tolist()
    [0, 0, 1, 2]
    """
    return np.maximum(trumps - Trump.SIXES, 0)


def ranks_held(masks: NDArray[np.int64], trumps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each hand holds its trump of each rank, the highest first, (n, 7).

    >>> from sim42 import Hand
    >>> ranks_held(np.array([Hand("5-5 5-4 5-1 6-6 6-4 3-1 1-0").mask]), np.array([5]))[0, :4]
    array([ True, False,  True, False])
    """
    held: NDArray[np.bool_] = (masks[:, np.newaxis] & _RANKED[trumps]) != 0
    return held


def feature_numbers(
    masks: ArrayLike, trumps: ArrayLike | Sequence[Trump] | Trump
) -> dict[str, NDArray[Any]]:
    """The columns of `hand_features` that are numbers, each (n,)."""
    hands = np.asarray(masks, dtype=np.int64)
    named = np.broadcast_to(np.asarray(trumps, dtype=np.int64), hands.shape)
    trump_tiles = hands & _TRUMPS[named]
    plain = hands & ~trump_tiles
    double_tiles = plain & _DOUBLES
    off_tiles = plain & ~_DOUBLES
    trump_count, doubles, offs = _size(trump_tiles), _size(double_tiles), _size(off_tiles)
    ranked, held = _RANKED[named], ranks_held(hands, named)
    protected = np.sum(
        [
            np.where(hands & _PIPS[pip] & _DOUBLES, _size(off_tiles & _HIGH_ENDS[pip]), 0)
            for pip in range(7)
        ],
        axis=0,
    )
    beatable = _beatable(hands, named)
    tricks = _size(beatable & off_tiles) + _trumps_beaten(held, ranked != 0)
    empty = np.sum([plain & suit == 0 for suit in _PIPS], axis=0)
    return {
        "trumps": trump_count,
        "double_held": held[:, 0],
        "top_missing": np.where(
            held.any(axis=1), held.argmax(axis=1), np.where(ranked[:, 0], HAND_SIZE, 0)
        ),
        "doubles": doubles,
        "offs": offs,
        "protected": protected,
        "bare": offs - protected,
        "count": _count(hands),
        "count_in_offs": _count(off_tiles),
        "voids": empty - (named < Trump.DOUBLES),  # the trump suit itself
        "tops": np.logical_and.accumulate(held, axis=1).sum(axis=1),
        "cover": _size(off_tiles & ~beatable),
        "longest_side_suit": np.max([_size(plain & suit) for suit in _PIPS], axis=0),
        "points_at_risk": _count(beatable) + _most_count(~hands, _OTHERS_IN_TRICK * tricks),
    }


def _checked(
    what: str, values: object, most: int, shape: tuple[int, ...] | None = None
) -> NDArray[np.int64]:
    """Whole numbers (n,) from 0 up to the most there can be; a single one for all of a shape."""
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "iu" and array.size:
        raise RequestError(f"{what}: an array of whole numbers is needed, not {array.dtype}")
    if shape is not None and array.ndim == 0:
        array = np.broadcast_to(array, shape)
    if array.ndim != 1 or (shape is not None and array.shape != shape):
        raise RequestError(f"{what}: an array {shape or '(n,)'} is needed, not {array.shape}")
    if array.size and not 0 <= array.min() <= array.max() <= most:
        raise RequestError(f"{what}: from 0 to {most}, not {array.min()} to {array.max()}")
    return array.astype(np.int64)


def _size(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bitwise_count(masks).astype(np.int64)


def _count(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.zeros(masks.shape, dtype=np.int64)
    for tile, points in _COUNT_TILES:
        total += np.where(masks & tile, points, 0)
    return total


def _beatable(hands: NDArray[np.int64], named: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tiles of each hand that one of their own suit outside it can beat."""
    found = np.zeros_like(hands)
    for tile in TILES:
        higher_outside = _BEATEN_BY[named, tile] & ~hands
        found |= np.where(higher_outside != 0, hands & 1 << tile, 0)
    return found


def _trumps_beaten(held: NDArray[np.bool_], exists: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many trumps of each hand can be beaten, each by another one outside; ranked (n, 7)."""
    beaten = np.zeros(len(held), dtype=np.int64)
    outside = np.zeros(len(held), dtype=np.int64)
    for mine, there in zip(held.T, exists.T, strict=True):
        falls = mine & (outside > 0)
        beaten += falls
        outside += (there & ~mine).astype(np.int64) - falls
    return beaten


def _most_count(masks: NDArray[np.int64], tiles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The most points of count that so many tiles of a mask can bring."""
    total, room = np.zeros(len(masks), dtype=np.int64), tiles
    for worth in sorted(set(COUNTS), reverse=True):
        there = sum((masks & tile != 0).astype(np.int64) for tile, p in _COUNT_TILES if p == worth)
        taken = np.minimum(there, room)
        total += worth * taken
        room = room - taken
    return total


def _shapes(trumps: NDArray[np.int64], doubles: NDArray[np.int64]) -> NDArray[np.object_]:
    sizes = range(HAND_SIZE + 1)
    names = [[f"{t}-{d}-{HAND_SIZE - t - d}" for d in sizes] for t in sizes]
    return np.array(names, dtype=object)[trumps, doubles]
