"""What of a sample adds up, without its deals."""

import tracemalloc

import numpy as np
import pytest

from sim42 import Hand, Rules, Trump
from sim42.runs import adjust
from sim42.runs import sample as samples
from sim42.runs.sample import BIDS, HandSample, sample_hand
from sim42.runs.tally import tally_hand, tally_of
from sim42.tables.bid import bid_facts
from sim42.tables.spread import mean_interval, mean_interval_of

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


@pytest.mark.parametrize("piece", [1, 7, 40, 100])
def test_a_tally_counts_what_its_sample_does(piece, monkeypatch):
    question = {"hand": HAND, "deals": 61, "seed": 5, "trumps": ["fours", "blanks", "doubles"]}
    sample = sample_hand(**question)
    monkeypatch.setattr(samples, "PIECE", piece)
    tally = tally_hand(**question)
    assert tally.deals == sample.deals == 61
    assert (tally.counts == sample.counts).all()
    assert bid_facts(tally) == bid_facts(sample)
    for trump in range(3):
        for half in range(2):
            points = sample.points[half::2, trump] - 29
            assert tally.halves[trump, half].tolist() == np.bincount(points, minlength=14).tolist()
        for other in range(3):
            for place, bid in enumerate(BIDS):
                for place_2, bid_2 in enumerate(BIDS):
                    both = (sample.points[:, trump] >= bid) & (sample.points[:, other] >= bid_2)
                    assert tally.together[trump, place, other, place_2] == both.sum()


def test_a_tally_of_more_deals_than_a_piece():
    points = np.random.default_rng(1).integers(29, 43, (2 * samples.PIECE + 3, 2)).astype(np.int8)
    tally = tally_of(HandSample(Hand(HAND), (Trump.ONES, Trump.FIVES), 1, Rules(), points))
    assert tally.deals == len(points)
    assert tally.halves[0, 0, 0] == (points[::2, 0] == 29).sum()
    assert tally.together[0, 3, 1, 12] == ((points[:, 0] >= 33) & (points[:, 1] == 42)).sum()


def test_memory_does_not_grow_with_the_deals(monkeypatch):
    for module, name in ((samples, "PIECE"), (adjust, "BLOCK")):
        monkeypatch.setattr(module, name, 500)
    monkeypatch.setattr(
        samples, "solve_many", lambda deals, trumps, *_: np.full((len(deals), len(trumps)), 31)
    )

    def peak(deals):
        tracemalloc.start()
        assert tally_hand(HAND, deals, 1, trumps=list(Trump)[:3]).deals == deals
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    few = peak(3_000)
    assert peak(33_000) < few + 50_000  # a byte a deal and trump would be 90,000


@pytest.mark.parametrize("values", [[1], [1, 1], [-3, 1, 1, 5, 5, 5, 0]])
def test_an_interval_of_counted_values_is_that_of_the_values(values):
    each, times = np.unique(values, return_counts=True)
    expected = mean_interval(values, -5, 5)
    assert mean_interval_of(each, times, 5) == pytest.approx(expected, abs=1e-12)
