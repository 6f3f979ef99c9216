"""Deals given what is known of the hidden hands, and their numbers.

What is known is one condition, however it was said: tiles held or not held, how many of a kind, or
a text. Its sums limit the layouts, which are counted and drawn without drawing in vain; what is
left of it is asked of each layout drawn, and layouts are drawn until one passes.

Deal i of a seed, a hand and a condition is the first of its own tries that passes, and each try has
its own place in the random stream; so it depends on these alone, as deals without conditions do.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.conditions.bounds import bounds, seen_around, seen_by_nobody, split
from sim42.deals.conditions.parse import is_truth, parse_condition
from sim42.deals.conditions.tree import Both, Expression, join
from sim42.deals.conditions.values import Estimate, is_costly, values_of
from sim42.deals.draws import number_below
from sim42.deals.layouts import Layouts, Limit, TooManyStepsError, Weights
from sim42.deals.philox import philox
from sim42.deals.random import check_indices, deals_around_hands
from sim42.deals.seeds import check_seed
from sim42.errors import ConditionError, RequestError, shown
from sim42.game.tiles import ALL_TILES, HAND_SIZE, TILES, format_tiles
from sim42.game.trumps import Trump

Ints = NDArray[np.int64]
Test = Callable[[Ints], NDArray[np.bool_]]
"""From masks (n, 4) of deals to whether each may be, all at once."""

MOST_TRIES: Final = 1_000_000
"""Tries of one deal, after which it is given up; no more layouts than that are gone through."""
MOST_SOLVED: Final = 10_000
"""Layouts of one deal of which it is asked what takes solving, after which it is given up."""
PATIENCE: Final = 1 << 12
"""Tries of one deal, after which its layouts are gone through, if they are few."""
BATCH: Final = 1 << 15
"""Layouts drawn at a time."""
NO_HAND: Final = ALL_TILES
"""Stands for a hand that is not known, in the random stream."""


class Given:
    """What is known of the hands, as one condition.

    Parameters
    ----------
    where : str, expression, function or Given
        A text as ``"doubles(partner) >= 2"``, a tree that `parse` made, or a function from int64
        masks (n, 4) to bool (n,).
    trump : Trump or str, optional
        Meant by ``trumps(seat)`` and ``top(seat)`` where none is named.

    Attributes
    ----------
    text : str
        The condition in canonical form: same text, same deals.

    Raises
    ------
    ConditionError
        When the text cannot be read; says the column, and shows it with a caret.

    >>> given = Given("trumps(left)<=1 AND has(partner, 6-6)", trump="fives")
    >>> given
    Given('trumps(left, fives) <= 1 and has(partner, 6-6)')
    >>> from sim42 import Hand
    >>> deals = given.deals_around(Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0").mask, count=3, seed=42)
    >>> [int(mask) >> 27 for mask in deals[:, 2]]
    [1, 1, 1]
    """

    __slots__ = ("test", "text", "tree")
    text: str
    tree: Expression | None
    test: Test | None

    def __init__(
        self, where: "str | Expression | Test | Given", trump: Trump | str | None = None
    ) -> None:
        self.tree, self.test = None, None
        if isinstance(where, Given):
            self.tree, self.test, self.text = where.tree, where.test, where.text
        elif callable(where):
            self.test = where
            self.text = f"function {where.__module__}.{where.__qualname__}"
        else:
            tree = where
            if isinstance(tree, str):
                tree = parse_condition(tree, None if trump is None else Trump(trump))
            elif not isinstance(tree, Expression) or not is_truth(tree):
                raise ConditionError(f"{shown(tree)}: is not a condition")
            self.tree, self.text = tree, str(tree)

    def __repr__(self) -> str:
        return f"Given({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Given):
            return NotImplemented
        return (self.text, self.test) == (other.text, other.test)

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def stream(self) -> int:
        """The word of the random stream that sets its deals apart; 0 is that of no condition."""
        return int.from_bytes(hashlib.sha256(self.text.encode()).digest()[:8]) | 1

    @property
    def is_costly(self) -> bool:
        """Whether it asks what a seat would bid, which takes solving."""
        return self.tree is not None and is_costly(self.tree)

    def can_happen(self, hands: Ints) -> NDArray[np.bool_]:
        """False for each hand around which bounds or the number of layouts rule the condition out.

        >>> from sim42 import Hand
        >>> given = Given("doubles(me) >= 1 and has(left, 6-6)")
        >>> hands = ["6-5 6-4 5-5 4-2 3-1 2-0 1-0", "6-5 6-4 5-4 4-2 3-1 2-0 1-0"]
        >>> given.can_happen(np.array([Hand(hand).mask for hand in hands])).tolist()
        [True, False]
        """
        if self.tree is None:
            return np.ones(len(hands), dtype=np.bool_)
        possible = bounds(self.tree, seen_around(hands))[1] > 0
        limits = [limit for _, limit in split(self.tree) if limit is not None]
        if limits:
            possible[possible] = self._can_be_laid(hands[possible], limits)
        return possible

    def _can_be_laid(self, hands: Ints, limits: list[Limit]) -> NDArray[np.bool_]:
        """Whether there are layouts around each hand, counted once for hands of the same kinds."""
        kinds: dict[tuple[Weights, ...], int] = {}
        for tile in TILES:
            worth = tuple(tuple((row[tile],) for row in limit.weights) for limit in limits)
            kinds[worth] = kinds.get(worth, 0) | 1 << tile
        held = np.stack([np.bitwise_count(hands & mask) for mask in kinds.values()], axis=1)
        _, first, like = np.unique(held, axis=0, return_index=True, return_inverse=True)
        return np.array([self._is_around(hand) for hand in hands[first].tolist()])[like.ravel()]

    def _is_around(self, hand_mask: int) -> bool:
        try:
            self.around(hand_mask)
        except RequestError:
            return False
        return True

    def around(self, hand_mask: int | None) -> "Around":
        """The deals in which seat 0 holds this hand, or any hand when there is none.

        Raises
        ------
        RequestError
            When there are none; says why.
        """
        return _around(self, hand_mask)

    def deals_around(
        self,
        hand_mask: int | None,
        count: int,
        seed: int,
        start: int = 0,
        estimate: Estimate | None = None,
    ) -> Ints:
        """Deals `start` to `start + count` of a seed in which seat 0 holds this hand.

        Parameters
        ----------
        hand_mask : int or None
            None for any hand of seat 0.
        count, seed, start : int
            As for `sim42.deals.random.random_deals`.
        estimate : callable, optional
            What answers ``bids``.

        Returns
        -------
        int64 (count, 4)
            Mask of each seat's hand, a row a deal.

        Raises
        ------
        RequestError
            When no such deal can be, or none was found in `MOST_TRIES` tries.
        """
        count, start = check_indices(count, start)
        indices = np.arange(start, start + count, dtype=np.int64)
        around = self.around(hand_mask)
        parts = [
            around.draw(indices[first : first + BATCH], seed, estimate)[0]
            for first in range(0, count, BATCH)
        ]
        return np.concatenate([np.empty((0, 4), dtype=np.int64), *parts])


class Around:
    """The deals around one hand, or all deals, that are as a condition says.

    Attributes
    ----------
    layouts : Layouts
        Those of the hidden seats that are within the condition's sums.
    rest : Expression, function or None
        What is to be asked of each layout drawn; None when nothing is.
    """

    def __init__(self, given: Given, hand_mask: int | None) -> None:
        self.given, self.hand = given, hand_mask
        parts = () if given.tree is None else split(given.tree)
        limits = [part for part in parts if part[1] is not None]
        others = [part for part, limit in parts if limit is None]
        while True:
            try:
                self.layouts = self._laid([limit for _, limit in limits if limit is not None])
                break
            except TooManyStepsError:  # what cannot be counted is asked instead
                others.append(limits.pop()[0])
        self.rest: Expression | Test | None = given.test
        if others:
            self.rest = join(Both, others)
        self._check()
        self._proved = False

    def _laid(self, limits: list[Limit]) -> Layouts:
        """The layouts of the hidden seats; of a hand that is known the sums are told already."""
        if self.hand is None:
            return Layouts(ALL_TILES, [ALL_TILES] * 4, [HAND_SIZE] * 4, limits)
        unseen = ALL_TILES & ~self.hand
        hidden = []
        for weights, least, most in limits:
            mine = sum(weight for tile, weight in enumerate(weights[0]) if self.hand >> tile & 1)
            hidden.append(Limit(weights[1:], least - mine, most - mine))
        return Layouts(unseen, [unseen] * 3, [HAND_SIZE] * 3, hidden)

    @property
    def where(self) -> str:
        """The hand in words."""
        return "among all deals" if self.hand is None else f"around {format_tiles(self.hand)}"

    def _check(self) -> None:
        """Raise `RequestError` when it is certain that no deal is as the condition says."""
        seen = seen_by_nobody() if self.hand is None else seen_around(np.array([self.hand]))
        if self.given.tree is not None:
            for part, _ in split(self.given.tree):
                if not bounds(part, seen)[1].any():
                    raise RequestError(f"cannot happen {self.where}: {part}")
        if not self.layouts.count:
            raise RequestError(f"cannot happen {self.where}, all of it together: {self.given}")

    def _prove(self) -> None:
        """Raise `RequestError` when the layouts are few, and none of them is as it should be."""
        if self._proved or self.layouts.count > MOST_TRIES:
            return
        if not any(map(len, self.every())):
            raise RequestError(
                f"cannot happen {self.where}: none of {self.layouts.count:,} layouts is as"
                f" {self.given} says"
            )
        self._proved = True

    def draw(
        self, indices: NDArray[np.int64], seed: int, estimate: Estimate | None = None
    ) -> tuple[Ints, Ints]:
        """The deals with these indices, (n, 4), and how many tries each took, (n,).

        Raises
        ------
        RequestError
            When one was not found in `MOST_TRIES` tries, or `MOST_SOLVED` that took solving.
        """
        deals = np.empty((len(indices), 4), dtype=np.int64)
        tried, solved = np.zeros((2, len(indices)), dtype=np.int64)
        waiting = np.arange(len(indices))
        width = 1
        while len(waiting):
            if tried[waiting].max() >= PATIENCE:
                self._prove()
            for done, most in ((tried, MOST_TRIES), (solved, MOST_SOLVED)):
                if done[waiting].max() >= most:
                    raise RequestError(
                        f"no deal found {self.where} in {most:,} tries"
                        f"{' that took solving' if done is solved else ''}, so it hardly ever"
                        f" happens or cannot: {self.given}"
                    )
            rows = np.repeat(waiting, width)
            tries = tried[rows] + np.tile(np.arange(width), len(waiting))
            drawn = self._try(indices[rows], tries, seed)
            passes = self.passes(drawn, costly=False) & (tries < MOST_TRIES)
            passes = passes.reshape(len(waiting), width)
            found, first = passes.any(axis=1), passes.argmax(axis=1)
            tried[waiting] += np.where(found, first + 1, width)
            taken, drawn = waiting[found], drawn[(np.arange(len(waiting)) * width + first)[found]]
            good = self.passes(drawn, costly=True, estimate=estimate)
            solved[taken] += self.given.is_costly
            deals[taken[good]] = drawn[good]
            waiting = np.setdiff1d(waiting, taken[good], assume_unique=True)
            width = max(1, min(2 * width, BATCH // max(len(waiting), 1)))
        return deals, tried

    def _try(self, indices: Ints, tries: Ints, seed: int) -> Ints:
        """The layouts of these tries of these deals, whether they pass or not, as deals."""
        hand = NO_HAND if self.hand is None else self.hand
        counters = (indices.astype(np.uint64), tries.astype(np.uint64), hand, self.given.stream)
        numbers = number_below(self.layouts.count, philox(counters, check_seed(seed)))
        return self._as_deals(self.layouts.unrank(numbers))

    def _as_deals(self, hidden: Ints) -> Ints:
        return hidden if self.hand is None else np.insert(hidden, 0, self.hand, axis=1)

    def pilot(self, tries: int) -> tuple[Ints, int]:
        """The deals that pass all that needs no solving, of how many layouts.

        These are all layouts where there are no more than `tries`, else so many drawn.

        Raises
        ------
        RequestError
            When they are all, and none passes.
        """
        if self.layouts.count <= tries:
            self._prove()
            return np.concatenate(list(self.every())), self.layouts.count
        drawn = self._try(np.arange(tries, dtype=np.int64), np.zeros(tries, dtype=np.int64), 0)
        return drawn[self.passes(drawn, costly=False)], tries

    def every(self) -> Iterator[Ints]:
        """All deals that are as the condition says, in parts; it may ask nothing that is costly."""
        for start in range(0, self.layouts.count, BATCH):
            numbers = np.arange(start, min(start + BATCH, self.layouts.count))
            deals = self._as_deals(self.layouts.unrank(numbers))
            yield deals[self.passes(deals, costly=False)]

    def passes(
        self, deals: Ints, costly: bool, estimate: Estimate | None = None
    ) -> NDArray[np.bool_]:
        """Whether deals pass the parts of the rest that take solving, or those that do not."""
        passes = np.ones(len(deals), dtype=np.bool_)
        if callable(self.rest):
            return passes if costly else _tested(self.rest, deals)
        for part in _together(self.rest):
            if is_costly(part) == costly:
                passes[passes] = values_of(part, deals[passes], estimate) > 0
        return passes


def _together(rest: Expression | None) -> tuple[Expression, ...]:
    if rest is None:
        return ()
    return rest.parts if isinstance(rest, Both) else (rest,)


def _tested(test: Test, deals: Ints) -> NDArray[np.bool_]:
    """What a user's function says, if it is an answer."""
    answer = np.asarray(test(deals))
    if answer.dtype != np.bool_ or answer.shape != (len(deals),):
        raise RequestError(
            f"{test.__qualname__}: a condition gives an array of {len(deals)} truth values for"
            f" {len(deals)} deals, not {answer.dtype} {answer.shape}"
        )
    return answer


@lru_cache(maxsize=256)
def _around(given: Given, hand_mask: int | None) -> Around:
    return Around(given, hand_mask)


def given_deals(
    masks: Ints, index: Ints, seed: int, given: Given | None, estimate: Estimate | None = None
) -> Ints:
    """A deal around each of many hands: row k is deal ``index[k]`` around hand ``masks[k]``.

    Parameters
    ----------
    masks, index, seed
        As for `sim42.deals.random.deals_around_hands`, whose deals these are when nothing is known.
    given : Given or None
        What is known of the other hands.
    estimate : callable, optional
        What answers ``bids``.

    Returns
    -------
    int64 (n, 4)
        Mask of each seat's hand, a row a deal.

    Raises
    ------
    RequestError
        When no such deal can be, or none was found in `MOST_TRIES` tries.
    """
    if given is None:
        return deals_around_hands(masks, index, seed)
    deals = np.empty((len(masks), 4), dtype=np.int64)
    for mask in np.unique(masks).tolist():
        rows = np.flatnonzero(masks == mask)
        deals[rows] = given.around(mask).draw(index[rows], seed, estimate)[0]
    return deals
