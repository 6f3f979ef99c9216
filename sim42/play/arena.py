"""Many hands played by the same four players, and two players against each other."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.random import random_deals
from sim42.errors import RequestError
from sim42.game.rules import AnyRules, Contract, Rules
from sim42.game.score import is_made
from sim42.game.tiles import ENDS, Masks, tiles_of
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.play.names import find_player
from sim42.play.players import Player, SeeingPlayer
from sim42.play.table import play_hand
from sim42.solver.warm import compiles

CHUNK: Final = 16
"""Deals that a thread plays between two looks at the world."""

AnyPlayer = Player | SeeingPlayer


def _first_hand() -> None:
    deal = random_deals(1, 1)
    for name in ("pimc:1", "alphamu:2,2", "double-dummy"):
        for _ in play_deals(deal, [Trump.SIXES], 30, [find_player(name)] * 4, 1, threads=1):
            pass


@compiles(_first_hand)
def play_deals(
    deals: NDArray[np.int64],
    trumps: Sequence[Trump],
    bid: int,
    players: Sequence[AnyPlayer],
    seed: int,
    first: int = 0,
    rules: AnyRules = None,
    threads: int | None = None,
) -> Iterator[Tricks]:
    """Play deals, each to its end or to where the contract is decided (S1).

    Parameters
    ----------
    deals : int64 (n, 4)
        Mask of each seat's tiles; seat 0 declares and leads.
    trumps : sequence of n Trump
        What it names in each deal.
    bid : int
        The contract.
    players : sequence of four players
        Who decides for seats 0 to 3.
    seed, first : int
        What the players' chance depends on, and the number of the first deal.
    rules, threads
        Options of the game; threads, one a core when None.

    Yields
    ------
    Tricks
        The play of each deal, in their order, whatever the threads.

    Raises
    ------
    RequestError
        When there are not four players, and a trump for each deal.
    IllegalPlay
        When a player plays what may not be played.

    >>> from sim42.deals.random import random_deals
    >>> deals = random_deals(4, seed=1)
    >>> played = play_deals(deals, [Trump.FIVES] * 4, 30, [find_player("club")] * 4, seed=1)
    >>> [max(tricks.points) > 12 for tricks in played]
    [True, True, True, True]
    """
    if len(players) != 4 or len(trumps) != len(deals):
        raise RequestError("play: four players, and a trump for each deal")
    contract, options = Contract(0, bid), Rules.of(rules)

    def play(start: int) -> list[Tricks]:
        return [
            play_hand(_masks(deals[n]), trumps[n], contract, players, seed, first + n, options)
            for n in range(start, min(start + CHUNK, len(deals)))
        ]

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            for played in pool.map(play, range(0, len(deals), CHUNK)):
                yield from played
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def meet(
    first: AnyPlayer,
    second: AnyPlayer,
    deals: NDArray[np.int64],
    trumps: Sequence[Trump],
    bid: int,
    seed: int,
    rules: AnyRules = None,
    threads: int | None = None,
    each: Callable[[int, Tricks], object] | None = None,
) -> NDArray[np.bool_]:
    """Whether the contract was made when one player declares and the other defends, and reversed.

    Parameters
    ----------
    first, second : players
        Each plays for both seats of its side.
    deals, trumps, bid, seed, rules, threads
        As in `play_deals`; the deals and contracts are the same for both.
    each : callable, optional
        Called with 0 or 1, who declared, and the play of each deal.

    Returns
    -------
    bool (n, 2)
        Made with the first player declaring, and with the second.

    >>> from sim42.deals.random import random_deals
    >>> deals = random_deals(20, seed=1)
    >>> meet(find_player("club"), find_player("random"), deals, [Trump.SIXES] * 20, 30, 1).shape
    (20, 2)
    """
    contract = Contract(0, bid)
    made = np.zeros((len(deals), 2), dtype=np.bool_)
    for column, players in enumerate(([first, second] * 2, [second, first] * 2)):
        played = play_deals(deals, trumps, bid, players, seed, 0, rules, threads)
        for row, tricks in enumerate(played):
            made[row, column] = is_made(contract, tricks.points)
            if each is not None:
                each(column, tricks)
    return made


def longest_suit(mask: int) -> Trump:
    """The pip of which a hand holds most tiles; of several with the double, then the highest.

    >>> from sim42 import Hand
    >>> longest_suit(Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0").mask)
    <Trump.ONES: 1>
    """
    ends = [ENDS[tile] for tile in tiles_of(mask)]
    return max(
        list(Trump)[:7],
        key=lambda trump: (sum(trump in pair for pair in ends), (trump, trump) in ends, trump),
    )


def _masks(deal: NDArray[np.int64]) -> Masks:
    a, b, c, d = deal.tolist()
    return a, b, c, d
