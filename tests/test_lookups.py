"""What each tile leads, follows and beats: R2 to R7, exhaustively against naive, and pinned."""

import hashlib

import naive
import numpy as np
import pytest

from sim42.game.rules import Rules
from sim42.game.suits import suits
from sim42.game.tiles import mask_of
from sim42.game.trumps import Trump
from sim42.solver.lookups import lookups, stacked

CALLS = [
    *((trump, "high") for trump in Trump),
    (Trump.FOLLOW_ME, "low"),
    (Trump.FOLLOW_ME, "own_suit"),
]
DIGESTS = {
    "blanks-high": "0962f4e076dc7e10",
    "ones-high": "a8a5d33448ad8cab",
    "twos-high": "a3c4447f4b46cd24",
    "threes-high": "4cd2d806a6358c35",
    "fours-high": "0d7956866006d3ea",
    "fives-high": "c53c8332377e8cb8",
    "sixes-high": "4438e79d1ed1fee4",
    "doubles-high": "f2fb5c06490d2f2a",
    "follow-me-high": "0d2bda725dd976ef",
    "follow-me-low": "a19f11225a300636",
    "follow-me-own_suit": "5243b5ee47a93135",
}
"""SHA-256 of the four arrays of each call, cut: nothing here may change unnoticed."""

each_call = pytest.mark.parametrize(
    ("trump", "doubles"), CALLS, ids=[f"{trump}-{doubles}" for trump, doubles in CALLS]
)


def ranked(pairs, ranks):
    """Mask of the ranks of naive tiles."""
    return mask_of(int(ranks[naive.TILES.index(pair)]) for pair in pairs)


@each_call
def test_every_tile_has_a_rank(trump, doubles):
    assert sorted(lookups(trump, doubles).ranks) == list(range(28))


@each_call
def test_R5_R6_follows(trump, doubles):
    arrays = lookups(trump, doubles)
    for tile, led in enumerate(naive.TILES):
        suit = naive.suit_led(led, trump, doubles)
        followers = [pair for pair in naive.TILES if naive.follows(pair, suit, trump, doubles)]
        assert arrays.follows[arrays.ranks[tile]] == ranked(followers, arrays.ranks)


@each_call
def test_R7_wins(trump, doubles):
    """Of what can win, each tile beats those of lower rank, and nothing else does."""
    arrays = lookups(trump, doubles)
    trumps = [] if trump == Trump.FOLLOW_ME else naive.suit_order("trumps", trump, doubles)
    for tile, led in enumerate(naive.TILES):
        suit = naive.suit_led(led, trump, doubles)
        order = [] if suit == "trumps" else naive.suit_order(suit, trump, doubles)
        strongest_first = [arrays.ranks[naive.TILES.index(pair)] for pair in [*trumps, *order]]
        assert strongest_first == sorted(strongest_first, reverse=True)
        assert arrays.wins[arrays.ranks[tile]] == ranked([*trumps, *order], arrays.ranks)


@each_call
def test_T2_groups(trump, doubles):
    arrays = lookups(trump, doubles)
    trumps = [pair for pair in naive.TILES if naive.is_trump(pair, trump)]
    count = [pair for pair in naive.TILES if naive.worth(pair)]
    tens = [pair for pair in naive.TILES if naive.worth(pair) == 10]
    assert arrays.groups.tolist() == [ranked(g, arrays.ranks) for g in (trumps, count, tens)]


@pytest.mark.parametrize("trump", [trump for trump in Trump if trump != Trump.FOLLOW_ME], ids=str)
def test_R4_doubles_matter_in_follow_me_alone(trump):
    assert suits(trump, "low") == suits(trump, "own_suit") == suits(trump)


@each_call
def test_arrays_are_read_only_contiguous_and_pinned(trump, doubles):
    arrays = lookups(trump, doubles)
    assert [array.shape for array in arrays] == [(28,), (28,), (28,), (3,)]
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
