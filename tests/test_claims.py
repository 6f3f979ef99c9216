"""Claims: a leader is said to win every trick left exactly when no layout and no play stops it."""

import random

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_lookups import CALLS

from sim42.game.claims import takes_every_trick
from sim42.game.suits import suits
from sim42.game.tiles import ALL_TILES, TILES, Hand, mask_of, parse_tiles
from sim42.game.trumps import Trump


def agree(hand, unseen, trump, doubles):
    found = takes_every_trick(mask_of(hand), mask_of(unseen), trump, doubles)
    hand, unseen = ([naive.TILES[tile] for tile in tiles] for tiles in (hand, unseen))
    assert naive.claim_is_good(hand, unseen, trump, doubles) == found
    return found


def strong_positions(tricks, number, seed):
    """Random endings in which the leader holds tiles that few others beat."""
    rng = random.Random(seed)
    for _ in range(number):
        trump, doubles = rng.choice(CALLS)
        table = suits(trump, doubles)
        tiles = rng.sample(TILES, 4 * tricks)
        mask = mask_of(tiles)
        tiles.sort(
            key=lambda tile: (
                (table.beats[table.leads[tile]][tile] & mask).bit_count() + 2 * rng.random()
            )
        )
        yield tiles[:tricks], tiles[tricks:], trump, doubles


@given(tiles=st.permutations(TILES), call=st.sampled_from(CALLS), tricks=st.integers(1, 2))
def test_claims_of_any_hand_against_naive(tiles, call, tricks):
    agree(tiles[:tricks], tiles[tricks : 4 * tricks], *call)


@pytest.mark.parametrize(("tricks", "number"), [(1, 300), (2, 80), (3, 2)])
def test_claims_of_strong_hands_against_naive(tricks, number):
    found = [agree(*position) for position in strong_positions(tricks, number, seed=tricks)]
    assert True in found


@pytest.mark.parametrize(
    ("trump", "hand", "unseen", "certain"),
    [
        # One trump is out: the higher one draws it, and the six is good.
        ("fives", "5-5 6-6", "5-4 0-0 1-0 1-1 2-0 2-1", True),
        # Two are out and may lie together.
        ("fives", "5-5 6-6", "5-4 5-3 1-0 1-1 2-0 2-1", False),
        ("fives", "5-5 6-5 6-6", "5-4 5-3 0-0 1-0 1-1 2-0 2-1 2-2 3-0", True),
        # A trump that can be beaten.
        ("fives", "5-4 6-6", "5-5 0-0 1-0 1-1 2-0 2-1", False),
        # The six in the way is drawn by the double when it is the only one, and not among two.
        ("follow-me", "6-6 6-4", "6-5 0-0 1-0 1-1 2-0 2-1", True),
        ("follow-me", "6-6 6-4", "6-5 6-0 1-0 1-1 2-0 2-1", False),
        # The fours draw the 6-4 that stands in the way of 6-3.
        ("follow-me", "4-4 6-3", "6-4 0-0 1-0 1-1 2-0 2-1", True),
    ],
)
def test_claims_by_example(trump, hand, unseen, certain):
    hand, unseen = parse_tiles(hand), parse_tiles(unseen)
    assert takes_every_trick(mask_of(hand), mask_of(unseen), Trump(trump)) == certain
    if len(hand) < 3:
        agree(hand, unseen, Trump(trump), "high")


@pytest.mark.parametrize(
    ("hand", "trumps"),
    [
        ("6-6 6-5 6-4 6-3 6-2 6-1 6-0", {"sixes", "follow-me"}),
        ("6-6 5-5 4-4 3-3 2-2 1-1 0-0", {"doubles", "follow-me"}),
        # Four leads of trumps draw the three that are out, whoever holds them.
        ("6-6 6-5 6-4 6-3 5-5 4-4 3-3", {"sixes", "doubles", "follow-me"}),
        ("6-6 6-5 6-4 6-2 5-5 4-4 3-3", {"sixes", "follow-me"}),
        ("6-6 6-5 6-4 5-5 4-4 3-3 2-2", {"doubles", "follow-me"}),
        ("6-6 6-5 6-4 6-2 5-5 4-4 3-2", set()),
    ],
)
def test_lay_downs(hand, trumps):
    mask = Hand(hand).mask
    found = {str(t) for t in Trump if takes_every_trick(mask, ALL_TILES ^ mask, t)}
    assert found == trumps
