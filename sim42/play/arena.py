"""Two players on the same deals and contracts, each side declaring in turn."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.errors import RequestError
from sim42.game.rules import Contract, Rules
from sim42.game.score import is_made
from sim42.game.trumps import Trump
from sim42.play.players import Player, SeeingPlayer
from sim42.play.table import play_hand

CHUNK: Final = 16
"""Deals between two looks at the world."""


@dataclass(frozen=True)
class Match:
    """What two players made of the same deals.

    Attributes
    ----------
    made : bool (deals, 2)
        Whether the contract was made with the first player's side declaring, the second's
        defending; and the reverse.
    points : int8 (deals, 2)
        Points that the declarer's side had when play stopped.
    """

    made: NDArray[np.bool_]
    points: NDArray[np.int8]


def play_deals(
    deals: NDArray[np.int64],
    trumps: Sequence[Trump],
    bid: int,
    players: Sequence[Player | SeeingPlayer],
    seed: int,
    first: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.int8]:
    """Points of the declarer's side, seats 0 and 2, in each deal, as far as it was played.

    Parameters
    ----------
    deals : int64 (n, 4)
        Mask of each seat's tiles; seat 0 declares and leads.
    trumps : sequence of n Trump
        What it names in each deal.
    bid : int
        The contract.
    players : four players
        Who decides for seats 0 to 3.
    seed, first : int
        What the players' chance depends on, and the number of the first deal.
    rules, threads, progress
        Options of the game; threads, one a core when None; called with the deals just done.

    Returns
    -------
    int8 (n,)

    >>> from sim42.deals.random import random_deals
    >>> from sim42.play.names import find_player
    >>> deals = random_deals(4, seed=1)
    >>> players = [find_player("club")] * 4
    >>> play_deals(deals, [Trump.FIVES] * 4, 30, players, seed=1).shape
    (4,)
    """
    if len(players) != 4 or len(trumps) != len(deals):
        raise RequestError("play: four players, and a trump for each deal")
    contract, rules = Contract(0, bid), rules or Rules()
    points = np.empty(len(deals), dtype=np.int8)

    def run(start: int) -> int:
        rows = range(start, min(start + CHUNK, len(deals)))
        for row in rows:
            a, b, c, d = deals[row].tolist()
            end = play_hand((a, b, c, d), trumps[row], contract, players, seed, first + row, rules)
            points[row] = end.points[contract.side]
        return len(rows)

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            for done in pool.map(run, range(0, len(deals), CHUNK)):
                if progress is not None:
                    progress(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return points


def meet(
    first: Player | SeeingPlayer,
    second: Player | SeeingPlayer,
    deals: NDArray[np.int64],
    trumps: Sequence[Trump],
    bid: int,
    seed: int,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Match:
    """Play every deal twice, with the sides exchanged.

    >>> from sim42.deals.random import random_deals
    >>> from sim42.play.names import find_player
    >>> deals = random_deals(20, seed=1)
    >>> match = meet(find_player("club"), find_player("random"), deals, [Trump.SIXES] * 20, 30, 1)
    >>> match.made.shape
    (20, 2)
    """
    contract = Contract(0, bid)
    columns = [
        play_deals(deals, trumps, bid, [one, other] * 2, seed, 0, rules, threads, progress)
        for one, other in ((first, second), (second, first))
    ]
    points = np.stack(columns, axis=1)
    made = np.array([[is_made(contract, (int(p), 0)) for p in row] for row in points], dtype=bool)
    return Match(made.reshape(-1, 2), points)
