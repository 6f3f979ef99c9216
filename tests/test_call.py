"""The one choice of a call: alike from bid and survey under all rules, and as in plain words."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import HAND, run_with, sample_with

from sim42 import Rules, Trump
from sim42.tables.call import call_bids, choose, first_of
from sim42.tables.hands import best_calls
from sim42.tables.recommend import call_of

RULES = st.builds(
    Rules,
    doubles=st.sampled_from(["high", "low", "own_suit"]),
    first_bidder=st.sampled_from(["left_of_shaker", "holder_of_1_0"]),
    max_marks=st.integers(1, 6),
    all_pass=st.sampled_from(["redeal", "dealer_30"]),
    play_out=st.booleans(),
    scoring=st.sampled_from(["marks", "points"]),
    match_marks=st.integers(1, 9),
)


@st.composite
def solved(draw):
    """Trumps and the points of some deals with each, few enough that ties are frequent."""
    trumps = sorted(draw(st.sets(st.sampled_from(Trump), min_size=1, max_size=4)))
    values = st.sampled_from([29, 30, 36, 41, 42])
    row = st.lists(values, min_size=len(trumps), max_size=len(trumps))
    return trumps, draw(st.lists(row, min_size=1, max_size=8))


def both_paths(points, trumps, rules):
    """The call as `sim42 bid` gives it, and the same facts as a survey does."""
    sample = sample_with(points, trumps)
    call = call_of(type(sample)(sample.hand, sample.trumps, 1, rules, sample.points), plain=True)
    run = run_with(np.transpose(points)[np.newaxis], trumps, masks=[HAND.mask])
    run.attrs["rules"] = rules.as_dict()
    row = best_calls(run).astype(object).iloc[0]
    row = row.where(row.notna(), None)
    return (
        tuple(call[name] for name in ("trump", "bid", "marks", "cross_fitted")),
        tuple(row[name] for name in ("best_trump", "best_bid", "shown", "cross_marks")),
    )


def plain(points, trumps, rules):
    """Trump, bid (None: pass) and marks in plain words and fractions."""
    offers = []
    for place, trump in enumerate(trumps):
        taken = [row[place] for row in points]
        chance = {bid: Fraction(sum(p >= bid for p in taken), len(taken)) for bid in range(30, 43)}
        marks = {30: 2 * chance[30] - 1, 42: 2 * chance[42] - 1}
        if rules.max_marks > 1:
            marks[84] = 2 * marks[42]
        bid = min(marks, key=lambda bid: (-marks[bid], bid))
        ties = [chance[bid] for bid in [30, *range(42, 30, -1)]]
        offers.append((marks[bid], ties, -place, trump, bid))
    marks, _, _, trump, bid = max(offers)
    return (str(trump), None, Fraction(0)) if marks < 0 else (str(trump), bid, marks)


@given(found=solved(), rules=RULES)
def test_bid_and_survey_choose_alike_and_as_plain_words_do(found, rules):
    trumps, points = found
    of_bid, of_survey = both_paths(points, trumps, rules)
    assert of_bid == of_survey
    trump, bid, marks = plain(points, trumps, rules)
    assert of_bid[:3] == (trump, bid, float(marks))
    if len(points) > 1:
        halves = [points[0::2], points[1::2]]
        total = Fraction(0)
        for chosen, rated in (halves, halves[::-1]):
            trump, bid, _ = plain(chosen, trumps, rules)
            column = [row[trumps.index(Trump(trump))] for row in rated]
            stake = 0 if bid is None else 2 if bid == 84 else 1
            total += sum(stake if p >= min(bid or 30, 42) else -stake for p in column)
        assert of_bid[3] == float(total / len(points))
    else:
        assert of_bid[3] is None


@pytest.mark.parametrize(("at_30", "at_42"), [(58, 54), (66, 58), (62, 56), (70, 60), (90, 70)])
def test_ties_of_two_bids_are_not_broken_by_rounding(at_30, at_42):
    """30 wins 2 * made - 100 marks in 100 deals, 84 twice 2 * made - 100: here the same."""
    points = [[42]] * at_42 + [[30]] * (at_30 - at_42) + [[29]] * (100 - at_30)
    for trump, bid, marks, _ in both_paths(points, [Trump.FIVES], Rules()):
        assert (trump, bid, marks) == ("fives", 30, (2 * at_30 - 100) / 100)


@pytest.mark.parametrize(("max_marks", "bid", "marks"), [(1, 30, 1.0), (2, 84, 2.0), (6, 84, 2.0)])
def test_A3_a_lay_down_is_called_within_the_limit_of_marks(max_marks, bid, marks):
    expected = ("sixes", bid, marks, marks)
    rules = Rules(max_marks=max_marks)
    assert both_paths([[42]] * 4, [Trump.SIXES], rules) == (expected, expected)


def test_a_call_worth_exactly_nothing_is_a_bid_and_less_a_pass():
    trumps = [Trump.FIVES]
    for path in both_paths([[30], [29], [29], [30]], trumps, Rules()):
        assert path == ("fives", 30, 0.0, 0.0)
    for path in both_paths([[30], [29], [29]], trumps, Rules()):
        assert path[:3] == ("fives", None, 0.0)


def test_a_floor_is_the_lowest_bid():
    assert call_bids(Rules(), 36) == (36, 42, 84)
    assert call_bids(Rules(max_marks=1), 42) == (42,)


def test_trumps_with_other_numbers_of_deals_compare_by_their_rates():
    made, deals = np.array([[[3], [6], [0]]]), np.array([[4, 9, 0]])
    call = choose(made, deals, [42])
    assert (int(call.trump[0]), int(call.marks[0]), int(call.deals[0])) == (0, 2, 4)
    # 333,333,333 of a thousand million less one is less than a third by one in 3 * 10**9
    figures, total = np.array([333_333_333, 1]), np.array([1_000_000_000, 3])
    assert first_of([figures], total) == 1
    assert first_of([figures[::-1]], total[::-1]) == 0


def test_a_trump_without_deals_is_never_chosen():
    made, deals = np.array([[[0], [0], [1]]]), np.array([[0, 0, 9]])
    assert choose(made, deals, [42]).trump.tolist() == [2]
