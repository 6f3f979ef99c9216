"""The nine calls and their other names."""

import pytest

from sim42.errors import NotationError
from sim42.game.trumps import ALIASES, Trump, parse_trumps


def test_R1_there_are_nine_calls_in_a_fixed_order():
    assert [str(trump) for trump in Trump] == [
        "blanks", "ones", "twos", "threes", "fours", "fives", "sixes", "doubles", "follow-me",
    ]  # fmt: skip
    assert [int(trump) for trump in Trump] == list(range(9))


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("5", "fives"),
        ("FIVES", "fives"),
        (" aces ", "ones"),
        ("deuces", "twos"),
        ("treys", "threes"),
        ("no-trump", "follow-me"),
        ("No Trump", "follow-me"),
        ("follow_me", "follow-me"),
        ("double", "doubles"),
    ],
)
def test_aliases(word, name):
    assert str(Trump(word)) == name


def test_every_alias_is_read_and_names_one_call():
    for word, number in ALIASES.items():
        assert Trump(word) == number


@pytest.mark.parametrize("value", ["", "sevens", "7", "9", "-1", "５", 9, -1, 5.5, None])
def test_other_values_are_no_call(value):
    with pytest.raises(NotationError, match="not a trump; one of blanks, ones"):
        Trump(value)


def test_lists_are_put_in_order_and_name_each_once():
    assert parse_trumps("doubles, 5") == (Trump.FIVES, Trump.DOUBLES)
    assert parse_trumps("all") == tuple(Trump)
    for text in ("", "5,fives", "5,,6", "all,5"):
        with pytest.raises(NotationError):
            parse_trumps(text)
