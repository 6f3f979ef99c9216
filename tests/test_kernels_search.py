"""The compiled search against plain minimax, and against itself with parts switched off."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import naive
import numpy as np
import pytest
from endings import endings

from sim42.deals.random import random_deals
from sim42.game.rules import Rules
from sim42.game.tiles import tiles_of
from sim42.game.trumps import Trump
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.lookups import stacked

GAMES = [(trump, "high") for trump in Trump] + [
    (Trump.FOLLOW_ME, "low"),
    (Trump.FOLLOW_ME, "own_suit"),
]
ALL_LEADERS = np.arange(4)


def leaders_of(deals, leaders=ALL_LEADERS):
    return np.tile(np.asarray(leaders, dtype=np.int64), (len(deals), 1))


def values(deals, arrays, leaders, floor=0):
    return solve_block(deals, *arrays, leaders, floor, ALL_BOUNDS)[0]


def naive_points(deal, trump, doubles, leader):
    hands = tuple(tuple(naive.TILES[tile] for tile in tiles_of(hand)) for hand in deal)
    points = naive.value(hands, trump, doubles, leader)
    total = len(hands[0]) + sum(naive.worth(tile) for hand in hands for tile in hand)
    return total - points if leader % 2 else points


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def test_endings_are_worth_what_minimax_says(game):
    trump, doubles = game
    for tricks, count in ((1, 20), (2, 1600), (3, 220), (4, 8), (5, 1)):
        deals = endings(count, tricks, seed=100 * tricks + GAMES.index(game))
        leaders = np.arange(count).reshape(-1, 1) % 4
        points = values(deals, stacked([trump], Rules(doubles=doubles)), leaders)
        expected = [
            naive_points(deal, trump, doubles, leader)
            for deal, (leader,) in zip(deals.tolist(), leaders.tolist(), strict=True)
        ]
        assert points[:, 0, 0].tolist() == expected


def test_one_window_says_what_the_value_says():
    deals = endings(60, 6, seed=3)
    arrays, leaders = stacked(Trump), leaders_of(deals)
    points = values(deals, arrays, leaders)
    for floor in range(1, 43, 3):
        assert (values(deals, arrays, leaders, floor) == points.clip(floor - 1)).all()


def test_the_table_carries_nothing_from_one_deal_to_the_next():
    deals = endings(40, 6, seed=4)
    arrays, leaders = stacked(Trump), leaders_of(deals, [2])
    together, plies = solve_block(deals, *arrays, leaders, 0, ALL_BOUNDS)
    for index in range(len(deals)):
        one = slice(index, index + 1)
        alone = solve_block(deals[one], *arrays, leaders[one], 0, ALL_BOUNDS)
        assert (alone[0] == together[one]).all()
        assert (alone[1] == plies[one]).all()


def test_all_leaders_cost_less_than_one_by_one():
    deals = random_deals(20, seed=5)
    arrays = stacked(Trump)
    points, plies = solve_block(deals, *arrays, leaders_of(deals), 0, ALL_BOUNDS)
    cost = 0
    for leader in range(4):
        single = solve_block(deals, *arrays, leaders_of(deals, [leader]), 0, ALL_BOUNDS)
        assert (single[0][:, :, 0] == points[:, :, leader]).all()
        cost += single[1].sum()
    assert plies.sum() < cost


SIGNATURE = {0: 2_761_025, 30: 979_572}


@pytest.mark.parametrize("floor", SIGNATURE)
def test_plies_are_those_of_the_search_we_mean(floor):
    """Another number means another search: change it on purpose only, with new figures."""
    deals = random_deals(50, seed=42)
    plies = solve_block(deals, *stacked(Trump), leaders_of(deals, [0]), floor, ALL_BOUNDS)[1]
    assert plies.sum() == SIGNATURE[floor]


WITHOUT_COMPILER = """
import numpy as np
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain, play_block
from sim42.solver.lookups import stacked
from sim42.game.trumps import Trump
from endings import endings
from test_kernels_search import leaders_of
deals = endings(8, 4, seed=6)
arrays = stacked(Trump)
points, plies = solve_block(deals, *arrays, leaders_of(deals), 0, ALL_BOUNDS)
none, zero = np.full((8, 3), -1), np.zeros(8, dtype=np.int64)
values, line, played = explain(deals[0], none[0], 1, *(array[3] for array in arrays), ALL_BOUNDS)
plays = play_block(deals, none, zero, zero, zero, *arrays, ALL_BOUNDS)
print(points.tolist(), plies.tolist(), values.tolist(), line.tolist(), int(played))
print(plays[0].tolist(), plays[1].tolist())
"""


def test_kernels_say_the_same_without_compiler():
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
    )
    answers = []
    for disable in ("0", "1"):
        environment["NUMBA_DISABLE_JIT"] = disable
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", WITHOUT_COMPILER],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(run.stdout)
    assert answers[0] == answers[1]
    assert len(answers[0]) > 1000


def test_endings_are_random_and_even():
    deals = endings(2000, 2, seed=1)
    assert (np.bitwise_count(deals) == 2).all()
    counted = Counter(tile for hand in deals.ravel().tolist() for tile in tiles_of(hand))
    assert set(counted) == set(range(28))
    assert max(counted.values()) < 1.3 * min(counted.values())
