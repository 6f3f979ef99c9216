"""A hand and a match from the shake to the end: T3, T4, R1, S1 to S3, undo, records, drawing."""

import pickle
import xml.etree.ElementTree as ET
from dataclasses import replace

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_lookups import CALLS
from test_records import DEALS
from test_rules import ALL_RULES

from sim42 import Deal, Game, Rules, Trump
from sim42.errors import IllegalBid, IllegalPlay, NotationError, RequestError, TileError
from sim42.game.records import Result, format_record, parse_record
from sim42.game.rules import PASS, Contract
from sim42.game.tiles import ENDS, SEATS, tiles_of

DEAL = Deal(
    "6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
)
ONE_BID = ("30", "pass", "pass", "pass")


def started(bids=ONE_BID, trump="sixes", **options):
    """The declarer, seat 0, is to lead."""
    return Game(DEAL, shaker=3, rules=Rules(**options), bids=bids, trump=trump)


def played_out(game, choose=lambda tiles: tiles[-1]):
    while game.phase == "play":
        game = game.play(choose(game.legal_plays))
    return game


@st.composite
def games(draw):
    """A game under any rules after some legal bids, call and plays."""
    deal, shaker, rules = draw(DEALS), draw(st.sampled_from(SEATS)), draw(ALL_RULES)
    score = draw(st.sampled_from([(0, 0), (rules.match_marks - 1, 0)]))
    if rules.scoring == "points":
        score = draw(st.sampled_from([(0, 0), (249, 200)]))
    game = Game(deal, shaker, score=score, rules=rules)
    for _ in range(draw(st.integers(0, 34))):
        game = draw(moved(game))
    return game


def moved(game):
    """Any game after this one."""
    if game.phase == "bid":
        return st.sampled_from(game.legal_bids).map(game.bid)
    if game.phase == "call":
        return st.sampled_from(Trump).map(game.call)
    if game.phase == "play":
        return st.sampled_from(game.legal_plays).map(game.play)
    return st.just(game)


def test_T3_a_deal_is_seven_tiles_a_seat():
    with pytest.raises(TileError):
        Game("6-6 / 5-5 / 4-4 / 3-3")
    with pytest.raises(RequestError, match="shaker 4: not a whole number from 0 to 3"):
        Game(DEAL, shaker=4)


def test_T4_the_shake_moves_to_the_left():
    game = Game(DEAL, shaker=3).bid("pass").bid("pass").bid("pass").bid("pass")
    assert (game.phase, game.turn, game.contract, game.result) == ("over", None, None, None)
    following = game.next_hand(DEAL)
    assert (following.shaker, following.auction.first, following.score) == (0, 1, (0, 0))


def test_R1_the_winner_of_the_auction_calls_any_trump():
    game = Game(DEAL, shaker=1, bids=("pass", "31", "pass", "1 mark"))
    assert (game.phase, game.turn) == ("call", 1)
    for trump in Trump:
        called = game.call(str(trump))
        assert (called.trump, called.phase, called.turn) == (trump, "play", 1)


def test_R1_calls_out_of_time():
    with pytest.raises(IllegalBid, match="R1: no trump can be called now; seat 0 is to bid"):
        Game(DEAL, shaker=3).call("sixes")
    with pytest.raises(
        IllegalBid, match="R1: no trump can be called now; seat 0 is to play; legal"
    ):
        started().call("sixes")
    with pytest.raises(IllegalBid, match=r"A4: no .* now; the hand is over, all passed"):
        Game(DEAL, bids=("pass",) * 4, trump="sixes")


def test_R7_the_declarer_leads_any_tile():
    game = Game(DEAL, shaker=3, bids=("pass", "pass", "84", "pass"), trump="threes")
    assert game.turn == 2
    assert game.legal_plays == tuple(reversed(list(DEAL.hands[2])))


def test_plays_out_of_time():
    with pytest.raises(IllegalPlay, match="R1: no tile can be played now; seat 0 is to bid"):
        Game(DEAL, shaker=3).play("6-6")
    with pytest.raises(IllegalPlay, match="R1: no tile can be played now; seat 0 is to call trump"):
        Game(DEAL, shaker=3, bids=ONE_BID).play("6-6")
    with pytest.raises(IllegalPlay, match="S1: no tile can be played now; the hand is over"):
        played_out(started()).play("0-0")
    with pytest.raises(IllegalPlay, match=r"A4: no .* now; the hand is over, all passed$"):
        Game(DEAL, bids=("pass",) * 4).play("6-6")
    with pytest.raises(IllegalBid, match="A1: the auction is over"):
        started().bid("31")
    for tile in (28, -1):
        with pytest.raises(NotationError, match="a tile is text, as 6-4, or an id, 0 to 27"):
            started().play(tile)


def test_S1_play_stops_when_decided_and_play_out_changes_nothing_else():
    stopped, full = played_out(started()), played_out(started(play_out=True))
    assert len(stopped.plays) < 28 == len(full.plays)
    assert full.plays[: len(stopped.plays)] == stopped.plays
    assert sum(full.points) == 42
    assert stopped.result.score == full.result.score == (1, 0)
    with pytest.raises(IllegalPlay, match=f"^play {len(stopped.plays) + 1}: S1: no tile"):
        Game(DEAL, 3, bids=ONE_BID, trump="sixes", plays=full.plays[: len(stopped.plays)] * 2)


@given(game=games(), choices=st.lists(st.integers(0, 6), min_size=28, max_size=28))
def test_S1_whatever_is_played_the_outcome_does_not_depend_on_stopping(game, choices):
    while game.phase == "bid":
        game = game.bid(game.legal_bids[-1])
    if game.phase == "call":
        game = game.call(Trump.FIVES)
    if game.contract is None:
        return
    rules = replace(game.rules, play_out=True)
    full = Game(
        game.deal,
        game.shaker,
        score=game.score,
        rules=rules,
        bids=game.bids,
        trump=game.trump,
        plays=game.plays,
    )
    for choice in choices:
        tiles = full.legal_plays
        if not tiles:
            break
        tile = tiles[choice % len(tiles)]
        full = full.play(tile)
        game = game.play(tile) if game.phase == "play" else game
        assert sum(trick.points for trick in full.done) == sum(full.points)
    assert game.phase == full.phase == "over"
    assert sum(full.points) == 42
    assert game.result.made == full.result.made
    assert game.result.score == full.result.score
    assert game.match_winner == full.match_winner


def test_S2_marks_to_the_end_of_a_match():
    game = started(bids=("42", "pass", "pass", "pass"))
    shakers, scores = [], []
    while True:
        game = played_out(game) if game.phase == "play" else game
        shakers.append(game.shaker)
        scores.append(game.score_after)
        if game.match_winner is not None:
            break
        game = game.next_hand(DEAL)
        # Seat 0 outbids whoever spoke before, and no one else bids.
        while game.phase == "bid":
            game = game.bid("42" if game.turn == 0 else PASS)
        game = game.call("sixes")
    assert shakers == [3, 0, 1, 2, 3, 0, 1]
    assert scores == [(n, 0) for n in range(1, 8)]
    assert game.match_winner == 0
    with pytest.raises(RequestError, match="no next hand: the match is over, 7 to 0"):
        game.next_hand(DEAL)


def test_S2_marks_may_go_past_the_match():
    game = Game(DEAL, 3, score=(6, 3), bids=("84", "pass", "pass", "pass"), trump="sixes").claim()
    assert (game.score_after, game.match_winner) == ((8, 3), 0)
    assert started(match_marks=1).match_winner is None
    assert played_out(started(match_marks=1)).match_winner == 0


def test_S2_no_hand_after_the_match():
    for score, rules in (((7, 0), Rules()), ((0, 250), Rules.points250()), ((-1, 0), Rules())):
        with pytest.raises(RequestError, match="not one in a match that still goes on"):
            Game(DEAL, score=score, rules=rules)
    Game(DEAL, score=(7, 0), rules=Rules(match_marks=8))
    with pytest.raises(RequestError, match="no next hand yet; seat 1 is to bid"):
        Game(DEAL).next_hand(DEAL)


def test_S3_points_game():
    game = played_out(started(scoring="points"))
    assert len(game.plays) == 28
    assert game.result == Result(True, game.points, game.points)
    assert game.score_after == game.points


def test_S3_the_declarers_side_wins_when_both_get_there():
    game = Game(DEAL, 3, score=(214, 245), rules=Rules.points250(), bids=ONE_BID, trump="threes")
    assert game.match_winner is None
    game = played_out(game, choose=lambda tiles: tiles[0])
    assert game.score_after == (250, 251)
    assert game.match_winner == 0


def test_A4_dealer_30():
    game = Game(DEAL, 3, rules=Rules.family(), bids=("pass", "pass", "pass"))
    with pytest.raises(IllegalBid, match="A4"):
        game.bid("pass")
    assert game.bid("30").contract == Contract(3, 30)


def test_claims():
    game = started(bids=("84", "pass", "pass", "pass"))
    claimed = game.claim()
    assert claimed.result == Result(True, (42, 0), (2, 0))
    assert claimed.undo() == game
    assert claimed.phase == "over"
    weak = Game(DEAL, 2, bids=("30", "pass", "pass", "pass"), trump="blanks")
    with pytest.raises(IllegalPlay, match="R7: seat 3 is not certain to win every trick left; "):
        weak.claim()


def test_claims_out_of_time():
    only = "only a seat that is to lead may claim; "
    with pytest.raises(IllegalPlay, match=f"R7: {only}seat 1 is to play; legal: "):
        started().play("6-6").claim()
    with pytest.raises(IllegalPlay, match=f"claim: R7: {only}seat 0 is to call trump"):
        Game(DEAL, 3, bids=ONE_BID, claim=True)
    with pytest.raises(IllegalPlay, match=f"S1: {only}the hand is over, decided"):
        started().claim().claim()


@given(deal=DEALS, call=st.sampled_from(CALLS), data=st.data())
def test_claims_in_the_last_tricks_against_naive(deal, call, data):
    trump, doubles = call
    rules = Rules(doubles=doubles, play_out=True)
    game = Game(deal, 3, rules=rules, bids=ONE_BID, trump=trump)
    for _ in range(4 * data.draw(st.sampled_from([5, 6]))):
        game = data.draw(moved(game))
    mask = game.hands[game.turn]
    hand, unseen = ([ENDS[t] for t in tiles_of(m)] for m in (mask, sum(game.hands) - mask))
    shown = [[], [], []]
    for trick in game.done:
        tiles = [ENDS[tile] for tile in trick.tiles]
        suit = naive.suit_led(tiles[0], trump, doubles)
        for place, tile in enumerate(tiles):
            if not naive.follows(tile, suit, trump, doubles) and trick.seat_of(place) != game.turn:
                shown[(trick.seat_of(place) - game.turn) % 4 - 1].append(suit)
    assert game.can_claim == naive.claim_is_good(hand, unseen, trump, doubles, shown)
    if game.can_claim:
        ends = [played_out(game.play(tile)).points for tile in game.legal_plays]
        assert game.claim().points in ends


@given(game=games())
def test_repr_records_and_pickles_rebuild_a_game(game):
    assert eval(repr(game)) == game
    assert hash(eval(repr(game))) == hash(game)
    line = format_record(game.record())
    assert Game.from_record(parse_record(line)) == game
    assert format_record(Game.from_record(parse_record(line)).record()) == line
    assert pickle.loads(pickle.dumps(game)) == game


@given(game=games(), data=st.data())
def test_undo_is_exact_and_games_never_change(game, data):
    before = repr(game)
    after = data.draw(moved(game))
    if after is not game:
        assert after != game
        assert after.undo() == game
    assert repr(game) == before
    steps = 0
    while game.bids:
        game, steps = game.undo(), steps + 1
    assert game == Game(game.deal, game.shaker, score=game.score, rules=game.rules)
    with pytest.raises(RequestError, match="nothing to undo"):
        game.undo()


@given(game=games())
def test_a_game_never_allows_what_is_not_listed(game):
    for bid in {PASS, 30, 42, 84, 29, 252} - set(game.legal_bids):
        with pytest.raises(IllegalBid):
            game.bid(bid)
    for tile in set(range(28)) - set(game.legal_plays):
        with pytest.raises(IllegalPlay):
            game.play(tile)
    if game.phase != "call":
        with pytest.raises(IllegalBid):
            game.call(0)
    assert (game.turn is None) == (game.phase == "over")


@given(game=games())
def test_words_and_drawings_of_any_game(game):
    text, drawing = str(game), game._repr_html_()
    assert "None" not in text
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("Rules:"))
    ET.fromstring(drawing.replace("<br>", "<br/>"))


def test_a_game_in_words():
    game = started(bids=("84", "pass", "pass", "pass")).play("6-6").play("4-2").play("6-0")
    assert str(game) == (
        "Seat 3 shakes; the score is 0 to 0.\n"
        "\n"
        "  seat 0  6-6 6-5 6-4 6-3 6-2 5-5 4-4\n"
        "  seat 1  5-4 5-3 5-2 5-1 5-0 4-3 4-2\n"
        "  seat 2  6-1 6-0 4-1 4-0 3-3 3-2 3-1\n"
        "  seat 3  3-0 2-2 2-1 2-0 1-1 1-0 0-0\n"
        "\n"
        "Bids: seat 0 84 (2 marks), seat 1 pass, seat 2 pass, seat 3 pass.\n"
        "Seat 0 plays 84 (2 marks), trump sixes.\n"
        "\n"
        "trick  seat and tile played              won by  points  seats 0, 2  seats 1, 3\n"
        "    1  0 6-6   1 4-2   2 6-0\n"
        "\n"
        "Seat 3 is to play: 3-0 2-2 2-1 2-0 1-1 1-0 0-0."
    )
    assert "seat 0 wins, 1 to 0" in game.play("0-0")._repr_html_()


def test_records_that_the_rules_refuse():
    record = started().play("6-6").record()
    with pytest.raises(NotationError, match="deal: missing"):
        Game.from_record(replace(record, deal=None))
    with pytest.raises(NotationError, match="shaker: missing"):
        Game.from_record(replace(record, shaker=None))
    with pytest.raises(
        IllegalBid, match=r"^bid 3: A1: 30 is not above 31; legal: pass, 32 to 41, 42"
    ):
        Game.from_record(replace(record, bids=(30, 31, 30, 0)))
    with pytest.raises(
        IllegalBid, match=r"^trump: R1: no trump can be called now; seat 2 is to bid"
    ):
        Game.from_record(replace(record, bids=(30, 31)))
    with pytest.raises(
        IllegalPlay, match=r"^play 2: T3: seat 1 is to play, and 6-5 is in seat 0's"
    ):
        Game.from_record(replace(record, plays=(27, 26)))
    with pytest.raises(
        IllegalPlay, match=r"^play 1: R1: no tile can be played now; seat 0 is to ca"
    ):
        Game.from_record(replace(record, trump=None))
    wrong = Result(False, (0, 42), (0, 1))
    with pytest.raises(NotationError, match=r"^result: S1: set, points 0 to 42, .* no play stops"):
        Game.from_record(replace(record, plays=played_out(started()).plays[:12], result=wrong))
    with pytest.raises(NotationError, match=r"^result: T2: .*; the hand gives made, points"):
        Game.from_record(replace(record, plays=played_out(started()).plays, result=wrong))


@pytest.mark.parametrize(
    ("bids", "result", "fits"),
    [
        ((30,), Result(True, (30, 12), (1, 0)), True),
        # Three seats are left to raise: to four marks at most.
        ((30,), Result(False, (1, 0), (4, 0)), True),
        ((30,), Result(False, (1, 0), (5, 0)), False),
        ((), Result(False, (1, 0), (5, 0)), True),
        # No one but seats 1 and 3 can have the contract.
        ((PASS, 84, PASS), Result(False, (1, 0), (3, 0)), True),
        ((PASS, 84, PASS), Result(False, (0, 1), (0, 2)), False),
        ((PASS,) * 4, Result(True, (30, 12), (1, 0)), False),
    ],
)
def test_a_result_told_early_must_be_one_that_the_auction_can_come_to(bids, result, fits):
    record = replace(Game(DEAL, 3).record(), bids=bids, result=result)
    if fits:
        assert Game.from_record(record).bids == bids
    else:
        with pytest.raises(
            NotationError, match=r"^result: .*(no contract of these bids|all passed)"
        ):
            Game.from_record(record)


def test_rules_of_a_record_go_before_those_given():
    record = Game(DEAL, 3, rules=Rules.family()).record()
    assert Game.from_record(record, Rules.points250()).rules == Rules.family()
    assert Game.from_record(Game(DEAL, 3).record(), Rules.family()).rules == Rules()
    record = replace(record, rules=None)
    assert Game.from_record(record, Rules.points250()).rules == Rules.points250()
