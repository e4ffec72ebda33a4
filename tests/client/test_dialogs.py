"""Boxes over other screens: where they stand, what is beside them, and their keys."""

from __future__ import annotations

from itertools import product

import pytest
from rich.style import Style

from client.games.the_cave.known.picture import entry_prices
from client.games.the_cave.screen.game import GameScreen
from client.tui.themes import CAVE_DARK
from client.tui.widgets.box import Box, Clearing
from tests.client.pilot import press
from tests.client.scenes import SCENES
from tests.client.screens import LARGE, SMALL, show, smaller
from tests.effort import THOROUGH

OVER_A_TABLE = ("moves", "actions", "chat", "replay-turns", "alarm")
HIGHEST = 9
"""The most rows of what lies over a table."""
BOX_SIZES = (LARGE, (100, 30), SMALL, (40, 12))
COVERED = [
    each
    for number, each in enumerate(product(OVER_A_TABLE, ("unicode", "ascii")))
    if THOROUGH or (number + number // 2) % 2 == 0
]
"""Each box with one set of signs, which go by turns."""


@pytest.mark.parametrize(("name", "glyphs"), COVERED)
async def test_what_covers_a_table_is_a_low_sheet_at_the_bottom(name: str, glyphs: str) -> None:
    scene = SCENES[name]
    async with show(scene.screen(glyphs), LARGE, ascii_only=glyphs == "ascii") as (app, pilot):
        await press(pilot, *scene.keys)
        async for size in smaller(pilot, *BOX_SIZES):
            box = app.screen.query_one(Box).region
            assert (box.x, box.right, box.bottom) == (0, *size)
            assert box.height <= HIGHEST, size
            above = app.screen._compositor.render_strips()[: box.y]
            # The scene of the alarm has no table under it.
            assert name == "alarm" or any(strip.text.strip() for strip in above), "what it covers is in sight"


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
async def test_nothing_that_is_cut_stands_beside_a_box(glyphs: str) -> None:
    scene = SCENES["keys-new"]
    async with show(scene.screen(glyphs), LARGE, ascii_only=glyphs == "ascii") as (app, pilot):
        await press(pilot, *scene.keys)
        async for width, _ in smaller(pilot, *BOX_SIZES):
            box = app.screen.query_one(Box).region
            for strip in app.screen._compositor.render_strips()[box.y : box.bottom]:
                row = "".join(part.text for part in strip)
                if width < 100:
                    assert (box.x, box.right) == (0, width)
                else:
                    assert row[: box.x][-1:] in ("", " "), width
                    assert row[box.right] == " ", width


@pytest.mark.parametrize("size", [SMALL, (100, 30), LARGE])
async def test_where_to_leaves_what_it_asks_about_in_sight(size: tuple[int, int]) -> None:
    scene = SCENES["moves"]
    async with show(scene.screen("unicode"), size) as (app, pilot):
        table = app.screen
        await press(pilot, *scene.keys)
        covered = app.screen.query_one(Clearing).region
        assert isinstance(table, GameScreen)
        ways = entry_prices(table.scene.choices)
        assert ways
        for tile in ways:
            seen = table.map.region_of(tile).translate(table.map.content_region.offset)
            assert not covered.contains(seen.x + seen.width // 2, seen.y + seen.height // 2)


async def test_the_keys_of_a_box_look_as_those_of_a_screen() -> None:
    key = Style.parse(CAVE_DARK.variables["key"])
    for name in ("moves", "alarm", "keys-new"):
        scene = SCENES[name]
        async with show(scene.screen("unicode"), LARGE) as (app, pilot):
            await press(pilot, *scene.keys)
            box = app.screen.query_one(Box).region
            found = [
                part
                for strip in app.screen._compositor.render_strips()[box.y : box.bottom]
                for part in strip.crop(box.x, box.right)
            ]
            for word in ("enter", "go on") if name == "alarm" else ("esc", "back"):
                style = next(part.style for part in reversed(found) if part.text.strip() == word)
                assert style is not None
                assert (style.color == key.color) == (word in ("esc", "enter")), (name, word)
