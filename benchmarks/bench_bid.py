"""A whole bid table: 200 deals around one hand, nine trumps, one thread."""

import time

import pytest

from sim42 import bid_table
from sim42.solver.values import warm_up

pytestmark = pytest.mark.benchmark(timer=time.process_time)

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


def bench_bid_table(benchmark):
    warm_up()
    table = benchmark.pedantic(
        bid_table, (HAND,), {"deals": 200, "seed": 42, "threads": 1}, rounds=3, warmup_rounds=1
    )
    assert table.shape == (9, 13)
