"""Outcomes adjusted for what the tiles promise: unbiased, narrower, and honest about it."""

import json
from math import comb

import numpy as np
import pytest
from click.testing import CliRunner

from sim42 import Given, Hand, Trump, bid_table
from sim42.cli import main
from sim42.deals.layouts import Layouts, Limit
from sim42.deals.random import deals_around
from sim42.errors import RequestError
from sim42.game.tiles import ALL_TILES, mask_of, tiles_of
from sim42.runs import adjust
from sim42.runs.adjust import Adjuster, Controls, adjusted, chance_around, moments_of, watched
from sim42.runs.sample import sample_hand
from sim42.runs.tally import made_in, tally_hand, tally_of
from sim42.tables.bid import bid_rows
from sim42.tables.bid_file import read_bid
from sim42.tables.rates import rates_of
from sim42.tables.recommend import call_of
from sim42.tables.spread import mean_interval

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
MASK = Hand(HAND).mask
TWO = (Trump.FOURS, Trump.FIVES)


@pytest.fixture(scope="module")
def sample():
    return sample_hand(HAND, deals=120, seed=5, trumps=TWO)


def test_leaving_a_deal_out_is_fitting_to_the_others():
    rng = np.random.default_rng(3)
    z, y = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    penalty = np.array([1.0, 2.0, 3.0])
    expected = []
    for i in range(40):
        others = np.arange(40) != i
        v = np.column_stack([np.ones(39), z[others]])
        fit = np.linalg.solve(v.T @ v + np.diag([0, *penalty]), v.T @ y[others])
        expected.append(y[i] - z[i] @ fit[1:])
    assert adjusted(y, Controls(z, penalty)) == pytest.approx(np.array(expected))


def test_how_likely_a_seat_holds_tiles_when_nothing_is_known():
    chance = chance_around(MASK, None)
    deals = deals_around(MASK, 20_000, 1)
    for tiles in (1 << 27, 1 << 27 | 1 << 26):
        for seat in (1, 2, 3):
            seen = (deals[:, seat] & tiles == tiles).mean()
            assert chance(seat, tiles) == pytest.approx(seen, abs=0.015)


def test_layouts_in_which_a_seat_holds_tiles_are_counted():
    """Two of six tiles each to three seats; the first has one of two at least."""
    weights = (tuple(int(tile < 2) for tile in range(28)), (0,) * 28, (0,) * 28)
    layouts = Layouts(0b111111, [0b111111] * 3, [2, 2, 2], [Limit(weights, least=1)])
    every = layouts.unrank(range(layouts.count))
    for seat in range(3):
        for tiles in (0b1, 0b100, 0b11, 0b110, 0b1100, 0b111):
            expected = (every[:, seat] & tiles == tiles).sum()
            assert layouts.holding(seat, tiles) == expected, (seat, tiles)


@pytest.mark.parametrize("where", ["has(partner, 6-6)", "trumps(left, fives) <= 1"])
def test_controls_have_mean_0_given_what_is_known(where):
    given = Given(where)
    look = watched(MASK, Trump.FIVES, chance_around(MASK, given))
    values = look.of(given.deals_around(MASK, 8_000, seed=2)).values
    error = values.std(axis=0) / 8_000**0.5
    assert (abs(values.mean(axis=0)) <= 4.5 * error + 1e-12).all()


def test_what_is_asked_of_each_layout_drawn_is_not_adjusted():
    assert chance_around(MASK, Given("doubles(left) >= 2 or doubles(right) >= 2")) is None
    tally = tally_hand(HAND, 60, 1, TWO, given="doubles(left) >= 2 or doubles(right) >= 2")
    assert tally.adjusted is None


def test_rates_of_a_known_law_are_unbiased_and_their_intervals_hold_it():
    """Made if the partner holds two of five tiles, or one of them and in half of these."""
    rng, five = np.random.default_rng(8), mask_of(tiles_of(ALL_TILES & ~MASK)[:5])
    deals = deals_around(MASK, 20_000, 7)
    held = np.bitwise_count(deals[:, 2] & five)
    points = np.where(held + rng.integers(0, 2, len(held)) >= 2, 42, 29).astype(np.int8)
    chances = [comb(5, k) * comb(16, 7 - k) / comb(21, 7) for k in range(6)]
    truth = sum(chances[2:]) + chances[1] / 2
    rates, held_truth, saved = [], [], []
    for start in range(0, len(deals), 200):
        part = slice(start, start + 200)
        adjuster = Adjuster(MASK, None, [Trump.FIVES], made_in)
        adjuster.add(points[part, np.newaxis], deals[part])
        made = made_in(points[part]).sum(axis=0, keepdims=True)
        found = rates_of(made, 200, adjuster.moments())
        low, high = found.interval()
        rates.append(found.rate[0, 0])
        held_truth.append(low[0, 0] <= truth <= high[0, 0])
        saved.append(found.worth[0, 0] / 200)
    assert abs(np.mean(rates) - truth) < 3.5 * np.std(rates) / len(rates) ** 0.5
    assert np.mean(held_truth) > 0.9
    assert np.mean(saved) > 1.4


def test_pieces_and_their_sizes_change_nothing(sample, monkeypatch):
    monkeypatch.setattr(adjust, "BLOCK", 30)
    deals = deals_around(MASK, 120, 5)
    sums = []
    for size in (7, 30, 120):
        adjuster = Adjuster(MASK, None, TWO, made_in)
        for start in range(0, 120, size):
            adjuster.add(sample.points[start : start + size], deals[start : start + size])
        sums.append(adjuster.moments())
    for other in sums[1:]:
        assert (other.sums == sums[0].sums).all()
        assert (other.products == sums[0].products).all()


def test_moments_are_means_and_variances():
    values = np.random.default_rng(2).normal(size=(31, 3))
    whole = moments_of(values[:14], 0) + moments_of(values[14:], 14)
    assert whole.deals.tolist() == [16, 15]
    assert whole.sums[1] == pytest.approx(values[1::2].sum(axis=0))
    assert whole.means == pytest.approx(values.mean(axis=0))
    assert whole.variances() == pytest.approx(values.var(axis=0, ddof=1) / 31)
    contrast = values @ [1, -2, 0]
    assert whole.variances([1, -2, 0])[0] == pytest.approx(contrast.var(ddof=1) / 31)


def test_a_tally_and_a_sample_are_adjusted_alike(sample):
    tally = tally_hand(HAND, deals=120, seed=5, trumps=TWO)
    again = tally_of(sample)
    assert (tally.adjusted.products == again.adjusted.products).all()
    plain = tally_of(tally, plain=True)
    assert plain.adjusted is None
    counted = plain.counted
    outcomes = made_in(sample.points).reshape(120, -1)
    assert counted.means == pytest.approx(outcomes.mean(axis=0))
    assert counted.variances() == pytest.approx(outcomes.var(axis=0, ddof=1) / 120)


def test_rates_are_in_order_and_inside_their_intervals(sample):
    rows = bid_rows(sample)
    assert rows.attrs["estimate"] == "adjusted"
    assert (rows["worth"] > 120).any()
    assert ((rows["low"] <= rows["rate"]) & (rows["rate"] <= rows["high"])).all()
    for name in ("rate", "low", "high"):
        grid = rows.pivot(index="trump", columns="bid", values=name)
        assert (grid.diff(axis=1).iloc[:, 1:] <= 0).all(axis=None)
        assert grid.min(axis=None) >= 0
        assert grid.max(axis=None) <= 1


def test_exact_0_and_100_are_kept_and_few_deals_are_counted():
    table = bid_rows(sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=60, trumps=["sixes"]))
    assert (table["rate"] == 1).all()
    assert (table["low"] < 1).all()
    few = bid_rows(sample_hand(HAND, deals=adjust.LEAST_DEALS - 1, seed=5, trumps=TWO))
    assert few.attrs["estimate"] == "plain"
    assert (few["worth"] == adjust.LEAST_DEALS - 1).all()


def test_the_difference_of_two_calls_is_that_of_adjusted_outcomes(sample):
    call = call_of(sample)
    deals = deals_around(MASK, 120, 5)
    values = np.stack(
        [
            adjusted(
                made_in(sample.points[:, row]), watched(MASK, trump, adjust._any_chance).of(deals)
            )
            for row, trump in enumerate(TWO)
        ],
        axis=1,
    )
    won = [
        (2 * values[:, TWO.index(Trump(row["trump"])), min(row["bid"], 42) - 30] - 1)
        * (2 if row["bid"] == 84 else 1)
        for row in (call, call["second"])
    ]
    second = call["second"]
    most = sum(2 if row["bid"] == 84 else 1 for row in (call, second))
    mean, low, high = mean_interval(won[0] - won[1], -most, most)
    assert second["high"] - second["low"] == pytest.approx(high - low, rel=0.01)
    assert second["difference"] == pytest.approx(call["marks"] - second["marks"])
    assert second["difference"] == pytest.approx(mean, abs=0.02)  # but for the order of rates


def bid(*words: str):
    result = CliRunner().invoke(main, ["bid", HAND, "--deals=80", "--trumps=fours,fives", *words])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_plain_is_what_is_counted():
    rows = json.loads(bid("--seed=5", "--plain", "--format=json"))
    assert rows["estimate"] == "plain"
    assert all(row["rate"] == round(row["made"] / 80, 9) for row in rows["rows"])
    table = bid_table(HAND, 80, 5, TWO, plain=True)
    assert table.loc["fours", 30] == (80 - table.attrs["counts"]["fours"][29]) / 80
    assert "Chances are shares of these deals." in bid("--seed=5", "--plain")


def test_an_adjusted_bid_is_read_again_as_it_was():
    stored = bid("--seed=5", "--pass-value=0", "--format=json")
    rows, again = bid_rows(tally_hand(HAND, 80, 5, TWO)), read_bid(stored)
    for name in ("rate", "low", "high", "worth"):
        assert again[name].tolist() == rows[name].tolist()
    assert again.attrs["call"] == rows.attrs["call"]
    assert "adjusted" in bid("--seed=5")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rate": 1.5}, "its rates"),
        ({"rate": "x"}, "not a number"),
        ({"worth": -3.0}, "its rates"),
        ({"bid": 31}, "its rows"),
        ({"rate": 0.0}, "its rates rise"),
    ],
)
def test_a_damaged_adjusted_bid_is_refused(change, words):
    stored = json.loads(bid("--seed=5", "--format=json"))
    stored["rows"][0] |= change
    with pytest.raises(RequestError, match=words):
        read_bid(json.dumps(stored))
    with pytest.raises(RequestError, match="its estimate"):
        read_bid(json.dumps({**stored, "estimate": "guess"}))
