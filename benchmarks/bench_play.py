"""Whole deals played by four equal players on one thread, and what each trick takes."""

import time

import numpy as np
import pytest

from sim42.deals.random import random_deals
from sim42.play.arena import longest_suit, play_deals
from sim42.play.names import find_player
from sim42.solver.warm import warm_up

pytestmark = pytest.mark.benchmark(timer=time.process_time)

DEALS = 100


class Timed:
    """A player whose decisions are timed by the trick."""

    def __init__(self, name):
        self.player, self.seconds = find_player(name), np.zeros(7)

    def choose(self, view, draw):
        start = time.process_time()
        tile = self.player.choose(view, draw)
        self.seconds[len(view.done)] += time.process_time() - start
        return tile


@pytest.mark.parametrize(
    "name", ["club", "pimc:5", "pimc:20", "pimc:80", "pimc:20+bids", "alphamu:20,2", "alphamu:60,3"]
)
def bench_four_of_a_kind(benchmark, name):
    warm_up(play_deals)
    deals = random_deals(DEALS, 42)
    trumps = [longest_suit(mask) for mask in deals[:, 0].tolist()]
    player = Timed(name)

    def play():
        return list(play_deals(deals, trumps, 30, [player] * 4, 42, threads=1))

    played = benchmark.pedantic(play, rounds=1, warmup_rounds=1)
    assert len(played) == DEALS
    each = 1000 * player.seconds / 2 / DEALS  # of both rounds
    benchmark.extra_info["milliseconds a deal"] = round(float(each.sum()), 2)
    benchmark.extra_info["of each trick"] = each.round(2).tolist()
