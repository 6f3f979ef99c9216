"""What a seat knows, and the layouts that fit it, against plain enumeration."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from sim42.deals.random import random_deals
from sim42.errors import RequestError
from sim42.game.rules import Contract
from sim42.game.tiles import ALL_TILES, SEATS, mask_of, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.game.views import view_of
from sim42.solver.kernels.draws import number_below, philox
from sim42.solver.kernels.layouts import count_layouts, draw_numbers, lay_numbers

CONTRACT = Contract(declarer=0, bid=30)


def played(rng, trump, plays, doubles="high"):
    """A random hand after so many random legal plays."""
    deal = random_deals(1, int(rng.integers(2**32)))[0]
    tricks = Tricks(trump, doubles, tuple(deal.tolist()), int(rng.integers(4)))
    for _ in range(plays):
        tricks = tricks.play(int(rng.choice(tiles_of(tricks.legal_mask))))
    return tricks


def could_have_played(hands, tricks):
    """Whether the plays so far were legal had the seats held these tiles now, by the game."""
    start = list(hands)
    sequence = [
        *((trick.leader, trick.tiles) for trick in tricks.done),
        (tricks.leader, tricks.table),
    ]
    for leader, tiles in sequence:
        for place, tile in enumerate(tiles):
            start[(leader + place) % 4] |= 1 << tile
    again = Tricks(tricks.trump, tricks.doubles, tuple(start), sequence[0][0])
    for tile in tricks.plays:
        if not again.legal_mask >> tile & 1:
            return False
        again = again.play(tile)
    return True


def every_layout(view):
    """All ways to lay the unseen tiles by size alone."""
    others = [seat for seat in SEATS if seat != view.seat]
    unseen = tiles_of(view.unseen)
    for first in combinations(unseen, view.sizes[others[0]]):
        rest = [tile for tile in unseen if tile not in first]
        for second in combinations(rest, view.sizes[others[1]]):
            hands = [0, 0, 0, 0]
            hands[view.seat] = view.hand
            hands[others[0]] = mask_of(first)
            hands[others[1]] = mask_of(second)
            hands[others[2]] = view.unseen ^ mask_of(first) ^ mask_of(second)
            yield tuple(hands)


def arrays(view):
    others = [seat for seat in SEATS if seat != view.seat]
    return (
        np.array([view.may_hold[seat] for seat in others], dtype=np.int64),
        np.array([view.sizes[seat] for seat in others], dtype=np.int64),
    )


@pytest.mark.parametrize("trump", Trump)
def test_layouts_are_those_in_which_all_plays_were_legal(trump):
    """Enumerated and replayed by the rules of the game, from the fourth trick on."""
    rng = np.random.default_rng(int(trump))
    doubles = ("high", "low", "own_suit")[int(trump) % 3]
    for plays in (13, 16, 17, 18, 19, 21, 22, 24, 25, 27):
        tricks = played(rng, trump, plays, doubles)
        view = view_of(tricks, CONTRACT)
        legal = {hands for hands in every_layout(view) if could_have_played(hands, tricks)}
        may_hold, sizes = arrays(view)
        assert count_layouts(may_hold, sizes) == len(legal)
        laid = lay_numbers(may_hold, sizes, np.arange(len(legal)))
        others = [seat for seat in SEATS if seat != view.seat]
        assert {tuple(row) for row in laid.tolist()} == {
            tuple(hands[seat] for seat in others) for hands in legal
        }
        assert tricks.hands in legal


@pytest.mark.parametrize("trump", Trump)
def test_every_layout_of_every_stage_fits_what_is_known(trump):
    rng = np.random.default_rng(100 + int(trump))
    for plays in range(28):
        tricks = played(rng, trump, plays)
        view = view_of(tricks, CONTRACT)
        may_hold, sizes = arrays(view)
        count = count_layouts(may_hold, sizes)
        numbers = rng.integers(count, size=50)
        laid = lay_numbers(may_hold, sizes, numbers)
        assert (np.bitwise_count(laid) == sizes).all()
        assert not (laid & ~may_hold).any()
        assert (np.bitwise_or.reduce(laid, axis=1) == view.unseen).all()
        assert (laid.sum(axis=1) == view.unseen).all()
        assert len(np.unique(laid, axis=0)) == len(np.unique(numbers))


def test_before_the_first_play_any_layout_may_be():
    deal = tuple(random_deals(1, 3)[0].tolist())
    view = view_of(Tricks(Trump.FIVES, "high", deal, 2), CONTRACT)
    assert count_layouts(*arrays(view)) == 399_072_960  # T3
    assert view.seat == 2
    assert view.unseen == ALL_TILES ^ deal[2]


def test_nothing_fits_what_contradicts_itself():
    full = np.array([0b11, 0b11, 0b1100], dtype=np.int64)
    assert count_layouts(full, np.array([1, 1, 2])) == 2
    assert count_layouts(full, np.array([2, 1, 1])) == 0


def test_a_view_holds_no_hidden_tile():
    """Hidden tiles may be swapped as the plays allow, and the view stays the same."""
    rng = np.random.default_rng(8)
    for plays in (3, 10, 17, 22):
        tricks = played(rng, Trump.FOURS, plays)
        view = view_of(tricks, CONTRACT)
        may_hold, sizes = arrays(view)
        numbers = rng.integers(count_layouts(may_hold, sizes), size=20)
        for laid in lay_numbers(may_hold, sizes, numbers).tolist():
            hands = list(tricks.hands)
            for seat, mask in zip([s for s in SEATS if s != view.seat], laid, strict=True):
                hands[seat] = mask
            other = Tricks(
                tricks.trump,
                tricks.doubles,
                tuple(hands),
                tricks.leader,
                tricks.table,
                tricks.done,
                tricks.points,
            )
            assert view_of(other, CONTRACT) == view


def test_a_hand_that_is_over_has_no_view():
    tricks = played(np.random.default_rng(1), Trump.SIXES, 28)
    with pytest.raises(RequestError, match="nobody is to play"):
        view_of(tricks, CONTRACT)


def test_philox_gives_the_published_words():
    """Known-answer vectors of Philox4x32-10."""
    ones = 2**32 - 1
    for counter, key, words in (
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ones,) * 4, (ones,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ):
        assert philox(key, counter) == words


def test_draws_depend_on_their_place_alone_and_are_fair():
    numbers = draw_numbers(60_000, 6, (7, 0), (1, 2, 3))
    assert (draw_numbers(10, 6, (7, 0), (1, 2, 3)) == numbers[:10]).all()
    assert number_below(6, (7, 0), (4, 1, 2, 3)) == numbers[4]
    assert chisquare(np.bincount(numbers)).pvalue > 1e-3
    assert (draw_numbers(100, 6, (7, 0), (1, 2, 4)) != numbers[:100]).any()
    assert (draw_numbers(100, 6, (8, 0), (1, 2, 3)) != numbers[:100]).any()


def test_drawn_layouts_are_equally_likely():
    rng = np.random.default_rng(4)
    for plays in (20, 21, 22):
        view = view_of(played(rng, Trump.DOUBLES, plays), CONTRACT)
        may_hold, sizes = arrays(view)
        count = count_layouts(may_hold, sizes)
        laid = lay_numbers(may_hold, sizes, draw_numbers(200 * count, count, (1, 0), (plays, 0, 0)))
        _, times = np.unique(laid, axis=0, return_counts=True)
        assert len(times) == count
        assert chisquare(times).pvalue > 1e-3 if count > 1 else times == [200]
