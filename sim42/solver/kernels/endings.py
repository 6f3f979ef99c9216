"""The last two tricks in straight code, without list or stack: most positions are such endings."""

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import count_of, lowest, word
from sim42.solver.kernels.memory import BEATS, FOLLOWS, HANDS, HIGHEST, LEADS


@kernel
def winning_tile(memory, row, led, trick):
    """The tile of a trick that wins it; `row` is that of the suit led."""
    higher = word(memory, row + led) & trick
    while higher:
        led = lowest(higher)
        higher = word(memory, row + led) & trick
    return led


@kernel
def last_trick(memory, tiles, leader):
    """The tile that wins when everybody holds one."""
    led = lowest(word(memory, HANDS + leader) & tiles)
    return winning_tile(memory, BEATS + (word(memory, LEADS + led) << 5), led, tiles)


@kernel
def last_two(memory, tiles, leader, taken, need):
    """Points of seats 0 and 2 when everybody holds two tiles, as far as `need` asks.

    With `taken` already, returns a low bound that is `need` or more, or a high bound below it.
    """
    hand0 = word(memory, HANDS + leader) & tiles
    hand1 = word(memory, HANDS + (leader + 1 & 3)) & tiles
    hand2 = word(memory, HANDS + (leader + 2 & 3)) & tiles
    hand3 = tiles ^ hand0 ^ hand1 ^ hand2
    ours = hand0 | hand2
    left = 2 + count_of(tiles)
    # All from the leader's side from here on.
    goal = left - (need - taken) + 1 if leader & 1 else need - taken
    best0 = 0
    rest0 = hand0
    while rest0:
        lead = rest0 & -rest0
        rest0 ^= lead
        led = lowest(lead)
        suit = word(memory, LEADS + led)
        row = BEATS + (suit << 5)
        follow = word(memory, FOLLOWS + suit)
        replies2 = hand2 & follow or hand2
        replies3 = hand3 & follow or hand3
        rest1 = hand1 & follow or hand1
        best1 = HIGHEST
        while rest1:
            trick1 = lead | rest1 & -rest1
            rest1 &= rest1 - 1
            rest2 = replies2
            best2 = 0
            while rest2:
                trick2 = trick1 | rest2 & -rest2
                rest2 &= rest2 - 1
                rest3 = replies3
                best3 = HIGHEST
                while rest3:
                    trick = trick2 | rest3 & -rest3
                    rest3 &= rest3 - 1
                    won = 1 << winning_tile(memory, row, led, trick)
                    hand = hand0 if won & hand0 else hand1
                    hand = hand2 if won & hand2 else hand
                    hand = hand3 if won & hand3 else hand
                    last = tiles ^ trick
                    next_led = lowest(hand & last)
                    next_row = BEATS + (word(memory, LEADS + next_led) << 5)
                    points = 1 + count_of(trick) if won & ours else 0
                    if ours >> winning_tile(memory, next_row, next_led, last) & 1:
                        points += 1 + count_of(last)
                    best3 = min(best3, points)
                    if points < goal:
                        break
                best2 = max(best2, best3)
                if best3 >= goal:
                    break
            best1 = min(best1, best2)
            if best2 < goal:
                break
        best0 = max(best0, best1)
        if best1 >= goal:
            break
    return taken + (left - best0 if leader & 1 else best0)
