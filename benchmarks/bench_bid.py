"""A whole bid table, its leads, and a survey: nine trumps, one thread, what floor 0 costs."""

import time

import pytest

from sim42 import Hand, Rules, Study, bid_table, run_study
from sim42.deals.random import deals_around
from sim42.runs.leads import sample_leads
from sim42.solver.values import warm_up
from sim42.tables.passing import chances_after, contracts_after, scores_played

pytestmark = pytest.mark.benchmark(timer=time.process_time)

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
ASKED = {"deals": 200, "seed": 42, "threads": 1}
ROUNDS = {"rounds": 3, "warmup_rounds": 1}


@pytest.mark.parametrize("floor", [30, 0])
def bench_bid_table(benchmark, floor):
    warm_up()
    table = benchmark.pedantic(bid_table, (HAND,), {**ASKED, "floor": floor}, **ROUNDS)
    assert table.shape == (9, 13 if floor else 15)


@pytest.mark.parametrize("floor", [30, 0])
def bench_leads(benchmark, floor):
    """All leads; with floor 30 as for `sim42 bid --lead fixed`."""
    warm_up()
    sample = benchmark.pedantic(sample_leads, (HAND,), {**ASKED, "floor": floor}, **ROUNDS)
    assert sample.points.shape == (200, 9, 7)


@pytest.mark.parametrize("floor", [30, 0])
def bench_survey(benchmark, floor):
    warm_up()
    study = Study(hands=40, deals=20, seed=42, floor=floor)
    frame = benchmark.pedantic(run_study, (study,), {"threads": 1}, **ROUNDS)
    assert len(frame) == 360


def bench_pass_value(benchmark):
    """What passing is worth on the deals of a bid, the others' chances told from their tiles."""
    warm_up()
    deals = deals_around(Hand(HAND).mask, 1000, seed=42)

    def price():
        chances = chances_after(deals)
        return scores_played(deals, contracts_after(chances, Rules()), Rules(), threads=1)

    assert benchmark.pedantic(price, **ROUNDS).shape == (1000,)
