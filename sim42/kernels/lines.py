"""One deal in detail: the value of each opening lead, and a line of best play."""

import numpy as np

from sim42.kernels._jit import kernel
from sim42.kernels.bits import address, count_of, lowest, popcount, word
from sim42.kernels.bounds import ALL_BOUNDS
from sim42.kernels.memory import BEATS, FOLLOWS, HANDS, LEADS, SIZE, load
from sim42.kernels.search import TILES_MASK, exact, search


@kernel
def after(memory, position, progress, tile):
    """The two words of the position after a play; see `search` for their layout."""
    tiles = position & TILES_MASK
    leader = position >> 56 & 3
    place = -popcount(tiles) & 3
    seat = leader + place & 3
    play = 1 << tile
    if place == 0:
        trick = play
        suit = word(memory, LEADS + tile)
        best_tile = tile
        holder = seat
    else:
        trick = position >> 28 & TILES_MASK | play
        suit = position >> 58 & 7
        wins = word(memory, BEATS + (suit << 5) + (progress & 31)) & play
        best_tile = tile if wins else progress & 31
        holder = seat if wins else progress >> 5 & 3
    taken = progress >> 7 & 63
    if place == 3:
        leader = holder
        if not holder & 1:
            taken += 1 + count_of(trick)
    tiles ^= play
    return tiles | trick << 28 | leader << 56 | suit << 58, best_tile | holder << 5 | taken << 7


@kernel
def solve_one(deal, leads, follows, beats, leader):
    """Points of seats 0 and 2 after each opening lead, and one line of best play.

    deal (4,), lookups of one trump -> int8 (28,) by tile, -1 for what is no lead; int8 (28,) tiles
    in play order, -1 after the last.
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    load(memory, deal, leads, follows, beats, ALL_BOUNDS)
    values = np.full(28, -1, np.int8)
    line = np.full(28, -1, np.int8)
    position = deal[0] | deal[1] | deal[2] | deal[3]
    held = popcount(position)
    total = (held >> 2) + count_of(position)
    position |= leader << 56
    progress = 0 * leader
    goal = exact(memory, position, progress, progress, total)
    legal = deal[leader]
    while legal:
        tile = lowest(legal)
        legal &= legal - 1
        next_position, next_progress = after(memory, position, progress, tile)
        # Most often a lead is as good as the best, so ask that first.
        low, high = (goal, total) if leader & 1 else (progress, goal)
        need = goal + (leader & 1)
        if low < high:
            value = search(memory, next_position, next_progress, need)
            low, high = (value, high) if value >= need else (low, value)
        values[tile] = exact(memory, next_position, next_progress, low, high)
    for turn in range(held):
        seat = (position >> 56) + turn & 3
        hand = word(memory, HANDS + seat) & position
        follow = word(memory, FOLLOWS + (position >> 58 & 7))
        legal = hand & follow if turn & 3 and hand & follow else hand
        need = goal + (seat & 1)
        while True:
            tile = lowest(legal)
            legal &= legal - 1
            next_position, next_progress = after(memory, position, progress, tile)
            # The last tile keeps the value if no other does.
            if not legal:
                break
            value = search(memory, next_position, next_progress, need)
            if (value >= need) != (seat & 1 == 1):
                break
        position = next_position
        progress = next_progress
        line[turn] = tile
    # The room is read here so that it lives until here.
    line[held:] = room[SIZE - 1] * 0 - 1
    return values, line
