"""The one way in: a room, the hands and the trump in it, and questions about them.

From compiled code of any module::

    room = new_room()
    load_trump(room, follows, wins, groups, ALL_BOUNDS)           # of one trump
    fixed = load_hands(room, hands, table, leader, ranks)
    points = value(room, leader, fixed, low, high)                # no literals: see `search`

A room is an array and is handed over as one, so it lives as long as its caller needs it; `ask`
alone goes by its address, and returns before its caller can let it go.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import address, count_of, highest, lowest, popcount, word
from sim42.solver.kernels.bounds import EQUAL_TRUMPS, equal_trump, without_equal_trumps
from sim42.solver.kernels.endings import last_two, winner_of
from sim42.solver.kernels.layout import (
    COUNT,
    FOLLOWS,
    GAME,
    HANDS,
    LAST_GAME,
    LEAD_KILLERS,
    SIZE,
    SWITCHES,
    TABLE,
    TENS,
    TRUMPS,
    WINS,
    high_of,
    low_of,
)
from sim42.solver.kernels.search import search
from sim42.solver.kernels.table import probe, store


@kernel
def new_room():
    """A room for searches, empty; see `layout`."""
    return np.zeros(SIZE, np.int64)


@kernel
def load_trump(room, follows, wins, groups, switches):
    """Set a room up for a trump: follows and wins (28,), groups (3,), bounds that are on."""
    room[TRUMPS] = groups[0]
    room[COUNT] = groups[1]
    room[TENS] = groups[2]
    room[SWITCHES] = switches
    for tile in range(28):
        room[FOLLOWS + tile] = follows[tile]
        room[WINS + tile] = wins[tile]


@kernel
def ranked(mask, ranks):
    """Mask of the ranks (28,) of tiles, from that of their ids."""
    tiles = 0
    while mask:
        tiles |= 1 << ranks[lowest(mask)]
        mask &= mask - 1
    return tiles


@kernel
def load_hands(room, hands, table, leader, ranks):
    """Set a room up for four hands and the tiles on the table; returns these as a mask of ranks.

    hands (4,) are masks of tile ids, table (3,) the tile ids that `leader` and the next seats have
    played, -1 for one that is not yet. What was known of other hands is forgotten.
    """
    fixed = 0
    for seat in range(4):
        room[HANDS + seat] = ranked(hands[seat], ranks)
    for place in range(3):
        if table[place] >= 0:
            tile = 1 << ranks[table[place]]
            room[HANDS + (leader + place & 3)] |= tile
            fixed |= tile
    for killer in range(LEAD_KILLERS, TABLE):
        room[killer] = 0
    if room[GAME] == LAST_GAME:
        room[GAME] = 0
        room[TABLE:] = 0
    room[GAME] += 1
    return fixed


@kernel
def all_points(room):
    """Points of all tricks to come, the one on the table included."""
    tiles = room[HANDS] | room[HANDS + 1] | room[HANDS + 2] | room[HANDS + 3]
    return popcount(room[HANDS]) + count_of(tiles, room[COUNT], room[TENS])


@kernel
def ask(room, leader, fixed, goal):
    """Bound on the points that the side of `leader` takes, which tells whether `goal` or more.

    All tricks from the one that `leader` led are counted; `fixed` are the tiles on the table.
    """
    memory = address(room)
    hand0 = word(memory, HANDS + leader)
    hand1 = word(memory, HANDS + (leader + 1 & 3))
    hand2 = word(memory, HANDS + (leader + 2 & 3))
    hand3 = word(memory, HANDS + (leader + 3 & 3))
    tiles = hand0 | hand1 | hand2 | hand3
    tricks = popcount(hand0)
    left = tricks + count_of(tiles, word(memory, COUNT), word(memory, TENS))
    if goal <= 0:
        return 0
    if goal > left:
        return left
    if tricks == 1:
        return left if winner_of(memory, hand0, tiles) & (hand0 | hand2) else 0
    if not fixed:
        bounds = probe(memory, tiles, leader)
        if low_of(bounds) >= goal:
            return low_of(bounds)
        if high_of(bounds) < goal:
            return high_of(bounds)
    if tricks > 2:
        return search(memory, hand0, hand1, hand2, hand3, leader, goal, left, fixed)
    points = last_two(memory, hand0, hand1, hand2, hand3, goal, left, fixed)
    if not fixed:
        store(memory, tiles, leader, points, points >= goal)
    return points


@kernel
def value(room, leader, fixed, low, high):
    """Points of the side of `leader` as far as they are from `low` to `high`, which clip them.

    Asked from below: a question answered yes is three times cheaper than one answered no, and the
    answer is often more than was asked.
    """
    while low < high:
        points = ask(room, leader, fixed, low + 1)
        if points <= low:
            break
        low = min(points, high)
    return low


@kernel
def value_near(room, leader, fixed, low, high, guess):
    """As `value`, asked near a guess first: above it, then downwards by one or up by a quarter."""
    while low < high:
        goal = high
        if guess < low:
            goal = low + 1 + (high - low - 1) // 4
        elif guess < high:
            goal = guess + 1
        points = ask(room, leader, fixed, goal)
        if points >= goal:
            low = min(points, high)
        else:
            high = max(points, low)
    return low


@kernel
def legal_plays(room, leader, fixed):
    """Tiles that the seat to play may play, and those of them that are equal to none of these."""
    seat = leader + popcount(fixed) & 3
    legal = room[HANDS + seat]
    if fixed:
        legal = legal & room[FOLLOWS + lowest(fixed & room[HANDS + leader])] or legal
    present = room[HANDS] | room[HANDS + 1] | room[HANDS + 2] | room[HANDS + 3]
    equals = room[TRUMPS] if room[SWITCHES] & EQUAL_TRUMPS else 0
    return legal, without_equal_trumps(legal, present, equals, room[COUNT])


@kernel
def play_values(room, leader, fixed, low, high, values):
    """Fill values (28,) with the `value` after each legal play, by rank; -1 where there is none.

    Returns the best of them for the side to play, the value of the position.
    """
    legal, kept = legal_plays(room, leader, fixed)
    for_leader = popcount(fixed) & 1 == 0
    guess = high
    best = low if for_leader else high
    for tile in range(28):
        play = 1 << tile
        values[tile] = -1
        if kept & play:
            # Most plays of a position are worth about the same.
            guess = value_near(room, leader, fixed | play, low, high, guess)
            values[tile] = guess
            best = max(best, guess) if for_leader else min(best, guess)
    for tile in range(28):
        play = 1 << tile
        if legal & ~kept & play:
            values[tile] = values[lowest(equal_trump(play, kept, room[TRUMPS], room[COUNT]))]
    return best


@kernel
def next_trick(room, leader, fixed, points):
    """Take a whole trick, `fixed`, out of the hands; returns who leads next, and what is left.

    `points` are what the leader's side takes from this trick on; what is returned is what the side
    of the next leader takes from the next trick on.
    """
    won = 1 + count_of(fixed, room[COUNT], room[TENS])
    winner = highest(fixed & room[WINS + lowest(fixed & room[HANDS + leader])])
    place = 0
    while not winner & room[HANDS + (leader + place & 3)]:
        place += 1
    for seat in range(4):
        room[HANDS + seat] &= ~fixed
    return leader + place & 3, all_points(room) - points if place & 1 else points - won


@kernel
def best_line(room, leader, fixed, points, line):
    """Fill line (28,) with tiles, in play order, of a play that reaches `points`; -1 at its end.

    `points` are the value of the position. The hands in the room are played to the end; what was
    learned about them stays true for what is left of them.
    """
    turn = 0
    while room[HANDS + leader]:
        _, plays = legal_plays(room, leader, fixed)
        for_leader = popcount(fixed) & 1 == 0
        while True:
            play = plays & -plays
            plays ^= play
            # The last tile keeps the value if no other does.
            if not plays:
                break
            if for_leader and ask(room, leader, fixed | play, points) >= points:
                break
            if not for_leader and ask(room, leader, fixed | play, points + 1) <= points:
                break
        fixed |= play
        line[turn] = lowest(play)
        turn += 1
        if popcount(fixed) == 4:
            leader, points = next_trick(room, leader, fixed, points)
            fixed = 0
    line[turn:] = -1
