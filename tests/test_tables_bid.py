"""The bid table and the call: counts that add, rates that fall, lay-downs at 100 %."""

import io
import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from sim42 import Hand, Rules, Trump, bid_table
from sim42.cli import main
from sim42.deals.given import given_deals
from sim42.deals.random import deals_around
from sim42.errors import NotationError, RequestError
from sim42.runs import sample as runs_sample
from sim42.runs.sample import POINTS, HandSample, count_points, sample_hand
from sim42.solver.values import solve_many
from sim42.tables.bid import bid_rows
from sim42.tables.call import marks_of
from sim42.tables.counts import BIDS, made_of
from sim42.tables.recommend import call_of
from sim42.tables.spread import mean_interval
from sim42.tables.words import percent

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
LAY_DOWNS = {
    "6-6 6-5 6-4 6-3 6-2 6-1 6-0": "sixes",
    "0-0 1-0 2-0 3-0 4-0 5-0 6-0": "blanks",
    "6-6 5-5 4-4 3-3 2-2 1-1 0-0": "doubles",
}


@pytest.fixture(scope="module")
def sample():
    return sample_hand(HAND, deals=150, seed=5)


def bid(*words: str):
    result = CliRunner().invoke(main, ["bid", *words])
    assert result.exit_code == 0, result.stderr
    return result


@pytest.mark.parametrize(("hand", "trump"), LAY_DOWNS.items())
def test_a_lay_down_makes_every_bid_in_every_deal(hand, trump):
    table = bid_table(hand, deals=40, seed=3)
    assert (table.loc[trump] == 1.0).all()


def test_rates_never_rise_along_a_row(sample):
    rates = bid_rows(sample).pivot(index="trump", columns="bid", values="rate")
    assert (rates.diff(axis=1).iloc[:, 1:] <= 0).all(axis=None)


def test_counts_add_to_the_deals_and_rates_come_from_them(sample):
    rows = bid_rows(sample, plain=True)
    for trump, points in rows.attrs["counts"].items():
        assert sum(points.values()) == 150
        for row in rows[rows["trump"] == trump].itertuples():
            assert row.made == sum(n for p, n in points.items() if p >= row.bid)
            assert row.rate == row.made / 150
            assert row.low <= row.rate <= row.high


def test_the_points_are_those_of_the_solver_on_the_deals_of_the_hand(sample):
    deals = deals_around(Hand(HAND).mask, 150, 5)
    assert (sample.points == solve_many(deals).clip(29)).all()


def test_threads_change_no_byte():
    texts = [bid(HAND, "--deals=100", "--seed=9", f"--threads={n}").stdout for n in (1, 2)]
    assert texts[0] == texts[1]


def test_the_first_deals_of_a_longer_run_are_the_shorter_run(sample):
    shorter = sample_hand(HAND, deals=60, seed=5)
    assert (sample.points[:60] == shorter.points).all()


def test_a_sample_is_dealt_in_pieces(sample, monkeypatch):
    monkeypatch.setattr(runs_sample, "PIECE", 40)
    told, sizes = [], []

    def few(masks, *place):
        sizes.append(len(masks))
        return given_deals(masks, *place)

    monkeypatch.setattr(runs_sample, "given_deals", few)
    pieces = sample_hand(HAND, deals=150, seed=5, progress=lambda *call: told.append(call))
    assert (pieces.points == sample.points).all()
    assert sizes == [40, 40, 40, 30]
    assert told == [(done, 150) for done in (32, 40, 72, 80, 112, 120, 150)]


def test_choosing_trumps_changes_no_row(sample):
    some = sample_hand(HAND, deals=150, seed=5, trumps=["doubles", "fives"])
    assert (some.points == sample.points[:, [7, 5]]).all()
    assert list(bid_table(HAND, 5, 1, ["doubles", "fives"]).index) == ["doubles", "fives"]


def test_bid_table_has_the_shape_that_others_rely_on():
    table = bid_table(HAND, deals=20, seed=1)
    assert list(table.columns) == list(range(30, 43))
    assert list(table.index) == [str(trump) for trump in Trump]
    assert {"hand", "deals", "seed", "rules", "version", "counts", "call"} <= set(table.attrs)
    assert table.attrs["rules"] == Rules().as_dict()


@pytest.mark.parametrize(
    "wrong",
    [
        *({"deals": deals} for deals in (0, -1, 10**30, 1.5, "9")),
        *({"trumps": trumps} for trumps in ([], ["5", "fives"], "", "sevens")),
        {"seed": -1},
    ],
)
def test_wrong_requests_are_refused(wrong):
    with pytest.raises((RequestError, NotationError)):
        bid_table(HAND, **wrong)


def test_count_points_counts_each_value():
    points = np.array([[29, 30], [42, 30], [41, 42]], dtype=np.int8)
    counts = count_points(points)
    assert counts.shape == (2, len(POINTS))
    assert counts[0, [0, 12, 13]].tolist() == [1, 1, 1]
    assert made_of(counts)[1].tolist() == [3] + [1] * 12


def _sample_of(points: list[list[int]], trumps=(Trump.FIVES, Trump.SIXES)) -> HandSample:
    return HandSample(Hand(HAND), trumps, 1, Rules(), np.array(points, dtype=np.int8))


def test_A5_marks_of_a_bid():
    made = made_of(count_points(np.array([[29], [30], [41], [42]], dtype=np.int8)))[0]
    assert marks_of(made, np.array(4), [30, 42, 84]).tolist() == [3 - 1, 1 - 3, 2 * (1 - 3)]


def test_the_call_is_the_one_with_most_marks():
    # fives make 42 in three of four deals: 84 is worth 1 mark, 30 is worth 1/2;
    # sixes make 30 in every deal: 1 mark. The tie goes to the higher chance of 30.
    call = call_of(_sample_of([[42, 30], [42, 30], [42, 30], [29, 30]]))
    assert (call["trump"], call["bid"], call["marks"]) == ("sixes", 30, 1.0)
    assert (call["second"]["trump"], call["second"]["bid"]) == ("fives", 84)
    assert call["second"]["difference"] == 0
    assert [row["even_chance"] for row in call["offers"]] == [42, 30]


def test_the_call_is_pass_when_marks_would_be_lost():
    call = call_of(_sample_of([[30, 29]] * 2 + [[29, 29]] * 4 + [[29, 30]] * 2))
    assert (call["bid"], call["marks"], call["second"]) == (None, 0.0, None)
    assert call["cross_fitted"] == 0  # both halves pass
    assert call["offers"][0]["marks"]["30"] == -0.5
    assert [row["even_chance"] for row in call["offers"]] == [None, None]


def test_a_pass_is_not_followed_by_figures_of_a_bid():
    """A call of pass says what the best bid would lose, and nothing of what a bid is worth."""
    words = ("--deals=40", "--seed=1", "--trumps=ones", "--pass-value=0")
    text = bid("6-5 6-2 5-4 4-1 4-0 3-0 2-1", *words).stdout
    _, after = text.split("Call: ")
    assert after.startswith("pass; the best bid, 30 in ones, is worth 0.")
    for words in ("ahead", "the bid is worth", "Next"):
        assert words not in after


def test_samples_compare_as_values():
    first = _sample_of([[42, 30], [29, 30]])
    assert first == _sample_of([[42, 30], [29, 30]])
    assert hash(first) == hash(_sample_of([[42, 30], [29, 30]]))
    for other in (_sample_of([[42, 30], [29, 29]]), _sample_of([[42, 30]]), "a sample"):
        assert first != other


def test_a_call_worth_exactly_nothing_is_a_bid():
    call = call_of(_sample_of([[29, 29], [30, 29], [30, 29], [29, 29]]))
    assert (call["trump"], call["bid"], call["marks"]) == ("fives", 30, 0.0)


def test_equal_calls_go_to_the_trump_that_is_better_at_the_higher_bids():
    """Fours and follow me make 30 equally often here, and follow me 36 and 42 far more often."""
    hand = "5-5 4-4 4-1 4-0 3-3 3-0 2-2"
    made = {"fours": (87, 50, 36), "follow-me": (87, 77, 63)}
    points = [
        [42] * at_42 + [36] * (at_36 - at_42) + [30] * (at_30 - at_36) + [29] * (100 - at_30)
        for at_30, at_36, at_42 in made.values()
    ]
    trumps = (Trump.FOURS, Trump.FOLLOW_ME)
    sample = HandSample(Hand(hand), trumps, 1, Rules(), np.transpose(points).astype(np.int8))
    call = call_of(sample, plain=True)
    assert (call["trump"], call["bid"], call["marks"]) == ("follow-me", 30, 0.74)
    assert (call["second"]["trump"], call["second"]["difference"]) == ("fours", 0)


def test_A3_the_call_keeps_to_the_rules(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('max_marks = 1\ndoubles = "low"\nscoring = "points"')
    words = ("6-6 6-5 6-4 6-3 6-2 6-1 6-0", "--deals=5", "--seed=1", f"--rules={rules}")
    call = json.loads(bid(*words, "--format=json").stdout)["call"]
    assert (call["bid"], call["marks"], call["unit"]) == (30, 42.0, "points")
    assert list(call["offers"][0]["marks"]) == ["30", "42"]
    text = bid(*words).stdout
    assert "84" not in text
    assert "Rules: doubles = low, max_marks = 1, scoring = points." in text
    assert "expected points of" in text


def test_trumps_that_are_equal_in_a_few_deals_are_not_said_to_be_equal():
    text = bid(
        "6-6 5-5 4-4 3-3 2-2 1-1 0-0", "--deals=3", "--seed=1", "--trumps=doubles,follow-me"
    ).stdout
    assert "ahead by +0.00 marks,\n95 % interval -3.14 to +3.14." in text


def test_the_comparison_is_deal_by_deal(sample):
    call = call_of(sample, plain=True)
    won = [
        np.where(sample.points[:, Trump(row["trump"])] >= min(row["bid"], 42), 1, -1)
        * (2 if row["bid"] == 84 else 1)
        for row in (call, call["second"])
    ]
    most = sum(2 if row["bid"] == 84 else 1 for row in (call, call["second"]))
    expected = mean_interval(won[0] - won[1], -most, most)
    found = [call["second"][key] for key in ("difference", "low", "high")]
    assert found == pytest.approx(expected)


def test_cross_fitted_marks_are_free_of_the_winners_curse():
    # Two trumps that are the same coin: the better of them seems to win marks, and does not.
    rng = np.random.default_rng(4)
    cursed, fitted = [], []
    for _ in range(400):
        call = call_of(_sample_of(rng.choice([29, 30], size=(20, 2)).tolist()))
        cursed.append(call["marks"])
        fitted.append(call["cross_fitted"])
    assert np.mean(cursed) > 0.08
    assert abs(np.mean(fitted)) < 3 * np.std(fitted) / 20


def test_one_deal_and_one_trump_have_no_comparison():
    call = call_of(_sample_of([[42]], (Trump.FIVES,)))
    assert call["second"] is None
    assert call["cross_fitted"] is None
    assert bid(HAND, "--deals=1", "--trumps=fives").stdout
    two = call_of(_sample_of([[42, 30]]))
    assert (two["second"]["low"], two["second"]["high"]) == (-3.0, 3.0)


def test_json_is_one_object_with_all_parts():
    whole = json.loads(bid(HAND, "--deals=30", "--seed=2", "--format=json").stdout)
    assert set(whole) >= {"hand", "seed", "deals", "rules", "version", "rows", "counts", "call"}
    assert (whole["hand"], whole["seed"], whole["deals"]) == (HAND, 2, 30)
    assert len(whole["rows"]) == 9 * 13
    names = ("trump", "bid", "made", "deals", "rate", "low", "high", "worth")
    assert set(whole["rows"][0]) == {*names, "in_play", "in_play_low", "in_play_high"}
    for points in whole["counts"].values():
        assert list(points) == [str(p) for p in POINTS]
        assert sum(points.values()) == 30
    assert "84" in whole["call"]["offers"][0]["marks"]


def test_csv_jsonl_and_parquet_hold_the_rows_of_json(tmp_path):
    words = (HAND, "--deals=30", "--seed=2")
    rows = json.loads(bid(*words, "--format=json").stdout)["rows"]
    csv = pd.read_csv(io.StringIO(bid(*words, "--format=csv").stdout))
    lines = [json.loads(line) for line in bid(*words, "--format=jsonl").stdout.splitlines()]
    bid(*words, "-o", str(tmp_path / "x.parquet"))
    parquet = pd.read_parquet(tmp_path / "x.parquet")
    expected = pd.DataFrame(rows)
    for frame in (csv, pd.DataFrame(lines), parquet.assign(trump=parquet["trump"].astype(str))):
        pd.testing.assert_frame_equal(
            frame.astype({"trump": object}), expected.astype({"trump": object}), check_dtype=False
        )
    assert parquet.attrs["seed"] == 2
    assert parquet.attrs["hand"] == HAND


def test_the_table_fits_80_columns_and_says_what_it_is():
    text = bid(HAND, "--deals=30", "--seed=2").stdout
    assert max(map(len, text.splitlines())) <= 80
    for words in ("30 random deals", "seed 2", "double dummy", "95 % interval", "Call: "):
        assert words in text
    head = next(line for line in text.splitlines() if line.startswith("trump"))
    assert [int(word) for word in head.split()[1:-1]] == list(BIDS)
    cells = text.splitlines()[4].split()
    assert cells[0] == "blanks"
    assert len(cells) == 15


@pytest.mark.parametrize(
    ("rate", "text"),
    [(1, "100"), (0.99999, ">99.9"), (0.9994, "99.9"), (0.5, "50.0"), (1e-6, "<0.1"), (0, "0")],
)
def test_only_exact_rates_are_shown_as_0_and_100(rate, text):
    assert percent(float(rate)) == text


def test_percent_never_contradicts_its_bounds():
    for made, next_made in pairwise(range(10_001)):
        assert len(percent(made / 10_000)) <= 5
        assert percent(next_made / 10_000) != "0"
