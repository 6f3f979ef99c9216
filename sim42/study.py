"""A `Study`: which hands, under which trumps, on how many deals; and the counting of one block.

A block is some hands of the study times some deals of each. Its counts depend on the study and on
those two ranges alone, so blocks can be counted in any order, of any size, anywhere, and added.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals import deals_around, hands_at, random_hands
from sim42.errors import RequestError
from sim42.kernels.search import solve_block
from sim42.lookups import stacked
from sim42.rules import Rules
from sim42.seeds import check_seed
from sim42.simulate import FLOOR, POINTS
from sim42.tiles import ENDS, HANDS, Hand, mask_of
from sim42.trumps import Trump, choose_trumps

MAX_DEALS: Final = 10**9
"""Deals a hand: what is counted must fit in 32 bits."""
CHUNK: Final = 128
"""Deals solved between two looks at the stop sign, well below a second's work."""

Plausible = Literal["plausible"]


@dataclass(frozen=True, kw_only=True)
class Study:
    """The question of a survey.

    Parameters
    ----------
    hands : int, range, or sequence of Hand, str or int
        So many random hands, all different, which depend on the seed; or a range of the numbers 0
        to 1,184,039 of all hands; or these hands (texts, or masks).
    deals : int
        Deals around each hand; all its trumps see the same ones.
    seed : int
        0 to 2**64 - 1.
    trumps : sequence of Trump, or "plausible"
        Trumps to solve for; "plausible" are those of which a hand holds two tiles or more, and
        doubles and follow me with two doubles or more.
    floor : int
        Lowest bid that matters, 30 to 42; a higher one is faster and says nothing of lower bids.
    rules : Rules
        Options of the game.

    Raises
    ------
    RequestError
        When a number is out of range, there are no hands or trumps, or one comes twice.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1, trumps=["sixes"])
    >>> study.trumps, len(study)
    ((<Trump.SIXES: 6>,), 1)
    """

    hands: int | range | Sequence[Hand | str | int]
    deals: int = 100
    seed: int
    trumps: Sequence[Trump | str] | Plausible = tuple(Trump)
    floor: int = FLOOR
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        for name in ("deals", "floor", "seed"):
            if isinstance(number := getattr(self, name), np.integer):
                object.__setattr__(self, name, int(number))
        object.__setattr__(self, "hands", _checked_hands(self.hands))
        object.__setattr__(self, "trumps", _checked_trumps(self.trumps))
        check_seed(self.seed)
        if not isinstance(self.deals, int) or not 1 <= self.deals <= MAX_DEALS:
            raise RequestError(f"deals {self.deals}: from 1 to {MAX_DEALS} a hand")
        if not isinstance(self.floor, int) or not FLOOR <= self.floor <= 42:
            raise RequestError(f"floor {self.floor}: a bid from 30 to 42")

    def __len__(self) -> int:
        """Number of hands."""
        return self.hands if isinstance(self.hands, int) else len(self.hands)

    def masks(self, start: int, stop: int) -> NDArray[np.int64]:
        """Masks of hands `start` to `stop` of the study."""
        if isinstance(self.hands, int):
            return random_hands(stop - start, self.seed, start)
        if isinstance(self.hands, range):
            return hands_at(np.array(self.hands[start:stop], dtype=np.int64))
        return np.array(self.hands[start:stop], dtype=np.int64)

    def as_dict(self) -> dict[str, Any]:
        """The question as plain values; hands that were listed by their number and digest."""
        hands: dict[str, Any]
        if isinstance(self.hands, int):
            hands = {"random": self.hands}
        elif isinstance(self.hands, range):
            hands = {"from": self.hands.start, "to": self.hands.stop}
        else:
            masks = self.masks(0, len(self)).astype("<i8")
            hands = {"listed": len(self), "sha256": hashlib.sha256(masks.tobytes()).hexdigest()}
        plausible = self.trumps == "plausible"
        return {
            "hands": hands,
            "deals": self.deals,
            "seed": int(self.seed),
            "trumps": "plausible" if plausible else [str(trump) for trump in self.trumps],
            "floor": self.floor,
            "rules": self.rules.as_dict(),
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any], listed: Sequence[int] = ()) -> "Study":
        """The study that `as_dict` stored; `listed` are its hands if they were listed.

        >>> study = Study(hands=range(5, 9), seed=1)
        >>> Study.from_dict(study.as_dict()) == study
        True
        """
        hands = stored["hands"]
        chosen = hands.get("random") or listed or range(hands["from"], hands["to"])
        return cls(**{**stored, "hands": chosen, "rules": Rules(**stored["rules"])})


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


def _checked_hands(
    hands: int | range | Sequence[Hand | str | int],
) -> int | range | tuple[int, ...]:
    if isinstance(hands, np.integer):
        hands = int(hands)
    if isinstance(hands, int | range):
        if isinstance(hands, range) and hands.step != 1:
            raise RequestError(f"hands {hands}: a range without gaps")
        if isinstance(hands, range) and not 0 <= hands.start < hands.stop <= HANDS:
            raise RequestError(
                f"hands {hands.start} to {hands.stop}: a part of 0 to {HANDS}, not empty"
            )
        if isinstance(hands, int) and not 1 <= hands <= HANDS:
            raise RequestError(f"hands {hands}: from 1 to {HANDS} different hands")
        return hands
    masks = tuple(Hand(hand).mask for hand in hands)
    if not masks:
        raise RequestError("no hands: give one at least")
    if len(set(masks)) < len(masks):
        places: dict[int, int] = {}
        for place, mask in enumerate(masks, start=1):
            if (first := places.setdefault(mask, place)) < place:
                raise RequestError(f"hand {place}, {Hand(mask)}: is hand {first} too")
    return masks


def _checked_trumps(trumps: Iterable[Trump | str] | Plausible) -> tuple[Trump, ...] | Plausible:
    if trumps == "plausible":
        return "plausible"
    return tuple(sorted(choose_trumps(trumps)))
