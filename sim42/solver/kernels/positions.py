"""Values inside a deal: of any position, of every play from it, and a line of best play.

A position is the hands (4,) as masks, the table (3,) as tile ids in the order played with -1 for
what is not yet played, and the seat that led that trick or is to lead. Whoever is to play holds a
tile. Points are those still to come, the trick on the table included, of the side asked for: side 0
is seats 0 and 2. Rules come as stacked lookups, a row a trump, and the bounds that are on, always
as the last arguments.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.layout import PLIES
from sim42.solver.kernels.questions import (
    all_points,
    ask,
    best_line,
    load_hands,
    load_trump,
    new_room,
    play_values,
    value,
)


@kernel
def value_block(hands, tables, leaders, sides, floors, ranks, follows, wins, groups, switches):
    """Points to come of the sides, floor - 1 for all below the floor; and the tiles played.

    hands (n, 4), tables (n, 3), leaders, sides and floors (n,) -> int8 (n, t), int64 (n, t).
    """
    room = new_room()
    points = np.empty((hands.shape[0], ranks.shape[0]), np.int8)
    plies = np.empty(points.shape, np.int64)
    for n in range(points.shape[0]):
        leader = leaders[n]
        for trump in range(points.shape[1]):
            load_trump(room, follows[trump], wins[trump], groups[trump], switches)
            fixed = load_hands(room, hands[n], tables[n], leader, ranks[trump])
            room[PLIES] = 0
            total = all_points(room)
            low, high = window(total, leader, sides[n], floors[n])
            # What the floor clips away is asked first.
            found = high
            if high == total or ask(room, leader, fixed, high) < high:
                found = value(room, leader, fixed, low, high)
            points[n, trump] = seen_by(total, leader, sides[n], floors[n], found)
            plies[n, trump] = room[PLIES]
    return points, plies


@kernel
def makes_block(hands, tables, leaders, sides, needs, ranks, follows, wins, groups, switches):
    """Whether the sides still take what they need or more; and the tiles played.

    As `value_block`, with needs (n,), any whole numbers -> bool (n, t), int64 (n, t).
    """
    room = new_room()
    makes = np.empty((hands.shape[0], ranks.shape[0]), np.bool_)
    plies = np.empty(makes.shape, np.int64)
    for n in range(makes.shape[0]):
        leader = leaders[n]
        for trump in range(makes.shape[1]):
            load_trump(room, follows[trump], wins[trump], groups[trump], switches)
            fixed = load_hands(room, hands[n], tables[n], leader, ranks[trump])
            room[PLIES] = 0
            if leader & 1 == sides[n]:
                goal = needs[n]
                makes[n, trump] = ask(room, leader, fixed, goal) >= goal
            else:
                goal = all_points(room) - needs[n] + 1
                makes[n, trump] = ask(room, leader, fixed, goal) < goal
            plies[n, trump] = room[PLIES]
    return makes, plies


@kernel
def play_block(hands, tables, leaders, sides, floors, ranks, follows, wins, groups, switches):
    """Points to come of the sides after each legal play; and the tiles played by the search.

    As `value_block` -> int8 (n, t, 28) by tile id, -1 for what is no legal play; int64 (n, t).
    """
    room = new_room()
    points = np.empty((hands.shape[0], ranks.shape[0], 28), np.int8)
    plies = np.empty(points.shape[:2], np.int64)
    by_rank = np.empty(28, np.int64)
    for n in range(points.shape[0]):
        leader = leaders[n]
        for trump in range(points.shape[1]):
            load_trump(room, follows[trump], wins[trump], groups[trump], switches)
            fixed = load_hands(room, hands[n], tables[n], leader, ranks[trump])
            room[PLIES] = 0
            total = all_points(room)
            low, high = window(total, leader, sides[n], floors[n])
            play_values(room, leader, fixed, low, high, by_rank)
            for tile in range(28):
                found = by_rank[ranks[trump, tile]]
                if found >= 0:
                    found = seen_by(total, leader, sides[n], floors[n], found)
                points[n, trump, tile] = found
            plies[n, trump] = room[PLIES]
    return points, plies


@kernel
def explain(hands, table, leader, ranks, follows, wins, groups, switches):
    """Points to come of seats 0 and 2 after each legal play, and one line of best play.

    One position, lookups of one trump -> int8 (28,) by tile id, -1 for what is no legal play; int8
    (28,) tiles in the order played, -1 after the last; tiles that the search of the values played.
    """
    room = new_room()
    values = np.full(28, -1, np.int8)
    line = np.full(28, -1, np.int8)
    by_rank = np.empty(28, np.int64)
    by_turn = np.empty(28, np.int64)
    load_trump(room, follows, wins, groups, switches)
    fixed = load_hands(room, hands, table, leader, ranks)
    side = leader & 0
    total = all_points(room)
    low, high = window(total, leader, side, side)
    best = play_values(room, leader, fixed, low, high, by_rank)
    plies = room[PLIES]
    best_line(room, leader, fixed, best, by_turn)
    for tile in range(28):
        found = by_rank[ranks[tile]]
        if found >= 0:
            values[tile] = seen_by(total, leader, side, side, found)
        for turn in range(28):
            if by_turn[turn] == ranks[tile]:
                line[turn] = tile
    return values, line, plies


@kernel
def window(total, leader, side, floor):
    """Points of the leader's side between which those of a side from its floor up lie.

    The lower end, or for the other side the upper one, stands for all below the floor.
    """
    if leader & 1 == side:
        return max(floor - 1, 0), total
    return 0 * total, total - max(floor - 1, 0)


@kernel
def seen_by(total, leader, side, floor, points):
    """Points of a side from those of the leader's side; floor - 1 for all below the floor."""
    return max(points if leader & 1 == side else total - points, floor - 1)
