"""What the tests of charts share: comparing with a kept picture, and measuring what is cut off."""

import os
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from PIL import Image

from sim42.charts import picture

BASELINE = Path(__file__).parent / "data" / "baseline"
TOLERANCE = 6.0
"""Root mean square of differences out of 255: other versions of the font library stay below."""


def assert_like_baseline(ax, name):
    """Compare with the picture kept under a name; SIM42_KEEP_PICTURES=1 keeps the present one."""
    drawn = picture(ax, "png", dpi=60)
    path = BASELINE / f"{name}.png"
    if os.environ.get("SIM42_KEEP_PICTURES"):
        path.parent.mkdir(parents=True, exist_ok=True)
        small = Image.open(BytesIO(drawn)).convert("RGB").quantize(64)
        small.save(path, optimize=True)
    kept, now = (pixels(Image.open(file)) for file in (path, BytesIO(drawn)))
    assert kept.shape == now.shape
    error = float(np.sqrt(((kept - now) ** 2).mean()))
    assert error < TOLERANCE, f"{name}: differs by {error:.1f}"


def pixels(image):
    """A picture as floats 0..255 in shape (height, width, 3)."""
    return np.asarray(image.convert("RGB"), dtype=float)


def texts_of(ax):
    """Every text drawn in the figure of some axes that is not empty."""
    figure = ax.get_figure(root=True)
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def assert_nothing_cut(ax):
    """Every text lies wholly in the picture, and none lies over another of its own axes."""
    figure = ax.get_figure(root=True)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = []
    for text in texts_of(ax):
        box = text.get_window_extent(canvas.get_renderer())
        assert figure.bbox.x0 - 1 <= box.x0, text
        assert box.x1 <= figure.bbox.x1 + 1, text
        assert figure.bbox.y0 - 1 <= box.y0, text
        assert box.y1 <= figure.bbox.y1 + 1, text
        boxes.append((text, box))
    for place, (text, box) in enumerate(boxes):
        for other, other_box in boxes[:place]:
            across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            down = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            assert across <= 1 or down <= 1, f"{text.get_text()!r} over {other.get_text()!r}"
