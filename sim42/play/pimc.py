"""`PimcPlayer`: solves every legal play in layouts drawn from all that fit what the seat knows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim42.game.tiles import MOST_POINTS, SEATS, tiles_of
from sim42.game.views import View
from sim42.play.club import best_of
from sim42.play.players import Draw
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.kernels.choices import count_reaching
from sim42.solver.kernels.layouts import count_layouts, lay_numbers
from sim42.solver.lookups import lookups


@dataclass(frozen=True)
class PimcPlayer:
    """Perfect information Monte Carlo.

    The seat draws `layouts` layouts and plays the tile after which its side makes (or sets) the
    contract in most of them when all go on with all hands seen. Of equal tiles a club player's.
    """

    layouts: int

    def choose(self, view: View, draw: Draw) -> int:
        """The tile that makes most often."""
        legal = view.legal_mask
        if not legal & (legal - 1):
            return tiles_of(legal)[0]
        counts = self.counts(view, draw)
        most = counts.max()
        return best_of(view, sum(1 << tile for tile in tiles_of(legal) if counts[tile] == most))

    def counts(self, view: View, draw: Draw) -> NDArray[np.int64]:
        """Layouts in which each legal play makes or sets; int64 (28,), -1 for what is not legal."""
        counts: NDArray[np.int64] = count_reaching(
            layouts_of(view, draw, self.layouts), *asked(view), *lookups_of(view)
        )
        return counts


def asked(view: View) -> tuple[NDArray[np.int64], int, int]:
    """Tiles on the table (3,), who led them, and the points that the seat's side yet needs."""
    need = view.contract.points if view.declares else MOST_POINTS + 1 - view.contract.points
    table = np.array((*view.table, -1, -1, -1)[:3], dtype=np.int64)
    return table, view.leader, need - view.points[view.side]


def lookups_of(view: View) -> tuple[NDArray[np.int64] | int, ...]:
    """The rules of the hand as the last arguments of a kernel."""
    return (*lookups(view.trump, view.doubles), ALL_BOUNDS)


def layouts_of(view: View, draw: Draw, count: int) -> NDArray[np.int64]:
    """Hands of all seats in layouts drawn from those that fit a view, all with equal chances.

    Returns
    -------
    int64 (n, 4)
        `count` rows, or every layout once when there are no more of them.
    """
    others = [seat for seat in SEATS if seat != view.seat]
    may_hold = np.array([view.may_hold[seat] for seat in others], dtype=np.int64)
    sizes = np.array([view.sizes[seat] for seat in others], dtype=np.int64)
    ways = int(count_layouts(may_hold, sizes))
    numbers = np.arange(ways) if ways <= count else draw.numbers(ways, count)
    hands = np.empty((len(numbers), 4), dtype=np.int64)
    hands[:, others] = lay_numbers(may_hold, sizes, numbers)
    hands[:, view.seat] = view.hand
    return hands
