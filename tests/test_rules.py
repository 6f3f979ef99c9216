"""The options of the game: presets, their TOML file, and what a bid asks and stakes."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim42.errors import RulesError
from sim42.game.rules import LADDER, PASS, PRESETS, Contract, Rules, bid_marks, bid_points

ALL_RULES = st.builds(
    Rules,
    doubles=st.sampled_from(["high", "low", "own_suit"]),
    first_bidder=st.sampled_from(["left_of_shaker", "holder_of_1_0"]),
    max_marks=st.integers(1, 6),
    all_pass=st.sampled_from(["redeal", "dealer_30"]),
    play_out=st.booleans(),
    scoring=st.sampled_from(["marks", "points"]),
    match_marks=st.integers(1, 1000),
)


def test_presets():
    assert Rules.tournament() == Rules()
    assert Rules.family() == Rules(all_pass="dealer_30", max_marks=2)
    assert Rules.points250() == Rules(scoring="points")
    for name, rules in PRESETS.items():
        assert Rules.load(name) == rules == getattr(Rules, name)()


def test_A2_ladder():
    assert (PASS, *LADDER) == (0, *range(30, 42), 42, 84, 126, 168, 210)


def test_A5_what_bids_ask_and_stake():
    assert [bid_points(bid) for bid in (30, 41, 42, 84, 210)] == [30, 41, 42, 42, 42]
    assert [bid_marks(bid) for bid in LADDER] == [1] * 13 + [2, 3, 4, 5]
    contract = Contract(3, 84)
    assert (contract.side, contract.points, contract.marks) == (1, 42, 2)


@given(rules=ALL_RULES)
def test_rules_round_trip(rules):
    assert Rules.from_toml(rules.to_toml()) == rules
    assert Rules.from_dict(rules.changes()) == rules
    assert eval(repr(rules)) == rules
    assert Rules.from_toml("# house rules\r\n" + rules.to_toml().replace("\n", "\r\n")) == rules


def test_rules_from_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('\ufeffall_pass = "dealer_30"\nmax_marks = 2\n', encoding="utf-8")
    assert Rules.load(path) == Rules.load(str(path)) == Rules.family()
    path.write_text("")
    assert Rules.load(path) == Rules()


def test_every_option_is_documented():
    assert all(f"{field.name} : " in Rules.__doc__ for field in fields(Rules))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_mark = 2", "'max_mark': no such option; options are doubles, first_bidder"),
        ("max_marks = 7", "max_marks: 7 is not a whole number from 1 to 6"),
        ("max_marks = true", "max_marks: True is not a whole number from 1 to 6"),
        ("max_marks = 2.0", "max_marks: 2.0 is not a whole number"),
        ("max_marks = '2'", "max_marks: '2' is not a whole number"),
        ("play_out = 1", "play_out: 1 is not true or false"),
        ("doubles = 'own'", "doubles: 'own' is not one of high, low, own_suit"),
        ("doubles = ['high']", "doubles: ['high'] is not one of"),
        ("[rules]\nmax_marks = 2", "'rules': no such option"),
        ("max_marks = 2\nmax_marks = 3", "not TOML: "),
        ("max_marks =", "not TOML: "),
        ("max_marks = " + "[" * 5000, "not TOML"),
    ],
)
def test_bad_toml_says_what_is_wrong_in_one_line(tmp_path, text, said):
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(RulesError) as error:
        Rules.load(path)
    assert str(error.value).startswith(f"rules '{str(path)[:200]}': ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_no_rules(tmp_path):
    with pytest.raises(RulesError, match="no such file, and no rules of that name; names are tour"):
        Rules.load("tournement")
    with pytest.raises(RulesError, match="not readable"):
        Rules.load(tmp_path)
    with pytest.raises(RulesError, match="not readable"):
        Rules.load("a\0b")
    (tmp_path / "x.toml").write_bytes(b"max_marks = 2 # \xff")
    with pytest.raises(RulesError, match="not UTF-8"):
        Rules.load(tmp_path / "x.toml")
