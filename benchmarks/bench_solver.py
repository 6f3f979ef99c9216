"""The solver on one core, in CPU time: deals of seed 42, all nine trumps.

Beside the time, the extra information of each benchmark holds what does not depend on the machine:
plies (tiles played by the search; the last two tricks are not counted) and their percentiles.
"""

import time

import numpy as np
import pytest

from sim42.deals.random import random_deals
from sim42.game.trumps import Trump
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain
from sim42.solver.kernels.search import solve_block, solve_counting
from sim42.solver.lookups import stacked
from sim42.solver.values import warm_up

pytestmark = pytest.mark.benchmark(timer=time.process_time)

DEALS = 200
SEAT_0 = np.zeros((DEALS, 1), dtype=np.int64)
ALL_SEATS = np.tile(np.arange(4), (DEALS, 1))


@pytest.fixture(scope="module")
def deals():
    warm_up()
    return random_deals(DEALS, seed=42)


@pytest.mark.parametrize("floor", [30, 0])
@pytest.mark.parametrize("leaders", [SEAT_0, ALL_SEATS], ids=["seat-0", "all-seats"])
def bench_values(benchmark, deals, floor, leaders):
    arrays = stacked(Trump)
    benchmark.pedantic(solve_block, (deals, *arrays, leaders, floor), rounds=5, warmup_rounds=1)
    plies = solve_counting(deals, *arrays, leaders, floor, ALL_BOUNDS)[1]
    benchmark.extra_info["plies a value"] = round(float(plies.mean()))
    for rank in (50, 90, 99, 100):
        benchmark.extra_info[f"plies, {rank} %"] = round(float(np.percentile(plies, rank)))
    if benchmark.stats:  # none when benchmarks are disabled
        seconds = benchmark.stats.stats.min
        benchmark.extra_info["ms a value"] = round(1e3 * seconds / plies.size, 4)
        benchmark.extra_info["ns a ply"] = round(1e9 * seconds / float(plies.sum()), 1)


def bench_leads_and_line(benchmark, deals):
    arrays = [array[Trump.FIVES] for array in stacked(Trump)]
    table = np.full(3, -1)

    def run():
        for deal in deals:
            explain(deal, table, 0, *arrays)

    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
