"""How well hands fit what their seats bid, to weigh layouts by (`sim42.play.pimc.PimcPlayer`).

A hand gives each call a *pull*: a weighted sum of its trumps, whether it holds their double, and
its other doubles. What a seat says is then as likely as a softmax over the nine trumps and a pass,
whose pull grows with the bid. The numbers were fitted by scripts/fit_bids.py to the calls of the
hands of results/survey-best.parquet.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import PASS, bid_points
from sim42.game.suits import suits
from sim42.game.tricks import played_by
from sim42.game.trumps import Trump
from sim42.game.views import View

_DOUBLES: Final = suits(Trump.DOUBLES, "high").follows[7]
_TRUMPS: Final = tuple(suits(trump, "high").follows[7] for trump in list(Trump)[:7])
PULLS: Final = np.array([2.711, 3.701, 1.596, 0.908, 3.299, 5.842, 2.340, 9.179, 0.483])
"""Of each trump of a pip, their double and each other double; of doubles as trumps: for all of
them, and each; of follow me: the same; of a pass: of 30, and more for each point above."""


def pulls_of(hands: NDArray[np.int64], pulls: NDArray[np.float64] = PULLS) -> NDArray[np.float64]:
    """Pull of the nine trumps for hands (n,), float (n, 9)."""
    length, double, side, doubles, of_doubles, open_, of_open = pulls[:7]
    held = np.bitwise_count(hands & _DOUBLES).astype(np.float64)
    columns = []
    for trumps in _TRUMPS:
        has_double = (hands & trumps & _DOUBLES) != 0
        number = np.bitwise_count(hands & trumps)
        columns.append(length * number + double * has_double + side * (held - has_double))
    columns += [doubles + of_doubles * held, open_ + of_open * held]
    return np.stack(columns, axis=-1)


def chances(
    hands: NDArray[np.int64], bid: int, pulls: NDArray[np.float64] = PULLS
) -> NDArray[np.float64]:
    """Chance that hands (n,) call each trump for such a bid, or pass; float (n, 10).

    >>> from sim42 import Hand
    >>> hand = Hand("6-6 6-5 6-4 6-3 5-5 4-4 1-0")
    >>> sixes, *_, passing = chances(np.array([hand.mask]), 30)[0, 6:].round(2).tolist()
    >>> sixes, passing
    (0.98, 0.0)
    """
    passing = np.full((len(hands), 1), pulls[7] + pulls[8] * (bid_points(bid) - 30))
    likely = np.exp(np.concatenate([pulls_of(hands, pulls), passing], axis=1))
    found: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
    return found


def fit_of_bids(view: View, layouts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely the hidden hands of layouts (n, 4) would have bid as they did; float (n,).

    The declarer's hand named the trump, with its bid; who passed would not have gone beyond the
    highest bid. Tiles that were played are counted to their hands.
    """
    played = played_by(view.done, view.leader, view.table)
    weights = np.ones(len(layouts))
    for seat, bid in view.bids:
        if seat == view.seat:
            continue
        hands = layouts[:, seat] | played[seat]
        if bid != PASS and seat == view.contract.declarer:
            weights *= chances(hands, view.contract.bid)[:, view.trump]
        elif bid == PASS:
            weights *= chances(hands, view.contract.bid)[:, -1]
    return weights
