"""When every trick that is left is certain: the claim of the player to lead."""

from functools import cache

from sim42.game.rules import Doubles
from sim42.game.suits import suits
from sim42.game.tiles import tiles_of
from sim42.game.trumps import Trump


def takes_every_trick(
    hand_mask: int, unseen_mask: int, trump: Trump, doubles: Doubles = "high"
) -> bool:
    """Whether the player to lead wins every trick left, whatever the others hold and play.

    The player knows the own tiles and those played, and nothing else. A tile may be led when no
    unseen tile beats it. Of the tiles that follow its suit at least one is played then, and of
    that alone the player can be sure: one opponent may hold all of the suit, keep the best to the
    last, and be the only one who plays of it. Fewer tiles unseen never hurt the leader, so what
    wins against this opponent wins against all.

    Parameters
    ----------
    hand_mask, unseen_mask : int
        Tiles of the player, and those that are neither played nor the player's.

    >>> from sim42 import Hand
    >>> from sim42.game.tiles import ALL_TILES
    >>> hand = Hand("6-6 5-5 6-5 6-4 6-3 6-2 6-1").mask
    >>> takes_every_trick(hand, ALL_TILES ^ hand, Trump.SIXES)
    True
    """
    table = suits(trump, doubles)

    @cache
    def is_certain(hand: int, unseen: int) -> bool:
        tiles = tiles_of(hand)
        safe = [tile for tile in tiles if not table.beats[table.leads[tile]][tile] & unseen]
        if len(safe) == len(tiles):
            return True
        for tile in safe:
            followers = tiles_of(table.follows[table.leads[tile]] & unseen)
            # With none to follow nothing is forced.
            outcomes = [unseen ^ 1 << gone for gone in followers] or [unseen]
            if all(is_certain(hand ^ 1 << tile, left) for left in outcomes):
                return True
        return False

    return is_certain(hand_mask, unseen_mask)
