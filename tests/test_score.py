"""The score by the rule book: S1 to S3, A5, and trap 5."""

import random
from dataclasses import replace

import naive
import pytest

from sim42 import Deal, Game, Trump
from sim42.errors import NotationError
from sim42.game.records import Result
from sim42.game.rules import LADDER, PASS, Contract, Rules
from sim42.game.score import (
    check_ending,
    check_result,
    endings,
    endings_by_count,
    is_made,
    is_set,
    match_winner,
    result_of,
    stops,
)
from sim42.game.tiles import SEATS, TILES, mask_of

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


# Any four of the count tiles, but for which five is which, lie in four hands.
SPREAD = Deal(
    "6-4 6-6 6-5 6-3 6-2 6-1 6-0 / 5-5 5-0 5-4 5-3 5-2 5-1 4-4 /"
    "4-1 4-3 4-2 4-0 3-3 3-1 3-0 / 3-2 2-2 2-1 2-0 1-1 1-0 0-0"
)


@pytest.mark.parametrize("play_out", [False, True])
@pytest.mark.parametrize("bid", [30, 31, 36, 41, 42, 84])
@pytest.mark.parametrize("declarer", [0, 3])
def test_S1_the_points_at_which_a_hand_can_end(bid, play_out, declarer):
    side = declarer % 2
    rules = Rules(play_out=play_out)
    found = endings_by_count(SPREAD.masks, side, Contract(declarer, bid), rules)
    assert {points[:: -1 if side else 1] for points in found} == naive.endings(bid, play_out)
    if play_out:
        assert found == {(taken, 42 - taken) for taken in range(43)}


def test_S1_a_lost_trick_ends_a_bid_of_marks():
    found = endings_by_count(SPREAD.masks, 0, Contract(0, 42), Rules())
    assert (20, 20) not in found
    assert {others for _, others in found} == {0, 1, 6, 11, 16, 21, 26, 31}
    assert {points for points in found if points[1] == 0} == {(42, 0)}
    # The two tiles of ten in one hand fall in two tricks.
    both = Deal(
        "6-4 5-5 6-5 6-3 6-2 6-1 6-0 / 6-6 5-0 5-4 5-3 5-2 5-1 4-4 /"
        "4-1 4-3 4-2 4-0 3-3 3-1 3-0 / 3-2 2-2 2-1 2-0 1-1 1-0 0-0"
    )
    found = endings_by_count(both.masks, 0, Contract(0, 42), Rules())
    assert {others for _, others in found} == {0, 1, 6, 11, 16, 21, 26}


def any_game(rng):
    tiles = rng.sample(TILES, 28)
    deal = Deal([mask_of(tiles[7 * seat : 7 * seat + 7]) for seat in SEATS])
    rules = rng.choice([Rules(), Rules(play_out=True), POINTS, Rules(doubles="low")])
    bids = rng.sample((rng.choice(LADDER[:14]), PASS, PASS, PASS), 4)
    return Game(deal, 0, rules=rules, bids=bids, trump=rng.choice(list(Trump)))


def test_S1_whatever_was_played_can_be_told_at_any_point_before():
    rng = random.Random(1)
    for _ in range(60):
        games = [any_game(rng)]
        while games[-1].phase == "play":
            tile = rng.choice(games[-1].legal_plays)
            games.append(games[-1].claim() if games[-1].can_claim else games[-1].play(tile))
        result = games[-1].result
        for game in (Game(games[0].deal, 0, rules=games[0].rules), *rng.sample(games, 4)):
            assert Game.from_record(replace(game.record(), result=result)).plays == game.plays


def results(game):
    """Every result that a game can come to."""
    if game.phase == "over":
        return {game.result}
    found = set().union(*(results(game.play(tile)) for tile in game.legal_plays))
    return found | {game.claim().result} if game.can_claim else found


@pytest.mark.parametrize("tiles", [*range(1, 10), 12])
def test_S1_all_that_the_last_tiles_can_give_and_nothing_else(tiles):
    rng = random.Random(tiles)
    done = 0
    while done < 3:
        game = any_game(rng)
        while game.phase == "play" and len(game.plays) < 28 - tiles:
            game = game.play(rng.choice(game.legal_plays))
        if game.phase != "play":
            continue
        found = endings(game.tricks, game.contract, game.rules)
        assert found == {result.points for result in results(game)}
        done += 1


def test_results_of_hands_that_are_over():
    check_result(Result(True, (40, 2), (1, 0)), Contract(0, 30), (40, 2), Rules())
    for told, contract, said in (
        (Result(True, (30, 2), (1, 0)), Contract(0, 30), r"T2: .*; the hand gives made, points 31"),
        (Result(False, (31, 2), (0, 1)), Contract(0, 30), r"S1: .*; the hand gives made, points"),
        (Result(True, (31, 2), (0, 1)), Contract(0, 30), r"S2: .*; the hand gives made, points"),
        (Result(True, (31, 2), (1, 0)), None, r"A4: all passed, so there is none"),
    ):
        with pytest.raises(NotationError, match=said):
            check_result(told, contract, (31, 2), Rules())
    with pytest.raises(NotationError, match="S3: made, points 31 to 11, score 1 to 0; the hand"):
        check_result(Result(True, (31, 11), (1, 0)), Contract(0, 30), (31, 11), POINTS)


@pytest.mark.parametrize(
    ("told", "bid", "said"),
    [
        (Result(False, (20, 20), (0, 1)), 42, "S1: .*; no play stops at such points after 0 to 0"),
        (Result(True, (29, 2), (1, 0)), 30, "S1: .*; no contract of these bids gives that"),
        (Result(True, (40, 3), (1, 0)), 30, "S1: .*; no play stops at such points"),
        (Result(True, (36, 1), (1, 0)), 30, "S1: .*; no play stops at such points"),
        (Result(True, (32, 4), (2, 0)), 30, "S2: .*; no contract of these bids gives that"),
        (Result(False, (10, 12), (0, 1)), 30, "S1: .*; no play stops at such points"),
        (Result(False, (10, 13), (0, 1)), 30, "S1: .*; no play stops at such points"),
        (Result(True, (30, 2), (1, 0)), 30, "S1: .*; no play stops at such points"),
        (Result(True, (31, 2), (1, 0)), 30, None),
        (Result(True, (30, 6), (1, 0)), 30, None),
        (Result(True, (42, 0), (1, 0)), 30, None),
        (Result(False, (10, 16), (0, 1)), 30, None),
        (Result(False, (0, 31), (0, 1)), 42, None),
    ],
)
def test_results_told_of_hands_that_break_off(told, bid, said):
    contracts, hands = {Contract(0, bid)}, SPREAD.masks
    if said is None:
        check_ending(told, contracts, hands, None, Rules())
    else:
        with pytest.raises(NotationError, match=said):
            check_ending(told, contracts, hands, None, Rules())


def test_points_in_the_points_game_are_those_of_all_tricks():
    told = Result(True, (33, 9), (33, 9))
    check_ending(told, {Contract(0, 30)}, SPREAD.masks, None, POINTS)
    told = Result(True, (33, 8), (33, 8))
    with pytest.raises(NotationError, match=r"S1: .*; no play stops"):
        check_ending(told, {Contract(0, 30)}, SPREAD.masks, None, POINTS)
    told = Result(True, (33, 9), (1, 0))
    with pytest.raises(NotationError, match=r"S3: .*; no contract of these bids gives"):
        check_ending(told, {Contract(0, 30)}, SPREAD.masks, None, POINTS)
