"""Bids played by those who see only their own hand: the counts, the figures, and the command."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import binomtest

from sim42 import Hand, Trump, solve
from sim42.cli import main
from sim42.deals.random import deals_around
from sim42.errors import RequestError
from sim42.game.rules import Contract, Rules
from sim42.game.tiles import Deal
from sim42.play.names import find_player
from sim42.play.table import play_hand
from sim42.runs.playing import Playing, play_bids, play_sample
from sim42.runs.tally import tally_hand
from sim42.tables.counts import BIDS, made_of
from sim42.tables.played import played_facts, played_row
from sim42.tables.recommend import best_offers
from sim42.tables.spread import mean_interval

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


def bid(*words):
    return CliRunner().invoke(main, ["bid", HAND, "--seed", "5", *map(str, words)])


def refused(*words):
    result = bid(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_counts_are_those_of_single_hands():
    deals = deals_around(Hand(HAND).mask, 12, seed=3)
    playing = Playing("pimc:2", "club", (30, 36, 42))
    counts = play_bids(deals, Trump.FOURS, playing, 3, first=7)
    expected = np.zeros_like(counts)
    seats = [find_player("pimc:2"), find_player("club")] * 2
    for place, contract in enumerate(Contract(0, bid) for bid in playing.bids):
        for number, masks in enumerate(deals.tolist(), start=7):
            end = play_hand(tuple(masks), Trump.FOURS, contract, seats, 3, number, Rules())
            seen = solve(Deal(masks), Trump.FOURS).points >= contract.bid
            expected[place, int(seen), int(end.points[0] >= contract.bid)] += 1
    assert counts.tolist() == expected.tolist()


def test_who_sees_all_makes_what_the_table_says():
    playing = Playing("double-dummy", bids=BIDS)
    question = {"hand": HAND, "deals": 25, "seed": 9, "trumps": [Trump.FOURS, Trump.FOLLOW_ME]}
    question |= {"given": "has(partner, 4-4)", "rules": Rules(doubles="low")}
    played = play_sample(**question, playing=playing)
    assert (
        played.counts[..., 1].sum(axis=2).tolist()
        == made_of(tally_hand(**question).counts).tolist()
    )
    assert all(row["difference"] == 0 for row in played_facts(played)["rows"])


def test_counts_add_whatever_the_threads():
    question = {"trumps": [Trump.SIXES], "playing": Playing("pimc:2", bids=[30]), "seed": 2}
    whole = play_sample(HAND, **question, deals=40, threads=1)
    assert whole.deals == 40
    assert play_sample(HAND, **question, deals=40, threads=3).counts.tolist() == (
        whole.counts.tolist()
    )
    deals = deals_around(Hand(HAND).mask, 40, seed=2)
    parts = [
        play_bids(deals[start:stop], Trump.SIXES, question["playing"], 2, start)
        for start, stop in ((0, 13), (13, 40))
    ]
    assert (parts[0] + parts[1]).tolist() == whole.counts[0].tolist()


def test_figures_are_those_of_scipy():
    counts = np.array([[20, 3], [9, 30]])
    row = played_row(counts, 42)
    interval = binomtest(33, 62).proportion_ci(method="wilson")
    assert (row["played_low"], row["played_high"]) == pytest.approx((interval.low, interval.high))
    paired = np.repeat([0, 1, -1], [50, 3, 9])
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(
        mean_interval(paired, -1, 1)[1:]
    )
    assert row["difference"] == pytest.approx(33 / 62 - 39 / 62)
    assert row["played_marks"] == pytest.approx((33 - 29) / 62)


def test_the_best_trumps_are_played():
    names = ("ones", "twos", "threes", "fours")
    offers = [{"trump": name, "marks": {"30": n, "42": 0}} for n, name in enumerate(names)]
    assert list(map(str, best_offers(offers, 3))) == ["fours", "threes", "twos"]
    assert best_offers(offers[:1], 3) == [Trump.ONES]


def test_command_in_every_format():
    words = ("--deals", 20, "--play", "pimc:2", "--others", "club", "--bids", "36,30")
    told = json.loads(bid(*words, "--format", "json").stdout)
    assert (told["played"]["player"], told["played"]["others"]) == ("pimc:2", "club")
    assert told["played"]["bids"] == [30, 36]
    rows = told["played"]["rows"]
    assert len(rows) == 6
    best = [Trump(row["trump"]) for row in rows[::2]]
    assert best_offers(told["in_play"]["call"]["offers"], 3) == best
    played = play_sample(HAND, best, Playing("pimc:2", "club", (30, 36)), 20, 5)
    assert [row["played_made"] for row in rows] == played.counts[..., 1].sum(
        axis=2
    ).ravel().tolist()
    beside = {(row["trump"], row["bid"]): row["rate"] for row in told["rows"]}
    for row in rows:
        seen = beside[row["trump"], row["bid"]]
        assert row["difference"] == pytest.approx(row["played_rate"] - seen)
    text = bid(*words).stdout
    assert "Played by pimc:2 against club, who see only their own hand" in text
    assert text.count(f"\n{rows[0]['trump']:9}") == 4  # the chances, the marks, and two bids
    assert max(map(len, text.splitlines())) <= 80


def test_columns_stand_beside_the_rates(tmp_path):
    words = ("--deals", 10, "--trumps", "4", "--play", "club", "-o", tmp_path / "bid.csv")
    assert bid(*words).exit_code == 0
    rows = pd.read_csv(tmp_path / "bid.csv")
    assert rows.loc[rows["played_made"].notna(), "bid"].tolist() == [30, 31, 35, 42]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--others", "club"), "--others goes with --play PLAYER"),
        (("--bids", "30"), "--bids goes with --play PLAYER"),
        (("--play", "pumc:2"), "--play: player 'pumc:2': none of that name"),
        (("--play", "club", "--others", "pimc:0"), "player 'pimc:0': from 1 to"),
        (("--play", "club", "--bids", "29"), "bids of 30 to 42, each once"),
        (("--play", "club", "--bids", "30,30"), "bids of 30 to 42, each once"),
        (("--play", "club", "--bids", "30,,31"), "bids of 30 to 42, each once"),
    ],
)
def test_what_cannot_be_played_is_refused(words, said):
    assert said in refused(*words)


@pytest.mark.parametrize("bids", [(), (29,), (30, 30), "30", 30, None, (30, "31")])
def test_bids_that_cannot_be_are_refused(bids):
    with pytest.raises(RequestError, match="bids"):
        Playing("club", bids=bids)
