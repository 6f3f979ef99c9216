"""Outcomes adjusted for what the tiles promise: the same rates from about half of the deals.

How a deal ends depends much on which tiles the partner was dealt, and how often the partner is
dealt a tile is known without dealing: one time in three. So what a deal owes to a lucky or unlucky
draw can be taken off its outcome. Around a known hand 21 tiles are free, seven for each of the
others, and the controls are

- for each free tile, whether the partner holds it: mean 1/3;
- for each two of the free trumps and doubles, whether the partner holds both: mean 1/10, and
  whether one opponent holds both: mean 1/5.

What is known of the other hands changes these means; they are counted where that can be done
exactly.

A linear rule is fitted from controls to outcomes (ridge regression, whose penalty does not depend
on the outcomes), and the outcome of a deal less the rule's value at the controls of that deal, less
their means, is its adjusted outcome. The rule that adjusts a deal is fitted to the *other* deals.
Therefore the adjusted outcomes have exactly the mean that the outcomes have, whatever the rule is
worth: their average is an unbiased estimate, and its variance is that of what the rule leaves
unexplained. Differences of adjusted outcomes are paired differences, adjusted.

Blocks of deals are adjusted by themselves and their sums added, so that memory does not grow with
the deals, and what is known after n deals is a matter of the first n alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Around, Given
from sim42.deals.layouts import TooManyStepsError
from sim42.game.tiles import ALL_TILES, ENDS, HAND_SIZE, TILES, mask_of, tiles_of
from sim42.game.trumps import Trump

BLOCK: Final = 10_000
"""Deals adjusted together; a last block that would be shorter is joined to the one before it."""
LEAST_DEALS: Final = 50
"""Fewer are not adjusted: too few to fit a rule to."""
SINGLE, TRUMP_PAIR, OTHER_PAIR = 4.0, 6.0, 20.0
"""Penalties of the squared coefficients, in deals times the variance of a control; what is less
likely to matter is held back more. Chosen once, on the hands of another seed."""

Floats = NDArray[np.float64]
Chance = Callable[[int, int], float]
"""How likely a seat, 1 to 3, holds all tiles of a mask: (seat, mask) to 0..1."""
Outcomes = Callable[[NDArray[np.int8]], NDArray[np.generic]]
"""From what was solved of some deals, (n, rows), to figures of them, (n, rows, k)."""

_DOUBLES: Final = mask_of(tile for tile in TILES if ENDS[tile][0] == ENDS[tile][1])


def chance_around(hand: int, given: Given | None) -> Chance | None:
    """How likely a seat holds tiles, around a hand; None where that cannot be said exactly.

    Parameters
    ----------
    hand : int
        Mask of the hand of seat 0.
    given : Given or None
        What is known of the other hands; what is asked of each layout drawn cannot be counted.

    >>> from sim42 import Hand
    >>> hand = Hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0").mask
    >>> chance = chance_around(hand, None)
    >>> round(chance(2, 1), 3), chance_around(hand, Given("has(partner, 0-0)"))(2, 1)
    (0.333, 1.0)
    """
    if given is None:
        return _any_chance
    around = given.around(hand)
    return None if around.rest is not None else partial(_counted_chance, around)


def _any_chance(_seat: int, tiles: int) -> float:
    """The same when nothing is known."""
    chance, free = 1.0, ALL_TILES.bit_count() - HAND_SIZE
    for number in range(tiles.bit_count()):
        chance *= (HAND_SIZE - number) / (free - number)
    return chance


def _counted_chance(around: Around, seat: int, tiles: int) -> float:
    return around.layouts.holding(seat - 1, tiles) / around.layouts.count


class Controls(NamedTuple):
    """What is known of deals without solving them.

    Attributes
    ----------
    values : float64 (deals, controls)
        The controls less their means, so that each has mean 0 over all deals around the hand.
    penalty : float64 (controls,)
        Of the square of each coefficient.
    """

    values: Floats
    penalty: Floats


class Watched(NamedTuple):
    """What is looked at in the deals around one hand, for one trump.

    Attributes
    ----------
    singles : int64 (21,)
        Tiles that the partner may hold.
    pairs : int64 (2, pairs)
        Tiles that one seat may hold both of.
    means, penalty : float64 (21 + 2 * pairs,)
        Chances that the partner holds a tile, that the partner holds both of two, and that an
        opponent does; and what holds their coefficients back.
    """

    singles: NDArray[np.int64]
    pairs: NDArray[np.int64]
    means: Floats
    penalty: Floats

    def of(self, deals: NDArray[np.int64]) -> Controls:
        """The controls of deals, int64 masks (n, 4)."""
        left, partner, right = (
            (deals[:, seat, np.newaxis] >> np.arange(len(TILES)) & 1).astype(bool)
            for seat in (1, 2, 3)
        )
        one, other = self.pairs
        seen = np.concatenate(
            [
                partner[:, self.singles],
                partner[:, one] & partner[:, other],
                left[:, one] & left[:, other] | right[:, one] & right[:, other],
            ],
            axis=1,
        )
        return Controls(seen - self.means, self.penalty)


def watched(hand: int, trump: Trump, chance: Chance) -> Watched:
    """What to look at in deals around a hand.

    Parameters
    ----------
    hand : int
        Mask of the hand of seat 0, the same in all deals.
    trump : Trump
        The trump called.
    chance : callable
        As `chance_around` gives it.

    >>> from sim42 import Hand
    >>> from sim42.deals.random import deals_around
    >>> hand = Hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0").mask
    >>> look = watched(hand, Trump.SIXES, chance_around(hand, None))
    >>> controls = look.of(deals_around(hand, 1000, seed=1))
    >>> controls.values.shape  # 21 tiles, no trump and six doubles: 15 pairs
    (1000, 51)
    >>> bool((abs(controls.values.mean(axis=0)) < 0.05).all())
    True
    """
    free = ALL_TILES & ~hand
    trumps = free & trump_tiles(trump)
    pairs = list(combinations(tiles_of(trumps | free & _DOUBLES), 2))
    masks = [mask_of(pair) for pair in pairs]
    means = [
        *(chance(2, 1 << tile) for tile in tiles_of(free)),
        *(chance(2, both) for both in masks),
        *(chance(1, both) + chance(3, both) for both in masks),
    ]
    of_pair = [OTHER_PAIR if both & ~trumps else TRUMP_PAIR for both in masks]
    return Watched(
        np.array(tiles_of(free)),
        np.array(pairs, dtype=np.int64).reshape(-1, 2).T,
        np.array(means),
        np.array([SINGLE] * free.bit_count() + of_pair * 2),
    )


def trump_tiles(trump: Trump) -> int:
    """Mask of the tiles that matter most under a call: those with its pip, else the doubles.

    >>> trump_tiles(Trump.BLANKS).bit_count(), trump_tiles(Trump.FOLLOW_ME) == _DOUBLES
    (7, True)
    """
    if trump in (Trump.DOUBLES, Trump.FOLLOW_ME):
        return _DOUBLES
    return mask_of(tile for tile in TILES if trump in ENDS[tile])


def adjusted(outcomes: NDArray[np.generic], controls: Controls) -> Floats:
    """Outcomes less what the controls of their deals promise, by a rule fitted to other deals.

    Parameters
    ----------
    outcomes : array (deals, m)
        Any figures of the deals, as 0 and 1 for set and made.
    controls : Controls
        Of the same deals.

    Returns
    -------
    float64 (deals, m)
        The adjusted outcomes. Their mean is an unbiased estimate of that of the outcomes; it may
        lie a little outside of what an outcome can be.

    Notes
    -----
    With v = (1, z) for a deal with controls z, and the rule fitted by least squares with penalty P
    on all n deals, A = sum of v v' + P, leverage h = v' A^-1 v and residual e, leaving deal i out
    changes the fit by -A^-1 v e / (1 - h). So what deal i gives for the mean by the rule of the
    others, y - b'z, is a + e (1 - g) / (1 - h), where a is the fitted constant and g the first
    element of A^-1 v: nothing is fitted twice.

    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(500, 3))
    >>> y = z @ [[1.0], [2.0], [3.0]] + 5 + 0.1 * rng.normal(size=(500, 1))
    >>> better = adjusted(y, Controls(z, np.ones(3)))
    >>> round(float(y.std()), 1), round(float(better.std()), 1), round(float(better.mean()), 1)
    (3.7, 0.1, 5.0)
    """
    n, m = controls.values.shape
    v = np.empty((n, m + 1))
    v[:, 0], v[:, 1:] = 1.0, controls.values
    inverse = np.linalg.inv(v.T @ v + np.diag(np.concatenate([[0.0], controls.penalty])))
    y = outcomes.astype(np.float64)
    fit = inverse @ (v.T @ y)
    lever = v @ inverse
    leverage = np.einsum("ij,ij->i", lever, v)
    weight = (1 - lever[:, 0]) / (1 - leverage)
    result: Floats = fit[0] + (y - v @ fit) * weight[:, np.newaxis]
    return result


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over deals of figures and of their products, from which means and variances come.

    Attributes
    ----------
    deals : int64 (2,)
        Deals of even and of odd number.
    sums : float64 (2, figures)
        Sums over these.
    products : float64 (figures, figures)
        Sums over all deals.
    """

    deals: NDArray[np.int64]
    sums: Floats
    products: Floats

    @property
    def means(self) -> Floats:
        """Means of the figures, (figures,)."""
        mean: Floats = self.sums.sum(axis=0) / self.deals.sum()
        return mean

    def variances(self, *weights: NDArray[np.generic]) -> Floats:
        """Variances of means: of those of the figures, or of sums of them with these weights.

        Parameters
        ----------
        *weights : arrays (figures,)
            One a sum.

        Returns
        -------
        float64 (figures,) or (sums,)
            0 when there is only one deal.
        """
        n = int(self.deals.sum())
        if weights:
            by = np.array(weights, dtype=np.float64)
            means, squares = by @ self.means, np.einsum("si,ij,sj->s", by, self.products, by)
        else:
            means, squares = self.means, np.diag(self.products)
        found: Floats = np.maximum(squares / n - means**2, 0) / max(n - 1, 1)
        return found

    def __add__(self, other: "Moments") -> "Moments":
        """The moments of the deals of both."""
        return Moments(*map(np.add, self._parts(), other._parts()))

    def _parts(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        return self.deals, self.sums, self.products


def moments_of(values: Floats, start: int) -> Moments:
    """Moments of figures of deals, (n, figures), the first of which is number `start`."""
    halves = [values[(half - start) % 2 :: 2] for half in range(2)]
    return Moments(
        np.array([len(half) for half in halves]),
        np.array([half.sum(axis=0) for half in halves]),
        values.T @ values,
    )


class Adjuster:
    """Adds up adjusted outcomes of deals that come piece by piece.

    Parameters
    ----------
    hand : int
        Mask of the hand of seat 0.
    given : Given or None
        What is known of the other hands.
    trumps : sequence of Trump
        The trump of each row of what is solved.
    outcomes : callable
        The figures wanted, from what is solved.
    """

    def __init__(
        self, hand: int, given: Given | None, trumps: Sequence[Trump], outcomes: Outcomes
    ) -> None:
        self._outcomes, self._trumps = outcomes, tuple(trumps)
        self._looks: dict[Trump, Watched] | None = None
        chance = chance_around(hand, given)
        if chance is not None:
            try:
                self._looks = {trump: watched(hand, trump, chance) for trump in set(trumps)}
            except TooManyStepsError:  # too costly to count
                self._looks = None
        self._start = 0
        self._points: list[NDArray[np.int8]] = []
        self._deals: list[NDArray[np.int64]] = []
        self._full: Moments | None = None

    @property
    def is_able(self) -> bool:
        """Whether the means of the controls are known, so that there is something to do."""
        return self._looks is not None

    def add(self, points: NDArray[np.int8], deals: NDArray[np.int64]) -> None:
        """Take what was solved of the next deals, (n, rows), and their masks, (n, 4)."""
        if self._looks is None:
            return
        self._points.append(points)
        self._deals.append(deals)
        while sum(map(len, self._deals)) >= 2 * BLOCK:
            waiting, of = np.concatenate(self._points), np.concatenate(self._deals)
            self._full = self._joined(waiting[:BLOCK], of[:BLOCK])
            self._start += BLOCK
            self._points, self._deals = [waiting[BLOCK:]], [of[BLOCK:]]

    def moments(self) -> Moments | None:
        """Of the deals so far, row by row; None when they are too few, or means are not known."""
        if self._looks is None or self._start + sum(map(len, self._deals)) < LEAST_DEALS:
            return None
        return self._joined(np.concatenate(self._points), np.concatenate(self._deals))

    def _joined(self, points: NDArray[np.int8], deals: NDArray[np.int64]) -> Moments:
        """The moments of the full blocks, and of one more."""
        assert self._looks is not None
        outcomes = self._outcomes(points)
        values = np.empty(outcomes.shape)
        for trump, look in self._looks.items():  # one by one: controls take the most memory
            rows = [row for row, called in enumerate(self._trumps) if called == trump]
            some = outcomes[:, rows]
            values[:, rows] = adjusted(some.reshape(len(some), -1), look.of(deals)).reshape(
                some.shape
            )
        block = moments_of(values.reshape(len(values), -1), self._start)
        return block if self._full is None else self._full + block
