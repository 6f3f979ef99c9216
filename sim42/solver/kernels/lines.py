"""One deal in detail: the value of each opening lead, and a line of best play."""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import COUNT, address, count_of, lowest, popcount, word
from sim42.solver.kernels.bounds import ALL_BOUNDS, without_equal_trumps
from sim42.solver.kernels.memory import (
    BEATS,
    FOLLOWS,
    HANDS,
    HIGHEST,
    LEADS,
    PLIES,
    SIZE,
    TRUMP_ROW,
    load,
)
from sim42.solver.kernels.moves import END, order_leads
from sim42.solver.kernels.search import TILES_MASK, search


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
def exact_near(memory, position, progress, total, guess):
    """Points of seats 0 and 2 in a position, asked for near a guess first."""
    low = 0 * total
    high = total
    while low < high:
        if low <= guess < high:
            need = guess + 1
        elif low < guess:
            need = guess if guess == high else high - (high - low - 1) // 4
        else:
            need = low + 1 + (high - low - 1) // 4
        value = search(memory, position, progress, need)
        if value >= need:
            low = value
        else:
            high = value
    return low


@kernel
def equal_trump(memory, tile, kept):
    """The lowest plain trump among those kept that is higher than one left out as equal."""
    equal = lowest(kept & ~COUNT & word(memory, TRUMP_ROW + tile))
    rest = kept & ~COUNT & word(memory, TRUMP_ROW + tile)
    while rest:
        if word(memory, TRUMP_ROW + lowest(rest)) >> equal & 1:
            equal = lowest(rest)
        rest &= rest - 1
    return equal


@kernel
def lead_values(memory, position, total, values):
    """Fill values (28,) with the points of seats 0 and 2 after each opening lead."""
    tiles = position & TILES_MASK
    leader = position >> 56
    hand = word(memory, HANDS + leader)
    kept = without_equal_trumps(memory, hand, tiles)
    leads = order_leads(memory, tiles, leader, kept, 0, HIGHEST, HIGHEST) >> 6
    guess = total
    while leads != END:
        tile = leads & 31
        leads >>= 5
        next_position, next_progress = after(memory, position, 0 * total, tile)
        # Most leads of a deal are worth about the same.
        guess = exact_near(memory, next_position, next_progress, total, guess)
        values[tile] = guess
    left_out = hand & ~kept
    while left_out:
        tile = lowest(left_out)
        values[tile] = values[equal_trump(memory, tile, kept)]
        left_out &= left_out - 1


@kernel
def best_line(memory, position, goal, line):
    """Fill line (28,) with tiles, in play order, of a play that reaches the value of a deal."""
    progress = 0 * goal
    for turn in range(popcount(position & TILES_MASK)):
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


@kernel
def solve_one(deal, leads, follows, beats, leader):
    """Points of seats 0 and 2 after each opening lead, and one line of best play.

    deal (4,), lookups of one trump -> int8 (28,) by tile, -1 for what is no lead; int8 (28,) tiles
    in play order, -1 after the last; tiles that the search of the values played.
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    load(memory, deal, leads, follows, beats, ALL_BOUNDS)
    values = np.full(28, -1, np.int8)
    line = np.full(28, -1, np.int8)
    position = deal[0] | deal[1] | deal[2] | deal[3]
    total = (popcount(position) >> 2) + count_of(position)
    position |= leader << 56
    lead_values(memory, position, total, values)
    plies = room[PLIES]
    goal = -1
    for tile in range(28):
        value = values[tile] + 0
        if deal[leader] >> tile & 1 and (goal < 0 or (value < goal) == (leader & 1 == 1)):
            goal = value
    best_line(memory, position, goal, line)
    # Read once more, the room lives until here.
    return values, line, min(plies, room[PLIES])
