"""The last two tricks in straight code, without list or stack: most positions are such endings."""

from sim42.solver.kernels._jit import inlined, kernel
from sim42.solver.kernels.bits import count_of, highest, lowest, word
from sim42.solver.kernels.layout import COUNT, FOLLOWS, NO_LIMIT, TENS, WINS


@inlined
def winner_of(memory, led, trick):
    """The tile that wins a trick, as a mask."""
    return highest(trick & word(memory, WINS + lowest(led)))


@kernel
def last_two(memory, hand0, hand1, hand2, hand3, goal, left, fixed):
    """Points of the leader's side when everybody holds two tiles, as far as `goal` asks.

    Arguments are those of `search.search`. Returns a low bound that is `goal` or more, or a high
    bound below it.
    """
    count = word(memory, COUNT)
    tens = word(memory, TENS)
    ours = hand0 | hand2
    tiles = ours | hand1 | hand3
    best0 = 0
    rest0 = fixed & hand0 or hand0
    while rest0:
        tile = lowest(rest0)
        lead = rest0 & -rest0
        rest0 ^= lead
        follows = word(memory, FOLLOWS + tile)
        wins = word(memory, WINS + tile)
        replies2 = fixed & hand2 or hand2 & follows or hand2
        replies3 = fixed & hand3 or hand3 & follows or hand3
        rest1 = fixed & hand1 or hand1 & follows or hand1
        best1 = NO_LIMIT
        while rest1 and best1 >= goal:
            trick1 = lead | rest1 & -rest1
            rest1 &= rest1 - 1
            rest2 = replies2
            best2 = 0
            while rest2 and best2 < goal:
                trick2 = trick1 | rest2 & -rest2
                rest2 &= rest2 - 1
                rest3 = replies3
                best3 = NO_LIMIT
                while rest3 and best3 >= goal:
                    trick = trick2 | rest3 & -rest3
                    rest3 &= rest3 - 1
                    last = tiles ^ trick
                    winner = highest(trick & wins)
                    hand = hand0 if winner & hand0 else hand1
                    hand = hand2 if winner & hand2 else hand
                    hand = hand3 if winner & hand3 else hand
                    in_trick = 1 + count_of(trick, count, tens)
                    points = in_trick if winner & ours else 0
                    if winner_of(memory, hand & last, last) & ours:
                        points += left - in_trick
                    best3 = min(best3, points)
                best2 = max(best2, best3)
            best1 = min(best1, best2)
        best0 = max(best0, best1)
        if best0 >= goal:
            break
    return best0
