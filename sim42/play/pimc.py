"""`PimcPlayer`: solves every legal play in layouts drawn from all that fit what the seat knows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim42.game.tiles import MOST_POINTS, SEATS, tiles_of
from sim42.game.views import View
from sim42.play.club import best_of
from sim42.play.players import Draw
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.choices import count_reaching, sum_points
from sim42.solver.kernels.layouts import count_layouts, lay_numbers
from sim42.solver.lookups import lookups

Weigh = Callable[[View, NDArray[np.int64]], NDArray[np.float64]]
"""How likely each of some layouts (n, 4) is for who has this view, up to a factor; float (n,)."""
CANDIDATES: Final = 16
"""Layouts drawn for each that is kept, where they are weighed."""
BOUND: Final = 1 << 30
"""Of the random number that places the comb."""


@dataclass(frozen=True)
class PimcPlayer:
    """Perfect information Monte Carlo.

    The seat draws `layouts` layouts and plays the tile after which its side makes (or sets) the
    contract in most of them when all go on with all hands seen; of equal ones the tile after which
    it takes most points over all layouts; of these a club player's. That order was chosen by
    measurement (results/players.md).

    Layouts are drawn with equal chances, or in proportion to what `weigh` says of them.
    """

    layouts: int
    weigh: Weigh | None = field(default=None, kw_only=True, repr=False)

    def choose(self, view: View, draw: Draw) -> int:
        """The tile that makes most often."""
        legal = view.legal_mask
        if not legal & (legal - 1):
            return tiles_of(legal)[0]
        layouts = layouts_of(view, draw, self.layouts, self.weigh)
        best = most(self.wins(view, layouts), legal)
        if best & (best - 1):
            points = sum_points(layouts, *asked(view)[:2], best, *lookups_of(view))
            best = most(points, best)
        return best_of(view, best)

    def wins(self, view: View, layouts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Layouts (n, 4) in which each legal play wins; int64 (28,), -1 for other tiles."""
        counts: NDArray[np.int64] = count_reaching(layouts, *asked(view), *lookups_of(view))
        return counts


def most(figures: NDArray[np.int64], tiles: int) -> int:
    """Mask of those of some tiles that have the greatest figure."""
    greatest = max(figures[tile] for tile in tiles_of(tiles))
    return sum(1 << tile for tile in tiles_of(tiles) if figures[tile] == greatest)


def asked(view: View) -> tuple[NDArray[np.int64], int, int]:
    """Tiles on the table (3,), who led them, and the points that the seat's side yet needs."""
    need = view.contract.points if view.declares else MOST_POINTS + 1 - view.contract.points
    table = np.array((*view.table, -1, -1, -1)[:3], dtype=np.int64)
    return table, view.leader, need - view.points[view.side]


def lookups_of(view: View) -> tuple[NDArray[np.int64] | int, ...]:
    """The rules of the hand as the last arguments of a kernel."""
    return (*lookups(view.trump, view.doubles), ALL_BOUNDS)


def layouts_of(view: View, draw: Draw, count: int, weigh: Weigh | None = None) -> NDArray[np.int64]:
    """Hands of all seats in layouts drawn from those that fit a view.

    Without `weigh` all have equal chances. With it, `CANDIDATES` times as many are drawn, or all
    there are, and of these `count` in proportion to their weights.

    Returns
    -------
    int64 (n, 4)
        `count` rows; without weights every layout once when there are no more of them.
    """
    others = [seat for seat in SEATS if seat != view.seat]
    may_hold = np.array([view.may_hold[seat] for seat in others], dtype=np.int64)
    sizes = np.array([view.sizes[seat] for seat in others], dtype=np.int64)
    ways = int(count_layouts(may_hold, sizes))
    wanted = count if weigh is None else count * CANDIDATES
    numbers = np.arange(ways) if ways <= wanted else draw.numbers(ways, wanted)
    hands = np.empty((len(numbers), 4), dtype=np.int64)
    hands[:, others] = lay_numbers(may_hold, sizes, numbers)
    hands[:, view.seat] = view.hand
    return hands if weigh is None else _in_proportion(hands, weigh(view, hands), draw, count)


def _in_proportion(
    hands: NDArray[np.int64], weights: NDArray[np.float64], draw: Draw, count: int
) -> NDArray[np.int64]:
    """So many rows, each as often as its weight says, but for one more or less.

    One random number places an even comb over the weights. It is the draw after all candidates, so
    that it does not depend on them.
    """
    upto = np.cumsum(weights)
    if not upto[-1] > 0:
        upto = np.arange(1.0, len(hands) + 1)
    start = draw.numbers(BOUND, count * CANDIDATES + 1)[-1] / BOUND
    teeth = (np.arange(count) + start) / count * upto[-1]
    chosen = np.minimum(np.searchsorted(upto, teeth, side="right"), len(hands) - 1)
    kept: NDArray[np.int64] = hands[chosen]
    return kept
