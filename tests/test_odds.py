"""Odds without solving: published figures, and each way of counting against the others."""

import csv
import json
from math import comb
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from sim42.cli import main
from sim42.deals import odds as counting
from sim42.deals.conditions.parse import parse
from sim42.deals.given import Given
from sim42.deals.odds import count_deals, count_hands
from sim42.errors import RequestError
from sim42.game.tiles import HANDS, Hand, mask_of
from sim42.tables.odds import odds, odds_of_hands

DATA = Path(__file__).parent / "data"
COUNTS = json.loads((DATA / "hand_counts.json").read_text())
TEXT = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
HAND = Hand(TEXT).mask
SIXES = [21, 22, 23, 24, 25, 26, 27]


def holding_sixes(number):
    """A hand with so many sixes."""
    return Hand(mask_of(SIXES[:number] + list(range(7 - number))))


def chance_of(table, value=1):
    return float(table.loc[table["value"] == value, "chance"].sum())


def run(*arguments):
    return CliRunner().invoke(main, ["odds", *arguments])


# --- all hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("doubles(me)", COUNTS["doubles_0_to_7"]),
        ("voids(me)", COUNTS["pips_absent_0_to_3"]),
        ("counters(me)", COUNTS["count_tiles_0_to_5"]),
        ("count(me)", COUNTS["count_points_0_5_to_35"]),
    ],
)
def test_counts_of_hands_are_the_published_ones(question, counts):
    found = count_hands(parse(question))
    assert list(found.counts) == counts
    assert (found.cases, found.exact) == (HANDS, True)


def test_doubles_are_hypergeometric():
    table = odds_of_hands("doubles(me)")
    assert table["cases"].tolist() == [comb(7, k) * comb(21, 7 - k) for k in range(8)]
    assert table["or_more"].tolist() == pytest.approx(
        [sum(comb(7, k) * comb(21, 7 - k) for k in range(least, 8)) / HANDS for least in range(8)]
    )


def test_doubles_and_voids():
    # Two doubles and one void: 18.011 %. Counted apart from this package by going through all
    # hands; three doubles or more and a void or more are 188,545.
    two = odds_of_hands("doubles(me) = 2 and voids(me) = 1")
    assert two["cases"].tolist() == [HANDS - 213_255, 213_255]
    assert round(100 * chance_of(two), 3) == 18.011
    more = odds_of_hands("doubles(me) >= 3 and voids(me) >= 1")
    assert more["cases"].tolist() == [HANDS - 188_545, 188_545]


def test_a_hand_alone_has_no_others():
    with pytest.raises(RequestError, match=r"doubles\(left\): of a hand alone only what me holds"):
        count_hands(parse("doubles(left) > doubles(me)"))


# --- around a hand --------------------------------------------------------------------------------


def partner_rows():
    with (DATA / "partner_trumps.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", partner_rows(), ids=lambda row: f"{row['held']}-held")
def test_partner_holds_trumps_as_often_as_published(row):
    table = odds("trumps(partner, sixes)", holding_sixes(int(row["held"])))
    assert table.attrs["exact"]
    for seat in ("left", "partner", "right"):
        of_seat = table[table["seat"] == seat]
        for holds in range(6):
            if row[str(holds)]:
                assert chance_of(of_seat, holds) == pytest.approx(float(row[str(holds)]), abs=6e-7)
        least = chance_of(of_seat, 0)
        assert 1 - least == pytest.approx(float(row["at_least_one"]), abs=6e-7)


@pytest.mark.parametrize("missing", [2, 3, 4])
def test_partner_has_one_of_the_missing_trumps(missing):
    table = odds("trumps(partner) >= 1", holding_sixes(7 - missing), trump="sixes")
    assert chance_of(table) == 1 - comb(21 - missing, 7) / comb(21, 7)
    assert round(100 * chance_of(table), 2) == {2: 56.67, 3: 72.63, 4: 83.27}[missing]


def test_four_missing_trumps_all_in_one_given_hand():
    table = odds("suit(left, sixes) = 4", holding_sixes(3))
    assert table["cases"].tolist()[1] * comb(21, 7) == comb(17, 3) * 399_072_960
    assert round(100 * chance_of(table), 3) == 0.585


@pytest.mark.parametrize(
    "question",
    [
        "doubles(left) + doubles(right) - doubles(partner)",
        "suit(left, fives) >= 2 and suit(right, fives) >= 2 or has(partner, 6-6)",
        "max(count(left), count(right)) * doubles(me)",
    ],
)
@pytest.mark.parametrize("condition", [None, "has(left, 6-6) and doubles(partner) >= 1"])
def test_sums_that_are_tallied_agree_with_random_deals(question, condition, monkeypatch):
    known = None if condition is None else Given(condition)
    exact = count_deals(parse(question), HAND, known)
    assert exact.exact
    for way in ("_tallied", "_of_one_seat"):
        monkeypatch.setattr(counting, way, lambda *_: None)
    monkeypatch.setattr(counting, "MOST_LISTED", 0)
    sampled = count_deals(parse(question), HAND, known, seed=1, sampled=100_000)
    assert not sampled.exact
    chances = dict(zip(sampled.values, np.array(sampled.counts) / sampled.cases, strict=True))
    for value, count in zip(exact.values, exact.counts, strict=True):
        chance = count / exact.cases
        spread = 5 * (chance * (1 - chance) / sampled.cases) ** 0.5 + 5 / sampled.cases
        assert abs(chances.pop(value, 0) - chance) < spread
    assert not chances


questions = st.sampled_from(
    [
        "doubles(left)",
        "suit(left, fives) >= 2",
        "has(left, 6-5) + 2 * has(left, 6-6)",
        "count(left)",
    ]
)
conditions = st.sampled_from(
    [None, "suit(left, sixes) >= 1", "doubles(left) <= 1 or has(left, 6-6)", "doubles(me) = 3"]
)


@settings(max_examples=12, deadline=None)
@given(question=questions, condition=conditions, mask=st.sampled_from([HAND, None]))
def test_tallies_agree_with_going_through_the_hands_of_the_seat(question, condition, mask):
    tree = parse(question)
    known = parse("1 > 0" if condition is None else condition)
    if mask is None and condition == "doubles(me) = 3":
        return  # of two seats
    tallied = counting._tallied(tree, known, mask)
    listed = counting._of_one_seat(tree, known, mask)
    assert tallied == listed
    assert tallied.exact


def test_few_layouts_are_gone_through(monkeypatch):
    # Two seats and no sum: neither tallied nor of one seat, but most tiles are known.
    known = Given("has(partner, 6-6, 6-5, 6-3, 6-2, 6-1) and has(left, 5-4, 5-3, 5-2, 5-1)")
    tree = parse("longest(left) + longest(right)")
    found = count_deals(tree, HAND, known)
    assert found.exact
    assert found.cases == known.around(HAND).layouts.count == comb(12, 2) * comb(10, 3)
    monkeypatch.setattr(counting, "MOST_LISTED", 0)
    sampled = count_deals(tree, HAND, known, sampled=50_000)
    means = [np.average(each.values, weights=each.counts) for each in (found, sampled)]
    assert abs(means[0] - means[1]) < 0.03


def test_a_condition_shifts_the_chances_of_the_others():
    without = chance_of(odds("has(left, 6-6)", TEXT))
    known = chance_of(odds("has(left, 6-6)", TEXT, given=Given("has(partner, 6-6) = 0")))
    assert without == pytest.approx(1 / 3)
    assert known == pytest.approx(1 / 2)
    with pytest.raises(RequestError, match="cannot happen"):
        odds("has(left, 6-6)", TEXT, given=Given("has(partner, 0-0)"))


def test_what_is_never_or_always_true():
    never = odds("doubles(left) > 7", TEXT)
    assert never[["value", "cases", "low", "high"]].values.tolist() == [[0, 399_072_960, 1, 1]]
    assert chance_of(odds("doubles(left) >= 0", TEXT)) == 1


# --- the command ----------------------------------------------------------------------------------


def test_command_says_the_fraction_and_that_it_is_exact():
    printed = run(TEXT, "suit(partner, fives) >= 1").stdout
    assert "Counted exactly, over all 399,072,960 deals." in printed
    assert "true in 376,988,040 of 399,072,960: 94.466 %" in printed
    printed = run("--hands", "doubles(me) = 2 and voids(me) = 1").stdout
    assert "true in 213,255 of 1,184,040: 18.011 %" in printed


def test_command_shows_a_column_a_seat():
    printed = run(TEXT, "trumps(left)", "--trump", "fives", "--partner", "5-4 !6-5").stdout
    head = printed.splitlines()[5]
    assert head.split() == ["left", "partner", "right"]
    rows = [line.split() for line in printed.splitlines()[7:]]
    assert sum(int(row[1].replace(",", "")) for row in rows) == comb(19, 6) * 3432
    assert rows[0][3:5] == ["0", "0"]  # the partner holds one


def test_command_says_when_it_samples_and_how_to_repeat():
    done = run(TEXT, "longest(left) >= 4 or longest(partner) >= 5", "--deals", "1000")
    assert "Too many to count: asked of 1,000 random deals" in done.stdout
    assert "95 % interval" in done.stdout
    seed = done.stderr.split()[1].rstrip(",")
    again = run(
        TEXT, "longest(left) >= 4 or longest(partner) >= 5", "--deals", "1000", "--seed", seed
    )
    assert (again.stdout, again.stderr) == (done.stdout, "")


def test_command_writes_all_formats(tmp_path):
    facts = json.loads(run(TEXT, "doubles(left)", "--format", "json").stdout)
    assert facts["exact"] is True
    assert facts["question"] == "doubles(left)"
    assert len(facts["rows"]) == 3 * 5
    assert run(TEXT, "doubles(left)", "--format", "csv").stdout.startswith("seat,value,cases,of,ch")
    target = tmp_path / "odds.parquet"
    assert run(TEXT, "doubles(left)", "-o", str(target)).exit_code == 0
    assert target.stat().st_size > 0


def test_question_may_stand_in_a_file(tmp_path):
    file = tmp_path / "question.txt"
    file.write_text("# what we ask\nsuit(partner, fives)\n   >= 1\n")
    assert run(TEXT, f"@{file}").stdout == run(TEXT, "suit(partner, fives) >= 1").stdout
    where = run(TEXT, "has(left, 6-6)", "--where", f"@{file}").stdout
    assert "given that suit(partner, fives) >= 1" in where


def test_explain_shows_every_part():
    printed = run(TEXT, "doubles(left) > 1", "--where", "has(left, 6-6)", "--explain").stderr
    lines = printed.splitlines()
    assert lines[0].split() == ["deal", "0", "1", "2", "3", "4"]
    assert {line.split()[0] for line in lines if "has(left, 6-6)" in line} <= {"yes", "no"}
    assert sum("doubles(left)" in line for line in lines) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TEXT, "dubles(left) > 1"], "sim42: QUESTION: column 1: no function 'dubles'"),
        ([TEXT, "trumps(left)"], "column 1: of which trump?"),
        ([TEXT], "Missing argument 'QUESTION'"),
        (["6-4 5-5", "doubles(left)"], "a hand is 7 different tiles, not 2"),
        (["--hands", TEXT, "doubles(me)"], "--hands counts all hands; leave HAND out"),
        (["--hands", "doubles(left)"], "doubles(left): of a hand alone"),
        (["--hands", "doubles(me)", "--left", "6-6"], "nothing is known of others"),
        ([TEXT, "doubles(left)", "--where", "1"], "sim42: --where: column 1: this is a number"),
        (
            [TEXT, "doubles(left)", "--left", "6-9"],
            "sim42: left: tile 1: '6-9': not a tile",
        ),
        ([TEXT, "doubles(left)", "--holds", "left", "x>1"], "sim42: holds: 'x': not a kind"),
        ([TEXT, "doubles(left)", "--left", "6-4"], "cannot happen around 6-4 5-5"),
        ([TEXT, "doubles(left)", "--where", "@no such file"], "there is no such file"),
        ([TEXT, "@"], "sim42: QUESTION: '@' names no file; as @question.txt"),
        (["--hands", "bids(me, 30)"], "bids(me, 30, 50, 20): of a hand alone"),
    ],
)
def test_command_says_what_is_wrong(arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""
