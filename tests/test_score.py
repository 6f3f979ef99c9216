"""The score by the rule book: S1 to S3, A5, and trap 5."""

import naive
import pytest

from sim42.errors import NotationError
from sim42.game.records import Result
from sim42.game.rules import LADDER, Contract, Rules
from sim42.game.score import check_result, is_made, is_set, match_winner, result_of, stops

POINTS = Rules.points250()


@pytest.mark.parametrize("bid", LADDER)
def test_S1_made_or_set(bid):
    """Of all ways to share 42 points just one of the two is true, and early as late."""
    contract = Contract(1, bid)
    for taken in range(43):
        points = (42 - taken, taken)
        made = taken >= min(bid, 42)
        assert is_made(contract, points) == made
        assert is_set(contract, points) == (not made)
    assert is_set(contract, (43 - min(bid, 42), 0))
    assert not is_set(contract, (42 - min(bid, 42), 0))


def test_S1_play_stops_when_decided():
    contract = Contract(0, 30)
    assert not stops(contract, (29, 12), Rules())
    assert stops(contract, (30, 0), Rules())
    assert stops(contract, (0, 13), Rules())
    assert not stops(contract, (42, 0), Rules(play_out=True))


def test_S1_the_points_game_is_played_to_the_end_below_a_mark():
    assert not stops(Contract(0, 30), (30, 0), POINTS)
    assert stops(Contract(0, 42), (0, 1), POINTS)


def test_trap_5_points_come_in_jumps():
    """42 needs every trick: one that is lost takes a point even without count (A5)."""
    cheapest = min(naive.trick_points([tile] * 4) for tile in naive.TILES)
    assert cheapest == 1
    assert is_set(Contract(0, 42), (0, cheapest))
    assert result_of(Contract(0, 41), (41, 1), Rules()).made
    assert not result_of(Contract(0, 42), (41, 1), Rules()).made


def test_S2_marks():
    assert result_of(Contract(0, 30), (30, 12), Rules()) == Result(True, (30, 12), (1, 0))
    assert result_of(Contract(0, 30), (29, 13), Rules()) == Result(False, (29, 13), (0, 1))
    assert result_of(Contract(3, 84), (0, 42), Rules()).score == (0, 2)
    assert result_of(Contract(3, 210), (1, 41), Rules()).score == (5, 0)


def test_S2_seven_marks_win():
    assert match_winner((6, 6), 0, Rules()) is None
    assert match_winner((7, 6), 1, Rules()) == 0
    assert match_winner((6, 11), 0, Rules()) == 1
    assert match_winner((7, 6), 0, Rules(match_marks=8)) is None


@pytest.mark.parametrize(
    ("bid", "taken", "score"),
    [
        (30, 33, (33, 9)),
        (35, 33, (0, 44)),
        (35, 30, (0, 47)),
        (42, 42, (42, 0)),
        (42, 40, (0, 42)),
        (84, 42, (84, 0)),
        (84, 0, (0, 84)),
    ],
)
def test_S3_points(bid, taken, score):
    assert result_of(Contract(2, bid), (taken, 42 - taken), POINTS).score == score
    assert result_of(Contract(1, bid), (42 - taken, taken), POINTS).score == score[::-1]


def test_S3_250_wins_and_the_declarers_side_first():
    assert match_winner((249, 249), 0, POINTS) is None
    assert match_winner((249, 250), 0, POINTS) == 1
    assert match_winner((260, 250), 1, POINTS) == 1
    assert match_winner((250, 270), 0, POINTS) == 0


@pytest.mark.parametrize(
    ("told", "taken", "is_over", "said"),
    [
        (Result(True, (30, 2), (1, 0)), (31, 2), True, "the hand gives made, points 31 to 2"),
        (Result(False, (31, 2), (0, 1)), (31, 2), True, "the hand gives made"),
        (
            Result(True, (30, 2), (1, 0)),
            (10, 3),
            False,
            "with these bids and 10 to 3",
        ),
        (Result(True, (29, 2), (1, 0)), (10, 0), False, "cannot end so"),
        (Result(True, (40, 3), (1, 0)), (10, 0), False, "cannot end so"),
        (Result(True, (32, 4), (2, 0)), (10, 0), False, "cannot end so"),
        (Result(True, (10, 13), (1, 0)), (10, 0), False, "cannot end so"),
    ],
)
def test_results_that_cannot_be(told, taken, is_over, said):
    with pytest.raises(NotationError) as error:
        check_result(told, [Contract(0, 30)], taken, Rules(), is_over)
    assert said in str(error.value)


def test_results_that_can_be():
    check_result(Result(True, (30, 2), (1, 0)), [Contract(0, 30)], (10, 2), Rules(), False)
    check_result(Result(False, (10, 14), (0, 1)), [Contract(0, 30)], (10, 2), Rules(), False)
    check_result(Result(True, (40, 2), (1, 0)), [Contract(0, 30)], (40, 2), Rules(), True)
    with pytest.raises(NotationError, match="all passed, so there is none"):
        check_result(Result(True, (40, 2), (1, 0)), [None], (0, 0), Rules(), True)
