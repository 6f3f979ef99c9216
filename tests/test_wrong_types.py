"""Wrong types in Python: an error of ours that says so on one line, and no numpy number kept."""

import re
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from test_game import DEAL, ONE_BID, started

import sim42
from sim42 import (
    Deal,
    Game,
    Given,
    Hand,
    Positions,
    Rules,
    Study,
    Trump,
    add_runs,
    bid_table,
    charts,
    load_run,
    makes,
    makes_many,
    run_study,
    solve,
    solve_many,
)
from sim42.deals.endings import random_endings
from sim42.deals.known import what_is_known
from sim42.deals.random import deals_around, hands_at, random_deals, random_hands
from sim42.errors import Sim42Error
from sim42.game.records import bid_of, parse_bid, parse_record
from sim42.game.tiles import parse_tile, parse_tiles, tile_of
from sim42.game.trumps import choose_trumps
from sim42.play.names import find_player
from sim42.report import report_hand, report_survey
from sim42.report.review import report_review
from sim42.runs.frames import of_trumps
from sim42.runs.leads import sample_leads, sample_plays
from sim42.runs.sample import sample_hand
from sim42.runs.tally import tally_hand
from sim42.tables.bid import bid_rows
from sim42.tables.bid_file import read_bid
from sim42.tables.compare import compare_hands, compare_runs, compare_samples
from sim42.tables.convergence import running_bid, running_run
from sim42.tables.features import hand_features
from sim42.tables.groups import group_table
from sim42.tables.hands import best_calls, survey_table
from sim42.tables.leads import fixed_leads, lead_table, with_fixed_leads
from sim42.tables.odds import odds, odds_of_hands
from sim42.tables.review import given_away, review

HAND = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"
STUDY = Study(hands=1, seed=1, deals=1, trumps=["fives"])
WRONG = (
    *(None, 1.0, 2.5, True, "one", b"1", float("nan"), [1], (), {}, object()),
    *(np.float64(1), np.array([1, 2, 3]), np.zeros((30, 30)), 10**30, -1, [None] * 4, "\n" * 100),
)


def is_nothing(it):
    return it is None or (isinstance(it, dict) and not it)


def is_name(it):
    """Whether a run may be begun in a directory of this name."""
    return isinstance(it, str | bytes)


CALLS = {
    "Hand": Hand,
    "Deal": Deal,
    "Game": Game,
    "Game shaker": lambda it: None if it is True else Game(DEAL, it),
    "Game score": lambda it: Game(DEAL, score=it),
    "Game score of a side": lambda it: Game(DEAL, score=(it, 0)),
    "Game rules": lambda it: is_nothing(it) or Game(DEAL, rules=it),
    "Game bids": lambda it: Game(DEAL, bids=it),
    "Game plays": lambda it: Game(DEAL, 3, bids=ONE_BID, trump="fives", plays=it),
    "Game trump": lambda it: Game(DEAL, bids=ONE_BID, trump=it),
    "Game.bid": lambda it: Game(DEAL).bid(it),
    "Game.play": lambda it: started().play(it),
    "Game.next_hand": lambda it: Game(DEAL, bids=["pass"] * 4).next_hand(it),
    "Game.from_record": Game.from_record,
    "Rules.of": Rules.of,
    "Rules.from_toml": Rules.from_toml,
    "Rules.from_dict": Rules.from_dict,
    "Rules max_marks": lambda it: Rules(max_marks=it),
    "Rules doubles": lambda it: Rules(doubles=it),
    "choose_trumps": choose_trumps,
    "parse_tile": parse_tile,
    "tile_of": tile_of,
    "bid_of": bid_of,
    "parse_bid": parse_bid,
    "parse_record": parse_record,
    "in a hand": lambda it: it in Hand(HAND),
    "solve": lambda it: solve(it, "sixes"),
    "solve leader": lambda it: it is None or solve(DEAL, "sixes", it),
    "solve rules": lambda it: is_nothing(it) or solve(DEAL, "sixes", rules=it),
    "solve_many": solve_many,
    "solve_many leader": lambda it: solve_many([DEAL], ["fives"], it),
    "solve_many floor": lambda it: solve_many([DEAL], ["fives"], floor=it),
    "solve_many threads": lambda it: it is None or solve_many([DEAL], ["fives"], threads=it),
    "random_deals": lambda it: random_deals(it, 1),
    "random_deals seed": lambda it: random_deals(1, it),
    "random_deals known": lambda it: random_deals(1, 1, it),
    "random_deals start": lambda it: random_deals(1, 1, start=it),
    "deals_around": lambda it: deals_around(it, 1, 1),
    "hands_at": hands_at,
    "random_hands": lambda it: random_hands(it, 1),
    "sample_hand": lambda it: sample_hand(HAND, it, 1, ["sixes"]),
    "bid_table seed": lambda it: bid_table(HAND, 1, it, ["sixes"]),
    "bid_table trumps": lambda it: it is None or bid_table(HAND, 1, 1, it),
    "Study": lambda it: Study(hands=it, seed=1),
    "Study deals": lambda it: Study(hands=1, seed=1, deals=it),
    "Study seed": lambda it: Study(hands=1, seed=it),
    "Study floor": lambda it: Study(hands=1, seed=1, floor=it),
    "Study rules": lambda it: is_nothing(it) or Study(hands=1, seed=1, rules=it),
    "run_study": run_study,
    "run_study executor": lambda it: it is None or run_study(STUDY, it),
    "run_study path": lambda it: is_name(it) or it is None or run_study(STUDY, path=it),
    "run_study threads": lambda it: it is None or run_study(STUDY, threads=it),
    "run_study block": lambda it: it is None or run_study(STUDY, block=it),
    "load_run": lambda it: is_name(it) or load_run(it),
    "add_runs": add_runs,
}


@pytest.mark.parametrize("name", CALLS)
def test_any_wrong_value_is_refused_in_one_line(name):
    said = []
    for value in WRONG:
        try:
            CALLS[name](value)
        except Sim42Error as error:
            said.append(str(error))
    assert len(said) >= len(WRONG) // 3
    assert [line for line in said if "\n" in line or len(line) > 300] == []


def good_calls():
    """Every public function with arguments that are right, by its name."""
    one = {"trumps": ["fives"], "deals": 2, "seed": 1}
    game = started().play("6-6")
    study = Study(hands=[HAND, DEAL.hands[0]], **one)
    run, sample, leads = run_study(study), sample_hand(HAND, **one), sample_leads(HAND, **one)
    rows, plays, table = bid_rows(sample), review([game]), lead_table(leads)
    samples = sample, sample_hand(HAND, 2, 2, ["fives"])
    ax = charts.chart_hand(rows)
    asked = {"hand": HAND, **one, "rules": "family", "threads": 1, "progress": None, "given": None}
    position = Positions.of([game])
    many = {"trumps": ["fives"], "rules": None, "threads": 1, "progress": None}
    one_trump = {"first_trump": "fives", "second_trump": "fives"}
    return {
        add_runs: {"*": run},
        bid_table: {**asked, "floor": 30},
        load_run: {"path": "run"},
        makes: {"position": DEAL, "need": 30, "trump": "fives", "leader": 0, "rules": None},
        makes_many: {"positions": position, "need": 30, **many},
        run_study: {"study": study, "executor": None, "path": "run", "threads": 1, "block": 1}
        | {"progress": None},
        solve: {"deal": DEAL, "trump": "fives", "leader": 0, "rules": None},
        solve_many: {"deals": [DEAL], "leader": 0, "floor": 0, **many},
        sample_hand: asked,
        tally_hand: {**asked, "floor": 30},
        sample_leads: {**asked, "floor": 30},
        sample_plays: {"game": game, "deals": 2, "seed": 1, "threads": 1, "progress": None},
        of_trumps: {"frame": run, "trumps": ["fives"]},
        bid_rows: {"sample": sample},
        read_bid: {"text": "{}"},
        survey_table: {"frame": run},
        best_calls: {"frame": run},
        group_table: {"frame": run, "by": ["trump"], "best": False},
        hand_features: {"masks": [Hand(HAND).mask], "trumps": 5},
        compare_hands: {"first": rows, "second": bid_rows(samples[1]), **one_trump},
        compare_samples: {"first": samples[0], "second": samples[1], **one_trump},
        compare_runs: {"first": run, "second": run},
        running_bid: {"sample": sample, "bid": 30, "trump": "fives"},
        running_run: {"run": run, "bid": 30},
        lead_table: {"sample": leads, "bid": 30},
        fixed_leads: {"sample": leads},
        with_fixed_leads: {"rows": rows, "sample": leads},
        odds: {"question": "has(left, 6-6)", "hand": HAND, "given": None, "trump": None}
        | {"deals": 100, "seed": 1},
        odds_of_hands: {"question": "has(me, 6-6) and has(me, 5-5)", "trump": None},
        review: {"games": [game], "threads": 1, "progress": None},
        given_away: {"plays": plays, "by": "seat"},
        charts.chart_bids: {"run": run, "ax": None},
        charts.chart_compare: {"frame": compare_samples(*samples), "ax": None},
        charts.chart_convergence: {"frame": running_bid(sample), "ax": None},
        charts.chart_curve: {"rows": rows, "ax": None, "survey": None},
        charts.chart_hand: {"rows": rows, "ax": None},
        charts.chart_lead: {"table": table, "ax": None},
        charts.chart_points: {"rows": rows, "trump": None, "ax": None},
        charts.chart_review: {"plays": plays, "ax": None},
        charts.chart_shapes: {"run": run, "ax": None},
        charts.chart_trumps: {"run": run, "ax": None},
        charts.chart_types: {"run": run, "ax": None},
        charts.picture: {"ax": ax, "file_format": "svg", "dpi": 30},
        charts.retitle: {"ax": ax, "title": "A hand"},
        charts.save: {"ax": ax, "path": "hand.svg", "dpi": 30},
        report_hand: {"sample": sample},
        report_survey: {"run": run},
        report_review: {"plays": plays},
        random_deals: {"count": 1, "seed": 1, "known": (0, 0, 0, 0), "start": 0},
        random_hands: {"count": 1, "seed": 1, "start": 0},
        random_endings: {"count": 1, "seed": 1, "tiles": 3, "start": 0},
        deals_around: {"hand_mask": Hand(HAND).mask, "count": 1, "seed": 1, "start": 0},
        what_is_known: {"where": None, "partner": "6-6", "left": "", "right": "", "holds": {}}
        | {"trump": None},
        Given: {"where": "has(left, 6-6)", "trump": None},
        Study: {"hands": 2, **one, "floor": 30, "rules": None, "given": None},
        find_player: {"name": "club"},
    }


def test_every_argument_of_every_public_function_is_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = (None, 2.5, "one", b"1", [1], {}, object(), np.array([1, 2]), 10**30, -1, "\n" * 100)
    long = []
    for function, arguments in good_calls().items():
        for name in arguments:
            for value in wrong[arguments[name] is None :]:
                given = {**arguments, name: value}
                try:
                    function(*[given.pop("*")] if "*" in given else [], **given)
                except Sim42Error as error:
                    lines = str(error).split("\n")
                    if name != "path" and (len(lines) > 3 or len(lines[0]) > 400):
                        long.append(f"{function.__name__} {name}: {error!s:.80}")
                except BaseException as error:
                    error.add_note(f"{function.__name__}, {name}: {value!r:.40}")
                    raise
    assert long == []


def test_no_public_function_is_left_out():
    walked = {function.__name__ for function in good_calls()}
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^>>> from (sim42\S*) import (.+)$", readme, re.MULTILINE)
    names = {(module, name) for module, list_ in shown for name in list_.split(", ")}
    names |= {("sim42", name) for name in sim42.__all__}
    names |= {("sim42.charts", name) for name in charts.__all__}
    functions = {name for module, name in names if isfunction(getattr(import_module(module), name))}
    assert functions - walked == {"longest_suit", "meet"}  # what players of one's own are tried by


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Game(DEAL, 1.0), "shaker 1.0: not a whole number from 0 to 3"),
        (lambda: started().play(27.0), "27.0: a tile is text, as 6-4, or an id, 0 to 27"),
        (lambda: Game(DEAL).bid(None), "None: a bid is a number or text, as 30 or pass"),
        (lambda: Game(DEAL, score=3), "score 3: not one in a match that still goes on"),
        (lambda: Game(DEAL, bids="30"), "bids '30': give a list, in order"),
        (lambda: Game(DEAL, rules=5), "rules 5: not Rules, a name, a file or options by name"),
        (lambda: Game(DEAL, rules="hous"), "rules 'hous': no such file, and no rules of that name"),
        (
            lambda: Hand(np.arange(7)),
            "array([0, 1, 2, 3, 4, 5, 6]): tiles are given as text or",
        ),
        (lambda: Deal(None), "None: a deal is text, or four hands"),
        (
            lambda: best_calls(pd.DataFrame({"mask": []})),
            "run: a frame without column hand, column",
        ),
        (add_runs, "no runs to add: give one at least"),
        (lambda: add_runs("RUN"), "run 1 'RUN': give a frame as load_run does"),
        (lambda: solve(None, "fives"), "None: a deal is text, or four hands"),
        (lambda: solve_many(5), "deals 5: give a list of deals, or an array (n, 4)"),
        (lambda: choose_trumps(Trump.FIVES), "name them in a list or a text"),
        (lambda: run_study(None), "study None: not a Study"),
        (lambda: run_study(STUDY, threads="2"), "threads '2': not a whole number from 1 up"),
        (lambda: run_study(STUDY, block=0), "block 0: not a whole number from 1 to 1184040"),
        (lambda: run_study(STUDY, path="a\0b"), "no directory can have this name"),
        (lambda: load_run(None), "None: not the name of a run; name a directory"),
        (lambda: sample_hand(HAND, 1.5), "deals 1.5: not a whole number from 1 to 10000000"),
    ],
)
def test_what_is_said(call, said):
    with pytest.raises(Sim42Error) as error:
        call()
    assert said in str(error.value)


def test_numpy_numbers_do_not_stay():
    one = np.int64(1)
    game = Game(
        Deal(np.array(DEAL.masks)), one, score=(one, np.uint8(2)), bids=(np.int64(0), np.int16(30))
    )
    for number in (game.shaker, *game.score, *game.bids, *game.deal.masks):
        assert type(number) is int
    game = started().play(np.int64(27))
    assert [type(tile) for tile in game.plays] == [int]
    assert type(Rules(max_marks=np.int64(2)).max_marks) is int
    sample = sample_hand(Hand(np.int64(Hand(HAND).mask)), np.int64(2), np.int64(1), ["sixes"])
    assert (type(sample.seed), type(sample.hand.mask)) == (int, int)
    assert type(solve(DEAL, "sixes", np.int64(1)).leader) is int
    study = Study(hands=np.int64(2), deals=np.int64(3), seed=np.int64(4), floor=np.int64(30))
    assert {type(n) for n in (study.hands, study.deals, study.seed, study.floor)} == {int}


@pytest.mark.parametrize("rules", ["family", Rules.family(), Rules.family().as_dict()])
def test_rules_by_name_wherever_rules_are_taken(rules):
    family = Rules.family()
    assert Rules.of(rules) == family
    assert Game(DEAL, rules=rules).rules == family
    record = Game(DEAL).record().__class__(deal=DEAL, shaker=0)
    assert Game.from_record(record, rules).rules == family
    assert solve(DEAL, "sixes", rules=rules).rules == family
    assert (solve_many([DEAL], rules=rules) == solve_many([DEAL])).all()
    assert sample_hand(HAND, 2, 1, ["sixes"], rules).rules == family
    assert bid_table(HAND, 2, 1, ["sixes"], rules).attrs["rules"] == family.as_dict()
    assert Study(hands=2, seed=1, rules=rules).rules == family


def test_tiles_in_a_hand_by_id_and_text():
    assert "6-4" in Hand(HAND)
    assert "4-6" in Hand(HAND)
    assert np.int64(27) in Hand(HAND)
    assert "5-5" not in Hand(HAND)
    assert parse_tiles("6-4") == (tile_of("6-4"),)
