"""When every trick that is left is certain: the claim of the player to lead (R7)."""

from collections.abc import Callable, Iterator, Set
from functools import cache
from itertools import permutations

from sim42.game.rules import Doubles
from sim42.game.suits import Suits, suits
from sim42.game.tiles import ALL_TILES, mask_of, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump

Three = tuple[int, int, int]
"""A mask of tiles for each of the three other players."""


def can_claim(tricks: Tricks) -> bool:
    """Whether a seat is to lead that is certain of every trick left.

    >>> from sim42 import Deal
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> can_claim(Tricks(Trump.SIXES, "high", deal.masks, leader=0))
    True
    """
    if tricks.table or tricks.is_over:
        return False
    hand = tricks.hands[tricks.leader]
    unseen = ALL_TILES & ~hand & ~mask_of(tricks.plays)
    voids = tricks.voids
    first, second, third = (voids[(tricks.leader + step) % 4] for step in (1, 2, 3))
    return takes_every_trick(hand, unseen, tricks.trump, tricks.doubles, (first, second, third))


def takes_every_trick(
    hand_mask: int,
    unseen_mask: int,
    trump: Trump,
    doubles: Doubles = "high",
    voids: Three = (0, 0, 0),
) -> bool:
    """Whether the player to lead wins every trick left, whatever the others hold and play.

    The player knows the own tiles, those played, and what the others showed by not following.

    Parameters
    ----------
    hand_mask, unseen_mask : int
        Tiles of the player, and those that are neither played nor the player's.
    voids : tuple of three int
        Tiles that each of the others has shown not to hold.

    >>> from sim42 import Hand
    >>> hand = Hand("6-6 5-5 6-5 6-4 6-3 6-2 6-1").mask
    >>> takes_every_trick(hand, ALL_TILES ^ hand, Trump.SIXES)
    True
    """
    table = suits(trump, doubles)
    wins_unshown = _wins_unshown(table)
    if not any(void & unseen_mask for void in voids):
        return wins_unshown(hand_mask, unseen_mask)

    @cache
    def wins(hand: int, may_hold: Three) -> bool:
        # What is certain without what was shown is certain with it.
        if wins_unshown(hand, may_hold[0] | may_hold[1] | may_hold[2]):
            return True
        return any(
            all(
                not beaten and wins(hand ^ 1 << tile, left)
                for beaten, left in _answers(tile, hand, may_hold, table)
            )
            for tile in tiles_of(hand)
        )

    first, second, third = (unseen_mask & ~void for void in voids)
    return wins(hand_mask, (first, second, third))


def _wins_unshown(table: Suits) -> Callable[[int, int], bool]:
    """Whether every trick is certain when nothing is known of who holds the unseen tiles.

    A tile may be led when no unseen tile beats it. Of the tiles that follow its suit at least one
    is played then, and of that alone the player can be sure: one opponent may hold all of the
    suit, keep the best to the last, and be the only one who plays of it. Fewer tiles unseen never
    hurt the leader, so what wins against this opponent wins against all.
    """

    @cache
    def wins(hand: int, unseen: int) -> bool:
        tiles = tiles_of(hand)
        safe = [tile for tile in tiles if not table.beats[table.leads[tile]][tile] & unseen]
        if len(safe) == len(tiles):
            return True
        for tile in safe:
            followers = tiles_of(table.follows[table.leads[tile]] & unseen)
            # With none to follow nothing is forced.
            outcomes = [unseen ^ 1 << gone for gone in followers] or [unseen]
            if all(wins(hand ^ 1 << tile, left) for left in outcomes):
                return True
        return False

    return wins


def _answers(lead: int, hand: int, may_hold: Three, table: Suits) -> Iterator[tuple[bool, Three]]:
    """What the others can play to a lead, in any way that they can hold the unseen tiles.

    Yields
    ------
    bool
        Whether the lead is beaten.
    tuple of three int
        What each of them may hold after it.
    """
    suit = table.leads[lead]
    follows, beats = table.follows[suit], table.beats[suit][lead]
    size = hand.bit_count()

    def play(seat: int, holds: Three, beaten: bool) -> Iterator[tuple[bool, Three]]:
        if seat == 3:
            if _can_be(holds, size - 1):
                yield beaten, holds
            return
        discarding = _without(follows, holds, {seat})
        for after, tiles in ((holds, holds[seat] & follows), (discarding, discarding[seat])):
            for tile in _kinds(tiles, hand, after, table):
                left = _without(1 << tile, after)
                yield from play(seat + 1, left, beaten or bool(beats >> tile & 1))

    return play(0, may_hold, False)


def _without(tiles: int, may_hold: Three, seats: Set[int] = frozenset({0, 1, 2})) -> Three:
    """The masks with these tiles taken out of those of these seats."""
    a, b, c = (mask & ~tiles if seat in seats else mask for seat, mask in enumerate(may_hold))
    return a, b, c


def _can_be(may_hold: Three, size: int) -> bool:
    """Whether the tiles can lie so, with `size` in each hand (Hall's condition)."""
    unseen = may_hold[0] | may_hold[1] | may_hold[2]
    return unseen.bit_count() == 3 * size and all(
        mask.bit_count() >= size and (unseen & ~(one | other)).bit_count() <= size
        for mask, one, other in permutations(may_hold)
    )


def _kinds(tiles: int, hand: int, may_hold: Three, table: Suits) -> Iterator[int]:
    """One tile of each kind: those that no lead of this hand and no holder tells apart."""
    seen = set()
    leads = tiles_of(hand)
    for tile in tiles_of(tiles):
        kind = (
            *(mask >> tile & 1 for mask in may_hold),
            *(table.follows[table.leads[lead]] >> tile & 1 for lead in leads),
            *(table.beats[table.leads[lead]][lead] >> tile & 1 for lead in leads),
        )
        if kind not in seen:
            seen.add(kind)
            yield tile
