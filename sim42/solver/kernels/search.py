"""Exact values of deals by a search with an explicit stack.

**The question.** Seats 0 and 2 want as many points as they can get, seats 1 and 3 as few. `search`
is asked whether they take `need` points or more (a *null window*), and answers with a bound that
settles it: a number of points they are sure of that is `need` or more, or a number they cannot
exceed that is below it. Both are proved, and often say more than was asked. `exact` asks with
halving steps until the two bounds meet; what one question learns stays in the table for the next.
Points are counted from the start of the deal, so `need` is the same in the whole tree.

**A position** is two words, on the stack and as argument::

    bit  0..27  28..55            56..57   58..60
         tiles  tiles of          leader   suit
         held   the trick so far           led

    bit  0..4          5..6       7..12        13..18      19..58
         best tile of  seat that  points that  best value  list of the tiles
         the trick     played it  0, 2 took    so far      to try, next one lowest

The place in the trick is minus the number of tiles held, modulo 4. At the start of a trick the
trick's fields are not read. The last two fields matter on the stack only.

**A step.** The loop below either *enters* a position, or has the *value* of one and goes back up.

1. Start of a trick: settle it by what is taken and left, by the table, by the bounds of `bounds`,
   or by one sure or lost trick (`moves`). Else list the leads.
2. Second to fourth place: if one tile is legal play it, without a word on the stack. At the fourth
   place look first at the trick that each play leads to: what is taken and left, and the table,
   may settle some (and the position, if one of them cuts); only the others are listed.
3. Eight tiles left: `endings`.
4. Going up: keep the better value; done if it settles the question (a *cut*: remember the tile as
   the killer of this place) or the list is at its end. At the start of a trick, note it in the
   table.

**Bounds** and why each is sound: what is taken and left is plain; `sure_run`, `top_trumps` and
`without_equal_trumps` are proved in `bounds`, sure and lost tricks in `order_leads`. Each has a
switch. A table entry is the answer to an earlier question about the same tiles with the same
leader, less what had been taken, which is all that the points to come depend on.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import address, count_of, lowest, popcount, put, word
from sim42.solver.kernels.bounds import (
    ALL_BOUNDS,
    EQUAL_TRUMPS,
    SURE_RUN,
    TOP_TRUMPS,
    sure_run,
    top_trumps,
    without_equal_trumps,
)
from sim42.solver.kernels.endings import last_trick, last_two
from sim42.solver.kernels.memory import (
    BEATS,
    FOLLOWS,
    HANDS,
    HIGHEST,
    KILLERS,
    LEADS,
    PLIES,
    SIZE,
    STACK,
    SWITCHES,
    load,
    look_up,
    note,
)
from sim42.solver.kernels.moves import END, order_leads, order_replies

TILES_MASK = (1 << 28) - 1


@kernel
def search(memory, position, progress, need):
    """Bound on the points of seats 0 and 2 that tells whether they are `need` or more.

    `position` and `progress` are the two words of a position as drawn above.
    """
    top = STACK
    tiles = position & TILES_MASK
    trick = position >> 28 & TILES_MASK
    leader = position >> 56 & 3
    suit = position >> 58 & 7
    best_tile = progress & 31
    holder = progress >> 5 & 3
    taken = progress >> 7 & 63
    held = popcount(tiles)
    switches = word(memory, SWITCHES)
    value = 0
    moves = END
    while True:
        place = -held & 3
        seat = leader + place & 3
        tricks = held + 3 >> 2
        best = HIGHEST if seat & 1 else 0
        unsettled = True
        if place == 0:
            left = tricks + count_of(tiles)
            low = 0
            high = left
            if taken < need <= taken + left:
                if tricks == 2:
                    low = high = last_two(memory, tiles, leader, taken, need) - taken
                    note(memory, tiles, leader, low, taken + low >= need)
                elif tricks == 1:
                    odd_side = word(memory, HANDS + 1) | word(memory, HANDS + 3)
                    if odd_side >> last_trick(memory, tiles, leader) & 1:
                        high = 0
                    else:
                        low = left
                else:
                    known = look_up(memory, tiles, leader)
                    low = known & HIGHEST
                    high = min(left, known >> 6)
                    if low < need - taken <= high and switches & SURE_RUN:
                        points = sure_run(memory, tiles, leader, tricks, left)
                        if leader & 1:
                            high = min(high, left - points)
                        else:
                            low = max(low, points)
                    if low < need - taken <= high and switches & TOP_TRUMPS:
                        points = top_trumps(memory, tiles, tricks, left)
                        if points >> 6:
                            high = min(high, left - (points & HIGHEST))
                        else:
                            low = max(low, points)
            if taken + low >= need:
                value = taken + low
                unsettled = False
            elif taken + high < need:
                value = taken + high
                unsettled = False
            else:
                legal = word(memory, HANDS + leader) & tiles
                if switches & EQUAL_TRUMPS:
                    legal = without_equal_trumps(memory, legal, tiles)
                goal = left - (need - taken) + 1 if leader & 1 else need - taken
                killer = word(memory, KILLERS + (tricks << 6 | leader << 4))
                leads = order_leads(memory, tiles, leader, legal, killer, goal, left - goal + 1)
                if leads < 0:
                    value = taken + (left + leads if leader & 1 else -leads)
                    unsettled = False
                else:
                    moves = leads >> 6
                    given = leads & HIGHEST
                    if given < HIGHEST:
                        best = taken + (given if leader & 1 else left - given)
                        value = best
                        unsettled = moves != END
        else:
            put(memory, PLIES, word(memory, PLIES) + 1)
            hand = word(memory, HANDS + seat) & tiles
            follow = word(memory, FOLLOWS + suit)
            legal = hand & follow or hand
            winning = word(memory, BEATS + (suit << 5) + best_tile)
            if legal & (legal - 1) and switches & EQUAL_TRUMPS:
                legal = without_equal_trumps(memory, legal, tiles | trick)
            rest = legal
            if place == 3 and tricks > 2:
                rest = 0
                while legal:
                    play = legal & -legal
                    legal ^= play
                    winner = seat if winning & play else holder
                    now = taken
                    if not winner & 1:
                        now += 1 + count_of(trick | play)
                    known = look_up(memory, tiles ^ play, winner)
                    low = now + (known & HIGHEST)
                    high = now + min(tricks - 1 + count_of(tiles ^ play), known >> 6)
                    if low < need <= high:
                        rest |= play
                    elif seat & 1:
                        best = min(best, low if low >= need else high)
                        if high < need:
                            unsettled = False
                            break
                    else:
                        best = max(best, low if low >= need else high)
                        if low >= need:
                            unsettled = False
                            break
                if rest == 0:
                    unsettled = False
            if not unsettled:
                value = best
            elif rest & (rest - 1):
                later = 0
                if place < 3:
                    hand = word(memory, HANDS + (seat + 1 & 3)) & tiles
                    later = hand & follow or hand
                partner_wins = (holder ^ seat) & 1 == 0 and not later & winning
                at = KILLERS + (tricks << 6 | seat << 4 | suit << 1 | place & 1)
                killer = word(memory, at)
                moves = order_replies(
                    memory, rest, rest & winning, later, suit, partner_wins, killer
                )
            elif best == (HIGHEST if seat & 1 else 0):
                # Forced: the value of the position is that of the next.
                if winning & rest:
                    best_tile = lowest(rest)
                    holder = seat
                trick |= rest
                tiles ^= rest
                held -= 1
                if place == 3:
                    leader = holder
                    if not holder & 1:
                        taken += 1 + count_of(trick)
                continue
            else:
                moves = END << 5 | lowest(rest)
        while not unsettled:
            # Back up to the position before, with the value of this one.
            if top == STACK:
                return value
            top -= 2
            position = word(memory, top)
            progress = word(memory, top + 1)
            tiles = position & TILES_MASK
            leader = position >> 56 & 3
            best = progress >> 13 & HIGHEST
            tile = progress >> 19 & 31
            moves = progress >> 24
            held = popcount(tiles)
            place = -held & 3
            seat = leader + place & 3
            if seat & 1:
                best = min(best, value)
                cut = best < need
            else:
                best = max(best, value)
                cut = best >= need
            if cut or moves == END:
                value = best
                suit = position >> 58 & 7
                if place == 0:
                    suit = 0
                    note(memory, tiles, leader, best - (progress >> 7 & 63), best >= need)
                if cut:
                    at = KILLERS + (held + 3 >> 2 << 6 | seat << 4 | suit << 1 | place & 1)
                    put(memory, at, 1 << tile)
            else:
                trick = position >> 28 & TILES_MASK
                suit = position >> 58 & 7
                best_tile = progress & 31
                holder = progress >> 5 & 3
                taken = progress >> 7 & 63
                unsettled = True
        # Play the next tile of the list.
        put(memory, top, tiles | trick << 28 | leader << 56 | suit << 58)
        put(memory, top + 1, best_tile | holder << 5 | taken << 7 | best << 13 | moves << 19)
        top += 2
        tile = moves & 31
        play = 1 << tile
        if place == 0:
            suit = word(memory, LEADS + tile)
            best_tile = tile
            holder = seat
            trick = play
        else:
            if word(memory, BEATS + (suit << 5) + best_tile) & play:
                best_tile = tile
                holder = seat
            trick |= play
        tiles ^= play
        held -= 1
        if place == 3:
            leader = holder
            if not holder & 1:
                taken += 1 + count_of(trick)


@kernel
def exact(memory, position, progress, low, high):
    """Points of seats 0 and 2 in a position, known to be from low to high."""
    while low < high:
        need = low + high + 1 >> 1
        value = search(memory, position, progress, need)
        if value >= need:
            low = value
        else:
            high = value
    return low


@kernel
def leader_value(memory, tiles, leader, floor):
    """Points of the side of the first leader, or floor - 1 for all below the floor."""
    total = (popcount(tiles) >> 2) + count_of(tiles)
    position = tiles | leader << 56
    progress = 0 * tiles
    low = progress
    high = total
    if floor > 0:
        need = total - floor + 1 if leader & 1 else floor
        value = search(memory, position, progress, need)
        if (value >= need) == (leader & 1 == 1):
            return floor - 1
        if leader & 1:
            high = value
        else:
            low = value
    value = exact(memory, position, progress, low, high)
    return total - value if leader & 1 else value


@kernel
def solve_counting(deals, leads, follows, beats, leaders, floor, switches):
    """Points as `solve_block`, with these bounds only; and the tiles played for each, int64."""
    room = np.zeros(SIZE, np.int64)
    memory = address(room)
    shape = (deals.shape[0], leads.shape[0], leaders.shape[1])
    points = np.empty(shape, np.int8)
    plies = np.empty(shape, np.int64)
    for deal in range(shape[0]):
        tiles = deals[deal, 0] | deals[deal, 1] | deals[deal, 2] | deals[deal, 3]
        for trump in range(shape[1]):
            load(memory, deals[deal], leads[trump], follows[trump], beats[trump], switches)
            for each in range(shape[2]):
                room[PLIES] = 0
                points[deal, trump, each] = leader_value(memory, tiles, leaders[deal, each], floor)
                plies[deal, trump, each] = room[PLIES]
    return points, plies


@kernel
def solve_block(deals, leads, follows, beats, leaders, floor):
    """Points of the leader's side, floor - 1 for all below `floor`.

    deals (n, 4), stacked lookups (t, ...), leaders (n, k) -> int8 (n, t, k). Every deal is four
    hands of the same size, one tile or more, without a tile in common.
    """
    return solve_counting(deals, leads, follows, beats, leaders, floor, ALL_BOUNDS)[0]
