"""`Game`: one hand of a match, from the shake to the score and the next shaker."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Literal

from sim42.errors import IllegalBid, IllegalPlay, NotationError, RequestError, at, shown, whole
from sim42.game.auction import Auction, first_speaker
from sim42.game.claims import can_claim
from sim42.game.records import Record, Result
from sim42.game.rules import AnyRules, Contract, Rules
from sim42.game.score import Pair, check_ending, check_result, match_winner, result_of, stops
from sim42.game.show import game_html, game_repr, game_text, refusal
from sim42.game.tiles import SEATS, Deal, Masks, tile_of, tiles_of
from sim42.game.tricks import Trick, Tricks
from sim42.game.trumps import Trump

Phase = Literal["bid", "call", "play", "over"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Game:
    """One hand of 42 as it stands, in a match whose score it carries.

    A game never changes: `bid`, `call`, `play` and `claim` return the game after, `undo` the game
    before, and `next_hand` the next hand. So a search, a notebook or an undo can keep any of them
    without copying, and what is legal is always asked of one fixed position.

    Parameters
    ----------
    deal : Deal or str
        The hands of seats 0 to 3.
    shaker : int
        Seat that dealt.
    score : tuple of two int
        Marks or points of seats 0 and 2, and of seats 1 and 3, before this hand.
    rules : Rules, or what `Rules.of` takes
        The tournament's when not given.
    bids, trump, plays, claim
        What has happened, in order; played by the rules one after the other.

    Raises
    ------
    IllegalBid, IllegalPlay
        When a bid, call or play is against the rules; says which, why and what would be legal.
    NotationError, TileError
        When a bid, trump, tile or deal is none.
    RequestError
        When there is no such seat or score.

    >>> from sim42 import Deal
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> game = Game(deal, shaker=3).bid("42").bid("pass").bid("pass").bid("pass").call("sixes")
    >>> game.contract, game.turn, game.can_claim
    (Contract(declarer=0, bid=42), 0, True)
    >>> game.play("6-6").play("4-2").play("6-0").play("0-0").points
    (1, 0)
    >>> game.claim().result
    Result(made=True, points=(42, 0), score=(1, 0))
    """

    deal: Deal
    shaker: int
    score: Pair
    rules: Rules
    auction: Auction
    tricks: Tricks | None
    claimed: bool

    def __init__(
        self,
        deal: Deal | str,
        shaker: int = 0,
        *,
        score: Pair = (0, 0),
        rules: AnyRules = None,
        bids: Iterable[int | str] = (),
        trump: Trump | int | str | None = None,
        plays: Iterable[int | str] = (),
        claim: bool = False,
    ) -> None:
        deal, rules = Deal(deal), Rules.of(rules)
        shaker, score = whole(shaker, "shaker", 0, SEATS[-1]), _checked_score(score, rules)
        _fill(self, deal=deal, shaker=shaker, score=score, rules=rules)
        auction = Auction(shaker, first_speaker(deal, shaker, rules), rules)
        game = _fill(self, auction=auction, tricks=None, claimed=False)
        for place, bid in enumerate(_listed(bids, "bids"), start=1):
            with at(f"bid {place}"):
                game = game.bid(bid)
        if trump is not None:
            with at("trump"):
                game = game.call(trump)
        for place, tile in enumerate(_listed(plays, "plays"), start=1):
            with at(f"play {place}"):
                game = game.play(tile)
        if claim:
            with at("claim"):
                game = game.claim()
        _fill(self, auction=game.auction, tricks=game.tricks, claimed=game.claimed)

    def _after(self, **fields: Any) -> "Game":
        return _fill(copy(self), **fields)

    @property
    def phase(self) -> Phase:
        """What comes next: a bid, a trump ("call"), a tile, or nothing."""
        if not self.auction.is_over:
            return "bid"
        if self.contract is None:
            return "over"
        if self.tricks is None:
            return "call"
        stopped = self.tricks.is_over or stops(self.contract, self.tricks.points, self.rules)
        return "over" if stopped else "play"

    @property
    def turn(self) -> int | None:
        """Seat to bid, call or play; None when the hand is over."""
        phase = self.phase
        if phase == "bid":
            return self.auction.speaker
        if phase == "call" and self.contract:
            return self.contract.declarer
        return self.tricks.turn if phase == "play" and self.tricks else None

    # The auction and the trump: A1 to A5, R1.

    @property
    def bids(self) -> tuple[int, ...]:
        """Bids in the order spoken; 0 is a pass."""
        return self.auction.bids

    @property
    def legal_bids(self) -> tuple[int, ...]:
        """What the seat to speak may bid; 0 is a pass. Empty when the auction is over."""
        return self.auction.legal_bids

    @property
    def contract(self) -> Contract | None:
        """The bid that won the auction; None before its end, and when all passed."""
        return self.auction.contract if self.auction.is_over else None

    def bid(self, bid: int | str) -> "Game":
        """The game after the seat to speak bids: a number or text, 0 or ``"pass"`` for a pass.

        Raises
        ------
        IllegalBid
            Says which rule (A1 to A4), and what would be legal.
        """
        return self._after(auction=self.auction.bid(bid))

    def call(self, trump: Trump | int | str) -> "Game":
        """The game after the declarer calls this trump; any is legal with any hand (R1).

        Raises
        ------
        IllegalBid
            When it is not time to call.
        """
        trump = Trump(trump)
        if self.phase != "call" or self.contract is None:
            raise IllegalBid(refusal(self, "R1", "no trump can be called now"))
        leader = self.contract.declarer
        return self._after(tricks=Tricks(trump, self.rules.doubles, self.deal.masks, leader))

    # The play: R5 to R7, S1.

    @property
    def trump(self) -> Trump | None:
        """The trump called; None before."""
        return self.tricks.trump if self.tricks else None

    @property
    def hands(self) -> Masks:
        """Mask of the tiles that each seat still holds."""
        return self.tricks.hands if self.tricks else self.deal.masks

    @property
    def plays(self) -> tuple[int, ...]:
        """Ids of all tiles played, in order."""
        return self.tricks.plays if self.tricks else ()

    @property
    def done(self) -> tuple[Trick, ...]:
        """The tricks that were played to the end."""
        return self.tricks.done if self.tricks else ()

    @property
    def points(self) -> Pair:
        """Points taken so far by seats 0 and 2, and by seats 1 and 3 (T2)."""
        return self.tricks.points if self.tricks else (0, 0)

    @property
    def legal_plays(self) -> tuple[int, ...]:
        """Ids of the tiles that the seat to play may play. Empty when no tile is to be played."""
        return tiles_of(self.tricks.legal_mask) if self.tricks and self.phase == "play" else ()

    def play(self, tile: int | str) -> "Game":
        """The game after the seat to play plays a tile: an id, or text as ``"6-4"``.

        Raises
        ------
        IllegalPlay
            Says which rule, and what would be legal.
        """
        tile = tile_of(tile)
        if self.phase != "play" or self.tricks is None:
            raise IllegalPlay(refusal(self, "R1", "no tile can be played now"))
        return self._after(tricks=self.tricks.play(tile))

    @property
    def can_claim(self) -> bool:
        """Whether the seat to lead takes every trick left, whatever the others hold and play.

        It knows its own tiles, those played, and what the others showed by not following (R7).
        """
        return (tricks := self._at_a_lead) is not None and can_claim(tricks)

    def claim(self) -> "Game":
        """The game after the seat to lead claims every trick left.

        Raises
        ------
        IllegalPlay
            When it is not certain to win them all, or no seat is to lead.
        """
        if (tricks := self._at_a_lead) is None:
            raise IllegalPlay(refusal(self, "R7", "only a seat that is to lead may claim"))
        if not self.can_claim:
            unsure = f"seat {self.turn} is not certain to win every trick left"
            raise IllegalPlay(refusal(self, "R7", unsure))
        return self._after(tricks=tricks.claimed(), claimed=True)

    @property
    def _at_a_lead(self) -> Tricks | None:
        """The play so far when a seat is to lead now."""
        is_leading = self.phase == "play" and self.tricks and not self.tricks.table
        return self.tricks if is_leading else None

    # The score and the match: S1 to S3, T4.

    @property
    def result(self) -> Result | None:
        """How the hand ended; None before its end, and when all passed."""
        if self.phase != "over" or self.contract is None:
            return None
        return result_of(self.contract, self.points, self.rules)

    @property
    def score_after(self) -> Pair:
        """Score of the match, this hand included once it is over."""
        if (result := self.result) is None:
            return self.score
        return self.score[0] + result.score[0], self.score[1] + result.score[1]

    @property
    def match_winner(self) -> int | None:
        """Side that has won the match with this hand: 0 or 1; None when it goes on (S2, S3)."""
        side = self.contract.side if self.contract else 0
        return match_winner(self.score_after, side, self.rules)

    @property
    def next_shaker(self) -> int:
        """Seat that deals the next hand: the one to the left (T4)."""
        return (self.shaker + 1) % 4

    def next_hand(self, deal: Deal | str) -> "Game":
        """The next hand of the match; when all passed, at the same score (A4).

        Raises
        ------
        RequestError
            When this hand is not over, or the match is.
        """
        if self.phase != "over":
            raise RequestError(refusal(self, "T4", "no next hand yet"))
        if self.match_winner is not None:
            raise RequestError(
                "no next hand: the match is over, {} to {}".format(*self.score_after)
            )
        return Game(deal, self.next_shaker, score=self.score_after, rules=self.rules)

    # The game as a record, and undone.

    @classmethod
    def from_record(cls, record: Record, rules: AnyRules = None) -> "Game":
        """The game that a record tells, checked by the rules.

        A result told of a hand that breaks off is checked too, and is not part of the game.

        Parameters
        ----------
        record : Record
            With a deal and a shaker.
        rules : Rules
            Those of the game when the record names none.

        Raises
        ------
        IllegalBid, IllegalPlay, NotationError, RequestError
            Says at which bid or play the record goes wrong, and why.
        """
        if not isinstance(record, Record):
            raise RequestError(f"{shown(record)}: not a Record; as parse_record gives")
        if record.deal is None:
            raise NotationError("deal: missing; a game needs the four hands")
        if record.shaker is None:
            raise NotationError("shaker: missing; a game needs the seat that dealt, 0 to 3")
        game = cls(
            record.deal,
            record.shaker,
            score=record.score,
            rules=record.rules or rules,
            bids=record.bids,
            trump=record.trump,
            plays=record.plays,
            claim=record.claim,
        )
        if record.result is not None:
            with at("result"):
                if game.phase == "over":
                    check_result(record.result, game.contract, game.points, game.rules)
                else:
                    contracts = {ending for ending in game.auction.endings() if ending}
                    hands = game.deal.masks
                    check_ending(record.result, contracts, hands, game.tricks, game.rules)
        return game

    def record(self) -> Record:
        """The game as a record, with the result when it has one; `from_record` reads it back."""
        return Record(
            deal=self.deal,
            shaker=self.shaker,
            score=self.score,
            rules=self.rules,
            bids=self.bids,
            trump=self.trump,
            plays=self.plays,
            claim=self.claimed,
            result=self.result,
        )

    def undo(self) -> "Game":
        """The game before the last bid, call, play or claim of this hand.

        Raises
        ------
        RequestError
            When nothing has happened yet.
        """
        record = replace(self.record(), claim=False, result=None)
        if self.claimed:
            pass
        elif record.plays:
            record = replace(record, plays=record.plays[:-1])
        elif record.trump is not None:
            record = replace(record, trump=None)
        elif record.bids:
            record = replace(record, bids=record.bids[:-1])
        else:
            raise RequestError("nothing to undo: no one has bid yet")
        return Game.from_record(record)

    def __str__(self) -> str:
        return game_text(self)

    def _repr_html_(self) -> str:
        return game_html(self)

    def __repr__(self) -> str:
        return game_repr(self)


def _checked_score(score: Pair, rules: Rules) -> Pair:
    """The score of both sides as plain ints, none of which has won the match."""
    try:
        first, second = (whole(one, "score", 0, 10**6) for one in score)
    except (TypeError, ValueError):
        first, second = -1, -1
    if first < 0 or match_winner((first, second), 0, rules) is not None:
        raise RequestError(f"score {shown(score)}: not one in a match that still goes on")
    return first, second


def _listed(given: Iterable[int | str], what: str) -> Iterable[int | str]:
    """What was given, if it is a list of some kind and no single text or number."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise RequestError(f"{what} {shown(given)}: give a list, in order")
    return given


def _fill(game: Game, **fields: Any) -> Game:
    """Set fields of a game that no one has seen yet."""
    for name, value in fields.items():
        object.__setattr__(game, name, value)
    return game
