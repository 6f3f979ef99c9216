"""Random endings: four hands of fewer than seven tiles, the rest of the set played and gone."""

from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.draws import choose_tiles, number_below
from sim42.deals.philox import philox
from sim42.deals.random import check_indices
from sim42.deals.seeds import check_seed
from sim42.errors import whole
from sim42.game.tiles import ALL_TILES, HAND_SIZE, SEATS, TILES

STREAM: Final = 3 << 62
"""Sets endings apart from deals in the random stream."""


def random_endings(count: int, seed: int, tiles: int, start: int = 0) -> NDArray[np.int64]:
    """Endings `start` to `start + count` of a seed, all with `tiles` tiles a hand equally likely.

    Parameters
    ----------
    count : int
        How many endings, 0 or more.
    seed : int
        0 to 2**64 - 1.
    tiles : int
        Tiles of each hand, 1 to 7.
    start : int
        Index of the first ending.

    Returns
    -------
    int64 (count, 4)
        Mask of each seat's hand, a row an ending.

    Raises
    ------
    RequestError
        When a number is out of range.

    >>> endings = random_endings(100, seed=42, tiles=4)
    >>> set(np.bitwise_count(endings).ravel().tolist())
    {4}
    >>> bool((random_endings(5, seed=42, tiles=4, start=20) == endings[20:25]).all())
    True
    """
    check_indices(count, start)
    size = whole(tiles, "tiles", 1, HAND_SIZE)
    ways = [comb(len(TILES) - size * seat, size) for seat in SEATS]
    index = np.arange(start, start + count, dtype=np.uint64)
    choice = number_below(prod(ways), philox((index, size, 0, STREAM), check_seed(seed)))
    rest = np.full(count, ALL_TILES, dtype=np.int64)
    endings = np.empty((count, 4), dtype=np.int64)
    for seat in SEATS:
        choice, number = np.divmod(choice, np.uint64(ways[seat]))
        endings[:, seat] = choose_tiles(rest, size, number)
        rest &= ~endings[:, seat]
    return endings
