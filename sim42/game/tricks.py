"""Playing the tiles: what may be played, who wins a trick, what it is worth (R5 to R7, T2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sim42.errors import IllegalPlay
from sim42.game.rules import Doubles
from sim42.game.suits import TRUMP_SUIT, suits
from sim42.game.tiles import (
    MOST_POINTS,
    NAMES,
    SEATS,
    Masks,
    count_of,
    format_tiles,
    mask_of,
    tile_of,
)
from sim42.game.trumps import Trump


class Trick(NamedTuple):
    """A trick that was played.

    Attributes
    ----------
    leader : int
        Seat that led; the tiles are in the order played, clockwise from there.
    tiles : tuple of four int
        Tile ids.
    winner : int
        Seat that won it.
    points : int
        One, and the count in it (T2).
    """

    leader: int
    tiles: tuple[int, ...]
    winner: int
    points: int

    def seat_of(self, place: int) -> int:
        """Seat that played tile number `place` of the trick, from 0."""
        return (self.leader + place) % 4


def winning_place(tiles: tuple[int, ...], trump: Trump, doubles: Doubles = "high") -> int:
    """Place in the trick of the tile that wins it (R7).

    >>> from sim42.game.tiles import parse_tiles
    >>> winning_place(parse_tiles("6-6 6-5 3-1 6-0"), Trump.THREES)
    2
    """
    table = suits(trump, doubles)
    beats = table.beats[table.leads[tiles[0]]]
    best = 0
    for place in range(1, len(tiles)):
        if beats[tiles[best]] >> tiles[place] & 1:
            best = place
    return best


@dataclass(frozen=True, slots=True)
class Tricks:
    """The play of one hand so far.

    Attributes
    ----------
    hands : tuple of four int
        Mask of the tiles that each seat still holds.
    leader : int
        Seat that leads, or led, the trick on the table.
    table : tuple of int
        Tiles of that trick, in the order played; fewer than four.
    done : tuple of Trick
        The tricks before it.
    points : tuple of two int
        Points taken by seats 0 and 2, and by seats 1 and 3.
    """

    trump: Trump
    doubles: Doubles
    hands: Masks
    leader: int
    table: tuple[int, ...] = ()
    done: tuple[Trick, ...] = ()
    points: tuple[int, int] = (0, 0)

    @property
    def turn(self) -> int:
        """Seat to play."""
        return (self.leader + len(self.table)) % 4

    @property
    def is_over(self) -> bool:
        """All tiles are played."""
        return not any(self.hands)

    @property
    def plays(self) -> tuple[int, ...]:
        """All tiles played, in order."""
        return tuple(tile for trick in self.done for tile in trick.tiles) + self.table

    @property
    def voids(self) -> Masks:
        """Tiles that each seat has shown not to hold, by not following (R6)."""
        table = suits(self.trump, self.doubles)
        voids = [0, 0, 0, 0]
        for leader, tiles in [*((t.leader, t.tiles) for t in self.done), (self.leader, self.table)]:
            for place, tile in enumerate(tiles):
                follows = table.follows[table.leads[tiles[0]]]
                if not follows >> tile & 1:
                    voids[(leader + place) % 4] |= follows
        return voids[0], voids[1], voids[2], voids[3]

    @property
    def legal_mask(self) -> int:
        """Tiles that the seat to play may play: those that follow, else any (R6)."""
        hand = self.hands[self.turn]
        if not self.table:
            return hand
        table = suits(self.trump, self.doubles)
        return hand & table.follows[table.leads[self.table[0]]] or hand

    def play(self, tile: int | str) -> "Tricks":
        """The play after the seat to play plays this tile, an id or text.

        Raises
        ------
        IllegalPlay
            Says which rule, and what would be legal.
        """
        tile = tile_of(tile)
        if not self.legal_mask >> tile & 1:
            raise IllegalPlay(f"{self._why_not(tile)}; legal: {format_tiles(self.legal_mask)}")
        left = list(self.hands)
        left[self.turn] ^= 1 << tile
        hands: Masks = (left[0], left[1], left[2], left[3])
        tiles = (*self.table, tile)
        if len(tiles) < 4:
            return Tricks(
                self.trump, self.doubles, hands, self.leader, tiles, self.done, self.points
            )
        winner = (self.leader + winning_place(tiles, self.trump, self.doubles)) % 4
        trick = Trick(self.leader, tiles, winner, 1 + count_of(mask_of(tiles)))
        points = added(self.points, winner % 2, trick.points)
        return Tricks(self.trump, self.doubles, hands, winner, (), (*self.done, trick), points)

    def claimed(self) -> "Tricks":
        """The play after all that is left goes to the side that leads."""
        left = MOST_POINTS - sum(self.points)
        points = added(self.points, self.leader % 2, left)
        return Tricks(self.trump, self.doubles, (0, 0, 0, 0), self.leader, (), self.done, points)

    def _why_not(self, tile: int) -> str:
        if not self.hands[self.turn] >> tile & 1:
            if tile in self.plays:
                return f"T1: {NAMES[tile]} is played already; seat {self.turn} is to play"
            holder = next(seat for seat in SEATS if self.hands[seat] >> tile & 1)
            return f"T3: seat {self.turn} is to play, and {NAMES[tile]} is in seat {holder}'s hand"
        led = suits(self.trump, self.doubles).leads[self.table[0]]
        return (
            f"R6: {NAMES[self.table[0]]} led {suit_name(led, self.trump)};"
            f" seat {self.turn} must follow, and {NAMES[tile]} does not"
        )


def played_by(done: Iterable[Trick], leader: int, table: tuple[int, ...]) -> Masks:
    """Mask of the tiles that each seat has played, in finished tricks and in the one on the table.

    >>> played_by([Trick(leader=2, tiles=(27, 26, 25, 24), winner=2, points=11)], 2, (20,))
    (33554432, 16777216, 135266304, 67108864)
    """
    played = [0, 0, 0, 0]
    for first, tiles in [*((trick.leader, trick.tiles) for trick in done), (leader, table)]:
        for place, tile in enumerate(tiles):
            played[(first + place) % 4] |= 1 << tile
    return played[0], played[1], played[2], played[3]


def added(pair: tuple[int, int], side: int, amount: int) -> tuple[int, int]:
    """A pair of both sides' points with `amount` more for one side."""
    return (pair[0] + amount, pair[1]) if side == 0 else (pair[0], pair[1] + amount)


def suit_name(suit: int, trump: Trump) -> str:
    """Name of a suit: that of its pip, or of the trumps.

    >>> suit_name(6, Trump.FIVES), suit_name(7, Trump.FIVES)
    ('sixes', 'trumps')
    """
    if suit != TRUMP_SUIT:
        return str(Trump(suit))
    return "doubles" if trump == Trump.FOLLOW_ME else "trumps"
