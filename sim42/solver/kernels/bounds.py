"""Bounds on what the tricks to come bring, each with its proof, and plays that need not be tried.

All are stated for the start of a trick, from the side of its leader: `hand0` leads, `hand2` is the
partner's, `hand1` and `hand3` are the opponents'. "Beats", "wins" and "follows" are always meant as
the lookups say, so the proofs hold under every doubles treatment. `tricks` are the tricks left, and
`left` the points of all of them. Every bound has a switch, so that a test can do without it.
"""

from sim42.solver.kernels._jit import inlined
from sim42.solver.kernels.bits import above, count_of, least, lowest, most, popcount, word
from sim42.solver.kernels.layout import COUNT, FOLLOWS, SWITCHES, TENS, TRUMPS, WINS

SURE_RUN = 1
TOP_TRUMPS = 2
SURE_TRICK = 4
PARTNER_TRICK = 8
RUN_AFTER = 16
PARTNER_TRUMPS = 32
LOST_TRICK = 64
EQUAL_TRUMPS = 128
ALL_BOUNDS = 255
"""Switches of the bounds."""

# What judging a lead tells of the trick, for the order of the leads.
OURS, PARTNERS, OPEN, THEIRS = range(4)


@inlined
def sure_tiles(memory, hand, tiles, longest):
    """Tiles of a hand that win one after another once it is on lead: sure trumps, sure others.

    A trump is sure when no other hand, the partner's included, holds a higher one. Led in turn,
    each wins its trick, the hand stays on lead, and every other hand gives a trump to each while it
    has any. `longest` is the most trumps that an opponent holds: after as many trump leads no
    opponent has one.

    Then any other tile is sure if no other hand, the partner's included, can beat it within the
    suit it leads. A partner who still has a trump need not play it, unless left with trumps alone;
    then all that is left is the side's own, as the opponents have none. Where the hand has not so
    many sure trumps, no other tile can be sure, and none is looked for. What others play on the way
    only takes tiles away that might beat these.

    The partner's tiles must count: if only the partner could beat a tile, the partner may be
    forced to, and is then on lead, so that the next tile is not sure.
    """
    trumps = word(memory, TRUMPS)
    theirs = tiles ^ hand
    sure_trumps = hand & trumps & above(theirs & trumps)
    others = 0
    if longest <= popcount(sure_trumps):
        rest = hand & ~trumps
        while rest:
            tile = rest & -rest
            if not theirs & word(memory, FOLLOWS + lowest(rest)) & above(tile):
                others |= tile
            rest ^= tile
    return sure_trumps, others


@inlined
def run_points(memory, sure_trumps, others, longest, used, partner_trumps, tricks, left):
    """Points of a run: of a hand on lead with these sure tiles, less the tile `used` before it.

    Its other tiles count if the sure trumps that are left are as many as `longest` still.
    `partner_trumps` are those the partner holds when the run begins. Each sure trump led takes one
    of them. If the opponents have no trump after that, each one that is left wins a trick too, and
    another one than those led: the partner keeps them for the tricks after the run (see
    `sure_tiles`). So all the partner's trumps fall in tricks of their own side, with their count.
    """
    sure = sure_trumps & ~used
    leads = popcount(sure)
    won = leads
    if longest <= leads:
        sure |= others & ~used
        won = popcount(sure) + max(0, popcount(partner_trumps) - leads)
        sure |= partner_trumps
    if won >= tricks:
        return left
    return won + count_of(sure, word(memory, COUNT), word(memory, TENS))


@inlined
def top_trumps(memory, hand0, hand1, hand2, hand3, tricks, left):
    """Points that one side takes by its top trumps whoever leads; negative if the opponents do.

    Take the highest trumps, as far down as one side holds them all. Each of them in one hand beats
    every trump of the other side, and two tiles of a hand never meet in a trick. So whenever one
    is played its trick goes to that side: the winner of the trick is a higher trump, and all the
    higher ones are the side's own. The hand with more of them thus brings a trick for each, and
    what they count.
    """
    trumps = word(memory, TRUMPS)
    ours = (hand0 | hand2) & trumps
    theirs = (hand1 | hand3) & trumps
    tops = ours & above(theirs) | theirs & above(ours)
    one = tops & (hand0 | hand1)
    other = tops & (hand2 | hand3)
    longer = one if popcount(one) >= popcount(other) else other
    won = popcount(longer)
    points = left
    if won < tricks:
        points = won + count_of(longer, word(memory, COUNT), word(memory, TENS))
    return points if ours > theirs else -points


@inlined
def without_equal_trumps(legal, present, trumps, count):
    """Legal plays of one hand without trumps that are as good as a higher one among them.

    `present` is what all hold and what lies in the trick. Take two trumps without count in one
    hand such that no trump outside it lies between them. Exchanging them changes nothing that the
    rules see: both follow and lead the same suit only, and beat the same tiles of the other hands.
    So both lead to the same value, and the lower one need not be tried. Where `trumps` is empty
    nothing is left out.
    """
    plain = legal & trumps & ~count
    kept = legal
    if plain & (plain - 1):
        theirs = present & trumps & ~legal
        while plain & (plain - 1):
            tile = plain & -plain
            plain ^= tile
            between = (plain & -plain) - 2 * tile
            if not theirs & between:
                kept ^= tile
    return kept


@inlined
def equal_trump(tile, kept, trumps, count):
    """The trump kept as the equal of one left out: of its like the next higher one."""
    higher = kept & trumps & ~count & above(tile)
    return higher & -higher


@inlined
def trump_given(replies, trumps, count, tens):
    """The trump that a hand parts with to give its best count; none if another tile does."""
    best = replies & tens or replies & count or replies
    return 0 if best & ~trumps else best & -best


@inlined
def judge_lead(memory, hand0, hand1, hand2, hand3, lead, runs, longest, tricks, left):
    """What a lead surely brings: points won, points lost, and whose the trick is.

    `runs` are the `sure_tiles` of the leader and of the partner. Let the *replies* be the tiles
    that each other hand may play to the lead.

    The trick is *ours* when no opponent has a reply that beats the lead: the leader wins it, unless
    the partner does. It is the *partner's* when the partner has a reply that beats the lead and all
    replies of the opponents. Its points are at least those of the lead, of the partner's tile, and
    the least that each opponent must give. Where the leader wins, the partner's tile is the best
    count tile of those replies that do not beat the lead. The winner is on lead then, with the sure
    tiles less the one just played, so the run after the trick is won as well; trumps that the trick
    took from the others make it no worse. The partner's trumps count in that run without the tile
    that the partner has just played, and so do the leader's without the lead.

    The trick is *theirs* when an opponent has a reply that beats the lead and all replies of the
    partner: they win it if they want to. Its points are then at least those of the lead, of the
    best of these replies, of the other opponent's best count tile among the replies, and the least
    that the partner must give.
    """
    trumps = word(memory, TRUMPS)
    count = word(memory, COUNT)
    tens = word(memory, TENS)
    switches = word(memory, SWITCHES)
    trumps0, others0, trumps2, others2 = runs
    tile = lowest(lead)
    follows = word(memory, FOLLOWS + tile)
    beating = word(memory, WINS + tile) & above(lead)
    replies1 = hand1 & follows or hand1
    replies2 = hand2 & follows or hand2
    replies3 = hand3 & follows or hand3
    danger = (replies1 | replies3) & beating
    partner_beats = replies2 & beating
    partner_wins = partner_beats & above(danger)
    points = 1 + most(lead, count, tens)
    won = 0
    lost = 0
    whose = OPEN
    if not danger or partner_wins:
        points += least(replies1, count, tens) + least(replies3, count, tens)
        whose = PARTNERS if danger else OURS
        below = replies2 & ~beating
        if not danger and below and switches & SURE_TRICK:
            won = points + most(below, count, tens)
            if switches & RUN_AFTER:
                kept = hand2 & trumps & ~trump_given(below, trumps, count, tens)
                kept = kept if switches & PARTNER_TRUMPS else 0
                won += run_points(
                    memory, trumps0, others0, longest, lead, kept, tricks - 1, left - won
                )
        if partner_wins and switches & PARTNER_TRICK:
            reply = partner_wins & -partner_wins
            sure = points + most(reply, count, tens)
            if switches & RUN_AFTER:
                kept = hand0 & trumps & ~lead
                kept = kept if switches & PARTNER_TRUMPS else 0
                sure += run_points(
                    memory, trumps2, others2, longest, reply, kept, tricks - 1, left - sure
                )
            won = max(won, sure)
    else:
        beaters = danger & above(partner_beats)
        if beaters and switches & LOST_TRICK:
            whose = THEIRS
            points += least(replies2, count, tens)
            if beaters & replies1:
                given = most(beaters & replies1, count, tens) + most(replies3, count, tens)
                lost = points + given
            if beaters & replies3:
                given = most(beaters & replies3, count, tens) + most(replies1, count, tens)
                lost = max(lost, points + given)
    return won, lost, whose
