"""Seeds of random deals and hands."""

import operator
import secrets
from typing import Final, SupportsIndex

from sim42.errors import RequestError, shown

MAX_SEED: Final = 2**64 - 1


def fresh_seed() -> int:
    """A seed for a run that was given none: 32 bits, easy to type, from the operating system.

    >>> 0 <= fresh_seed() < 2**32
    True
    """
    return secrets.randbits(32)


def check_seed(seed: SupportsIndex) -> int:
    """The seed, if it is one.

    Raises
    ------
    RequestError
        When it is not a whole number from 0 to 2**64 - 1.

    >>> check_seed(42)
    42
    """
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number <= MAX_SEED:
        raise RequestError(f"seed {shown(seed)}: a seed is a whole number from 0 to {MAX_SEED}")
    return number
