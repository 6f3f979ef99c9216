"""The way into the kernels: a caller of another module, many positions in a call, the cache."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from endings import endings, inside_tricks

from sim42.game.trumps import Trump
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain, makes_block, play_block, value_block
from sim42.solver.kernels.questions import (
    all_points,
    load_hands,
    load_trump,
    new_room,
    value,
)
from sim42.solver.lookups import stacked
from sim42.solver.positions import Positions

ROOT = Path(__file__).parent.parent


def columns(count, tricks, trump, seed, side=None):
    """Positions inside tricks as kernels take them; the side is that of the leader if not given."""
    given = Positions.of(inside_tricks(count, tricks, trump, "high", seed))
    sides = given.leader % 2 if side is None else np.full(count, side)
    return given.hands, given.table, given.leader, sides


@numba.njit
def values_of(hands, tables, leaders, follows, wins, groups, ranks):
    """As an outside program would: a room for each, needed for the last time by the search."""
    points = np.zeros(len(hands), np.int64)
    for each in range(len(hands)):
        room = new_room()
        load_trump(room, follows, wins, groups, 255)
        fixed = load_hands(room, hands[each], tables[each], leaders[each], ranks)
        low = 0 * fixed
        high = all_points(room)
        points[each] = value(room, leaders[each], fixed, low, high)
        np.full(len(room), -1)  # takes the place of the room, had it been let go too early
    return points


def test_a_caller_of_another_module_gets_right_values():
    hands, tables, leaders, sides = columns(10_000, 4, Trump.ONES, seed=5)
    arrays = stacked([Trump.ONES])
    zero = np.zeros(len(hands), dtype=np.int64)
    points, _ = value_block(hands, tables, leaders, sides, zero, *arrays, ALL_BOUNDS)
    ranks, follows, wins, groups = (array[0] for array in arrays)
    found = values_of(hands, tables, leaders, follows, wins, groups, ranks)
    assert (found == points[:, 0]).all()
    assert len(np.unique(points)) > 30


def test_one_kernel_alone_asks_for_an_address():
    calls = {
        (path.name, line.strip())
        for path in (ROOT / "sim42").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if " address(" in line and "def " not in line
    }
    assert calls == {("questions.py", "memory = address(room)")}


@pytest.mark.parametrize("side", [0, 1])
def test_many_positions_in_a_call_keep_to_themselves(side):
    """The table carries nothing from one to the next, nor from trump to trump."""
    given = [columns(60, 5, trump, 6, side) for trump in Trump]
    hands, tables, leaders, sides = (np.concatenate(column) for column in zip(*given, strict=True))
    floors = np.random.default_rng(1).integers(0, 20, len(hands))
    arguments = hands, tables, leaders, sides, floors
    for kernel in (value_block, makes_block, play_block):
        together = kernel(*arguments, *stacked(Trump), ALL_BOUNDS)
        for index in range(0, len(hands), 17):
            one = [column[index : index + 1] for column in arguments]
            for trump in Trump:
                alone = kernel(*one, *stacked([trump]), ALL_BOUNDS)
                assert (alone[0][0, 0] == together[0][index, trump]).all()
                assert alone[1][0, 0] == together[1][index, trump]


def test_a_question_is_cheaper_than_a_value():
    deals = endings(120, 7, seed=4)
    none, zero = np.full((120, 3), -1), np.zeros(120, dtype=np.int64)
    arguments = (deals, none, zero, zero, zero + 30, *stacked(Trump), ALL_BOUNDS)
    assert makes_block(*arguments)[1].sum() < 0.5 * value_block(*arguments)[1].sum()


def test_blocks_and_positions_agree():
    deals = endings(300, 6, seed=7)
    arrays = stacked(Trump)
    leaders = np.arange(300) % 4
    none, zero = np.full((300, 3), -1), np.zeros(300, dtype=np.int64)
    points = solve_block(deals, *arrays, leaders.reshape(-1, 1), 0, ALL_BOUNDS)[0][:, :, 0]
    for bounds in (0, ALL_BOUNDS):
        values = value_block(deals, none, leaders, leaders % 2, zero, *arrays, bounds)[0]
        assert (values == points).all()


def test_what_is_to_come_for_seats_0_and_2():
    deals = endings(40, 4, seed=8)
    none, zero = np.full((40, 3), -1), np.zeros(40, dtype=np.int64)
    arrays = stacked([Trump.SIXES])
    plays = play_block(deals, none, zero + 1, zero, zero, *arrays, ALL_BOUNDS)[0][:, 0]
    for deal, expected in zip(deals, plays, strict=True):
        values, line, _ = explain(deal, none[0], 1, *(array[0] for array in arrays), ALL_BOUNDS)
        assert (values == expected).all()
        assert values[line[0]] == values[values >= 0].min()
        assert sorted(line[:16].tolist()) == [t for t in range(28) if np.any(deal >> t & 1)]
        assert (line[16:] == -1).all()


ONE_SIGNATURE = """
import numpy as np
from sim42.deals.random import random_deals
from sim42.solver.kernels import blocks, endings, positions, questions, search
from sim42.solver.lookups import stacked
from sim42.solver.warm import warm_up
import sim42
import sim42.solver.values
warm_up()
deals = random_deals(2, seed=1)
none, zero = np.full((2, 3), -1), np.zeros(2, dtype=np.int64)
arrays = stacked([sim42.Trump.FIVES])
print(blocks.solve_block(deals, *arrays, np.array([[0, 1, 2, 3]] * 2), 30, 255)[0].tolist())
for kernel in (positions.value_block, positions.makes_block, positions.play_block):
    print(kernel(deals, none, zero, zero, zero + 30, *arrays, 255)[0].tolist())
print([array for array in positions.explain(deals[0], none[0], 0, *(a[0] for a in arrays), 255)])
for kernel in (search.search, endings.last_two, questions.ask, questions.value):
    assert len(kernel.signatures) <= 1, kernel.signatures
"""


def test_the_search_has_one_signature_and_survives_the_cache(tmp_path):
    """A recursive kernel of two signatures crashes when it comes from a cache."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    answers = [
        subprocess.run(
            [sys.executable, "-c", ONE_SIGNATURE],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert len(answers[0]) > 500
