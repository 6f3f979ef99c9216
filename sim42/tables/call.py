"""The one choice of a call, the trump and the bid recommended with a hand.

A call is rated by its worth, what is won less what is given: marks, or points where the game is
scored in points. A bid is the lowest one, 42 or 84, as far as the rules allow, and is made where it
is worth no less than passing. Whose rates these are, and what passing is worth, the caller says.
Sums over whole numbers of deals are compared, so that no rounding breaks a tie. Arrays have a hand
a place of their leading axes, then a place a `Trump`; a trump that was not solved has no deals.
Bids run from the lowest told apart to 42.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import MARK, PASS, POINT_BIDS, Contract, Rules, bid_marks, bid_points
from sim42.game.score import result_of
from sim42.game.tiles import MOST_POINTS

Whole = NDArray[np.int64]
Reals = NDArray[np.float64]

CALL_BIDS: Final = (MARK, 2 * MARK)
"""The bids of marks that a call may open with (A3)."""

LADDER_TO_MARK: Final = (*POINT_BIDS, MARK)
"""The bids that a hand may be raised to for one mark: 30 to 42."""
MUST_BID: Final = -1e6
"""What passing is worth to the shaker who may not pass: less than any bid can lose (A4)."""


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
        The offer; `PASS` (0) where it is worth less than passing.
    marks : float array
        Worth of that bid, or of passing, in all deals together: whole where passing is.
    deals : int array
        Deals with the best trump.
    """

    trump: NDArray[np.intp]
    offer: Whole
    bid: Whole
    marks: Reals
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


def scores_of(bids: Sequence[int], rules: Rules) -> Whole:
    """What the declarer's side scores less what the others do, of each number of points (S2, S3).

    Returns
    -------
    int array (43, len(bids))
        Deals counted at 0 to 42 points, times these, are the worth of each bid.

    >>> scores = scores_of([30, 42, 84], Rules.points250())
    >>> scores[29].tolist(), scores[33].tolist(), scores[42].tolist()
    ([-43, -42, -84], [24, -42, -84], [42, 42, 84])
    """
    scores = [
        [result_of(Contract(0, bid), (points, MOST_POINTS - points), rules).score for bid in bids]
        for points in range(MOST_POINTS + 1)
    ]
    ours, theirs = np.moveaxis(np.array(scores, dtype=np.int64).reshape(-1, len(bids), 2), -1, 0)
    return ours - theirs


def unit_of(rules: Rules, full: Whole | None) -> str:
    """What calls are rated in: ``marks``, or ``points`` in a game to points whose points are told.

    >>> unit_of(Rules.points250(), None), unit_of(Rules.points250(), np.zeros(43, dtype=np.int64))
    ('marks', 'points')
    """
    return "points" if rules.scoring == "points" and full is not None else "marks"


def worth_of(
    made: Whole, deals: Whole, bids: Sequence[int], rules: Rules, full: Whole | None = None
) -> Whole:
    """Worth of each bid in all deals together, in the unit of `unit_of`, (..., len(bids)).

    Parameters
    ----------
    made : int array (..., made bids)
        Deals that make each bid, the last being 42.
    deals : int array (...)
        Deals.
    bids : sequence of int
        The bids wanted.
    rules : Rules
        Rules of the score.
    full : int array (..., 43), optional
        Deals at each of 0 to 42 points.

    >>> full = np.eye(43, dtype=np.int64)[33]
    >>> made = np.cumsum(full[::-1])[12::-1]
    >>> [worth_of(made, full.sum(), [30, 42], rules, full).tolist()
    ...  for rules in (Rules(), Rules.points250())]
    [[1, -1], [24, -42]]
    """
    if full is None or unit_of(rules, full) == "marks":
        return marks_of(made, deals, bids)
    worth: Whole = full @ scores_of(bids, rules)
    return worth


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


def choose(
    made: Whole,
    deals: Whole,
    bids: Sequence[int],
    worth: Whole | None = None,
    passing: float | Reals = 0.0,
) -> Calls:
    """The call worth most for each hand; the one place where that is decided.

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
    worth : int array (..., trumps, len(bids)), optional
        Worth of each bid in all deals together; when None, marks as `marks_of` tells them.
    passing : float, or array (...)
        Worth of passing, a deal; `MUST_BID` where there is no passing.

    >>> made = np.array([[87, 50, 36], [87, 77, 63]])  # so often 40, 41 and 42, of 100 deals
    >>> calls = choose(made, np.array([100, 100]), [40, 42, 84])
    >>> int(calls.trump), int(calls.bid), int(calls.marks)
    (1, 40, 74)
    >>> int(choose(made, np.array([100, 100]), [40, 42, 84], passing=0.75).bid) == PASS
    True
    """
    each = marks_of(made, deals, bids) if worth is None else worth
    best = each.max(axis=-1)
    higher = [made[..., place] for place in reversed(range(1, made.shape[-1]))]
    trump = first_of([best, made[..., 0], *higher], deals)
    offer = np.array(bids)[at(each, trump, axis=-2).argmax(axis=-1)]
    won, n = at(best, trump), at(deals, trump)
    passed = passing * n
    return Calls(trump, offer, np.where(won < passed, PASS, offer), np.maximum(won, passed), n)


def good_to(
    worth: Whole, deals: Whole, passing: float | Reals = 0.0, bids: Sequence[int] = LADDER_TO_MARK
) -> Whole:
    """The highest bid that is worth no less than passing; `PASS` (0) for none.

    Parameters
    ----------
    worth : int array (..., len(bids))
        Worth of each bid in all deals together.
    deals : int array (...)
        Deals.
    passing : float, or array (...)
        Worth of passing, a deal.
    bids : sequence of int
        From the lowest up.

    >>> worth = marks_of(np.array([80, 60, 30]), np.array(100), [40, 41, 42])
    >>> [int(good_to(worth, np.array(100), least, [40, 41, 42])) for least in (0, -0.5, 0.9)]
    [41, 42, 0]
    """
    good = worth >= np.expand_dims(passing * deals, -1)
    last = good.shape[-1] - 1 - good[..., ::-1].argmax(axis=-1)
    return np.where(good.any(axis=-1), np.array(bids)[last], PASS)


class Rated(NamedTuple):
    """What calls are worth in deals that did not choose them.

    Attributes
    ----------
    marks : float array (...)
        Worth of the bid, or of passing, in all these deals together.
    made : int array (..., made bids)
        Deals in which the best trump, bid or passed, makes each bid.
    deals : int array (...)
        Deals that rated.
    """

    marks: Reals
    made: Whole
    deals: Whole


def rate(
    calls: Calls,
    made: Whole,
    deals: Whole,
    bids: Sequence[int],
    worth: Whole | None = None,
    passing: float | Reals = 0.0,
) -> Rated:
    """Calls in deals that need not be those that chose them, given as for `choose`."""
    each = marks_of(made, deals, bids) if worth is None else worth
    n = at(deals, calls.trump)
    place = np.searchsorted(bids, calls.offer)
    won = at(at(each, calls.trump, axis=-2), place)
    marks = np.where(calls.bid == PASS, passing * n, won)
    return Rated(marks, at(made, calls.trump, axis=-2), n)


def cross_fitted(
    made: Whole,
    deals: Whole,
    bids: Sequence[int],
    worth: Whole | None = None,
    passing: float | Reals = 0.0,
) -> Rated:
    """Calls chosen on one half of the deals and rated on the other, and the reverse.

    Parameters
    ----------
    made : int array (..., trumps, 2, made bids)
        Deals of each half that make each bid.
    deals : int array (..., trumps, 2)
        Deals of each half.
    bids, passing
        As for `choose`.
    worth : int array (..., trumps, 2, len(bids)), optional
        Worth of each bid in each half.

    Returns
    -------
    Rated
        Sums over both halves; no deals where one half has none that could rate the other's call.

    >>> made = np.array([[[9], [5]], [[2], [8]]])
    >>> rated = cross_fitted(made, np.full((2, 2), 10), [42])
    >>> int(rated.marks), int(rated.made[0]), int(rated.deals)
    (-6, 7, 20)
    """
    each = marks_of(made, deals, bids) if worth is None else worth
    parts, both = [], np.ones(deals.shape[:-2], dtype=bool)
    for half, other in ((0, 1), (1, 0)):
        chosen, rated = ((made[..., h, :], deals[..., h]) for h in (half, other))
        calls = choose(*chosen, bids, each[..., half, :], passing)
        parts.append(rate(calls, *rated, bids, each[..., other, :], passing))
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


def mean(total: Whole | Reals, deals: Whole) -> NDArray[np.float64]:
    """A total a deal; nan without deals.

    >>> mean(np.array([3, 0]), np.array([4, 0])).tolist()
    [0.75, nan]
    """
    return np.where(deals > 0, total / np.maximum(deals, 1), np.nan)
