"""Playing the tiles by the rule book: R2 to R7, T2, the traps, and all tricks there are."""

import json
from itertools import combinations, permutations
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_lookups import CALLS
from test_records import DEALS

from sim42.deals.random import random_deals
from sim42.errors import IllegalPlay
from sim42.game.rules import Rules
from sim42.game.suits import suits
from sim42.game.tiles import COUNTS as COUNT_POINTS
from sim42.game.tiles import (
    NAMES,
    TILES,
    Deal,
    format_tiles,
    mask_of,
    parse_tile,
    parse_tiles,
    tiles_of,
)
from sim42.game.tricks import Tricks, winning_place
from sim42.game.trumps import Trump
from sim42.solver.kernels.perft import replay
from sim42.solver.lookups import lookups
from sim42.solver.values import solve

COUNTS = json.loads((Path(__file__).parent / "data" / "hand_counts.json").read_text())


def may_play(trump, led, hand, doubles="high"):
    """What a seat with this hand may play to the tile led."""
    others = [tile for tile in TILES if not mask_of(parse_tiles(f"{led} {hand}")) >> tile & 1]
    start = Tricks(
        Trump(trump),
        doubles,
        (mask_of([parse_tile(led)]), mask_of(parse_tiles(hand)), 1 << others[0], 1 << others[1]),
        leader=0,
    )
    return format_tiles(start.play(parse_tile(led)).legal_mask)


def winner(trump, trick, doubles="high"):
    """The tile that wins."""
    tiles = parse_tiles(trick)
    return NAMES[tiles[winning_place(tiles, Trump(trump), doubles)]]


def order(trump, suit, doubles="high"):
    """Tiles of a suit, highest first."""
    table = suits(Trump(trump), doubles)
    tiles = tiles_of(table.follows[suit])
    ranked = sorted(tiles, key=lambda tile: (table.beats[suit][tile] & mask_of(tiles)).bit_count())
    return " ".join(NAMES[tile] for tile in ranked)


def test_T1_tile_ids():
    assert list(TILES) == [h * (h + 1) // 2 + low for h, low in naive.TILES]
    assert [NAMES[0], NAMES[27], NAMES[25]] == ["0-0", "6-6", "6-4"]


def test_T2_count():
    assert list(COUNT_POINTS) == [naive.worth(tile) for tile in naive.TILES]
    assert {NAMES[tile]: points for tile, points in enumerate(COUNT_POINTS) if points} == {
        "5-5": 10,
        "6-4": 10,
        "5-0": 5,
        "4-1": 5,
        "3-2": 5,
    }
    assert 7 + sum(COUNT_POINTS) == 42


def test_R2_pip_trump():
    assert order("threes", 7) == "3-3 6-3 5-3 4-3 3-2 3-1 3-0"
    assert order("threes", 6) == "6-6 6-5 6-4 6-2 6-1 6-0"
    assert order("threes", 3) == ""


def test_R3_doubles_trump():
    assert order("doubles", 7) == "6-6 5-5 4-4 3-3 2-2 1-1 0-0"
    assert order("doubles", 4) == "6-4 5-4 4-3 4-2 4-1 4-0"


def test_R4_follow_me():
    assert order("follow-me", 4) == "4-4 6-4 5-4 4-3 4-2 4-1 4-0"
    assert order("follow-me", 7) == ""
    assert order("follow-me", 4, "low") == "6-4 5-4 4-3 4-2 4-1 4-0 4-4"
    assert order("follow-me", 4, "own_suit") == "6-4 5-4 4-3 4-2 4-1 4-0"
    assert order("follow-me", 7, "own_suit") == "6-6 5-5 4-4 3-3 2-2 1-1 0-0"
    # Doubles of their own suit are no trumps.
    assert winner("follow-me", "6-4 4-4 6-6 6-0", "own_suit") == "6-4"
    assert winner("follow-me", "4-4 6-6 6-5 6-4", "own_suit") == "6-6"


def test_R5_suit_led():
    leads = suits(Trump.FOURS).leads
    assert [leads[parse_tile(tile)] for tile in ("6-4", "4-2", "4-4", "6-2", "2-0", "2-2")] == [
        7,
        7,
        7,
        6,
        2,
        2,
    ]


def test_R6_both_ends_follow():
    assert may_play("follow-me", "6-2", "2-2 6-0 5-5") == "6-0"
    assert may_play("follow-me", "5-2", "6-5 2-2") == "6-5"
    assert winner("follow-me", "5-2 6-5 0-0 1-1") == "6-5"
    assert may_play("fours", "6-5", "6-4 5-1 2-0") == "6-4 5-1 2-0"


def test_R6_illegal_plays_say_what_would_be_legal():
    hands = tuple(mask_of(parse_tiles(hand)) for hand in ("6-2 0-0", "2-2 6-0", "3-3 1-0", "4-4"))
    start = Tricks(Trump.FOLLOW_ME, "high", hands, leader=0)
    with pytest.raises(
        IllegalPlay, match=r"T3: seat 0 is to play, and 6-0 is in seat 1's hand; legal: 6-2 0-0$"
    ):
        start.play(parse_tile("6-0"))
    led = start.play(parse_tile("6-2"))
    with pytest.raises(
        IllegalPlay,
        match=r"R6: 6-2 led sixes; seat 1 must follow, and 2-2 does not; legal: 6-0$",
    ):
        led.play(parse_tile("2-2"))
    with pytest.raises(IllegalPlay, match="T1: 6-2 is played already; seat 1 is to play; legal"):
        led.play(parse_tile("6-2"))


def test_R7_winner():
    assert winner("threes", "6-5 6-6 3-0 3-1") == "3-1"
    assert winner("follow-me", "6-5 4-4 6-4 5-5") == "6-5"
    assert winner("sixes", "5-4 4-4 3-3 5-5") == "5-5"
    assert winner("doubles", "5-4 6-5 0-0 6-6") == "6-6"


def test_R7_the_winner_leads_next():
    hands = tuple(
        mask_of(parse_tiles(hand)) for hand in ("6-2 0-0", "6-4 2-2", "6-3 1-0", "4-4 1-1")
    )
    state = Tricks(Trump.FOLLOW_ME, "high", hands, leader=0)
    for tile in parse_tiles("6-2 6-4 6-3 4-4"):
        state = state.play(tile)
    assert state.leader == state.turn == 1
    assert state.points == (0, 11)
    assert state.done[0].winner == 1
    assert [state.done[0].seat_of(place) for place in range(4)] == [0, 1, 2, 3]


def test_trap_1_a_low_trump_beats_the_highest_double():
    assert may_play("threes", "6-6", "3-1 5-0 4-2") == "5-0 4-2 3-1"
    assert winner("threes", "6-6 3-1 6-5 6-4") == "3-1"


def test_trap_2_a_trump_leads_trumps():
    leads = suits(Trump.FOURS).leads
    assert leads[parse_tile("6-4")] == leads[parse_tile("4-2")] == 7
    assert may_play("fours", "6-4", "6-6 4-0") == "4-0"
    assert may_play("fours", "4-2", "4-0 2-2") == "4-0"


def test_trap_3_doubles_trump_a_double_led():
    assert may_play("doubles", "5-5", "5-3 6-6") == "6-6"
    assert may_play("doubles", "5-5", "5-3 4-1") == "5-3 4-1"


def test_trap_4_relabelling_pips_is_no_symmetry():
    """Of all permutations of the pips two keep the count tiles, and only one the suits led."""
    leads = suits(Trump.FOLLOW_ME).leads
    keep_count, keep_leads = [], []
    for pips in permutations(range(7)):
        moved = [
            naive.TILES.index((max(pips[high], pips[low]), min(pips[high], pips[low])))
            for high, low in naive.TILES
        ]
        if all(COUNT_POINTS[moved[tile]] == COUNT_POINTS[tile] for tile in TILES):
            keep_count.append(pips)
        if all(leads[moved[tile]] == pips[leads[tile]] for tile in TILES):
            keep_leads.append(pips)
    assert keep_count == [(0, 1, 2, 3, 4, 5, 6), (0, 1, 3, 2, 4, 5, 6)]
    assert keep_leads == [(0, 1, 2, 3, 4, 5, 6)]


def test_R7_all_tricks_have_one_winner():
    """The 737,100 tricks of nine calls: naive, game and lookup arrays agree."""
    total = 0
    ids = {pair: tile for tile, pair in enumerate(naive.TILES)}
    for trump, doubles in CALLS:
        arrays = lookups(trump, doubles)
        for lead in TILES:
            rest = [tile for tile in TILES if tile != lead]
            tricks = [(lead, *others) for others in combinations(rest, 3)]
            by_game = [trick[winning_place(trick, trump, doubles)] for trick in tricks]

            table = np.array(tricks)
            ranks = arrays.ranks[table]
            can_win = arrays.wins[arrays.ranks[lead]] >> ranks & 1
            highest = np.where(can_win, ranks, -1).argmax(axis=1)
            assert table[np.arange(len(table)), highest].tolist() == by_game

            pairs = [tuple(naive.TILES[tile] for tile in trick) for trick in tricks]
            places = [naive.trick_winner(trick, trump, doubles) for trick in pairs]
            assert by_game == [
                ids[trick[place]] for trick, place in zip(pairs, places, strict=True)
            ]
            total += len(tricks) if doubles == "high" else 0
    assert total == COUNTS["tricks_with_one_winner"] == 737_100


@given(
    deal=DEALS,
    call=st.sampled_from(CALLS),
    leader=st.sampled_from(range(4)),
    choices=st.lists(st.integers(0, 6), min_size=28, max_size=28),
)
def test_play_outs_agree_with_naive_and_compiled_code(deal, call, leader, choices):
    trump, doubles = call
    state = Tricks(trump, doubles, deal.masks, leader)
    legal = []
    for choice in choices:
        hand = [naive.TILES[tile] for tile in tiles_of(state.hands[state.turn])]
        led = naive.TILES[state.table[0]] if state.table else None
        options = naive.legal_tiles(hand, led, trump, doubles)
        assert state.legal_mask == mask_of(map(naive.TILES.index, options))
        legal.append(state.legal_mask)
        tiles = tiles_of(state.legal_mask)
        state = state.play(tiles[choice % len(tiles)])
    assert state.is_over
    for trick in state.done:
        pairs = tuple(naive.TILES[tile] for tile in trick.tiles)
        place = naive.trick_winner(pairs, trump, doubles)
        assert (trick.leader + place) % 4 == trick.winner
        assert trick.points == naive.trick_points(pairs)
    assert sum(state.points) == 42
    assert sum(trick.points for trick in state.done if trick.winner % 2 == 0) == state.points[0]

    masks, plays = np.array(deal.masks), np.array(state.plays)
    compiled = replay(masks, plays, *lookups(trump, doubles), leader)
    assert compiled[0].tolist() == legal
    assert compiled[1].tolist() == [trick.winner for trick in state.done]
    assert tuple(compiled[2].tolist()) == state.points


def test_lines_of_best_play_are_legal_and_take_what_they_promise():
    for number, row in enumerate(random_deals(22, seed=3).tolist()):
        trump, doubles = CALLS[number % len(CALLS)]
        leader = number % 4
        solution = solve(Deal(row), trump, leader, Rules(doubles=doubles))
        state = Tricks(trump, doubles, tuple(row), leader)
        for trick in solution.line:
            for name in trick:
                state = state.play(parse_tile(name))
        assert state.is_over
        assert state.points[leader % 2] == solution.points
