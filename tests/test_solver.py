"""What `solve` and `solve_many` promise: published values, arguments, threads, errors."""

import csv
import dataclasses
import signal
import subprocess
import sys
from pathlib import Path

import naive
import numpy as np
import pytest

from sim42.deals.random import random_deals
from sim42.errors import NotationError, RequestError, TileError
from sim42.game.rules import Rules
from sim42.game.tiles import NAMES, Deal, parse_tile
from sim42.game.trumps import Trump
from sim42.solver.inside import makes_many, play_values
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import explain, makes_block, play_block, value_block
from sim42.solver.lookups import stacked
from sim42.solver.positions import Positions
from sim42.solver.values import BLOCK, Solution, solve, solve_many, warm_up

DATA = Path(__file__).parent / "data"
NO_TABLE = np.full(3, -1)


def records(name):
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_published_values():
    rows = records("dd_values.csv")
    assert len(rows) == 180
    deals = [Deal(row["deal"]) for row in rows]
    columns = [Trump(row["trump"]) for row in rows]
    points = solve_many(deals)[np.arange(180), columns]
    assert points.tolist() == [int(row["points"]) for row in rows]


def test_published_values_of_leads():
    rows = records("lead_values.csv")
    assert len(rows) == 63
    solutions = {(row["deal"], row["trump"]): None for row in rows}
    solutions = {key: solve(*key) for key in solutions}
    for row in rows:
        solution = solutions[row["deal"], row["trump"]]
        assert solution.leads[row["lead"]] == int(row["points"])
        assert solution.points == max(solution.leads.values())


@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("doubles", ["high", "low", "own_suit"])
def test_line_is_legal_and_reaches_the_value(leader, doubles):
    deals = random_deals(4, seed=10 + leader)
    trumps = [Trump.FOLLOW_ME] if doubles != "high" else list(Trump)
    for masks in deals:
        for trump in trumps:
            solution = solve(Deal(masks), trump, leader, Rules(doubles=doubles))
            assert replayed(solution, doubles) == solution.points
            assert solution.leads[solution.line[0][0]] == solution.points


def replayed(solution, doubles):
    """Points of the leader's side in the line, every play checked against the rules."""
    hands = [[naive.TILES[tile] for tile in hand] for hand in solution.deal.hands]
    leader, points = solution.leader, 0
    assert len(solution.line) == 7
    for names in solution.line:
        trick = [naive.TILES[parse_tile(name)] for name in names]
        for place, tile in enumerate(trick):
            hand = hands[(leader + place) % 4]
            led = trick[0] if place else None
            assert tile in naive.legal_tiles(hand, led, solution.trump, doubles)
            hand.remove(tile)
        leader = (leader + naive.trick_winner(trick, solution.trump, doubles)) % 4
        if leader % 2 == solution.leader % 2:
            points += naive.trick_points(trick)
    return points


def test_leads_are_those_of_the_hand_highest_first():
    deal = Deal(random_deals(1, seed=3)[0])
    solution = solve(deal, "fives", leader=2)
    assert list(solution.leads) == [NAMES[tile] for tile in deal.hands[2]]


def test_value_of_every_lead_costs_less_than_four_values():
    deals = random_deals(30, seed=8)
    arrays = stacked(Trump)
    leaders = np.zeros((30, 1), dtype=np.int64)
    plies = solve_block(deals, *arrays, leaders, 0, ALL_BOUNDS)[1].sum()
    played = sum(
        explain(deal, NO_TABLE, 0, *(array[trump] for array in arrays), ALL_BOUNDS)[2]
        for deal in deals
        for trump in Trump
    )
    assert played < 4 * plies


def test_solution_is_frozen():
    solution = solve(Deal(random_deals(1, seed=3)[0]), "fives")
    assert isinstance(solution, Solution)
    with pytest.raises(dataclasses.FrozenInstanceError):
        solution.points = 42


def test_rotated_seats_have_the_same_values():
    deals = random_deals(20, seed=11)
    points = solve_many(deals, leader="all")
    assert points.shape == (20, 9, 4)
    assert points.dtype == np.int8
    for leader in range(4):
        assert (solve_many(np.roll(deals, -leader, axis=1)) == points[:, :, leader]).all()


def test_sides_share_42_points():
    for deal in random_deals(10, seed=12).tolist():
        for leader in range(4):
            solution = solve(Deal(deal), leader, leader)
            taken = [0, 0]
            for trick in solution.tricks:
                taken[trick.winner % 2] += trick.points
            assert sum(taken) == 42
            assert taken[leader % 2] == solution.points


def test_37_points_are_all_count_in_two_tricks():
    """Five tricks without count are lost: the 5-5 draws the 5-0, the 4-4 the 4-1."""
    deal = Deal(
        "6-1 5-5 5-4 4-4 3-1 2-1 2-0 / 6-6 5-0 4-1 3-3 3-0 2-2 1-1 /"
        "6-4 6-2 4-2 4-0 3-2 1-0 0-0 / 6-5 6-3 6-0 5-3 5-2 5-1 4-3"
    )
    assert solve(deal, "follow-me").points == 37
    assert [trick.points for trick in solve(deal, "follow-me").tricks] == [16, 21, 1, 1, 1, 1, 1]


def test_leader_by_deal():
    deals = random_deals(12, seed=13)
    leaders = np.arange(12) % 4
    points = solve_many(deals, leader="all")
    assert (solve_many(deals, leader=leaders) == points[np.arange(12), :, leaders]).all()
    assert (solve_many(deals, leader=3) == points[:, :, 3]).all()


def test_trumps_in_any_order():
    deals = random_deals(10, seed=14)
    points = solve_many(deals)
    columns = [Trump.DOUBLES, Trump.BLANKS, Trump.FOLLOW_ME]
    assert (solve_many(deals, ["doubles", 0, Trump.FOLLOW_ME]) == points[:, columns]).all()


@pytest.mark.parametrize("leader", [0, 3])
@pytest.mark.parametrize("floor", [1, 30, 42])
def test_floor(floor, leader):
    deals = random_deals(30, seed=15)
    values = solve_many(deals, leader=leader)
    assert (solve_many(deals, leader=leader, floor=floor) == values.clip(floor - 1)).all()


def test_doubles_low_and_own_suit_are_other_games():
    deals = random_deals(40, seed=16)
    games = [
        solve_many(deals, ["follow-me", "fives"], rules=Rules(doubles=doubles))
        for doubles in ("high", "low", "own_suit")
    ]
    for game in games[1:]:
        assert (game[:, 0] != games[0][:, 0]).any()
        assert (game[:, 1] == games[0][:, 1]).all()


def test_threads_do_not_matter():
    deals = random_deals(3 * BLOCK + 5, seed=17)
    one = solve_many(deals, floor=30, threads=1)
    assert (solve_many(deals, floor=30, threads=2) == one).all()
    assert (solve_many(deals[BLOCK + 3 :], floor=30, threads=5) == one[BLOCK + 3 :]).all()


def test_no_deals():
    assert solve_many([]).shape == (0, 9)
    assert solve_many(np.empty((0, 4), dtype=np.int64), leader="all").shape == (0, 9, 4)


def test_no_trumps():
    with pytest.raises(NotationError, match="no trumps: name one at least"):
        solve_many(random_deals(2, seed=1), [])


def test_progress_is_reported(capsys):
    deals = random_deals(BLOCK + 5, seed=18)
    told = []
    solve_many(deals, ["fives"], progress=lambda done, total: told.append((done, total)))
    assert told == [(BLOCK, BLOCK + 5), (BLOCK + 5, BLOCK + 5)]
    solve_many(deals, ["fives"], progress=True)
    output = capsys.readouterr()
    assert output.out == ""
    assert f"{BLOCK + 5}/{BLOCK + 5}" in output.err
    solve_many(deals, ["fives"])
    assert capsys.readouterr().err == ""


def test_no_bar_is_prepared_where_none_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # in a notebook it warns of what is missing
    deals = random_deals(2, seed=18)
    for progress in (None, False):
        solve_many(deals, ["fives"], progress=progress)
    with pytest.raises(ImportError):
        solve_many(deals, ["fives"], progress=True)


def test_a_progress_function_that_raises_stops_the_work():
    def stop(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve_many(random_deals(100, seed=18), ["fives"], progress=stop)


GOOD = random_deals(3, seed=19).tolist()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([GOOD[0][0], GOOD[0][1], GOOD[0][2], GOOD[0][2]], "deal 1: seat 3: .* seat 2 too"),
        ([GOOD[0][0] & (GOOD[0][0] - 1), *GOOD[0][1:]], "deal 1: seat 0: .* not 6"),
        ([1 << 28, *GOOD[0][1:]], "deal 1: seat 0: mask 268435456"),
        ([-1, *GOOD[0][1:]], "deal 1: seat 0: mask -1"),
        (GOOD[0][:3], "deal 1: not four masks"),
        (5, "deal 1: not four masks"),
        ([1.5, *GOOD[0][1:]], "whole numbers"),
        (["6-6", "", "", ""], "whole numbers"),
    ],
)
def test_one_malformed_deal_is_named_before_anything_runs(wrong, message):
    told = []
    with pytest.raises(TileError, match=message):
        solve_many([GOOD[0], wrong, GOOD[2]], progress=lambda *_: told.append(1))
    assert not told


@pytest.mark.parametrize("deals", [np.zeros(4, dtype=int), np.zeros((2, 3), dtype=int), [[]]])
def test_deals_of_another_shape(deals):
    with pytest.raises(TileError, match="deal"):
        solve_many(deals)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"leader": 4}, "leader 4"),
        ({"leader": -1}, "leader -1"),
        ({"leader": [0, 1]}, "3 deals need 3 seats"),
        ({"leader": [0, 1, 5]}, "deal 2, leader 5"),
        ({"leader": 1.5}, "leader 1.5"),
        ({"leader": "each"}, "leader 'each'"),
        ({"floor": 43}, "floor 43"),
        ({"floor": -1}, "floor -1"),
        ({"floor": 30.0}, "floor 30.0"),
        ({"threads": 0}, "threads 0"),
        ({"threads": True}, "threads True"),
    ],
)
def test_arguments_out_of_range(arguments, message):
    with pytest.raises(RequestError, match=message.replace("(", "\\(")):
        solve_many(GOOD, **arguments)


def test_solve_refuses_what_is_no_deal_trump_or_seat():
    with pytest.raises(NotationError):
        solve("6-6", "fives")
    with pytest.raises(NotationError):
        solve(Deal(GOOD[0]), "sevens")
    with pytest.raises(RequestError):
        solve(Deal(GOOD[0]), "fives", leader=4)


INTERRUPTED = """
from sim42.deals.random import random_deals
from sim42.solver.values import solve_many, warm_up
warm_up()
deals = random_deals(1_000_000, seed=1)
solve_many(deals, progress=lambda done, total: print(done, flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child")
def test_ctrl_c_is_obeyed_between_two_blocks():
    run = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
        text=True,
    )
    with run:
        assert run.stdout.readline().strip() == str(BLOCK)
        run.send_signal(signal.SIGINT)
        assert run.wait() != 0
        done = [BLOCK, *map(int, run.stdout)]
        errors = run.stderr.read()
    assert "KeyboardInterrupt" in errors
    assert done[-1] < 1_000_000  # all of them take minutes


def test_warm_up_compiles_all():
    warm_up()
    kernels = (solve_block, explain, value_block, makes_block, play_block)
    before = [len(kernel.signatures) for kernel in kernels]
    solve_many(random_deals(2, seed=1), leader="all", floor=30)
    solve(Deal(GOOD[0]), "fives")
    positions = Positions(GOOD, leader=3)
    solve_many(positions, floor=[1, 2, 3])
    makes_many(positions, 30)
    play_values(positions, threads=1)
    assert [len(kernel.signatures) for kernel in kernels] == before
