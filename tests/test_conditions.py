"""The language of conditions: what it reads, what it means, and what it says when it cannot."""

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sim42.deals.conditions.bounds import Seen, bounds, linear, seen_around, split
from sim42.deals.conditions.functions import FUNCTIONS
from sim42.deals.conditions.parse import extent, parse, parse_condition
from sim42.deals.conditions.tree import (
    Arithmetic,
    Both,
    Call,
    Comparison,
    Either,
    Extreme,
    Minus,
    Not,
    Number,
    calls_of,
    join,
)
from sim42.deals.conditions.values import values_of
from sim42.deals.random import random_deals, random_hands
from sim42.errors import ConditionError, Sim42Error
from sim42.game.tiles import ENDS, tiles_of
from sim42.game.trumps import Trump

DEALS = random_deals(200, seed=5)


# --- trees of any kind ----------------------------------------------------------------------------

seats = st.integers(0, 3)
calls = st.one_of(
    st.builds(Call, st.sampled_from(["doubles", "count", "counters", "longest", "voids"]), seats),
    st.builds(Call, st.just("has"), seats, st.tuples(st.integers(0, 27))),
    st.builds(Call, st.just("suit"), seats, st.tuples(st.integers(0, 6))),
    st.builds(Call, st.sampled_from(["trumps", "top"]), seats, st.tuples(st.integers(0, 8))),
)
truths = calls.filter(lambda call: FUNCTIONS[call.name].truth)


def larger(trees):
    pairs = st.tuples(trees, trees)
    numbers = st.one_of(
        st.builds(lambda sign, pair: Arithmetic(sign, *pair), st.sampled_from(["+", "-"]), pairs),
        st.builds(lambda number, tree: Arithmetic("*", Number(number), tree), small, trees),
        trees.filter(lambda tree: not isinstance(tree, Number)).map(Minus),
        st.builds(
            Extreme,
            st.sampled_from(["min", "max"]),
            st.lists(trees, min_size=1, max_size=3).map(tuple),
        ),
    )
    signs = st.sampled_from(["<", "<=", "=", "!=", ">=", ">"])
    comparisons = st.one_of(
        st.builds(lambda sign, pair: Comparison((sign,), pair), signs, pairs),
        st.builds(
            lambda one, two, parts: Comparison((one, two), parts),
            signs,
            signs,
            st.tuples(trees, trees, trees),
        ),
    )
    conditions = comparisons | truths
    joined = st.builds(
        join, st.sampled_from([Both, Either]), st.lists(conditions, min_size=2, max_size=3)
    )
    return st.one_of(numbers, comparisons, conditions.map(Not), joined, joined.map(Not))


small = st.integers(-9, 9)
trees = st.recursive(small.map(Number) | calls, larger, max_leaves=12)


@given(tree=trees)
def test_what_a_tree_prints_reads_as_the_tree(tree):
    assert parse(str(tree)) == tree


@given(text=st.text(max_size=60))
@example(text="(" * 5000)
@example(text="not " * 900)
@example(text="-" * 3000 + "1")
@example(text="1+" * 1900 + "1")
@example(text="doubles(me)*1000000*1000000*1000000 > 1")
@example(text="has(me, \x00)")
@example(text="min(" * 400)
def test_no_text_does_anything_but_read_or_be_refused(text):
    try:
        parse(text)
    except ConditionError as refused:
        lines = str(refused).splitlines()
    else:
        return
    assert len(lines) in (1, 3)


WORDS = (
    "me partner left right has doubles suit trumps top count longest voids min max and or not fives"
    " 6-6 66 30 2 ( ) , , ( ) < <= = == != >= > + - * follow-me bids"
)


@given(text=st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join))
def test_words_of_the_language_in_any_order_read_or_are_refused(text):
    try:
        tree = parse(text)
    except ConditionError:
        return
    assert parse(str(tree)) == tree


@given(tree=trees)
def test_values_stay_within_the_bounds(tree):
    values = values_of(tree, DEALS)
    low, high = extent(tree)
    assert low <= values.min() <= values.max() <= high
    around = DEALS[:, 0]
    low, high = bounds(tree, seen_around(around))
    assert (low <= values).all()
    assert (values <= high).all()
    # Some tiles of each seat known, some known not to be there.
    held = DEALS & np.roll(DEALS, 7, axis=0) * 0 | DEALS & 0x5555555
    seen = [Seen(held[:, seat], held[:, seat] | DEALS[:, seat] | 0x3333333) for seat in range(4)]
    low, high = bounds(tree, seen)
    assert (low <= values).all()
    assert (values <= high).all()


comparisons = st.builds(
    lambda sign, *parts: Comparison((sign,), parts),
    st.sampled_from(["<", "<=", "=", "!=", ">=", ">"]),
    trees,
    trees,
)
conditions = st.recursive(
    comparisons | truths,
    lambda parts: st.one_of(
        parts.map(Not),
        st.builds(join, st.sampled_from([Both, Either]), st.lists(parts, min_size=2, max_size=3)),
    ),
    max_leaves=5,
)


@given(tree=conditions)
def test_parts_and_limits_say_what_the_whole_says(tree):
    whole = values_of(tree, DEALS) > 0
    together = np.ones(len(DEALS), dtype=np.bool_)
    for part, limit in split(tree):
        says = values_of(part, DEALS) > 0
        together &= says
        if limit is not None:
            sums = np.zeros(len(DEALS), dtype=np.int64)
            for seat in range(4):
                for tile in range(28):
                    sums += limit.weights[seat][tile] * (DEALS[:, seat] >> tile & 1)
            assert ((limit.least <= sums) & (sums <= limit.most) == says).all()
    assert (together == whole).all()


# --- meaning --------------------------------------------------------------------------------------


def plain(name, hand, trump=None, pip=None):
    """The functions once more, on lists of ends."""
    suits = [[tile for tile in hand if p in tile] for p in range(7)]
    if name == "doubles":
        return sum(a == b for a, b in hand)
    if name == "count":
        return sum(map(naive.worth, hand))
    if name == "counters":
        return sum(naive.worth(tile) > 0 for tile in hand)
    if name == "longest":
        return max(map(len, suits))
    if name == "voids":
        return sum(not suit for suit in suits)
    if name == "suit":
        return len(suits[pip])
    if name == "trumps":
        return sum(naive.is_trump(tile, trump) for tile in hand)
    if trump == naive.FOLLOW_ME:
        return 0
    order = naive.suit_order("trumps", trump)
    return max((7 - order.index(tile) for tile in hand if tile in order), default=0)


@pytest.mark.parametrize("name", ["doubles", "count", "counters", "longest", "voids"])
@pytest.mark.parametrize("seat", ["me", "left", "partner", "right"])
def test_functions_of_a_seat_mean_what_they_say(name, seat):
    column = ["me", "left", "partner", "right"].index(seat)
    values = values_of(parse(f"{name}({seat})"), DEALS)
    for value, mask in zip(values, DEALS[:, column].tolist(), strict=True):
        assert value == plain(name, [ENDS[tile] for tile in tiles_of(mask)])


@pytest.mark.parametrize("trump", list(Trump), ids=str)
@pytest.mark.parametrize("name", ["trumps", "top"])
def test_functions_of_a_trump_mean_what_they_say(name, trump):
    named = values_of(parse(f"{name}(left, {trump})"), DEALS)
    meant = values_of(parse(f"{name}(left)", trump), DEALS)
    assert (named == meant).all()
    for value, mask in zip(named, DEALS[:, 1].tolist(), strict=True):
        assert value == plain(name, [ENDS[tile] for tile in tiles_of(mask)], int(trump))


@pytest.mark.parametrize("pip", range(7))
def test_a_suit_is_the_tiles_with_its_pip(pip):
    values = values_of(parse(f"suit(right, {pip})"), DEALS)
    for value, mask in zip(values, DEALS[:, 3].tolist(), strict=True):
        assert value == plain("suit", [ENDS[tile] for tile in tiles_of(mask)], pip=pip)


def test_logic_arithmetic_and_chains_are_those_of_python():
    d = values_of(parse("doubles(me)"), DEALS)
    c = values_of(parse("count(left)"), DEALS)
    h = values_of(parse("has(partner, 6-6)"), DEALS) > 0
    cases = {
        "1 <= doubles(me) < 3": (d >= 1) & (d < 3),
        "doubles(me) != 2 or count(left) == 10 and not has(partner, 6-6)": (d != 2)
        | (c == 10) & ~h,
        "not (doubles(me) = 2 or has(partner, 6-6))": ~((d == 2) | h),
        "2 * doubles(me) - -3 > count(left) - 1": 2 * d + 3 > c - 1,
        "min(doubles(me), 2) + max(1, has(partner, 6-6)) >= 3": np.minimum(d, 2) + 1 >= 3,
        "-doubles(me) >= -1": d <= 1,
        "doubles(me) - 1 - 1 > 0": d > 2,
        "HAS(partner,66) AND Doubles(ME)>1": h & (d > 1),
        "has(partner, 6-6, 5-5)": h & (values_of(parse("has(partner, 5-5)"), DEALS) > 0),
        "points(left) = 10": c == 10,
        "has(partner, 6-6) + has(partner, 5-5) >= 0": np.full(len(DEALS), True),
    }
    for text, expected in cases.items():
        assert (values_of(parse(text), DEALS) > 0).tolist() == expected.tolist(), text


def test_a_trump_is_named_or_meant():
    assert str(parse("trumps(me)", Trump.FOLLOW_ME)) == "trumps(me, follow-me)"
    assert str(parse("top(me, no-trump)", Trump.FIVES)) == "top(me, follow-me)"
    assert str(parse("suit(me, aces)")) == "suit(me, ones)"


def test_calls_come_once_each():
    tree = parse("doubles(me) > 1 and doubles(me) < 3 or -count(left) > min(1, voids(me))")
    assert [str(call) for call in calls_of(tree)] == ["doubles(me)", "count(left)", "voids(me)"]


def test_products_of_sums_are_no_sums():
    assert linear(parse("doubles(me) * count(left)")) is None
    assert linear(parse("longest(me)")) is None
    constant, weights = linear(parse("2 * (3 - doubles(left)) * 2"))
    assert (constant, weights[1][2], weights[1][1]) == (12, -4, 0)


def test_bids_ask_the_estimate_only_of_deals_that_pass_the_rest():
    asked = []

    def estimate(masks, bid, deals):
        asked.append((len(masks), bid, deals))
        return np.linspace(0, 1, len(masks))

    tree = parse("bids(partner, 34, 60, 10) and doubles(me) >= 3")
    passes = values_of(parse("doubles(me) >= 3"), DEALS).sum()
    values = values_of(tree, DEALS, estimate)
    assert asked == [(passes, 34, 10)]
    assert values.sum() == (np.linspace(0, 1, passes) >= 0.6).sum()
    assert str(parse("bids(left, 30)")) == "bids(left, 30, 50, 20)"
    with pytest.raises(ConditionError, match="cannot be asked here"):
        values_of(tree, DEALS)


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "nothing is asked"),
        ("dubles(partner) >= 2", 1, "no function 'dubles'; one of has, doubles"),
        ("doubles(partner) >=", 20, "the text ends where a number or a function is missing"),
        ("doubles(partner) >= 2 2", 23, "'2' does not go on from here"),
        ("doubles(north) >= 2", 9, "'north' is no seat; one of me, left, partner, right"),
        ("doubles partner", 9, "'(' is missing after doubles; it is written doubles(SEAT)"),
        ("has(partner, 6-7)", 14, "'6-7': not a tile"),
        ("has(partner)", 12, "something is missing; it is has(SEAT, TILE)"),
        ("has(partner, )", 14, "something is missing here"),
        ("suit(partner, doubles) > 1", 15, "'doubles': not a suit of pips"),
        ("suit(partner, fives, 2) > 1", 22, "one too many; it is suit(SEAT, SUIT)"),
        ("trumps(left) <= 1", 1, "of which trump? As trumps(left, fives)"),
        ("doubles(me) and has(me, 6-6)", 1, "'and' takes what is true or false, and this is a"),
        ("has(me, 6-6) or 1", 17, "'or' takes what is true or false"),
        ("not doubles(me)", 5, "'not' takes what is true or false"),
        ("(doubles(me) > 1", 17, "')' is missing after what is in parentheses"),
        ("doubles(me) / 2 > 1", 13, "'/' means nothing here"),
        ("doubles(me) > 1; import os", 16, "';' means nothing here"),
        ("__import__('os')", 1, "no function '__import__'"),
        ("partner > 1", 1, "'partner' is a seat; ask of it, as doubles(partner)"),
        ("doubles(me) > 9999999", 15, "numbers are at most 1000000"),
        ("1000000*1000000*1000000 > 1", 1, "more than 10**15"),
        ("bids(left, 29)", 12, "'29': a bid here is a whole number from 30 to 42"),
        ("bids(left, 30, 101)", 16, "a chance in per cent is a whole number from 1 to 100"),
        ("min() > 1", 5, "')' comes where"),
    ],
)
def test_errors_show_the_column_with_a_caret(text, column, message):
    with pytest.raises(ConditionError) as caught:
        parse(text)
    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith(f"column {column}: ")
    assert message in first
    assert shown == f"  {text}"
    assert caret == "  " + " " * (column - 1) + "^"


def test_a_long_text_is_shown_around_its_fault():
    text = "doubles(me) > 1 and " * 20 + "oops(me)" + " and doubles(me) > 1" * 20
    with pytest.raises(ConditionError) as caught:
        parse(text)
    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith("column 401: ")
    assert shown[len(caret) - 1 :].startswith("oops(me)")
    assert len(shown) <= 80


def test_lines_of_a_file_are_one_text():
    assert str(parse("doubles(me) > 1\n  and has(left, 6-6)\n")) == (
        "doubles(me) > 1 and has(left, 6-6)"
    )


def test_a_number_is_no_condition():
    with pytest.raises(ConditionError, match="this is a number; compare it"):
        parse_condition("doubles(partner) + 1")
    with pytest.raises(Sim42Error, match="not int"):
        parse(3)


def test_hands_around_which_it_cannot_happen_are_told_apart():
    hands = random_hands(300, seed=1)
    low, high = bounds(parse("has(left, 6-6) and doubles(me) > 1"), seen_around(hands))
    deals = np.zeros((300, 4), dtype=np.int64)
    deals[:, 0] = hands
    possible = values_of(parse("not has(me, 6-6) and doubles(me) > 1"), deals)
    assert (high == possible).all()
    assert not low.any()
