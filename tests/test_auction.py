"""The auction by the rule book: A1 to A5."""

import json
from pathlib import Path

import naive
import pytest

from sim42.errors import IllegalBid
from sim42.game.auction import Auction, first_speaker
from sim42.game.rules import LADDER, PASS, Contract, Rules
from sim42.game.tiles import Deal

COUNTS = json.loads((Path(__file__).parent / "data" / "hand_counts.json").read_text())
DEAL = Deal(
    "6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
)


def auction(*bids, shaker=3, first=0, **options):
    state = Auction(shaker, first, Rules(**options))
    for bid in bids:
        state = state.bid(bid)
    return state


def as_naive(bid):
    """A bid as tests/naive.py says it."""
    if bid == PASS:
        return "pass"
    return bid if bid < 42 else (bid // 42, "marks")


def complete(state):
    """Number of complete auctions from here; what is legal is compared with naive on the way."""
    if state.is_over:
        return 1
    said = [as_naive(bid) for bid in state.bids]
    assert list(state.legal_bids) == [
        bid for bid in (PASS, *LADDER) if naive.may_bid(as_naive(bid), said, state.rules.max_marks)
    ]
    return sum(complete(state.bid(bid)) for bid in state.legal_bids)


def test_A1_left_of_the_shaker_speaks_first_and_the_shaker_last():
    for shaker in range(4):
        first = first_speaker(DEAL, shaker, Rules())
        assert first == (shaker + 1) % 4
        state = Auction(shaker, first, Rules())
        speakers = []
        while not state.is_over:
            speakers.append(state.speaker)
            state = state.bid(PASS)
        assert speakers == [(shaker + n) % 4 for n in (1, 2, 3, 4)]
        assert state.speaker is None


def test_A1_holder_of_1_0_speaks_first():
    rules = Rules(first_bidder="holder_of_1_0")
    assert [first_speaker(DEAL, shaker, rules) for shaker in range(4)] == [3, 3, 3, 3]


def test_A1_bids_rise():
    state = auction(32)
    assert state.legal_bids == (PASS, *range(33, 42), 42, 84)
    with pytest.raises(IllegalBid, match=r"A1: 32 is not above 32; legal: pass, 33 to 41, 42, 84$"):
        state.bid(32)


def test_A1_each_seat_speaks_once():
    with pytest.raises(IllegalBid, match=r"^A1: the auction is over, each seat speaks once$"):
        auction(30, PASS, PASS, PASS, 31)


def test_A2_ladder():
    assert auction().legal_bids == (PASS, *range(30, 42), 42, 84)
    for bid in (29, 43, 83, 252, -1):
        with pytest.raises(IllegalBid, match=f"A2: {bid} is not on the ladder of bids; legal: "):
            auction().bid(bid)


def test_A3_one_mark_or_two_first_and_then_one_more():
    assert auction(41).legal_bids == (PASS, 42, 84)
    assert auction(42).legal_bids == (PASS, 84)
    assert auction(84).legal_bids == (PASS, 126)
    assert auction(84, 126, 168).legal_bids == (PASS, 210)
    with pytest.raises(IllegalBid, match=r"A3: 126 jumps a mark; legal: pass, 84$"):
        auction(42, 126)
    with pytest.raises(IllegalBid, match="A3: 126 jumps a mark; legal: pass, 30 to 41, 42, 84"):
        auction(126)


def test_A3_house_limit():
    assert auction(41, max_marks=1).legal_bids == (PASS, 42)
    assert auction(84, max_marks=2).legal_bids == (PASS,)
    with pytest.raises(IllegalBid, match=r"A3: 126 is above the limit, 84; legal: pass$"):
        auction(84, 126, max_marks=2)


@pytest.mark.parametrize("max_marks", range(1, 7))
def test_A3_complete_auctions_by_ceiling(max_marks):
    expected = COUNTS["auctions_by_mark_ceiling_1_to_6"][max_marks - 1]
    assert complete(auction(max_marks=max_marks)) == expected
    assert naive.auctions(max_marks) == expected


def test_A4_all_pass_redeal():
    state = auction(PASS, PASS, PASS, PASS)
    assert state.is_over
    assert state.contract is None


def test_A4_all_pass_dealer_30():
    state = auction(PASS, PASS, PASS, all_pass="dealer_30")
    assert state.legal_bids == (*range(30, 42), 42, 84)
    with pytest.raises(
        IllegalBid, match="A4: the others passed, so seat 3, the shaker, must bid; legal: 30 to 41"
    ):
        state.bid(PASS)
    assert state.bid(30).contract == Contract(3, 30)
    assert PASS in auction(PASS, PASS, 30, all_pass="dealer_30").legal_bids


def test_A4_the_shaker_must_bid_although_another_speaks_last():
    state = auction(PASS, PASS, PASS, PASS, shaker=1, first=3, all_pass="dealer_30")
    assert not state.is_over
    assert state.speaker == 1
    assert PASS not in state.legal_bids
    assert state.bid(30).contract == Contract(1, 30)
    assert state.bid(30).is_over
    assert auction(PASS, PASS, 30, PASS, shaker=1, first=3, all_pass="dealer_30").is_over


def test_A3_endings_are_the_contracts_an_auction_can_still_come_to():
    assert set(auction(84, 126, shaker=3, first=0).endings()) == {
        Contract(1, 126),
        Contract(2, 168),
        Contract(3, 168),
        Contract(3, 210),
    }
    assert list(auction(PASS, PASS, PASS, PASS).endings()) == [None]
    assert len(list(auction().endings())) == COUNTS["auctions_by_mark_ceiling_1_to_6"][4]


def test_A5_the_highest_bid_is_the_contract():
    assert auction(30, PASS, 84, 126).contract == Contract(3, 126)
    assert auction(PASS, 31, PASS, PASS, shaker=1, first=2).contract == Contract(3, 31)
