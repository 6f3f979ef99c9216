"""What the tests of charts share: made-up results, a kept picture to compare with, cut labels."""

import os
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from PIL import Image

from sim42 import Hand, Rules, Trump
from sim42.charts import picture
from sim42.deals.random import random_hands
from sim42.runs.sample import POINTS, HandSample
from sim42.tables.bid import bid_rows

BASELINE = Path(__file__).parent / "data" / "baseline"
TOLERANCE = 4.0
"""Root mean square of differences out of 255: other versions of the font library stay below."""
HAND = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0")
FREQUENT = (29, 30, 31, 34, 35, 36, 39, 40, 41, 42)


def sample_with(points, trumps=tuple(Trump), hand=HAND):
    """A sample of a hand with these points, a row a deal and a column a trump."""
    return HandSample(hand, tuple(trumps), 42, Rules(), np.array(points, dtype=np.int8))


def rows_with(points, trumps=tuple(Trump), hand=HAND):
    return bid_rows(sample_with(points, trumps, hand), plain=True)  # the points are made up


def random_points(deals=500, trumps=9, seed=1):
    """Points as they come: each trump another mixture of the values that are frequent."""
    rng = np.random.default_rng(seed)
    columns = [rng.choice(FREQUENT, deals, p=rng.dirichlet(np.ones(10))) for _ in range(trumps)]
    return np.transpose(columns)


def random_rows(deals=500, trumps=tuple(Trump), seed=1, hand=HAND):
    return rows_with(random_points(deals, len(trumps), seed), trumps, hand)


def run_with(points, trumps=tuple(Trump), masks=None, floor=30):
    """A run frame of points in shape (hands, trumps, deals)."""
    points = np.asarray(points)
    hands, _, deals = points.shape
    masks = random_hands(hands, 7, 0) if masks is None else masks
    names = [str(trump) for trump in Trump]
    counts = {
        f"{parity}_{value}": (points[:, :, start::2] == value).sum(axis=2).ravel()
        for start, parity in enumerate(("even", "odd"))
        for value in POINTS
    }
    frame = pd.DataFrame(
        {
            "mask": np.repeat(masks, len(trumps)),
            "hand": np.repeat([str(Hand(int(mask))) for mask in masks], len(trumps)),
            "trump": pd.Categorical(
                np.tile([names[t] for t in trumps], hands), names, ordered=True
            ),
            "deals": deals,
            **counts,
        }
    )
    frame.attrs = {
        "seed": 7, "deals": deals, "rules": Rules().as_dict(), "version": "0", "schema": 1,
        "floor": floor, "selection": "random",
    }  # fmt: skip
    return frame


def random_run(hands=300, deals=20, trumps=tuple(Trump), seed=1, floor=30):
    """A run of hands of unequal strength."""
    rng = np.random.default_rng(seed)
    strength = rng.uniform(-4, 6, (hands, len(trumps), 1)) + rng.normal(0, 5, (hands, 1, 1))
    points = np.rint(35 + strength + rng.normal(0, 5, (hands, len(trumps), deals))).astype(int)
    return run_with(np.clip(points, floor - 1, 42), trumps, floor=floor)


def assert_like_baseline(ax, name):
    """Compare with the picture kept under a name; KEEP_PICTURES=1 keeps the present one."""
    drawn = picture(ax, "png", dpi=60)
    path = BASELINE / f"{name}.png"
    if os.environ.get("KEEP_PICTURES"):
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.open(BytesIO(drawn)).convert("RGB").quantize(256).save(path, optimize=True)
    kept, now = (_pixels(Image.open(file)) for file in (path, BytesIO(drawn)))
    assert kept.shape == now.shape
    error = float(np.sqrt(((kept - now) ** 2).mean()))
    assert error < TOLERANCE, f"{name}: differs by {error:.1f}"


def _pixels(image):
    """A picture as floats 0..255 in shape (height, width, 3)."""
    return np.asarray(image.convert("RGB"), dtype=float)


def texts_of(ax):
    """Every text drawn in the figure of some axes; not those of ticks outside the limits."""
    figure = ax.get_figure(root=True)
    unseen = {
        label
        for axis in figure.findobj(Axis)
        for tick in {*axis.get_major_ticks(), *axis.get_minor_ticks()} - {*axis._update_ticks()}
        for label in (tick.label1, tick.label2)
    }
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    return [text for text in texts if text not in unseen]


def words_of(ax):
    """All that is written in the figure of some axes, in one line."""
    return " ".join(text.get_text() for text in texts_of(ax)).replace("\n", " ")


def assert_nothing_cut(ax):
    """Every text lies wholly in the picture, and no two lie over each other."""
    figure = ax.get_figure(root=True)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = []
    for text in texts_of(ax):
        box = text.get_window_extent(canvas.get_renderer())
        inside = figure.bbox.padded(1)
        assert inside.x0 <= box.x0, text
        assert box.x1 <= inside.x1, text
        assert inside.y0 <= box.y0, text
        assert box.y1 <= inside.y1, text
        for other, other_box in boxes:
            across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            down = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            assert across <= 1 or down <= 1, f"{text.get_text()!r} over {other.get_text()!r}"
        boxes.append((text, box))
