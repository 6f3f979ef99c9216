"""Samples, surveys and commands given what is known: the same deals everywhere, and kept apart."""

import json
from html import escape, unescape

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from matplotlib.text import Text

from sim42 import Deal, Rules, Study, Trump, add_runs, charts, load_run, run_study, solve_many
from sim42.cli import main
from sim42.deals.conditions.parse import parse
from sim42.deals.conditions.values import values_of
from sim42.deals.given import Given
from sim42.deals.random import random_hands
from sim42.errors import RequestError, RunError
from sim42.game.tiles import Hand
from sim42.report import report_hand, report_survey
from sim42.runs import bidding
from sim42.runs.bidding import bid_estimate
from sim42.runs.blocks import block_of, count_block
from sim42.runs.sample import sample_hand
from sim42.solver.inside import makes_many
from sim42.tables.bid import bid_rows
from sim42.tables.bid_file import read_bid
from sim42.tables.compare import compare_hands
from sim42.tables.convergence import running_bid

TEXT = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
WHERE = "has(partner, 6-6) and longest(left) >= 4"
FOURS = [Trump.FOURS]


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


# --- one hand -------------------------------------------------------------------------------------


def test_a_sample_is_of_the_given_deals():
    sample = sample_hand(TEXT, deals=40, seed=3, trumps=FOURS, given=WHERE)
    deals = Given(WHERE).deals_around(Hand(TEXT).mask, 40, seed=3)
    assert (sample.points == solve_many(deals, FOURS, floor=30)).all()
    assert sample.given == Given(WHERE)
    longer = sample_hand(TEXT, deals=60, seed=3, trumps=FOURS, given=Given(WHERE))
    assert (longer.points[:40] == sample.points).all()
    assert sample_hand(TEXT, deals=5, seed=3, trumps=FOURS).given is None


def test_a_sample_may_be_given_a_function_of_masks():
    def partner_has_double_six(deals):
        return deals[:, 2] >> 27 & 1 == 1

    sample = sample_hand(TEXT, deals=30, seed=3, trumps=FOURS, given=partner_has_double_six)
    deals = Given(partner_has_double_six).deals_around(Hand(TEXT).mask, 30, seed=3)
    assert (sample.points == solve_many(deals, FOURS, floor=30)).all()


# --- surveys --------------------------------------------------------------------------------------


def study(**changes):
    question = {"hands": 6, "deals": 10, "seed": 4, "trumps": ["fours"], "given": WHERE}
    return Study(**{**question, **changes})


def test_a_survey_counts_the_deals_of_the_sample():
    frame = run_study(study())
    for mask, row in zip(frame["mask"], frame.itertuples(), strict=True):
        sample = sample_hand(Hand(mask), deals=10, seed=4, trumps=FOURS, given=WHERE)
        counts = [getattr(row, f"even_{n}") + getattr(row, f"odd_{n}") for n in range(29, 43)]
        assert counts == sample.counts[0].tolist()


def test_counts_are_the_same_in_any_blocks_and_threads():
    frames = [
        run_study(study(), threads=threads, block=block) for threads, block in [(1, 1), (2, 4)]
    ]
    pd.testing.assert_frame_equal(*frames)
    whole = count_block(block_of(study(), range(6), range(10)))
    halves = [count_block(block_of(study(), range(6), part)) for part in (range(3), range(3, 10))]
    assert (whole.even == halves[0].even + halves[1].even).all()
    assert (whole.odd == halves[0].odd + halves[1].odd).all()


def test_random_hands_are_those_around_which_it_can_happen():
    given = Given("doubles(me) >= 4 and has(left, 6-6)")
    hands = study(hands=50, given=given).masks(0, 50)
    order = random_hands(20_000, seed=4)
    deals = np.zeros((len(order), 4), dtype=np.int64)
    deals[:, 0] = order
    possible = values_of(parse("doubles(me) >= 4 and not has(me, 6-6)"), deals) > 0
    assert hands.tolist() == order[possible][:50].tolist()
    assert study(hands=20, given=given).masks(3, 9).tolist() == hands[3:9].tolist()
    with pytest.raises(RequestError, match=r"^hands 5: it can happen around 1: doubles\(me\) = 7"):
        study(hands=5, given="doubles(me) = 7 ")


def test_listed_hands_around_which_it_cannot_happen_are_refused():
    with pytest.raises(RequestError, match=r"around 6-4 5-5 .* it cannot happen: has\(left, 5-5\)"):
        study(hands=["6-6 6-5 6-3 6-2 6-1 6-0 0-0", TEXT], given="has(left, 5-5)")
    with pytest.raises(RequestError, match="it cannot happen"):
        study(hands=range(3), given="has(left, 0-0)")
    with pytest.raises(RequestError, match="a function is no text"):
        study(given=lambda deals: deals[:, 0] > 0)


def test_a_manifest_keeps_the_condition(tmp_path):
    frame = run_study(study(hands=3), path=tmp_path / "run")
    stored = json.loads((tmp_path / "run" / "manifest.json").read_text())["study"]
    assert stored["given"] == WHERE == frame.attrs["given"]
    assert load_run(tmp_path / "run").attrs["given"] == WHERE
    with pytest.raises(RunError, match=r"was asked for given has\(partner.*, now doubles\(left\)"):
        run_study(study(hands=3, given="doubles(left) > 1"), path=tmp_path / "run")
    with pytest.raises(RunError, match=r"longest\(left\) >= 4, now nothing"):
        run_study(study(hands=3, given=None), path=tmp_path / "run")
    more = run_study(study(hands=3), path=tmp_path / "run")
    pd.testing.assert_frame_equal(frame, more)


def test_without_condition_a_manifest_is_what_it_was(tmp_path):
    frame = run_study(study(hands=3, given=None), path=tmp_path / "run")
    assert "given" not in (tmp_path / "run" / "manifest.json").read_text()
    assert frame.attrs["given"] is None


def test_runs_with_different_conditions_do_not_add():
    one, other, plain = (
        run_study(study(hands=[TEXT], seed=seed, given=given))
        for seed, given in ((1, WHERE), (2, WHERE), (3, None))
    )
    both = add_runs(one, other)
    assert (both["deals"].tolist(), both.attrs["given"]) == ([20], WHERE)
    with pytest.raises(RunError, match=r"do not add: given has.* and nothing"):
        add_runs(one, plain)


# --- commands -------------------------------------------------------------------------------------


def test_deal_deals_what_is_given():
    options = ["--partner", "6-6 !5-4", "--holds", "left", "fives>=2", "--seed", "5"]
    done = run("deal", "-n", "30", "--hand", TEXT, *options)
    deals = [Deal(line).masks for line in done.stdout.splitlines()]
    text = "has(partner, 6-6) and not has(partner, 5-4) and suit(left, fives) >= 2"
    assert deals == list(map(tuple, Given(text).deals_around(Hand(TEXT).mask, 30, 5).tolist()))
    assert done.stderr.startswith(f"given {text}: ")
    assert done.stderr.endswith(" layouts, drawn exactly\n")
    later = run("deal", "-n", "2", "--start", "28", "--hand", TEXT, *options)
    assert later.stdout.splitlines() == done.stdout.splitlines()[28:]


def test_deal_without_a_hand_may_be_given_all_seats():
    done = run("deal", "-n", "9", "--seed", "1", "--where", "trumps(me) >= 5", "--trump", "sixes")
    masks = [Deal(line).masks[0] for line in done.stdout.splitlines()]
    assert all((mask >> 21 & 127).bit_count() >= 5 for mask in masks)


def test_bid_is_of_the_given_deals():
    options = ["--deals", "30", "--seed", "3", "--trumps", "fours", "--format", "json"]
    done = run("bid", TEXT, *options, "--where", "trumps(left) <= 1")
    sample = sample_hand(
        TEXT, deals=30, seed=3, trumps=FOURS, given=Given("trumps(left)<=1", "fours")
    )
    counts = list(json.loads(done.stdout)["counts"]["fours"].values())
    assert counts == sample.counts[0].tolist()
    assert "given trumps(left, fours) <= 1: " in done.stderr


def test_rejection_is_announced_with_its_rate_and_cost():
    said = run("deal", "--hand", TEXT, "--seed", "1", "--where", "longest(left) >= 5").stderr
    assert "399,072,960 layouts, of which 1.99% pass" in said
    assert "of 20,000 tries); 1 deal takes about a second" in said


def test_survey_is_given_and_goes_on_with_it(tmp_path):
    target = str(tmp_path / "run")
    options = ["--hands", "4", "--deals", "4", "--seed", "1", "--trumps", "fours"]
    done = run("survey", target, *options, "--where", "trumps(left) = 0", "--right", "6-6")
    assert done.exit_code == 0, done.stderr
    assert load_run(target).attrs["given"] == "has(right, 6-6) and trumps(left, fours) = 0"
    assert run("survey", target, "--extend", "--deals", "6").exit_code == 0
    assert load_run(target)["deals"].tolist() == [6] * 4
    other = run("survey", target, "--resume", "--where", "trumps(left, fours) = 1")
    assert (other.exit_code, "was asked for given has(right" in other.stderr) == (2, True)


# --- shown wherever results are -------------------------------------------------------------------

SENTENCE = f"Given that {WHERE}."


def test_a_bid_says_what_was_given(tmp_path):
    options = ["--deals", "20", "--seed", "3", "--trumps", "fours", "--where", WHERE]
    assert SENTENCE in run("bid", TEXT, *options).stdout
    stored = run("bid", TEXT, *options, "--format", "json").stdout
    assert json.loads(stored)["given"] == WHERE
    assert read_bid(stored).attrs["given"] == WHERE
    older = {name: part for name, part in json.loads(stored).items() if name != "given"}
    assert read_bid(json.dumps(older)).attrs["given"] is None
    for wrong in (3, "two\nlines"):
        with pytest.raises(RequestError, match="given is no text of one line"):
            read_bid(json.dumps({**older, "given": wrong}))
    plain = run("bid", TEXT, *options[:-2])
    assert "Given" not in plain.stdout
    target = tmp_path / "bid.parquet"
    assert run("bid", TEXT, *options, "-o", str(target)).exit_code == 0
    assert pd.read_parquet(target).attrs["given"] == WHERE


def test_a_table_of_a_run_says_what_was_given(tmp_path):
    run_study(study(hands=[TEXT]), path=tmp_path / "run")
    assert SENTENCE in run("table", str(tmp_path / "run")).stdout
    assert SENTENCE in run("table", str(tmp_path / "run"), "--by", "trumps").stdout
    printed = run("table", str(tmp_path / "run"), "--format", "json").stdout
    assert json.loads(printed)["given"] == WHERE


def test_charts_and_reports_say_what_was_given():
    sample = sample_hand(TEXT, deals=20, seed=3, trumps=FOURS, given=WHERE)
    rows = bid_rows(sample)
    survey = run_study(study(hands=3))
    drawn = [
        charts.chart_hand(rows),
        charts.chart_curve(rows),
        charts.chart_curve(rows, survey=survey),
        charts.chart_points(rows),
        charts.chart_convergence(running_bid(sample)),
        charts.chart_bids(survey),
    ]
    for ax in drawn:
        words = " ".join(" ".join(text.get_text().split()) for text in ax.figure.findobj(Text))
        assert SENTENCE in words
    page = report_hand(sample)
    assert f">{escape(SENTENCE)}</p>" in page
    assert f"--where '{WHERE}'" in unescape(page)
    assert f">{escape(SENTENCE)}</p>" in report_survey(survey)


def test_a_report_of_a_hand_takes_what_is_known(tmp_path):
    target = tmp_path / "page.html"
    options = ["--deals", "10", "--seed", "1", "--trumps", "fours", "--left", "6-6"]
    assert run("report", TEXT, *options, "-o", str(target)).exit_code == 0
    assert "Given that has(left, 6-6)." in target.read_text()
    run_study(study(hands=[TEXT]), path=tmp_path / "run")
    done = run("report", str(tmp_path / "run"), "--left", "6-6", "-o", str(tmp_path / "b.html"))
    assert (done.exit_code, "--left goes with a HAND" in done.stderr) == (2, True)


def test_what_is_compared_is_told_apart_by_what_was_given():
    one, other = (
        bid_rows(sample_hand(TEXT, deals=20, seed=3, trumps=FOURS, given=given))
        for given in (WHERE, None)
    )
    names = compare_hands(one, other).attrs["names"]
    assert names[0].endswith(f"; {SENTENCE[:-1]}")
    assert names[1].endswith("; nothing given")
    again = bid_rows(sample_hand(TEXT, deals=20, seed=4, trumps=FOURS, given=WHERE))
    assert SENTENCE in compare_hands(one, again).attrs["note"]
    with pytest.raises(RequestError, match="both are on the same deals"):
        compare_hands(one, one)


# --- what a seat itself would bid -----------------------------------------------------------------


def test_the_chance_of_a_bid_is_that_of_the_best_trump_of_the_hand():
    hands = random_hands(6, seed=9)
    chances = bid_estimate()(np.repeat(hands, 2), 34, 10)
    for place, mask in enumerate(hands.tolist()):
        sample = sample_hand(Hand(mask), deals=10, seed=42)
        best = (sample.points >= 34).mean(axis=0).max()
        assert chances[2 * place] == chances[2 * place + 1] == best


def test_estimates_are_made_once_and_depend_on_the_rules(monkeypatch):
    solved = []

    def counted(positions, *arguments, **options):
        solved.append(len(positions))
        return makes_many(positions, *arguments, **options)

    monkeypatch.setattr(bidding, "makes_many", counted)
    monkeypatch.setattr(bidding, "_kept", {})
    hands = random_hands(4, seed=10)
    first = bid_estimate()(hands, 30, 5)
    assert (bid_estimate(threads=1)(hands[::-1], 30, 5) == first[::-1]).all()
    assert solved == [20]
    bid_estimate(Rules(doubles="low"))(hands[:1], 30, 5)
    bid_estimate()(hands[:1], 31, 5)
    assert solved == [20, 5, 5]
    monkeypatch.setattr(bidding, "MOST_KEPT", 2)
    assert (bid_estimate()(hands, 30, 5) == first).all()
    assert (bid_estimate()(hands, 30, 5) == first).all()


def test_deals_in_which_the_partner_would_bid():
    where = "bids(partner, 34, 60, 10) and has(left, 6-6)"
    deals = Given(where).deals_around(Hand(TEXT).mask, 12, 3, estimate=bid_estimate())
    assert (bid_estimate()(deals[:, 2], 34, 10) >= 0.6).all()
    assert (deals[:, 1] >> 27 == 1).all()
    sample = sample_hand(TEXT, deals=12, seed=3, trumps=FOURS, given=where)
    assert (sample.points == solve_many(deals, FOURS, floor=30)).all()
    frame = run_study(study(hands=[TEXT], deals=12, seed=3, given=where))
    counts = frame.filter(regex="even").to_numpy() + frame.filter(regex="odd").to_numpy()
    assert counts[0].tolist() == sample.counts[0].tolist()


def test_its_cost_is_said_before_it_starts():
    options = ["--seed", "1", "--where", "bids(partner, 30, 50, 5) and longest(left) >= 4"]
    done = run("deal", "-n", "2", "--hand", TEXT, *options)
    first, second = done.stderr.split("; what takes solving let ")
    assert first.startswith("given bids(partner, 30, 50, 5) and longest(left) >= 4: 399,072,960")
    assert second.endswith("of 24 pass; 2 deals take about a second\n")
    asked = run("odds", TEXT, "bids(partner, 30, 50, 2)", "--seed", "1", "--deals", "100")
    assert "asking 100 deals bids(partner, 30, 50, 2) takes about" in asked.stderr
    assert "asked of 100 random deals, seed 1" in asked.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bid", TEXT, "--where", "trumps(left) > 1"], "sim42: --where: column 1: of which trump?"),
        (["bid", TEXT, "--partner", "6-4"], "cannot happen around 6-4 5-5 4-2"),
        (["bid", TEXT, "--explain"], "--explain: nothing is known"),
        (["deal", "--holds", "left", "fives"], "holds: 'fives': a kind, a comparison and a number"),
        (
            ["survey", "RUN", "--hands", "2", "--where", "voids(me) > 5"],
            "hands 2: it can happen around 0: voids(me) > 5",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_words(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert not list(tmp_path.iterdir())
