"""What passing is worth: the model in plain words, and the call that follows from it."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from pictures import HAND, random_points, sample_with

from sim42 import Deal, Rules, Trump
from sim42.cli import main
from sim42.deals.random import deals_around, random_deals
from sim42.errors import RequestError
from sim42.game.rules import Contract, bid_marks
from sim42.game.score import result_of
from sim42.game.tiles import MOST_POINTS
from sim42.solver.values import solve
from sim42.tables import outlook as outlook_module
from sim42.tables.bid import bid_table
from sim42.tables.bid_file import read_bid
from sim42.tables.call import MUST_BID, scores_of
from sim42.tables.outlook import TERMS, outlook, takes_all, terms_of
from sim42.tables.passing import Passing, chances_after, contracts_after, pass_value, scores_played
from sim42.tables.recommend import call_of
from sim42.tables.spread import mean_interval

LAY_DOWN = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
WEAK = "6-5 6-2 5-4 4-1 4-0 3-0 2-1"
RULES = [Rules(), Rules(max_marks=1), Rules.family()]


def auction(deal, rules, speaks, held=None):
    """Seat, trump and bid after a pass of seat 0, or what it holds, one seat after the other."""
    high = held[2] if held else 0
    last = 4 - speaks
    for seat in range(1, last + 1):
        if held and (held[0] - seat) % 2 == 0:
            continue
        chances = np.rint(10**6 * outlook(np.array([deal[seat]]))[0]) / 10**6
        offers = []
        for trump in range(9):
            for bid in {min(max(30, high + 1), 42), 42, 84}:
                if bid <= high or bid > 42 * rules.max_marks:
                    continue
                chance = chances[trump, min(bid, 42) - 30]
                marks = (2 if bid == 84 else 1) * (2 * chance - 1)
                row = chances[trump]
                first = row[min(max(30, high + 1), 42) - 30]
                offers.append((round(marks, 9), first, tuple(row[::-1]), -trump, -bid))
        if not offers:
            continue
        marks, *_, trump, bid = max(offers)
        must = rules.all_pass == "dealer_30" and seat == last and not held
        if marks >= 0 or must:
            held, high = (seat, -trump, -bid), -bid
    return held


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("speaks", [1, 3])
def test_the_others_bid_one_after_the_other_by_what_they_hold(rules, speaks):
    deals = random_deals(60, 5)
    found = contracts_after(chances_after(deals, speaks), rules)
    for deal, *contract in zip(deals.tolist(), *map(np.ndarray.tolist, found), strict=True):
        held = auction(deal, rules, speaks)
        assert (held or (0, contract[1], 0)) == tuple(contract)
    found = contracts_after(chances_after(deals, speaks), rules, Trump.FOURS, 33)
    for deal, *contract in zip(deals.tolist(), *map(np.ndarray.tolist, found), strict=True):
        assert auction(deal, rules, speaks, (0, 4, 33)) == tuple(contract)


@pytest.mark.parametrize("rules", [Rules(), Rules.points250()])
def test_the_worth_of_a_pass_is_the_score_of_its_contract_solved(rules):
    deals = deals_around(HAND.mask, 12, 42)
    contracts = contracts_after(chances_after(deals), rules)
    expected = []
    for deal, seat, trump, bid in zip(
        deals.tolist(), *map(np.ndarray.tolist, contracts), strict=True
    ):
        points = solve(Deal(deal), Trump(trump), seat).points
        sides = (points, MOST_POINTS - points)
        ours, theirs = result_of(Contract(0, bid), sides, rules).score
        expected.append((ours - theirs) * (1 if seat % 2 == 0 else -1) if bid else 0)
    assert scores_played(deals, contracts, rules).tolist() == expected
    value = pass_value("model", HAND, 12, 42, rules)
    assert value.value == pytest.approx(np.mean(expected))
    assert value.low < value.value < value.high


def test_scores_are_those_of_the_rule_book():
    for rules in (Rules(), Rules.points250()):
        scores = scores_of([30, 41, 42, 84], rules)
        for place, bid in enumerate((30, 41, 42, 84)):
            for points in (0, 29, 30, 41, 42):
                ours, theirs = result_of(Contract(0, bid), (points, 42 - points), rules).score
                assert scores[points, place] == ours - theirs


def test_A4_the_shaker_who_must_bid_has_no_pass():
    assert pass_value("model", WEAK, rules="family", speaks=4).value == MUST_BID
    assert pass_value(-0.5, WEAK, speaks=4).value == 0
    points = [[29] * 9] * 10
    forced = call_of(sample_with(points), pass_value("model", HAND, rules="family", speaks=4))
    assert (forced["bid"], forced["marks"], forced["ahead"]) == (30, -1.0, None)
    free = call_of(sample_with(points), pass_value("model", HAND, speaks=4))
    assert (free["bid"], free["marks"]) == (None, 0.0)


def test_a_bid_is_good_as_far_as_it_is_worth_no_less_than_passing():
    points = random_points(deals=200)
    for value in (-0.6, -0.1, 0.0, 0.3):
        call = call_of(sample_with(points), Passing(value), plain=True)
        for offer, column in zip(call["offers"], points.T, strict=True):
            good = [bid for bid in range(30, 43) if 2 * (column >= bid).sum() - 200 >= 200 * value]
            assert offer["good_to"] == max(good, default=None)
            assert value or offer["good_to"] == offer["even_chance"]
        reach = {offer["trump"]: offer["good_to"] or 0 for offer in call["offers"]}
        assert (call["further"] is None) == (reach[call["trump"]] == max(reach.values()))


def test_a_bid_less_a_pass_is_compared_on_the_same_deals():
    table = bid_table(HAND, deals=150, seed=3, plain=True)
    call, priced = table.attrs["call"], pass_value("model", HAND, 150, 3)
    best = next(offer for offer in call["offers"] if offer["trump"] == call["trump"])
    deals = deals_around(HAND.mask, 150, 3)
    won = [
        solve(Deal(deal), best["trump"]).points >= min(best["bid"], 42) for deal in deals.tolist()
    ]
    stake = bid_marks(best["bid"])
    less = np.where(won, stake, -stake) - priced.measured.scores
    assert call["ahead"]["difference"] == pytest.approx(less.mean())
    ends = [call["ahead"]["low"], call["ahead"]["high"]]
    assert ends == pytest.approx(mean_interval(less, -4, 4)[1:])


def test_points_are_called_by_what_is_scored():
    """S3: a bid of 30 that is set gives the bid and what the others took."""
    rules = Rules.points250()
    table = bid_table(LAY_DOWN, deals=10, rules=rules, trumps=[Trump.SIXES])
    call = table.attrs["call"]
    assert (call["unit"], call["bid"], call["marks"]) == ("points", 84, 84.0)
    weak = bid_table(WEAK, deals=40, rules=rules, passing=0).attrs
    counts = np.array([list(row.values()) for row in weak["all_counts"].values()])
    for offer, row in zip(weak["call"]["offers"], counts, strict=True):
        points = np.arange(43)
        won = np.where(points >= 30, 2 * points - 42, -(30 + 42 - points))
        assert offer["marks"]["30"] == pytest.approx(row @ won / 40)


def test_what_bid_prints_and_stores_of_a_pass(tmp_path):
    run = CliRunner()
    words = ["bid", str(HAND), "--deals=60", "--seed=2"]
    text = run.invoke(main, words).stdout
    assert "good up to" in text
    assert "84: no" in text
    assert "against passing:" in " ".join(text.split())
    stored = run.invoke(main, [*words, "--format=json"]).stdout
    call = json.loads(stored)["call"]
    assert (call["passing"]["by"], call["passing"]["deals"]) == ("model", 60)
    assert sum(call["passing"]["declares"].values()) == pytest.approx(1)
    opened = pass_value("model", HAND, 60, 2).opened(call["trump"], call["bid"], Rules())
    assert call["opened"] == opened
    assert 0 < opened["holds"] < 1
    assert opened["low"] < opened["value"] < opened["high"]
    assert "the others leave it in" in " ".join(text.split())
    assert read_bid(stored).attrs["call"] == call
    bad = json.loads(stored)
    bad["call"]["passing"]["value"] = 0.9  # then another call would follow
    with pytest.raises(RequestError, match="its call is not that of its counts"):
        read_bid(json.dumps(bad))
    number = run.invoke(main, [*words, "--pass-value=0.25", "--format=json"]).stdout
    assert json.loads(number)["call"]["passing"]["value"] == 0.25
    for wrong in ("x", "nan", "1e9"):
        refused = run.invoke(main, [*words, f"--pass-value={wrong}"])
        assert refused.exit_code == 2
        assert "a number from -250 to 250" in refused.stderr


@pytest.mark.parametrize("wrong", ["much", None, float("nan"), 251, True])
def test_a_worth_that_cannot_be_is_refused(wrong):
    with pytest.raises(RequestError, match="worth of passing"):
        pass_value(wrong, HAND)


def test_a_lay_down_is_told_at_once():
    """Hands told to take all tricks do, in deals as they come."""
    deals = random_deals(3000, 11)
    hands, trumps = np.repeat(deals.ravel(), 9), np.tile(np.arange(9), deals.size)
    sure = takes_all(hands, trumps)
    rows = [*zip(hands[sure].tolist(), trumps[sure].tolist(), strict=True)][:12]
    rows += [(sum(1 << t for t in (27, 26, 25, 24, 23, 20, 14)), 6), (0x8104_8049, 7)][:1]
    assert len(rows) > 1
    for mask, trump in rows:
        for deal in deals_around(mask, 5, 1).tolist():
            assert solve(Deal(deal), Trump(trump)).points == 42


def test_the_outlook_is_near_what_is_solved():
    """Of a few hands whose rates are known: the shipped numbers are those of these terms."""
    table = bid_table(HAND, deals=300, seed=1, passing=0)
    chances = outlook(np.array([HAND.mask]))[0]
    assert abs(table.to_numpy() - chances).max() < 0.2
    assert (np.diff(chances, axis=1) <= 0).all()
    assert np.sqrt(((table.to_numpy() - chances) ** 2).mean()) < 0.07


def test_numbers_of_other_terms_are_refused(tmp_path, monkeypatch):
    assert terms_of(np.array([HAND.mask]), np.array([4])).shape == (1, len(TERMS))
    other = tmp_path / "outlook.csv"
    other.write_text("kind,term,30\npip,one,0.5\n")
    monkeypatch.setattr(outlook_module, "NUMBERS", other)
    outlook_module._weights.cache_clear()
    with pytest.raises(ValueError, match="made for other terms"):
        outlook(np.array([HAND.mask]))
    outlook_module._weights.cache_clear()
