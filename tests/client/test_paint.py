"""The painter's colours, noise and canvas."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.tui.canvas import CONTRAST, Cell, Rgb, cell_segments, contrast, readable_ink

part = st.integers(0, 255)
colours = st.builds(Rgb, part, part, part)


@given(colours, colours)
def test_an_ink_is_readable_on_any_ground(ink: Rgb, ground: Rgb) -> None:
    assert contrast(readable_ink(ink, ground), ground) >= CONTRAST


@given(st.lists(st.builds(Cell, st.sampled_from(" ▚x"), colours, colours, st.booleans()), max_size=12))
def test_pieces_hold_every_glyph_on_its_ground(cells: list[Cell]) -> None:
    glyphs = [(glyph, piece.style) for piece in cell_segments(cells) for glyph in piece.text]
    assert [glyph for glyph, _ in glyphs] == [cell.glyph for cell in cells]
    for cell, (_, style) in zip(cells, glyphs, strict=True):
        assert tuple(style.bgcolor.triplet or ()) == cell.ground
        if cell.glyph != " ":
            assert tuple(style.color.triplet or ()) == cell.ink
            assert bool(style.bold) is cell.bold


MODULES = (
    "client.tui.canvas",
    "client.tui.colour_tiers",
    "client.tui.chooser",
    "client.games.the_cave.cave_light",
    "client.games.the_cave.lit_painter",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried, f"{name} has no example"
    assert not failed
