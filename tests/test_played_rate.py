"""The estimate of what a bid makes in play, and the study that it was fitted on."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from sim42.deals.random import random_hands
from sim42.errors import RequestError
from sim42.tables import played_rate as estimate
from sim42.tables.counts import BIDS
from sim42.tables.played_rate import played_rate

SCRIPTS = Path(__file__).parent.parent / "scripts"


@pytest.fixture
def study(monkeypatch):
    """The program of the study, on a few deals of few hands."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.delitem(sys.modules, "real_play", raising=False)
    import real_play

    for name, value in {"PART": 3, "CHOOSING": range(4, 8), "RATING": range(8, 12)}.items():
        monkeypatch.setattr(real_play, name, value)
    monkeypatch.setattr(real_play, "BIDS", (30, 42))
    return real_play


def by_hand(rate, bid):
    """The estimate and its interval, from the file and in plain arithmetic."""
    with estimate.NUMBERS.open(encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if int(row["bid"]) == bid)
    odds = np.log(rate / (1 - rate))
    terms = {"one": 1.0, "odds": odds, "bend": max(odds - np.log(9), 0.0)}
    middle = sum(float(row[name]) * term for name, term in terms.items())
    variance = float(row["spread"]) ** 2
    for a, first in terms.items():
        for b, second in terms.items():
            told = row.get(f"{a}*{b}") or row[f"{b}*{a}"]
            variance += float(told) * first * second
    half = 1.959964 * variance**0.5
    return [1 / (1 + np.exp(-x)) for x in (middle, middle - half, middle + half)]


@pytest.mark.parametrize("bid", estimate.FITTED)
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.75, 0.95])
def test_an_estimate_is_what_the_file_says(rate, bid):
    assert [float(x) for x in played_rate(rate, bid)] == pytest.approx(by_hand(rate, bid), abs=1e-5)


def test_between_bids_that_were_played_numbers_lie_on_a_line():
    low, middle, high = (np.log(p / (1 - p)) for p in played_rate(0.6, [31, 33, 35]).rate)
    assert middle == pytest.approx((low + high) / 2)


def test_estimates_rise_with_the_rate_and_hold_to_bounds():
    rates = np.linspace(0, 1, 201)
    told = played_rate(rates[:, np.newaxis], BIDS)
    assert told.rate.shape == (201, 13)
    assert (np.diff(told.rate, axis=0) >= 0).all()
    for low, high in ((0, told.low), (told.low, told.rate), (told.rate, told.high), (told.high, 1)):
        assert (low <= high).all()
    assert played_rate(0.7, 84) == played_rate(0.7, 42)


def test_play_makes_less_than_double_dummy_where_it_matters():
    rates = np.linspace(0.3, 0.9, 20)
    assert (played_rate(rates[:, np.newaxis], BIDS).rate < rates[:, np.newaxis]).all()


@pytest.mark.parametrize(
    ("rate", "bid", "said"),
    [
        (1.1, 30, "from 0 to 1"),
        (np.nan, 30, "from 0 to 1"),
        (0.5, 29, "30 to 42, or marks"),
        (0.5, 43, "30 to 42, or marks"),
        (0.5, 30.0, "30 to 42, or marks"),
    ],
)
def test_what_is_no_rate_or_bid_is_refused(rate, bid, said):
    with pytest.raises(RequestError, match=said):
        played_rate(rate, bid)


def carry_out(study, run, *words, monkeypatch):
    words = [str(run), "--hands", "6", "--players", "club", "--dear", "random", *words]
    monkeypatch.setattr(sys, "argv", ["real_play.py", *words])
    study.main()
    return sorted(run.read_text(encoding="utf-8").splitlines())


def test_a_study_that_was_cut_goes_on_to_the_same_lines(study, tmp_path, monkeypatch):
    whole = carry_out(study, tmp_path / "whole", "--every", "2", monkeypatch=monkeypatch)
    # 2 x 2 of worth; club for both trumps and bids in both parts; in the dear one random, and 8
    # mixtures with the longest suit.
    assert len(whole) == 4 + 8 + 4 + 16
    cut = tmp_path / "cut"
    text = (tmp_path / "whole").read_text(encoding="utf-8")
    cut.write_text(text[: len(text) // 2], encoding="utf-8")
    assert carry_out(study, cut, "--every", "2", monkeypatch=monkeypatch) == whole
    lines = study.lines_of(cut)
    worth = next(line for line in lines if "counts" in line)
    assert worth["masks"] == random_hands(3, 42, worth["hands"]).tolist()
    assert all(sum(row) == 4 for row in worth["counts"])
    assert {len(line["made"]) for line in lines if "made" in line} == {12}
