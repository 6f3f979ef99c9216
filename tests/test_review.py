"""Reviews of played hands: what is given away, when contracts turn, and how it is shown."""

import csv
import io
import json
import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from matplotlib.text import Text

from sim42 import Deal, Game, solve
from sim42.charts import chart_review
from sim42.charts.review import LABEL, PER_PLAY, PER_POINT, VALUES, label_offsets
from sim42.cli import main
from sim42.deals.random import random_deals
from sim42.errors import RequestError
from sim42.game.records import format_record
from sim42.game.rules import Rules
from sim42.game.tiles import NAMES, count_of, parse_tile
from sim42.game.trumps import Trump
from sim42.tables.review import GROUPS, KINDS, contract_line, given_away, kind_of, review

RULES = Rules(play_out=True)


def dealt(seed, trump=Trump.FIVES, bid="30", declarer=0, rules=RULES):
    bids = ["pass"] * declarer + [bid] + ["pass"] * (3 - declarer)
    return Game(
        Deal(random_deals(1, seed)[0].tolist()), shaker=3, bids=bids, trump=trump, rules=rules
    )


def at_random(game, seed, plays=28):
    random = np.random.default_rng(seed)
    for _ in range(plays):
        game = game.play(int(random.choice(game.legal_plays)))
    return game


def double_dummy(game):
    for name in (name for trick in solve(game).line for name in trick):
        game = game.play(name)
    return game


@pytest.fixture(scope="module")
def games():
    return [at_random(dealt(seed, Trump(seed % 9), "31", seed % 4), seed) for seed in range(12)]


@pytest.fixture(scope="module")
def plays(games):
    return review(games)


@pytest.mark.parametrize("seed", range(6))
def test_a_line_of_best_play_gives_nothing_away(seed):
    game = double_dummy(dealt(seed, Trump(seed), declarer=seed % 4))
    plays = review([game])
    assert (plays["given"] == 0).all()
    assert (plays["turn"] == "").all()
    assert (plays["before"] == plays["after"]).all()
    assert plays["after"].iloc[-1] == game.points[game.contract.side]


def test_values_are_those_of_solving_each_position(games, plays):
    for number, game in enumerate(games[:4], start=1):
        rows = plays[plays["hand"] == number]
        fresh = dealt(number - 1, game.trump, "31", (number - 1) % 4)
        for row, tile in zip(rows.to_dict("records"), game.plays, strict=True):
            solution = solve(fresh)
            assert row["before"] == solution.points
            assert row["after"] == solution.plays[NAMES[tile]]
            assert row["best"] == " ".join(solution.best)
            assert row["legal"] == len(solution.plays)
            assert (row["seat"], row["tile"]) == (solution.turn, NAMES[tile])
            fresh = fresh.play(tile)


def test_what_was_given_away_leads_from_the_first_value_to_the_last(games, plays):
    for number, game in enumerate(games, start=1):
        rows = plays[plays["hand"] == number]
        assert (rows["after"].iloc[:-1].to_numpy() == rows["before"].iloc[1:]).all()
        assert (rows["given"] >= 0).all()
        ours = rows["side"] == "declarer"
        assert (ours == (rows["seat"] % 2 == game.contract.side)).all()
        given = rows["given"].where(~ours, -rows["given"]).sum()
        assert rows["before"].iloc[0] + given == game.points[game.contract.side]
        assert (rows["given"].where(rows["legal"] > 1, 0) == rows["given"]).all()
        facts = plays.attrs["hands"][number - 1]
        assert facts["stands"] == game.points[game.contract.side]
        assert facts["made"] == game.result.made == (facts["stands"] >= 31)


def test_the_contract_turns_where_the_value_crosses_the_bid(plays):
    crossing = (plays["before"] >= 31) != (plays["after"] >= 31)
    assert ((plays["turn"] != "") == crossing).all()
    assert (plays.loc[plays["turn"] == "lost", "side"] == "declarer").all()
    assert (plays.loc[plays["turn"] == "let through", "side"] == "defenders").all()
    assert {"lost", "let through"} <= set(plays["turn"])


def test_kinds_of_play(games, plays):
    for number, game in enumerate(games, start=1):
        play = dealt(number - 1, game.trump, "31", (number - 1) % 4).tricks
        for kind, tile in zip(plays.loc[plays["hand"] == number, "kind"], game.plays, strict=True):
            holds = play.hands[play.turn]
            follows = bool(play.table) and holds & ~play.legal_mask != 0
            assert (kind == "lead") == (not play.table)
            if follows:
                assert kind == "follow"
            if kind in ("trump in", "throw count", "throw off"):
                assert holds == play.legal_mask
            assert (kind == "throw count") <= (count_of(1 << tile) > 0)
            assert kind == kind_of(play, tile)
            play = play.play(tile)
    assert set(plays["kind"]) == set(KINDS)


def test_no_tile_trumps_in_without_a_trump():
    rules = Rules(doubles="own_suit", play_out=True)
    games = [at_random(dealt(seed, Trump.FOLLOW_ME, rules=rules), seed) for seed in range(6)]
    assert "trump in" not in set(review(games)["kind"])
    doubles = [at_random(dealt(seed, Trump.DOUBLES), seed) for seed in range(6)]
    kinds = review(doubles)
    trumped = kinds.loc[kinds["kind"] == "trump in", "tile"]
    assert len(trumped)
    assert {tile[0] == tile[2] for tile in trumped} == {True}


@pytest.mark.parametrize("by", GROUPS)
def test_groups_add_up(plays, by):
    groups = given_away(plays, by)
    for column, total in (
        ("plays", len(plays)),
        ("choices", (plays["legal"] > 1).sum()),
        ("costly", (plays["given"] > 0).sum()),
        ("points", plays["given"].sum()),
    ):
        assert groups[column].sum() == total
    known = groups.dropna()
    assert (known["a_hand_low"] <= known["a_hand"]).all()
    assert (known["a_hand"] <= known["a_hand_high"]).all()
    assert np.allclose(groups["a_hand"] * 12, groups["points"])
    some = groups[groups["choices"] > 0]
    assert np.allclose(some["a_choice"] * some["choices"], some["points"])


def test_intervals_of_points_given_away_cover_the_mean():
    # The interval of a mean over hands must hold the mean of many more, 95 times of 100.
    random = np.random.default_rng(5)
    everything = random.poisson(2.0, 100_000) * random.integers(0, 6, 100_000)
    covered = 0
    for _ in range(400):
        hands = random.choice(everything, 40)
        frame = pd.DataFrame({"hand": range(1, 41), "given": hands, "legal": 2, "seat": 0})
        frame.attrs["hands"] = [{}] * 40
        (row,) = given_away(frame, "seat").to_dict("records")
        covered += row["a_hand_low"] <= everything.mean() <= row["a_hand_high"]
    assert 0.90 < covered / 400 < 0.98


def test_nothing_is_said_of_a_spread_that_was_not_seen():
    one = given_away(review([at_random(dealt(3), 3)]), "side")
    assert one[["a_hand_low", "a_hand_high"]].isna().all(axis=None)
    perfect = review([double_dummy(dealt(seed)) for seed in range(3)])
    assert given_away(perfect, "side")["a_hand_high"].isna().all()


def test_a_hand_may_break_off():
    game = at_random(dealt(2), 2, plays=6)
    plays = review([game])
    assert len(plays) == 6
    assert plays.attrs["hands"][0]["made"] is None
    with pytest.raises(RequestError, match="hand 2: no tile was played"):
        review([game, dealt(2)])
    with pytest.raises(RequestError, match="no hands to review"):
        review([])
    with pytest.raises(RequestError, match="by 'tile': one of seat, side, trick, kind"):
        given_away(plays, "tile")


def test_the_chart_shows_every_value_and_every_gift(plays, games):
    one = review(games[:1])
    ax = chart_review(one)
    assert ax.lines[0].get_ydata().tolist() == [one["before"].iloc[0], *one["after"]]
    assert ax.lines[1].get_ydata() == [31, 31]
    circles = [line for line in ax.lines if line.get_marker() == "o"]
    assert sum(len(line.get_xdata()) for line in circles) == (one["given"] > 0).sum()
    assert len(circles[1].get_xdata()) == (one["turn"] != "").sum()
    with pytest.raises(RequestError, match="one hand, not 12"):
        chart_review(plays)


def test_labels_of_the_chart_never_touch(plays, games):
    """Drawn, and for every way in which four plays in a row can cost something."""
    gifts = plays[plays["given"] > 0].groupby("hand").size()
    chart = chart_review(review([games[gifts.idxmax() - 1]]))
    chart.figure.draw_without_rendering()
    labels = [text for text in chart.texts if ": " in text.get_text()[:3]]
    boxes = [Text.get_window_extent(label) for label in labels]
    assert len(boxes) == gifts.max() > 5
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    for values in product((0, 1, 20, 41, 42), repeat=5):
        frame = pd.DataFrame({"play": range(1, 5), "before": values[:-1], "after": values[1:]})
        costly = frame[frame["before"] != frame["after"]]
        boxes = [
            (PER_PLAY * row.play, PER_POINT * row.after + offset + math.copysign(12, offset))
            for row, offset in zip(costly.itertuples(), label_offsets(costly), strict=True)
        ]
        for (x, y), (u, v) in combinations(boxes, 2):
            assert abs(x - u) >= LABEL[0] or abs(y - v) >= LABEL[1], values
        for (_, y), row in zip(boxes, costly.itertuples(), strict=True):
            assert VALUES[0] * PER_POINT <= y - 12 < y + 12 <= VALUES[1] * PER_POINT, (values, row)


@pytest.mark.parametrize(
    ("declarer", "made", "line"),
    [
        (3, False, "Seat 3 plays 31, trump fives: set with 30 points, 12 for the defenders."),
        (0, True, "Seat 0 plays 31, trump fives: made with 12 points, 30 for the defenders."),
        (2, None, "Seat 2 plays 31, trump fives; the record breaks off at 12 points, 30 for"),
    ],
)
def test_points_are_told_by_side(declarer, made, line):
    """The declarer's first, whose seats they are."""
    hand = {"declarer": declarer, "bid": 31, "trump": "fives", "points": [12, 30], "made": made}
    assert contract_line(hand).startswith(line)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, games, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [format_record(game.record()) + "\n" for game in games]
    (tmp_path / "all.jsonl").write_text("".join(lines))
    (tmp_path / "one.jsonl").write_text(lines[0])
    (tmp_path / "none.jsonl").write_text(format_record(dealt(1).record()) + "\n")
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["review", *words])


def test_one_hand_play_by_play(files, games):
    done = run("one.jsonl", "--chart", "one.svg")
    assert done.exit_code == 0, done.output
    plays = review(games[:1])
    rows = [line.split() for line in done.stdout.splitlines() if line[:4].strip().isdigit()]
    assert [row[3] for row in rows] == [NAMES[tile] for tile in games[0].plays]
    for turn in plays[plays["turn"] != ""].to_dict("records"):
        assert (
            f"The contract was {turn['turn']} at play {turn['play']}: {turn['tile']}" in done.stdout
        )
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "no verdict on a player who" in done.stdout
    assert "<svg" in (files / "one.svg").read_text()


def test_many_hands_by_group(files):
    done = run("all.jsonl", "none.jsonl")
    assert done.exit_code == 0, done.output
    assert done.stderr == "passed over, for no tile was played: 1 of 13 hands\n"
    assert done.stdout.startswith("12 hands, 336 plays.\n")
    for by in GROUPS:
        assert f"\n{by:12}" in done.stdout
    for kind, what in KINDS.items():
        assert f"{kind}, {what}" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_other_formats_hold_every_play(files, plays):
    data = json.loads(run("all.jsonl", "--format", "json").stdout)
    assert data["double_dummy"] is True
    assert len(data["hands"]) == 12
    assert len(data["plays"]) == len(plays)
    assert {row["kind"]: row["points"] for row in data["given_away"]["kind"]} == dict(
        given_away(plays, "kind")[["kind", "points"]].itertuples(index=False)
    )
    rows = list(csv.DictReader(io.StringIO(run("all.jsonl", "--format", "csv").stdout)))
    assert [int(row["given"]) for row in rows] == plays["given"].tolist()
    lines = run("one.jsonl", "--format", "jsonl").stdout.splitlines()
    assert [parse_tile(json.loads(line)["tile"]) for line in lines]
    assert not any(math.isnan(json.loads(line)["after"]) for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.jsonl"], "no tile was played in any of these records"),
        (["missing.jsonl"], "missing.jsonl: there is no such file"),
        (["one.jsonl", "--chart", "-", "-o", "-"], "two"),
        (["all.jsonl", "--chart", "x.png"], "one hand, not 12"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_one_line(files, words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (files / "x.png").exists()


def test_the_report_holds_the_chart_and_every_play(files, plays):
    def report(*words):
        return CliRunner().invoke(main, ["report", *words])

    assert report("--record", "one.jsonl", "-o", "one.html").exit_code == 0
    page = (files / "one.html").read_text()
    one = plays[plays["hand"] == 1]
    assert page.count("<tr>") == len(one) + 1
    assert "What the hand was worth after every play" in page
    assert page.count("The contract was") == (one["turn"] != "").sum()
    assert report("--record", "all.jsonl", "-o", "all.html").exit_code == 0
    page = (files / "all.html").read_text()
    for by in GROUPS:
        assert f"By {by}" in page
    assert page.count("<tr>") == (plays["given"] > 0).sum() + 1 + sum(
        len(given_away(plays, by)) + 1 for by in GROUPS
    )
    for words in ((), ("--record", "one.jsonl", "6-6"), ("--record", "one.jsonl", "--seed=1")):
        done = report(*words, "-o", "x.html")
        assert done.exit_code == 2
        assert len(done.stderr.splitlines()) == 1
