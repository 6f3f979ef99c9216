"""What each tile leads, follows and beats: R2 to R6, exhaustively against naive, and pinned."""

import hashlib

import naive
import numpy as np
import pytest

from sim42.game.rules import Rules
from sim42.game.suits import SUITS, suits
from sim42.game.tiles import mask_of
from sim42.game.trumps import Trump
from sim42.solver.lookups import lookups, stacked

CALLS = [
    *((trump, "high") for trump in Trump),
    (Trump.FOLLOW_ME, "low"),
    (Trump.FOLLOW_ME, "own_suit"),
]
DIGESTS = {
    "blanks-high": "f18f7224bf301c0e",
    "ones-high": "14b6b5987706c155",
    "twos-high": "da89be39cae03593",
    "threes-high": "fe3a112edb304994",
    "fours-high": "6f223a360487588e",
    "fives-high": "7d593a4e01a40530",
    "sixes-high": "d200fcf16c9e9ac8",
    "doubles-high": "8d9d6b793274bee2",
    "follow-me-high": "4e073299a4889748",
    "follow-me-low": "fbc43b8b67988834",
    "follow-me-own_suit": "4503c1940914a615",
}
"""SHA-256 of the three arrays of each call, cut: nothing here may change unnoticed."""

each_call = pytest.mark.parametrize(
    ("trump", "doubles"), CALLS, ids=[f"{trump}-{doubles}" for trump, doubles in CALLS]
)


def names_of(trump):
    """How naive calls each suit."""
    return [*range(7), "doubles" if trump == Trump.FOLLOW_ME else "trumps"]


def strongest_first(trump, doubles, suit):
    """Every tile that can win once a suit is led, by naive."""
    trumps = [] if trump == Trump.FOLLOW_ME else naive.suit_order("trumps", trump, doubles)
    if suit == "trumps" or (suit == "doubles" and doubles != "own_suit"):
        return trumps
    return [*trumps, *naive.suit_order(suit, trump, doubles)]


@each_call
def test_R5_leads(trump, doubles):
    names = names_of(trump)
    leads = lookups(trump, doubles).leads
    for tile, pair in enumerate(naive.TILES):
        assert names[leads[tile]] == naive.suit_led(pair, trump, doubles)


@each_call
def test_R6_follows(trump, doubles):
    names = names_of(trump)
    follows = lookups(trump, doubles).follows
    for suit in SUITS:
        followers = [
            tile
            for tile, pair in enumerate(naive.TILES)
            if naive.follows(pair, names[suit], trump, doubles)
        ]
        assert follows[suit] == mask_of(followers)


@each_call
def test_R7_beats(trump, doubles):
    names = names_of(trump)
    beats = lookups(trump, doubles).beats
    for suit in SUITS:
        ranked = strongest_first(trump, doubles, names[suit])
        for tile, pair in enumerate(naive.TILES):
            above = ranked[: ranked.index(pair)] if pair in ranked else ranked
            assert beats[suit, tile] == mask_of(map(naive.TILES.index, above))


@pytest.mark.parametrize("trump", [trump for trump in Trump if trump != Trump.FOLLOW_ME], ids=str)
def test_R4_doubles_matter_in_follow_me_alone(trump):
    assert suits(trump, "low") == suits(trump, "own_suit") == suits(trump)


@each_call
def test_arrays_are_read_only_contiguous_and_pinned(trump, doubles):
    arrays = lookups(trump, doubles)
    assert [array.shape for array in arrays] == [(28,), (8,), (8, 28)]
    digest = hashlib.sha256()
    for array in arrays:
        assert array.dtype == np.int64
        assert array.flags.c_contiguous
        assert not array.flags.writeable
        digest.update(array.astype("<i8").tobytes())
    assert digest.hexdigest()[:16] == DIGESTS[f"{trump}-{doubles}"]


@pytest.mark.parametrize("doubles", ["high", "low", "own_suit"])
def test_stacked_is_a_row_a_trump(doubles):
    trumps = [Trump.FOLLOW_ME, Trump.FIVES, Trump.DOUBLES]
    arrays = stacked(trumps, Rules(doubles=doubles))
    for row, trump in enumerate(trumps):
        for stack, array in zip(arrays, lookups(trump, doubles), strict=True):
            assert (stack[row] == array).all()
            assert stack.flags.c_contiguous
            assert not stack.flags.writeable
    assert all(
        (one == other).all()
        for one, other in zip(stacked(trumps), stacked(trumps, Rules()), strict=True)
    )
