"""`AlphaMuPlayer`: plans its own plays for all layouts at once, as it cannot tell them apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim42.game.views import View
from sim42.play.pimc import PimcPlayer, asked, lookups_of
from sim42.solver.kernels.plans import count_planned


@dataclass(frozen=True)
class AlphaMuPlayer(PimcPlayer):
    """Alpha-mu, after Cazenave and Ventos: PIMC without most of its strategy fusion.

    The seat plays the tile with which one plan of its next `moves` plays makes (or sets) the
    contract in most layouts; a plan may depend on what others played, not on what they hold. With
    one move this is `PimcPlayer`, and equal tiles are told apart as by it.
    """

    moves: int

    def wins(self, view: View, layouts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Layouts that the best plan with each legal play wins; int64 (28,), -1 for other tiles.

        Of a play that cannot be best it is a bound, below the best.
        """
        counts: NDArray[np.int64] = count_planned(
            layouts, *asked(view), self.moves, *lookups_of(view)
        )
        return counts
