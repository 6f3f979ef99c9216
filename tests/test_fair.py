"""Fair figures: drawn towards what like hands make, and free of the winner's curse."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import beta
from stand_in import points as stand_in_points

import sim42.runs.blocks
from sim42 import Study, Trump, run_study
from sim42.cli import main
from sim42.deals.random import random_hands
from sim42.tables.counts import counts_of, made_of
from sim42.tables.fair import LEAST_HANDS, FairRates, fair_rates
from sim42.tables.features import hand_features
from sim42.tables.hands import best_calls, fair_calls

HANDS, DEALS, LIKENESS = 3000, 20, 0.04
TRUMPS = (Trump.FIVES, Trump.FOLLOW_ME)


@pytest.fixture(scope="module")
def known():
    """Hands whose chances are known: what features say, and something of their own."""
    rng = np.random.default_rng(1)
    masks = np.repeat(random_hands(HANDS, 5), len(TRUMPS))
    trumps = np.tile([int(trump) for trump in TRUMPS], HANDS)
    features = hand_features(masks, trumps)
    look = 0.5 * features["trumps"] + 0.7 * features["doubles"] - 0.2 * features["bare"]
    mean = 1 / (1 + np.exp(-(look - 1.5).to_numpy()))
    strength = 1 / LIKENESS - 1
    chance = rng.beta(mean * strength, (1 - mean) * strength)
    deals = np.full(len(masks), DEALS)
    made = rng.binomial(deals, chance)[:, np.newaxis]
    return masks, trumps, chance, mean, made, deals


def test_fair_rates_are_nearer_to_the_truth_than_what_is_shown(known):
    masks, trumps, chance, mean, made, deals = known
    fair = fair_rates(masks, trumps, made, deals).mean[:, 0]
    shown = made[:, 0] / deals

    def error(rates):
        return np.sqrt(np.mean((rates - chance) ** 2))

    ideal = (made[:, 0] + (1 / LIKENESS - 1) * mean) / (DEALS + 1 / LIKENESS - 1)
    assert error(shown) > 0.085
    assert error(fair) < 1.1 * error(ideal) < 0.072


def test_the_interval_holds_the_truth_also_of_hands_picked_for_looking_good(known):
    masks, trumps, chance, _, made, deals = known
    rates = fair_rates(masks, trumps, made, deals)
    low, high = (end[:, 0] for end in rates.interval())
    held = (low <= chance) & (chance <= high)
    assert 0.93 <= held.mean() <= 0.97
    shown, fair = made[:, 0] / deals, rates.mean[:, 0]
    best = np.argsort(-shown)[:300]
    assert (shown - chance)[best].mean() > 0.05
    assert abs((fair - chance)[best].mean()) < 0.012
    assert held[best].mean() >= 0.9


def test_a_hand_does_not_teach_what_is_expected_of_itself(known):
    """What its own deals say is counted once: the expectation stays when they change."""
    masks, trumps, _, _, made, deals = known
    other = made.copy()
    other[0] = DEALS - made[0]
    prior = [fair_rates(masks, trumps, m, deals).made[0, 0] - m[0, 0] for m in (made, other)]
    assert prior[0] == pytest.approx(prior[1], rel=0.03)


def test_few_hands_teach_nothing_and_many_deals_need_no_others(known):
    masks, trumps, _, _, made, deals = known
    few = slice(0, 2 * (LEAST_HANDS - 1))
    assert np.isnan(fair_rates(masks[few], trumps[few], made[few], deals[few]).mean).all()
    many = fair_rates(masks, trumps, made * 10**5, deals * 10**5).mean[:, 0]
    assert many == pytest.approx(made[:, 0] / deals, abs=1e-3)


def test_what_hands_unlike_any_other_are_expected_to_do_is_worth_a_deal():
    """Where rates are 0 and 1 whatever is expected, hands of one outcome still have an interval."""
    masks = random_hands(60, 1)
    made = np.where(np.random.default_rng(1).random(60) < 0.5, 20, 0)[:, np.newaxis]
    rates = fair_rates(masks, np.zeros(60, dtype=np.int64), made, np.full(60, 20))
    low, high = rates.interval()
    assert ((low <= rates.mean) & (rates.mean <= high) & (high - low > 0.05)).all()


def test_ends_are_those_of_a_beta_distribution():
    low, high = FairRates(np.array([[12.5]]), np.array([[3.0]])).interval()
    assert (low[0, 0], high[0, 0]) == pytest.approx(tuple(beta.ppf([0.025, 0.975], 13, 3.5)))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("fair") / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim42.runs.blocks, "solve_block", stand_in_points)
        frame = run_study(Study(hands=60, deals=11, seed=3), path=path)
    return path, frame


def test_fair_marks_are_those_of_the_call_that_is_shown(run):
    _, frame = run
    calls, best = fair_calls(frame), best_calls(frame)
    pd.testing.assert_frame_equal(calls[list(best)], best)
    made = made_of(counts_of(frame, "even", "odd"))
    trumps = frame["trump"].cat.codes.to_numpy().astype(np.int64)
    deals = frame["deals"].to_numpy()
    mean = fair_rates(frame["mask"].to_numpy(), trumps, made[:, [0, 12]], deals).mean
    for call in calls.astype(object).to_dict("records"):
        row = ((frame["mask"] == call["mask"]) & (frame["trump"] == call["best_trump"])).argmax()
        assert [call["fair_30"], call["fair_42"]] == pytest.approx(mean[row])
        if pd.isna(call["best_bid"]):
            assert call["fair"] == call["fair_low"] == call["fair_high"] == 0
            continue
        stake = 2 if call["best_bid"] == 84 else 1
        rate = mean[row, 0 if call["best_bid"] == 30 else 1]
        assert call["fair"] == pytest.approx(stake * (2 * rate - 1))
        assert call["fair_low"] < call["fair"] < call["fair_high"]


def test_rows_in_any_order_give_the_same_fair_figures(run):
    _, frame = run
    shuffled = frame.sample(frac=1, random_state=1)
    one, other = (fair_calls(f).set_index("mask").sort_index() for f in (frame, shuffled))
    assert one["fair"].to_numpy() == pytest.approx(other["fair"].to_numpy())


def test_table_ranks_hands_by_what_they_are_fairly_worth(run):
    path, frame = run

    def table(*words):
        result = CliRunner().invoke(main, ["table", path, *words], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    calls = fair_calls(frame)
    for rank in ("fair", "shown"):
        text = table("--best", "--rank", rank, "--limit", "5", "--format", "jsonl")
        rows = [json.loads(line) for line in text.splitlines()]
        best = sorted(calls[rank], reverse=True)[:5]
        assert [row[rank] for row in rows] == pytest.approx(best)
    text = table("--best", "--rank", "fair", "--limit", "5")
    best = calls.sort_values("fair", ascending=False, kind="stable")
    assert text.splitlines()[4].startswith(best["hand"].iloc[0])
    assert "fair: marks drawn towards what hands like it make" in text
    assert max(map(len, text.splitlines())) <= 80
    refused = CliRunner().invoke(main, ["table", path, "--rank", "fair"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--rank goes with --best" in refused.stderr
