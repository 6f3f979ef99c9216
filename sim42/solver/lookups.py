"""A trump call under given rules as read-only arrays: all that compiled code knows of R2 to R7.

They are `sim42.game.suits` in the shape that compiled code takes.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import Doubles, Rules
from sim42.game.suits import suits
from sim42.game.trumps import Trump


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

    >>> from sim42.game.tiles import format_tiles, parse_tile
    >>> arrays = lookups(Trump.FOURS)
    >>> int(arrays.leads[parse_tile("6-4")]), int(arrays.leads[parse_tile("6-5")])
    (7, 6)
    >>> format_tiles(int(arrays.follows[7]))
    '6-4 5-4 4-4 4-3 4-2 4-1 4-0'
    """
    arrays = Lookups(*(np.array(table, dtype=np.int64) for table in suits(trump, doubles)))
    for array in arrays:
        array.flags.writeable = False
    return arrays


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
