"""Tables to pictures: every chart takes a frame and ``ax=None`` and returns the Axes.

No display, backend or global style is needed or touched: figures are made without pyplot.
"""

from sim42.charts._style import in_style
from sim42.charts.files import FORMATS, picture, save
from sim42.charts.hand import chart_hand

__all__ = ["FORMATS", "chart_hand", "in_style", "picture", "save"]
