"""Deals until the figures are as sure as was asked: when one stops, and what is said of it."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from sim42 import Hand, Rules, Trump, bid_table
from sim42.cli import main
from sim42.errors import RequestError
from sim42.runs import looks as looking
from sim42.runs.looks import looks
from sim42.runs.sample import HandSample, sample_hand
from sim42.runs.tally import sample_until, tally_hand, tally_of
from sim42.tables.bid import bid_rows
from sim42.tables.stopping import Wanted, half_width, settle

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
SEED = 42


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """First looked at after 60 deals, so that little is solved."""
    monkeypatch.setattr(looking, "FIRST_LOOK", 60)


def bid(*words: str):
    result = CliRunner().invoke(main, ["bid", HAND, f"--seed={SEED}", "--pass-value=0", *words])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_looks_grow_and_end_at_the_bound():
    for most in (1, 59, 60, 61, 5_000):
        steps = looks(most)
        assert steps[-1] == most
        assert (np.diff(steps) > 0).all()
        assert steps[0] == min(60, most)


@pytest.mark.parametrize("plain", [False, True])
def test_one_stops_at_the_first_look_that_is_precise_enough(plain):
    asked = settle(precision=7)
    tally = tally_hand(HAND, asked.deals, SEED, plain=plain, until=asked.until)
    steps = looks(asked.deals)
    place = steps.index(tally.deals)
    assert half_width(tally) <= 0.07
    before = tally_hand(HAND, steps[place - 1], SEED, plain=plain)
    assert half_width(before) > 0.07
    again = tally_hand(HAND, tally.deals, SEED, plain=plain)
    assert bid_rows(again).equals(bid_rows(tally))


def test_counting_alone_takes_more_deals_and_never_more_than_the_bound():
    asked = settle(precision=7)
    tallies = [
        tally_hand(HAND, asked.deals, SEED, plain=plain, until=asked.until)
        for plain in (False, True)
    ]
    assert tallies[0].deals < tallies[1].deals <= asked.deals
    assert half_width(tally_hand(HAND, asked.deals, 1, plain=True)) <= 0.07


def test_threads_change_nothing():
    texts = [bid("--precision=8", f"--threads={n}", "--format=json") for n in (1, 2)]
    assert texts[0] == texts[1]


def test_the_points_of_a_sample_are_those_that_were_looked_at():
    asked = settle(precision=9)
    sample = sample_until(asked.until, HAND, asked.deals, SEED)
    tally = tally_hand(HAND, asked.deals, SEED, until=asked.until)
    assert (sample.points == sample_hand(HAND, tally.deals, SEED).points).all()


def sample_of(points) -> HandSample:
    return HandSample(Hand(HAND), (Trump.FOURS, Trump.FIVES), 1, Rules(), points)


def _points_where(ahead: float, deals: int = 4_000) -> HandSample:
    """Made-up deals of two trumps that make every bid, the first more often."""
    rng = np.random.default_rng(1)
    made = rng.random((deals, 2)) < [0.75 + ahead, 0.75]
    points = np.where(made, 42, 29).astype(np.int8)
    return sample_of(points)


def test_sure_of_what_is_far_ahead_and_not_of_equals():
    asked = Wanted(4_000, until_sure=95.0)
    assert asked.reached(tally_of(_points_where(0.2), plain=True))
    assert not asked.reached(tally_of(_points_where(0.0), plain=True))


def test_one_is_sure_of_a_wrong_call_no_more_often_than_was_asked():
    """Two trumps that are the same coin, looked at ten times: either is wrong."""
    rng, wrong, asked = np.random.default_rng(3), 0, Wanted(1_400, until_sure=80.0)
    for _ in range(40):
        points = np.where(rng.random((1_400, 2)) < 0.75, 42, 29).astype(np.int8)
        parts = (sample_of(points[:n]) for n in looks(1_400))
        wrong += any(asked.reached(tally_of(part, plain=True)) for part in parts)
    assert wrong <= 0.2 * 40


def test_what_was_asked_is_told():
    table = bid_table(HAND, seed=SEED, trumps=[Trump.FOURS, Trump.FIVES], precision=8)
    assert table.attrs["asked"]["precision"] == 8
    assert table.attrs["asked"]["reached"]
    stored = json.loads(
        bid("--trumps=4,follow-me", "--until-sure=99", "--deals=80", "--format=json")
    )
    assert stored["asked"] == {"until_sure": 99.0, "at_most": 80, "reached": False}
    assert stored["deals"] == 80
    text = bid("--trumps=4,follow-me", "--until-sure=99", "--precision=15", "--deals=80")
    assert "; not reached in 80 deals." in text
    assert max(map(len, text.splitlines())) <= 80
    assert "Asked" not in bid("--trumps=4,5", "--deals=80")


def test_the_default_is_a_precision():
    assert settle() == settle(precision=2)
    assert settle(300) == Wanted(300)
    assert settle(300, precision=1).deals == 300
    assert settle(until_sure=95).deals == 20_000


@pytest.mark.parametrize(
    "wrong",
    [
        *({"precision": value} for value in (0, 21, float("nan"), "2", True)),
        *({"until_sure": value} for value in (49, 100, float("inf"), "95")),
        *({"deals": value} for value in (0, 1.5, 10**9)),
    ],
)
def test_wrong_requests_are_refused(wrong):
    with pytest.raises(RequestError):
        settle(**wrong)


@pytest.mark.parametrize(
    "words", [("--precision=0",), ("--precision=nan",), ("--until-sure=100",), ("--deals=0",)]
)
def test_wrong_options_are_one_line(words):
    result = CliRunner().invoke(main, ["bid", HAND, *words])
    assert result.exit_code == 2
    assert "is not a" in result.stderr
