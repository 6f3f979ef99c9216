"""Values inside a deal: against plain minimax, against each other, and what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from endings import endings, inside_tricks, naive_plays
from hypothesis import given, settings
from hypothesis import strategies as st

import sim42
from sim42 import Deal, Game, Positions, Rules, makes, makes_many, solve, solve_many
from sim42.cli import main
from sim42.deals.endings import random_endings
from sim42.deals.random import random_deals
from sim42.errors import BatchError, RequestError, TileError
from sim42.game.records import format_record
from sim42.game.tiles import NAMES, parse_hands, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.solver.inside import BLOCK, play_values

GAMES = [(trump, "high") for trump in Trump] + [
    (Trump.FOLLOW_ME, "low"),
    (Trump.FOLLOW_ME, "own_suit"),
]
SIZES = {1: 24, 2: 120, 3: 64, 4: 12, 5: 2}
"""Positions of each game and number of tiles a seat; scripts/inside_tricks.py tries many more."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def test_every_play_inside_a_trick_is_worth_what_minimax_says(game):
    trump, doubles = game
    for tricks, count in SIZES.items():
        plays = inside_tricks(count, tricks, trump, doubles, seed=tricks + 10 * GAMES.index(game))
        check_against_minimax(plays, trump, doubles)


def check_against_minimax(plays, trump, doubles):
    """Values, values of plays, and yes or no at the value, of games under one trump."""
    positions, rules = Positions.of(plays), Rules(doubles=doubles)
    found = play_values(positions, [trump], rules=rules)[:, 0]
    values = solve_many(positions, [trump], rules=rules)[:, 0]
    enough = makes_many(positions, values, [trump], rules)
    too_much = makes_many(positions, values + 1, [trump], rules)
    assert enough.all()
    assert not too_much.any()
    for row, value, play in zip(found, values, plays, strict=True):
        expected = naive_plays(play)
        assert {tile: row[tile] for tile in range(28) if row[tile] >= 0} == expected
        ours = (play.turn - play.leader) % 2 == 0
        assert value == (max if ours else min)(expected.values())


def random_game(seed, trump, plays, leader=0):
    """The play of a random deal after so many random legal plays."""
    random = np.random.default_rng(seed)
    deal = Deal(random_deals(1, seed)[0].tolist())
    play = Tricks(trump, "high", deal.masks, leader)
    for _ in range(plays):
        play = play.play(int(random.choice(tiles_of(play.legal_mask))))
    return play


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(Trump), st.integers(0, 3), st.data())
def test_a_position_is_worth_what_the_play_that_led_to_it_was(seed, trump, leader, data):
    play = random_game(seed, trump, data.draw(st.integers(8, 26)), leader)
    while not play.is_over:
        solution = solve(play)
        assert solution.points == solution.plays[solution.best[0]]
        tile = data.draw(st.sampled_from(tiles_of(play.legal_mask)))
        play = play.play(tile)
        after = solution.plays[NAMES[tile]]
        assert after == (play.points[leader % 2] if play.is_over else solve(play).points)


@pytest.mark.parametrize("plays", [0, 1, 2, 3, 5, 10, 15, 23, 24, 27])
@pytest.mark.parametrize("leader", [0, 3])
def test_the_line_is_legal_and_ends_at_the_value(plays, leader):
    for trump in Trump:
        solution = solve(random_game(plays + 100 * leader, trump, plays, leader))
        assert [len(trick) for trick in solution.line[1:]] == [4] * (len(solution.line) - 1)
        assert len(solution.tricks) == 7  # `tricks` plays it by the rules
        taken = sum(trick.points for trick in solution.tricks if (trick.winner - leader) % 2 == 0)
        assert taken == solution.points
        assert solution.line[0][0] in solution.best
        assert solution.leader == leader
        assert (solution.leads == {}) == (plays % 4 > 0)


def test_best_plays_are_best_for_the_side_to_play():
    for seed in range(20):
        solution = solve(random_game(seed, Trump.FIVES, 9))
        choose = max if solution.turn % 2 == 0 else min
        assert solution.points == choose(solution.plays.values())
        ties = {name for name, points in solution.plays.items() if points == solution.points}
        assert set(solution.best) == ties


def test_the_last_trick_of_a_deal_solves():
    play = random_game(4, Trump.TWOS, 24)
    solution = solve(play)
    (name,) = solution.plays
    assert solution.line == (tuple(solution.line[0]),)
    assert solution.line[0][0] == name
    last = solve(random_game(4, Trump.TWOS, 27))
    assert len(last.line[0]) == 1


def test_a_finished_hand_is_refused_in_one_line():
    play = random_game(4, Trump.TWOS, 28)
    for ask in (solve, lambda play: makes(play, 30)):
        with pytest.raises(RequestError, match=r"^the hand is over: no tile is left to play$"):
            ask(play)
    deal = (
        "6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
        "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
    )
    game = Game(deal, shaker=3, bids=["42", "pass", "pass", "pass"], trump="sixes")
    with pytest.raises(RequestError, match=r"^the hand is over: made, points 42 to 0.*to play$"):
        solve(game.claim())
    with pytest.raises(RequestError, match="no trump is called yet"):
        solve(Game(deal))
    assert solve(game).points == 42
    assert solve(game) == solve(game.tricks)


def test_a_game_brings_its_own_trump_and_leader():
    game = Game(
        Deal(random_deals(1, seed=3)[0].tolist()), 3, bids=["pass", "30", "pass", "pass"], trump=5
    )
    solution = solve(game)
    assert solution.leader == 1
    assert solution.points == solve(game.deal, "fives", leader=1).points
    for extra in ({"trump": "fives"}, {"leader": 1}, {"rules": Rules()}):
        with pytest.raises(RequestError, match="brings its own"):
            solve(game, **extra)
    with pytest.raises(RequestError, match="no trump; four hands need one"):
        solve(game.deal)


def test_endings_solve_from_text():
    solution = solve("6-6 5-5 / 4-4 4-3 / 3-3 3-2 / 2-2 2-1", "sixes")
    # 6-6, then 5-5 take 1 + 10, and the two tricks the five of 3-2.
    assert (solution.points, solution.total) == (17, 17)
    assert solution.best == ("6-6", "5-5")
    with pytest.raises(TileError, match="7 different tiles, not 2"):
        _ = solution.deal


def test_points_taken_before_count():
    hands = endings(30, 3, seed=2)
    before = Positions(hands)
    free = solve_many(before)
    assert (solve_many(Positions(hands, taken=4)) == free + 4).all()
    other = solve_many(Positions(hands, side=1))
    total = 3 + sum(
        (np.bitwise_or.reduce(hands, axis=1) >> tile & 1) * worth
        for tile, worth in ((8, 5), (11, 5), (15, 5), (20, 10), (25, 10))
    )
    assert (free + other == total[:, None]).all()
    assert (solve_many(Positions(hands, taken=4), floor=9) == (free + 4).clip(8)).all()
    assert (solve_many(Positions(hands, taken=4), floor=3) == free + 4).all()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("floor", [0, 4, 30])
def test_floors_of_plays(side, floor):
    play = [random_game(seed, Trump.ONES, 6) for seed in range(20)]
    of = Positions.of(play)
    positions = Positions(of.hands, of.table, of.leader, of.taken * 0, side)
    exact = play_values(positions, ["ones", "doubles"])
    least = exact.clip(floor - 1)
    assert (
        play_values(positions, ["ones", "doubles"], floor=floor) == np.where(exact < 0, -1, least)
    ).all()
    each = np.arange(20)
    assert (
        solve_many(positions, floor=each) == np.maximum(solve_many(positions), each[:, None] - 1)
    ).all()


def test_yes_or_no_says_what_the_value_says():
    positions = Positions(random_deals(20, seed=6), leader=np.arange(20) % 4, side=1)
    values = solve_many(positions)
    for need in (-3, 0, 1, 13, 30, 42, 43, 60):
        assert (makes_many(positions, need) == (values >= need)).all()
    needs = np.arange(20) * 2
    assert (makes_many(positions, needs) == (values >= needs[:, None])).all()


def test_whole_deals_are_positions_too():
    deals = random_deals(BLOCK + 5, seed=7)
    values = solve_many(deals, ["fours", "doubles"])
    positions = Positions(deals)
    assert (solve_many(positions, ["fours", "doubles"]) == values).all()
    assert (solve_many(positions, ["fours", "doubles"], threads=1) == values).all()
    assert makes(Deal(deals[0].tolist()), int(values[0, 0]), "fours")
    assert not makes(Deal(deals[0].tolist()), int(values[0, 0]) + 1, "fours")


def test_nothing_to_solve():
    none = Positions.of([])
    assert len(none) == 0
    assert solve_many(none).shape == (0, 9)
    assert play_values(none, ["fives"]).shape == (0, 1, 28)


TWO = [0b11, 0b1100, 0b110000, 0b11000000]
WRONG = {
    "mask -1": ([-1, *TWO[1:]], {}),
    "seat 3: mask 268435456": ([*TWO[:3], 1 << 28], {}),
    "2-1 is given twice": ([*TWO[:3], 0b10010000], {}),
    "2, 2, 2 and 3 tiles": ([*TWO[:3], 0b111000000], {}),
    "leader 4": (TWO, {"leader": 4}),
    "side 2": (TWO, {"side": 2}),
    "taken 41": (TWO, {"taken": 41}),
    "taken -1": (TWO, {"taken": -1}),
    "28: a tile id": (TWO, {"table": [28, -1, -1]}),
    "tiles played come first": (TWO, {"table": [-1, 9, -1]}),
    "2-0 is given twice": ([0b1, *TWO[1:]], {"table": [3, -1, -1]}),
    "3, 2, 2 and 2 tiles": (TWO, {"table": [9, -1, -1]}),
    "the hand is over": ([0, 0, 0, 0], {}),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_entry_is_named_and_the_others_are_kept(message):
    hands, extra = WRONG[message]
    columns = {
        name: [default, value, default]
        for name, value in extra.items()
        for default in [[-1, -1, -1] if name == "table" else 0]
    }
    positions = Positions([TWO, hands, TWO], **columns)
    right = solve_many(Positions([TWO]))
    with pytest.raises(BatchError, match=f"^position 1: .*{message}") as caught:
        solve_many(positions)
    assert list(caught.value.faults) == [1]
    assert (caught.value.answers[[0, 2]] == right).all()
    assert (caught.value.answers[1] == -1).all()
    with pytest.raises(BatchError, match=message) as caught:
        makes_many(positions, 1)
    assert (caught.value.answers[[0, 2]] == (right >= 1)).all()


def test_several_wrong_entries_are_all_there():
    with pytest.raises(BatchError, match=r"^position 0: .*, and 2 more$") as caught:
        play_values(Positions([[0] * 4, TWO, [1] * 4, [-1] * 4]))
    assert sorted(caught.value.faults) == [0, 2, 3]
    assert (caught.value.answers[1] >= 0).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": [1, 2, 4, 8]}, "hands: of shape"),
        ({"hands": [[1.5, 2, 4, 8]]}, "hands: whole numbers"),
        ({"hands": [TWO], "table": [1, 2]}, "table: of shape"),
        ({"hands": [TWO], "leader": [0, 1]}, "leader: one number, or 1"),
        ({"hands": [TWO], "taken": "0"}, "taken: whole numbers"),
    ],
)
def test_arrays_of_other_shapes(arguments, message):
    with pytest.raises(RequestError, match=message):
        Positions(**arguments)


def test_arguments_out_of_range():
    positions = Positions([TWO, TWO])
    for asked, message in (
        (lambda: solve_many(positions, leader=1), "positions say who leads"),
        (lambda: solve_many(positions, floor=43), "floor 43"),
        (lambda: solve_many(positions, floor=[1, 2, 3]), "floor: one number, or 2"),
        (lambda: makes_many(positions, 1.5), "need: whole numbers"),
        (lambda: makes_many(positions, [1]), "need: one number, or 2"),
        (lambda: makes_many(positions, 1, threads=0), "threads 0"),
        (lambda: Positions.of([random_game(1, Trump.ONES, 28)]), "position 0: the hand is over"),
        (lambda: solve(Tricks(Trump.ONES, "high", (1, 2, 4, 4), 0)), "1-1 is given twice"),
        (lambda: Positions.of([5]), "neither a Game nor Tricks"),
    ):
        with pytest.raises(RequestError, match=message):
            asked()


def test_public_names():
    assert {"Positions", "makes", "makes_many"} <= set(sim42.__all__)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path, monkeypatch):
    """A file of two records: a hand played to the end, and one that breaks off after six plays."""
    monkeypatch.chdir(tmp_path)
    games = []
    for seed, plays in ((1, 28), (2, 6)):
        random = np.random.default_rng(seed)
        game = Game(
            Deal(random_deals(1, seed)[0].tolist()),
            shaker=0,
            bids=["30", "pass", "pass", "pass"],
            trump="fours",
            rules=Rules(play_out=True),
        )
        for _ in range(plays):
            game = game.play(int(random.choice(game.legal_plays)))
        games.append(game)
    (tmp_path / "x.jsonl").write_text("".join(format_record(g.record()) + "\n" for g in games))
    return games


def run(*words):
    return CliRunner().invoke(main, ["solve", *words])


@pytest.mark.parametrize(("place", "plays"), [("0", 0), ("5", 5), ("end-1", -1), ("end-6", -6)])
def test_a_record_is_solved_as_it_stood(record, place, plays):
    done = run("--record", "x.jsonl", "--at", place, "--format", "json")
    assert done.exit_code == 0, done.output
    for found, game in zip(json.loads(done.stdout), record, strict=True):
        play = Game(
            game.deal,
            0,
            bids=game.bids,
            trump=game.trump,
            plays=game.plays[:plays],
            rules=game.rules,
        )
        solution = solve(play)
        assert found["points"] == solution.points
        assert found["plays"] == solution.plays
        assert found["best"] == list(solution.best)
        assert found["played"] == [NAMES[tile] for tile in play.plays]
        assert found["deal"] == str(game.deal)
        assert found["leader"] == 1
    text = run("--record", "x.jsonl", "--at", place)
    assert text.stdout.count("Double dummy: all four hands are seen") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--record", "x.jsonl"], "x.jsonl, line 1: the hand is over: "),
        (["--record", "x.jsonl", "--at", "7"], "x.jsonl, line 2: --at 7: the record has 6 plays"),
        (["--record", "x.jsonl", "--at", "end-7"], "line 2: --at end-7: the record has 6 plays"),
        (["--record", "x.jsonl", "--at", "-3"], "'-3' is no place in a record"),
        (["--record", "x.jsonl", "--at", "end4"], "'end4' is no place in a record"),
        (["--record", "x.jsonl", "--trump", "5"], "--record brings its own"),
        (["6-6/5-5/4-4/3-3", "--at", "3", "--trump", "5"], "--at goes with --record"),
        (["6-6/5-5/4-4/3-3"], "--trump"),
        (
            ["6-6/5-5/4-4/3-3 2-2", "--trump", "5"],
            "DEAL: a deal is four hands of 1 to 7 tiles, the same for all; not 1, 1, 1, 2",
        ),
        (["6-6/5-5/4-4/", "--trump", "5"], "the same for all; not 1, 1, 1, 0"),
        (["/ / /", "--trump", "5"], "the same for all; not 0, 0, 0, 0"),
        (["6-6/5-5/4-4/6-6", "--trump", "5"], "seat 3: 6-6 is held by seat 0 too"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(record, words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_endings_solve_on_the_command_line():
    done = run("6-6 5-5 / 4-4 4-3 / 3-3 3-2 / 2-2 2-1", "--trump", "sixes", "--leader", "2")
    assert "Seats 0 and 2 take 17 of 17 points." in done.stdout


def test_random_endings_are_dealt_and_solved():
    dealt = CliRunner().invoke(main, ["deal", "--tiles", "4", "-n", "3", "--seed", "1"])
    hands = [parse_hands(line) for line in dealt.stdout.splitlines()]
    assert hands == [tuple(row) for row in random_endings(3, seed=1, tiles=4).tolist()]
    solved = CliRunner().invoke(
        main, ["solve", "--trump", "fives", "--format", "json"], input=dealt.stdout
    )
    points = solve_many(Positions(hands), ["fives"])[:, 0]
    assert [found["points"] for found in json.loads(solved.stdout)] == points.tolist()
    refused = CliRunner().invoke(main, ["deal", "--tiles", "4", "--partner", "4-4"])
    assert refused.exit_code == 2
    assert len(refused.stderr.splitlines()) == 1
