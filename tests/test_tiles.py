"""The tiles, hands and deals: ids, text both ways, and what is refused."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim42.errors import NotationError, TileError
from sim42.game.tiles import (
    ALL_TILES,
    COUNTS,
    ENDS,
    MOST_POINTS,
    NAMES,
    TILES,
    Deal,
    Hand,
    count_of,
    format_tiles,
    mask_of,
    parse_tile,
    parse_tiles,
    tile_id,
    tiles_of,
)

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
hands = st.permutations(list(TILES)).map(lambda tiles: Hand(mask_of(tiles[:7])))
deals = st.permutations(list(TILES)).map(
    lambda tiles: Deal([mask_of(tiles[seat : seat + 7]) for seat in (0, 7, 14, 21)])
)


def test_T1_ids_count_up_from_0_0_to_6_6():
    assert [tile_id(high, low) for high in range(7) for low in range(high + 1)] == list(TILES)
    assert (NAMES[0], NAMES[25], NAMES[27]) == ("0-0", "6-4", "6-6")
    assert ALL_TILES == 2**28 - 1
    assert all(high >= low for high, low in ENDS)


def test_T2_the_count_is_35():
    assert {NAMES[t]: COUNTS[t] for t in TILES if COUNTS[t]} == {
        "5-5": 10, "6-4": 10, "5-0": 5, "4-1": 5, "3-2": 5,
    }  # fmt: skip
    assert count_of(ALL_TILES) + 7 == MOST_POINTS == 42


@pytest.mark.parametrize("text", ["6-4", "4-6", "64", "6:4", "6|4", "[6|4]", "[4-6]", " 6-4 "])
def test_a_tile_is_read_in_many_writings(text):
    assert NAMES[parse_tile(text)] == "6-4"


@pytest.mark.parametrize(
    "text",
    ["", "6", "6-", "-6-4", "7-0", "6-9", "6-4-2", "664", "a-b", "６-４", "6–4", "6.4"],
)
def test_other_text_is_no_tile(text):
    with pytest.raises(NotationError, match="not a tile"):
        parse_tile(text)


@pytest.mark.parametrize("text", [HAND, HAND.replace(" ", ","), "64,55;42 31\t20\n11  00"])
def test_hands_are_read_with_any_separators(text):
    assert str(Hand(text)) == HAND


@given(hands)
def test_a_hand_goes_to_text_and_back(hand):
    assert Hand(str(hand)) == hand == Hand(hand.mask) == Hand(hand)
    assert eval(repr(hand)) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert hash(Hand(str(hand))) == hash(hand)
    assert mask_of(hand) == hand.mask
    assert len(list(hand)) == len(hand) == 7
    assert sum(tile in hand for tile in TILES) == 7


@given(deals)
def test_a_deal_goes_to_text_and_back(deal):
    assert Deal(str(deal)) == deal == Deal(deal.masks) == Deal(deal.hands)
    assert eval(repr(deal)) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert hash(Deal(str(deal))) == hash(deal)


@given(st.integers(0, ALL_TILES))
def test_masks_go_to_tiles_and_back(mask):
    assert mask_of(tiles_of(mask)) == mask
    assert mask_of(parse_tiles(format_tiles(mask))) == mask


@pytest.mark.parametrize("mask", [0, ALL_TILES, 0b111111, 0b11111111, -1, 1 << 28, 1 << 40])
def test_masks_of_other_sizes_are_no_hand(mask):
    with pytest.raises(TileError):
        Hand(mask)


@pytest.mark.parametrize("value", [None, 1.5, ["6-4"], b"6-4"])
def test_other_values_are_no_hand(value):
    with pytest.raises(NotationError, match="as text or as a mask"):
        Hand(value)


def test_hands_and_deals_cannot_be_changed():
    hand = Hand(HAND)
    with pytest.raises(AttributeError, match="cannot be changed"):
        hand.mask = 3
    with pytest.raises(AttributeError, match="cannot be changed"):
        del hand.mask


def test_hands_are_ordered_and_are_no_other_thing():
    low, high = Hand(0b1111111), Hand(0b1111111 << 21)
    assert low < high
    assert high >= low
    assert low != str(low)
    with pytest.raises(TypeError):
        low < "6-4"  # noqa: B015


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "four hands"),
        (HAND, "four hands with / between them, not 1"),
        (f"{HAND} / {HAND} / {HAND} / {HAND}", "seat 1: .* is held by seat 0 too"),
        (f"{HAND} / 6-6 / 5-4 / 3-3", "seat 1: a hand is 7 different tiles, not 1"),
        (f"{HAND} / 6-6 9-9 / 5-4 / 3-3", "seat 1: tile 2: '9-9': not a tile"),
        ("a / b / c / d", "seat 0: tile 1: 'a': not a tile"),
    ],
)
def test_bad_deals_say_where_and_what(text, says):
    with pytest.raises((NotationError, TileError), match=says):
        Deal(text)


@given(st.text(max_size=80))
def test_any_text_is_a_hand_or_one_line_that_says_why(text):
    try:
        Hand(text)
    except (NotationError, TileError) as error:
        message = str(error)
    else:
        message = ""
    assert "\n" not in message
    assert len(message) < 200
