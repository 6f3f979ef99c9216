"""Intervals against scipy, and what they must hold to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel

from sim42.tables.stats import mean_interval, quantile_of, wilson


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
    assert (low, high) == pytest.approx((reference.low, reference.high), rel=1e-2)


def test_one_value_has_no_interval():
    mean, low, high = mean_interval([3])
    assert mean == 3
    assert np.isnan([low, high]).all()


def test_quantile_of_two_sides():
    assert quantile_of(0.95) == pytest.approx(1.959964, abs=1e-6)
