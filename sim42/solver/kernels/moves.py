"""In which order the tiles of a hand are tried, as a list packed in one word.

Five bits a tile, the first one lowest, `END` after the last. The first tile tried is the one that
cuts in 95 of 100 positions that are cut, so what an order is for is to find the cheapest.
"""

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import COUNT, TENS, least, lowest, most, popcount, word
from sim42.solver.kernels.bounds import LOST_TRICK, SURE_TRICK
from sim42.solver.kernels.memory import BEATS, FOLLOWS, HANDS, HIGHEST, LEADS, SWITCHES, TRUMPS

END = 31

TRUMPS_FIRST = 0
SURE_NEXT = 64
PLAIN_NEXT = 128
FIVES_NEXT = 192
TENS_LAST = 256


@kernel
def order_leads(memory, tiles, leader, legal, killer, goal, slack):
    """Leads worth trying, in order, or what one of them surely brings.

    The leader's side needs `goal` points from here on, the others need `slack` to prevent it.
    Returns minus the points of a lead that settles it, if there is one; else list << 6 | points,
    the least that the others take after one of the leads left out, `HIGHEST` if none was.

    Order: the killer, sure trumps, other sure tiles, the rest from low count to high; within
    these, the lead with the fewest ways for the opponents to reply.

    Sure trick: when no legal reply of the opponents beats the lead, the leader's side wins the
    trick. Its points are at least those of the lead and of the partner's best count tile among the
    legal replies, and the least that each opponent must give.

    Lost trick: when an opponent has a legal reply that beats the lead and that no legal reply of
    the leader's partner beats, the opponents win the trick if they want to. Its points are at
    least those of the lead, that reply, the other opponent's best legal count tile, and the least
    that the partner must give: if that is `slack`, the lead fails.
    """
    switches = word(memory, SWITCHES)
    trumps = word(memory, TRUMPS)
    hand1 = word(memory, HANDS + (leader + 1 & 3)) & tiles
    hand2 = word(memory, HANDS + (leader + 2 & 3)) & tiles
    hand3 = word(memory, HANDS + (leader + 3 & 3)) & tiles
    moves = END
    keys = 0
    given = HIGHEST
    while legal:
        tile = lowest(legal)
        lead = legal & -legal
        legal ^= lead
        suit = word(memory, LEADS + tile)
        row = BEATS + (suit << 5)
        follow = word(memory, FOLLOWS + suit)
        replies1 = hand1 & follow or hand1
        replies2 = hand2 & follow or hand2
        replies3 = hand3 & follow or hand3
        beaters = (replies1 | replies3) & word(memory, row + tile)
        key = popcount(replies1) * popcount(replies3)
        if not beaters:
            gain = 1 + most(lead) + most(replies2) + least(replies1) + least(replies3)
            if gain >= goal and switches & SURE_TRICK:
                return -gain
            key += TRUMPS_FIRST if lead & trumps else SURE_NEXT
        else:
            loss = 0
            while beaters:
                reply = beaters & -beaters
                beaters ^= reply
                if not replies2 & word(memory, row + lowest(reply)):
                    other = replies3 if reply & replies1 else replies1
                    loss = max(loss, 1 + most(lead) + most(reply) + most(other) + least(replies2))
            if loss >= slack and switches & LOST_TRICK:
                given = min(given, loss)
                continue
            key += TENS_LAST if lead & TENS else FIVES_NEXT if lead & COUNT else PLAIN_NEXT
        if lead & killer:
            key = 0
        # Insert it before the first key that is higher; keys have nine bits, 0 is none.
        place = 0
        rest = keys
        while rest and (rest & 511) <= key + 1:
            rest >>= 9
            place += 1
        below = (1 << 9 * place) - 1
        keys = keys & below | key + 1 << 9 * place | (keys & ~below) << 9
        below = (1 << 5 * place) - 1
        moves = moves & below | tile << 5 * place | (moves & ~below) << 5
    return moves << 6 | given


@kernel
def order_replies(memory, legal, winning, later, suit, partner_wins, killer):
    """Replies in order: the killer first, then by whether the trick can be won.

    `winning` are the tiles that beat the best so far, `later` the legal replies of the opponent
    still to play, if one is. When the partner's tile stands, give count; else win, for certain and
    with count if possible; what loses goes from low count to high.
    """
    if partner_wins:
        first = legal & TENS & ~winning
        second = legal & COUNT & ~winning
        third = legal & ~winning
        fourth = winning
        fifth = winning
    else:
        sure = winning
        rest = winning if later else 0
        while rest:
            if later & word(memory, BEATS + (suit << 5) + lowest(rest)):
                sure &= ~(rest & -rest)
            rest &= rest - 1
        first = sure & COUNT
        second = sure
        third = winning & ~COUNT
        fourth = legal & ~winning & ~COUNT
        fifth = legal & ~winning & ~TENS
    moves = 0
    shift = 0
    while legal:
        # The first group that is not empty, by selection rather than by jumps.
        group = legal & killer
        group = group or legal & first
        group = group or legal & second
        group = group or legal & third
        group = group or legal & fourth
        group = group or legal & fifth
        group = group or legal
        moves |= lowest(group) << shift
        shift += 5
        legal &= ~(group & -group)
    return moves | END << shift
