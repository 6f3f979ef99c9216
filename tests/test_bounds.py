"""Each bound of the search against exact values, which a search without any bound finds.

A bound may never say more than is true, and should say something. `scripts/unsound_bounds.py`
makes each of them say too much, one after the other: every time a test below must fail.
"""

import numba
import numpy as np
import pytest
from endings import endings
from test_kernels_search import GAMES

from sim42.game.rules import Rules
from sim42.game.trumps import Trump
from sim42.solver.kernels import bounds
from sim42.solver.kernels.bits import address, count_of, popcount, word
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.layout import COUNT, HANDS, TENS, TRUMPS
from sim42.solver.kernels.positions import play_block
from sim42.solver.kernels.questions import load_hands, load_trump, new_room
from sim42.solver.lookups import stacked

RUN, WITH_PARTNER, TOPS, LEFT = range(4)
WON, LOST, EQUAL = range(3)


@numba.njit
def claims(room, leader, ranks, of_hands, of_leads):
    """Fill in what the bounds say of the hands in a room, and of each lead by tile id."""
    memory = address(room)
    trumps = word(memory, TRUMPS)
    count = word(memory, COUNT)
    hand0 = word(memory, HANDS + leader)
    hand1 = word(memory, HANDS + (leader + 1 & 3))
    hand2 = word(memory, HANDS + (leader + 2 & 3))
    hand3 = word(memory, HANDS + (leader + 3 & 3))
    tiles = hand0 | hand1 | hand2 | hand3
    tricks = popcount(hand0)
    left = tricks + count_of(tiles, count, word(memory, TENS))
    longest = max(popcount(hand1 & trumps), popcount(hand3 & trumps))
    trumps0, others0 = bounds.sure_tiles(memory, hand0, tiles, longest)
    trumps2, others2 = bounds.sure_tiles(memory, hand2, tiles, longest)
    of_hands[LEFT] = left
    of_hands[RUN] = bounds.run_points(memory, trumps0, others0, longest, 0, 0, tricks, left)
    of_hands[WITH_PARTNER] = bounds.run_points(
        memory, trumps0, others0, longest, 0, hand2 & trumps, tricks, left
    )
    of_hands[TOPS] = bounds.top_trumps(memory, hand0, hand1, hand2, hand3, tricks, left)
    kept = bounds.without_equal_trumps(hand0, tiles, trumps, count)
    for tile in range(28):
        lead = 1 << ranks[tile]
        of_leads[tile] = -1
        if lead & hand0:
            won, lost, _ = bounds.judge_lead(
                memory,
                hand0,
                hand1,
                hand2,
                hand3,
                lead,
                (trumps0, others0, trumps2, others2),
                longest,
                tricks,
                left,
            )
            of_leads[tile, WON] = won
            of_leads[tile, LOST] = lost
            if not lead & kept:
                equal = bounds.equal_trump(lead, kept, trumps, count)
                for other in range(28):
                    if equal == 1 << ranks[other]:
                        of_leads[tile, EQUAL] = other
    return left


@numba.njit
def all_claims(deals, leaders, ranks, follows, wins, groups, switches):
    """Claims about hands (n, 4), and about leads (n, 28, 3), under one trump."""
    room = new_room()
    no_table = np.full(3, -1, np.int64)
    of_hands = np.zeros((len(deals), 4), np.int64)
    of_leads = np.zeros((len(deals), 28, 3), np.int64)
    load_trump(room, follows, wins, groups, switches)
    for deal in range(len(deals)):
        load_hands(room, deals[deal], no_table, leaders[deal], ranks)
        claims(room, leaders[deal], ranks, of_hands[deal], of_leads[deal])
    return of_hands, of_leads


class Truth:
    """Random endings under each call, worth what a search without bounds says."""

    def __init__(self, tricks, count):
        self.is_short = tricks <= 3
        self.cases = []
        for number, (trump, doubles) in enumerate(GAMES):
            deals = endings(count, tricks, seed=1000 * tricks + number)
            leaders = np.arange(count) % 4
            arrays = stacked([trump], Rules(doubles=doubles))
            values = solve_block(deals, *arrays, leaders.reshape(-1, 1), 0, 0)[0][:, 0, 0]
            none, zero = np.full((count, 3), -1), np.zeros(count, dtype=np.int64)
            after = play_block(deals, none, leaders, leaders % 2, zero, *arrays, 0)[0][:, 0]
            self.cases.append((trump, deals, leaders, [a[0] for a in arrays], values, after))

    def claims(self, switches):
        for trump, deals, leaders, arrays, values, after in self.cases:
            yield trump, values, after, *all_claims(deals, leaders, *arrays, switches)


@pytest.fixture(scope="module", params=[(2, 3000), (3, 3000), (4, 600), (5, 60)], ids=str)
def truth(request):
    return Truth(*request.param)


@pytest.mark.parametrize("claim", [RUN, WITH_PARTNER])
def test_sure_runs_are_sure(truth, claim):
    met = told = 0
    for _, values, _, of_hands, _ in truth.claims(bounds.ALL_BOUNDS):
        points = of_hands[:, claim]
        assert (points <= values).all()
        met += ((points == values) & (points > 0)).sum()
        told += (points > 0).sum()
    assert told > 0
    assert met > 0.2 * told or not truth.is_short


def test_partners_trumps_make_runs_longer(truth):
    longer = sum(
        (of_hands[:, WITH_PARTNER] > of_hands[:, RUN]).sum()
        for _, _, _, of_hands, _ in truth.claims(bounds.ALL_BOUNDS)
    )
    assert longer > 0


def test_top_trumps_take_what_they_say(truth):
    for trump, values, _, of_hands, _ in truth.claims(bounds.ALL_BOUNDS):
        tops, left = of_hands[:, TOPS], of_hands[:, LEFT]
        assert (tops <= values).all()
        assert (values <= left + np.minimum(tops, 0)).all()
        if trump == Trump.FOLLOW_ME:
            assert (tops == 0).all()
        else:
            assert (tops > 0).any()
            assert (tops < 0).any()
            assert not truth.is_short or ((tops == values) & (tops > 0)).any()


TRICKS_WON = {
    "leader": bounds.SURE_TRICK,
    "leader-run": bounds.SURE_TRICK | bounds.RUN_AFTER,
    "leader-run-partner": bounds.SURE_TRICK | bounds.RUN_AFTER | bounds.PARTNER_TRUMPS,
    "partner": bounds.PARTNER_TRICK,
    "partner-run": bounds.PARTNER_TRICK | bounds.RUN_AFTER,
    "partner-run-leader": bounds.PARTNER_TRICK | bounds.RUN_AFTER | bounds.PARTNER_TRUMPS,
    "all": bounds.ALL_BOUNDS,
}


@pytest.mark.parametrize("switches", TRICKS_WON.values(), ids=TRICKS_WON)
def test_won_tricks_are_won(truth, switches):
    met = 0
    for _, _, after, _, of_leads in truth.claims(switches):
        won = of_leads[:, :, WON]
        assert (won <= after).all()
        met += ((won == after) & (won > 0)).sum()
    assert met > 0 or not truth.is_short


def test_each_kind_of_won_trick_says_more_than_the_last(truth):
    totals = [
        sum(of_leads[:, :, WON].clip(0).sum() for *_, of_leads in truth.claims(switches))
        for switches in TRICKS_WON.values()
    ]
    assert totals[0] < totals[1] < totals[2]
    assert totals[3] < totals[4] < totals[5]
    assert totals[6] > max(totals[2], totals[5])


def test_lost_tricks_are_lost(truth):
    met = 0
    for _, _, after, of_hands, of_leads in truth.claims(bounds.LOST_TRICK):
        most = of_hands[:, LEFT, np.newaxis] - of_leads[:, :, LOST]
        told = of_leads[:, :, LOST] > 0
        assert (after[told] <= most[told]).all()
        met += (after[told] == most[told]).sum()
    assert met > 0 or not truth.is_short


def test_equal_trumps_are_equal(truth):
    found = 0
    for _, _, after, _, of_leads in truth.claims(bounds.ALL_BOUNDS):
        deal, tile = np.nonzero(of_leads[:, :, EQUAL] > 0)
        assert (after[deal, tile] == after[deal, of_leads[deal, tile, EQUAL]]).all()
        found += len(deal)
    assert found > 0


@pytest.mark.parametrize("bound", [1 << place for place in range(8)])
def test_no_bound_changes_a_value(bound):
    arrays = stacked(Trump)
    for tricks, count in ((3, 700), (5, 500), (7, 12)):
        deals = endings(count, tricks, seed=bound + tricks)
        leaders = np.arange(count).reshape(-1, 1) % 4
        points, plies = solve_block(deals, *arrays, leaders, 0, bounds.ALL_BOUNDS)
        without, more = solve_block(deals, *arrays, leaders, 0, bounds.ALL_BOUNDS & ~bound)
        assert (without == points).all()
        assert more.sum() > plies.sum()


@pytest.mark.parametrize("doubles", ["low", "own_suit"])
def test_no_bound_changes_a_value_in_follow_me(doubles):
    deals = endings(3000, 4, seed=9)
    arrays = stacked([Trump.FOLLOW_ME], Rules(doubles=doubles))
    leaders = np.tile(np.arange(4), (len(deals), 1))
    points = solve_block(deals, *arrays, leaders, 0, bounds.ALL_BOUNDS)[0]
    assert (solve_block(deals, *arrays, leaders, 0, 0)[0] == points).all()
