"""The rules of play compiled and nothing more: counting legal sequences, and replaying one.

These check the lookup arrays and the compiler against `sim42.game`; nothing is searched here.
Arrays are those of `sim42.solver.lookups`: leads (28,), follows (8,), beats (8, 28).
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import count_of, lowest, popcount


@kernel
def legal_mask(hand, led, follows):
    """Tiles of a hand that may be played; led is the suit led, -1 for the leader."""
    if led < 0:
        return hand
    following = hand & follows[led]
    return following or hand


@kernel
def perft(deal, leads, follows, beats, leader, depth):
    """Number of legal sequences of `depth` plays, 1 to 28; deal int64 (4,) of masks.

    One entry of each stack a play: the tiles not yet tried, the tile on trial, and how the trick
    stands before that play.
    """
    hands = deal.copy()
    untried = np.zeros(29, np.int64)
    tile = np.zeros(29, np.int64)
    seat = np.zeros(29, np.int64)
    led = np.zeros(29, np.int64)
    top = np.zeros(29, np.int64)
    holder = np.zeros(29, np.int64)
    total = 0
    ply = 0
    seat[0] = leader
    led[0] = -1
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
        suit = leads[t] if led[ply] < 0 else led[ply]
        takes = led[ply] < 0 or beats[suit, top[ply]] >> t & 1
        following = ply + 1
        top[following] = t if takes else top[ply]
        holder[following] = seat[ply] if takes else holder[ply]
        if following & 3:
            led[following] = suit
            seat[following] = seat[ply] + 1 & 3
        else:
            led[following] = -1
            seat[following] = holder[following]
        ply = following
        untried[ply] = legal_mask(hands[seat[ply]], led[ply], follows)
    return total


@kernel
def replay(deal, plays, leads, follows, beats, leader):
    """Play the tiles `plays`, int64 (n,): each legal when it comes.

    Returns
    -------
    legal : int64 (n,), the tiles that might have been played each time
    winners : int64 (n // 4,), seat that won each trick
    points : int64 (2,), taken by seats 0 and 2, and by seats 1 and 3
    """
    hands = deal.copy()
    legal = np.zeros(len(plays), np.int64)
    winners = np.zeros(len(plays) // 4, np.int64)
    points = np.zeros(2, np.int64)
    seat = holder = leader
    led = np.int64(-1)
    top = trick = np.int64(0)
    for ply in range(len(plays)):
        t = plays[ply]
        legal[ply] = legal_mask(hands[seat], led, follows)
        hands[seat] &= ~(1 << t)
        trick |= 1 << t
        if led < 0:
            led, top, holder = leads[t], t, seat
        elif beats[led, top] >> t & 1:
            top, holder = t, seat
        seat = seat + 1 & 3
        if ply & 3 == 3:
            winners[ply >> 2] = holder
            points[holder & 1] += 1 + count_of(trick)
            seat = holder
            led = np.int64(-1)
            trick = np.int64(0)
    return legal, winners, points
