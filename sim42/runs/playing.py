"""How often players who see only their own hand make a bid, beside what all hands seen would make.

A bid decides when a hand is over and what both sides want, so each bid is a game of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given
from sim42.errors import RequestError, shown
from sim42.game.rules import AnyRules, Contract, Rules
from sim42.game.score import is_made
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.play.arena import AnyPlayer, play_deals
from sim42.play.names import find_player
from sim42.runs.sample import BIDS, FLOOR, asked, dealt
from sim42.solver.threads import Progress, reporter
from sim42.solver.values import solve_many

PLAYED_BIDS: Final = (30, 31, 35, 42)
"""The bids that are played when none are named."""


@dataclass(frozen=True)
class Playing:
    """Who plays, and which bids.

    Parameters
    ----------
    player : str
        Name of the player (`sim42.play.names.find_player`) of the declarer's side.
    others : str, optional
        That of the defenders; the same when None.
    bids : sequence of int
        30 to 42, each once.

    Raises
    ------
    RequestError
        When there is no such player or bid.

    >>> Playing("pimc:20", bids=[42, 30])
    Playing(player='pimc:20', others='pimc:20', bids=(30, 42))
    """

    player: str
    others: str | None = None
    bids: Sequence[int] = PLAYED_BIDS

    def __post_init__(self) -> None:
        object.__setattr__(self, "others", self.others or self.player)
        bids = sorted(set(BIDS) & {*self.bids}) if isinstance(self.bids, list | tuple) else []
        if not bids or len(bids) < len(self.bids):
            raise RequestError(f"bids {shown(self.bids)}: some of {BIDS[0]} to {BIDS[-1]}, once")
        object.__setattr__(self, "bids", tuple(bids))
        self.seats()

    def seats(self) -> list[AnyPlayer]:
        """The players of seats 0 to 3."""
        player, others = (find_player(str(name)) for name in (self.player, self.others))
        return [player, others] * 2

    def as_dict(self) -> dict[str, Any]:
        """It as plain values."""
        return {"player": self.player, "others": self.others, "bids": list(self.bids)}


def play_bids(
    deals: NDArray[np.int64],
    trump: Trump,
    playing: Playing,
    seed: int,
    first: int = 0,
    rules: AnyRules = None,
    threads: int | None = None,
    each: Callable[[], object] | None = None,
) -> NDArray[np.int64]:
    """Count deals by what becomes of each bid when all hands are seen, and when it is played.

    Parameters
    ----------
    deals : int64 (n, 4)
        Mask of each seat's tiles; seat 0 declares and leads.
    trump, playing
        What it names; who plays which bids.
    seed, first, rules, threads
        As for `sim42.play.arena.play_deals`.
    each : callable, optional
        Called after each hand played.

    Returns
    -------
    int64 (bids, 2, 2)
        For each bid, deals by whether it makes double dummy (0 or 1), and whether it was made.

    >>> from sim42.deals.random import random_deals
    >>> counts = play_bids(random_deals(9, 1), Trump.SIXES, Playing("double-dummy"), 1)
    >>> int(counts[:, 0, 1].sum() + counts[:, 1, 0].sum())  # who sees all makes what can be made
    0
    """
    seen = solve_many(deals, [trump], 0, FLOOR, threads, rules)[:, 0]
    seats = playing.seats()
    counts = np.zeros((len(playing.bids), 2, 2), dtype=np.int64)
    for place, bid in enumerate(playing.bids):
        contract = Contract(0, bid)
        played = play_deals(deals, [trump] * len(deals), bid, seats, seed, first, rules, threads)
        for points, tricks in zip(seen, played, strict=True):
            counts[place, int(points >= bid), int(is_made(contract, tricks.points))] += 1
            if each is not None:
                each()
    return counts


@dataclass(frozen=True, eq=False)
class PlayedSample:
    """What became of the bids of a hand, with some trumps.

    Attributes
    ----------
    hand, seed, rules, given
        As of `sim42.runs.sample.HandSample`.
    trumps : tuple of Trump
        The trumps played, each on the same deals.
    playing : Playing
        Who played which bids.
    counts : int64 (trumps, bids, 2, 2)
        Deals by whether the bid makes double dummy, and whether it was made.
    """

    hand: Hand
    trumps: tuple[Trump, ...]
    playing: Playing
    seed: int
    rules: Rules
    given: Given | None
    counts: NDArray[np.int64]

    @property
    def deals(self) -> int:
        """How many deals were played with each trump and bid."""
        return int(self.counts[0, 0].sum())


def play_sample(
    hand: Hand | str,
    trumps: Sequence[Trump],
    playing: Playing,
    deals: int = 1000,
    seed: int = 42,
    rules: AnyRules = None,
    threads: int | None = None,
    progress: Progress | bool = False,
    given: Given | str | None = None,
) -> PlayedSample:
    """Play random deals around a hand: those of `sim42.runs.sample.sample_hand`, each bid anew.

    Parameters
    ----------
    hand, deals, seed, rules, threads, given
        As for `sim42.runs.sample.sample_hand`.
    trumps : sequence of Trump
        What the declarer names.
    playing : Playing
        Who plays which bids.
    progress : callable or bool
        Called with the games done and their number; True shows a bar.

    Raises
    ------
    NotationError, RequestError
        As for `sim42.runs.sample.sample_hand`.
    IllegalPlay
        When a player plays what may not be played.

    >>> played = play_sample("6-6 6-5 6-4 6-3 6-2 6-1 6-0", [Trump.SIXES], Playing("random"), 20)
    >>> played.counts[0, -1].tolist()  # nobody can lose a trick with it
    [[0, 0], [0, 20]]
    """
    question = asked(hand, deals, seed, trumps, rules, given)
    counts = np.zeros((len(question.trumps), len(playing.bids), 2, 2), dtype=np.int64)
    done, total = 0, question.deals * counts[..., 0, 0].size
    with reporter(progress, total, "game") as report:

        def each() -> None:
            nonlocal done
            done += 1
            report(done)

        for start, piece, _ in dealt(question, threads, False):
            for place, trump in enumerate(question.trumps):
                counts[place] += play_bids(
                    piece, trump, playing, question.seed, start, question.rules, threads, each
                )
    return PlayedSample(
        question.hand,
        question.trumps,
        playing,
        question.seed,
        question.rules,
        question.given,
        counts,
    )
