"""What players do not do, each shown by a small position; strategy fusion is in test_alphamu."""

from dataclasses import replace

import numpy as np
import pytest
from test_players import played

from sim42 import Deal
from sim42.cli import main
from sim42.game.rules import PASS, Contract
from sim42.game.tiles import mask_of, parse_tile, parse_tiles
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.game.views import view_of
from sim42.play.bids import PULLS, chances, fit_of_bids
from sim42.play.names import find_player
from sim42.play.pimc import layouts_of
from sim42.play.players import Draw

SIXES_30 = Contract(declarer=0, bid=30)
BIDS = ((0, 30), (1, PASS), (2, PASS), (3, PASS))
DEAL = Deal(
    "6-6 6-5 6-4 6-3 4-2 3-1 2-0 / 6-2 5-4 4-3 3-2 2-1 1-0 0-0 /"
    "5-5 5-3 5-2 5-1 4-4 4-1 4-0 / 6-1 6-0 5-0 3-3 3-0 2-2 1-1"
)


def seen_after(plays, bids=()):
    tricks = Tricks(Trump.SIXES, "high", DEAL.masks, 0)
    for tile in parse_tiles(plays):
        tricks = tricks.play(tile)
    return view_of(tricks, SIXES_30, bids)


@pytest.mark.parametrize("name", ["pimc:40", "pimc:40+bids", "alphamu:40,2"])
def test_no_signalling(name):
    """The partner has no six, and throws the 5-5, or the 4-0, to the 6-6.

    A player who signals throws count to a sure trick if it has any, so who throws the 4-0 says "I
    hold none". Here neither says anything: what the partner may hold besides is as likely.
    """
    player = find_player(name)
    held = {}
    for thrown in ("5-5", "4-0"):
        view = seen_after(f"6-6 6-2 {thrown} 6-1", BIDS)
        layouts = layouts_of(view, Draw(1, 0, 4), 4000, player.weigh)
        # Count that the seat cannot see, less the two tiles in question.
        rest = [parse_tile(tile) for tile in ("5-0", "4-1", "3-2")]
        held[thrown] = np.mean([layouts[:, 2] >> tile & 1 for tile in rest])
    assert abs(held["5-5"] - held["4-0"]) < 0.02
    assert abs(held["4-0"] - 6 / 17) < 0.06  # six of the partner's, of 17 tiles that are no six


@pytest.mark.parametrize("name", ["club", "pimc:6", "alphamu:6,2"])
def test_no_inference_from_bids(name):
    """They play the same, whatever was bid before the contract."""
    player = find_player(name)
    raised = ((1, 31), (2, PASS), (3, 32), (0, 30))
    for seed, plays in enumerate((1, 6, 11, 17)):
        view = view_of(played(seed, Trump.SIXES, plays), SIXES_30)
        draw = Draw(1, seed, plays)
        chosen = {player.choose(replace(view, bids=bids), draw) for bids in ((), BIDS, raised)}
        assert len(chosen) == 1


def test_bids_are_inferred_from_when_asked_for():
    """Seat 1, after the 6-4 is led, asks who holds the sixes: the declarer, more likely."""
    view = seen_after("6-4", BIDS)
    draw = Draw(1, 0, 1)
    inferring = find_player("pimc:20+bids")
    plain = layouts_of(view, draw, 2000)
    weighed = layouts_of(view, draw, 2000, inferring.weigh)
    six = parse_tile("6-6")
    shares = [np.mean(layouts[:, 0] >> six & 1) for layouts in (plain, weighed)]
    assert shares[0] == pytest.approx(6 / 20, abs=0.04)
    assert shares[1] > 0.6
    # As often as the weights of all that were drawn say.
    drawn = layouts_of(view, draw, 32_000)
    weights = fit_of_bids(view, drawn)
    assert shares[1] == pytest.approx(weights @ (drawn[:, 0] >> six & 1) / weights.sum(), abs=0.02)
    assert (weighed[:, 1] == view.hand).all()


def test_each_layout_is_drawn_as_often_as_its_weight_says():
    tricks = played(5, Trump.TWOS, 22)
    view = view_of(tricks, SIXES_30)
    every = layouts_of(view, Draw(1, 0, 22), 10_000)
    weights = np.arange(len(every)) % 3
    drawn = layouts_of(view, Draw(1, 0, 22), 1000, lambda _, layouts: np.arange(len(layouts)) % 3)
    times = [(drawn == row).all(axis=1).sum() for row in every]
    assert 2 < len(every) < 1000
    assert np.abs(times - 1000 * weights / weights.sum()).max() <= 1
    nothing = layouts_of(view, Draw(1, 0, 22), 1000, lambda _, layouts: np.zeros(len(layouts)))
    times = [(nothing == row).all(axis=1).sum() for row in every]
    assert max(times) - min(times) <= 1


def test_chances_of_calls_one_hand_at_a_time():
    """The pull of each trump, told tile by tile."""
    hands = [
        "6-6 6-5 6-4 6-3 5-5 4-4 1-0",
        "6-5 5-4 4-3 3-2 2-1 1-0 6-0",
        "5-5 4-4 3-3 2-2 1-1 0-0 6-5",
    ]
    for text in hands:
        tiles = [tuple(map(int, tile.split("-"))) for tile in text.split()]
        doubles = sum(high == low for high, low in tiles)
        pulls = []
        for pip in range(7):
            holds = (pip, pip) in tiles
            of_suit = sum(pip in tile for tile in tiles)
            pulls.append(PULLS[0] * of_suit + PULLS[1] * holds + PULLS[2] * (doubles - holds))
        pulls += [PULLS[3] + PULLS[4] * doubles, PULLS[5] + PULLS[6] * doubles]
        for bid, over in ((30, 0), (36, 6), (84, 12)):
            likely = np.exp([*pulls, PULLS[7] + PULLS[8] * over])
            mask = np.array([mask_of(parse_tiles(text))])
            assert chances(mask, bid)[0] == pytest.approx(likely / likely.sum())


def test_infer_bids_is_a_name_with_bids(runner):
    words = ["arena", "pimc:2", "club", "--deals", "6", "--seed", "2", "--format", "json"]
    inferred = runner.invoke(main, [*words, "--infer", "bids"])
    named = runner.invoke(main, ["arena", "pimc:2+bids", *words[2:]])
    assert inferred.exit_code == 0
    assert inferred.stdout == named.stdout
    assert '"pimc:2+bids"' in inferred.stdout
    refused = runner.invoke(main, ["arena", "club", "random", "--infer", "bids"])
    assert refused.exit_code == 2
    assert "draw layouts" in refused.stderr


@pytest.fixture
def runner():
    from click.testing import CliRunner

    return CliRunner()
