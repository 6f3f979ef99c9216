"""Dealing: 100,000 deals, free and around a hand."""

import time

import pytest

from sim42 import Hand
from sim42.deals.random import deals_around, random_deals

COUNT = 100_000
HAND = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0")
pytestmark = pytest.mark.benchmark(timer=time.process_time)


def bench_random_deals(benchmark):
    assert len(benchmark(random_deals, COUNT, seed=42)) == COUNT


def bench_deals_around_a_hand(benchmark):
    assert len(benchmark(deals_around, HAND.mask, COUNT, seed=42)) == COUNT
