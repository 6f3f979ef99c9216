"""What one seat knows of a hand in play: its own tiles, and what everyone has heard and seen.

A view holds no tile of another hand, so nothing that is given one can look. Who did not follow has
shown a void: the tiles that would have followed (R6) are with somebody else.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sim42.errors import RequestError
from sim42.game.rules import Contract, Doubles
from sim42.game.suits import suits
from sim42.game.tiles import ALL_TILES, HAND_SIZE, SEATS, Masks, mask_of
from sim42.game.tricks import Trick, Tricks
from sim42.game.trumps import Trump


@dataclass(frozen=True, slots=True)
class View:
    """A hand in play as the seat to play sees it.

    Attributes
    ----------
    seat : int
        Whose view it is.
    hand : int
        Mask of the tiles that it holds.
    contract : Contract
        Who declares, and what was bid.
    bids : tuple of (int, int)
        Seat and bid of everyone who spoke, in order; 0 is a pass.
    trump, doubles
        The trump, and the place of the doubles in follow me (R4).
    leader : int
        Seat that led the trick on the table, or is to lead.
    table : tuple of int
        Tiles of that trick, in the order played.
    done : tuple of Trick
        The tricks before it.
    points : tuple of two int
        Points taken by seats 0 and 2, and by seats 1 and 3.
    may_hold : tuple of four int
        For each seat, the mask of the tiles that it may still hold; its own hand for `seat`.
    sizes : tuple of four int
        Tiles that each seat holds.
    """

    seat: int
    hand: int
    contract: Contract
    bids: tuple[tuple[int, int], ...]
    trump: Trump
    doubles: Doubles
    leader: int
    table: tuple[int, ...]
    done: tuple[Trick, ...]
    points: tuple[int, int]
    may_hold: Masks
    sizes: Masks

    @property
    def unseen(self) -> int:
        """Mask of the tiles that other seats hold."""
        played = mask_of(self.table) | mask_of(tile for trick in self.done for tile in trick.tiles)
        return ALL_TILES & ~(played | self.hand)

    @property
    def side(self) -> int:
        """Side of the seat: 0 for seats 0 and 2, 1 for seats 1 and 3 (T3)."""
        return self.seat % 2

    @property
    def declares(self) -> bool:
        """The seat or its partner declared."""
        return self.side == self.contract.side

    @property
    def led(self) -> int | None:
        """Suit of the trick on the table; None for who is to lead."""
        return suits(self.trump, self.doubles).leads[self.table[0]] if self.table else None

    @property
    def legal_mask(self) -> int:
        """Tiles that the seat may play: those that follow, else any (R6)."""
        if self.led is None:
            return self.hand
        return self.hand & suits(self.trump, self.doubles).follows[self.led] or self.hand


def view_of(tricks: Tricks, contract: Contract, bids: Iterable[tuple[int, int]] = ()) -> View:
    """What the seat to play knows.

    Parameters
    ----------
    tricks : Tricks
        The play so far, not over.
    contract : Contract
        Who declares, and what was bid.
    bids : iterable of (int, int)
        Seat and bid of everyone who spoke.

    Raises
    ------
    RequestError
        When all tiles are played: nobody is to play.

    >>> from sim42 import Deal
    >>> from sim42.game.tiles import format_tiles, parse_tile
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> start = Tricks(Trump.SIXES, "high", deal.masks, leader=0)
    >>> after = start.play(parse_tile("6-6")).play(parse_tile("4-2"))
    >>> view = view_of(after, Contract(declarer=0, bid=30))
    >>> view.seat, format_tiles(view.legal_mask)
    (2, '6-1 6-0')
    >>> format_tiles(view.may_hold[1] & view.unseen)  # seat 1 has no six
    '5-5 5-4 5-3 5-2 5-1 5-0 4-4 4-3 3-0 2-2 2-1 2-0 1-1 1-0 0-0'
    """
    if tricks.is_over:
        raise RequestError("no view of a hand that is over: nobody is to play")
    seat = tricks.turn
    hand = tricks.hands[seat]
    unseen = ALL_TILES & ~(mask_of(tricks.plays) | hand)
    may_hold = [unseen & ~shown for shown in tricks.voids]
    may_hold[seat] = hand
    sizes = [
        HAND_SIZE - len(tricks.done) - ((other - tricks.leader) % 4 < len(tricks.table))
        for other in SEATS
    ]
    return View(
        seat,
        hand,
        contract,
        tuple(bids),
        tricks.trump,
        tricks.doubles,
        tricks.leader,
        tricks.table,
        tricks.done,
        tricks.points,
        (may_hold[0], may_hold[1], may_hold[2], may_hold[3]),
        (sizes[0], sizes[1], sizes[2], sizes[3]),
    )
