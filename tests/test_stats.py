"""Intervals against scipy, and what they must hold to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t, ttest_1samp, ttest_rel

from sim42.tables.spread import (
    LIKENESS,
    PRIOR,
    clustered,
    clustered_mean,
    difference_interval,
    mean_interval,
    mean_interval_of,
)
from sim42.tables.stats import quantile_of, student, wilson


@given(trials=st.integers(1, 10**6), data=st.data(), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_is_that_of_scipy(trials, data, level):
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials, level)
    reference = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert low == pytest.approx(reference.low, abs=1e-9)
    assert high == pytest.approx(reference.high, abs=1e-9)


@given(trials=st.integers(1, 10**9), data=st.data())
def test_wilson_holds_the_rate_and_stays_within_0_and_1(trials, data):
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1


def test_wilson_is_exact_at_the_ends_and_never_without_width():
    low, high = wilson([0, 10], [10, 10])
    assert low[0] == 0
    assert high[1] == 1
    assert ((high - low) > 0.2).all()


def test_wilson_covers_as_often_as_it_says():
    rng = np.random.default_rng(1)
    rate, trials = 0.8, 1000
    low, high = wilson(rng.binomial(trials, rate, 20_000), trials)
    assert 0.94 < ((low <= rate) & (rate <= high)).mean() < 0.96


def test_mean_interval_of_many_differences_is_the_paired_one_of_scipy():
    rng = np.random.default_rng(2)
    a = rng.uniform(0, 1, 200_000)
    b = np.clip(a + rng.normal(0.1, 0.3, 200_000), 0, 1)
    mean, low, high = mean_interval(a - b, -1, 1)
    reference = ttest_rel(a, b).confidence_interval(0.95)
    assert mean == pytest.approx((a - b).mean())
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-5)


@given(
    values=st.lists(st.integers(-2, 2), min_size=1, max_size=30),
    level=st.sampled_from([0.5, 0.95]),
)
def test_mean_interval_is_that_of_scipy_with_one_more_value_at_each_bound(values, level):
    """But for the divisor: the variance of the more values is that of Bonett and Price, over n."""
    more = [*values, -2, 2]
    n = len(more)
    half = t.ppf((1 + level) / 2, n - 1) * np.std(more) / n**0.5
    mean, low, high = mean_interval(values, -2, 2, level)
    assert mean == pytest.approx(np.mean(values))
    assert low == pytest.approx(max(np.mean(more) - half, -2))
    assert high == pytest.approx(min(np.mean(more) + half, 2))
    each, times = np.unique(values, return_counts=True)
    assert mean_interval_of(each, times, 2, level) == pytest.approx((mean, low, high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 10, 100])
def test_an_interval_is_never_without_width_and_holds_the_mean_of_equal_values(n):
    for value in (-1.0, 0.0, 1.0):
        low, high = difference_interval(value, 0.0, n, 1.0)
        assert -1 <= low <= value <= high <= 1
        assert high - low > 1 / (n + 2)


def test_the_difference_of_rates_is_that_of_bonett_and_price():
    """Their published method, from the four counts of pairs, with Student for the normal."""
    pairs = {(1, 1): 12, (1, 0): 9, (0, 1): 21, (0, 0): 2}
    values = [a - b for (a, b), times in pairs.items() for _ in range(times)]
    n = len(values)
    up, down = (pairs[1, 0] + 1) / (n + 2), (pairs[0, 1] + 1) / (n + 2)
    half = t.ppf(0.975, n + 1) * ((up + down - (up - down) ** 2) / (n + 2)) ** 0.5
    assert mean_interval(values, -1, 1)[1:] == pytest.approx((up - down - half, up - down + half))


def _clustered_slowly(made, deals):
    """As `clustered`, with the matrices written out."""
    made, deals = np.array(made, dtype=float), np.array(deals, dtype=float)
    share = deals / deals.sum()
    rate, means = made.sum() / deals.sum(), made / deals
    usual = LIKENESS + (1 - LIKENESS) / deals
    centred = np.eye(len(deals)) - np.ones((len(deals), 1)) @ share[np.newaxis]
    form = centred.T @ np.diag(share**2 / (1 - share)) @ centred
    product = form @ np.diag(usual)
    freedom = np.trace(product) ** 2 / np.trace(product @ product)
    assumed = rate * (1 - rate) * (share**2 * usual).sum()
    weights = [freedom, PRIOR]
    variance = np.average([means @ form @ means, assumed], weights=weights)
    return rate, rate * (1 - rate) / variance, t.ppf(0.975, freedom + PRIOR / 2), freedom


@pytest.mark.parametrize(
    ("made", "deals"),
    [
        ([3, 1, 4], [10, 10, 10]),
        ([3, 8, 1], [10, 20, 5]),
        ([5, 0], [10, 10]),
        ([90, 10, 1, 0, 2], [100, 90, 2, 1, 7]),
    ],
)
def test_clustered_is_the_score_interval_of_the_spread_between_hands(made, deals):
    rate, low, high = clustered(made, deals)
    expected, worth, quantile, _ = _clustered_slowly(made, deals)
    worth = min(worth, sum(deals))
    assert rate == pytest.approx(expected)
    for end in (float(low), float(high)):
        assert abs(rate - end) == pytest.approx(quantile * (end * (1 - end) / worth) ** 0.5)


def test_equal_hands_have_a_degree_of_freedom_less_than_there_are():
    assert _clustered_slowly([1, 5, 9], [10, 10, 10])[3] == pytest.approx(2)
    mean, low, high = clustered_mean([1, 5, 9], [2, 2, 2])
    reference = ttest_1samp([0.5, 2.5, 4.5], 0).confidence_interval(0.95)
    assert mean == 2.5
    assert (low, high) == pytest.approx((max(reference.low, 0), reference.high))


def test_hands_without_deals_change_nothing():
    assert clustered([3, 0, 8], [10, 0, 20]) == clustered([3, 8], [10, 20])
    assert clustered_mean([3, 0, 8], [10, 0, 20]) == clustered_mean([3, 8], [10, 20])


def test_student_is_that_of_scipy():
    for freedom in (1, 2, 3, 10, 10**6):
        assert student(0.95, freedom) == pytest.approx(t.ppf(0.975, freedom))


def test_quantile_of_two_sides():
    assert quantile_of(0.95) == pytest.approx(1.959964, abs=1e-6)
