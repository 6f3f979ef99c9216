"""Charts of many hands: types, shapes, bids and trumps."""

import numpy as np
import pytest
from pictures import (
    HAND,
    assert_like_baseline,
    assert_nothing_cut,
    random_run,
    run_with,
    words_of,
)

from sim42 import Trump
from sim42.charts import chart_bids, chart_shapes, chart_trumps, chart_types
from sim42.charts.groups import FEW
from sim42.errors import RequestError
from sim42.tables.best import best_trumps, highest_bids, share_of_hands
from sim42.tables.features import hand_features
from sim42.tables.groups import group_table
from sim42.tables.words import percent

CHARTS = (chart_types, chart_shapes, chart_bids, chart_trumps)


@pytest.fixture(scope="module")
def run():
    return random_run()


@pytest.fixture(scope="module")
def pips(run):
    rows = run[run["trump"].cat.codes < Trump.DOUBLES]
    rows.attrs = run.attrs
    return rows


def test_types_shows_every_group(run, pips):
    ax = chart_types(run)
    groups = group_table(pips, ["trumps", "doubles"]).drop(columns="kind")
    for panel, bid in zip(ax.child_axes, (30, 42), strict=True):
        written = {}
        for text in panel.texts:
            column, row = (round(place) for place in text.get_position())
            written.setdefault((7 - row, column), []).append(text.get_text())
        assert len(written) == 56, "a cell without a word"
        for _, group in groups.iterrows():
            figures = written.pop((group["trumps"], group["doubles"]))
            assert figures == [percent(group[f"rate_{bid}"], 0), f"{int(group['hands']):,}"]
        assert set(map(tuple, written.values())) == {("–",)}
        assert len(panel.patches) == (groups["hands"] < FEW).sum()
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "types")


def test_shapes_are_in_order_and_few_are_hollow(run, pips):
    ax = chart_shapes(run)
    groups = group_table(pips, ["shape"]).set_index("shape")
    shapes = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(shapes) == sorted(groups.index)
    rates = groups.loc[shapes, "rate_30"].to_numpy()
    assert (np.diff(rates) >= 0).all()
    filled, hollow = ax.lines[:2]
    assert len(hollow.get_xdata()) == (groups["hands"] < FEW).sum()
    assert sorted([*filled.get_xdata(), *hollow.get_xdata()]) == sorted(rates)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "shapes")


def test_bids_are_shares_of_all_hands(run):
    ax = chart_bids(run)
    bars, grid = ax.child_axes
    best = best_trumps(run)
    for place, chance in enumerate((50, 60, 75)):
        heights = [bar.get_height() for bar in bars.containers[place]]
        assert sum(heights) == pytest.approx(1)
        assert heights[-1] == pytest.approx((highest_bids(best, chance) == 42).mean())
    assert np.asarray(grid.collections[0].get_array()).sum() == pytest.approx(1)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "bids")


def test_trumps_are_shares_and_costs(run):
    ax = chart_trumps(run)
    left, right = ax.child_axes
    best = best_trumps(run)
    widths = [bar.get_width() for bar in left.patches]
    assert sum(widths) == pytest.approx(1)
    fives = best[best["trump"] == "fives"]
    assert widths[Trump.FIVES] == pytest.approx(len(fives) / len(best))
    assert "best trump" in words_of(ax)
    marks = [line for line in right.lines if line.get_marker() == "D"]
    assert len(marks) == 9
    cost = (fives["rate_30"] - fives["second_30"]).groupby(fives["mask"]).mean().mean()
    assert marks[Trump.FIVES].get_xdata()[0] == pytest.approx(cost)
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "trumps")


def test_second_best_is_best_without_the_best():
    points = np.full((1, 9, 4), 29)
    points[0, Trump.SIXES] = 42
    points[0, Trump.ONES] = (42, 42, 29, 29)
    best = best_trumps(run_with(points))
    assert best["trump"].tolist() == ["sixes"] * 2
    assert best["second"].tolist() == ["ones"] * 2
    assert best["rate_42"].tolist() == [1.0] * 2
    assert best["second_42"].tolist() == [0.5] * 2


def test_highest_bids():
    points = np.array([[[42, 42, 30, 30, 29, 29, 36, 36]]])
    best = best_trumps(run_with(points, [Trump.FIVES]))
    assert highest_bids(best, 50).tolist() == [36, 36]
    assert highest_bids(best, 75).tolist() == [30, 30]
    assert highest_bids(best, 80).tolist() == [0, 0]
    assert best["second"].isna().all()
    assert share_of_hands(best, best["trump"] == "fives")[0] == 1.0


def test_the_choice_is_free_of_the_winners_curse():
    """All trumps are worth the same: the best of nine must not look better than the second."""
    rng = np.random.default_rng(5)
    run = run_with(rng.choice([29, 42], (400, 9, 20)))
    best = best_trumps(run)
    assert best["rate_30"].mean() == pytest.approx(0.5, abs=0.02)
    assert (best["rate_30"] - best["second_30"]).mean() == pytest.approx(0.0, abs=0.03)
    assert len(best) == 800


EXTREMES = {
    "one hand": lambda: run_with(np.full((1, 9, 2), 42)),
    "all make": lambda: run_with(np.full((40, 9, 4), 42)),
    "none makes": lambda: run_with(np.full((40, 9, 4), 29)),
    "one trump": lambda: random_run(trumps=[Trump.FIVES]),
    "500 hands": lambda: random_run(500, 4),
    "floor 42": lambda: random_run(floor=42),
    "lay-downs": lambda: run_with(np.full((1, 9, 2), 42), masks=[0b1111111 << 21]),
    "many deals": lambda: run_with(np.full((3, 9, 12345), 35)),
}


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.__name__)
@pytest.mark.parametrize("name", EXTREMES)
def test_extremes(chart, name):
    ax = chart(EXTREMES[name]())
    assert_nothing_cut(ax)
    words = words_of(ax)
    assert "double dummy" in words
    assert "seed 7" in words
    assert "nan" not in words
    grouped = chart in (chart_types, chart_shapes)
    few = grouped and name in ("one hand", "lay-downs", "all make", "none makes", "many deals")
    assert (f"No group has the {FEW} hands" if few else "95 %") in words


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.__name__)
def test_every_group_of_hands_is_there(chart):
    """All shapes that seven tiles can have, or nearly: the longest list there is."""
    chart_run = random_run(5000, 2)
    features = hand_features(chart_run["mask"].to_numpy(), chart_run["trump"].cat.codes.to_numpy())
    assert features["shape"].nunique() > 25
    assert_nothing_cut(chart(chart_run))


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(RequestError, match="no pip suit"):
        chart_types(run_with([[[42, 42]]], [Trump.DOUBLES]))
    for chart in (chart_bids, chart_trumps):
        with pytest.raises(RequestError, match="two deals or more"):
            chart(run_with([[[42]]], [Trump.FIVES], masks=[HAND.mask]))
