"""What a player cannot see in the course of play: layouts of the hidden tiles, drawn exactly.

A player knows the own tiles, those that were played, and the suits that others did not follow (R6).
Every layout that agrees with these is as likely as any other: nothing is read out of the bids, nor
out of the choice of a tile where there was one.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.draws import number_below
from sim42.deals.layouts import Layouts
from sim42.deals.philox import philox
from sim42.deals.random import check_indices
from sim42.deals.seeds import check_seed
from sim42.game.tiles import SEATS
from sim42.game.tricks import Tricks

STREAM: Final = 1 << 63
"""Sets these layouts apart from deals in the random stream."""


class Hidden(NamedTuple):
    """Hands that agree with what a player knows.

    Attributes
    ----------
    hands : int64 (n, 4)
        Mask of the tiles that each seat still holds, a row a layout.
    ways : int
        How many layouts there are in all.
    is_all : bool
        Whether these are all of them, each once.
    """

    hands: NDArray[np.int64]
    ways: int
    is_all: bool


def hidden_hands(play: Tricks, count: int, seed: int) -> Hidden:
    """Layouts of the tiles that the seat to play cannot see: random ones, or all if they are few.

    Parameters
    ----------
    play : Tricks
        Where the play stands; of the hidden hands only the sizes are used.
    count : int
        How many are wanted; when there are no more, each comes once.
    seed : int
        0 to 2**64 - 1; layout i of a seed does not depend on the count.

    >>> from sim42.game.tiles import parse_hands
    >>> from sim42.game.trumps import Trump
    >>> play = Tricks(Trump.FIVES, "high", parse_hands("6-6/5-1/6-4/3-3"), leader=0)
    >>> found = hidden_hands(play, 1000, seed=1)
    >>> found.ways, found.is_all, found.hands[0].tolist() == list(play.hands)
    (6, True, False)
    """
    check_indices(count, 0)
    seat, voids = play.turn, play.voids
    others = [other for other in SEATS if other != seat]
    unseen = sum(play.hands[other] for other in others)
    layouts = Layouts(
        unseen,
        [unseen & ~voids[other] for other in others],
        [play.hands[other].bit_count() for other in others],
    )
    is_all = layouts.count <= count
    if is_all:
        numbers = np.arange(layouts.count, dtype=np.int64)
    else:
        index = np.arange(count, dtype=np.uint64)
        words = philox((index, play.hands[seat], unseen, STREAM), check_seed(seed))
        numbers = number_below(layouts.count, words).astype(np.int64)
    held = layouts.unrank(numbers)
    return Hidden(np.insert(held, seat, play.hands[seat], axis=1), layouts.count, is_all)
