"""In how many layouts the side of a seat that does not see reaches its goal after each play."""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import lowest, popcount
from sim42.solver.kernels.bounds import equal_trump
from sim42.solver.kernels.layout import COUNT, TRUMPS
from sim42.solver.kernels.questions import (
    all_points,
    ask,
    legal_plays,
    load_hands,
    load_trump,
    new_room,
    ranked,
    value_near,
)


@kernel
def count_reaching(hands, table, leader, need, ranks, follows, wins, groups, switches):
    """In how many layouts the side to play takes `need` points or more after each play.

    hands (n, 4) that agree in those of the seat to play, table (3,), lookups of one trump -> int64
    (28,) by tile id, -1 for what may not be played. The trick on the table is counted in the need.
    """
    room = new_room()
    load_trump(room, follows, wins, groups, switches)
    by_rank = np.full(28, -1, np.int64)
    for n in range(hands.shape[0]):
        fixed = load_hands(room, hands[n], table, leader, ranks)
        for_leader = popcount(fixed) & 1 == 0
        goal = need if for_leader else all_points(room) - need + 1
        legal, kept = legal_plays(room, leader, fixed)
        reached = 0 * legal
        rest = kept
        while rest:
            play = rest & -rest
            rest ^= play
            if (ask(room, leader, fixed | play, goal) >= goal) == for_leader:
                reached |= play
        while legal:
            play = legal & -legal
            legal ^= play
            solved = play if kept & play else equal_trump(play, kept, room[TRUMPS], room[COUNT])
            tile = lowest(play)
            by_rank[tile] = max(by_rank[tile], 0) + (reached & solved != 0)
    counts = np.empty(28, np.int64)
    for tile in range(28):
        counts[tile] = by_rank[ranks[tile]]
    return counts


@kernel
def sum_points(hands, table, leader, plays, ranks, follows, wins, groups, switches):
    """Points that the side to play yet takes after each of some plays, over all layouts together.

    Arguments as of `count_reaching`, and `plays`, a mask of legal tiles -> int64 (28,) by tile id,
    0 for all others. Of equal plays all are among them or none.
    """
    room = new_room()
    load_trump(room, follows, wins, groups, switches)
    wanted = ranked(plays, ranks)
    by_rank = np.zeros(28, np.int64)
    for n in range(hands.shape[0]):
        fixed = load_hands(room, hands[n], table, leader, ranks)
        total = all_points(room)
        points = total
        _, kept = legal_plays(room, leader, fixed)
        rest = kept & wanted
        while rest:
            play = rest & -rest
            rest ^= play
            points = value_near(room, leader, fixed | play, 0 * total, total, points)
            by_rank[lowest(play)] += points if popcount(fixed) & 1 == 0 else total - points
    sums = np.zeros(28, np.int64)
    for tile in range(28):
        play = 1 << ranks[tile]
        if wanted & play:
            solved = play if kept & play else equal_trump(play, kept, room[TRUMPS], room[COUNT])
            sums[tile] = by_rank[lowest(solved)]
    return sums
