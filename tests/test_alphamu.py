"""Alpha-mu: its plans against plain slow code, and the strategy fusion that it repairs."""

from dataclasses import replace
from itertools import chain, product

import numpy as np
from numba import njit
from test_players import minimax, played

from sim42 import Deal
from sim42.game.rules import Contract
from sim42.game.tiles import NAMES, parse_tile, parse_tiles, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.game.views import view_of
from sim42.play.names import find_player
from sim42.play.pimc import asked, layouts_of, lookups_of
from sim42.play.players import Draw
from sim42.solver.kernels.plans import FRONT, count_planned, entered

CONTRACT = Contract(declarer=0, bid=30)


def plans(worlds, own, moves, wins):
    """The sets of worlds that plans of a seat win, by trying every plan; `worlds` by number."""
    some = next(iter(worlds.values()))
    if moves == 0 or some.is_over:
        return {frozenset(number for number, world in worlds.items() if wins(world))}
    allowed = {}
    for number, world in worlds.items():
        for tile in tiles_of(world.legal_mask):
            allowed.setdefault(tile, []).append(number)
    moves -= some.turn == own
    after = {
        tile: plans({n: worlds[n].play(tile) for n in numbers}, own, moves, wins)
        for tile, numbers in allowed.items()
    }
    if some.turn == own:
        return maximal(set().union(*after.values()))
    found = set()
    for chosen in product(*after.values()):
        won = dict(zip(after, chosen, strict=True))
        if some.turn % 2 != own % 2:
            lost = {n for tile in won for n in allowed[tile] if n not in won[tile]}
            found.add(frozenset(worlds.keys() - lost))
            continue
        hands = {}
        for number, world in worlds.items():
            hands.setdefault(world.hands[world.turn], []).append(number)
        ways = [
            [
                [n for n in numbers if n in won[tile]]
                for tile in after
                if numbers[0] in allowed[tile]
            ]
            for numbers in hands.values()
        ]
        found |= {frozenset(chain(*way)) for way in product(*ways)}
    return maximal(found)


def maximal(sets):
    return {one for one in sets if not any(one < other for other in sets)}


def counts_of(tricks, layouts, need, moves, known):
    """Layouts won by the best plan after each play: slowly, and by the kernel."""
    seat = tricks.turn
    view = view_of(tricks, CONTRACT)
    before = tricks.points[seat % 2]

    def wins(world):
        return world.points[seat % 2] - before + minimax(world, seat % 2, known) >= need

    worlds = {n: replace(tricks, hands=tuple(hands)) for n, hands in enumerate(layouts.tolist())}
    slow = {
        tile: max(
            map(len, plans({n: w.play(tile) for n, w in worlds.items()}, seat, moves - 1, wins))
        )
        for tile in tiles_of(view.legal_mask)
    }
    table, leader, _ = asked(view)
    fast = count_planned(layouts, table, leader, need, moves, *lookups_of(view))
    return slow, fast


HARD = [(156, 15, 20), (175, 18, 15), (199, 18, 6), (356, 15, 5), (412, 15, 18)]
EASY = [(248, 15, 14), (100, 16, 3), (101, 17, 12), (104, 16, 12), (105, 17, 3)]
"""Seed, plays before, and points needed; the hard ones are lost by what must be one plan."""


def test_counts_are_those_of_trying_every_plan():
    best = {}
    for seed, plays, need in [*HARD, *EASY]:
        tricks = played(seed, Trump(seed % 9), plays)
        layouts = layouts_of(view_of(tricks, CONTRACT), Draw(1, seed, 0), 14)
        known = {}
        for moves in (1, 2, 3):
            slow, fast = counts_of(tricks, layouts, need, moves, known)
            most = best[seed, need, moves] = max(slow.values())
            assert {tile for tile in range(28) if fast[tile] >= 0} == set(slow)
            for tile, count in slow.items():
                assert count <= fast[tile] <= most
                assert (fast[tile] == most) == (count == most)
    for seed, _, need in HARD:
        assert best[seed, need, 1] > best[seed, need, 3]
    assert best[412, 18, 2] > best[412, 18, 3]


def test_repairs_strategy_fusion():
    """PIMC trumps, as each layout tells it how to go on; but it cannot see which one it is in.

    The declarer's partner, with 6-5 5-4 3-1 and fives trump, is third to the last trick but two,
    after 4-0 and 0-0. With all hands seen a trump makes the bid of 41 in 36 of the 60 layouts,
    going on with the right tile in each; no one tile does so in more than 24. Without trumping it
    is made in 30, and there is nothing to guess.
    """
    deal = Deal(
        "6-1 5-5 5-1 5-0 4-1 4-0 2-2 / 6-4 6-0 4-3 3-3 3-2 2-0 0-0 /"
        "6-5 6-3 5-4 5-3 4-4 3-1 1-0 / 6-6 6-2 5-2 4-2 3-0 2-1 1-1"
    )
    plays = "4-1 6-4 4-4 4-2 6-3 6-6 6-1 6-0 1-1 5-0 4-3 1-0 5-5 3-3 5-3 5-2 4-0 0-0"
    contract = Contract(declarer=0, bid=41)
    tricks = Tricks(Trump.FIVES, "high", deal.masks, 0)
    for tile in parse_tiles(plays):
        tricks = tricks.play(tile)
    view, draw = view_of(tricks, contract), Draw(1, 0, 18)
    layouts = layouts_of(view, draw, 60)
    assert len(layouts) == len(np.unique(layouts, axis=0)) == 60
    pimc, planner, seeing = map(find_player, ("pimc:60", "alphamu:60,2", "double-dummy"))
    chosen = [NAMES[player.choose(view, draw)] for player in (pimc, planner)]
    assert chosen == ["5-4", "3-1"]
    counts = planner.wins(view, layouts)
    assert pimc.wins(view, layouts)[parse_tile("5-4")] == 36
    assert (counts[parse_tile("3-1")], counts[parse_tile("5-4")]) == (30, 24)

    def made(player):
        first = player.choose(view, draw)
        for hands in layouts.tolist():
            play = replace(tricks, hands=tuple(hands)).play(first)
            while not play.is_over:
                if play.turn == view.seat:
                    tile = player.choose(view_of(play, contract), draw)
                else:
                    tile = seeing.choose_seeing(play, contract)
                play = play.play(tile)
            yield play.points[0] >= 41

    assert sum(made(pimc)) == 27
    assert sum(made(planner)) == 30


@njit
def enter_all(fronts, vectors):
    """How many vectors a front has after each that is entered."""
    counts = np.zeros(len(vectors) + 1, np.int64)
    for n in range(len(vectors)):
        counts[n + 1] = entered(fronts, 0, counts[n], vectors[n])
    return counts[1:]


def test_a_front_that_is_full_keeps_what_wins_most():
    fronts = np.zeros(FRONT, dtype=np.int64)
    vectors = [1 << first % 50 | 1 << 50 + first // 50 for first in range(FRONT + 9)]
    wide = (1 << 60) - 1 ^ 1
    counts = enter_all(fronts, np.array([*vectors, 1 << 3, 0b111 << 55, wide]))
    assert counts[: FRONT + 9].tolist() == [*range(1, FRONT), *[FRONT] * 10]
    assert counts[-3:-1].tolist() == [FRONT, FRONT]  # one that wins less, and one that wins more
    assert wide in fronts[: counts[-1]]  # it stands for all that are within it
    assert counts[-1] < FRONT
