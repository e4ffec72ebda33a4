"""Pictures of half-block pixels, and rows of noise for them."""

from __future__ import annotations

import pytest

from client.tui.canvas import (
    BLACK,
    CONTRAST,
    WHITE,
    Cell,
    Rgb,
    contrast,
    drawn_pixels,
    fractal,
    fractal_row,
    pixel_cells,
)
from client.tui.colour_tiers import SIXTEEN, in_few


def test_a_row_of_noise_equals_its_single_places() -> None:
    row = fractal_row(40, 0.16, 7.3, seed=5, octaves=3)
    assert row == [pytest.approx(fractal(x * 0.16, 7.3, 5, 3)) for x in range(40)]


def test_two_pixels_share_a_cell_and_equal_ones_are_a_space() -> None:
    red = Rgb(200, 0, 0)
    image = drawn_pixels(("r.", "rr"), {"r": red}, BLACK)
    assert list(pixel_cells(image)) == [[Cell(" ", red, red), Cell("▀", BLACK, red)]]


@pytest.mark.parametrize(
    ("glyphs", "coloured", "drawn"),
    [("fine", True, "▀▄█▀ "), ("fine", False, "▀▄█▀ "), ("ascii", True, "++#* "), ("ascii", False, "++#* ")],
)
def test_pixels_in_few_colours(glyphs: str, coloured: bool, drawn: str) -> None:
    grey, ground = Rgb(100, 100, 100), BLACK
    pairs = (WHITE, ground), (ground, WHITE), (WHITE, WHITE), (WHITE, grey), (ground, ground)
    (cells,) = pixel_cells([list(row) for row in zip(*pairs, strict=True)])
    found = [in_few(cell, ground, glyphs, coloured=coloured) for cell in cells]
    assert "".join(glyph for glyph, _ in found) == drawn
    assert found[0][1].color == found[1][1].color


@pytest.mark.parametrize("under", [each for each in SIXTEEN if each != BLACK])
@pytest.mark.parametrize("ink", [Rgb(95, 0, 0), Rgb(246, 211, 101), Rgb(240, 240, 240)])
def test_letters_in_few_colours_are_readable(ink: Rgb, under: Rgb) -> None:
    _, style = in_few(Cell("+", ink, under, bold=True), BLACK, "fine", coloured=True)
    shown = [SIXTEEN[each.number] for each in (style.color, style.bgcolor)]
    assert contrast(*shown) >= CONTRAST
