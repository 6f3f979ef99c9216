"""`AlphaMuPlayer`: plans its own plays for all layouts at once, as it cannot tell them apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim42.game.tiles import tiles_of
from sim42.game.views import View
from sim42.play.club import best_of
from sim42.play.pimc import asked, layouts_of, lookups_of
from sim42.play.players import Draw
from sim42.solver.kernels.plans import count_planned


@dataclass(frozen=True)
class AlphaMuPlayer:
    """Alpha-mu, after Cazenave and Ventos: PIMC without most of its strategy fusion.

    The seat draws `layouts` layouts and plays the tile with which one plan of its next `moves`
    plays makes (or sets) the contract in most of them; a plan may depend on what others played, not
    on what they hold. With one move this is `PimcPlayer`. Of equal tiles a club player's.
    """

    layouts: int
    moves: int

    def choose(self, view: View, draw: Draw) -> int:
        """The tile with the best plan."""
        legal = view.legal_mask
        if not legal & (legal - 1):
            return tiles_of(legal)[0]
        counts = self.counts(view, draw)
        most = counts.max()
        return best_of(view, sum(1 << tile for tile in tiles_of(legal) if counts[tile] == most))

    def counts(self, view: View, draw: Draw) -> NDArray[np.int64]:
        """Layouts that the best plan with each legal play wins; int64 (28,), -1 for other tiles.

        Of a play that cannot be best it is a bound, below the best.
        """
        counts: NDArray[np.int64] = count_planned(
            layouts_of(view, draw, self.layouts), *asked(view), self.moves, *lookups_of(view)
        )
        return counts
