"""The auction: who speaks, what may be said, and the contract it ends in (A1 to A5)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sim42.errors import IllegalBid
from sim42.game.records import bid_of, format_bid
from sim42.game.rules import LADDER, MARK, MARK_BIDS, PASS, POINT_BIDS, Contract, Rules
from sim42.game.tiles import SEATS, Deal, tile_id


def first_speaker(deal: Deal, shaker: int, rules: Rules) -> int:
    """Seat that speaks first: left of the shaker, or the holder of the 1-0 (A1)."""
    if rules.first_bidder == "holder_of_1_0":
        return next(seat for seat in SEATS if deal.masks[seat] >> tile_id(1, 0) & 1)
    return (shaker + 1) % 4


@dataclass(frozen=True)
class Auction:
    """The bids of one hand so far, in the order spoken.

    >>> auction = Auction(shaker=3, first=0, rules=Rules()).bid(31).bid(PASS).bid(84).bid(PASS)
    >>> auction.is_over, auction.contract
    (True, Contract(declarer=2, bid=84))
    """

    shaker: int
    first: int
    rules: Rules
    bids: tuple[int, ...] = ()

    @property
    def high(self) -> int:
        """The highest bid so far; `PASS` when there is none."""
        return max(self.bids, default=PASS)

    @property
    def is_over(self) -> bool:
        """Each seat has spoken; with `dealer_30` the shaker, too, who has to bid (A1, A4)."""
        return len(self.bids) >= 4 and not self.shaker_must_bid

    @property
    def shaker_must_bid(self) -> bool:
        """All the others passed, and the rules then bind the shaker (A4).

        Who speaks first by holding the 1-0 may leave the shaker passing before the last seat does;
        the shaker is then asked once more.
        """
        return (
            self.rules.all_pass == "dealer_30"
            and self.high == PASS
            and (len(self.bids) == 4 or (len(self.bids) == 3 and self.seat_of(3) == self.shaker))
        )

    @property
    def speaker(self) -> int | None:
        """Seat to speak; None when the auction is over."""
        return None if self.is_over else self.seat_of(len(self.bids))

    def seat_of(self, place: int) -> int:
        """Seat that speaks bid number `place`, from 0; clockwise from the first (A1)."""
        return self.shaker if place == 4 else (self.first + place) % 4

    @property
    def legal_bids(self) -> tuple[int, ...]:
        """What the speaker may say, a pass first (A1 to A4)."""
        if self.is_over:
            return ()
        passing = () if self.shaker_must_bid else (PASS,)
        points = tuple(bid for bid in POINT_BIDS if bid > self.high)
        limit = MARK * self.rules.max_marks
        return passing + points + tuple(bid for bid in self._mark_bids if bid <= limit)

    @property
    def _mark_bids(self) -> tuple[int, ...]:
        """Open with one mark or two; from one mark on, a raise is one mark (A3)."""
        if self.high < MARK:
            return MARK_BIDS[:2]
        return tuple(bid for bid in MARK_BIDS if bid == self.high + MARK)

    @property
    def contract(self) -> Contract | None:
        """The highest bid and who made it; None while there is no bid."""
        if self.high == PASS:
            return None
        return Contract(self.seat_of(self.bids.index(self.high)), self.high)

    def endings(self) -> Iterator[Contract | None]:
        """The contract of every way in which the auction can go on; None when all pass."""
        if self.is_over:
            yield self.contract
        for bid in self.legal_bids:
            yield from self.bid(bid).endings()

    def bid(self, bid: int | str) -> "Auction":
        """The auction after the speaker bids or passes, by the number or the text of a bid.

        Raises
        ------
        IllegalBid
            Says which rule, and what would be legal.
        """
        bid = bid_of(bid)
        if self.is_over:
            raise IllegalBid("A1: the auction is over, each seat speaks once")
        if bid not in self.legal_bids:
            raise IllegalBid(f"{self._why_not(bid)}; legal: {listed(self.legal_bids)}")
        return replace(self, bids=(*self.bids, bid))

    def _why_not(self, bid: int) -> str:
        if bid == PASS:
            return f"A4: the others passed, so seat {self.shaker}, the shaker, must bid"
        if bid not in LADDER:
            return f"A2: {bid} is not on the ladder of bids"
        if bid <= self.high:
            return f"A1: {bid} is not above {self.high}"
        if bid > MARK * self.rules.max_marks:
            return f"A3: {bid} is above the limit, {MARK * self.rules.max_marks}"
        return f"A3: {bid} jumps a mark"


def listed(bids: tuple[int, ...]) -> str:
    """Bids as text, the points among them as a range."""
    points = [str(bid) for bid in bids if bid in POINT_BIDS]
    if len(points) > 2:
        points = [f"{points[0]} to {points[-1]}"]
    others = [format_bid(bid) for bid in bids if bid not in POINT_BIDS]
    passing = 1 if PASS in bids else 0
    return ", ".join(others[:passing] + points + others[passing:])
