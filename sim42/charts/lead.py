"""Charts of the leads of one hand: the chance of each bid after each lead."""

import pandas as pd
from matplotlib.axes import Axes

from sim42.charts._grid import grid_names, heat
from sim42.charts._style import axes_of, beside, foot, head, in_style, points_of
from sim42.tables.counts import BIDS
from sim42.tables.leads import SEEING, check_table
from sim42.tables.words import every_words, number_words, resting_on


@in_style
def chart_lead(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of one hand's leads: the chance of every bid after each, the best lead on top.

    Parameters
    ----------
    table : DataFrame
        As `sim42.tables.leads.lead_table` gives it, with its ``.attrs``.
    ax : Axes, optional
        Where to draw; a new figure when None.

    Returns
    -------
    Axes
        The figures are its texts, row by row.

    >>> from sim42.runs.leads import sample_leads
    >>> from sim42.tables.leads import lead_table
    >>> sample = sample_leads("6-6 6-5 6-4 6-3 6-2 6-1 6-0", deals=10, trumps="sixes")
    >>> chart_lead(lead_table(sample)).texts[0].get_text()
    '100'
    """
    check_table(table)
    attrs = table.attrs
    ax = axes_of(ax, 8.6, 2.4 + 0.34 * len(table))
    chances = table[[f"rate_{bid}" for bid in BIDS]].to_numpy()
    heat(ax, chances, places=1, size=9)
    play = "play" if len(attrs["played"]) % 4 else "lead"
    names = [f"{SEEING} all" if lead == SEEING else lead for lead in table["lead"]]
    grid_names(ax, names, list(BIDS))
    ax.set_xlabel("bid in points (42: every trick, as for 84)")
    beside(ax, play, (0, 0), (-4, -4), "top", size=10, ha="right")
    ax.axhline(len(table) - 1.5, color="white", lw=5)
    does = "sets" if attrs["side"] == "defenders" else "makes"
    head(
        ax,
        f"How often each {play} {does} each bid, in per cent of deals",
        f"The player holds {attrs['hand']}, trump {attrs['trump']}; the {play} is chosen without "
        "seeing, from then on double dummy: all hands are seen.",
    )
    last = f" Last row: a player who sees all hands before the {play}."
    foot(ax, _note(table) + last + resting_on(attrs))
    return ax


def _note(table: pd.DataFrame) -> str:
    """What the rates rest on."""
    attrs = table.attrs
    if attrs["exact"]:
        every = every_words(attrs["layouts"], "layout")
        return f"{every[0].upper()}{every[1:]} of the tiles that the player cannot see."
    half = max(float((table[f"high_{bid}"] - table[f"low_{bid}"]).max()) / 2 for bid in BIDS)
    return (
        f"{number_words(attrs['deals'], 'random deal')} of the tiles that the player cannot see, "
        f"seed {attrs['seed']}; 95 % intervals (Wilson), half-width at most "
        f"{points_of(half)} points."
    )
