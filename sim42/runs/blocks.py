"""A `Block`, the work of one call: some hands of a study times some deals of each, counted.

Its counts depend on the study and on those two ranges alone, so blocks can be counted in any order,
of any size, anywhere, and added.
"""

from collections.abc import Sequence
from threading import Event
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given, given_deals
from sim42.game.rules import Rules
from sim42.game.tiles import ENDS, mask_of
from sim42.game.trumps import Trump
from sim42.runs.bidding import bid_estimate
from sim42.runs.playing import Playing, play_bids
from sim42.runs.sample import points_told
from sim42.runs.study import Study
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.lookups import stacked

DEALT: Final = 8192
"""Deals dealt at once, of as many hands as that takes: their cost is that of few large arrays."""
CHUNK: Final = 128
"""Deals solved between two looks at the stop sign, well below a second's work."""
PILOT: Final = 50
"""First deals of a hand that choose the trump to play; they do so however many are asked for."""
NOT_PLAYED: Final = np.zeros((0, 0), dtype=np.int32)


class Block(NamedTuple):
    """Work for one call of `count_block`: all that it needs, small enough to send anywhere.

    Attributes
    ----------
    hands, deals : range
        Places of the hands in the study, and the deals around each.
    masks : int64 (len(hands),)
        The hands.
    trumps : bool (len(hands), 9)
        Trumps to solve for each hand.
    seed, floor, rules, given, playing
        As in the study.
    """

    hands: range
    deals: range
    masks: NDArray[np.int64]
    trumps: NDArray[np.bool_]
    seed: int
    floor: int
    rules: Rules
    given: Given | None = None
    playing: Playing | None = None


class Counts(NamedTuple):
    """What a block gave: a row for each of its hands and trumps, in order.

    Attributes
    ----------
    hands, deals : range
        As in the block; fewer hands when it was stopped before its end.
    mask : int64 (rows,)
        The hand.
    trump : int8 (rows,)
        Trump id.
    even, odd : int32 (rows, 14), or (rows, 43) of floor 0
        Deals of even and of odd number that gave 29 (less than 30), 30, ... 42 points, or 0 ... 42.
    bids : tuple of int
        Bids that were played.
    played : int32 (rows, 1 + 3 bids), or (0, 0) when none were
        Deals played, of one trump of each hand; for each bid those in which it was made, those in
        which it makes double dummy, and those of which both is true.
    """

    hands: range
    deals: range
    mask: NDArray[np.int64]
    trump: NDArray[np.int8]
    even: NDArray[np.int32]
    odd: NDArray[np.int32]
    bids: tuple[int, ...] = ()
    played: NDArray[np.int32] = NOT_PLAYED


def block_of(study: Study, hands: range, deals: range) -> Block:
    """The block of these hands and deals of a study.

    >>> block = block_of(Study(hands=10, seed=1), range(2, 5), range(100))
    >>> block.masks.shape, block.trumps.shape
    ((3,), (3, 9))
    """
    masks = study.masks(hands.start, hands.stop)
    if study.trumps == "plausible":
        trumps = plausible_trumps(masks)
    else:
        trumps = np.tile([trump in study.trumps for trump in Trump], (len(masks), 1))
    return Block(
        hands, deals, masks, trumps, study.seed, study.floor, study.rules, study.known, study.played
    )


def count_block(block: Block, stop: Event | None = None) -> Counts:
    """Solve a block and count; once `stop` is set, only the hands finished by then.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1, trumps=["sixes"])
    >>> counts = count_block(block_of(study, range(1), range(10)))
    >>> int(counts.even[0, -1]), int(counts.odd[0, -1])  # it takes every trick of every deal
    (5, 5)
    """
    counts = _solved(block, stop)
    return counts if block.playing is None else _with_games(block, counts, block.playing, stop)


def _solved(block: Block, stop: Event | None) -> Counts:
    """The deals of a block solved double dummy."""
    told = points_told(block.floor)
    counts = np.zeros((block.trumps.sum(), 2, len(told)), dtype=np.int32)
    # The row of each (hand, trump) that is wanted.
    rows = np.cumsum(block.trumps).reshape(block.trumps.shape) - 1
    total, done = len(block.masks) * len(block.deals), 0
    # What is known may make deals rare: then they are dealt in small numbers, to see the stop sign.
    dealt_at_once = DEALT if block.given is None else CHUNK
    estimate = bid_estimate(block.rules, threads=1)
    while done < total:
        work = np.arange(done, min(done + dealt_at_once, total))
        hand, index = work // len(block.deals), work % len(block.deals) + block.deals.start
        dealt = given_deals(block.masks[hand], index, block.seed, block.given, estimate)
        for start in range(0, len(work), CHUNK):
            if stop is not None and stop.is_set():
                return _counts_of(block, counts, range(done // len(block.deals)))
            chunk = np.arange(start, min(start + CHUNK, len(work)))
            for trump in np.flatnonzero(block.trumps[hand[chunk]].any(axis=0)).tolist():
                part = chunk[block.trumps[hand[chunk], trump]]
                points = _solve(dealt[part], Trump(trump), block)
                cell = (rows[hand[part], trump], index[part] % 2, points - told[0])
                np.add.at(counts, cell, 1)
            done += len(chunk)
    return _counts_of(block, counts, range(len(block.masks)))


def _with_games(block: Block, counts: Counts, playing: Playing, stop: Event | None) -> Counts:
    """The counts with the games of each hand; of fewer hands once `stop` is set."""
    bids = tuple(playing.bids)
    index = np.arange(block.deals.start, block.deals.stop)
    played = np.zeros((len(counts.mask), 1 + 3 * len(bids)), dtype=np.int32)
    finished = 0
    for mask, trumps in zip(block.masks[: len(counts.hands)], block.trumps, strict=False):
        if stop is not None and stop.is_set():
            break
        trump = trump_to_play(block, mask, [trump for trump in Trump if trumps[trump]], bids)
        deals = _deals_around(block, mask, index)
        times = play_bids(
            deals, trump, playing, block.seed, block.deals.start, block.rules, threads=1
        )
        both = times[:, 1, 1]
        of_bids = np.stack([times[:, :, 1].sum(axis=1), times[:, 1].sum(axis=1), both], axis=1)
        row = (counts.mask == mask) & (counts.trump == trump)
        played[row] = [len(index), *of_bids.ravel()]
        finished += 1
    rows = np.isin(counts.mask, block.masks[:finished])
    return counts._replace(
        hands=counts.hands[:finished],
        mask=counts.mask[rows],
        trump=counts.trump[rows],
        even=counts.even[rows],
        odd=counts.odd[rows],
        bids=bids,
        played=played[rows],
    )


def trump_to_play(block: Block, mask: int, trumps: Sequence[Trump], bids: Sequence[int]) -> Trump:
    """The one of some trumps with which the bids of a hand of a block are played.

    It is the one that makes the lowest of them most often, double dummy, in the first deals around
    the hand (`PILOT`); of equals the one that makes the next bid most often; then the first.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1)
    >>> block = block_of(study, range(1), range(10))
    >>> trump_to_play(block, block.masks[0], tuple(Trump), [30, 42])
    <Trump.SIXES: 6>
    """
    deals = _deals_around(block, mask, np.arange(PILOT))

    def made(trump: Trump) -> list[int]:
        points = _solve(deals, trump, block)[:, np.newaxis]
        times: list[int] = (points >= np.array(bids)).sum(axis=0).tolist()
        return times

    return max(trumps, key=made)


def _deals_around(block: Block, mask: int, index: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deals of these numbers around a hand, such as the block is about."""
    estimate = bid_estimate(block.rules, threads=1)
    return given_deals(np.full(len(index), mask), index, block.seed, block.given, estimate)


def _solve(deals: NDArray[np.int64], trump: Trump, block: Block) -> NDArray[np.int8]:
    """Points of seats 0 and 2 in each deal under one trump, (n,)."""
    leaders = np.zeros((len(deals), 1), dtype=np.int64)
    arrays = stacked((trump,), block.rules)
    points: NDArray[np.int8] = solve_block(deals, *arrays, leaders, block.floor, ALL_BOUNDS)[0]
    return points[:, 0, 0]


def _counts_of(block: Block, counts: NDArray[np.int32], finished: range) -> Counts:
    """The counts of the first hands of a block, those that are finished."""
    hand, trump = np.nonzero(block.trumps[: len(finished)])
    even, odd = counts[: len(hand), 0], counts[: len(hand), 1]
    hands = block.hands[: len(finished)]
    return Counts(hands, block.deals, block.masks[hand], trump.astype(np.int8), even, odd)


_SUIT_MASKS: Final = np.array(
    [mask_of(tile for tile, ends in enumerate(ENDS) if pip in ends) for pip in range(7)]
    + [mask_of(tile for tile, (high, low) in enumerate(ENDS) if high == low)] * 2
)
"""Tiles that make a trump plausible: those with its pip, or the doubles."""


def plausible_trumps(masks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Trumps of which each hand holds two tiles or more, doubles counting for follow me; (n, 9).

    Every hand has one.

    >>> from sim42 import Hand
    >>> hand = Hand("6-6 5-5 4-4 3-3 2-2 1-1 0-0")
    >>> [str(Trump(i)) for i in np.flatnonzero(plausible_trumps(np.array([hand.mask])))]
    ['doubles', 'follow-me']
    """
    counts: NDArray[np.uint8] = np.bitwise_count(masks[:, np.newaxis] & _SUIT_MASKS)
    return counts >= 2
