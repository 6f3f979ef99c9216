"""Fair figures: what a hand's rates are, by its own deals and by what hands like it make.

The best of many calls on a few deals owes part of that to luck, and so do the hands that look best
(the winner's curse). A fair rate is a hand's own, drawn towards what is expected of a hand with its
features, by as much as its deals leave open (partial pooling, empirical Bayes). What is expected is
learned from the other hands of the run. ``scripts/winners_curse.py`` measures how good that is.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.game.tiles import TILES
from sim42.game.trumps import Trump
from sim42.tables.features import FEATURES, hand_features
from sim42.tables.stats import LEVEL

Numbers = NDArray[np.float64]

LEAST_HANDS: Final = 30
"""Hands with a trump from which something can be learned about others."""
FOLDS: Final = 10
"""What is expected of a hand is learned from the nine tenths of the hands that it is not in."""
MOST_LEARNED: Final = 50_000
"""Hands that are learned from at most, and taken at a time."""
_SEEN: Final = [name for name in FEATURES if name not in ("kind", "offs", "shape")]
_RIDGE: Final = 3.0
_DEGREE: Final = 3
_STEPS: Final = 8
_LIKENESS: Final = (0.002, 0.5)
"""Bounds: what is expected of a hand is worth one deal at least, and not thousands."""
_CUTS: Final = (0.005, 0.01, 0.02, 0.05, *np.arange(0.1, 0.95, 0.1), 0.95, 0.98, 0.99, 0.995)
"""Shares of the hands, ordered by what is expected of them, at which their spread is told apart."""
_LEAST_PART: Final = 100


class FairRates(NamedTuple):
    """What is known of rates: beta distributions, (rows, bids); nan where nothing is.

    Attributes
    ----------
    made, failed : float arrays
        As if so many deals had been made and failed, those of the hand itself and those that what
        is expected of it is worth.
    """

    made: Numbers
    failed: Numbers

    @property
    def mean(self) -> Numbers:
        """The fair rates."""
        return self.made / (self.made + self.failed)

    def interval(self, level: float = LEVEL) -> tuple[Numbers, Numbers]:
        """The ends between which the rates are with a probability.

        Half a deal made and half a deal failed are added (as of Jeffreys), so that a few deals that
        all went one way, as was expected, are not taken for certain.
        """
        from scipy.special import betaincinv  # a third of a second to import

        made, failed = self.made + 0.5, self.failed + 0.5
        low, high = (
            betaincinv(made, failed, share) for share in (0.5 - level / 2, 0.5 + level / 2)
        )
        return np.minimum(low, self.mean), np.maximum(high, self.mean)


def fair_rates(
    masks: NDArray[np.int64],
    trumps: NDArray[np.int64],
    made: NDArray[np.int64],
    deals: NDArray[np.int64],
) -> FairRates:
    """The rates of many hands under their trumps, each drawn towards what hands like it make.

    For each trump, and each bid, a ridge regression on the features of the hand, their squares and
    products, and its tiles gives a score of each hand, learned from the others; a logistic curve
    turns scores into expected rates; and how far rates of hands with like expectations lie apart,
    beyond the chance of the deals, says how many deals the expectation is worth (beta-binomial).

    Parameters
    ----------
    masks, trumps : int arrays (rows,)
        Hands and trump ids.
    made : int array (rows, bids)
        Deals that make each bid.
    deals : int array (rows,)
        Deals.

    Returns
    -------
    FairRates
        (rows, bids); nan for trumps that fewer than `LEAST_HANDS` hands have.

    >>> import numpy as np
    >>> from sim42.deals.random import random_hands
    >>> masks, none = random_hands(40, 1), np.zeros(40, dtype=np.int64)
    >>> fair = fair_rates(masks, none, np.full((40, 1), 3), np.full(40, 4))
    >>> bool((abs(fair.mean - 0.75) < 0.02).all())
    True
    """
    _, hand = np.unique(masks, return_inverse=True)
    fold = hand % FOLDS
    learned = FairRates(*np.full((2, *made.shape), np.nan))
    for trump in Trump:
        rows = np.flatnonzero((trumps == trump) & (deals > 0))
        if len(rows) < LEAST_HANDS:
            continue
        n = deals[rows, np.newaxis].astype(np.float64)
        rates = made[rows] / n
        scores = _scores(masks[rows], trump, rates, fold[rows])
        for bid in range(made.shape[1]):
            expected = _curve(scores[:, bid], rates[:, bid])
            worth = _worth(expected, rates[:, bid], n[:, 0])
            learned.made[rows, bid] = made[rows, bid] + worth * expected
            learned.failed[rows, bid] = n[:, 0] - made[rows, bid] + worth * (1 - expected)
    return learned


def _scores(
    masks: NDArray[np.int64], trump: Trump, rates: Numbers, fold: NDArray[np.intp]
) -> Numbers:
    """Regression of rates on what hands hold; of each fold by what the others tell, (hands, bids).

    Of very many hands some tell enough.
    """
    some = slice(None, None, -(-len(masks) // MOST_LEARNED))
    seen = _seen(masks[some], trump)
    middle, spread = seen.mean(axis=0), np.maximum(seen.std(axis=0), 1e-6)
    columns, told, of_fold = _columns(masks[some], trump, middle, spread), rates[some], fold[some]
    parts = [(columns[of_fold == k], told[of_fold == k]) for k in range(FOLDS)]
    products, effects = [x.T @ x for x, _ in parts], [x.T @ y for x, y in parts]
    ridge = sum(products, _RIDGE * np.eye(columns.shape[1]))
    weights = [
        np.linalg.solve(ridge - product, sum(effects) - effect)
        for product, effect in zip(products, effects, strict=True)
    ]
    scores = np.empty_like(rates)
    for start in range(0, len(masks), MOST_LEARNED):
        part = slice(start, start + MOST_LEARNED)
        columns = _columns(masks[part], trump, middle, spread)
        for k, weight in enumerate(weights):
            scores[part][fold[part] == k] = columns[fold[part] == k] @ weight
    return scores


def _seen(masks: NDArray[np.int64], trump: Trump) -> Numbers:
    return hand_features(masks, trump)[_SEEN].to_numpy(dtype=np.float64)


def _columns(masks: NDArray[np.int64], trump: Trump, middle: Numbers, spread: Numbers) -> Numbers:
    """What a score is made of: features, their squares and products, and tiles, (hands, ...)."""
    seen = (_seen(masks, trump) - middle) / spread
    first, second = np.triu_indices(len(_SEEN))
    tiles = masks[:, np.newaxis] >> np.array(TILES) & 1
    return np.hstack([seen, seen[:, first] * seen[:, second], tiles])


def _curve(score: Numbers, rate: Numbers) -> Numbers:
    """Expected rates: a logistic curve of the score, fitted by Newton's steps."""
    powers = (2 * np.clip(score, -0.3, 1.3) - 1)[:, np.newaxis] ** np.arange(_DEGREE + 1)
    at = np.zeros(_DEGREE + 1)
    at[1] = 2.0
    for _ in range(_STEPS):
        expected = _logistic(powers @ at)
        weight = expected * (1 - expected)
        slope = (powers.T * weight) @ powers + 0.01 * np.eye(len(at))
        at = at + np.linalg.solve(slope, powers.T @ (rate - expected))
    return _logistic(powers @ at)


def _logistic(value: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-np.clip(value, -8, 8)))


def _worth(expected: Numbers, rate: Numbers, deals: Numbers) -> Numbers:
    """How many deals of its own what is expected of a hand is worth, by the spread around it.

    A beta distribution with mean m and a likeness r between deals of a hand gives rates of n deals
    the variance m (1 - m) (r + (1 - r) / n); it is worth 1 / r - 1 deals.
    """
    order = np.argsort(expected, kind="stable")
    cuts = np.unique((np.array(_CUTS) * len(order)).astype(int))
    cuts = cuts[(cuts >= _LEAST_PART) & (cuts <= len(order) - _LEAST_PART)]
    widest = expected * (1 - expected)
    beyond = (rate - expected) ** 2 - widest / deals
    most = widest * (1 - 1 / deals)
    means, likeness = [], []
    for part in np.split(order, cuts):
        means.append(expected[part].mean())
        likeness.append(beyond[part].sum() / max(most[part].sum(), 1e-12))
    r = np.interp(expected, means, np.clip(likeness, *_LIKENESS))
    worth: Numbers = 1 / r - 1
    return worth
