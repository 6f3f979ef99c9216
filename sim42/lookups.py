"""A trump call under given rules as read-only arrays: all that compiled code knows of R2 to R7.

Suits are the pips 0..6 and `TRUMP_SUIT`, 7: the trumps or, in a follow me with doubles as a suit of
their own, the doubles (which lead and follow as a suit but beat nothing outside it).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.rules import Doubles, Rules
from sim42.tiles import ENDS, TILES
from sim42.trumps import Trump

TRUMP_SUIT: Final = 7
SUITS: Final = range(8)


class Lookups(NamedTuple):
    """The rules of play of one trump call, or of several stacked along a leading axis.

    Attributes
    ----------
    leads : int64 (28,)
        Suit that each tile leads.
    follows : int64 (8,)
        Mask of the tiles that follow each suit; who holds one must play one (R6).
    beats : int64 (8, 28)
        Once suit s is led, mask of the tiles that beat tile t (R7). Of two tiles that neither
        follow nor are trumps, neither beats the other.
    """

    leads: NDArray[np.int64]
    follows: NDArray[np.int64]
    beats: NDArray[np.int64]


@lru_cache(maxsize=64)
def lookups(trump: Trump, doubles: Doubles = "high") -> Lookups:
    """The arrays of one trump call.

    Parameters
    ----------
    trump : Trump
        The call.
    doubles : {"high", "low", "own_suit"}
        Place of the doubles in follow me; without effect on the other calls (R4).

    Returns
    -------
    Lookups
        Read-only arrays.

    >>> from sim42.tiles import format_tiles, parse_tile
    >>> arrays = lookups(Trump.FOURS)
    >>> int(arrays.leads[parse_tile("6-4")]), int(arrays.leads[parse_tile("6-5")])
    (7, 6)
    >>> format_tiles(int(arrays.follows[7]))
    '6-4 5-4 4-4 4-3 4-2 4-1 4-0'
    """
    suits = [_suits_of(tile, trump, doubles) for tile in TILES]
    leads = np.array([tile_suits[0] for tile_suits in suits], dtype=np.int64)
    follows = np.zeros(8, dtype=np.int64)
    beats = np.zeros((8, 28), dtype=np.int64)
    for suit in SUITS:
        strengths = [_strength(tile, suit, suits[tile], trump, doubles) for tile in TILES]
        for tile in TILES:
            if suit in suits[tile]:
                follows[suit] |= 1 << tile
            for other in TILES:
                if strengths[other] > strengths[tile]:
                    beats[suit, tile] |= 1 << other
    for array in (leads, follows, beats):
        array.flags.writeable = False
    return Lookups(leads, follows, beats)


def stacked(trumps: Sequence[Trump], rules: Rules | None = None) -> Lookups:
    """The arrays of several trump calls, a row a trump.

    >>> [array.shape for array in stacked([Trump.FIVES, Trump.DOUBLES])]
    [(2, 28), (2, 8), (2, 8, 28)]
    """
    doubles = (rules or Rules()).doubles
    rows = [lookups(trump, doubles) for trump in trumps]
    arrays = [np.stack(column) for column in zip(*rows, strict=True)]
    for array in arrays:
        array.flags.writeable = False
    return Lookups(*arrays)


def _suits_of(tile: int, trump: Trump, doubles: Doubles) -> tuple[int, ...]:
    """Suits that a tile belongs to, the one it leads first (R2 to R5)."""
    high, low = ENDS[tile]
    if trump in (high, low):
        return (TRUMP_SUIT,)
    if high == low:
        own_suit = trump == Trump.DOUBLES or (trump == Trump.FOLLOW_ME and doubles == "own_suit")
        return (TRUMP_SUIT,) if own_suit else (high,)
    return (high, low)


def _strength(tile: int, led: int, suits: tuple[int, ...], trump: Trump, doubles: Doubles) -> int:
    """Rank of a tile once suit `led` is led; 0 for a tile that cannot win (R7)."""
    high, low = ENDS[tile]
    is_trump = trump != Trump.FOLLOW_ME and TRUMP_SUIT in suits
    if not is_trump and led not in suits:
        return 0
    # A pip suit orders its tiles by the other end, and so does the sum of both ends.
    rank = 1 + high + low
    if high == low and TRUMP_SUIT in suits and trump >= Trump.DOUBLES:
        rank = 1 + high
    elif high == low:
        low_double = trump == Trump.FOLLOW_ME and doubles == "low"
        rank = 0 if low_double else 14
    return (32 if is_trump else 16) + rank
