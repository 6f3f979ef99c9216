"""A `Block`, the work of one call: some hands of a study times some deals of each, counted.

Its counts depend on the study and on those two ranges alone, so blocks can be counted in any order,
of any size, anywhere, and added.
"""

from threading import Event
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.random import deals_around
from sim42.game.rules import Rules
from sim42.game.tiles import ENDS, mask_of
from sim42.game.trumps import Trump
from sim42.runs.sample import POINTS
from sim42.runs.study import Study
from sim42.solver.kernels.search import solve_block
from sim42.solver.lookups import stacked

CHUNK: Final = 128
"""Deals solved between two looks at the stop sign, well below a second's work."""


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
    seed, floor, rules
        As in the study.
    """

    hands: range
    deals: range
    masks: NDArray[np.int64]
    trumps: NDArray[np.bool_]
    seed: int
    floor: int
    rules: Rules


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
    even, odd : int32 (rows, 14)
        Deals of even and of odd number that gave 29 (less than 30), 30, ... 42 points.
    """

    hands: range
    deals: range
    mask: NDArray[np.int64]
    trump: NDArray[np.int8]
    even: NDArray[np.int32]
    odd: NDArray[np.int32]


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
    return Block(hands, deals, masks, trumps, study.seed, study.floor, study.rules)


def count_block(block: Block, stop: Event | None = None) -> Counts:
    """Solve a block and count; once `stop` is set, only the hands finished by then.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1, trumps=["sixes"])
    >>> counts = count_block(block_of(study, range(1), range(10)))
    >>> int(counts.even[0, -1]), int(counts.odd[0, -1])  # it takes every trick of every deal
    (5, 5)
    """
    rows = []
    for mask, wanted in zip(block.masks.tolist(), block.trumps, strict=True):
        trumps = [Trump(trump) for trump in np.flatnonzero(wanted).tolist()]
        counts = np.zeros((len(trumps), 2, len(POINTS)), dtype=np.int32)
        for start in block.deals[::CHUNK]:
            if stop is not None and stop.is_set():
                break
            counts += _count(
                mask, range(start, min(start + CHUNK, block.deals.stop)), trumps, block
            )
        else:
            rows.append(counts)
            continue
        break
    finished = block.trumps[: len(rows)]
    hand, trump = np.nonzero(finished)
    both = np.concatenate([np.empty((0, 2, len(POINTS)), dtype=np.int32), *rows])
    hands = block.hands[: len(rows)]
    return Counts(
        hands, block.deals, block.masks[hand], trump.astype(np.int8), both[:, 0], both[:, 1]
    )


def _count(mask: int, deals: range, trumps: list[Trump], block: Block) -> NDArray[np.intp]:
    """Deals by trump, parity of the deal and points, (len(trumps), 2, 14)."""
    dealt = deals_around(mask, len(deals), block.seed, deals.start)
    leaders = np.zeros((len(deals), 1), dtype=np.int64)
    points = solve_block(dealt, *stacked(trumps, block.rules), leaders, block.floor)[:, :, 0]
    parity = np.arange(deals.start, deals.stop)[:, np.newaxis] % 2
    cell = (2 * np.arange(len(trumps)) + parity) * len(POINTS) + points - POINTS[0]
    cells = 2 * len(trumps) * len(POINTS)
    return np.bincount(cell.ravel(), minlength=cells).reshape(len(trumps), 2, len(POINTS))


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
