"""What a condition can ask about the tiles of a seat: each function once, with what it means."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sim42.errors import NotationError
from sim42.game.suits import TRUMP_SUIT, suits
from sim42.game.tiles import COUNTS, ENDS, NAMES, TILES, parse_tile, tiles_of
from sim42.game.trumps import Trump

TileWeights = tuple[int, ...]
"""What each of the 28 tiles counts for."""

BID_CHANCE: Final = 50
"""Per cent of the deals in which a seat must make a bid, for it to be taken to make that bid."""
BID_DEALS: Final = 20
"""Deals from which the chance of a seat's bid is estimated when nothing else is said."""


@dataclass(frozen=True)
class Function:
    """A function of a seat's tiles.

    Attributes
    ----------
    name : str
        As it is written.
    takes : tuple of str
        Kinds of what follows the seat, of `KINDS`; those that may be left out have `defaults`.
    meaning : str
        One sentence.
    most : int
        Its greatest value; the least is 0.
    truth : bool
        Whether it is true or false rather than a number.
    defaults : tuple of int
        Values of the last arguments when they are left out.
    weights : callable, optional
        Where the function is a sum over the tiles: from the arguments to what each tile adds.
    """

    name: str
    takes: tuple[str, ...]
    meaning: str
    most: int
    truth: bool = False
    defaults: tuple[int, ...] = ()
    weights: Callable[..., TileWeights] | None = None


def _where(*tiles: int) -> TileWeights:
    return tuple(int(tile in tiles) for tile in TILES)


_DOUBLES: Final = _where(*(tile for tile in TILES if ENDS[tile][0] == ENDS[tile][1]))
_COUNTERS: Final = _where(*(tile for tile in TILES if COUNTS[tile]))


def trump_mask(trump: int) -> int:
    """Mask of the trumps of a call; follow me has none.

    >>> from sim42.game.tiles import format_tiles
    >>> format_tiles(trump_mask(Trump.ONES))
    '6-1 5-1 4-1 3-1 2-1 1-1 1-0'
    """
    return 0 if trump == Trump.FOLLOW_ME else suits(Trump(trump)).follows[TRUMP_SUIT]


def _trump_weights(trump: int) -> TileWeights:
    return _where(*tiles_of(trump_mask(trump)))


def _suit_weights(pip: int) -> TileWeights:
    return _where(*(tile for tile in TILES if pip in ENDS[tile]))


FUNCTIONS: Final = {
    function.name: function
    for function in (
        Function("has", ("tile",), "the seat holds this tile", 1, True, weights=_where),
        Function("doubles", (), "doubles the seat holds", 7, weights=lambda: _DOUBLES),
        Function(
            "suit", ("suit",), "tiles with this pip, its double too", 7, weights=_suit_weights
        ),
        Function("trumps", ("trump",), "tiles of the trump suit", 7, weights=_trump_weights),
        Function(
            "top",
            ("trump",),
            "rank of the seat's highest trump: 7 for the highest there is, 1 for the lowest,"
            " 0 when it holds none",
            7,
        ),
        Function(
            "count", (), "points of the count tiles the seat holds", 35, weights=lambda: COUNTS
        ),
        Function("counters", (), "count tiles the seat holds", 5, weights=lambda: _COUNTERS),
        Function("longest", (), "tiles of the pip of which the seat holds most", 7),
        Function("voids", (), "pips that are on no tile of the seat, whatever is trump", 7),
        Function(
            "bids",
            ("bid", "chance", "deals"),
            "with its best trump the seat itself would make this bid in so many per cent of so many"
            f" random deals around its hand, double dummy; {BID_CHANCE} and {BID_DEALS} when not"
            " given",
            1,
            truth=True,
            defaults=(BID_CHANCE, BID_DEALS),
        ),
    )
}
"""Every function by its name."""
OTHER_NAMES: Final = {"points": "count"}
"""Other words for functions."""


def _read_suit(text: str) -> int:
    suit = Trump(text)
    if suit > Trump.SIXES:
        raise NotationError(f"{text!r}: not a suit of pips; one of blanks, ones, ... sixes")
    return int(suit)


def _read_trump(text: str) -> int:
    return int(Trump(text))


def _number_reader(name: str, least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
            raise NotationError(f"{text!r}: {name} is a whole number from {least} to {most}")
        return int(text)

    return read


KINDS: Final[dict[str, tuple[Callable[[str], int], Callable[[int], str]]]] = {
    "tile": (parse_tile, lambda tile: NAMES[tile]),
    "suit": (_read_suit, lambda suit: str(Trump(suit))),
    "trump": (_read_trump, lambda trump: str(Trump(trump))),
    "bid": (_number_reader("a bid here", 30, 42), str),
    "chance": (_number_reader("a chance in per cent", 1, 100), str),
    "deals": (_number_reader("a number of deals", 1, 1000), str),
}
"""How each kind of argument is read and written."""


def argument_texts(name: str, arguments: Sequence[int]) -> list[str]:
    """The arguments after the seat as text.

    >>> argument_texts("has", [27])
    ['6-6']
    """
    kinds = FUNCTIONS[name].takes
    return [KINDS[kind][1](value) for kind, value in zip(kinds, arguments, strict=True)]


def signature(function: Function) -> str:
    """How a function is written.

    >>> signature(FUNCTIONS["suit"])
    'suit(SEAT, SUIT)'
    """
    return f"{function.name}({', '.join(['SEAT', *map(str.upper, function.takes)])})"
