"""How many deals around a hand, or how many hands, give each value of a question.

Where the question can be counted, it is: sums over the tiles are tallied class by class, a question
about a single hidden seat is put to each of its 116,280 hands, and a few million layouts are gone
through one by one. Else random deals are asked, and the counts say so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import comb, factorial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.conditions.bounds import linear
from sim42.deals.conditions.functions import FUNCTIONS
from sim42.deals.conditions.tree import Both, Call, Expression, Number, calls_of
from sim42.deals.conditions.values import Estimate, combine_values, is_costly, values_of
from sim42.deals.draws import choose_tiles
from sim42.deals.given import BATCH, Given
from sim42.deals.layouts import TooManyStepsError, Weights, tally
from sim42.deals.random import hands_at, random_deals
from sim42.errors import RequestError
from sim42.game.tiles import ALL_TILES, HAND_SIZE, HANDS, SEATS

Ints = NDArray[np.int64]
MOST_LISTED: Final = 5_000_000
"""Layouts that are gone through one by one."""
SAMPLED: Final = 200_000
"""Deals asked where counting would take too long."""


class ValueCounts(NamedTuple):
    """How many cases give each value.

    Attributes
    ----------
    values : tuple of int
        In ascending order; 1 for true and 0 for false.
    counts : tuple of int
        Cases of each.
    exact : bool
        Whether these are all cases, or random ones.
    """

    values: tuple[int, ...]
    counts: tuple[int, ...]
    exact: bool

    @property
    def cases(self) -> int:
        """All of them."""
        return sum(self.counts)


def count_hands(tree: Expression) -> ValueCounts:
    """How many of the 1,184,040 hands give each value.

    Raises
    ------
    RequestError
        When the question is about another seat than ``me``.

    >>> from sim42.deals.conditions.parse import parse
    >>> count_hands(parse("doubles(me) = 2 and voids(me) = 1"))
    ValueCounts(values=(0, 1), counts=(970785, 213255), exact=True)
    """
    for call in calls_of(tree):
        if call.seat != 0 or is_costly(call):
            raise RequestError(f"{call}: of a hand alone only what me holds can be asked")
    hands = hands_at(np.arange(HANDS, dtype=np.int64))
    return _merged((values_of(tree, deals) for deals in _as_deals(hands)), exact=True)


def count_deals(
    tree: Expression,
    hand_mask: int | None,
    given: Given | None = None,
    *,
    seed: int = 42,
    sampled: int = SAMPLED,
    estimate: Estimate | None = None,
) -> ValueCounts:
    """How many deals around a hand give each value of a question.

    Parameters
    ----------
    tree : Expression
        The question.
    hand_mask : int or None
        The hand of seat 0; None for any.
    given : Given, optional
        What is known of the hidden hands; only such deals are counted.
    seed, sampled : int
        Which random deals are asked, and how many, where not all can be.
    estimate : callable, optional
        What answers ``bids``.

    Raises
    ------
    RequestError
        When no deal is as `given` says.

    >>> from sim42 import Hand
    >>> from sim42.deals.conditions.parse import parse
    >>> hand = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0").mask
    >>> counts = count_deals(parse("has(partner, 6-6)"), hand)
    >>> counts.counts, counts.cases, counts.exact
    ((266048640, 133024320), 399072960, True)
    """
    condition: Expression | None = Number(1)
    if given is not None:
        given.around(hand_mask)  # refuses what cannot happen
        condition = given.tree
    if condition is not None:
        counts = _tallied(tree, condition, hand_mask) or _of_one_seat(tree, condition, hand_mask)
        if counts is not None:
            return counts
    if given is not None and not given.is_costly and not is_costly(tree):
        around = given.around(hand_mask)
        if around.layouts.count <= MOST_LISTED:
            return _merged((values_of(tree, deals) for deals in around.every()), exact=True)
    return _merged(_asked(tree, hand_mask, given, seed, sampled, estimate), exact=False)


def _asked(
    tree: Expression,
    hand_mask: int | None,
    given: Given | None,
    seed: int,
    sampled: int,
    estimate: Estimate | None,
) -> Iterator[Ints]:
    """The values of a question in random deals."""
    for start in range(0, sampled, BATCH):
        number = min(BATCH, sampled - start)
        if given is None:
            deals = random_deals(number, seed, (hand_mask or 0, 0, 0, 0), start)
        else:
            deals = given.deals_around(hand_mask, number, seed, start, estimate)
        yield values_of(tree, deals, estimate)


def _tallied(tree: Expression, condition: Expression, hand_mask: int | None) -> ValueCounts | None:
    """The counts where question and condition are made of sums over the tiles."""
    calls = calls_of(Both((tree, condition)))
    if any(FUNCTIONS[call.name].weights is None for call in calls if _is_hidden(call, hand_mask)):
        return None
    hidden = [call for call in calls if _is_hidden(call, hand_mask)]
    first = 0 if hand_mask is None else 1
    unseen = ALL_TILES & ~(hand_mask or 0)
    seats = len(SEATS) - first
    measures = [_weights(call)[first:] for call in hidden]
    try:
        ways = tally(unseen, [unseen] * seats, [HAND_SIZE] * seats, measures)
    except TooManyStepsError:
        return None
    sums = np.array(list(ways), dtype=np.int64).reshape(len(ways), len(hidden))
    of_call = dict(zip(hidden, sums.T, strict=True))

    def value(call: Call) -> Ints:
        return of_call[call] if call in of_call else _own_value(call, hand_mask)

    answers = np.broadcast_to(combine_values(tree, value), len(ways))
    holds = np.broadcast_to(combine_values(condition, value), len(ways)) > 0
    return _weighted(answers[holds], np.array(list(ways.values()), dtype=np.int64)[holds])


def _of_one_seat(
    tree: Expression, condition: Expression, hand_mask: int | None
) -> ValueCounts | None:
    """The counts where question and condition are about a single hidden seat."""
    calls = calls_of(Both((tree, condition)))
    seats = {call.seat for call in calls if _is_hidden(call, hand_mask)}
    if len(seats) != 1 or any(is_costly(call) for call in calls):
        return None
    unseen = ALL_TILES & ~(hand_mask or 0)
    ways = comb(unseen.bit_count(), HAND_SIZE)
    left = unseen.bit_count() - HAND_SIZE
    layouts_of_others = factorial(left) // factorial(HAND_SIZE) ** (left // HAND_SIZE)
    hands = choose_tiles(np.full(ways, unseen), HAND_SIZE, np.arange(ways))
    merged = _merged(
        (
            values_of(tree, deals)[values_of(condition, deals) > 0]
            for deals in _as_deals(hands, seats.pop(), hand_mask or 0)
        ),
        exact=True,
    )
    return merged._replace(counts=tuple(layouts_of_others * count for count in merged.counts))


def _is_hidden(call: Call, hand_mask: int | None) -> bool:
    return call.seat != 0 or hand_mask is None


def _own_value(call: Call, hand_mask: int | None) -> Ints:
    """What a call says of the hand of seat 0, which is known."""
    return values_of(call, np.array([[hand_mask, 0, 0, 0]], dtype=np.int64))


def _weights(call: Call) -> Weights:
    """What each tile adds to a call with each seat."""
    sum_of = linear(call)
    assert sum_of is not None
    return sum_of[1]


def _as_deals(hands: Ints, seat: int = 0, hand_mask: int = 0) -> Iterator[Ints]:
    """Hands of one seat as rows of deals of which nobody asks the other hidden seats."""
    for start in range(0, len(hands), BATCH):
        part = hands[start : start + BATCH]
        deals = np.zeros((len(part), len(SEATS)), dtype=np.int64)
        deals[:, 0] = hand_mask
        deals[:, seat] = part
        yield deals


def _weighted(values: Ints, ways: Ints) -> ValueCounts:
    """The counts of values that each stand for so many cases, all of them."""
    different, place = np.unique(values, return_inverse=True)
    counts = np.zeros(len(different), dtype=np.int64)
    np.add.at(counts, place, ways)
    return ValueCounts(tuple(different.tolist()), tuple(counts.tolist()), exact=True)


def _merged(parts: Iterable[Ints], exact: bool) -> ValueCounts:
    """The counts of values that come in parts."""
    counts: Counter[int] = Counter()
    for values in parts:
        different, number = np.unique(values, return_counts=True)
        counts.update(dict(zip(different.tolist(), number.tolist(), strict=True)))
    found = sorted(counts)
    return ValueCounts(tuple(found), tuple(counts[value] for value in found), exact)
