"""The rules of play compiled and nothing more: counting legal sequences, and replaying one.

These check the lookup arrays and the compiler against `sim42.game`; nothing is searched here.
Arrays are those of `sim42.solver.lookups` for one trump; masks and tiles of the arguments and of
the results are of tile ids.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import count_of, highest, lowest, popcount
from sim42.solver.kernels.questions import ranked

NOTHING_LED = -1


@kernel
def legal_mask(hand, led, follows):
    """Tiles of a hand that may be played to the tile led, or to `NOTHING_LED`."""
    if led == NOTHING_LED:
        return hand
    return hand & follows[led] or hand


@kernel
def ranked_hands(deal, ranks):
    """Hands (4,) as masks of ranks."""
    hands = np.empty(4, np.int64)
    for seat in range(4):
        hands[seat] = ranked(deal[seat], ranks)
    return hands


@kernel
def perft(deal, ranks, follows, wins, groups, leader, depth):
    """Number of legal sequences of `depth` plays, 1 to 28; deal int64 (4,) of masks.

    One entry of each stack a play: the tiles not yet tried, the tile on trial, and how the trick
    stands before that play.
    """
    hands = ranked_hands(deal, ranks)
    untried = np.zeros(29, np.int64)
    tile = np.zeros(29, np.int64)
    seat = np.zeros(29, np.int64)
    led = np.zeros(29, np.int64)
    best = np.zeros(29, np.int64)
    holder = np.zeros(29, np.int64)
    total = 0
    ply = 0
    seat[0] = leader
    led[0] = NOTHING_LED
    untried[0] = hands[leader]
    while ply >= 0:
        if ply == depth - 1:
            total += popcount(untried[ply])
            untried[ply] = 0
        if untried[ply] == 0:
            ply -= 1
            if ply >= 0:
                hands[seat[ply]] |= 1 << tile[ply]
            continue
        t = lowest(untried[ply])
        untried[ply] &= untried[ply] - 1
        tile[ply] = t
        hands[seat[ply]] &= ~(1 << t)
        to_follow = t if led[ply] == NOTHING_LED else led[ply]
        takes = led[ply] == NOTHING_LED or (wins[to_follow] >> t & 1 and t > best[ply])
        following = ply + 1
        best[following] = t if takes else best[ply]
        holder[following] = seat[ply] if takes else holder[ply]
        if following & 3:
            led[following] = to_follow
            seat[following] = seat[ply] + 1 & 3
        else:
            led[following] = NOTHING_LED
            seat[following] = holder[following]
        ply = following
        untried[ply] = legal_mask(hands[seat[ply]], led[ply], follows)
    return total


@kernel
def replay(deal, plays, ranks, follows, wins, groups, leader):
    """Play the tiles `plays`, int64 (n,): each legal when it comes.

    Returns
    -------
    legal : int64 (n,), the tiles that might have been played each time
    winners : int64 (n // 4,), seat that won each trick
    points : int64 (2,), taken by seats 0 and 2, and by seats 1 and 3
    """
    hands = ranked_hands(deal, ranks)
    legal = np.zeros(len(plays), np.int64)
    winners = np.zeros(len(plays) // 4, np.int64)
    points = np.zeros(2, np.int64)
    table = np.zeros(4, np.int64)
    led = NOTHING_LED
    for ply in range(len(plays)):
        place = ply & 3
        seat = leader + place & 3
        choice = legal_mask(hands[seat], led, follows)
        for tile in range(28):
            legal[ply] |= (choice >> ranks[tile] & 1) << tile
        table[place] = 1 << ranks[plays[ply]]
        hands[seat] &= ~table[place]
        led = lowest(table[0])
        if place == 3:
            trick = table.sum()
            winner = highest(trick & wins[led])
            for other in range(4):
                if table[other] == winner:
                    seat = leader + other & 3
            leader = seat
            winners[ply >> 2] = leader
            points[leader & 1] += 1 + count_of(trick, groups[1], groups[2])
            led = NOTHING_LED
    return legal, winners, points
