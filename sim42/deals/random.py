"""Seeded random deals: deal i of a seed is deal i of that seed on every machine.

A deal is one number: the ways to deal the unknown tiles are numbered, one number is drawn and
unranked to four masks. The number of deal i comes from the Philox words of a counter made of i and
the tiles known beforehand, under the seed as key, so it depends on (seed, known tiles, i) alone:
deals can be made in any order, in blocks of any size, around many hands at once, anywhere.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.deals.draws import choose_tiles, number_below
from sim42.deals.philox import Words, philox
from sim42.deals.seeds import check_seed
from sim42.errors import RequestError, TileError, whole
from sim42.game.tiles import ALL_TILES, HAND_SIZE, HANDS, SEATS, Masks, format_tiles

MAX_DEALS: Final = 2**63 - 1
NOTHING_KNOWN: Final[Masks] = (0, 0, 0, 0)


def random_deals(
    count: int, seed: int, known: Masks = NOTHING_KNOWN, start: int = 0
) -> NDArray[np.int64]:
    """Deals `start` to `start + count` of a seed, uniform among those with the known tiles.

    Parameters
    ----------
    count : int
        How many deals, 0 or more.
    seed : int
        0 to 2**64 - 1.
    known : tuple of four int
        Mask of the tiles that each seat holds for certain, at most seven a seat.
    start : int
        Index of the first deal.

    Returns
    -------
    int64 (count, 4)
        Mask of each seat's hand, a row a deal.

    Raises
    ------
    RequestError
        When count, start or seed is out of range.
    TileError
        When a seat knows more than seven tiles, or two seats the same one.

    >>> deals = random_deals(1000, seed=42)
    >>> bool((random_deals(10, seed=42, start=300) == deals[300:310]).all())
    True
    """
    count, start = check_indices(count, start)
    known = check_known(known)
    sizes = [HAND_SIZE - mask.bit_count() for mask in known]
    return _deal(known, sizes, np.arange(start, start + count, dtype=np.int64), check_seed(seed))


def deals_around(hand_mask: int, count: int, seed: int, start: int = 0) -> NDArray[np.int64]:
    """Deals `start` to `start + count` of a seed in which seat 0 holds this hand.

    Returns
    -------
    int64 (count, 4)
        Mask of each seat's hand, a row a deal.

    >>> from sim42 import Hand
    >>> hand = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0")
    >>> bool((deals_around(hand.mask, 5, seed=1)[:, 0] == hand.mask).all())
    True
    """
    return random_deals(count, seed, (hand_mask, 0, 0, 0), start)


def deals_around_hands(
    masks: NDArray[np.int64], index: NDArray[np.int64], seed: int
) -> NDArray[np.int64]:
    """A deal around each of many hands: row k is deal ``index[k]`` around hand ``masks[k]``.

    Parameters
    ----------
    masks : int64 (n,)
        Hands, which seat 0 holds; one may come any number of times.
    index : int64 (n,)
        Indices of deals, 0 or more.
    seed : int
        0 to 2**64 - 1.

    Returns
    -------
    int64 (n, 4)
        Mask of each seat's hand, a row a deal.

    >>> masks = random_hands(3, seed=42)
    >>> deals = deals_around_hands(masks, np.array([0, 5, 5]), seed=42)
    >>> bool((deals[1] == deals_around(int(masks[1]), 1, seed=42, start=5)).all())
    True
    """
    return _deal((masks, 0, 0, 0), [0, *[HAND_SIZE] * 3], index, check_seed(seed))


def hands_at(index: NDArray[np.int64]) -> NDArray[np.int64]:
    """Masks of the hands with these numbers, 0 to 1,184,039.

    Raises
    ------
    RequestError
        When a number is out of range.

    >>> from sim42.game.tiles import format_tiles
    >>> [format_tiles(mask) for mask in hands_at(np.array([0, HANDS - 1])).tolist()]
    ['3-0 2-2 2-1 2-0 1-1 1-0 0-0', '6-6 6-5 6-4 6-3 6-2 6-1 6-0']
    """
    index = np.asarray(index)
    if index.ndim != 1 or (len(index) and index.dtype.kind not in "iu"):
        raise RequestError("hands are named by a list of whole numbers")
    if len(index) and not 0 <= index.min() <= index.max() < HANDS:
        raise RequestError(f"hands are numbered from 0 to {HANDS - 1}")
    return choose_tiles(np.full(len(index), ALL_TILES), HAND_SIZE, index.astype(np.uint64))


def random_hands(count: int, seed: int, start: int = 0) -> NDArray[np.int64]:
    """Masks of hands `start` to `start + count` of a seed: all hands, in random order.

    The order is that of one random word for each hand, so a longer run of the same seed begins
    with the same hands, and no hand comes twice.

    Raises
    ------
    RequestError
        When count, start or seed is out of range.

    >>> bool((random_hands(3, seed=42, start=2) == random_hands(5, seed=42)[2:]).all())
    True
    """
    count, start = whole(count, "count", 0, MAX_DEALS), whole(start, "start", 0, MAX_DEALS)
    if start + count > HANDS:
        raise RequestError(f"{start + count} different hands: there are {HANDS}")
    return hands_at(_shuffled(check_seed(seed))[start : start + count])


@lru_cache(maxsize=2)
def _shuffled(seed: int) -> NDArray[np.int64]:
    """Numbers of all hands in the order of a seed; a stream apart from that of the deals."""
    words = np.random.Philox(key=np.array([seed, 1], dtype=np.uint64)).random_raw(HANDS)
    return np.argsort(words, kind="stable")


def check_known(known: Masks) -> Masks:
    """The known tiles as plain ints, if they can be parts of the four hands of one deal.

    Raises
    ------
    TileError
        When they cannot.
    """
    try:
        first, second, third, fourth = (whole(mask, "mask", 0, ALL_TILES) for mask in known)
    except (TypeError, ValueError):
        raise TileError("known tiles are four masks of 28 bits, one a seat") from None
    known = (first, second, third, fourth)
    for seat in SEATS:
        if known[seat].bit_count() > HAND_SIZE:
            raise TileError(
                f"seat {seat}: {known[seat].bit_count()} known tiles; a hand has {HAND_SIZE}"
            )
        for other in range(seat):
            if both := known[other] & known[seat]:
                raise TileError(f"seat {seat}: {format_tiles(both)} is held by seat {other} too")
    return known


def _ways(sizes: list[int]) -> list[int]:
    """Ways to choose each seat's unknown tiles from those that the seats before it left."""
    return [comb(sum(sizes[seat:]), sizes[seat]) for seat in SEATS]


def check_indices(count: int, start: int) -> tuple[int, int]:
    """Both as plain ints; raises `RequestError` unless deals can be of these indices."""
    count, start = whole(count, "count", 0, MAX_DEALS), whole(start, "start", 0, MAX_DEALS)
    if start + count > MAX_DEALS:
        raise RequestError(f"{count} deals from {start} on: deals are numbered from 0 to 2**63 - 2")
    return count, start


def _deal(
    known: Sequence[int | NDArray[np.int64]], sizes: list[int], index: NDArray[np.int64], seed: int
) -> NDArray[np.int64]:
    """Deals of these indices; known tiles are those of all deals, or an array (n,) of each one's.

    `sizes` are the unknown tiles of each seat.
    """
    ways = _ways(sizes)
    words = philox(_counters(known, index), seed)
    number = number_below(prod(ways), words)
    deals = np.empty((len(index), 4), dtype=np.int64)
    rest = np.full(len(index), ALL_TILES & ~(known[0] | known[1] | known[2] | known[3]))
    for seat in SEATS:
        number, choice = np.divmod(number, np.uint64(ways[seat]))
        taken = (
            choose_tiles(rest, sizes[seat], choice) if ways[seat] > 1 else rest * (sizes[seat] > 0)
        )
        deals[:, seat] = known[seat] | taken
        rest &= ~taken
    return deals


def _counters(
    known: Sequence[int | NDArray[np.int64]], index: NDArray[np.int64]
) -> tuple[Words, Words, Words, int]:
    """The counter of each deal, counted from 1, as a stream of `numpy.random.Philox` would."""
    masks = [np.asarray(mask).astype(np.uint64) for mask in known]
    high = np.uint64(32)
    first = index.astype(np.uint64) + np.uint64(1)
    return first, masks[0] | masks[1] << high, masks[2] | masks[3] << high, 0
