"""Philox4x64-10: four random words for each counter, all counters at once.

A counter-based generator (Salmon et al., SC 2011) whose words depend on a key and a counter alone,
so that nothing has to be drawn in turn. `numpy.random.Philox` gives the same words for counters
that follow each other; here every row has one of its own.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

ROUNDS: Final = 10
MULTIPLIERS: Final = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
STEPS: Final = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
"""What is added to the two words of the key after each round."""
HALF: Final = np.uint64(32)
LOW: Final = np.uint64(2**32 - 1)


def philox(counters: tuple[Words | int, Words | int, Words | int, Words | int], key: int) -> Words:
    """Random words of each counter under the key (`key`, 0).

    Parameters
    ----------
    counters : four of uint64 (n,) or int
        The words of the counters, lowest first; at least one is an array.
    key : int
        0 to 2**64 - 1.

    Returns
    -------
    uint64 (4, n)

    >>> words = philox((np.arange(1, 4, dtype=np.uint64), 7, 0, 0), key=42)
    >>> stream = np.random.Philox(key=[42, 0], counter=[0, 7, 0, 0])  # it adds one before it draws
    >>> bool((words.T.ravel() == stream.random_raw(12)).all())
    True
    """
    a, b, c, d = np.broadcast_arrays(*(np.asarray(word, dtype=np.uint64) for word in counters))
    keys = [key, 0]
    for _ in range(ROUNDS):
        (high_a, low_a), (high_c, low_c) = _product(a, MULTIPLIERS[0]), _product(c, MULTIPLIERS[1])
        a, b, c, d = high_c ^ b ^ np.uint64(keys[0]), low_c, high_a ^ d ^ np.uint64(keys[1]), low_a
        keys = [(word + step) % 2**64 for word, step in zip(keys, STEPS, strict=True)]
    return np.stack([a, b, c, d])


def _product(words: Words, factor: int) -> tuple[Words, Words]:
    """High and low word of the 128-bit products with a factor, from products of half words."""
    factor_high, factor_low = np.uint64(factor >> 32), np.uint64(factor) & LOW
    high, low = words >> HALF, words & LOW
    low_low, low_high = low * factor_low, low * factor_high
    # At most (2**32 - 1) * 2**32: no carry is lost.
    middle = high * factor_low + (low_low >> HALF)
    over = low_high + (middle & LOW)
    return high * factor_high + (middle >> HALF) + (over >> HALF), words * np.uint64(factor)
