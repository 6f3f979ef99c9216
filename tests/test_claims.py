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

SUITS = (*range(7), "trumps", "doubles")
NOTHING_SHOWN = ((), (), ())


def agree(hand, unseen, trump, doubles, shown=NOTHING_SHOWN):
    """`shown` are the suits that each of the others did not follow."""
    first, second, third = (void_mask(suits_, trump, doubles) for suits_ in shown)
    found = takes_every_trick(
        mask_of(hand), mask_of(unseen), trump, doubles, (first, second, third)
    )
    hand, unseen = ([naive.TILES[tile] for tile in tiles] for tiles in (hand, unseen))
    assert naive.claim_is_good(hand, unseen, trump, doubles, shown) == found
    return found


def void_mask(shown, trump, doubles):
    return mask_of(
        tile
        for tile in TILES
        if any(naive.follows(naive.TILES[tile], suit, trump, doubles) for suit in shown)
    )


def shown_by(tiles, trump, doubles, rng):
    """Some of the suits that a player who holds these tiles may have shown to lack."""
    tiles = [naive.TILES[tile] for tile in tiles]
    lacking = [
        suit for suit in SUITS if not any(naive.follows(t, suit, trump, doubles) for t in tiles)
    ]
    return rng.sample(lacking, min(len(lacking), rng.choice([0, 1, 2, 9])))


def strong_positions(tricks, number, seed, noise=2):
    """Random endings in which the leader holds tiles that few others beat."""
    rng = random.Random(seed)
    for _ in range(number):
        trump, doubles = rng.choice(CALLS)
        table = suits(trump, doubles)
        tiles = rng.sample(TILES, 4 * tricks)
        mask = mask_of(tiles)
        tiles.sort(
            key=lambda tile: (
                (table.beats[table.leads[tile]][tile] & mask).bit_count() + noise * rng.random()
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


@pytest.mark.parametrize(("tricks", "number"), [(1, 300), (2, 400), (3, 4)])
def test_R7_claims_by_what_was_shown_against_naive(tricks, number):
    rng = random.Random(tricks)
    found = []
    for hand, unseen, trump, doubles in strong_positions(tricks, number, seed=tricks, noise=5):
        held = rng.sample(unseen, len(unseen))
        shown = [
            shown_by(held[tricks * n : tricks * (n + 1)], trump, doubles, rng) for n in range(3)
        ]
        found.append(agree(hand, unseen, trump, doubles, shown))
    assert {True, False} == set(found)


@pytest.mark.parametrize(
    ("trump", "hand", "unseen", "shown"),
    [
        # Two have no fours, so the third holds 5-4 and 4-3; then 5-4 and 5-1 fall to the 5-5.
        ("sixes", "5-5 5-0", "5-4 5-1 4-3 3-2 3-1 1-0", (["trumps", 4], ["trumps", 4], [])),
        # Two have no threes, so the third holds 3-2 and 3-1.
        ("follow-me", "1-1 1-0", "6-5 6-4 5-1 4-4 3-2 3-1", ([3], [], [3])),
        ("ones", "5-2 3-3", "6-6 6-3 5-3 4-0 2-2 2-0", ([6, 4], [], [3, 0])),
        ("threes", "3-3 1-1", "6-5 6-4 5-3 5-0 3-2 2-0", ([2, 0], [4, 5], [2])),
        ("twos", "6-2 3-3", "6-3 5-5 4-2 4-0 3-2 3-1", (["trumps", 1, 5], [4, 5], [1])),
        ("follow-me", "2-2 1-1 1-0", "5-4 5-3 4-4 4-3 4-1 4-0 3-3 2-1 2-0", ([0], [5, 6], [0])),
    ],
)
def test_R7_claims_that_only_what_was_shown_makes_certain(trump, hand, unseen, shown):
    hand, unseen, trump = parse_tiles(hand), parse_tiles(unseen), Trump(trump)
    assert agree(hand, unseen, trump, "high", shown)
    assert not agree(hand, unseen, trump, "high")


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
