"""What one plan of a seat that does not see wins over many layouts: the search of alpha-mu.

After Cazenave and Ventos ("The alpha-mu search algorithm for the game of Bridge", 2019). Solving
each layout by itself lets the seat play otherwise in each of them, though it cannot tell them apart
(*strategy fusion*). Here a play of the seat is one play in all layouts that agree with what was
played so far. A *vector* is a mask of layouts, those that a plan wins. A plan that wins some more
layouts may lose others, so a position has a *front* of vectors, of which none is within another:

- the seat itself chooses one play for all layouts: the fronts of its plays together;
- an opponent sees all hands, and what it plays tells layouts apart: from the front of each of its
  plays any one vector, and a layout is won when it is in all those of plays that it allows;
- the partner sees its own hand: likewise, and in the layouts that give it the same hand it plays
  the same, so these go with one of its plays.

After `moves` plays of the seat, everyone is taken to see all hands. What is then lost in a layout
is lost before, so only layouts that are won with all hands seen are looked at, and one alone is
won.
"""

import numpy as np

from sim42.solver.kernels._jit import inlined, kernel
from sim42.solver.kernels.bits import above, count_of, lowest, popcount
from sim42.solver.kernels.bounds import EQUAL_TRUMPS, equal_trump, without_equal_trumps
from sim42.solver.kernels.layout import COUNT, FOLLOWS, HANDS, SIZE, SWITCHES, TENS, TRUMPS, WINS
from sim42.solver.kernels.questions import ask, load_hands, load_trump

MOST_LAYOUTS = 60
"""Layouts of a search: a vector is a mask of them."""
FRONT = 64
"""Vectors that a front keeps: of more, those that win the most layouts."""
ROOM_OF_FRONTS = (28 + 4) * FRONT


@inlined
def entered(fronts, start, count, vector):
    """Enter a vector into a front of `count` at `start`, for those within it; the new count."""
    fewest = start
    kept = 0
    for place in range(start, start + count):
        other = fronts[place]
        if vector & ~other == 0:
            return count
        if other & ~vector:
            fronts[start + kept] = other
            if popcount(other) < popcount(fronts[fewest]):
                fewest = start + kept
            kept += 1
    if kept < FRONT:
        fronts[start + kept] = vector
        return kept + 1
    if popcount(fronts[fewest]) < popcount(vector):
        fronts[fewest] = vector
    return kept


@inlined
def is_within(fronts, start, count, vector):
    """Whether a vector is within one of a front."""
    for place in range(start, start + count):
        if vector & ~fronts[place] == 0:
            return True
    return False


@inlined
def enter_choices(fronts, start, count, same, first, second, option):
    """Enter all that a partner can win who may go one way or another, for each hand of its own.

    `first` and `second` are what the ways win, `same` (n,) the layouts that give the partner the
    hand that it has in each; `option` is where what is not yet entered is kept.
    """
    fronts[option] = 0
    options = 1
    rest = first | second
    while rest:
        group = same[lowest(rest)]
        rest &= ~group
        one = first & group
        other = second & group
        is_full = 2 * options > FRONT
        if one & ~other == 0 or (is_full and popcount(one) < popcount(other)):
            one = other
        elif other & ~one == 0 or is_full:
            other = one
        for place in range(option, option + options):
            if one != other:
                fronts[place + options] = fronts[place] | other
            fronts[place] |= one
        if one != other:
            options *= 2
    for place in range(option, option + options):
        count = entered(fronts, start, count, fronts[place])
    return count


@inlined
def plays_in(rooms, held, layout, seat, lead, gone):
    """Tiles that the seat to play may play in a layout, in a trick with this lead, or none."""
    hand = held[layout, seat] & ~gone
    if lead:
        hand = hand & rooms[0, FOLLOWS + lowest(lead)] or hand
    return hand


@kernel
def reaching(rooms, held, layouts, own, leader, fixed, gone, need):
    """Which of some layouts the side of seat `own` wins with all hands seen.

    `gone` are the tiles of the tricks before; the rest as in `front_of`.
    """
    won = 0 * layouts
    while layouts:
        layout = lowest(layouts)
        layouts &= layouts - 1
        room = rooms[layout]
        tiles = 0 * won
        for seat in range(4):
            room[HANDS + seat] = held[layout, seat] & ~gone
            tiles |= room[HANDS + seat]
        goal = need
        if leader & 1 != own & 1:
            left = popcount(room[HANDS]) + count_of(tiles, room[COUNT], room[TENS])
            goal = left - need + 1
        if (ask(room, leader, fixed, goal) >= goal) == (leader & 1 == own & 1):
            won |= 1 << layout
    return won


@inlined
def best_after(rooms, lead, best, holder, play, seat):
    """The tile that wins the trick so far, and who played it, after one more play."""
    if not lead or play & rooms[0, WINS + lowest(lead)] & above(best):
        best = play
        holder = seat
    return best, holder


@kernel
def front_of(
    rooms,
    held,
    same,
    fronts,
    start,
    parents,
    layouts,
    own,
    leader,
    fixed,
    lead,
    best,
    holder,
    gone,
    need,
    moves,
):
    """Write the front of a position at `start`, and return how many vectors it has.

    Parameters: rooms (n, SIZE), with the trump and a game number of its own each; held (n, 4), the
    hands of the layouts; same (n,), see `enter_choices`; fronts, room for them all; `parents`,
    vectors of the seat's front before its play, which are FRONT places before: a front within it
    is of no use, and none is given back. Layouts, a mask, are those won with all hands seen, one at
    least; `own` is the seat, `leader` that of the trick, `fixed` the tiles on the table, `lead` the
    first of them, `best` the one that wins it, of seat `holder`; `gone` the tiles of the tricks
    before; `need` the points that the side of `own` has yet to take, this trick included; `moves`
    how many plays of the seat are to be planned.
    """
    if popcount(fixed) == 4:
        if holder & 1 == own & 1:
            need -= 1 + count_of(fixed, rooms[0, COUNT], rooms[0, TENS])
        gone |= fixed
        leader = holder
        fixed = 0 * fixed
        lead = fixed
        best = fixed
    fronts[start] = layouts
    if layouts & (layouts - 1) == 0 or moves <= 0 or need <= 0:
        return 1
    seat = leader + popcount(fixed) & 3
    after = start + FRONT
    count = 0
    plays = 0 * layouts
    if seat == own:
        first = lowest(layouts)
        plays = plays_in(rooms, held, first, own, lead, gone)
        present = 0 * plays
        for other in range(4):
            present |= held[first, other] & ~gone
        equals = rooms[0, TRUMPS] if rooms[0, SWITCHES] & EQUAL_TRUMPS else 0
        plays = without_equal_trumps(plays, present, equals, rooms[0, COUNT])
    else:
        # No layout is won before a play of the partner, and all are before one of an opponent.
        count = 1
        fronts[start] = 0 if seat & 1 == own & 1 else layouts
        rest = layouts
        while rest:
            plays |= plays_in(rooms, held, lowest(rest), seat, lead, gone)
            rest &= rest - 1
    while plays:
        play = plays & -plays
        plays ^= play
        on_table = fixed | play
        to_beat, by = best_after(rooms, lead, best, holder, play, seat)
        allowed = layouts
        if seat != own:
            allowed = 0 * layouts
            rest = layouts
            while rest:
                layout = lowest(rest)
                rest &= rest - 1
                if play & plays_in(rooms, held, layout, seat, lead, gone):
                    allowed |= 1 << layout
        won = allowed
        if seat & 1 == own & 1:
            won = reaching(rooms, held, allowed, own, leader, on_table, gone, need)
            if won == 0 or (seat == own and is_within(fronts, start, count, won)):
                continue
        found = front_of(
            rooms,
            held,
            same,
            fronts,
            after,
            count if seat == own else 0 * count,
            won,
            own,
            leader,
            on_table,
            lead or play,
            to_beat,
            by,
            gone,
            need,
            moves - 1 if seat == own else moves,
        )
        if seat == own:
            # Once all is won, no other play can do better.
            for place in range(after, after + found):
                count = entered(fronts, start, count, fronts[place])
            if fronts[start] == layouts:
                return 1
            continue
        joined = after + FRONT
        number = 0
        for place in range(start, start + count):
            for other in range(after, after + found):
                if seat & 1 == own & 1:
                    number = enter_choices(
                        fronts, joined, number, same, fronts[place], fronts[other], joined + FRONT
                    )
                else:
                    vector = fronts[place] & (fronts[other] | ~allowed)
                    number = entered(fronts, joined, number, vector)
        count = number
        useless = parents > 0
        for place in range(count):
            vector = fronts[joined + place]
            fronts[start + place] = vector
            useless = useless and is_within(fronts, start - FRONT, parents, vector)
        if useless and seat & 1 != own & 1:
            return 0 * count
    return count


@kernel
def count_planned(hands, table, leader, need, moves, ranks, follows, wins, groups, switches):
    """In how many layouts one plan of the seat to play wins after each of its plays.

    Arguments as of `choices.count_reaching`, with 1 to 60 layouts, and `moves`, the plays of the
    seat that are planned, this one included -> int64 (28,) by tile id, -1 for what may not be
    played. Of a play that cannot be best it is a bound, below the best.
    """
    number = hands.shape[0]
    rooms = np.zeros((number, SIZE), np.int64)
    held = np.empty((number, 4), np.int64)
    same = np.zeros(number, np.int64)
    fronts = np.zeros(ROOM_OF_FRONTS, np.int64)
    fixed = 0
    for n in range(number):
        load_trump(rooms[n], follows, wins, groups, switches)
        fixed = load_hands(rooms[n], hands[n], table, leader, ranks)
        for seat in range(4):
            held[n, seat] = rooms[n, HANDS + seat]
    own = leader + popcount(fixed) & 3
    for n in range(number):
        for other in range(number):
            if held[n, own ^ 2] == held[other, own ^ 2]:
                same[n] |= 1 << other
    nothing = 0 * own
    lead, best, holder = nothing, nothing, nothing
    for place in range(popcount(fixed)):
        play = 1 << ranks[table[place]]
        best, holder = best_after(rooms, lead, best, holder, play, leader + place & 3)
        lead = lead or play
    every = (1 << number) - 1
    legal = plays_in(rooms, held, nothing, own, lead, fixed)
    present = held[0, 0] | held[0, 1] | held[0, 2] | held[0, 3]
    equals = groups[0] if switches & EQUAL_TRUMPS else 0
    kept = without_equal_trumps(legal, present, equals, groups[1])
    # What is won with all hands seen bounds what a plan of one play wins, that of one of two, ....
    won = np.zeros(28, np.int64)
    bounds = np.full(28, -1, np.int64)
    rest = kept
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        won[tile] = reaching(rooms, held, every, own, leader, fixed | 1 << tile, nothing, need)
        bounds[tile] = popcount(won[tile])
    for planned in range(1, moves):
        most = -1
        rest = kept
        while rest:
            # From the greatest bound down; once it is below what was found, all others are.
            tile = lowest(rest)
            look = rest & (rest - 1)
            while look:
                if bounds[lowest(look)] > bounds[tile]:
                    tile = lowest(look)
                look &= look - 1
            rest &= ~(1 << tile)
            if bounds[tile] < most:
                break
            if bounds[tile] > 1:
                play = 1 << tile
                to_beat, by = best_after(rooms, lead, best, holder, play, own)
                found = front_of(
                    rooms,
                    held,
                    same,
                    fronts,
                    nothing,
                    nothing,
                    won[tile],
                    own,
                    leader,
                    fixed | play,
                    lead or play,
                    to_beat,
                    by,
                    nothing,
                    need,
                    planned + nothing,
                )
                bounds[tile] = 0
                for place in range(found):
                    bounds[tile] = max(bounds[tile], popcount(fronts[place]))
            most = max(most, bounds[tile])
    counts = np.full(28, -1, np.int64)
    for tile in range(28):
        play = 1 << ranks[tile]
        if legal & play:
            solved = play
            if not kept & play:
                solved = equal_trump(play, kept, groups[0], groups[1])
            counts[tile] = bounds[lowest(solved)]
    return counts
