"""Chances in play beside those of double dummy, and the call that follows from them."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from sim42 import Hand, Rules, Study, Trump, run_study
from sim42.cli import main
from sim42.deals.random import deals_around
from sim42.runs.tally import tally_hand
from sim42.tables.bid import bid_facts, bid_rows
from sim42.tables.bid_file import read_bid
from sim42.tables.counts import BIDS, counts_of, made_of
from sim42.tables.groups import group_table
from sim42.tables.hands import best_calls, survey_table
from sim42.tables.in_play import estimates_of, in_play, passing_in_play
from sim42.tables.outlook import outlook
from sim42.tables.passing import Passing, chances_after, contracts_after, pass_value
from sim42.tables.played_rate import played_rate

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
STRONG = "6-6 6-5 6-4 6-2 5-5 4-4 1-0"


def bid(*words):
    result = CliRunner().invoke(main, ["bid", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_chances_are_the_estimates_of_the_rates():
    facts = bid_facts(tally_hand(HAND, 60, 3, ["fours", "follow-me"]))
    rows = bid_rows(tally_hand(HAND, 60, 3, ["fours", "follow-me"]))
    for row in rows.to_dict("records"):
        told = facts["in_play"]["chances"][row["trump"]][row["bid"] - 30]
        assert told == [row["in_play"], row["in_play_low"], row["in_play_high"]]
        single = played_rate(row["rate"], row["bid"])
        assert told[0] <= float(single.rate) + 1e-9
    assert facts["in_play"]["player"] == "pimc:20"


def test_a_higher_bid_is_no_likelier():
    rates = np.minimum.accumulate(np.random.default_rng(1).random((50, 13)), axis=1)
    for part in estimates_of(rates):
        assert (np.diff(part, axis=1) <= 0).all()


def test_the_call_is_best_by_marks_in_play():
    rates = np.repeat([[0.9], [0.7]], 13, axis=1)
    rates[:, -1] = 0.5
    told = in_play([Trump.ONES, Trump.SIXES], rates, Rules())
    chances = {name: np.array(rows)[:, 0] for name, rows in told["chances"].items()}
    marks = {
        (name, bid): stake * (2 * row[place] - 1)
        for name, row in chances.items()
        for bid, place, stake in ((30, 0, 1), (42, 12, 1), (84, 12, 2))
    }
    call = told["call"]
    assert (call["trump"], call["bid"]) == max(marks, key=marks.get)
    assert call["marks"] == pytest.approx(max(marks.values()))
    low, high = np.array(told["chances"]["ones"])[0, 1:]
    assert (call["low"], call["high"]) == pytest.approx((2 * low - 1, 2 * high - 1))
    passed = in_play([Trump.SIXES], rates[1:] / 2, Rules(), Passing(-0.1))
    assert passed["call"]["bid"] is None
    assert passed["call"]["marks"] == -0.1
    assert in_play([Trump.SIXES], rates[1:], Rules.points250())["call"] is None


def test_passing_in_play_is_the_mean_of_what_others_expect():
    passing = pass_value("model", HAND, 80, 5)
    told = passing_in_play(passing, Rules())
    deals = deals_around(Hand(HAND).mask, 80, 5)

    def chances(masks):
        return estimates_of(outlook(masks)).rate

    contracts = contracts_after(estimates_of(chances_after(deals)).rate, Rules())
    scores = []
    for deal, seat, trump, called in zip(deals, *contracts, strict=True):
        if called == 0:
            scores.append(0)
            continue
        chance = chances(deal[[seat]])[0, trump, min(called, 42) - 30]
        marks = (2 if called == 84 else 1) * (2 * chance - 1)
        scores.append(marks if seat == 2 else -marks)
    assert told.value == pytest.approx(np.mean(scores))
    assert told.low < told.value < told.high
    after = contracts_after(estimates_of(chances_after(deals)).rate, Rules(), Trump.SIXES, 30)
    call = in_play([Trump.SIXES], np.full((1, 13), 0.7), Rules(), told)["call"]
    expected = []
    for deal, seat, trump, called in zip(deals, *after, strict=True):
        chance = chances(deal[[seat]])[0, trump, min(called, 42) - 30]
        marks = (2 if called == 84 else 1) * (2 * chance - 1)
        expected.append(call["marks"] if seat == 0 else marks if seat == 2 else -marks)
    assert (call["bid"], 0 < call["opened"]["holds"] < 1) == (30, True)
    assert call["opened"]["holds"] == np.mean(after.declarer == 0)
    assert call["opened"]["value"] == pytest.approx(np.mean(expected))
    assert told.declares["nobody"] == pytest.approx(np.mean(contracts.bid == 0))
    assert passing_in_play(Passing(0.3), Rules()).value == 0.3
    assert passing_in_play(passing, Rules.points250()) is passing


def test_the_table_says_both_and_both_calls():
    text = bid(STRONG, "--trumps", "sixes,doubles", "--deals", 200, "--seed", 7)
    lines = text.splitlines()
    assert sum(line.startswith(" in play ") for line in lines) == 4
    assert [lines[n - 1].split()[0] for n, line in enumerate(lines) if line[:9] == " in play "] == [
        "sixes",
        "doubles",
        "sixes",
        "doubles",
    ]
    assert text.count("\nCall: ") == 1
    assert "\nDouble dummy: open 84 in doubles" in text
    assert "In play the bid is worth" in text
    assert max(map(len, lines)) <= 80
    assert "Double dummy it is the call too" in bid(HAND, "--deals", 60, "--seed", 42)
    points = bid(HAND, "--deals", 20, "--seed", 42, "--trumps", "fours", "--rules", "points250")
    assert points.count(" in play ") == 1
    assert "\nCall: " in points


def test_files_hold_both(tmp_path):
    words = (HAND, "--deals", 40, "--seed", 2, "--trumps", "fours,doubles")
    told = bid(*words, "--format", "json")
    stored = json.loads(told)
    assert set(stored["in_play"]) == {"player", "chances", "call"}
    rows = read_bid(told)
    assert json.loads(json.dumps(rows.attrs["in_play"])) == stored["in_play"]
    del stored["in_play"]  # as an older sim42 wrote it
    assert (
        read_bid(json.dumps(stored)).attrs["in_play"]["chances"] == rows.attrs["in_play"]["chances"]
    )
    bid(*words, "-o", tmp_path / "bid.csv")
    table = pd.read_csv(tmp_path / "bid.csv")
    assert table["in_play"].tolist() == pytest.approx(rows["in_play"].tolist(), abs=1e-9)
    assert len(table) == 2 * len(BIDS)


def test_tables_of_runs_say_both():
    frame = run_study(Study(hands=5, deals=20, seed=4, trumps=["fives", "sixes", "follow-me"]))
    made = made_of(counts_of(frame, "even", "odd"))
    told = estimates_of((made + 0.5) / 21)
    table = survey_table(frame)
    for place, bid in enumerate(BIDS):
        for name, part in zip(("in_play", "in_play_low", "in_play_high"), told, strict=True):
            assert table[f"{name}_{bid}"].tolist() == part[:, place].tolist()
    best = best_calls(frame)
    marks = np.stack([2 * told.rate[:, 0] - 1, *(s * (2 * told.rate[:, -1] - 1) for s in (1, 2))])
    for hand, row in enumerate(best.to_dict("records")):
        of_hand = marks[:, 3 * hand : 3 * hand + 3]
        assert row["play_marks"] == pytest.approx(max(of_hand.max(), 0), abs=1e-8)
        trump = of_hand.max(axis=0).argmax()
        assert row["play_trump"] == ("fives", "sixes", "follow-me")[trump]
        if of_hand.max() < 0:
            assert pd.isna(row["play_bid"])
        else:
            assert row["play_bid"] == (30, 42, 84)[of_hand[:, trump].argmax()]
        assert row["play_rate_36"] == told.rate[3 * hand + trump, 6]
    groups = group_table(frame, ["trump"])
    for row, trump in zip(groups.to_dict("records"), range(3), strict=True):
        assert row["in_play_36"] == pytest.approx(told.rate[trump::3, 6].mean())
        assert row["in_play_low_36"] < row["in_play_36"] < row["in_play_high_36"]


def test_tables_of_runs_print_both(tmp_path):
    def sim42(*words):
        result = CliRunner().invoke(main, list(map(str, words)))
        assert result.exit_code == 0, result.output
        return result.stdout

    path = tmp_path / "run"
    sim42("survey", path, "--hands", 3, "--deals", 8, "--seed", 1, "--trumps", "fives,sixes")
    for words, rows in (((), 6), (("--best",), 3), (("--by", "trump"), 2)):
        text = sim42("table", path, *words)
        assert (
            sum("in play " in line[:40] and "%" not in line for line in text.splitlines()) >= rows
        )
        assert max(map(len, text.splitlines())) <= 80
