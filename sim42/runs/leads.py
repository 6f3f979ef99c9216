"""Plays of a player who sees one hand: the points after each, over random layouts of the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given
from sim42.deals.hidden import hidden_hands
from sim42.errors import whole
from sim42.game.rules import AnyRules, Rules
from sim42.game.state import Game
from sim42.game.tiles import MOST_POINTS, Hand, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump, choose_trumps
from sim42.runs.sample import FLOOR, MOST_DEALS, HandSample, asked, dealt
from sim42.solver.inside import play_values
from sim42.solver.positions import Positions, declarer_of, total_of, tricks_of
from sim42.solver.threads import Progress


@dataclass(frozen=True, eq=False)
class LeadSample:
    """What every play of one hand leads to in deals that agree with all that its player knows.

    After the play everyone is taken to see all hands and to play as well as can be.

    Attributes
    ----------
    mask : int
        The tiles that the player holds.
    tiles : tuple of int
        Those that may be played, highest id first.
    trumps : tuple of Trump
        The calls tried, every one on the same deals.
    seed : int
        Seed of the deals.
    rules : Rules
        Rules of play.
    defends : bool
        Whether the player's side defends.
    points : int8 (deals, trumps, tiles)
        Points of the declarer's side at the end of the hand after each play; ``floor - 1`` stands
        for all below the floor.
    floor : int
        Points below it are not told apart.
    ways : int or None
        How many layouts there are in all; None when they were not counted.
    is_all : bool
        Whether the deals are all layouts, each once, and no sample.
    plays : tuple of int
        Tiles played before, in order.
    given : Given or None
        What was known of the other hands besides.
    total : int
        Points of both sides at the end of the hand; less than 42 of an ending by itself.
    """

    mask: int
    tiles: tuple[int, ...]
    trumps: tuple[Trump, ...]
    seed: int
    rules: Rules
    defends: bool
    points: NDArray[np.int8]
    floor: int = 0
    ways: int | None = None
    is_all: bool = False
    plays: tuple[int, ...] = ()
    given: Given | None = None
    total: int = MOST_POINTS

    @property
    def deals(self) -> int:
        """How many deals were solved."""
        return len(self.points)

    @property
    def seeing(self) -> NDArray[np.int8]:
        """Points when the player, too, sees all hands before the play, int8 (deals, trumps)."""
        best: NDArray[np.int8] = (np.min if self.defends else np.max)(self.points, axis=2)
        return best

    def as_hand(self) -> HandSample:
        """The sample of the whole hand that `sim42.runs.sample.sample_hand` gives."""
        hand, floor = Hand(self.mask), self.floor and FLOOR
        return HandSample(hand, self.trumps, self.seed, self.rules, self.seeing, self.given, floor)


def sample_leads(
    hand: Hand | str,
    deals: int = 1000,
    seed: int = 42,
    trumps: Sequence[Trump] | Trump | str | None = None,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
    *,
    defends: bool = False,
    floor: int = 0,
) -> LeadSample:
    """Solve every opening lead of a hand in random deals: those of `sim42.runs.sample.sample_hand`.

    Parameters
    ----------
    hand, deals, seed, trumps, rules, threads, progress, given
        As for `sim42.runs.sample.sample_hand`.
    defends : bool
        Whether the other side is the declarer's.
    floor : int
        Points of the declarer's side below it are not told apart; faster when only bids matter.

    Raises
    ------
    NotationError, RequestError
        When trumps, deals or seed cannot be.

    >>> sample = sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=20, trumps="sixes")
    >>> sample.points.shape, int(sample.points.min())  # a lay-down, whatever is led
    ((20, 1, 7), 42)
    """
    chosen = choose_trumps([trumps] if isinstance(trumps, Trump) else trumps)
    question = asked(hand, deals, seed, chosen, rules, given)
    hand, _, seed, rules, known, deals, _ = question
    tiles = tuple(hand)
    points = np.empty((deals, len(chosen), len(tiles)), dtype=np.int8)
    for start, piece, report in dealt(question, threads, progress):
        positions = Positions(piece, side=int(defends))
        values = play_values(positions, chosen, floor, rules, threads, report)
        points[start : start + len(piece)] = values[:, :, list(tiles)]
    return LeadSample(hand.mask, tiles, chosen, seed, rules, defends, points, floor, given=known)


def sample_plays(
    game: Game | Tricks,
    deals: int = 1000,
    seed: int = 42,
    threads: int | None = None,
    progress: Progress | bool = False,
) -> LeadSample:
    """Solve every play of the seat to play in layouts that agree with all that the seat knows.

    Before the first play these are the deals of `sample_leads`.

    Parameters
    ----------
    game : Game or Tricks
        At a tile to play. Of the hidden hands only the sizes are used.
    deals : int
        How many layouts; all of them, each once, when there are no more.
    seed, threads, progress
        As for `sim42.runs.sample.sample_hand`.

    Raises
    ------
    RequestError
        When no tile is to be played, or deals or seed cannot be.

    >>> from sim42.game.tiles import parse_hands
    >>> play = Tricks(Trump.FIVES, "high", parse_hands("6-6 6-5/5-1 5-0/6-4 4-4/3-3 3-2"), 0)
    >>> sample = sample_plays(play, deals=100)
    >>> sample.deals, sample.is_all, sample.points[:, 0].mean(axis=0).round(2).tolist()
    (90, True, [11.56, 20.2])
    """
    play = tricks_of(game)
    rules = game.rules if isinstance(game, Game) else Rules(doubles=play.doubles)
    deals = whole(deals, "deals", 1, MOST_DEALS)
    declarer = declarer_of(play)
    hand, tiles = play.hands[play.turn], tuple(reversed(tiles_of(play.legal_mask)))
    defends = play.turn % 2 != declarer % 2
    if not play.plays and hand.bit_count() == 7:
        return sample_leads(
            Hand(hand), deals, seed, [play.trump], rules, threads, progress, defends=defends
        )
    hidden = hidden_hands(play, deals, seed)
    table = np.tile([*play.table, -1, -1, -1][:3], (len(hidden.hands), 1))
    side = declarer % 2
    positions = Positions(hidden.hands, table, play.leader, play.points[side], side)
    values = play_values(positions, [play.trump], 0, rules, threads, progress)
    return LeadSample(
        hand,
        tiles,
        (play.trump,),
        seed,
        rules,
        defends,
        values[:, :, list(tiles)],
        ways=hidden.ways,
        is_all=hidden.is_all,
        plays=play.plays,
        total=total_of(play),
    )
