"""Dominoes as SVG: well formed, the right pips, nothing that reaches outside."""

import xml.etree.ElementTree as ET

import pytest

from sim42 import Deal, Hand
from sim42.game.dominoes import PIP_RADIUS, PIPS, pips_of, rows_svg, tiles_svg
from sim42.game.tiles import ENDS

SVG = "{http://www.w3.org/2000/svg}"


def circles(text):
    return list(ET.fromstring(text).iter(f"{SVG}circle"))


@pytest.mark.parametrize("ends", ENDS)
def test_every_tile_has_its_pips(ends):
    assert len(circles(tiles_svg([ends]))) == sum(ends)
    top = sum(y < 1 for _, y in pips_of(ends))
    assert (top, len(pips_of(ends)) - top) == ends


def test_pips_are_apart_and_inside():
    for pips in PIPS:
        for x, y in pips:
            assert PIP_RADIUS < x < 1 - PIP_RADIUS
            assert PIP_RADIUS < y < 1 - PIP_RADIUS
        gaps = [abs(complex(*a) - complex(*b)) for a in pips for b in pips if a != b]
        assert all(gap > 2 * PIP_RADIUS for gap in gaps)


def test_everything_lies_in_the_view():
    drawing = ET.fromstring(rows_svg([[(6, 6)] * 7] * 4, labels=["seat 0"] * 4))
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    for group in drawing.iter(f"{SVG}g"):
        if shift := group.attrib.get("transform"):
            x, y = map(float, shift.removeprefix("translate(").removesuffix(")").split())
            assert 0 < x < width - 1
            assert 0 < y < height - 2


def test_hand_and_deal_draw_themselves():
    hand = Hand("6-4 5-5 4-2 3-1 2-0 1-1 0-0")
    assert len(circles(hand._repr_html_())) == 34
    assert "6-4 5-5 4-2 3-1 2-0 1-1 0-0" in hand._repr_html_()
    deal = Deal((0x7F, 0x7F << 7, 0x7F << 14, 0x7F << 21))
    assert len(circles(deal._repr_html_())) == 168
    assert "seat 3: 6-6" in deal._repr_html_()


def test_solution_draws_its_line():
    from sim42 import solve

    solution = solve(
        "4-4 2-2 6-1 1-0 2-1 6-0 5-3 / 5-2 6-3 6-4 2-0 5-4 6-2 0-0 /"
        "5-0 1-1 4-0 3-1 5-5 4-1 4-3 / 6-5 4-2 3-3 3-0 5-1 6-6 3-2",
        "fours",
        leader=1,
    )
    page = solution._repr_html_()
    assert f"seats 1 and 3 take {solution.points} of 42" in page
    assert page.count("<circle") == 168
    assert f"1: seat 1 leads: {' '.join(solution.line[0])}" in page


def test_no_rows_at_all_is_still_a_drawing():
    assert circles(rows_svg([])) == []
    assert circles(tiles_svg([])) == []


def test_labels_are_escaped():
    assert "<b>" not in rows_svg([[(1, 0)]], labels=["<b>"])


def test_drawing_needs_nothing_from_outside():
    text = rows_svg([[(6, 6)]], labels=["a"]).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "href" not in text
    assert "id=" not in text
