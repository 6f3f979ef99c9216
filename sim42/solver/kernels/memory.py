"""The one room of memory that a search works in: where everything lies, and the table of bounds.

Each call of a kernel has a room of its own, so threads share nothing. Word by word::

    0 HANDS     4   hand of each seat as dealt
    4 TRUMPS    1   the trumps
    5 GAME      1   number of the deal and trump at hand; entries of the table with another are void
    6 PLIES     1   tiles played by the search so far
    7 SWITCHES  1   the bounds that are on
   32 LEADS    28   suit that each tile leads
   64 FOLLOWS   8   mask of the tiles that follow each suit
  128 BEATS   256   [32 * suit + tile]: mask of the tiles that beat the tile once the suit is led
  384 KILLERS 512   [64 * tricks left + 16 * seat + 2 * suit led + place & 1]: last tile that cut
  896 STACK    64   two words a position (see `search`), at most 28 positions
  960 TABLE  2^15   entries of one word

An entry of the table bounds the points that seats 0 and 2 still take::

    bit  0..27  28..29  30..35  36..41  42..62
         tiles  leader  low     high    game

It lies where a product of its key (tiles and leader) says, and gives way to any later one: the
search is mostly in endings, and 256 kB stay in the second-level cache.
"""

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import put, word

HANDS = 0
TRUMPS = 4
GAME = 5
PLIES = 6
SWITCHES = 7
LEADS = 32
FOLLOWS = 64
BEATS = 128
KILLERS = 384
STACK = 896
TABLE = 960
TABLE_BITS = 15
TABLE_SIZE = 1 << TABLE_BITS
SIZE = TABLE + TABLE_SIZE

TRUMP_ROW = BEATS + 32 * 7
LAST_GAME = (1 << 21) - 1
HIGHEST = 63
NO_BOUNDS = HIGHEST << 6


@kernel
def load(memory, deal, leads, follows, beats, switches):
    """Set up for one deal (4,) under one trump: leads (28,), follows (8,), beats (8, 28)."""
    for seat in range(4):
        put(memory, HANDS + seat, deal[seat])
    for tile in range(28):
        put(memory, LEADS + tile, leads[tile])
    # Suit 7 is trumps if it beats what follows another suit; doubles as a suit of their own do not.
    trumps = follows[7]
    for suit in range(8):
        put(memory, FOLLOWS + suit, follows[suit])
        for tile in range(28):
            put(memory, BEATS + 32 * suit + tile, beats[suit, tile])
            if suit < 7 and follows[suit] >> tile & 1:
                trumps &= beats[suit, tile]
    put(memory, TRUMPS, trumps)
    put(memory, SWITCHES, switches)
    for killer in range(KILLERS, STACK):
        put(memory, killer, 0)
    if word(memory, GAME) == LAST_GAME:
        put(memory, GAME, 0)
        for slot in range(TABLE, SIZE):
            put(memory, slot, 0)
    put(memory, GAME, word(memory, GAME) + 1)


@kernel
def slot_of(key):
    """Place in the table of a key of 30 bits; the product stays below 2**62."""
    return TABLE + (key * 0x9E3779B1 >> 29 & (TABLE_SIZE - 1))


@kernel
def look_up(memory, tiles, leader):
    """Bounds on the points that seats 0 and 2 still take: low | high << 6."""
    key = tiles | leader << 28
    entry = word(memory, slot_of(key))
    bounds = NO_BOUNDS
    if entry & 0x3FFFFFFF == key and entry >> 42 == word(memory, GAME):
        bounds = entry >> 30 & 0xFFF
    return bounds


@kernel
def note(memory, tiles, leader, points, is_low):
    """Enter a low or a high bound, beside the other one if that is known."""
    key = tiles | leader << 28
    bounds = look_up(memory, tiles, leader)
    low = bounds & HIGHEST
    high = bounds >> 6
    if is_low:
        low = max(low, points)
    else:
        high = min(high, points)
    put(memory, slot_of(key), key | low << 30 | high << 36 | word(memory, GAME) << 42)
