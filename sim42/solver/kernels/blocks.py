"""Values of many deals under several trumps, a room for each block."""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.layout import PLIES
from sim42.solver.kernels.questions import load_hands, load_trump, new_room, value


@kernel
def solve_block(deals, ranks, follows, wins, groups, leaders, floor, switches):
    """Points of the leader's side, floor - 1 for all below `floor`; and the tiles played for each.

    deals (n, 4), stacked lookups (t, ...), leaders (n, k) -> int8 (n, t, k), int64 (n, t, k). Every
    deal is four hands of the same size, one tile or more, without a tile in common.
    """
    room = new_room()
    no_table = np.full(3, -1, np.int64)
    shape = (deals.shape[0], ranks.shape[0], leaders.shape[1])
    points = np.empty(shape, np.int8)
    plies = np.empty(shape, np.int64)
    low = max(floor - 1, 0)
    high = np.int64(42)
    for deal in range(shape[0]):
        for trump in range(shape[1]):
            load_trump(room, follows[trump], wins[trump], groups[trump], switches)
            fixed = load_hands(room, deals[deal], no_table, leaders[deal, 0], ranks[trump])
            for each in range(shape[2]):
                room[PLIES] = 0
                points[deal, trump, each] = value(room, leaders[deal, each], fixed, low, high)
                plies[deal, trump, each] = room[PLIES]
    return points, plies
