"""How often a hand makes each bid, told from what it holds without dealing or solving.

The chances come from logistic regressions, one for each kind of trump (a pip, doubles, follow me)
and each bid, on what a player sees in the hand: see `terms_of`. Their numbers, in ``outlook.csv``,
were fitted on a survey by ``scripts/outlook.py``, which also measures how far off they are
(results/passing.md): 5 percentage points at 30 and 2 to 4 at 42 for a trump and a hand.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.tiles import NAMES, TILES
from sim42.game.trumps import Trump
from sim42.tables.counts import BIDS
from sim42.tables.features import feature_numbers, kinds_of, ranks_held

NUMBERS: Final = Path(__file__).with_name("outlook.csv")
SUIT: Final = 7
"""Tiles of a trump suit."""
KINDS: Final = ("pip", "doubles", "follow-me")
_SEEN: Final = (
    "doubles",
    "bare",
    "protected",
    "cover",
    "count",
    "count_in_offs",
    "voids",
    "tops",
    "longest_side_suit",
    "points_at_risk",
)
TERMS: Final = (
    "one",
    *_SEEN,
    *(f"rank {rank}" for rank in range(1, 8)),
    "ranks 1 2",
    "ranks 1 2 3",
    "length * length",
    "length * doubles",
    "length * rank 1",
    *(NAMES[tile] for tile in TILES),
)
"""What the log-odds of a bid are a weighted sum of, in the order of `terms_of`."""


def terms_of(masks: NDArray[np.int64], trumps: NDArray[np.int64]) -> NDArray[np.float64]:
    """The `TERMS` of hands (n,) under trumps (n,), as (n, terms).

    They are columns of `sim42.tables.features.hand_features`; whether the trump of each rank is
    held, the highest first, and the highest two or three together; products with the length, which
    is the number of trumps, or of doubles with follow me; and whether each tile is held.

    >>> from sim42 import Hand
    >>> hand = np.array([Hand("6-6 6-5 6-4 5-5 5-4 1-1 1-0").mask])
    >>> terms = dict(zip(TERMS, terms_of(hand, np.array([6]))[0].tolist(), strict=True))
    >>> terms["rank 1"], terms["ranks 1 2 3"], terms["length * doubles"], terms["0-0"]
    (1.0, 1.0, 6.0, 0.0)
    """
    numbers = feature_numbers(masks, trumps)
    held = ranks_held(masks, trumps)
    two, doubles = held[:, 0] & held[:, 1], numbers["doubles"]
    length = np.where(trumps == Trump.FOLLOW_ME, doubles, numbers["trumps"])
    columns = [
        np.ones(len(masks)),
        *(numbers[name] for name in _SEEN),
        *held.T,
        two,
        two & held[:, 2],
        length**2,
        length * doubles,
        length * held[:, 0],
        *(masks >> tile & 1 for tile in TILES),
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def outlook(masks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chance of each of `BIDS` with each trump for hands (n,), as (n, 9, 13).

    A higher bid is never likelier than a lower one.

    >>> from sim42 import Hand
    >>> hands = np.array([Hand("6-6 6-5 6-4 6-3 6-2 6-1 6-0").mask])
    >>> chances = outlook(hands)[0]
    >>> chances.shape, float(chances[Trump.SIXES, -1]), bool(chances[Trump.ONES, 0] < 0.5)
    ((9, 13), 1.0, True)
    """
    weights = _weights()
    hands, trumps = np.repeat(masks, len(Trump)), np.tile(np.arange(len(Trump)), len(masks))
    chances = np.empty((len(hands), len(BIDS)))
    for kind in range(len(KINDS)):
        of_kind = kinds_of(trumps) == kind
        odds = terms_of(hands[of_kind], trumps[of_kind]) @ weights[kind]
        chances[of_kind] = 1 / (1 + np.exp(-odds))
    chances[takes_all(hands, trumps)] = 1
    falling = np.minimum.accumulate(chances, axis=-1)
    return falling.reshape(len(masks), len(Trump), len(BIDS))


def takes_all(masks: NDArray[np.int64], trumps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each hand (n,) is a lay-down that can be told at once.

    It leads its trumps, which are the highest without a gap and no fewer than those outside, and
    then tiles that nothing outside can beat. The regressions see too few of these.
    """
    numbers = feature_numbers(masks, trumps)
    drawn = (trumps == Trump.FOLLOW_ME) | (2 * numbers["trumps"] >= SUIT)
    no_gap, covered = numbers["tops"] == numbers["trumps"], numbers["cover"] == numbers["offs"]
    sure: NDArray[np.bool_] = drawn & no_gap & covered
    return sure


@lru_cache(maxsize=1)
def _weights() -> NDArray[np.float64]:
    """The fitted weight of each term, (kinds, terms, bids)."""
    lines = NUMBERS.read_text(encoding="utf-8").splitlines()
    rows = [line.split(",") for line in lines]
    names = [(kind, term) for kind in KINDS for term in TERMS]
    if rows[0] != ["kind", "term", *map(str, BIDS)] or [(*row[:2],) for row in rows[1:]] != names:
        raise ValueError(f"{NUMBERS}: made for other terms; run scripts/outlook.py")
    weights = np.array([row[2:] for row in rows[1:]], dtype=np.float64)
    return weights.reshape(len(KINDS), len(TERMS), len(BIDS))
