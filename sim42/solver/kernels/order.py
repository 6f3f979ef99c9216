"""In which order tiles are tried.

The first tile tried is the one that cuts in 95 of 100 positions that are cut, so what an order is
for is to find the cheapest.
"""

from sim42.solver.kernels._jit import inlined
from sim42.solver.kernels.bits import above, lowest, popcount, width, word
from sim42.solver.kernels.bounds import (
    EQUAL_TRUMPS,
    OURS,
    PARTNER_TRUMPS,
    PARTNERS,
    SURE_RUN,
    THEIRS,
    TOP_TRUMPS,
    judge_lead,
    run_points,
    sure_tiles,
    top_trumps,
    without_equal_trumps,
)
from sim42.solver.kernels.layout import (
    COUNT,
    END,
    FOLLOWS,
    SWITCHES,
    TENS,
    TRUMPS,
    inserted,
    key_inserted,
    key_place,
    lead_killer,
)

# Keys of leads; with all that is added they have nine bits.
KILLER = 1
SURE = 46
SURE_TRUMP = 82
PARTNER_NEXT = 97
LOSING = 111
UNKNOWN = 128
TRUMP_SOONER = 28
OPPONENT_VOID = 42


@inlined
def lead_key(memory, hand1, hand3, lead, whose):
    """Sorts the leads, the lowest first: sure ones, then those the partner wins, then the rest.

    Within these the lead with the fewest ways for the opponents to reply comes first, and one that
    they may trump late.
    """
    follows = word(memory, FOLLOWS + lowest(lead))
    following1 = hand1 & follows
    following3 = hand3 & follows
    is_trump = lead & word(memory, TRUMPS)
    if whose == OURS:
        key = SURE_TRUMP if is_trump else SURE
    else:
        key = PARTNER_NEXT if whose == PARTNERS else LOSING if whose == THEIRS else UNKNOWN
        if is_trump:
            key -= TRUMP_SOONER
    key += 2 * popcount(following1 or hand1) * popcount(following3 or hand3)
    if not following1:
        key += OPPONENT_VOID
    if not following3:
        key += OPPONENT_VOID
    return key


@inlined
def order_leads(memory, hand0, hand1, hand2, hand3, leader, goal, left, fixed):
    """Leads worth trying, or a bound that settles the question without trying any.

    Arguments are those of `search.search`. Returns the list of leads and a bound on the points of
    the leader's side. The list is empty if the bound settles the question: either it is `goal` or
    more and sure, or no lead can bring more.

    With tiles on the table the lead is given: no run can be led then, but top trumps are as good
    as ever, and the lead is judged like any other until there is a reply to it.
    """
    switches = word(memory, SWITCHES)
    trumps = word(memory, TRUMPS)
    tiles = hand0 | hand1 | hand2 | hand3
    tricks = popcount(hand0)
    longest = max(popcount(hand1 & trumps), popcount(hand3 & trumps))
    trumps0, others0 = sure_tiles(memory, hand0, tiles, longest)
    if switches & SURE_RUN and not fixed:
        kept = hand2 & trumps if switches & PARTNER_TRUMPS else 0
        points = run_points(memory, trumps0, others0, longest, 0, kept, tricks, left)
        if points >= goal:
            return END, points
    if switches & TOP_TRUMPS:
        points = top_trumps(memory, hand0, hand1, hand2, hand3, tricks, left)
        if points >= goal:
            return END, points
        if left + points < goal:
            return END, left + points
    equals = trumps if switches & EQUAL_TRUMPS else 0
    legal = fixed & hand0 or without_equal_trumps(hand0, tiles, equals, word(memory, COUNT))
    if fixed & ~hand0:
        return inserted(END, 0, lowest(legal)), 0
    trumps2, others2 = sure_tiles(memory, hand2, tiles, longest)
    runs = trumps0, others0, trumps2, others2
    killer = word(memory, lead_killer(tricks, leader))
    leads = END
    keys = 0
    best = 0
    while legal:
        tile = width(legal) - 1
        lead = 1 << tile
        legal ^= lead
        won, lost, whose = judge_lead(
            memory, hand0, hand1, hand2, hand3, lead, runs, longest, tricks, left
        )
        if won >= goal:
            return END, won
        if left - lost < goal:
            best = max(best, left - lost)
            continue
        key = KILLER if lead & killer else lead_key(memory, hand1, hand3, lead, whose)
        place = key_place(keys, key)
        keys = key_inserted(keys, place, key)
        leads = inserted(leads, place, tile)
    return leads, best


@inlined
def next_reply(memory, replies, beating, later, wins, partner_holds):
    """Which of several replies to try next, as a mask: by whether the trick can be won.

    `beating` are the tiles that beat the best so far, `later` the replies of the opponent still to
    play, if one is, `wins` what can win the trick. When the partner's tile stands, give count; else
    win, for certain and with count if possible; what loses goes from low count to high.
    """
    count = word(memory, COUNT)
    tens = word(memory, TENS)
    winning = replies & beating
    losing = replies & ~beating
    if partner_holds and not later & beating:
        group = losing & tens or losing & count or losing or winning
    else:
        sure = winning & above(later & wins)
        group = sure & count or sure or winning & ~count
        group = group or losing & ~count or losing & ~tens or replies
    return group & -group
