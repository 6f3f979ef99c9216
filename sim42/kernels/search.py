"""draft"""

import numpy as np

from sim42.kernels._jit import kernel
from sim42.kernels.bits import COUNT, TENS, count_of, lowest, popcount

HANDS = 0
TRUMPS = 4
LEADS = 32
FOLLOWS = 64
BEATS = 128
KILLERS = 384
STACK = 896
TABLE = 1024
TABLE_BITS = 13
SIZE = TABLE + (1 << TABLE_BITS)
GENERATION = 8  # word that holds the current generation
PLIES = 9


@kernel
def slot_of(rem, leader):
    key = rem << 2 | leader
    return TABLE + ((key * 0x9E3779B1 >> 29) & ((1 << TABLE_BITS) - 1))


@kernel
def probe(memory, rem, leader):
    """Entry: bounds low | high << 6 on what seats 0 and 2 still take, or a wide one."""
    entry = memory[slot_of(rem, leader)]
    if entry & 0x3FFFFFFF == rem << 2 | leader and entry >> 42 == memory[GENERATION]:
        return entry >> 30 & 0xFFF
    return 63 << 6


@kernel
def sure_points(memory, rem, leader, tricks, left):
    mine = memory[HANDS + leader] & rem
    others = rem & ~mine
    trumps = memory[TRUMPS]
    sure = 0
    their = others & trumps
    m = mine & trumps
    n = 0
    while m:
        t = lowest(m)
        m &= m - 1
        if not their & memory[BEATS + 7 * 32 + t]:
            sure |= 1 << t
            n += 1
    most = 0
    for q in range(1, 4):
        c = popcount(memory[HANDS + (leader + q & 3)] & their)
        most = max(most, c)
    if most <= n:
        m = mine & ~trumps
        while m:
            t = lowest(m)
            m &= m - 1
            s = memory[LEADS + t] & 7
            if not others & memory[FOLLOWS + s] & memory[BEATS + (s << 5) + t]:
                sure |= 1 << t
    k = popcount(sure)
    return left if k >= tricks else k + count_of(sure)


@kernel
def top_trumps(memory, rem, tricks, left):
    """Side 0 or 1 << 6 | points that it wins by trumps."""
    trumps = memory[TRUMPS] & rem
    if not trumps:
        return 0
    tops = 0
    side = -1
    m = trumps
    while m:
        mm = m
        t = lowest(mm)
        while m & memory[BEATS + 7 * 32 + t]:
            t = lowest(m & memory[BEATS + 7 * 32 + t])
        mine = (memory[HANDS + 1] | memory[HANDS + 3]) >> t & 1
        if side < 0:
            side = mine
        elif side != mine:
            break
        tops |= 1 << t
        m &= ~(1 << t)
    a = tops & memory[HANDS + (side & 1)]
    b = tops & memory[HANDS + 2 + (side & 1)]
    if popcount(b) > popcount(a):
        a = b
    k = popcount(a)
    gain = left if k >= tricks else k + count_of(a)
    return side << 6 | gain


@kernel
def prune_trumps(memory, legal, present):
    """Of trumps in one hand with nothing between them keep the strongest, count tiles aside."""
    trumps = memory[TRUMPS]
    m = legal & trumps & ~COUNT
    if not m & (m - 1):
        return legal
    out = legal
    others = present & trumps & ~legal
    mm = m
    while mm:
        t = lowest(mm)
        mm &= mm - 1
        above = memory[BEATS + 7 * 32 + t]
        st = m & above
        while st:
            x = lowest(st)
            st &= st - 1
            if not above & ~memory[BEATS + 7 * 32 + x] & others:
                out &= ~(1 << t)
                break
    return out


@kernel
def last_trick(memory, rem, leader):
    """Winner of a trick in which everybody holds one tile."""
    top = lowest(memory[HANDS + leader] & rem)
    suit = memory[LEADS + top] & 7
    winner = leader
    for place in range(1, 4):
        seat = leader + place & 3
        t = lowest(memory[HANDS + seat] & rem)
        if memory[BEATS + (suit << 5) + top] >> t & 1:
            top = t
            winner = seat
    return winner


@kernel
def last_two(memory, rem, leader, taken, need):
    """Value of the last two tricks, fail soft."""
    s1 = leader + 1 & 3
    s2 = leader + 2 & 3
    s3 = leader + 3 & 3
    h0 = memory[HANDS + leader] & rem
    h1 = memory[HANDS + s1] & rem
    h2 = memory[HANDS + s2] & rem
    h3 = memory[HANDS + s3] & rem
    flip = leader & 1
    # from the leader's side: value in points of leader's side
    left = 2 + count_of(rem)
    goal = need - taken
    if flip:
        goal = left - goal + 1
    best0 = -1
    m0 = h0
    while m0:
        a = lowest(m0)
        m0 &= m0 - 1
        suit = memory[LEADS + a] & 7
        row = BEATS + (suit << 5)
        follow = memory[FOLLOWS + suit]
        b1 = h1 & follow
        if not b1:
            b1 = h1
        b2 = h2 & follow
        if not b2:
            b2 = h2
        b3 = h3 & follow
        if not b3:
            b3 = h3
        best1 = 99
        m1 = b1
        while m1:
            b = lowest(m1)
            m1 &= m1 - 1
            memory[PLIES] += 1
            top1 = a
            win1 = leader
            if memory[row + a] >> b & 1:
                top1 = b
                win1 = s1
            best2 = -1
            m2 = b2
            while m2:
                c = lowest(m2)
                m2 &= m2 - 1
                top2 = top1
                win2 = win1
                if memory[row + top1] >> c & 1:
                    top2 = c
                    win2 = s2
                best3 = 99
                m3 = b3
                while m3:
                    d = lowest(m3)
                    m3 &= m3 - 1
                    win3 = win2
                    if memory[row + top2] >> d & 1:
                        win3 = s3
                    trick = 1 << a | 1 << b | 1 << c | 1 << d
                    rest = rem & ~trick
                    v = 0
                    if (win3 ^ leader) & 1 == 0:
                        v = 1 + count_of(trick)
                    if (last_trick(memory, rest, win3) ^ leader) & 1 == 0:
                        v += 1 + count_of(rest)
                    best3 = min(best3, v)
                    if best3 < goal:
                        break
                best2 = max(best2, best3)
                if best2 >= goal:
                    break
            best1 = min(best1, best2)
            if best1 < goal:
                break
        best0 = max(best0, best1)
        if best0 >= goal:
            break
    return taken + (left - best0 if flip else best0)


@kernel
def replies(memory, rem, leader, suit):
    """Ways that the two opponents of the leader may reply."""
    ways = 1
    for place in range(1, 4, 2):
        hand = memory[HANDS + (leader + place & 3)] & rem
        follow = hand & memory[FOLLOWS + suit]
        ways *= popcount(follow or hand)
    return ways


@kernel
def order_leads(memory, rem, leader, legal, killer):
    trumps = memory[TRUMPS]
    h1 = memory[HANDS + (leader + 1 & 3)] & rem
    h3 = memory[HANDS + (leader + 3 & 3)] & rem
    # each lead gets a key; the list is kept sorted by insertion
    moves = 31
    k0 = k1 = k2 = k3 = k4 = k5 = k6 = 0
    keys = 0
    m = legal
    while m:
        t = lowest(m)
        bit = 1 << t
        m &= m - 1
        suit = memory[LEADS + t] & 7
        follow = memory[FOLLOWS + suit]
        beat = memory[BEATS + (suit << 5) + t]
        f1 = h1 & follow
        if not f1:
            f1 = h1
        f3 = h3 & follow
        if not f3:
            f3 = h3
        key = popcount(f1) * popcount(f3)
        if bit & killer:
            key = 0
        elif not (f1 | f3) & beat:
            if not bit & trumps:
                key += 64
        elif bit & COUNT:
            key += 256 if bit & TENS else 192
        else:
            key += 128
        # insert (key, tile) : keys packed by 9 bits, seven of them 63 bits
        at = 0
        kk = keys
        place = 0
        while place < 63 and (kk & 511) != 0 and (kk & 511) < key + 1:
            kk >>= 9
            place += 9
            at += 5
        low_k = keys & ((1 << place) - 1)
        keys = low_k | (key + 1) << place | (keys >> place) << (place + 9)
        low_m = moves & ((1 << at) - 1)
        moves = low_m | t << at | (moves >> at) << (at + 5)
    return moves


@kernel
def search(memory, rem, trick, leader, suit, top, holder, taken, need):
    """Bound on the points of seats 0 and 2: at least `need` and proved, or less and proved."""
    sp = STACK
    n = popcount(rem)
    entering = True
    value = 0
    while True:
        if entering:
            tl = n + 3 >> 2
            if n & 3 == 0:
                left = tl + count_of(rem)
                entering = False
                if taken >= need or left == 0:
                    value = taken
                elif taken + left < need:
                    value = taken + left
                elif tl == 2:
                    value = last_two(memory, rem, leader, taken, need)
                elif tl == 1:
                    value = taken
                    if not last_trick(memory, rem, leader) & 1:
                        value += left
                else:
                    entry = probe(memory, rem, leader)
                    low = entry & 63
                    high = min(entry >> 6, left)
                    q = sure_points(memory, rem, leader, tl, left)
                    if leader & 1:
                        high = min(high, left - q)
                    else:
                        low = max(low, q)
                    if low + taken < need <= high + taken:
                        q = top_trumps(memory, rem, tl, left)
                        if q >> 6:
                            high = min(high, left - (q & 63))
                        else:
                            low = max(low, q)
                    if low + taken >= need:
                        value = low + taken
                    elif high + taken < need:
                        value = high + taken
                    else:
                        entering = True
                        legal = memory[HANDS + leader] & rem
                        legal = prune_trumps(memory, legal, rem)
                        killer = memory[KILLERS + (tl << 6 | leader << 4)]
                        moves = order_leads(memory, rem, leader, legal, killer)
                        best = 63 if leader & 1 else 0
            else:
                memory[PLIES] += 1
                me = leader + (-n & 3) & 3
                legal = memory[HANDS + me] & rem
                follow = legal & memory[FOLLOWS + suit]
                if follow:
                    legal = follow
                row = BEATS + (suit << 5)
                beat = memory[row + top]
                if legal & (legal - 1):
                    legal = prune_trumps(memory, legal, rem | trick)
                best = 63 if me & 1 else 0
                if legal & (legal - 1):
                    win = legal & beat
                    lose = legal & ~beat
                    later = 0
                    if n & 3 != 1:
                        hand = memory[HANDS + (me + 1 & 3)] & rem
                        follow = hand & memory[FOLLOWS + suit]
                        later = follow or hand
                    killer = memory[KILLERS + (tl << 6 | me << 4 | suit << 1 | (n & 1))] & legal
                    moves = 31
                    g1 = g2 = g3 = g4 = g5 = g6 = 0
                    if (holder ^ me) & 1 == 0 and not later & beat:
                        g1 = lose & TENS
                        g2 = lose & COUNT & ~TENS
                        g3 = lose & ~COUNT
                        g4 = win
                    else:
                        sw = 0
                        w = win
                        while w:
                            t = lowest(w)
                            w &= w - 1
                            if not later & memory[row + t]:
                                sw |= 1 << t
                        g1 = sw & COUNT
                        g2 = sw & ~COUNT
                        g3 = win & ~sw & ~COUNT
                        g4 = lose & ~COUNT
                        g5 = lose & COUNT & ~TENS
                        g6 = lose & TENS | win & ~sw & COUNT
                    g1 &= ~killer
                    g2 &= ~killer
                    g3 &= ~killer
                    g4 &= ~killer
                    g5 &= ~killer
                    g6 &= ~killer
                    while g6:
                        moves = moves << 5 | lowest(g6)
                        g6 &= g6 - 1
                    while g5:
                        moves = moves << 5 | lowest(g5)
                        g5 &= g5 - 1
                    while g4:
                        moves = moves << 5 | lowest(g4)
                        g4 &= g4 - 1
                    while g3:
                        moves = moves << 5 | lowest(g3)
                        g3 &= g3 - 1
                    while g2:
                        moves = moves << 5 | lowest(g2)
                        g2 &= g2 - 1
                    while g1:
                        moves = moves << 5 | lowest(g1)
                        g1 &= g1 - 1
                    if killer:
                        moves = moves << 5 | lowest(killer)
                    if n & 3 == 1 and tl > 2:
                        m = legal
                        while m:
                            t = lowest(m)
                            m &= m - 1
                            bit = 1 << t
                            hold = me if beat & bit else holder
                            gain = taken
                            if not hold & 1:
                                gain += 1 + count_of(trick | bit)
                            r = rem & ~bit
                            left = tl - 1 + count_of(r)
                            low = 0
                            high = left
                            if tl > 3:
                                entry = probe(memory, r, hold)
                                low = entry & 63
                                high = min(left, entry >> 6)
                            if me & 1:
                                if gain + high < need:
                                    value = gain + high
                                    entering = False
                                    break
                            elif gain + low >= need:
                                value = gain + low
                                entering = False
                                break
                else:
                    moves = 31 << 5 | lowest(legal)
        if not entering:
            # the value of the node is known; hand it up
            while True:
                if sp == STACK:
                    return value
                sp -= 2
                bit = rem
                rem = memory[sp] & 0xFFFFFFF
                bit ^= rem
                trick = memory[sp] >> 28 & 0xFFFFFFF
                leader = memory[sp] >> 56 & 3
                suit = memory[sp] >> 58 & 7
                word = memory[sp + 1]
                top = word & 31
                holder = word >> 5 & 3
                taken = word >> 7 & 63
                best = word >> 13 & 63
                moves = word >> 19
                n = popcount(rem)
                me = leader + (-n & 3) & 3
                if me & 1:
                    best = min(best, value)
                    cut = best < need
                else:
                    best = max(best, value)
                    cut = best >= need
                if cut or moves == 31:
                    value = best
                    if n & 3 == 0:
                        slot = slot_of(rem, leader)
                        entry = memory[slot]
                        key = rem << 2 | leader
                        low = 0
                        high = 63
                        if entry & 0x3FFFFFFF == key and entry >> 42 == memory[GENERATION]:
                            low = entry >> 30 & 63
                            high = entry >> 36 & 63
                        if value >= need:
                            low = max(low, value - taken)
                        else:
                            high = min(high, value - taken)
                        memory[slot] = key | low << 30 | high << 36 | memory[GENERATION] << 42
                        if cut:
                            memory[KILLERS + (n >> 2 << 6 | leader << 4)] = bit
                    elif cut:
                        memory[KILLERS + (n + 3 >> 2 << 6 | me << 4 | suit << 1 | (n & 1))] = bit
                    continue
                break
        # play the next tile of the list
        t = moves & 31
        moves >>= 5
        memory[sp] = rem | trick << 28 | leader << 56 | suit << 58
        memory[sp + 1] = top | holder << 5 | taken << 7 | best << 13 | moves << 19
        sp += 2
        me = leader + (-n & 3) & 3
        bit = 1 << t
        if n & 3 == 0:
            suit = memory[LEADS + t] & 7
            top = t
            holder = leader
            trick = bit
        else:
            if memory[BEATS + (suit << 5) + top] & bit:
                top = t
                holder = me
            trick |= bit
        rem ^= bit
        n -= 1
        if n & 3 == 0:
            leader = holder
            if not holder & 1:
                taken += 1 + count_of(trick)
        entering = True


@kernel
def load(memory, deal, leads, follows, beats):
    for seat in range(4):
        memory[HANDS + seat] = deal[seat]
    for tile in range(28):
        memory[LEADS + tile] = leads[tile]
    for suit in range(8):
        memory[FOLLOWS + suit] = follows[suit]
        for tile in range(28):
            memory[BEATS + suit * 32 + tile] = beats[suit, tile]
    # the trumps: of suit 7 and able to beat a tile of any other suit led
    trumps = follows[7]
    for suit in range(7):
        for tile in range(28):
            if not follows[7] >> tile & 1 and follows[suit] >> tile & 1:
                trumps &= beats[suit, tile]
    memory[TRUMPS] = trumps
    for i in range(512):
        memory[KILLERS + i] = 0
    memory[GENERATION] += 1


@kernel
def solve_block(deals, leads, follows, beats, leaders, floor):
    """Points of each leader's side: deals (n, 4), leaders (n, k) -> int8 (n, trumps, k)."""
    memory = np.zeros(SIZE, np.int64)
    count, trumps = deals.shape[0], leads.shape[0]
    points = np.empty((count, trumps, leaders.shape[1]), np.int8)
    for i in range(count):
        rem = deals[i, 0] | deals[i, 1] | deals[i, 2] | deals[i, 3]
        for j in range(trumps):
            load(memory, deals[i], leads[j], follows[j], beats[j])
            for k in range(leaders.shape[1]):
                points[i, j, k] = leader_value(memory, rem, leaders[i, k], floor)
    return points


@kernel
def leader_value(memory, rem, leader, floor):
    """Points of the leader's side, or floor - 1 for all below the floor."""
    total = (popcount(rem) >> 2) + count_of(rem)
    low = 0
    high = total
    if floor > 0:
        need = total - floor + 1 if leader & 1 else floor
        value = search(memory, rem, 0, leader, 0, 0, 0, 0, need)
        if leader & 1:
            if value >= need:
                return floor - 1
            high = value
        else:
            if value < need:
                return floor - 1
            low = value
    value = exact(memory, rem, 0, leader, 0, 0, 0, 0, low, high)
    return total - value if leader & 1 else value


@kernel
def exact(memory, rem, trick, leader, suit, top, holder, taken, low, high):
    """Points of seats 0 and 2, known to be from low to high."""
    while low < high:
        need = low + high + 1 >> 1
        value = search(memory, rem, trick, leader, suit, top, holder, taken, need)
        if value >= need:
            low = value
        else:
            high = value
    return low


@kernel
def solve_one(deal, leads, follows, beats, leader):
    """Points of seats 0 and 2 after each opening lead, int8 (28,), -1 for other tiles; and a best line.

    The line is int8 (28,), tiles in play order: one of those that best play of all four allows.
    """
    memory = np.zeros(SIZE, np.int64)
    load(memory, deal, leads, follows, beats)
    values = np.full(28, -1, np.int8)
    line = np.full(28, -1, np.int8)
    rem = deal[0] | deal[1] | deal[2] | deal[3]
    total = (popcount(rem) >> 2) + count_of(rem)
    goal = exact(memory, rem, 0, leader, 0, 0, 0, 0, 0, total)
    opening = deal[leader]
    while opening:
        t = lowest(opening)
        opening &= opening - 1
        bit = 1 << t
        suit = memory[LEADS + t] & 7
        low, high = (goal, total) if leader & 1 else (0, goal)
        # most often another lead is as good as the best
        need = goal + 1 if leader & 1 else goal
        if low < need <= high:
            value = search(memory, rem ^ bit, bit, leader, suit, t, leader, 0, need)
            if value >= need:
                low = value
            else:
                high = value
        values[t] = exact(memory, rem ^ bit, bit, leader, suit, t, leader, 0, low, high)
    trick = suit = top = holder = taken = 0
    for place in range(popcount(rem)):
        me = leader + (place & 3) & 3
        legal = memory[HANDS + me] & rem
        if place & 3 and legal & memory[FOLLOWS + suit]:
            legal &= memory[FOLLOWS + suit]
        while legal:
            t = lowest(legal)
            legal &= legal - 1
            bit = 1 << t
            next_suit, next_top, next_holder, next_trick = suit, top, holder, trick | bit
            if place & 3 == 0:
                next_suit, next_top, next_holder, next_trick = memory[LEADS + t] & 7, t, me, bit
            elif memory[BEATS + (suit << 5) + top] & bit:
                next_top, next_holder = t, me
            next_taken, next_leader = taken, leader
            if place & 3 == 3:
                next_leader = next_holder
                if not next_holder & 1:
                    next_taken += 1 + count_of(next_trick)
            need = goal + (me & 1)
            keeps = not legal
            if not keeps:
                value = search(
                    memory,
                    rem ^ bit,
                    next_trick,
                    next_leader,
                    next_suit,
                    next_top,
                    next_holder,
                    next_taken,
                    need,
                )
                keeps = (value >= need) != (me & 1 == 1)
            if keeps:
                line[place] = t
                rem ^= bit
                suit, top, holder, trick = next_suit, next_top, next_holder, next_trick
                taken, leader = next_taken, next_leader
                break
    return values, line
