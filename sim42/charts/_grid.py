"""Heat maps: coloured cells with their figures in them, so that they read without colour."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from numpy.typing import NDArray

from sim42.charts._style import CHANCE, ink_on
from sim42.tables.words import percent


def heat(
    ax: Axes,
    rates: NDArray[np.float64],
    most: float = 1.0,
    colours: Colormap = CHANCE,
    places: int = 0,
    size: float = 10,
    lift: float = 0.0,
) -> None:
    """Fill axes with a cell for each rate, row 0 on top; cells that are nan stay empty.

    Figures are moved up by `lift` cells, to leave room under them.
    """
    rows, columns = rates.shape
    ax.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        np.ma.masked_invalid(rates),
        cmap=colours,
        vmin=0,
        vmax=most,
        edgecolors="white",
        linewidth=1.5,
    )
    for (row, column), rate in np.ndenumerate(rates):
        if not np.isnan(rate):
            ink = ink_on(colours(rate / most))
            ax.text(
                column,
                row - lift,
                percent(rate, places),
                ha="center",
                va="center",
                color=ink,
                fontsize=size,
            )
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(rows - 0.5, -0.5)


def grid_names(ax: Axes, rows: Sequence[Any], columns: Sequence[Any]) -> None:
    """Names along the left and the bottom of a heat map, without lines or ticks."""
    ax.set_xticks(range(len(columns)), [str(name) for name in columns])
    ax.set_yticks(range(len(rows)), [str(name) for name in rows])
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
