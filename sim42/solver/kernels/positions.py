"""Values inside a deal: of any position, of every play from it, and a line of best play.

A position is the hands (4,) as masks, the table (3,) as tile ids in the order played with -1 for
what is not yet played, and the seat that led that trick or is to lead. Whoever is to play holds a
tile. Points are those still to come, the trick on the table included, of the side asked for: side 0
is seats 0 and 2. Rules come as stacked lookups, a row a trump, always as the last arguments.

This is all that the package knows of the search when a trick is in progress; whatever replaces the
search has these five functions to keep.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import address, count_of, lowest, popcount, word
from sim42.solver.kernels.bounds import ALL_BOUNDS, without_equal_trumps
from sim42.solver.kernels.lines import after, equal_trump
from sim42.solver.kernels.memory import FOLLOWS, HANDS, PLIES, SIZE, load
from sim42.solver.kernels.search import TILES_MASK, search


@kernel
def value_block(hands, tables, leaders, sides, floors, leads, follows, beats):
    """Points to come of the sides, floor - 1 for all below the floor; and the tiles played.

    hands (n, 4), tables (n, 3), leaders, sides and floors (n,) -> int8 (n, t), int64 (n, t).
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    points = np.empty((hands.shape[0], leads.shape[0]), np.int8)
    plies = np.empty(points.shape, np.int64)
    for n in range(points.shape[0]):
        for trump in range(points.shape[1]):
            room[PLIES] = 0
            position, progress, total = enter(
                memory, hands[n], tables[n], leaders[n], leads[trump], follows[trump], beats[trump]
            )
            value = from_floor(memory, position, progress, total, sides[n], floors[n], total >> 1)
            points[n, trump] = value
            plies[n, trump] = room[PLIES]
    return points, plies


@kernel
def makes_block(hands, tables, leaders, sides, needs, leads, follows, beats):
    """Whether the sides still take what they need or more; and the tiles played.

    As `value_block`, with needs (n,), any whole numbers -> bool (n, t), int64 (n, t).
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    makes = np.empty((hands.shape[0], leads.shape[0]), np.bool_)
    plies = np.empty(makes.shape, np.int64)
    for n in range(makes.shape[0]):
        for trump in range(makes.shape[1]):
            room[PLIES] = 0
            position, progress, total = enter(
                memory, hands[n], tables[n], leaders[n], leads[trump], follows[trump], beats[trump]
            )
            makes[n, trump] = reaches(memory, position, progress, total, sides[n], needs[n])
            plies[n, trump] = room[PLIES]
    return makes, plies


@kernel
def play_block(hands, tables, leaders, sides, floors, leads, follows, beats):
    """Points to come of the sides after each legal play; and the tiles played by the search.

    As `value_block` -> int8 (n, t, 28) by tile id, -1 for what is no legal play; int64 (n, t).
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    points = np.full((hands.shape[0], leads.shape[0], 28), -1, np.int8)
    plies = np.empty(points.shape[:2], np.int64)
    for n in range(points.shape[0]):
        for trump in range(points.shape[1]):
            room[PLIES] = 0
            position, progress, total = enter(
                memory, hands[n], tables[n], leaders[n], leads[trump], follows[trump], beats[trump]
            )
            values = points[n, trump]
            fill_plays(memory, position, progress, total, sides[n], floors[n], values)
            plies[n, trump] = room[PLIES]
    return points, plies


@kernel
def explain(hands, table, leader, leads, follows, beats):
    """Points to come of seats 0 and 2 after each legal play, and one line of best play.

    One position, lookups of one trump -> int8 (28,) by tile id, -1 for what is no legal play; int8
    (28,) tiles in the order played, -1 after the last; tiles that the search of the values played.
    """
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    values = np.full(28, -1, np.int8)
    line = np.full(28, -1, np.int8)
    position, progress, total = enter(memory, hands, table, leader, leads, follows, beats)
    fill_plays(memory, position, progress, total, 0, 0, values)
    plies = room[PLIES]
    goal = -1
    odd = seat_of(position) & 1
    for tile in range(28):
        value = values[tile] + 0
        if value >= 0 and (goal < 0 or (value < goal if odd else value > goal)):
            goal = value
    fill_line(memory, position, progress, goal, line)
    # Read once more, the room lives until here.
    return values, line, min(plies, room[PLIES])


@kernel
def enter(memory, hands, table, leader, leads, follows, beats):
    """Set up for a position: its two words (see `search`), and all points to come."""
    deal = hands.copy()
    for place in range(3):
        if table[place] >= 0:
            deal[leader + place & 3] |= 1 << table[place]
    load(memory, deal, leads, follows, beats, ALL_BOUNDS)
    tiles = deal[0] | deal[1] | deal[2] | deal[3]
    position = tiles | leader << 56
    progress = 0 * tiles
    for place in range(3):
        if table[place] >= 0:
            position, progress = after(memory, position, progress, table[place])
    return position, progress, (popcount(tiles) >> 2) + count_of(tiles)


@kernel
def seat_of(position):
    """Seat to play."""
    return (position >> 56) - popcount(position & TILES_MASK) & 3


@kernel
def reaches(memory, position, progress, total, side, need):
    """Whether a side takes `need` or more of all points to come, which are `total`."""
    if need <= 0 or need > total:
        return need <= 0
    goal = total - need + 1 if side else need
    return (search(memory, position, progress, goal) >= goal) != (side == 1)


@kernel
def from_floor(memory, position, progress, total, side, floor, guess):
    """Points of a side, floor - 1 for all below the floor; asked for near a guess first."""
    if floor > 0 and not reaches(memory, position, progress, total, side, floor):
        return floor - 1
    # What seats 0 and 2 take.
    low = 0 * total
    high = total
    if floor > 0 and side:
        high = total - floor
    elif floor > 0:
        low = floor + low
    aim = total - guess if side else guess
    while low < high:
        if low <= aim < high:
            need = aim + 1
        elif low < aim:
            need = aim if aim == high else high - (high - low - 1) // 4
        else:
            need = low + 1 + (high - low - 1) // 4
        value = search(memory, position, progress, need)
        if value >= need:
            low = value
        else:
            high = value
    return total - low if side else low


@kernel
def fill_plays(memory, position, progress, total, side, floor, values):
    """Enter in values (28,) the points of a side after each legal play."""
    tiles = position & TILES_MASK
    seat = seat_of(position)
    hand = word(memory, HANDS + seat) & tiles
    legal = hand
    trick = 0 * tiles
    if popcount(tiles) & 3:
        trick = position >> 28 & TILES_MASK
        legal = hand & word(memory, FOLLOWS + (position >> 58 & 7)) or hand
    kept = without_equal_trumps(memory, legal, tiles | trick)
    guess = total
    rest = kept
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        next_position, next_progress = after(memory, position, progress, tile)
        # Most plays of a position are worth about the same.
        guess = from_floor(memory, next_position, next_progress, total, side, floor, guess)
        values[tile] = guess
    left_out = legal & ~kept
    while left_out:
        tile = lowest(left_out)
        left_out &= left_out - 1
        values[tile] = values[equal_trump(memory, tile, kept)]


@kernel
def fill_line(memory, position, progress, goal, line):
    """Enter in line (28,) the tiles of a play that gives seats 0 and 2 the goal, their value."""
    for turn in range(popcount(position & TILES_MASK)):
        tiles = position & TILES_MASK
        seat = seat_of(position)
        hand = word(memory, HANDS + seat) & tiles
        legal = hand
        if popcount(tiles) & 3:
            legal = hand & word(memory, FOLLOWS + (position >> 58 & 7)) or hand
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
