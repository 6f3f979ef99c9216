"""Tables of a run: best calls, groups, and figures that are as sure as they say."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
import stand_in
from click.testing import CliRunner
from pictures import run_with
from scipy import stats as oracle

import sim42.runs.blocks
from sim42 import Rules, Study, Trump, add_runs, run_study
from sim42.charts import chart_types
from sim42.cli import main
from sim42.deals.random import random_hands
from sim42.errors import RequestError
from sim42.runs.shards import COUNT_COLUMNS, TRUMP_NAMES
from sim42.runs.store import Run
from sim42.tables.best import best_trumps
from sim42.tables.features import FEATURES, hand_features
from sim42.tables.groups import group_table
from sim42.tables.hands import best_calls, survey_table
from sim42.tables.spread import clustered
from sim42.tables.stats import student
from sim42.tables.words import percent

ATTRS = {
    **{"seed": 1, "deals": 0, "floor": 30, "rules": {}, "version": "", "schema": 1},
    "selection": "random",
}


def made_up(chances, deals, seed, trumps=range(9)):
    """A run frame in which a hand makes 42 under a trump by these chances, else nothing.

    chances: (hands, trumps); deals are independent.
    """
    random = np.random.default_rng(seed)
    hands = len(chances)
    halves = [(deals + 1) // 2, deals // 2]
    counts = np.zeros((hands, len(trumps), 28), dtype=np.int32)
    for half, number in enumerate(halves):
        made = random.binomial(number, chances)
        counts[:, :, 14 * half + 13] = made
        counts[:, :, 14 * half] = number - made
    frame = pd.DataFrame(counts.reshape(-1, 28), columns=COUNT_COLUMNS)
    codes = np.tile(list(trumps), hands)
    masks = random_hands(hands, seed=1)
    frame.insert(0, "mask", np.repeat(masks, len(trumps)))
    frame.insert(1, "hand", frame["mask"].astype(str))
    names = pd.Categorical.from_codes(codes, TRUMP_NAMES, ordered=True)
    frame.insert(2, "trump", names)
    frame.insert(3, "deals", np.int32(deals))
    frame.attrs = {**ATTRS, "deals": deals}
    return frame


# Honest figures


def test_the_interval_of_a_group_covers_the_truth_and_that_of_single_deals_does_not():
    """Hands with chances of their own, whose mean is known: 95 intervals of 100 hold it."""
    rng = np.random.default_rng(5)
    for a, b, hands in ((2.0, 2.0, 40), (0.3, 0.9, 60), (0.5, 12.0, 200), (3.0, 1.0, 12)):
        truth = a / (a + b)
        chances = rng.beta(a, b, (2000, hands))
        made = rng.binomial(100, chances)
        held = naive = 0
        for sample in made:
            _, low, high = clustered(sample, np.full(hands, 100))
            held += low <= truth <= high
            rate = sample.sum() / (100 * hands)
            half = 1.96 * (rate * (1 - rate) / (100 * hands)) ** 0.5
            naive += abs(rate - truth) <= half
        assert 0.93 <= held / 2000 <= 0.975, (a, b, hands, held)
        assert naive / 2000 < 0.75, (a, b, hands, naive)


def test_hands_with_more_deals_weigh_more_and_the_interval_still_covers():
    rng = np.random.default_rng(6)
    deals = np.where(np.arange(50) % 2, 100, 20)
    held = 0
    for _ in range(1500):
        made = rng.binomial(deals, rng.beta(1.0, 2.0, 50))
        _, low, high = clustered(made, deals)
        held += low <= 1 / 3 <= high
    assert 0.925 <= held / 1500 <= 0.975


def test_the_interval_of_a_group_table_covers_the_truth():
    """Trumps of a hand share its chance here, so that more rows of a hand are hardly news."""
    rng = np.random.default_rng(7)
    held = groups = 0
    for seed in range(200):
        chances = np.repeat(rng.beta(2, 3, (60, 1)), 3, axis=1)
        table = group_table(made_up(chances, 40, seed, trumps=range(3)), ["double_held"])
        held += ((table["low_42"] <= 0.4) & (table["high_42"] >= 0.4)).sum()
        groups += len(table)
    assert groups == 400
    assert 0.92 <= held / groups <= 0.98


def test_nothing_is_known_of_the_spread_of_one_hand():
    rate, low, high = clustered([[3, 0]], [4])
    assert rate.tolist() == [0.75, 0]
    assert (low.tolist(), high.tolist()) == ([0, 0], [1, 1])


def test_hands_that_agree_are_worth_a_deal_each():
    _, low, high = clustered([0] * 10, [100] * 10)
    assert float(low) == 0
    assert 0.2 < float(high) < 0.4
    few, many = (clustered([50] * hands, [100] * hands)[1:] for hands in (10, 1000))
    assert 0.4 < float(few[0]) < 0.45  # hands are seldom alike, so that is no proof that they are
    assert 0.49 < float(many[0]) < 0.5 < float(many[1]) < 0.51


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_quantiles_of_student(freedom, level):
    exact = oracle.t.ppf((1 + level) / 2, freedom)
    assert student(level, freedom) == pytest.approx(exact, rel=0.01)


def test_the_winners_curse_of_nine_trumps_and_cross_fitting_free_of_it():
    """Nine trumps with the same chance: the best looks better by points, the cross-fitted not."""
    frame = made_up(np.full((3000, 9), 0.6), 100, seed=2)
    best = best_calls(frame)
    assert best["best_rate_42"].mean() - 0.6 > 0.06
    assert best["shown"].mean() - 0.4 > 0.12  # bids of two marks: 2 * (0.6 - 0.4)
    error = (0.24 / 100 / 3000) ** 0.5
    assert abs(best["cross_42"].mean() - 0.6) < 4 * error
    assert abs(best["cross_marks"].mean() - 0.4) < 4 * 4 * error
    # The same for the highest bid that makes in 60 per cent: chosen deals say more than 60.
    assert best["at60_rate"].mean() - 0.6 > 0.06
    assert abs(best["at60_cross"].mean() - 0.6) < 4 * error * 2**0.5


def test_cross_fitting_rates_the_choice_of_half_the_deals():
    """With different chances, its mean is that of the trump that fifty deals choose, no more."""
    rng = np.random.default_rng(8)
    chances = rng.beta(6, 4, (4000, 9))
    best = best_calls(made_up(chances, 100, seed=3))
    even = rng.binomial(50, chances)
    chosen = chances[np.arange(4000), even.argmax(axis=1)].mean()
    top = chances.max(axis=1).mean()
    assert best["best_rate_42"].mean() > top > chosen
    assert best["cross_42"].mean() == pytest.approx(chosen, abs=0.006)


def test_groups_of_best_trumps_are_free_of_the_winners_curse():
    frame = made_up(np.full((2000, 9), 0.5), 40, seed=4)
    rows = best_trumps(frame)
    assert len(rows) == 4000
    table = group_table(frame, ["trumps"], best=True)
    assert table["hands"].sum() >= 2000
    covered = (table["low_42"] <= 0.5) & (table["high_42"] >= 0.5)
    assert covered.all()
    assert abs(rows["made_42"].sum() / rows["deals"].sum() - 0.5) < 4 * (0.25 / 80_000) ** 0.5


# Best calls, counted by hand


def slow_best(frame, hand, halves):
    """Best trump and call of a hand on some halves, in plain words."""
    offers = []
    for place, row in enumerate(frame[frame["mask"] == hand].to_dict("records")):
        points = {p: sum(row[f"{half}_{p}"] for half in halves) for p in range(29, 43)}
        deals = sum(points.values())
        rates = {b: sum(n for p, n in points.items() if p >= b) / deals for b in range(30, 43)}
        marks = {30: 2 * rates[30] - 1, 42: 2 * rates[42] - 1, 84: 4 * rates[42] - 2}
        call = max(marks, key=lambda bid: (marks[bid], -bid))
        ties = [rates[bid] for bid in (30, *range(42, 30, -1))]
        offers.append((marks[call], ties, -place, row["trump"], call, rates))
    return max(offers, key=lambda offer: offer[:3])


@pytest.fixture(scope="module")
def frame():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
        return run_study(Study(hands=60, deals=11, seed=5, trumps="plausible"))


def test_best_calls_are_those_of_plain_words(frame):
    best = best_calls(frame)
    assert best["mask"].tolist() == frame["mask"].drop_duplicates().tolist()
    for row in best.to_dict("records"):
        marks, _, _, trump, call, rates = slow_best(frame, row["mask"], ("even", "odd"))
        assert (row["best_trump"], row["shown"]) == (trump, pytest.approx(max(marks, 0)))
        assert pd.isna(row["best_bid"]) if marks < 0 else row["best_bid"] == call
        assert [row[f"best_rate_{bid}"] for bid in range(30, 43)] == pytest.approx(
            [rates[bid] for bid in range(30, 43)]
        )
        worth = dict.fromkeys(range(30, 43), 0.0)
        total = 0.0
        for chosen_on, rated_on, deals in (("even", "odd", 5), ("odd", "even", 6)):
            marks, _, _, trump, call, _ = slow_best(frame, row["mask"], [chosen_on])
            other = frame[(frame["mask"] == row["mask"]) & (frame["trump"] == trump)]
            rated = slow_best(other, row["mask"], [rated_on])[5]
            if marks >= 0:  # else it was passed
                worth_of = {30: 2 * rated[30] - 1, 42: 2 * rated[42] - 1, 84: 4 * rated[42] - 2}
                total += deals * worth_of[call]
            for bid in worth:
                worth[bid] += deals * rated[bid]
        assert row["cross_marks"] == pytest.approx(total / 11)
        assert [row[f"cross_{bid}"] for bid in worth] == pytest.approx(
            [worth[bid] / 11 for bid in worth]
        )


def test_the_highest_bid_that_makes_often_enough(frame):
    table = survey_table(frame)
    best = best_calls(frame)
    for q in (50, 60, 75):
        for row in best.to_dict("records"):
            rows = table[table["mask"] == row["mask"]].to_dict("records")
            offers = [
                (bid, made[f"rate_{bid}"], -place, made["trump"])
                for place, made in enumerate(rows)
                for bid in range(30, 43)
                if made[f"rate_{bid}"] >= q / 100
            ]
            if offers:
                bid, rate, _, trump = max(offers)
                assert (row[f"at{q}_bid"], row[f"at{q}_trump"]) == (bid, trump)
                assert row[f"at{q}_rate"] == rate
            else:
                assert pd.isna(row[f"at{q}_bid"])
                assert pd.isna(row[f"at{q}_trump"])
                assert pd.isna(row[f"at{q}_rate"])


def test_chunks_of_hands_change_nothing(frame, monkeypatch):
    whole, rows = best_calls(frame), best_trumps(frame)
    monkeypatch.setattr("sim42.tables.counts.CHUNK", 7)
    assert best_calls(frame).equals(whole)
    assert best_trumps(frame).equals(rows)


def test_rows_in_any_order_give_the_same_best_calls(frame):
    shuffled = frame.sample(frac=1, random_state=1)
    shuffled.attrs = frame.attrs
    assert (
        best_calls(shuffled)
        .set_index("mask")
        .loc[frame["mask"].unique()]
        .reset_index()
        .equals(best_calls(frame))
    )


def test_one_deal_gives_no_cross_fitted_figures(monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    single = run_study(Study(hands=4, deals=1, seed=5))
    best = best_calls(single)
    assert best["cross_marks"].isna().all()
    assert best["cross_42"].isna().all()
    assert best["at50_cross"].isna().all()
    for tried in (best_trumps, lambda frame: group_table(frame, ["shape"], best=True)):
        with pytest.raises(RequestError, match="two deals or more"):
            tried(single)


def test_a_floor_leaves_the_lower_bids_out(monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    high = run_study(Study(hands=4, deals=8, seed=5, floor=38))
    table = survey_table(high)
    assert [name for name in table if name.startswith("rate_") and name[5:] > "3"] == [
        *(f"rate_{bid}" for bid in range(38, 43)),
    ]
    assert set(best_calls(high)["best_bid"].dropna()) <= {38, 42, 84}


def test_a_lay_down_is_called_for_two_marks():
    frame = run_study(Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=4, seed=1, trumps=[5, 6]))
    row = best_calls(frame).iloc[0]
    assert (row["best_trump"], row["best_bid"], row["cross_marks"]) == ("sixes", 84, 2.0)


# Groups


@pytest.mark.parametrize("by", [["trump"], ["trumps", "double_held"], ["shape"], ["top_missing"]])
def test_groups_hold_their_rows_once_and_none_is_empty(frame, by):
    table = group_table(frame, by)
    by = by if "trump" in by else ["kind", *by]
    assert list(table)[: len(by)] == by
    assert table["deals"].sum() == frame["deals"].sum()
    assert not table.isna().any().any()
    assert not table.duplicated(by).any()
    assert (table["hands"] > 0).all()
    features = hand_features(frame["mask"], frame["trump"].cat.codes)
    features["trump"] = frame["trump"].array
    made = frame[[f"{half}_{p}" for half in ("even", "odd") for p in range(36, 43)]].sum(axis=1)
    for row in table.to_dict("records"):
        here = (features[by] == [row[name] for name in by]).all(axis=1)
        assert row["hands"] == frame["mask"][here].nunique()
        assert row["rate_36"] == pytest.approx(made[here].sum() / frame["deals"][here].sum())
        assert 0 <= row["low_36"] <= row["rate_36"] <= row["high_36"] <= 1


def test_groups_of_trumps_come_in_their_order(frame):
    assert group_table(frame, ["trump"])["trump"].tolist() == [str(trump) for trump in Trump]


@pytest.mark.parametrize("by", [[], ["tiles"], ["trumps", "trumps"], ["mask"]])
def test_unknown_groups_are_refused(frame, by):
    with pytest.raises(RequestError, match="by"):
        group_table(frame, by)


# The command


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
        run_study(Study(hands=30, deals=8, seed=5), path=path)
    return str(path)


def table(*words):
    result = CliRunner().invoke(main, ["table", *words])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_formats_say_the_same(run, tmp_path):
    rows = list(csv.DictReader(io.StringIO(table(run, "--format", "csv"))))
    lines = [json.loads(line) for line in table(run, "--format", "jsonl").splitlines()]
    whole = json.loads(table(run, "--format", "json"))
    table(run, "-o", str(tmp_path / "all.parquet"))
    frame = pd.read_parquet(tmp_path / "all.parquet")
    assert len(rows) == len(lines) == len(whole["rows"]) == len(frame) == 270
    assert whole["rows"] == lines
    assert whole["double_dummy"] is True
    assert (whole["hands"], whole["deals"], whole["seed"]) == (30, 8, 5)
    assert frame.attrs["seed"] == 5
    for row, line, rate in zip(rows, lines, frame["rate_33"], strict=True):
        assert float(row["rate_33"]) == line["rate_33"] == rate
        assert list(row) == list(line) == frame.columns.tolist()
        assert row["best_bid"] == ("" if line["best_bid"] is None else str(line["best_bid"]))


@pytest.mark.parametrize(
    ("style", "hand", "shape"),
    [
        ("dash", "6-5 6-2", "0-2-5"),
        ("colon", "6:5 6:2", "0:2:5"),
        ("bracket", "[6|5] [6|2]", "[0|2|5]"),
    ],
)
def test_tiles_are_written_as_asked(run, style, hand, shape):
    rows = list(csv.DictReader(io.StringIO(table(run, "--format", "csv", "--tiles", style))))
    assert any(row["hand"].startswith(hand) for row in rows)
    shapes = csv.DictReader(
        io.StringIO(table(run, "--format", "csv", "--by", "shape", "--tiles", style))
    )
    assert shape in [row["shape"] for row in shapes]


def test_tables_of_a_terminal(run):
    rows = table(run, "--limit", "2")
    assert rows.startswith("30 random hands, 8 deals a hand, seed 5\n")
    assert "double dummy: all four hands are seen" in rows
    assert "and 28 more hands" in rows
    assert rows.count("follow-me") >= 2
    assert "Wilson" in rows
    assert max(map(len, rows.splitlines())) <= 80
    best = table(run, "--best")
    assert "and 10 more hands" in best
    assert "fair" in best.splitlines()[3]
    assert "cross-fitted" in rows
    assert max(map(len, best.splitlines())) <= 80
    groups = table(run, "--by", "trumps, double_held", "--best")
    assert "spread between hands" in groups
    assert "yes" in groups
    assert max(map(len, groups.splitlines())) <= 80
    names, bids = groups.splitlines()[3].split("   hands")
    assert names.split() == ["kind", "trumps", "double_held"]
    assert {"30", "35", "40", "42", "±"} <= set(bids.split())
    assert table(run, "--by", "trump", "--limit", "3").endswith(
        "\n\nand 6 more groups: --limit N, or -o FILE\n"
    )


def test_a_file_is_not_replaced_unasked(run, tmp_path):
    target = tmp_path / "out.csv"
    target.write_text("mine")
    result = CliRunner().invoke(main, ["table", run, "-o", str(target)])
    assert result.exit_code == 2
    assert target.read_text() == "mine"


def test_unknown_groups_are_one_line(run):
    result = CliRunner().invoke(main, ["table", run, "--by", "colour"])
    assert result.exit_code == 2
    assert "'colour'" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_run_without_a_finished_block_is_one_line(tmp_path):
    path = tmp_path / "empty"
    Run.create(path, Study(hands=3, deals=2, seed=1))
    for words in ((), ("--best",), ("--by", "trump"), ("--by", "shape", "--best")):
        result = CliRunner().invoke(main, ["table", str(path), *words])
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1].endswith("no hand of this run is done yet")
        assert "Traceback" not in result.stderr


def test_one_hand_of_one_deal(tmp_path, monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    path = str(tmp_path / "run")
    run_study(Study(hands=1, deals=1, seed=1), path=path)
    assert table(path, "--best").startswith("1 random hand, 1 deal a hand, seed 1\n")
    assert table(path, "--by", "shape")
    result = CliRunner().invoke(main, ["table", path, "--by", "shape", "--best"])
    assert result.exit_code == 2
    assert result.stderr == "sim42: cross-fitted figures need hands with two deals or more\n"


def test_the_best_of_a_run_with_floor_42_has_one_column_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    path = str(tmp_path / "run")
    run_study(Study(hands=3, deals=4, seed=1, floor=42), path=path)
    head = table(path, "--best").splitlines()[3]
    assert head.split() == ["hand", "trump", "bid", "42", "shown", "cross-fitted"]


def test_the_best_of_a_hand_are_the_figures_of_its_bid(run):
    """What stands beside a bid is of that bid and trump on all deals, and the other is labelled."""
    rows = [json.loads(line) for line in table(run, "--best", "--format", "jsonl").splitlines()]
    every = [json.loads(line) for line in table(run, "--format", "jsonl").splitlines()]
    printed = table(run, "--best", "--limit", "30").splitlines()[4:64]
    for row, line, below in zip(rows, printed[::2], printed[1::2], strict=True):
        (of_trump,) = (
            other
            for other in every
            if (other["mask"], other["trump"]) == (row["mask"], row["best_trump"])
        )
        bid = row["best_bid"]
        marks = 0.0 if bid is None else 2 * of_trump[f"rate_{min(bid, 42)}"] - 1
        assert row["shown"] == pytest.approx(marks * (2 if bid == 84 else 1))
        assert line.split()[7:] == [
            row["best_trump"],
            "pass" if bid is None else str(bid),
            percent(of_trump["rate_30"]),
            percent(of_trump["rate_42"]),
            f"{row['shown']:+.2f}",
            f"{row['fair']:+.2f}",
            f"{(row['fair_high'] - row['fair_low']) / 2:.2f}",
        ]
        assert below.split() == [
            "in",
            "play",
            row["play_trump"],
            "pass" if row["play_bid"] is None else str(row["play_bid"]),
            percent(row["play_rate_30"]),
            percent(row["play_rate_42"]),
            f"{row['play_marks']:+.2f}",
        ]


def test_groups_are_apart_by_kind_of_trump_and_agree_with_the_chart(frame):
    table = group_table(frame, ["trumps", "doubles"])
    assert set(table["kind"]) == {"pip", "doubles", "follow-me"}
    pips = frame[frame["trump"].cat.codes < Trump.DOUBLES]
    pips.attrs = frame.attrs
    of_pips = table[table["kind"] == "pip"].reset_index(drop=True)
    assert group_table(pips, ["trumps", "doubles"]).equals(of_pips)
    grid = chart_types(frame).child_axes[0].collections[0].get_array()
    assert sorted(np.ma.compressed(grid)) == sorted(of_pips["rate_30"])
    row = table[(table["kind"] == "follow-me")]
    assert (row["trumps"] == 0).all()
    assert row["deals"].sum() == frame[frame["trump"] == "follow-me"]["deals"].sum()


def test_tables_say_their_rules_and_which_hands_they_are_of(tmp_path, monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    path = str(tmp_path / "run")
    rules = Rules(doubles="low", scoring="points")
    run_study(Study(hands=range(150), deals=2, seed=1, rules=rules), path=path)
    for words in ((), ("--best",), ("--by", "kind"), ("--by", "kind", "--best")):
        text = table(path, *words)
        assert text.startswith("150 hands by number, not random, 2 deals a hand, seed 1\n")
        assert "\nRules: doubles = low, scoring = points.\n" in text
        assert ("not drawn at random" in text) == ("--by" in words)
        assert ("These rules score points" in text) == ("--by" not in words)
        assert max(map(len, text.splitlines())) <= 80
    assert json.loads(table(path, "--format", "json"))["selection"] == "numbered"


@pytest.mark.parametrize(
    ("hands", "selection"),
    [(3, "random"), (range(3), "numbered"), (["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], "listed")],
)
def test_runs_tell_how_their_hands_were_chosen(hands, selection, monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
    first, second = (run_study(Study(hands=hands, deals=2, seed=seed)) for seed in (1, 2))
    assert first.attrs["selection"] == selection
    if selection != "random":  # random hands of two seeds are others
        assert add_runs(first, second).attrs["selection"] == selection
    other = run_study(Study(hands=range(7, 9), deals=2, seed=1))
    mixed = add_runs(first, other).attrs["selection"]
    assert mixed == ("numbered" if selection == "numbered" else "mixed")


def test_the_help_names_every_feature():
    text = " ".join(CliRunner().invoke(main, ["table", "--help"]).stdout.split())
    assert f"Names: trump, {', '.join(FEATURES)}." in text


@pytest.mark.parametrize(("made", "reached"), [(15, 75), (14, 60), (12, 60), (10, 50), (9, 0)])
def test_a_bid_made_in_just_so_many_of_the_deals_is_made_so_often(made, reached):
    row = best_calls(run_with([[[42] * made + [29] * (20 - made)]], [Trump.FIVES])).iloc[0]
    for q in (50, 60, 75):
        assert pd.isna(row[f"at{q}_bid"]) == (q > reached)
        assert pd.isna(row[f"at{q}_rate"]) == (q > reached)
