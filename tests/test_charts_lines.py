"""Charts of lines and bars: curve, points, convergence, compare."""

from dataclasses import replace

import numpy as np
import pytest
from pictures import (
    assert_like_baseline,
    assert_nothing_cut,
    random_points,
    random_rows,
    random_run,
    rows_with,
    run_with,
    sample_with,
    words_of,
)
from scipy.stats import t, ttest_rel

from sim42 import Hand, Rules, Trump
from sim42.charts import chart_compare, chart_convergence, chart_curve, chart_points
from sim42.charts.curve import spread
from sim42.errors import RequestError
from sim42.runs.sample import POINTS
from sim42.tables.bid import bid_rows
from sim42.tables.compare import compare_hands, compare_runs, compare_samples
from sim42.tables.convergence import running_bid, running_run
from sim42.tables.hands import best_calls
from sim42.tables.spread import USUAL_RATES, clustered, student_interval

OTHER = Hand("6-6 6-5 6-4 5-5 4-4 3-3 2-1")
EXTREMES = [
    pytest.param([[42] * 9], tuple(Trump), id="one deal, all make"),
    pytest.param([[29] * 9] * 50, tuple(Trump), id="none makes"),
    pytest.param([[42]] * 50, [Trump.FOLLOW_ME], id="one trump"),
    pytest.param([[42] * 4 + [29] * 5] * 10**4, tuple(Trump), id="many deals"),
]


def test_curve_shows_every_rate():
    rows = random_rows()
    ax = chart_curve(rows)
    for trump, part in rows.groupby("trump", observed=True):
        (line,) = [line for line in ax.lines if line.get_label() == trump]
        assert line.get_ydata().tolist() == part["rate"].tolist()
    (dotted,) = [line for line in ax.lines if line.get_label() == "_in play"]
    best = rows[rows["trump"] == rows.attrs["in_play"]["call"]["trump"]]
    assert dotted.get_ydata().tolist() == best["in_play"].tolist()
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "curve")


def test_curve_tells_trumps_apart_without_colour():
    ax = chart_curve(random_rows())
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    assert len({line.get_marker() for line in lines}) == 9


def test_curve_with_a_survey_behind():
    run = random_run()
    ax = chart_curve(random_rows(), survey=run)
    (median,) = [line for line in ax.lines if line.get_label() == "_median"]
    expected = best_calls(run)[[f"cross_{bid}" for bid in range(30, 43)]].median()
    assert median.get_ydata() == pytest.approx(expected.to_numpy())
    assert "300 random hands" in words_of(ax)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "curve_survey")


@pytest.mark.parametrize(("points", "trumps"), EXTREMES)
def test_curve_and_points_at_the_extremes(points, trumps):
    rows = rows_with(points, trumps)
    assert_nothing_cut(chart_curve(rows))
    assert_nothing_cut(chart_points(rows))


def test_spread_keeps_order_and_distance():
    rng = np.random.default_rng(1)
    for _ in range(200):
        heights = sorted(rng.choice([0.0, 0.02, 0.5, 1.0, rng.random()], 9).tolist())
        moved = spread(heights, gap=0.058, least=0.0, most=1.0)
        assert (np.diff(moved) >= 0.058 - 1e-9).all()
        assert moved[0] >= -1e-9
        assert moved[-1] <= 1 + 1e-9


def test_points_are_the_counts():
    rows = random_rows()
    ax = chart_points(rows, "twos")
    counts = rows.attrs["counts"]["twos"]
    heights = [bar.get_height() for bar in ax.patches if bar.get_width() > 0.5]
    assert heights == [counts[points] / 500 for points in POINTS]
    assert "twos as trump" in ax.get_title("left")
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "points")


def test_points_of_the_recommended_trump():
    rows = random_rows()
    assert rows.attrs["call"]["trump"] in chart_points(rows).get_title("left")
    with pytest.raises(RequestError, match="trump sixes: was not solved; there are fives"):
        chart_points(rows_with([[42]], [Trump.FIVES]), Trump.SIXES)


def test_convergence_of_a_hand():
    points = random_points()
    frame = running_bid(sample_with(points), 36, Trump.TWOS, plain=True)
    assert frame["n"].tolist() == [10, 20, 50, 100, 200, 500]
    assert frame["rate"].tolist() == [(points[:n, 2] >= 36).mean() for n in frame["n"]]
    assert (frame["low"] <= frame["rate"]).all()
    ax = chart_convergence(frame)
    assert ax.lines[0].get_ydata().tolist() == frame["rate"].tolist()
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "convergence")


def test_convergence_of_a_survey():
    run = random_run()
    frame = running_run(run, 42)
    best = best_calls(run)
    assert frame["rate"].iloc[-1] == pytest.approx(best["cross_42"].mean())
    for n, low, high in frame[["n", "low", "high"]].to_numpy().tolist():
        hands = best.head(int(n))
        ends = clustered(hands["cross_42"] * hands["deals"], hands["deals"])[1:]
        assert (low, high) == pytest.approx(tuple(map(float, ends)))
    ax = chart_convergence(frame)
    assert "number of hands" in words_of(ax)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "convergence_survey")


@pytest.mark.parametrize("deals", [1, 7, 10, 11, 99, 10**5])
@pytest.mark.parametrize("value", [29, 42])
def test_convergence_at_the_extremes(deals, value):
    frame = running_bid(sample_with([[value]] * deals, [Trump.FIVES]))
    assert frame["n"].iloc[-1] == deals
    assert_nothing_cut(chart_convergence(frame))


def test_convergence_of_a_single_hand():
    frame = running_run(run_with([[[42, 29]]], [Trump.FIVES]))
    assert frame[["low", "high"]].to_numpy().tolist() == [[0, 1]]
    assert_nothing_cut(chart_convergence(frame))


def test_convergence_wants_a_bid_and_a_trump_that_are_there():
    sample = sample_with([[42]], [Trump.FIVES])
    with pytest.raises(RequestError, match="bid 43"):
        running_bid(sample, 43)
    with pytest.raises(RequestError, match="trump sixes"):
        running_bid(sample, 30, Trump.SIXES)
    with pytest.raises(RequestError, match="below 40"):
        running_run(random_run(floor=40), 30)
    with pytest.raises(RequestError, match="two deals or more"):
        running_run(random_run(deals=1))


def test_compare_two_hands():
    first, second = random_rows(), random_rows(200, seed=2, hand=OTHER)
    frame = compare_hands(first, second, "twos", "sixes")
    assert frame["first"].tolist() == first.loc[first["trump"] == "twos", "rate"].tolist()
    assert frame["second"].tolist() == second.loc[second["trump"] == "sixes", "rate"].tolist()
    assert (frame["difference"] == frame["first"] - frame["second"]).all()
    assert (frame["low"] < frame["difference"]).all()
    ax = chart_compare(frame)
    words = words_of(ax)
    assert "500 and 200 random deals" in words
    left, right = ax.child_axes
    assert left.lines[1].get_ydata().tolist() == frame["second"].tolist()
    assert right.lines[1].get_ydata().tolist() == frame["difference"].tolist()
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "compare")


def test_compare_two_runs_hand_by_hand():
    first, second = random_run(seed=1), random_run(seed=2, hands=200)
    frame = compare_runs(first, second)
    rates = [best_calls(run).set_index("mask")["cross_36"] for run in (first, second)]
    paired = (rates[0] - rates[1]).dropna()
    row = frame[frame["bid"] == 36].iloc[0]
    assert len(paired) == 200
    assert row["difference"] == pytest.approx(paired.mean())
    assert (row["low"], row["high"]) == student_interval(paired, USUAL_RATES, -1, 1)[1:]
    half = t.ppf(0.975, 199) * paired.std() / 200**0.5
    assert row["high"] - row["difference"] == pytest.approx(half, rel=0.05)
    ax = chart_compare(frame)
    assert "200 hands in both" in words_of(ax)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "compare_runs")


def test_compare_runs_that_share_no_hand():
    first, second = random_run(hands=60), random_run(hands=40, seed=3)
    assert second["mask"].nunique() == 40
    second["mask"] += 1  # no hand, but a number of its own
    frame = compare_runs(first, second)
    assert "60 and 40 hands" in frame.attrs["note"]
    assert "of two independent means" in frame.attrs["note"]
    for row in frame.to_dict("records"):
        one, other = (best_calls(run)[f"cross_{row['bid']}"] for run in (first, second))
        assert row["difference"] == pytest.approx(one.mean() - other.mean())
        halves = [t.ppf(0.975, len(side) - 1) * side.sem() for side in (one, other)]
        half = (halves[0] ** 2 + halves[1] ** 2) ** 0.5
        assert [row["low"], row["high"]] == pytest.approx(
            [row["difference"] - half, row["difference"] + half], abs=0.01
        )
    assert_nothing_cut(chart_compare(frame))


def test_the_same_deals_are_compared_deal_by_deal():
    sample = sample_with(random_points())
    with pytest.raises(RequestError, match="compare_samples"):
        compare_hands(bid_rows(sample), bid_rows(sample))
    frame = compare_samples(sample, sample)
    assert (frame["difference"] == 0).all()
    assert (frame["low"] < 0).all()
    longer = replace(sample, points=np.concatenate([sample.points, sample.points[:100]]))
    frame = compare_samples(sample, longer, "twos", "sixes", plain=True)
    twos, sixes = (sample.points[:, trump] >= 36 for trump in (Trump.TWOS, Trump.SIXES))
    row = frame[frame["bid"] == 36].iloc[0]
    both = ttest_rel(twos.astype(float), sixes).confidence_interval(0.95)
    assert row["difference"] == pytest.approx(twos.mean() - sixes.mean())
    assert [row["low"], row["high"]] == pytest.approx([both.low, both.high], abs=0.001)
    assert "The same 500 random deals" in frame.attrs["note"]
    assert_nothing_cut(chart_compare(frame))


def test_samples_of_other_hands_or_seeds_are_independent():
    first = sample_with(random_points())
    for other in (replace(first, hand=OTHER), replace(first, seed=43)):
        frame = compare_samples(first, other, "twos", "sixes")
        expected = compare_hands(bid_rows(first), bid_rows(other), "twos", "sixes")
        assert frame.equals(expected)
        assert "Newcombe" in frame.attrs["note"]


def test_two_that_differ_have_legends_that_differ():
    sample = sample_with(random_points())
    low = replace(sample, rules=Rules(doubles="low"))
    for other, words in ((low, "doubles = low"), (replace(sample, seed=43), "seed 43")):
        first, second = compare_samples(sample, other, "twos", "twos").attrs["names"]
        assert words in second
        assert words not in first
    run = random_run(40)
    other = run.copy()
    other.attrs = {**run.attrs, "rules": low.rules.as_dict()}
    first, second = compare_runs(run, other).attrs["names"]
    assert first.endswith("tournament rules")
    assert second.endswith("doubles = low")


def test_rules_that_both_have_stand_in_the_note():
    low = replace(sample_with(random_points()), rules=Rules(doubles="low"))
    frame = compare_samples(low, replace(low, seed=43))
    assert "Rules: doubles = low." in frame.attrs["note"]
    assert_nothing_cut(chart_compare(frame))
