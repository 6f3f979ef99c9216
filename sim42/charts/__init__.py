"""Tables to pictures: every chart takes a frame and ``ax=None`` and returns the Axes.

No display, backend or global style is needed or touched: figures are made without pyplot.
"""

from sim42.charts.curve import chart_curve, chart_points
from sim42.charts.files import FORMATS, picture, retitle, save
from sim42.charts.groups import chart_bids, chart_shapes, chart_trumps, chart_types
from sim42.charts.hand import chart_hand
from sim42.charts.lead import chart_lead
from sim42.charts.precision import chart_compare, chart_convergence
from sim42.charts.review import chart_review

__all__ = [
    "FORMATS",
    "chart_bids",
    "chart_compare",
    "chart_convergence",
    "chart_curve",
    "chart_hand",
    "chart_lead",
    "chart_points",
    "chart_review",
    "chart_shapes",
    "chart_trumps",
    "chart_types",
    "picture",
    "retitle",
    "save",
]
