"""The search: does a side get so many points of the tricks to come?

**The question.** The side of the seat that leads a trick wants as many points as it can get, the
other as few. `search` is asked whether it gets `goal` points or more (a *null window*), and answers
with a bound that settles it: a number of points it is sure of that is `goal` or more, or one it
cannot exceed that is below it. Both are proved, and often say more than was asked. A value comes of
several questions; what one learns stays in the table for the next.

**A trick** is one call of `search`, seen from its leader: place 0 leads, places 1 and 3 are the
opponents, place 2 is the partner. At its start the bounds of `bounds` may settle the question, or
all that the leads could bring. Else the leads are tried in the order of `order`, and three loops
play the trick, one for each reply. At the fourth place each reply is first looked at in the table:
what it is known to lead to may settle some of them, or the trick. What is left is searched from the
winner's side, by `search` again or, with two tricks left, by `endings`. A tile that cuts is
remembered (a *killer*) with the tricks left, the place, and the tile it had to beat.

**A trick in progress** needs nothing else: put the tiles on the table back into the hands that
played them, and let each of these seats have that tile as its only choice (`fixed`). All rules and
bounds of replies read the same then; only what is said about the start of a trick, bounds and
table, does not hold for it.

Why it is sound: a bound is proved where it stands, and each can be switched off. An entry of the
table is the answer to an earlier question about the same tiles and leader, on which the points to
come alone depend. A reply of the fourth place that the table settles is worth what the table says.
"""

import numpy as np

from sim42.solver.kernels._jit import inlined, kernel
from sim42.solver.kernels.bits import (
    above,
    lowest,
    most,
    popcount,
    put,
    word,
)
from sim42.solver.kernels.bounds import EQUAL_TRUMPS, without_equal_trumps
from sim42.solver.kernels.endings import last_two
from sim42.solver.kernels.layout import (
    COUNT,
    END,
    FOLLOWS,
    NO_LIMIT,
    PLIES,
    SWITCHES,
    TENS,
    TRUMPS,
    WINS,
    first_of,
    high_of,
    lead_killer,
    low_of,
    reply_killer,
    rest_of,
)
from sim42.solver.kernels.order import next_reply, order_leads
from sim42.solver.kernels.table import probe, store


@inlined
def known_replies(memory, replies, rest, beating, holder, leader, played, goal, left):
    """What the table tells of the replies at place 3, for the side of the trick's leader.

    `rest` are the tiles to come but for the reply, `played` the points of the trick so far.
    Returns the least that a settled reply brings, and the replies that are not settled: none if
    one that is settled keeps the leader's side below the goal.
    """
    count = word(memory, COUNT)
    tens = word(memory, TENS)
    best = NO_LIMIT
    unsettled = 0
    while replies:
        reply = replies & -replies
        replies ^= reply
        winner = 3 if reply & beating else holder
        points = played + most(reply, count, tens)
        left_after = left - points
        bounds = probe(memory, rest ^ reply, leader + winner & 3)
        low = low_of(bounds)
        high = min(left_after, high_of(bounds))
        if winner & 1:
            low, high = left_after - high, left_after - low
        else:
            low += points
            high += points
        if high < goal:
            return high, 0
        if low < goal:
            unsettled |= reply
        else:
            best = min(best, low)
    return best, unsettled


@inlined
def seen_from(place, hand0, hand1, hand2, hand3):
    """The four hands in the order of play from another place."""
    if place & 1:
        hand0, hand1, hand2, hand3 = hand1, hand2, hand3, hand0
    if place & 2:
        hand0, hand1, hand2, hand3 = hand2, hand3, hand0, hand1
    return hand0, hand1, hand2, hand3


@kernel
def search(memory, hand0, hand1, hand2, hand3, leader, goal, left, fixed):
    """Bound on the points of the leader's side that tells whether they are `goal` or more.

    Hands are those of the leader and clockwise, three tiles each or more; `left` are the points of
    all their tiles and tricks, and 0 < goal <= left. `fixed` are the tiles on the table.
    """
    count = word(memory, COUNT)
    tens = word(memory, TENS)
    tiles = hand0 | hand1 | hand2 | hand3
    tricks = popcount(hand0)
    equals = word(memory, TRUMPS) if word(memory, SWITCHES) & EQUAL_TRUMPS else 0
    # No literal: a recursive function of two signatures does not survive numba's cache.
    nothing = np.int64(0)
    plies = 0
    leads, best = order_leads(memory, hand0, hand1, hand2, hand3, leader, goal, left, fixed)
    if leads == END:
        return best
    while leads != END:
        to_beat0 = first_of(leads)
        leads = rest_of(leads)
        lead = 1 << to_beat0
        follows = word(memory, FOLLOWS + to_beat0)
        wins = word(memory, WINS + to_beat0)
        legal1 = fixed & hand1 or hand1 & follows or hand1
        legal2 = fixed & hand2 or hand2 & follows or hand2
        legal3 = fixed & hand3 or hand3 & follows or hand3
        replies1 = without_equal_trumps(legal1, tiles, equals, count)
        replies2 = without_equal_trumps(legal2, tiles, equals, count)
        replies3 = without_equal_trumps(legal3, tiles, equals, count)
        points0 = 1 + most(lead, count, tens)
        plies += 1
        # Place 1, an opponent.
        beating1 = wins & above(lead)
        killer1 = reply_killer(tricks, 1, to_beat0)
        best1 = NO_LIMIT
        rest1 = replies1
        reply1 = rest1 & word(memory, killer1)
        while rest1:
            if not reply1:
                reply1 = next_reply(memory, rest1, beating1, legal2, wins, False)
            rest1 ^= reply1
            points1 = points0 + most(reply1, count, tens)
            holder1 = 1 if reply1 & beating1 else 0
            to_beat1 = reply1 if reply1 & beating1 else lead
            plies += 1
            # Place 2, the partner.
            beating2 = wins & above(to_beat1)
            killer2 = reply_killer(tricks, 2, lowest(to_beat1))
            best2 = 0
            rest2 = replies2
            reply2 = rest2 & word(memory, killer2)
            while rest2:
                if not reply2:
                    reply2 = next_reply(memory, rest2, beating2, legal3, wins, holder1 == 0)
                rest2 ^= reply2
                points2 = points1 + most(reply2, count, tens)
                holder2 = 2 if reply2 & beating2 else holder1
                to_beat2 = reply2 if reply2 & beating2 else to_beat1
                plies += 1
                # Place 3, the other opponent.
                beating3 = wins & above(to_beat2)
                killer3 = reply_killer(tricks, 3, lowest(to_beat2))
                to_come = tiles ^ lead ^ reply1 ^ reply2
                best3, rest3 = known_replies(
                    memory, replies3, to_come, beating3, holder2, leader, points2, goal, left
                )
                reply3 = rest3 & word(memory, killer3)
                while rest3:
                    if not reply3:
                        reply3 = next_reply(memory, rest3, beating3, 0, wins, holder2 == 1)
                    rest3 ^= reply3
                    # The next trick, from the side of the winner of this one.
                    winner = 3 if reply3 & beating3 else holder2
                    points = points2 + most(reply3, count, tens)
                    next_left = left - points
                    next_goal = next_left - goal + 1 if winner & 1 else goal - points
                    next_leader = leader + winner & 3
                    next0, next1, next2, next3 = seen_from(
                        winner, hand0 ^ lead, hand1 ^ reply1, hand2 ^ reply2, hand3 ^ reply3
                    )
                    if tricks == 3:
                        value = last_two(
                            memory, next0, next1, next2, next3, next_goal, next_left, nothing
                        )
                        store(memory, to_come ^ reply3, next_leader, value, value >= next_goal)
                    else:
                        value = search(
                            memory,
                            next0,
                            next1,
                            next2,
                            next3,
                            next_leader,
                            next_goal,
                            next_left,
                            nothing,
                        )
                    value = next_left - value if winner & 1 else points + value
                    best3 = min(best3, value)
                    if value < goal:
                        if replies3 & (replies3 - 1):
                            put(memory, killer3, reply3)
                        break
                    reply3 = 0
                best2 = max(best2, best3)
                if best3 >= goal:
                    if replies2 & (replies2 - 1):
                        put(memory, killer2, reply2)
                    break
                reply2 = 0
            best1 = min(best1, best2)
            if best2 < goal:
                if replies1 & (replies1 - 1):
                    put(memory, killer1, reply1)
                break
            reply1 = 0
        best = max(best, best1)
        if best1 >= goal:
            put(memory, lead_killer(tricks, leader), lead)
            break
    put(memory, PLIES, word(memory, PLIES) + plies)
    if not fixed:
        store(memory, tiles, leader, best, best >= goal)
    return best
