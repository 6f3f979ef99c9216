"""The rules of 42 once more, slow and obvious, as a check on everything in the package.

Nothing here comes from sim42. A tile is a pair (high, low), a hand a list of tiles, a trump the
number 0..6 of a pip, or `DOUBLES` or `FOLLOW_ME`. Doubles are "high", "low" or "own_suit", which
matters in follow me alone.
"""

from functools import cache
from itertools import combinations

DOUBLES, FOLLOW_ME = 7, 8
TRUMPS = range(9)
TILES = [(high, low) for high in range(7) for low in range(high + 1)]
"""In the order of their ids."""


def worth(tile):
    """T2: tiles of 5 or 10 pips are worth their pips."""
    pips = sum(tile)
    return pips if pips in (5, 10) else 0


def trick_points(tiles):
    """T2: one for the trick, and the count in it."""
    return 1 + sum(worth(tile) for tile in tiles)


def is_trump(tile, trump):
    """R2, R3, R4."""
    if trump == FOLLOW_ME:
        return False
    if trump == DOUBLES:
        return tile[0] == tile[1]
    return trump in tile


def suit_led(tile, trump, doubles="high"):
    """R5: the name of the suit that a tile leads."""
    if is_trump(tile, trump):
        return "trumps"
    if trump == FOLLOW_ME and doubles == "own_suit" and tile[0] == tile[1]:
        return "doubles"
    return max(tile)


def follows(tile, suit, trump, doubles="high"):
    """R6: a trump follows trumps alone; a tile that is no trump follows the suits of both ends."""
    if suit == "trumps":
        return is_trump(tile, trump)
    if is_trump(tile, trump):
        return False
    separate = trump == FOLLOW_ME and doubles == "own_suit" and tile[0] == tile[1]
    if suit == "doubles":
        return separate
    return suit in tile and not separate


def legal_tiles(hand, led, trump, doubles="high"):
    """R6: what may be played from a hand to the tile led; led is None for the leader."""
    if led is None:
        return sorted(hand)
    suit = suit_led(led, trump, doubles)
    followers = [tile for tile in hand if follows(tile, suit, trump, doubles)]
    return sorted(followers or hand)


@cache
def suit_order(suit, trump, doubles="high"):
    """R2, R3, R4: the tiles of a suit, highest first."""
    if suit == "doubles" or (suit == "trumps" and trump == DOUBLES):
        return [(pip, pip) for pip in reversed(range(7))]
    pip = trump if suit == "trumps" else suit
    others = [tuple(sorted((pip, end), reverse=True)) for end in reversed(range(7)) if end != pip]
    if trump == FOLLOW_ME and doubles == "low":
        order = [*others, (pip, pip)]
    else:
        order = [(pip, pip), *others]
    return [tile for tile in order if follows(tile, suit, trump, doubles)]


def trick_winner(tiles, trump, doubles="high"):
    """R7: place in the trick of the highest trump, else of the highest tile of the suit led."""
    if any(is_trump(tile, trump) for tile in tiles):
        suit = "trumps"
    else:
        suit = suit_led(tiles[0], trump, doubles)
    winner = next(tile for tile in suit_order(suit, trump, doubles) if tile in tiles)
    return tiles.index(winner)


def perft(hands, trump, depth, doubles="high", leader=0, table=()):
    """Number of legal sequences of `depth` plays (fewer where the tiles end)."""
    if depth == 0 or (not table and not any(hands)):
        return 1
    seat = (leader + len(table)) % 4
    total = 0
    for tile in legal_tiles(hands[seat], table[0] if table else None, trump, doubles):
        left = [[t for t in hand if t != tile] for hand in hands]
        played = (*table, tile)
        if len(played) == 4:
            winner = (leader + trick_winner(played, trump, doubles)) % 4
            total += perft(left, trump, depth - 1, doubles, winner)
        else:
            total += perft(left, trump, depth - 1, doubles, leader, played)
    return total


def value(hands, trump, doubles="high", leader=0, table=(), known=None):
    """Points that seats 0 and 2 still take when all four see all hands and play as well as can be.

    Hands are tuples of tiles. Plain minimax: every legal play is tried. `known` holds the values
    found so far at the starts of tricks.
    """
    known = {} if known is None else known
    if not table:
        if not any(hands):
            return 0
        if (hands, leader) in known:
            return known[hands, leader]
    seat = (leader + len(table)) % 4
    found = []
    for tile in legal_tiles(hands[seat], table[0] if table else None, trump, doubles):
        left = tuple(tuple(t for t in hand if t != tile) for hand in hands)
        played = (*table, tile)
        if len(played) < 4:
            found.append(value(left, trump, doubles, leader, played, known))
        else:
            winner = (leader + trick_winner(played, trump, doubles)) % 4
            won = trick_points(played) if winner in (0, 2) else 0
            found.append(won + value(left, trump, doubles, winner, (), known))
    best = max(found) if seat in (0, 2) else min(found)
    if not table:
        known[hands, leader] = best
    return best


def may_bid(bid, said, max_marks):
    """A1 to A3: whether `bid` may follow what was said; "pass", points 30..41, or (n, "marks")."""
    bids = [other for other in said if other != "pass"]
    if bid == "pass":
        return True
    if isinstance(bid, int):
        return all(isinstance(other, int) and other < bid for other in bids)
    marks = [other[0] for other in bids if not isinstance(other, int)]
    if bid[0] > max_marks:
        return False
    if not marks:
        return bid[0] in (1, 2)
    return bid[0] == max(marks) + 1


def auctions(max_marks, said=()):
    """Number of complete auctions in which each of four seats speaks once, all passing included."""
    if len(said) == 4:
        return 1
    calls = ["pass", *range(30, 42), *((marks, "marks") for marks in range(1, 8))]
    return sum(auctions(max_marks, (*said, bid)) for bid in calls if may_bid(bid, said, max_marks))


def endings(bid, play_out=False):
    """S1: points of the declarer's side and of the others at which a hand of any tiles can end.

    Every trick takes any four of the tiles left, of which only those with count are told apart,
    and either side wins it; the side to lead may claim the rest.
    """
    found = set()

    @cache
    def go_on(tricks, tens, fives, won, lost, leading):
        decided = won >= min(bid, 42) or lost > 42 - min(bid, 42)
        if tricks == 0 or (decided and not play_out):
            found.add((won, lost))
            return
        found.add((42 - lost, lost) if leading else (won, 42 - won))
        for ten in range(tens + 1):
            for five in range(fives + 1):
                count_left = tens - ten + fives - five
                if ten + five <= 4 and count_left <= 4 * (tricks - 1):
                    points = 1 + 10 * ten + 5 * five
                    rest = (tricks - 1, tens - ten, fives - five)
                    go_on(*rest, won + points, lost, True)
                    go_on(*rest, won, lost + points, False)

    go_on(7, 2, 3, 0, 0, True)
    return found


def claim_is_good(hand, unseen, trump, doubles="high", shown=((), (), ())):
    """Whether one way to lead `hand` wins every trick, wherever the unseen tiles may lie.

    The leader sees what is played, so the way may depend on that; the layouts that would have
    looked the same so far must all be beaten by the same next lead. `shown` are the suits that
    each of the others did not follow.
    """
    possible = [
        held
        for held in layouts(tuple(sorted(unseen)))
        if not any(
            follows(tile, suit, trump, doubles)
            for tiles, suits in zip(held, shown, strict=True)
            for tile in tiles
            for suit in suits
        )
    ]
    return leader_wins(tuple(sorted(hand)), possible, trump, doubles)


def layouts(unseen):
    """All ways that three other players can hold the unseen tiles, equally many each."""
    size = len(unseen) // 3
    found = []
    for first in combinations(unseen, size):
        rest = [tile for tile in unseen if tile not in first]
        for second in combinations(rest, size):
            third = tuple(tile for tile in rest if tile not in second)
            found.append((first, second, third))
    return found


def leader_wins(hand, possible, trump, doubles):
    if not hand:
        return True
    return any(lead_wins(lead, hand, possible, trump, doubles) for lead in hand)


def lead_wins(lead, hand, possible, trump, doubles):
    seen = {}
    for first, second, third in possible:
        for a in legal_tiles(first, lead, trump, doubles):
            for b in legal_tiles(second, lead, trump, doubles):
                for c in legal_tiles(third, lead, trump, doubles):
                    if trick_winner((lead, a, b, c), trump, doubles) != 0:
                        return False
                    left = (
                        tuple(tile for tile in first if tile != a),
                        tuple(tile for tile in second if tile != b),
                        tuple(tile for tile in third if tile != c),
                    )
                    seen.setdefault((a, b, c), []).append(left)
    rest = tuple(tile for tile in hand if tile != lead)
    return all(leader_wins(rest, left, trump, doubles) for left in seen.values())
