"""Where everything lies: the room of memory that a search works in, and its packed words.

Each call of a kernel has a room of its own, an int64 array, so threads share nothing::

     0 TRUMPS          1   the trumps
     1 COUNT           1   the count tiles
     2 TENS            1   those of ten points
     3 SWITCHES        1   the bounds that are on
     4 PLIES           1   tiles played by the search so far
     5 GAME            1   number of the hands and trump at hand; entries with another are void
     8 HANDS           4   hand of each seat, with its tile of the trick on the table
    16 FOLLOWS        28   [tile led]: what follows it
    48 WINS           28   [tile led]: what can win the trick, that is what follows and trumps
    80 LEAD_KILLERS   32   [tricks left, leader]: the lead that cut last, as a mask
   112 REPLY_KILLERS 1024  [tricks left, place, tile to beat]: the reply that cut last, as a mask
  1136 TABLE         2^14  bounds, an entry a word

**Tiles are ranks** in here, 0 to 27, under the trump at hand: of two tiles that can win a trick,
whatever was led, the one of higher rank wins it (`sim42.solver.lookups` makes that order). So the
winner is the highest bit of ``trick & wins[led]``, and "beats" is "is higher, within wins".

An entry of the table bounds what the leader's side still takes::

    bit  0..27  28..29  30..35  36..41  42..62
         tiles  leader  low     high    game

A list of tiles holds five bits a tile, the next one lowest, `END` after the last.
"""

from sim42.solver.kernels._jit import inlined

TRUMPS = 0
COUNT = 1
TENS = 2
SWITCHES = 3
PLIES = 4
GAME = 5
HANDS = 8
FOLLOWS = 16
WINS = 48
LEAD_KILLERS = 80
REPLY_KILLERS = 112
TABLE = 1136
TABLE_BITS = 14
TABLE_SIZE = 1 << TABLE_BITS
SIZE = TABLE + TABLE_SIZE

LAST_GAME = (1 << 21) - 1
POINTS_MASK = 63
KEY_MASK = (1 << 30) - 1
NO_LIMIT = 63
"""More points than there are: nothing limits them yet."""
NO_BOUNDS = NO_LIMIT << 6
TILE_MASK = 31
END = 31
"""What stands after the last tile of a list, and is no tile."""


@inlined
def lead_killer(tricks, leader):
    """Place in the room of the last lead that cut."""
    return LEAD_KILLERS + (tricks << 2 | leader)


@inlined
def reply_killer(tricks, place, to_beat):
    """Place in the room of the last reply that cut at place 1 to 3 against this tile to beat."""
    return REPLY_KILLERS + (tricks << 7 | place << 5 | to_beat)


@inlined
def key_of(tiles, leader):
    """What the points to come depend on, for given hands and trump."""
    return tiles | leader << 28


@inlined
def slot_of(key):
    """Place in the room of the entry of a key; the product stays below 2**62."""
    return TABLE + (key * 0x9E3779B1 >> 29 & (TABLE_SIZE - 1))


@inlined
def entry_of(key, low, high, game):
    """An entry of the table."""
    return key | low << 30 | high << 36 | game << 42


@inlined
def is_entry_of(entry, key, game):
    """Whether an entry is about this key, in this game."""
    return (entry ^ key) & KEY_MASK == 0 and entry >> 42 == game


@inlined
def bounds_of(entry):
    """Both bounds of an entry."""
    return entry >> 30 & 0xFFF


@inlined
def low_of(bounds):
    """The low one of two bounds."""
    return bounds & POINTS_MASK


@inlined
def high_of(bounds):
    """The high one of two bounds."""
    return bounds >> 6


@inlined
def first_of(tiles):
    """First tile of a list."""
    return tiles & TILE_MASK


@inlined
def rest_of(tiles):
    """A list without its first tile."""
    return tiles >> 5


@inlined
def inserted(tiles, place, tile):
    """A list with one more tile at a place, 0 the first."""
    before = (1 << 5 * place) - 1
    return tiles & before | tile << 5 * place | (tiles & ~before) << 5


@inlined
def key_place(keys, key):
    """Place of a new key among sorted ones of nine bits each, after its equals; 0 is no key."""
    place = 0
    while keys and (keys & 511) <= key:
        keys >>= 9
        place += 1
    return place


@inlined
def key_inserted(keys, place, key):
    """Sorted keys with one more at its place."""
    before = (1 << 9 * place) - 1
    return keys & before | key << 9 * place | (keys & ~before) << 9
