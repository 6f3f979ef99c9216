"""`DoubleDummyPlayer`: sees all four hands, to measure what seeing is worth."""

from dataclasses import dataclass

import numpy as np

from sim42.game.rules import Contract
from sim42.game.tiles import tiles_of
from sim42.game.tricks import Tricks
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.positions import play_block
from sim42.solver.lookups import lookups


@dataclass(frozen=True)
class DoubleDummyPlayer:
    """Plays a tile after which its side takes most when all play as well as can be.

    Four of them take in every deal what the deal is worth. Of equal tiles the lowest is played.
    """

    def choose_seeing(self, tricks: Tricks, contract: Contract) -> int:
        """The tile worth most."""
        legal = tiles_of(tricks.legal_mask)
        if len(legal) == 1:
            return legal[0]
        points, _ = play_block(
            np.array([tricks.hands], dtype=np.int64),
            np.array([(*tricks.table, -1, -1, -1)[:3]], dtype=np.int64),
            np.array([tricks.leader], dtype=np.int64),
            np.array([tricks.turn % 2], dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            *(array[np.newaxis] for array in lookups(tricks.trump, tricks.doubles)),
            ALL_BOUNDS,
        )
        return max(legal, key=lambda tile: int(points[0, 0, tile]))
