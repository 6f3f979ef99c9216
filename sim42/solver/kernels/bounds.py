"""Bounds on what the tricks to come bring, each with its proof, and plays that need not be tried.

"Beats" and "follows" are always meant as the lookups say, so the proofs hold under every doubles
treatment. All are stated for positions at the start of a trick; `tiles` is what all four hold.
"""

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import COUNT, count_of, lowest, popcount, word
from sim42.solver.kernels.memory import BEATS, FOLLOWS, HANDS, LEADS, TRUMP_ROW, TRUMPS

SURE_RUN = 1
TOP_TRUMPS = 2
SURE_TRICK = 4
LOST_TRICK = 8
EQUAL_TRUMPS = 16
ALL_BOUNDS = 31
"""Switches of the bounds, so that a test can compare values with each of them off."""


@kernel
def sure_run(memory, tiles, leader, tricks, left):
    """Points that the leader takes for certain by leading unbeatable tiles in turn, up to `left`.

    A trump is unbeatable when no other hand, the partner's included, holds a higher one. Led in
    turn, each wins its trick, and the leader stays on lead; every other hand gives a trump to each
    while it has any. After as many as the most trumps that another hand holds, nobody else has a
    trump; then a tile that no other hand can beat within the suit it leads wins too, and so do all
    such tiles in turn. What others play on the way only takes tiles away that might beat them.

    The partner's tiles must count: if only the partner could beat a tile, the partner may be
    forced to, and is then on lead, so that the next tile is not sure.
    """
    mine = word(memory, HANDS + leader) & tiles
    theirs = tiles & ~mine
    trumps = word(memory, TRUMPS)
    sure = 0
    rest = mine & trumps
    while rest:
        tile = lowest(rest)
        if not theirs & word(memory, TRUMP_ROW + tile):
            sure |= rest & -rest
        rest &= rest - 1
    longest = 0
    for place in range(1, 4):
        hand = word(memory, HANDS + (leader + place & 3))
        longest = max(longest, popcount(hand & theirs & trumps))
    if longest <= popcount(sure):
        rest = mine & ~trumps
        while rest:
            tile = lowest(rest)
            suit = word(memory, LEADS + tile)
            rivals = word(memory, FOLLOWS + suit) & word(memory, BEATS + (suit << 5) + tile)
            if not theirs & rivals:
                sure |= rest & -rest
            rest &= rest - 1
    won = popcount(sure)
    return left if won >= tricks else won + count_of(sure)


@kernel
def top_trumps(memory, tiles, tricks, left):
    """Points that one side takes by its top trumps whoever leads: side << 6 | points.

    Take the highest trumps, as far down as one side holds them all. Each of them in one hand beats
    every trump of the other side, and two tiles of a hand never meet in a trick. So whenever one
    is played its trick goes to that side: the winner of the trick is a higher trump, and all the
    higher ones are the side's own. The hand with more of them thus brings a trick for each, and
    what they count. Side is the parity of its seats; 0 points when there are no trumps.
    """
    lower = word(memory, TRUMPS) & tiles
    odd_side = word(memory, HANDS + 1) | word(memory, HANDS + 3)
    tops = 0
    side = 0
    while lower:
        tile = lowest(lower)
        higher = lower & word(memory, TRUMP_ROW + tile)
        while higher:
            tile = lowest(higher)
            higher = lower & word(memory, TRUMP_ROW + tile)
        owner = odd_side >> tile & 1
        if tops and owner != side:
            break
        side = owner
        tops |= 1 << tile
        lower ^= 1 << tile
    one = tops & word(memory, HANDS + side)
    other = tops & word(memory, HANDS + side + 2)
    longer = one if popcount(one) >= popcount(other) else other
    won = popcount(longer)
    return side << 6 | (left if won >= tricks else won + count_of(longer))


@kernel
def without_equal_trumps(memory, legal, present):
    """Legal plays of one hand without trumps that are as good as a higher one among them.

    `present` is what all hold and what lies in the trick. Take two trumps without count in one
    hand such that no trump outside it lies between them. Exchanging them changes nothing that the
    rules see: both follow and lead the same suit only, and beat the same tiles of the other hands.
    So both lead to the same value, and one need not be tried.
    """
    trumps = word(memory, TRUMPS)
    plain = legal & trumps & ~COUNT
    kept = legal
    if plain & (plain - 1):
        theirs = present & trumps & ~legal
        rest = plain
        while rest:
            tile = lowest(rest)
            above = word(memory, TRUMP_ROW + tile)
            higher = plain & above
            while higher:
                between = above & ~word(memory, TRUMP_ROW + lowest(higher))
                if not between & theirs:
                    kept &= ~(rest & -rest)
                    break
                higher &= higher - 1
            rest &= rest - 1
    return kept
