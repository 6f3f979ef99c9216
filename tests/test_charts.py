"""The heat map of a hand, and what holds for every chart: bytes, backends, figures, contrast."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from pictures import HAND, assert_like_baseline, assert_nothing_cut, random_rows, rows_with

from sim42 import Trump
from sim42.charts import FORMATS, chart_hand, picture, save
from sim42.charts._style import CHANCE, ink_on, luminance
from sim42.errors import RequestError
from sim42.tables.words import percent


def cells(ax, columns=13):
    return [text.get_text() for text in ax.texts][: len(ax.get_yticklabels()) * columns]


def test_figures_in_the_cells_are_the_rates():
    rows = random_rows()
    assert cells(chart_hand(rows)) == [percent(rate) for rate in rows["rate"]]


def test_hand_like_baseline():
    rows = random_rows()
    ax = chart_hand(rows)
    small = [text.get_text() for text in ax.texts if text.get_fontsize() == 7]
    assert small == [percent(chance, 0) for chance in rows["in_play"]]
    assert_nothing_cut(ax)
    assert_like_baseline(ax, "hand")


@pytest.mark.parametrize(
    ("points", "trumps"),
    [
        ([[42] * 9], tuple(Trump)),
        ([[29] * 9], tuple(Trump)),
        ([[35]], [Trump.FOLLOW_ME]),
        ([[42]] * 10**5, [Trump.BLANKS]),
    ],
)
def test_hand_at_the_extremes(points, trumps):
    ax = chart_hand(rows_with(points, trumps))
    assert_nothing_cut(ax)
    assert set(cells(ax)) <= {"0", "100"}


def test_hand_says_what_it_rests_on():
    rows = random_rows()
    words = " ".join(text.get_text() for text in chart_hand(rows).texts).replace("\n", " ")
    half = 50 * (rows["high"] - rows["low"]).max()
    for part in (
        str(HAND),
        "500 random deals",
        "seed 42",
        "95 %",
        f"at most {half:.1f}",
        "double dummy",
    ):
        assert part in words
    assert f"Open {rows.attrs['call']['bid']} in {rows.attrs['call']['trump']}" in words


def test_pass_is_a_call():
    words = [text.get_text() for text in chart_hand(rows_with([[29] * 9] * 5)).texts]
    assert "Pass" in words


def test_a_chart_fits_in_given_axes():
    from matplotlib.figure import Figure

    axes = Figure(layout="constrained", figsize=(9, 10)).subplots(2)
    assert chart_hand(random_rows(), axes[1]) is axes[1]
    assert_nothing_cut(axes[0])


def test_near_certain_is_not_certain():
    assert percent(0.9996, 0) == ">99"
    assert percent(0.0004, 0) == "<1"
    assert [percent(rate, 0) for rate in (0, 0.005, 0.5, 0.994, 1)] == [
        "0",
        "<1",
        "50",
        "99",
        "100",
    ]


def test_chances_read_in_grey_and_figures_stand_out():
    steps = [CHANCE(x) for x in np.linspace(0, 1, 101)]
    lights = [luminance(step) for step in steps]
    assert all(a > b for a, b in pairwise(lights))
    for light, step in zip(lights, steps, strict=True):
        ink = 1.0 if ink_on(step) == "white" else 0.0
        assert (max(ink, light) + 0.05) / (min(ink, light) + 0.05) >= 4.5


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_rows_same_bytes_whatever_the_backend(file_format):
    program = (
        "import sys; from test_charts import *; "
        f"sys.stdout.buffer.write(picture(chart_hand(random_rows()), {file_format!r}))"
    )
    here = Path(__file__).parent
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "MPLBACKEND": backend, "DISPLAY": "", "TZ": zone},
            cwd=here,
            capture_output=True,
            check=True,
        ).stdout
        for backend, zone in (("TkAgg", "UTC"), ("module://nowhere", "Asia/Tokyo"))
    ]
    assert runs[0] == runs[1] == picture(chart_hand(random_rows()), file_format)


def test_text_stays_text():
    ax = chart_hand(random_rows())
    assert b"follow-me</text>" in picture(ax, "svg")
    assert b"/Type3" not in picture(ax, "pdf")


def test_settings_are_left_alone(monkeypatch):
    monkeypatch.setitem(mpl.rcParams, "font.size", 31.0)
    before = dict(mpl.rcParams)
    data = picture(chart_hand(random_rows()), "svg")
    assert dict(mpl.rcParams) == before
    monkeypatch.undo()
    assert data == picture(chart_hand(random_rows()), "svg")


def test_no_pyplot():
    program = (
        "import sys; from test_charts import *; picture(chart_hand(random_rows())); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    here = Path(__file__).parent
    subprocess.run([sys.executable, "-c", program], cwd=here, check=True)


def test_save_takes_the_format_from_the_ending(tmp_path):
    ax = chart_hand(random_rows())
    save(ax, tmp_path / "a.SVG")
    assert (tmp_path / "a.SVG").read_bytes() == picture(ax, "svg")
    with pytest.raises(RequestError, match="one of png, svg, pdf"):
        save(ax, tmp_path / "a.gif")
    with pytest.raises(RequestError, match="dpi 5000"):
        picture(ax, dpi=5000)
