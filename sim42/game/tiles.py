"""The 28 tiles of the double-six set, and hands and deals of them (rules T1 to T3).

A tile is an id, ``high * (high + 1) // 2 + low``; a set of tiles is a mask with bit ``id`` set::

    id     0    1    2    3    4    5    6   ...  21   22   23   24   25   26   27
    tile  0-0  1-0  1-1  2-0  2-1  2-2  3-0  ...  6-0  6-1  6-2  6-3  6-4  6-5  6-6
    bit   lowest                                                             highest

`Hand` and `Deal` are small immutable values over masks that read text and print canonically.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import total_ordering
from math import comb
from operator import index
from typing import Final

from sim42.errors import NotationError, RequestError, TileError, at, shown, whole
from sim42.game.dominoes import rows_svg, tiles_svg

TILES: Final = range(28)
SEATS: Final = range(4)
Masks = tuple[int, int, int, int]
"""Mask of tiles of each seat."""
HAND_SIZE: Final = 7
HANDS: Final = comb(28, HAND_SIZE)
"""How many hands there are: 1,184,040 (T3)."""
ALL_TILES: Final = (1 << 28) - 1

ENDS: Final = tuple((high, low) for high in range(7) for low in range(high + 1))
"""(high, low) of each tile id."""
NAMES: Final = tuple(f"{high}-{low}" for high, low in ENDS)
"""Canonical text of each tile id, high end first."""
COUNTS: Final = tuple({5: 5, 10: 10}.get(high + low, 0) for high, low in ENDS)
"""Points of count of each tile id: 10, 5 or 0 (T2)."""
MOST_POINTS: Final = HAND_SIZE + sum(COUNTS)
"""Points of a whole hand, 42: one a trick, and the count (T2)."""

_TILE = re.compile(r"\[?([0-9])\s?[-:|]?\s?([0-9])\]?", re.ASCII)
_SEPARATORS = re.compile(r"[\s,;]+")


def tile_id(high: int, low: int) -> int:
    """Id of the tile with these ends, given in either order.

    >>> tile_id(6, 4), tile_id(4, 6)
    (25, 25)
    """
    high, low = max(high, low), min(high, low)
    return high * (high + 1) // 2 + low


def mask_of(tiles: Iterable[int]) -> int:
    """Mask of these tile ids.

    >>> mask_of([0, 2])
    5
    """
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def tiles_of(mask: int) -> tuple[int, ...]:
    """Tile ids of a mask, lowest first.

    >>> tiles_of(5)
    (0, 2)
    """
    return tuple(tile for tile in TILES if mask >> tile & 1)


def count_of(mask: int) -> int:
    """Points of the count tiles in a mask; all 28 tiles hold 35 (T2).

    >>> count_of(ALL_TILES)
    35
    """
    return sum(COUNTS[tile] for tile in tiles_of(mask))


def parse_tile(text: str) -> int:
    """Id of the tile written ``6-4``, ``4-6``, ``64``, ``6:4``, ``6|4`` or ``[6|4]``.

    Raises
    ------
    NotationError
        When the text is no tile of the double-six set.

    >>> NAMES[parse_tile("4-6")]
    '6-4'
    """
    match = _TILE.fullmatch(text.strip()) if isinstance(text, str) else None
    ends = (int(match[1]), int(match[2])) if match else (7, 7)
    if max(ends) > 6:
        raise NotationError(f"{_quoted(text)}: not a tile; a tile is two ends of 0 to 6, as 6-4")
    return tile_id(*ends)


def tile_of(tile: "int | str") -> int:
    """Id of a tile given by its id or its text.

    Raises
    ------
    NotationError
        When it is neither.

    >>> tile_of("6-4"), tile_of(25)
    (25, 25)
    """
    if isinstance(tile, str):
        return parse_tile(tile)
    try:
        return whole(tile, "tile", TILES[0], TILES[-1])
    except RequestError:
        raise NotationError(f"{shown(tile)}: a tile is text, as 6-4, or an id, 0 to 27") from None


def parse_tiles(text: str) -> tuple[int, ...]:
    """Ids of the tiles in a text, in its order; blanks, commas or semicolons between them.

    Raises
    ------
    NotationError
        When a word is no tile; says which.
    TileError
        When a tile comes twice.

    >>> [NAMES[tile] for tile in parse_tiles("46, 5-5")]
    ['6-4', '5-5']
    """
    tiles: list[int] = []
    for place, word in enumerate(filter(None, _SEPARATORS.split(text.strip())), start=1):
        with at(f"tile {place}"):
            tile = parse_tile(word)
            if tile in tiles:
                raise TileError(f"{_quoted(word)}: {NAMES[tile]} is given twice")
        tiles.append(tile)
    return tuple(tiles)


def format_tiles(mask: int) -> str:
    """Canonical text of a mask: tiles from the highest id down, a blank between.

    >>> format_tiles(mask_of(parse_tiles("5-5 4-6")))
    '6-4 5-5'
    """
    return " ".join(NAMES[tile] for tile in reversed(tiles_of(mask)))


@total_ordering
class Hand:
    """Seven tiles, as one player holds them at the start.

    Parameters
    ----------
    tiles : str, int or Hand
        Text as ``"6-4 5-5 4-2 3-1 2-0 1-1 0-0"`` (also ``"64,55,..."``), or a 28-bit mask.

    Attributes
    ----------
    mask : int
        The tiles as a 28-bit mask.

    Raises
    ------
    NotationError
        When a word of the text is no tile.
    TileError
        When there are not seven different tiles.

    >>> hand = Hand("4-6 55 4-2 3-1 2-0 1-1 0-0")
    >>> str(hand)
    '6-4 5-5 4-2 3-1 2-0 1-1 0-0'
    >>> hand.mask == Hand(hand.mask).mask
    True
    """

    __slots__ = ("mask",)
    mask: int

    def __init__(self, tiles: "str | int | Hand") -> None:
        mask = _mask_from(tiles)
        if mask.bit_count() != HAND_SIZE:
            raise TileError(f"a hand is {HAND_SIZE} different tiles, not {mask.bit_count()}")
        object.__setattr__(self, "mask", mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __reduce__(self) -> "tuple[type[Hand], tuple[int]]":
        return type(self), (self.mask,)

    def __str__(self) -> str:
        return format_tiles(self.mask)

    def __repr__(self) -> str:
        return f"Hand({str(self)!r})"

    def _repr_html_(self) -> str:
        return tiles_svg(ENDS[tile] for tile in self)

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __lt__(self, other: "Hand") -> bool:
        return self.mask < other.mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __iter__(self) -> Iterator[int]:
        """Tile ids, highest first."""
        return reversed(tiles_of(self.mask))

    def __len__(self) -> int:
        return HAND_SIZE

    def __contains__(self, tile: int | str) -> bool:
        """Whether it holds a tile, given by its id or its text."""
        return bool(self.mask >> tile_of(tile) & 1)


class Deal:
    """All 28 tiles dealt to seats 0..3, seven each (T3).

    Parameters
    ----------
    hands : str, Deal, or four of str, int or Hand
        Text with a slash between the seats, ``"6-6 ... / 5-5 ... / ... / ..."``, or the four hands.

    Attributes
    ----------
    masks : tuple of four int
        The hand of each seat as a mask.

    Raises
    ------
    NotationError
        When a word is no tile, or there are not four hands.
    TileError
        When a seat has not seven tiles or two seats hold the same tile.

    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 6-1 6-0 / 5-5 5-4 5-3 5-2 5-1 5-0 4-4 /"
    ...             "4-3 4-2 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> print(deal.hands[3])
    3-0 2-2 2-1 2-0 1-1 1-0 0-0
    >>> Deal(deal.masks) == deal
    True
    """

    __slots__ = ("masks",)
    masks: Masks

    def __init__(self, hands: "str | Deal | Sequence[str | int | Hand]") -> None:
        if isinstance(hands, Deal):
            hands = hands.masks
        try:
            parts = hands.split("/") if isinstance(hands, str) else list(hands)
        except TypeError:
            raise NotationError(f"{shown(hands)}: a deal is text, or four hands") from None
        if len(parts) != 4:
            raise NotationError(f"a deal is four hands with / between them, not {len(parts)}")
        masks: list[int] = []
        for seat, part in enumerate(parts):
            with at(f"seat {seat}"):
                mask = Hand(part).mask
                for other, held in enumerate(masks):
                    if both := held & mask:
                        raise TileError(f"{format_tiles(both)} is held by seat {other} too")
            masks.append(mask)
        object.__setattr__(self, "masks", tuple(masks))

    __setattr__ = Hand.__setattr__
    __delattr__ = Hand.__delattr__

    def __reduce__(self) -> "tuple[type[Deal], tuple[Masks]]":
        return type(self), (self.masks,)

    @property
    def hands(self) -> tuple[Hand, Hand, Hand, Hand]:
        """The hands of seats 0..3."""
        first, second, third, fourth = (Hand(mask) for mask in self.masks)
        return first, second, third, fourth

    def __str__(self) -> str:
        return " / ".join(format_tiles(mask) for mask in self.masks)

    def __repr__(self) -> str:
        return f"Deal({str(self)!r})"

    def _repr_html_(self) -> str:
        rows = [[ENDS[tile] for tile in hand] for hand in self.hands]
        return rows_svg(rows, [f"seat {seat}" for seat in SEATS])

    def __eq__(self, other: object) -> bool:
        return self.masks == other.masks if isinstance(other, Deal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.masks)


def parse_hands(text: str) -> Masks:
    """Masks of four hands of equally many tiles, one to seven, with / between: a deal or an ending.

    Raises
    ------
    NotationError, TileError
        When a word is no tile, or these are not four such hands.

    >>> [format_tiles(mask) for mask in parse_hands("6-6 6-5 / 5-5 5-4 / 0-0 1-0 / 3-3 4-1")]
    ['6-6 6-5', '5-5 5-4', '1-0 0-0', '4-1 3-3']
    """
    parts = text.split("/")
    sizes = [len([word for word in _SEPARATORS.split(part) if word]) for part in parts]
    if len(parts) != 4 or HAND_SIZE in sizes:
        return Deal(text).masks
    if len(set(sizes)) > 1 or not 1 <= sizes[0] < HAND_SIZE:
        given = ", ".join(map(str, sizes))
        raise TileError(f"a deal is four hands of 1 to 7 tiles, the same for all; not {given}")
    masks: list[int] = []
    for seat, part in enumerate(parts):
        with at(f"seat {seat}"):
            mask = mask_of(parse_tiles(part))
            for other, held in enumerate(masks):
                if both := held & mask:
                    raise TileError(f"{format_tiles(both)} is held by seat {other} too")
        masks.append(mask)
    first, second, third, fourth = masks
    return first, second, third, fourth


def _mask_from(tiles: str | int | Hand) -> int:
    if isinstance(tiles, Hand):
        return tiles.mask
    if isinstance(tiles, str):
        if not tiles.strip():
            raise NotationError(
                f"no tiles; a hand is {HAND_SIZE} tiles, as 6-4 5-5 4-2 3-1 2-0 1-1 0-0"
            )
        return mask_of(parse_tiles(tiles))
    try:
        mask = index(tiles)
    except TypeError:
        raise NotationError(f"{shown(tiles)}: tiles are given as text or as a mask") from None
    if not 0 <= mask <= ALL_TILES:
        raise TileError(f"mask {shown(mask)}: a mask of tiles has 28 bits")
    return mask


def _quoted(text: str) -> str:
    """The text in quotes, kept to one short line whatever it holds."""
    return (
        repr(text if len(text) <= 20 else text[:20] + "...")
        if isinstance(text, str)
        else shown(text)
    )
