"""When one looks whether the figures are as sure as was asked, while deals are solved.

Looks come after fixed numbers of deals, so that what is found depends on the deals alone.
"""

from typing import Final

FIRST_LOOK: Final = 250
"""Deals before the first look."""
GROWTH: Final = 2**0.5
"""Deals at a look, by those at the one before."""


def looks(most: int) -> list[int]:
    """Numbers of deals after which one looks; the last is the bound.

    >>> looks(1000), looks(100)
    ([250, 354, 500, 707, 1000], [100])
    """
    steps = [FIRST_LOOK]
    while steps[-1] < most:
        steps.append(round(FIRST_LOOK * GROWTH ** len(steps)))
    return [*steps[:-1], most]
