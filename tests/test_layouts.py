"""Layouts of hidden tiles: every one once, and tallies, against plain enumeration."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sim42.deals import layouts as module
from sim42.deals.layouts import Layouts, Limit, TooManyStepsError, tally
from sim42.errors import RequestError, TileError
from sim42.game.tiles import ALL_TILES, ENDS, TILES, Hand, mask_of
from sim42.solver.kernels.layouts import count_layouts

ZEROS = (0,) * 28
HAND = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0").mask


def enumerated(tiles, sizes):
    """All ways to lay tiles on seats: tuples of sets, by plain choosing."""
    if not sizes:
        return [()]
    ways = []
    for first in combinations(tiles, sizes[0]):
        rest = [tile for tile in tiles if tile not in first]
        ways += [(set(first), *others) for others in enumerated(rest, sizes[1:])]
    return ways


def sum_of(layout, weights):
    return sum(weights[seat][tile] for seat, tiles in enumerate(layout) for tile in tiles)


@st.composite
def packs(draw):
    """A small pack: tiles, sizes, what each seat may hold, and limits or measures."""
    seats = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    while sum(sizes) > 8:
        sizes[sizes.index(max(sizes))] -= 1
    tiles = sorted(draw(st.sets(st.integers(0, 27), min_size=sum(sizes), max_size=sum(sizes))))
    allowed = [mask_of(tile for tile in tiles if draw(st.integers(0, 5)) > 0) for _ in range(seats)]
    weights = [
        tuple(
            tuple(draw(st.sampled_from([0, 0, 1, 1, -1, 5])) if t in tiles else 0 for t in TILES)
            for _ in range(seats)
        )
        for _ in range(draw(st.integers(0, 2)))
    ]
    return tiles, sizes, allowed, weights


@given(pack=packs(), bounds=st.lists(st.tuples(st.integers(-4, 6), st.integers(0, 6)), min_size=2))
def test_every_layout_comes_once_and_no_other(pack, bounds):
    tiles, sizes, allowed, weights = pack
    limits = [
        Limit(each, least, least + width)
        for each, (least, width) in zip(weights, bounds, strict=False)
    ]
    expected = [
        tuple(map(mask_of, layout))
        for layout in enumerated(tiles, sizes)
        if all(allowed[seat] >> tile & 1 for seat, held in enumerate(layout) for tile in held)
        and all(limit.least <= sum_of(layout, limit.weights) <= limit.most for limit in limits)
    ]
    layouts = Layouts(mask_of(tiles), allowed, sizes, limits)
    assert layouts.count == len(expected)
    found = layouts.unrank(np.arange(layouts.count))
    assert sorted(map(tuple, found.tolist())) == sorted(expected)


@given(pack=packs())
def test_tallies_are_those_of_plain_counting(pack):
    tiles, sizes, allowed, weights = pack
    expected: dict = {}
    for layout in enumerated(tiles, sizes):
        if all(allowed[seat] >> tile & 1 for seat, held in enumerate(layout) for tile in held):
            sums = tuple(sum_of(layout, each) for each in weights)
            expected[sums] = expected.get(sums, 0) + 1
    found = tally(mask_of(tiles), allowed, sizes, weights)
    assert {sums: ways for sums, ways in found.items() if ways} == expected


def test_T3_as_many_layouts_as_the_rules_say():
    unseen = ALL_TILES & ~HAND
    assert Layouts(unseen, [unseen] * 3, [7] * 3).count == 399_072_960
    everything = Layouts(ALL_TILES, [ALL_TILES] * 4, [7] * 4)
    assert everything.count == 472_518_347_558_400 == factorial(28) // factorial(7) ** 4
    last = everything.unrank([0, everything.count - 1])
    assert (np.bitwise_count(last) == 7).all()
    assert (np.bitwise_or.reduce(last, axis=1) == ALL_TILES).all()


def test_void_seats_hold_what_they_may():
    unseen = ALL_TILES & ~HAND
    fives = mask_of(tile for tile in TILES if 5 in ENDS[tile])
    layouts = Layouts(unseen, [unseen & ~fives, unseen, unseen], [7] * 3)
    numbers = np.random.default_rng(1).integers(0, layouts.count, 20_000)
    held = layouts.unrank(numbers)
    assert not (held[:, 0] & fives).any()
    assert (np.bitwise_or.reduce(held, axis=1) == unseen).all()
    # Six fives are out; of the 15 other tiles the first seat holds each as often.
    counts = [(held[:, 0] >> tile & 1).sum() for tile in TILES if (unseen & ~fives) >> tile & 1]
    assert len(counts) == 15
    assert chisquare(counts).pvalue > 1e-6
    halves = [(held[:, 1] >> tile & 1).mean() for tile in TILES if (unseen & fives) >> tile & 1]
    assert max(abs(half - 0.5) for half in halves) < 0.02


def test_the_compiled_count_of_layouts_is_the_same():
    random = np.random.default_rng(4)
    compared = 0
    while compared < 50:
        left = int(random.integers(1, 8))
        tiles = random.permutation(28)[: 3 * left]
        unseen = mask_of(tiles.tolist())
        may_hold = [
            unseen & ~mask_of(random.permutation(tiles)[: random.integers(0, 9)].tolist())
            for _ in range(3)
        ]
        if may_hold[0] | may_hold[1] | may_hold[2] != unseen:
            continue  # the compiled code takes what nobody may hold for no tile
        compared += 1
        mine = Layouts(unseen, may_hold, [left] * 3)
        assert mine.count == count_layouts(np.array(may_hold), np.full(3, left))


def test_what_contradicts_itself_has_no_layouts():
    layouts = Layouts(0b111, [0b001, 0b001, 0b111], [1, 1, 1])
    assert layouts.count == 0
    with pytest.raises(RequestError, match="there are 0"):
        layouts.unrank([0])


@pytest.mark.parametrize(
    ("unseen", "allowed", "sizes"),
    [(0b111, [0b111], [2]), (0b1, [0b1], [1, 0]), (1 << 28, [0], [1]), (2**8 - 1, [255], [8])],
)
def test_tiles_that_do_not_go_round_are_refused(unseen, allowed, sizes):
    with pytest.raises(TileError):
        Layouts(unseen, allowed, sizes)


def test_numbers_out_of_range_are_refused():
    layouts = Layouts(0b11, [0b11, 0b11], [1, 1])
    for number in (-1, 2):
        with pytest.raises(RequestError):
            layouts.unrank([number])
    assert layouts.unrank([]).shape == (0, 2)


def test_limits_that_tell_too_much_apart_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 100)
    weights = (tuple(range(28)), ZEROS, ZEROS)
    unseen = ALL_TILES & ~HAND
    with pytest.raises(TooManyStepsError):
        Layouts(unseen, [unseen] * 3, [7] * 3, [Limit(weights, 50)])
    with pytest.raises(TooManyStepsError):
        tally(unseen, [unseen] * 3, [7] * 3, [weights])


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_limited_layouts_are_drawn_evenly(seed):
    # Ten tiles on two seats, the first with two or three of the first four: 60 + 40... ways.
    first = tuple(int(tile < 4) for tile in TILES)
    layouts = Layouts(2**10 - 1, [2**10 - 1] * 2, [5, 5], [Limit((first, ZEROS), 2, 3)])
    assert layouts.count == 6 * 20 + 4 * 15
    numbers = np.random.default_rng(seed).integers(0, layouts.count, 9_000)
    _, counts = np.unique(layouts.unrank(numbers)[:, 0], return_counts=True)
    assert len(counts) == layouts.count
    assert chisquare(counts).pvalue > 1e-7
