"""What each tile leads, what follows it and what beats it, for every trump (R2 to R7).

Suits are the pips 0..6 and `TRUMP_SUIT`, 7: the trumps or, in a follow me with doubles as a suit of
their own, the doubles (which lead and follow as a suit but beat nothing outside it).
"""

from functools import lru_cache
from typing import Final, NamedTuple

from sim42.game.rules import Doubles
from sim42.game.tiles import ENDS, TILES, mask_of
from sim42.game.trumps import Trump

TRUMP_SUIT: Final = 7
SUITS: Final = range(8)


class Suits(NamedTuple):
    """The rules of play of one trump.

    Attributes
    ----------
    leads : tuple of 28 int
        Suit that each tile leads (R5).
    follows : tuple of 8 int
        Mask of the tiles that follow each suit; who holds one must play one (R6).
    beats : tuple of 8 tuples of 28 int
        Once suit s is led, mask of the tiles that beat tile t (R7). Of two tiles that neither
        follow nor are trumps, neither beats the other.
    """

    leads: tuple[int, ...]
    follows: tuple[int, ...]
    beats: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def suits(trump: Trump, doubles: Doubles = "high") -> Suits:
    """The rules of play of one trump.

    Parameters
    ----------
    trump : Trump
        The trump called.
    doubles : {"high", "low", "own_suit"}
        Place of the doubles in follow me; without effect on the other trumps (R4).

    >>> from sim42.game.tiles import format_tiles, parse_tile
    >>> fours = suits(Trump.FOURS)
    >>> fours.leads[parse_tile("6-4")], fours.leads[parse_tile("6-5")]
    (7, 6)
    >>> format_tiles(fours.follows[TRUMP_SUIT])
    '6-4 5-4 4-4 4-3 4-2 4-1 4-0'
    """
    homes = [suits_of(tile, trump, doubles) for tile in TILES]
    strengths = [[strength(tile, led, trump, doubles) for tile in TILES] for led in SUITS]
    return Suits(
        leads=tuple(home[0] for home in homes),
        follows=tuple(mask_of(tile for tile in TILES if led in homes[tile]) for led in SUITS),
        beats=tuple(
            tuple(
                mask_of(tile for tile in TILES if ranks[tile] > ranks[beaten]) for beaten in TILES
            )
            for ranks in strengths
        ),
    )


def suits_of(tile: int, trump: Trump, doubles: Doubles = "high") -> tuple[int, ...]:
    """Suits that a tile belongs to, the one it leads first (R2 to R6).

    >>> from sim42.game.tiles import parse_tile
    >>> suits_of(parse_tile("6-4"), Trump.FIVES), suits_of(parse_tile("6-4"), Trump.FOURS)
    ((6, 4), (7,))
    """
    high, low = ENDS[tile]
    if trump in (high, low):
        return (TRUMP_SUIT,)
    if high == low:
        own_suit = trump == Trump.DOUBLES or (trump == Trump.FOLLOW_ME and doubles == "own_suit")
        return (TRUMP_SUIT,) if own_suit else (high,)
    return (high, low)


def strength(tile: int, led: int, trump: Trump, doubles: Doubles = "high") -> int:
    """Rank of a tile once suit `led` is led; 0 for a tile that cannot win (R7).

    >>> from sim42.game.tiles import parse_tile
    >>> six_six, trey_ace = parse_tile("6-6"), parse_tile("3-1")
    >>> strength(trey_ace, 6, Trump.THREES) > strength(six_six, 6, Trump.THREES)
    True
    """
    high, low = ENDS[tile]
    home = suits_of(tile, trump, doubles)
    is_trump = trump != Trump.FOLLOW_ME and TRUMP_SUIT in home
    if not is_trump and led not in home:
        return 0
    # A pip suit orders its tiles by the other end, and so does the sum of both ends.
    rank = 1 + high + low
    if high == low and TRUMP_SUIT in home and trump >= Trump.DOUBLES:
        rank = 1 + high
    elif high == low:
        low_double = trump == Trump.FOLLOW_ME and doubles == "low"
        rank = 0 if low_double else 14
    return (32 if is_trump else 16) + rank
