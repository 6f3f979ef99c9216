"""Intervals against scipy, and what they must hold to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t, ttest_1samp, ttest_rel

from sim42.tables.stats import clustered, mean_interval, quantile_of, student, wilson


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


def test_mean_interval_of_differences_is_the_paired_one_of_scipy():
    rng = np.random.default_rng(2)
    a = rng.normal(size=5000)
    b = a + rng.normal(0.1, 0.3, size=5000)
    mean, low, high = mean_interval(a - b)
    reference = ttest_rel(a, b).confidence_interval(0.95)
    assert mean == pytest.approx((a - b).mean())
    assert (low, high) == pytest.approx((reference.low, reference.high))


@pytest.mark.parametrize("values", [[0.0, 1.0], [3, 1, 2], [1, 1, 1, 0]])
def test_mean_interval_of_few_values_is_that_of_scipy(values):
    reference = ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean_interval(values) == pytest.approx((np.mean(values), reference.low, reference.high))


@pytest.mark.parametrize("made", [[3, 1, 4], [9, 8, 9, 7], [5, 0], [2, 6, 4, 5, 4]])
def test_clustered_is_the_score_interval_of_the_spread_between_hands(made):
    """With equal deals a hand the rate is a mean, and its variance that of a mean of hands."""
    rate, low, high = clustered(made, [10] * len(made))
    rates = np.array(made) / 10
    variance = rates.var(ddof=1) / len(made)
    worth = min(rate * (1 - rate) / variance, 10 * len(made))
    quantile = t.ppf(0.975, len(made) - 1)
    assert rate == pytest.approx(rates.mean())
    for end in (float(low), float(high)):
        assert abs(rate - end) == pytest.approx(quantile * (end * (1 - end) / worth) ** 0.5)


def test_clustered_weighs_hands_by_their_deals():
    made, deals = np.array([3, 8, 1]), np.array([10, 20, 5])
    rate, low, high = clustered(made, deals)
    assert rate == pytest.approx(12 / 35)
    residual = made - 12 / 35 * deals
    variance = 3 / 2 * (residual**2).sum() / 35**2
    worth = min(12 / 35 * 23 / 35 / variance, 35)
    for end in (float(low), float(high)):
        assert abs(rate - end) == pytest.approx(t.ppf(0.975, 2) * (end * (1 - end) / worth) ** 0.5)


def test_student_is_that_of_scipy():
    for freedom in (1, 2, 3, 10, 10**6):
        assert student(0.95, freedom) == pytest.approx(t.ppf(0.975, freedom))


def test_one_value_has_no_interval():
    mean, low, high = mean_interval([3])
    assert mean == 3
    assert np.isnan([low, high]).all()


def test_quantile_of_two_sides():
    assert quantile_of(0.95) == pytest.approx(1.959964, abs=1e-6)
