"""The painter's colours, noise and canvas."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.tui.paint.canvas import Canvas, Cell, segments
from client.tui.paint.colour import BLACK, CONTRAST, WHITE, Rgb, contrast, mix, readable, rgb, tint

part = st.integers(0, 255)
colours = st.builds(Rgb, part, part, part)


@given(colours, colours)
def test_an_ink_can_be_read_on_any_ground(ink: Rgb, ground: Rgb) -> None:
    assert contrast(readable(ink, ground), ground) >= CONTRAST


@given(colours, colours)
def test_an_ink_that_can_be_read_stays_as_it_is(ink: Rgb, ground: Rgb) -> None:
    if contrast(ink, ground) >= CONTRAST:
        assert readable(ink, ground) == ink


@given(colours, colours)
def test_a_mixture_goes_from_one_colour_to_the_other(one: Rgb, other: Rgb) -> None:
    assert mix(one, other, 0) == one
    assert mix(one, other, 1) == other
    assert mix(one, other, 7) == other


def test_a_tint_stays_a_colour() -> None:
    assert tint(rgb("#ff8000"), (2.0, 1.0, 0.5)) == Rgb(255, 128, 0)


def test_nothing_is_painted_outside() -> None:
    canvas = Canvas(2, 1, BLACK)
    canvas.text(-1, 0, "abcd", WHITE)
    canvas.put(5, 5, "x", WHITE)
    canvas.fill(0, 1, 9, 9, WHITE)
    assert [cell.glyph for cell in canvas.rows[0]] == ["b", "c"]


@given(st.lists(st.builds(Cell, st.sampled_from(" ▚x"), colours, colours, st.booleans()), max_size=12))
def test_pieces_hold_every_glyph_on_its_ground(cells: list[Cell]) -> None:
    glyphs = [(glyph, piece.style) for piece in segments(cells) for glyph in piece.text]
    assert [glyph for glyph, _ in glyphs] == [cell.glyph for cell in cells]
    for cell, (_, style) in zip(cells, glyphs, strict=True):
        assert style is not None
        assert style.bgcolor is not None
        assert tuple(style.bgcolor.triplet or ()) == cell.ground
        if cell.glyph != " ":
            assert style.color is not None
            assert tuple(style.color.triplet or ()) == cell.ink
            assert bool(style.bold) is cell.bold


MODULES = (
    *(f"client.tui.paint.{part}" for part in ("canvas", "colour", "noise", "pixels", "tiers")),
    "client.tui.cut",
    "client.games.the_cave.board.lit.light",
    "client.games.the_cave.board.lit.painter",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried, f"{name} has no example"
    assert not failed
