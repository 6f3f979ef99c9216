"""Legal sequences counted: files that naive wrote, against naive, game and compiled code."""

from pathlib import Path

import naive
import numpy as np
import pytest

from sim42.game.tiles import mask_of, parse_tiles, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.solver.kernels.perft import perft
from sim42.solver.lookups import lookups

FILES = sorted((Path(__file__).parent / "data" / "perft").glob("*.txt"))
GAME_COUNTS = 3000
NAIVE_COUNTS = 300
"""Larger counts are left to the compiled code, to be quick."""


def read(path):
    """Yields trump, doubles, hands as masks, leader, plays and count of each line of a file."""
    trump = doubles = hands = leader = None
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "trump":
            trump = Trump(rest)
        elif word == "doubles":
            doubles = rest
        elif word == "hands":
            hands = tuple(mask_of(parse_tiles(hand)) for hand in rest.split("/"))
        elif word == "leader":
            leader = int(rest)
        elif word == "perft":
            plays, count = map(int, rest.split())
            yield trump, doubles, hands, leader, plays, count


def count_plays(state, plays):
    if plays == 0:
        return 1
    return sum(count_plays(state.play(tile), plays - 1) for tile in tiles_of(state.legal_mask))


def test_there_is_a_file_for_every_call():
    calls = {next(read(path))[:2] for path in FILES}
    assert {trump for trump, _ in calls} == set(Trump)
    assert {doubles for _, doubles in calls} == {"high", "low", "own_suit"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_perft(path):
    by_game = by_naive = 0
    for trump, doubles, hands, leader, plays, count in read(path):
        masks = np.array(hands, dtype=np.int64)
        assert perft(masks, *lookups(trump, doubles), leader, plays) == count
        if count <= GAME_COUNTS:
            assert count_plays(Tricks(trump, doubles, hands, leader), plays) == count
            by_game += 1
        if count <= NAIVE_COUNTS:
            pairs = [[naive.TILES[tile] for tile in tiles_of(mask)] for mask in hands]
            assert naive.perft(pairs, trump, plays, doubles, leader) == count
            by_naive += 1
    assert by_game > by_naive > 20
