"""Who plays: a seat is given its view and names a tile.

A player is any object with the method of `Player`. Whatever it does by chance it takes from the
`Draw` that it is given, which depends on the seed, the deal and the number of the play alone; so a
hand is played the same on any threads and after any interruption.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim42.game.rules import Contract
from sim42.game.tiles import tiles_of
from sim42.game.tricks import Tricks
from sim42.game.views import View
from sim42.solver.kernels.draws import LOW
from sim42.solver.kernels.layouts import draw_numbers


class Draw(NamedTuple):
    """Where a decision takes its random numbers from.

    Attributes
    ----------
    seed, deal : int
        0 to 2**64 - 1, and the number of the deal, 0 to 2**63.
    play : int
        Tiles played before, 0 to 27.
    """

    seed: int
    deal: int
    play: int

    def numbers(self, bound: int, count: int = 1) -> NDArray[np.int64]:
        """The first so many numbers below a bound, at most 2**30; int64 (count,).

        >>> draw = Draw(seed=42, deal=0, play=3)
        >>> bool((draw.numbers(10, 5)[:2] == draw.numbers(10, 2)).all())
        True
        """
        key = (self.seed & LOW, self.seed >> 32)
        numbers: NDArray[np.int64] = draw_numbers(
            count, bound, key, (self.play, self.deal & LOW, self.deal >> 32)
        )
        return numbers


class Player(Protocol):
    """What decides for a seat that sees its own hand."""

    def choose(self, view: View, draw: Draw) -> int:
        """Tile id to play, one of `view.legal_mask`."""
        ...


class SeeingPlayer(Protocol):
    """What decides for a seat that sees all four hands, to measure what seeing is worth."""

    def choose_seeing(self, tricks: Tricks, contract: Contract) -> int:
        """Tile id to play, one of `tricks.legal_mask`."""
        ...


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any legal tile, all with equal chances."""

    def choose(self, view: View, draw: Draw) -> int:
        """One of the legal tiles."""
        legal = tiles_of(view.legal_mask)
        return legal[int(draw.numbers(len(legal))[0])]
