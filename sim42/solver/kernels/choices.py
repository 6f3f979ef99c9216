"""In how many layouts each play of a seat that does not see still makes, or sets, the contract."""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import address, lowest, popcount, word
from sim42.solver.kernels.bounds import without_equal_trumps
from sim42.solver.kernels.lines import after, equal_trump
from sim42.solver.kernels.memory import FOLLOWS, HANDS, SIZE
from sim42.solver.kernels.positions import enter, reaches, seat_of
from sim42.solver.kernels.search import TILES_MASK


@kernel
def makes_of_plays(hands, table, leader, side, need, leads, follows, beats):
    """In how many layouts the side takes `need` points or more after each play of the seat.

    hands (n, 4) that differ in what other seats hold, table (3,), lookups of one trump -> int64
    (28,) by tile id, -1 for what is no legal play.
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    counts = np.full(28, -1, np.int64)
    for n in range(hands.shape[0]):
        position, progress, total = enter(memory, hands[n], table, leader, leads, follows, beats)
        tiles = position & TILES_MASK
        seat = seat_of(position)
        hand = word(memory, HANDS + seat) & tiles
        legal = hand
        trick = 0 * tiles
        if popcount(tiles) & 3:
            trick = position >> 28 & TILES_MASK
            legal = hand & word(memory, FOLLOWS + (position >> 58 & 7)) or hand
        kept = without_equal_trumps(memory, legal, tiles | trick)
        here = np.zeros(28, np.int64)
        rest = kept
        while rest:
            tile = lowest(rest)
            rest &= rest - 1
            next_position, next_progress = after(memory, position, progress, tile)
            here[tile] = reaches(memory, next_position, next_progress, total, side, need)
        left_out = legal & ~kept
        while left_out:
            tile = lowest(left_out)
            left_out &= left_out - 1
            here[tile] = here[equal_trump(memory, tile, kept)]
        rest = legal
        while rest:
            tile = lowest(rest)
            rest &= rest - 1
            counts[tile] = max(counts[tile], 0) + here[tile]
    return counts, room[0]
