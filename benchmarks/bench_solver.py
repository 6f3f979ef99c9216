"""The solver on one core, in CPU time: deals and endings of seed 42, all nine trumps.

Beside the time, the extra information of each benchmark holds what does not depend on the machine:
plies (tiles played by the search; the last two tricks are not counted) and their percentiles.
"""

import time

import numpy as np
import pytest

from sim42.deals.random import random_deals
from sim42.game.tiles import mask_of, tiles_of
from sim42.game.trumps import Trump
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain, makes_block, play_block, value_block
from sim42.solver.lookups import stacked
from sim42.solver.values import warm_up

pytestmark = pytest.mark.benchmark(timer=time.process_time)

ROUNDS = {"rounds": 5, "warmup_rounds": 1}
DEALS = 200
SEAT_0 = np.zeros((DEALS, 1), dtype=np.int64)
ALL_SEATS = np.tile(np.arange(4), (DEALS, 1))
ENDINGS = {7: 50, 6: 150, 5: 400, 4: 2000, 3: 4000, 2: 10_000, 1: 10_000}
"""Positions measured of so many tricks, each under nine trumps."""


@pytest.fixture(scope="module")
def deals():
    warm_up()
    return random_deals(DEALS, seed=42)


def arguments(tricks, floor=0):
    """Starts of a trick with so many tiles a hand, the highest ones, under each trump."""
    deals = random_deals(ENDINGS[tricks], seed=42)
    hands = np.array([[mask_of(tiles_of(hand)[-tricks:]) for hand in deal] for deal in deals])
    none, zero = np.full((len(hands), 3), -1), np.zeros(len(hands), dtype=np.int64)
    return hands, none, zero, zero, zero + floor, *stacked(Trump), ALL_BOUNDS


def tell(benchmark, plies):
    benchmark.extra_info["plies"] = round(float(plies.mean()), 1)
    for rank in (50, 90, 99, 100):
        benchmark.extra_info[f"plies, {rank} %"] = round(float(np.percentile(plies, rank)))
    if benchmark.stats:  # none when benchmarks are disabled
        seconds = benchmark.stats.stats.min
        benchmark.extra_info["us each"] = round(1e6 * seconds / plies.size, 3)
        if plies.any():
            benchmark.extra_info["ns a ply"] = round(1e9 * seconds / float(plies.sum()), 1)


@pytest.mark.parametrize("floor", [30, 0])
@pytest.mark.parametrize("leaders", [SEAT_0, ALL_SEATS], ids=["seat-0", "all-seats"])
def bench_values(benchmark, deals, floor, leaders):
    given = (deals, *stacked(Trump), leaders, floor, ALL_BOUNDS)
    tell(benchmark, benchmark.pedantic(solve_block, given, **ROUNDS)[1])


@pytest.mark.parametrize("need", [25, 30, 34, 38, 42])
def bench_question(benchmark, need):
    """One yes/no question a deal and trump; compare with the value of seat 0 at floor 30."""
    tell(benchmark, benchmark.pedantic(makes_block, arguments(7, need), **ROUNDS)[1])


@pytest.mark.parametrize("tricks", ENDINGS)
def bench_value_of_positions(benchmark, tricks):
    """Of one and two tricks hardly anything but the set-up of a position is left."""
    tell(benchmark, benchmark.pedantic(value_block, arguments(tricks), **ROUNDS)[1])


@pytest.mark.parametrize("tricks", ENDINGS)
def bench_all_plays_of_positions(benchmark, tricks):
    tell(benchmark, benchmark.pedantic(play_block, arguments(tricks), **ROUNDS)[1])


def bench_leads_and_line(benchmark, deals):
    arrays = [array[Trump.FIVES] for array in stacked(Trump)]
    table = np.full(3, -1)

    def run():
        return np.array([explain(deal, table, 0, *arrays, ALL_BOUNDS)[2] for deal in deals])

    tell(benchmark, benchmark.pedantic(run, **ROUNDS))
