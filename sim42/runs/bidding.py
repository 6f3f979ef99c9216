"""What a seat itself would bid: the chance of a bid with the best trump of its hand, estimated.

It is a first, honest form of "the partner has bid 30": the best of nine trumps on a few random
deals around the hand, double dummy. It knows nothing of other bids, and the best of nine looks
better on few deals than it is.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.conditions.values import Estimate
from sim42.deals.random import deals_around_hands
from sim42.game.rules import Rules
from sim42.solver.inside import makes_many
from sim42.solver.positions import Positions

SEED: Final = 42
"""Seed of the deals around each hand: a hand has one estimate, wherever it is asked for."""
PIECE: Final = 1 << 14
"""Deals solved at a time."""
MOST_KEPT: Final = 1 << 18
"""Estimates that are kept."""

_kept: Final[dict[tuple[int, int, int, str], float]] = {}
"""Estimates by hand, bid, deals and place of the doubles."""


def bid_estimate(rules: Rules | None = None, threads: int | None = None) -> Estimate:
    """What answers ``bids`` in a condition.

    Parameters
    ----------
    rules : Rules, optional
        Tournament rules when None.
    threads : int, optional
        One a core when None.

    Returns
    -------
    callable
        From masks of hands (n,), a bid and a number of deals to the chance (n,) of the bid with the
        trump that makes it most often, in deals 0 to so many of seed 42 around the hand.

    >>> from sim42 import Hand
    >>> strong, weak = Hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0"), Hand("6-5 5-4 4-3 3-2 2-1 1-0 6-0")
    >>> estimate = bid_estimate()
    >>> chances = estimate(np.array([strong.mask, weak.mask]), 42, 20)
    >>> float(chances[0]), bool(chances[1] < 0.5)
    (1.0, True)
    """
    rules = rules or Rules()

    def estimate(masks: NDArray[np.int64], bid: int, deals: int) -> NDArray[np.float64]:
        hands, place = np.unique(masks, return_inverse=True)
        keys = [(mask, bid, deals, rules.doubles) for mask in hands.tolist()]
        lacking = np.array(
            [mask for mask, key in zip(hands, keys, strict=True) if key not in _kept]
        )
        found = dict(zip(lacking.tolist(), _chances(lacking, bid, deals), strict=True))
        chances = [found[key[0]] if key[0] in found else _kept[key] for key in keys]
        if len(_kept) > MOST_KEPT:
            _kept.clear()
        _kept.update(zip(keys, chances, strict=True))
        return np.array(chances, dtype=np.float64)[place]

    def _chances(hands: NDArray[np.int64], bid: int, deals: int) -> list[float]:
        step = max(1, PIECE // deals)
        found: list[float] = []
        for start in range(0, len(hands), step):
            some = hands[start : start + step]
            index = np.tile(np.arange(deals, dtype=np.int64), len(some))
            dealt = deals_around_hands(np.repeat(some, deals), index, SEED)
            made = makes_many(Positions(dealt), bid, rules=rules, threads=threads)
            found += made.reshape(len(some), deals, -1).mean(axis=1).max(axis=1).tolist()
        return found

    return estimate
