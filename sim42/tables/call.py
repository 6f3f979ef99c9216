"""The one choice of a call, the trump and the bid recommended with a hand.

A call is rated in marks, won less given: a bid is the lowest one, 42 or 84, as far as the rules
allow. Everything is decided on whole numbers of deals, so that no rounding breaks a tie. Arrays
have a hand a place of their leading axes, then a place a `Trump`; a trump that was not solved has
no deals. Bids run from the lowest told apart to 42.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import MARK, PASS, Rules, bid_marks, bid_points

Whole = NDArray[np.int64]

CALL_BIDS: Final = (MARK, 2 * MARK)
"""The bids of marks that a call may open with (A3)."""


def call_bids(rules: Rules, lowest: int = 30) -> tuple[int, ...]:
    """The bids that a call is chosen from: the lowest told apart, one mark and two.

    >>> call_bids(Rules()), call_bids(Rules(max_marks=1)), call_bids(Rules(), lowest=42)
    ((30, 42, 84), (30, 42), (42, 84))
    """
    marks = [bid for bid in CALL_BIDS if bid <= MARK * rules.max_marks]
    return tuple(sorted({lowest, *marks}))


class Calls(NamedTuple):
    """A call for each hand.

    Attributes
    ----------
    trump : int array
        The best trump, whether bid or passed.
    offer : int array
        Its best bid.
    bid : int array
        The offer; `PASS` (0) where less than nothing is expected of it.
    marks : int array
        Marks won less those given with that bid in all deals together; none for a pass.
    deals : int array
        Deals with the best trump.
    """

    trump: NDArray[np.intp]
    offer: Whole
    bid: Whole
    marks: Whole
    deals: Whole


def marks_of(made: Whole, deals: Whole, bids: Sequence[int]) -> Whole:
    """Marks won less those given in all deals, for each of some bids (A5, S2).

    Parameters
    ----------
    made : int array (..., made bids)
        Deals that make each bid, the last being 42.
    deals : int array (...)
        Deals.
    bids : sequence of int
        The bids wanted.

    Returns
    -------
    int array (..., len(bids))

    >>> marks_of(np.array([58, 54]), np.array(100), [41, 42, 84]).tolist()
    [16, 8, 16]
    """
    lowest = MARK + 1 - made.shape[-1]
    places = [bid_points(bid) - lowest for bid in bids]
    stakes = np.array([bid_marks(bid) for bid in bids])
    marks: Whole = stakes * (2 * made[..., places] - deals[..., np.newaxis])
    return marks


def first_of(figures: Sequence[Whole], deals: Whole) -> NDArray[np.intp]:
    """Place on the last axis that has most per deal of the first figure, then of the second, ....

    Of equals the first is taken; one without deals only when all are. Fractions are compared
    crosswise, without rounding.

    >>> first_of([np.array([1, 3, 6])], np.array([3, 8, 16])).tolist()
    1
    """
    best = np.zeros(deals.shape[:-1], dtype=np.intp)
    for place in range(1, deals.shape[-1]):
        n, n_best = deals[..., place], at(deals, best)
        more, equal = np.zeros(best.shape, dtype=bool), np.ones(best.shape, dtype=bool)
        for figure in figures:
            this, other = figure[..., place] * n_best, at(figure, best) * n
            more |= equal & (this > other)
            equal &= this == other
        best = np.where((n > 0) & (more | (n_best == 0)), place, best)
    return best


def choose(made: Whole, deals: Whole, bids: Sequence[int]) -> Calls:
    """The call with the most marks for each hand; the one place where that is decided.

    Among trumps whose best bids are worth the same, the one wins that makes the lowest bid more
    often, then 42, 41, and so on down; then the first. Among bids of a trump, the lowest.

    Parameters
    ----------
    made : int array (..., trumps, made bids)
        Deals that make each bid.
    deals : int array (..., trumps)
        Deals with each trump.
    bids : sequence of int
        As `call_bids` gives them, lowest first.

    >>> made = np.array([[87, 50, 36], [87, 77, 63]])  # so often 40, 41 and 42, of 100 deals
    >>> calls = choose(made, np.array([100, 100]), [40, 42, 84])
    >>> int(calls.trump), int(calls.bid), int(calls.marks)
    (1, 40, 74)
    """
    marks = marks_of(made, deals, bids)
    worth = marks.max(axis=-1)
    higher = [made[..., place] for place in reversed(range(1, made.shape[-1]))]
    trump = first_of([worth, made[..., 0], *higher], deals)
    offer = np.array(bids)[at(marks, trump, axis=-2).argmax(axis=-1)]
    won = at(worth, trump)
    return Calls(trump, offer, np.where(won < 0, PASS, offer), np.maximum(won, 0), at(deals, trump))


class Rated(NamedTuple):
    """What calls are worth in deals that did not choose them.

    Attributes
    ----------
    marks : int array (...)
        Marks won less those given in all these deals together; a pass wins and gives nothing.
    made : int array (..., made bids)
        Deals in which the best trump, bid or passed, makes each bid.
    deals : int array (...)
        Deals that rated.
    """

    marks: Whole
    made: Whole
    deals: Whole


def rate(calls: Calls, made: Whole, deals: Whole) -> Rated:
    """Calls in deals that need not be those that chose them, given as for `choose`."""
    of_trump, n = at(made, calls.trump, axis=-2), at(deals, calls.trump)
    marks = np.zeros(n.shape, dtype=np.int64)
    for bid in np.unique(calls.bid[calls.bid != PASS]).tolist():
        marks = np.where(calls.bid == bid, marks_of(of_trump, n, [bid])[..., 0], marks)
    return Rated(marks, of_trump, n)


def cross_fitted(made: Whole, deals: Whole, bids: Sequence[int]) -> Rated:
    """Calls chosen on one half of the deals and rated on the other, and the reverse.

    Parameters
    ----------
    made : int array (..., trumps, 2, made bids)
        Deals of each half that make each bid.
    deals : int array (..., trumps, 2)
        Deals of each half.
    bids : sequence of int
        As for `choose`.

    Returns
    -------
    Rated
        Sums over both halves; no deals where one half has none that could rate the other's call.

    >>> made = np.array([[[9], [5]], [[2], [8]]])
    >>> rated = cross_fitted(made, np.full((2, 2), 10), [42])
    >>> int(rated.marks), int(rated.made[0]), int(rated.deals)
    (-6, 7, 20)
    """
    parts, both = [], np.ones(deals.shape[:-2], dtype=bool)
    for half, other in ((0, 1), (1, 0)):
        calls = choose(made[..., half, :], deals[..., half], bids)
        parts.append(rate(calls, made[..., other, :], deals[..., other]))
        both &= (calls.deals > 0) & (parts[-1].deals > 0)
    marks, of_trump, n = map(np.add, *parts)
    return Rated(
        np.where(both, marks, 0),
        np.where(both[..., np.newaxis], of_trump, 0),
        np.where(both, n, 0),
    )


def at(array: Whole, place: NDArray[np.intp], axis: int = -1) -> Whole:
    """The values at one place of an axis for each hand.

    >>> at(np.array([[7, 8, 9], [4, 5, 6]]), np.array([2, 0])).tolist()
    [9, 4]
    """
    index = np.expand_dims(place, tuple(range(axis, 0)))
    found: Whole = np.take_along_axis(array, index, axis=axis).squeeze(axis=axis)
    return found


def mean(total: Whole, deals: Whole) -> NDArray[np.float64]:
    """A total a deal; nan without deals.

    >>> mean(np.array([3, 0]), np.array([4, 0])).tolist()
    [0.75, nan]
    """
    return np.where(deals > 0, total / np.maximum(deals, 1), np.nan)
