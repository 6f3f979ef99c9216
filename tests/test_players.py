"""Players: what they may know, what they choose, and that chance depends on its place alone."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from sim42.deals.random import random_deals
from sim42.errors import IllegalPlay, RequestError
from sim42.game.rules import Contract, Rules
from sim42.game.suits import suits
from sim42.game.tiles import NAMES, mask_of, parse_tiles, tiles_of
from sim42.game.tricks import Trick, Tricks
from sim42.game.trumps import Trump
from sim42.game.views import view_of
from sim42.play.arena import meet, play_deals
from sim42.play.club import best_of
from sim42.play.names import find_player
from sim42.play.pimc import PimcPlayer, asked, layouts_of, lookups_of
from sim42.play.players import Draw, RandomPlayer
from sim42.play.table import play_hand
from sim42.solver.kernels.choices import sum_points
from sim42.solver.values import solve_many

CONTRACT = Contract(declarer=0, bid=30)
BLIND = ("random", "club", "pimc:6", "alphamu:6,2", "pimc:6+bids")
BIDS = ((0, 30), (1, 0), (2, 0), (3, 0))


def played(seed, trump, plays, doubles="high"):
    rng = np.random.default_rng(seed)
    deal = random_deals(1, seed)[0]
    tricks = Tricks(trump, doubles, tuple(deal.tolist()), int(rng.integers(4)))
    for _ in range(plays):
        tricks = tricks.play(int(rng.choice(tiles_of(tricks.legal_mask))))
    return tricks


def took(*arguments, **options):
    """Points of the declarer's side in each deal."""
    return np.array([tricks.points[0] for tricks in play_deals(*arguments, **options)])


def position(text, trump, leader=0, table=""):
    """Hands of seats 0 to 3 as text, and what lies on the table."""
    hands = tuple(mask_of(parse_tiles(hand)) for hand in text.split("/"))
    tiles = parse_tiles(table) if table else ()
    return Tricks(Trump(trump), "high", hands, leader, tiles)


@pytest.mark.parametrize("name", BLIND)
def test_hidden_tiles_do_not_change_a_play(name):
    """The other hands are dealt anew among what the seat knows: it plays the same."""
    player = find_player(name)
    for seed, plays in enumerate((0, 2, 5, 9, 14, 19, 22)):
        tricks = played(seed, Trump(seed), plays)
        view = view_of(tricks, CONTRACT, BIDS)
        draw = Draw(3, seed, plays)
        chosen = player.choose(view, draw)
        for hands in layouts_of(view, Draw(4, seed, plays), 10).tolist():
            other = view_of(replace(tricks, hands=tuple(hands)), CONTRACT, BIDS)
            assert player.choose(other, draw) == chosen


@pytest.mark.parametrize("name", [*BLIND, "double-dummy"])
@pytest.mark.parametrize("trump", [Trump.BLANKS, Trump.DOUBLES, Trump.FOLLOW_ME])
def test_every_play_is_legal_to_the_last(name, trump):
    rules = Rules(play_out=True, doubles="low")
    for number, deal in enumerate(random_deals(3, 11).tolist()):
        end = play_hand(tuple(deal), trump, CONTRACT, [find_player(name)] * 4, 1, number, rules)
        assert end.is_over
        assert sum(end.points) == 42


def test_four_who_see_all_take_what_a_deal_is_worth():
    deals = random_deals(30, 12)
    trumps = [Trump(number % 9) for number in range(30)]
    players = [find_player("double-dummy")] * 4
    taken = took(deals, trumps, 30, players, 1, rules=Rules(play_out=True))
    for trump in Trump:
        rows = [number for number in range(30) if trumps[number] == trump]
        assert (solve_many(deals[rows], [trump])[:, 0] == taken[rows]).all()


def test_random_plays_each_legal_tile_as_often():
    view = view_of(played(5, Trump.SIXES, 8), CONTRACT)
    legal = tiles_of(view.legal_mask)
    assert len(legal) > 1
    chosen = [RandomPlayer().choose(view, Draw(1, deal, 8)) for deal in range(2000)]
    assert chisquare([chosen.count(tile) for tile in legal]).pvalue > 1e-3


def test_pimc_counts_are_those_of_its_layouts():
    """Each play in each layout by the solver of whole positions, one at a time."""
    player = PimcPlayer(5)
    for seed, plays in enumerate((4, 9, 13, 18, 23)):
        tricks = played(seed + 40, Trump(seed), plays)
        view = view_of(tricks, CONTRACT)
        draw = Draw(9, seed, plays)
        counts = player.wins(view, layouts_of(view, draw, 5))
        expected = dict.fromkeys(tiles_of(view.legal_mask), 0)
        for hands in layouts_of(view, draw, 5).tolist():
            for tile in expected:
                after = replace(tricks, hands=tuple(hands)).play(tile)
                won = minimax(after, view.side, {})
                need = 30 if view.declares else 13
                expected[tile] += after.points[view.side] + won >= need if plays > 12 else 0
        assert {tile for tile in range(28) if counts[tile] >= 0} == set(expected)
        if plays > 12:
            assert {tile: int(counts[tile]) for tile in expected} == expected


def test_of_equal_plays_the_one_with_most_points_is_played():
    """The sums of points by trying every play; and that they tell equal plays apart."""
    told = 0
    for seed, plays in enumerate((13, 14, 15, 16, 17, 18, 19)):
        tricks = played(seed + 90, Trump(seed), plays)
        view = view_of(tricks, CONTRACT)
        draw = Draw(9, seed, plays)
        layouts = layouts_of(view, draw, 6)
        legal = tiles_of(view.legal_mask)
        sums = sum_points(layouts, *asked(view)[:2], view.legal_mask, *lookups_of(view))
        for tile in legal:
            after = [replace(tricks, hands=tuple(hands)).play(tile) for hands in layouts.tolist()]
            won = (a.points[view.side] + minimax(a, view.side, {}) for a in after)
            assert sum(won) - len(after) * tricks.points[view.side] == sums[tile]
        counts = PimcPlayer(6).wins(view, layouts)
        best = [tile for tile in legal if counts[tile] == counts.max()]
        most = [tile for tile in best if sums[tile] == max(sums[tile] for tile in best)]
        chosen = PimcPlayer(6).choose(view, draw)
        assert chosen in most
        told += len(most) < len(best)
    assert told


def minimax(tricks, side, known):
    """Points that a side still takes in a position, by trying every play."""
    if len(tricks.plays) < 13 or tricks.is_over:
        return 0
    key = (tricks.hands, tricks.leader, tricks.table)
    if key not in known:
        values = [
            minimax(after, side, known) + after.points[side] - tricks.points[side]
            for after in map(tricks.play, tiles_of(tricks.legal_mask))
        ]
        known[key] = max(values) if tricks.turn % 2 == side else min(values)
    return known[key]


def test_few_layouts_are_all_solved_and_no_more():
    view = view_of(played(3, Trump.TWOS, 25), CONTRACT)
    hands = layouts_of(view, Draw(1, 0, 25), 10_000)
    assert len(np.unique(hands, axis=0)) == len(hands) < 10_000
    assert (hands[:, view.seat] == view.hand).all()


@pytest.mark.parametrize(
    ("hands", "trump", "table", "plays", "rule"),
    [
        ("6-6 6-5 5-5 / 4-4 6-1 / 1-1 / 2-2", "sixes", "", "6-6", 1),
        ("5-5 6-5 4-1 / 4-4 4-0 / 1-1 3-0 / 2-2 3-2", "sixes", "", "5-5", 2),
        ("4-1 6-0 5-0 / 6-6 4-4 / 5-5 2-2 / 6-4 3-2", "twos", "", "6-0", 3),
    ],
)
def test_club_leads(hands, trump, table, plays, rule):
    assert NAMES[club_play(hands, trump, table)] == plays, f"rule {rule}"


@pytest.mark.parametrize(
    ("hands", "leader", "trump", "table", "plays", "rule"),
    [
        ("5-2 5-1 5-0 / 4-4 4-1 1-1 / 6-3 2-2 / 6-2 2-1 ", 1, "sixes", "5-3 5-5 5-4", "5-0", 4),
        ("5-5 5-0 5-1 / 4-4 4-1 1-1 / 6-3 2-2 / 6-2 2-1 ", 1, "sixes", "5-3 5-2 5-4", "5-5", 5),
        ("4-0 4-1 3-0 / 0-0 1-1 / 2-2 2-0 / 5-1 2-1", 2, "sixes", "4-4 4-2", "4-1", 4),
        ("3-2 3-1 1-0 / 6-6 1-1 / 2-2 0-0 / 6-5 2-1", 1, "sixes", "3-3 3-0 6-3", "3-1", 7),
    ],
)
def test_club_follows(hands, leader, trump, table, plays, rule):
    tricks = position(hands, trump, leader, table)
    assert tricks.turn == 0
    assert NAMES[best_of(view_now(tricks), tricks.legal_mask)] == plays, f"rule {rule}"


def club_play(hands, trump, table):
    tricks = position(hands, trump, 0, table)
    return best_of(view_now(tricks), tricks.legal_mask)


def view_now(tricks):
    """The view of an ending: what is in no hand and not on the table was played, unseen by us."""
    seat = tricks.turn
    here = mask_of(tricks.table)
    for hand in tricks.hands:
        here |= hand
    unseen = here & ~tricks.hands[seat] & ~mask_of(tricks.table)
    whole = view_of(tricks, CONTRACT)
    may_hold = [mask & unseen for mask in whole.may_hold]
    may_hold[seat] = tricks.hands[seat]
    gone = tuple(tile for tile in range(28) if not here >> tile & 1)
    return replace(whole, may_hold=tuple(may_hold), done=(Trick(0, gone, 0, 0),))


def test_a_player_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "class Lowest:\n"
        "    def choose(self, view, draw):\n"
        "        return (view.legal_mask & -view.legal_mask).bit_length() - 1\n"
        "lowest = Lowest()\n"
        "class Cheat:\n"
        "    def choose(self, view, draw):\n"
        "        return 99\n"
        "nothing = 3\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    deals = random_deals(5, 1)
    sixes = [Trump.SIXES] * 5
    for name in ("mine:lowest", "mine:Lowest"):
        assert len(took(deals, sixes, 30, [find_player(name)] * 4, 1)) == 5
    with pytest.raises(IllegalPlay, match="a play is a tile id"):
        took(deals, sixes, 30, [find_player("mine:Cheat")] * 4, 1)
    for name in ("mine:nothing", "mine:none", "nomodule:player"):
        with pytest.raises(RequestError, match=name):
            find_player(name)
    sys.modules.pop("mine")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "pimc",
        "pimc:0",
        "pimc:x",
        "club:3",
        "pimc:999999999",
        "pimc:3,2",
        "alphamu:3",
        "alphamu:61,2",
        "alphamu:20,8",
        "club+bids",
        "a:",
    ],
)
def test_names_that_are_none(name):
    with pytest.raises(RequestError, match="player"):
        find_player(name)


def test_threads_and_chunks_change_nothing():
    deals = random_deals(40, 21)
    trumps = [Trump(number % 9) for number in range(40)]
    players = [find_player(name) for name in ("pimc:3", "random", "alphamu:4,2", "pimc:2+bids")]
    one = took(deals, trumps, 31, players, 5, threads=1)
    assert (took(deals, trumps, 31, players, 5, threads=3) == one).all()
    assert (took(deals[17:], trumps[17:], 31, players, 5, first=17) == one[17:]).all()
    assert (took(deals, trumps, 31, players, 6) != one).any()


def test_more_knowledge_wins_more():
    """Over the same deals: club beats random, and layouts solved beat the club."""
    deals = random_deals(150, 31)
    trumps = [
        max(Trump, key=lambda t: (hand & suits(t, "high").follows[7]).bit_count())
        for hand in deals[:, 0].tolist()
    ]
    club, random, pimc = map(find_player, ("club", "random", "pimc:10"))
    for better, worse in ((club, random), (pimc, club)):
        made = meet(better, worse, deals, trumps, 30, seed=2)
        assert made[:, 0].sum() > made[:, 1].sum() + 10
