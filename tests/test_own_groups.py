"""Groups of one's own: questions, columns and functions; and tables of some trumps alone."""

import json

import numpy as np
import pytest
import stand_in
from click.testing import CliRunner

import sim42.runs.blocks
from sim42 import Study, Trump, run_study
from sim42.cli import main
from sim42.deals.conditions.parse import parse
from sim42.deals.conditions.values import values_of
from sim42.errors import ConditionError, NotationError, RequestError, RunError
from sim42.game.trumps import parse_trumps
from sim42.runs.frames import of_trumps
from sim42.tables.features import hand_features
from sim42.tables.groups import group_table, split_names
from sim42.tables.hands import best_calls


@pytest.fixture(scope="module")
def frame():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
        return run_study(Study(hands=60, deals=8, seed=5))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("groups") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim42.runs.blocks, "solve_block", stand_in.points)
        run_study(Study(hands=30, deals=8, seed=5), path=path)
    return str(path)


def said(text, frame):
    """What a question says of each row's hand."""
    deals = np.zeros((len(frame), 4), dtype=np.int64)
    deals[:, 0] = frame["mask"]
    return values_of(parse(text), deals)


def test_a_question_groups_by_its_answer(frame):
    table = group_table(frame, ["has(me, 5-5)"])
    yes = said("has(me, 5-5)", frame) > 0
    kind = hand_features(frame["mask"], frame["trump"].cat.codes)["kind"]
    assert list(table)[:2] == ["kind", "has(me, 5-5)"]
    assert table["has(me, 5-5)"].dtype == bool
    for row in table.to_dict("records"):
        here = (kind == row["kind"]) & (yes == row["has(me, 5-5)"])
        assert row["deals"] == frame["deals"][here].sum()
        assert row["hands"] == frame["mask"][here].nunique()
    assert len(table) == 6


def test_a_number_groups_by_its_values(frame):
    table = group_table(frame, ["trump", "doubles(me) + 10 * has(me, 6-6)"])
    values = said("doubles(me) + 10 * has(me, 6-6)", frame)
    column = table["doubles(me) + 10 * has(me, 6-6)"]
    assert set(column) == set(values.tolist())
    for value in set(column):
        assert table["deals"][column == value].sum() == frame["deals"][values == value].sum()


def test_trumps_of_a_question_are_those_of_the_row(frame):
    asked = group_table(frame, ["trumps(me)"]).rename(columns={"trumps(me)": "trumps"})
    assert asked.equals(group_table(frame, ["trumps"]))
    fixed = group_table(frame, ["trumps(me, fives)"])
    assert fixed["deals"].sum() == frame["deals"].sum()


def test_a_column_of_ones_own_and_a_function(frame):
    own = frame.assign(big=frame["mask"].to_numpy() >> 27 & 1)
    own.attrs = frame.attrs

    def big(masks, trumps):
        assert trumps.dtype == np.int64
        return masks >> 27 & 1

    for best in (False, True):
        by_column = group_table(own, ["big"], best)
        assert by_column.equals(group_table(frame, [big], best))
        asked = group_table(frame, ["has(me, 6-6)"], best)
        assert asked["rate_36"].tolist() == by_column["rate_36"].tolist()


def test_columns_follow_the_trump_of_the_row(frame):
    own = frame.assign(code=frame["trump"].astype(str) + "!")
    own.attrs = frame.attrs
    table = group_table(own, ["trump", "code"], best=True)
    assert (table["trump"].astype(str) + "!" == table["code"]).all()


@pytest.mark.parametrize(
    ("by", "error", "message"),
    [
        (["has(me, 5-9)"], ConditionError, "by: column 9: '5-9': not a tile"),
        (["doubles(left)"], ConditionError, r"by: doubles\(left\): of a hand alone only what me"),
        (["bids(me, 30)"], ConditionError, "of a hand alone only what me"),
        (["points_at_risc"], RequestError, "points_at_risk, shape, or by a question as has"),
        (["has(me, 5-5)", "has(me, 5-5)"], RequestError, "each once"),
        ([lambda masks, trumps: 3], RequestError, r"by <lambda>: 540 values, one a row, not \(\)"),
        (["even_30"], RequestError, "groups are by"),
    ],
)
def test_other_groups_are_refused(frame, by, error, message):
    with pytest.raises(error, match=message):
        group_table(frame, by)


def test_commas_within_parentheses_part_nothing():
    assert split_names("has(me, 5-5),tops , max(doubles(me), 2)") == [
        "has(me, 5-5)",
        "tops",
        "max(doubles(me), 2)",
    ]
    assert split_names("a),b") == ["a)", "b"]


# --- some trumps alone ----------------------------------------------------------------------------


def test_pips_are_seven_trumps():
    assert parse_trumps("pips") == tuple(Trump)[:7]
    with pytest.raises(NotationError):
        parse_trumps("pips,doubles")


def test_best_calls_of_pips_alone(frame):
    pips = of_trumps(frame, tuple(Trump)[:7])
    assert pips["trump"].nunique() == 7
    assert pips.attrs["trumps"][0] == "blanks"
    calls = best_calls(pips)
    assert not set(calls["best_trump"].astype(str)) & {"doubles", "follow-me"}
    assert set(group_table(pips, ["kind"])["kind"]) == {"pip"}
    with pytest.raises(RunError, match="the run has none of them"):
        of_trumps(pips, [Trump.DOUBLES])


@pytest.mark.parametrize("options", [[], ["--best"], ["--by", "kind"]])
def test_the_command_leaves_trumps_out_and_says_so(run, options):
    printed = CliRunner().invoke(main, ["table", run, *options, "--trumps", "pips"]).stdout
    assert "Of trumps blanks, ones, twos, threes, fours, fives, sixes alone." in printed
    assert "follow-me" not in printed
    assert "doubles " not in printed


def test_the_command_groups_by_questions(run):
    by = "has(me, 5-5),points_at_risk"
    done = CliRunner().invoke(main, ["table", run, "--by", by, "--format", "json"])
    rows = json.loads(done.stdout)["rows"]
    assert {row["has(me, 5-5)"] for row in rows} == {True, False}
    assert all(0 <= row["points_at_risk"] <= 35 for row in rows)
    wrong = CliRunner().invoke(main, ["table", run, "--by", "has(me)"])
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "sim42: by: column 7: something is missing; it is has(SEAT, TILE)" in wrong.stderr
