"""A trump under given rules as read-only arrays: all that compiled code knows of R2 to R7.

They are `sim42.game.suits` in the shape that compiled code takes. There a tile is its rank, a
number from 0 to 27 such that of two tiles that can win a trick the one of higher rank beats the
other, whatever was led. There is such an order under every call: a trump beats what is no trump,
and a tile that is none is as strong in the suit of one of its ends as in that of the other.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import AnyRules, Doubles, Rules
from sim42.game.suits import strength, suits, suits_of
from sim42.game.tiles import COUNTS, TILES, mask_of, tiles_of
from sim42.game.trumps import Trump


class Lookups(NamedTuple):
    """The rules of play of one trump, or of several stacked along a leading axis.

    Masks are of ranks.

    Attributes
    ----------
    ranks : int64 (28,)
        Rank of each tile id.
    follows : int64 (28,)
        For each rank led, mask of the tiles that follow; who holds one must play one (R5, R6).
    wins : int64 (28,)
        For each rank led, mask of the tiles that can win: those that follow, and the trumps. The
        highest of them that is in the trick wins it (R7).
    groups : int64 (3,)
        Masks of the trumps, of the count tiles, and of those of ten points (T2).
    """

    ranks: NDArray[np.int64]
    follows: NDArray[np.int64]
    wins: NDArray[np.int64]
    groups: NDArray[np.int64]


@lru_cache(maxsize=64)
def lookups(trump: Trump, doubles: Doubles = "high") -> Lookups:
    """The arrays of one trump.

    Parameters
    ----------
    trump : Trump
        The trump called.
    doubles : {"high", "low", "own_suit"}
        Place of the doubles in follow me; without effect on the other trumps (R4).

    Returns
    -------
    Lookups
        Read-only arrays.

    >>> from sim42.game.tiles import parse_tile
    >>> arrays = lookups(Trump.FOURS)
    >>> [int(arrays.ranks[parse_tile(name)]) for name in ("4-4", "6-4", "6-6", "6-5", "1-0")]
    [27, 26, 20, 14, 0]
    >>> int(arrays.follows[27]).bit_count(), int(arrays.wins[20]).bit_count()
    (7, 13)
    """

    def own_strength(tile: int) -> int:
        return strength(tile, suits_of(tile, trump, doubles)[0], trump, doubles)

    order = sorted(TILES, key=own_strength)
    ranks = [order.index(tile) for tile in TILES]

    def ranked(tiles: Iterable[int]) -> int:
        return mask_of(ranks[tile] for tile in tiles)

    table = suits(trump, doubles)
    led = [tiles_of(table.follows[table.leads[tile]]) for tile in order]
    trumps = [] if trump == Trump.FOLLOW_ME else tiles_of(table.follows[7])
    arrays = Lookups(
        ranks=np.array(ranks, dtype=np.int64),
        follows=np.array([ranked(tiles) for tiles in led], dtype=np.int64),
        wins=np.array([ranked({*tiles, *trumps}) for tiles in led], dtype=np.int64),
        groups=np.array(
            [
                ranked(trumps),
                ranked(tile for tile in TILES if COUNTS[tile]),
                ranked(tile for tile in TILES if COUNTS[tile] == 10),
            ],
            dtype=np.int64,
        ),
    )
    for array in arrays:
        array.flags.writeable = False
    return arrays


def stacked(trumps: Sequence[Trump], rules: AnyRules = None) -> Lookups:
    """The arrays of several trumps, a row a trump.

    >>> [array.shape for array in stacked([Trump.FIVES, Trump.DOUBLES])]
    [(2, 28), (2, 28), (2, 28), (2, 3)]
    """
    doubles = Rules.of(rules).doubles
    rows = [lookups(trump, doubles) for trump in trumps]
    arrays = [np.stack(column) for column in zip(*rows, strict=True)]
    for array in arrays:
        array.flags.writeable = False
    return Lookups(*arrays)
