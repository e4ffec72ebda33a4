"""Pictures of half-block pixels, and rows of noise for them."""

from __future__ import annotations

import pytest

from client.tui.canvas import BLACK, Cell, Rgb, drawn_pixels, fractal, fractal_row, pixel_cells


def test_a_row_of_noise_is_what_its_places_are() -> None:
    row = fractal_row(40, 0.16, 7.3, seed=5, octaves=3)
    assert row == [pytest.approx(fractal(x * 0.16, 7.3, 5, 3)) for x in range(40)]


def test_two_pixels_share_a_cell_and_alike_ones_are_a_blank() -> None:
    red = Rgb(200, 0, 0)
    image = drawn_pixels(("r.", "rr"), {"r": red}, BLACK)
    assert list(pixel_cells(image)) == [[Cell(" ", red, red), Cell("▀", BLACK, red)]]
