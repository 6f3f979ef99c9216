"""Random words to fair numbers, and numbers to subsets of tiles."""

from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.philox import Words
from sim42.game.tiles import HAND_SIZE, tiles_of


def number_below(bound: int, words: Words) -> Words:
    """A number from each deal's four words, uniform below `bound` (at most 2**49).

    A word in the incomplete last stretch of `bound` is passed over, for fairness; all four are in
    fewer than one deal of 2**45, and then the last one serves.

    >>> number_below(10, np.array([[2**64 - 1], [12], [13], [14]], dtype=np.uint64)).tolist()
    [2]
    """
    fair = np.uint64(2**64 // bound * bound - 1)
    number = words[3]
    for word in words[2::-1]:
        number = np.where(word <= fair, word, number)
    below: Words = number % np.uint64(bound)
    return below


def choose_tiles(
    rest: NDArray[np.int64], size: int | NDArray[np.int64], choice: Words | NDArray[np.int64]
) -> NDArray[np.int64]:
    """Combination number `choice` of `size` tiles out of each row's `rest`.

    Walking up the tiles, the combinations that take the next tile come before those that do not.

    Parameters
    ----------
    rest : int64 (n,)
        Masks to choose from.
    size : int or int64 (n,)
        How many tiles, at most seven.
    choice : uint64 or int64 (n,)
        Numbers below the ways to choose.

    >>> choose_tiles(np.array([0b1101, 0b1101]), 2, np.array([0, 2])).tolist()
    [5, 12]
    """
    count = len(rest)
    taken = np.zeros(count, dtype=np.int64)
    needed = np.full(count, size, dtype=np.int64)
    left = np.bitwise_count(rest).astype(np.int64)
    number = choice.astype(np.int64)
    for tile in tiles_of(int(np.bitwise_or.reduce(rest))):
        here = rest >> tile & 1
        left -= here
        with_tile = here * _COMPLETIONS[left, needed]
        takes = number < with_tile
        number -= np.where(takes, 0, with_tile)
        taken |= takes.astype(np.int64) << tile
        needed -= takes
    return taken


_COMPLETIONS: Final = np.array(
    [[comb(n, k - 1) if k else 0 for k in range(HAND_SIZE + 1)] for n in range(28)], dtype=np.int64
)
"""[n, k]: ways to complete a hand that needs k tiles and takes this one, with n tiles after it."""
