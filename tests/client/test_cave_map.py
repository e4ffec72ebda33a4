"""The map widget under a pilot: cursor, mouse, zoom, growth, and painting."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Offset

from cave.the_cave.state import ALL_OPEN, Tile
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.map_signs import SETS, ZOOMS
from client.games.the_cave.picture import MapPicture, map_picture
from client.tui.themes import ThemedApp
from tests.client import section_four
from tests.client.pilot import opened, strips

GOLDENS = Path(__file__).parent / "goldens"
SIZE, LARGE = (80, 24), (80, 30)
SMALL = (49, 13)
"""Smaller than the cave, so that any of its places can be centred."""
B_AT = (1, -1)
PULLED = Offset(7, 2)


class MapApp(ThemedApp[None]):
    """A map on its own, and the messages it sends."""

    def __init__(self, picture: MapPicture, **options) -> None:
        super().__init__()
        self.map = CaveMap(picture, **options)
        self.told: list[tuple] = []

    def compose(self) -> ComposeResult:
        yield self.map

    def on_board_view_cursor_moved(self, message: CaveMap.CursorMoved) -> None:
        self.told.append(("moved", message.at))

    def on_board_view_place_clicked(self, message: CaveMap.PlaceClicked) -> None:
        self.told.append(("clicked", message.at, message.again))

    def on_board_view_place_hovered(self, message: CaveMap.PlaceHovered) -> None:
        self.told.append(("hovered", message.at))


def section_four_app(**options) -> MapApp:
    picture = map_picture(section_four.view(), section_four.choices())
    return MapApp(picture, **{"cursor": B_AT, **options})


def pane(cave_map: CaveMap) -> list[str]:
    return [cave_map.render_line(y).text for y in range(cave_map.size.height)]


def painted(app: App[None]) -> list[str]:
    """The rows of the screen, from the compositor."""
    return [strip.text for strip in strips(app.screen)]


def in_pane(cave_map: CaveMap, at: tuple[int, int]) -> Offset:
    return cave_map.region_of(at).offset


def grown(picture_view, at: tuple[int, int]):
    """The view with one more plain tile, bypassing the rules."""
    tile = Tile(at=at, kind="plain", open=ALL_OPEN, depth=0)
    cave = structs.replace(picture_view.cave, board={**picture_view.cave.board, at: tile})
    return structs.replace(picture_view, cave=cave)


# Painting


@pytest.mark.parametrize("glyph_set", SETS)
@pytest.mark.parametrize("zoom", ZOOMS)
async def test_the_painted_map_equals_the_golden(zoom, glyph_set):
    async with opened(section_four_app(zoom=zoom, glyph_set=glyph_set), LARGE) as (app, pilot):
        app.map.centre_on((0, 0))
        await pilot.pause()
        expected = (GOLDENS / f"section4-{zoom}-{glyph_set}.txt").read_text(encoding="utf-8").splitlines()
        corner = in_pane(app.map, (-2, -1))
        lines = [line[corner.x :].rstrip() for line in painted(app)]
        assert lines[corner.y : corner.y + len(expected)] == expected
        assert all(not line.strip() for line in lines[: corner.y])
        assert all(len(line) == LARGE[0] for line in painted(app))


async def test_changed_places_are_repainted_completely():
    view = section_four.view()
    async with opened(section_four_app(), SIZE) as (app, pilot):
        changes = [
            {"cursor": (0, 0)},
            {"picture": map_picture(view)},
            {"cursor": (3, -2)},
            {"picture": map_picture(grown(view, (1, -2)), last=[(1, -2)])},
            {"picture": map_picture(section_four.placing(), ghost=section_four.GHOST)},
            {"labels": {(2, 1): "q", (4, 1): "w"}},
            {"labels": {(4, 1): "w"}},
            {"zoom": "M"},
            {"glyph_set": "ascii"},
            {"zoom": "S"},
            {"picture": map_picture(view, section_four.choices())},
        ]
        for change in changes:
            for name, value in change.items():
                setattr(app.map, name, value)
            await pilot.pause()
            kept = painted(app)
            app.map.forget()
            app.map.refresh()
            await pilot.pause()
            assert painted(app) == kept


# Keys


async def test_the_cursor_stays_within_one_place_of_the_cave():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        app.map.focus()
        await pilot.press(*["up"] * 9, *["right"] * 9)
        assert app.map.cursor == (3, -2)
        moves = len(app.told)
        await pilot.press("up")
        assert len(app.told) == moves


@pytest.mark.parametrize("size", [(45, 13), (80, 24), (200, 60)])
async def test_the_camera_stays_within_two_places_of_the_known_cave(size):
    async with opened(section_four_app(), size) as (app, pilot):
        pane = app.map.size
        for far in (-300, 300):
            app.map.centre_on((far, far))
            await pilot.pause()
            left, top, right, bottom = app.map.bounds
            first = app.map.region_of((left - 2, top - 2))
            known = first.union(app.map.region_of((right + 2, bottom + 2)))
            for start, end, cells in ((known.x, known.right, pane.width), (known.y, known.bottom, pane.height)):
                # A pane that is too small shows only the cave, a larger one shows all of it.
                assert (start <= 0 and end >= cells) if end - start >= cells else 0 <= start <= end <= cells


# Mouse


async def test_a_drag_pans_and_is_no_click():
    async with opened(section_four_app(cursor=(0, 0)), SMALL) as (app, pilot):
        before = in_pane(app.map, (0, 0))
        await pilot.mouse_down(CaveMap, offset=(30, 8))
        await pilot.hover(CaveMap, offset=Offset(30, 8) + PULLED)
        await pilot.mouse_up(CaveMap, offset=Offset(30, 8) + PULLED)
        assert in_pane(app.map, (0, 0)) == before + PULLED
        assert app.map.cursor == (0, 0)
        assert not [told for told in app.told if told[0] == "clicked"]
        # It selects nothing either, and the next move of the mouse does not pan.
        assert not app.screen.selections
        await pilot.hover(CaveMap, offset=(40, 5))
        assert in_pane(app.map, (0, 0)) == before + PULLED


async def test_the_wheel_zooms_about_the_mouse():
    async with opened(section_four_app(), (30, 9)) as (app, pilot):
        spot = in_pane(app.map, (-2, 0)) + Offset(1, 1)
        for zoom in ("M", "L"):
            event = events.MouseScrollUp(app.map, spot.x, spot.y, 0, 0, 0, False, False, False, spot.x, spot.y)
            app.map.post_message(event)
            await pilot.pause()
            assert app.map.zoom == zoom
            assert app.map.place_at(*spot) == (-2, 0)


# Growth and size


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("at", [(-3, 0), (0, -2), (3, 0), (0, 3)])
async def test_growth_does_not_move_the_visible_part(at, zoom):
    view = section_four.view()
    async with opened(MapApp(map_picture(view), zoom=zoom), SIZE) as (app, pilot):
        places = {place: in_pane(app.map, place) for place in app.map.picture.cells}
        shown = painted(app)
        app.map.picture = map_picture(grown(view, at))
        await pilot.pause()
        assert {place: in_pane(app.map, place) for place in places} == places
        region = app.map.region_of(at).intersection(app.map.size.region)
        for y, (before, after) in enumerate(zip(shown, painted(app), strict=True)):
            for x, (old, new) in enumerate(zip(before, after, strict=True)):
                assert old == new or region.contains(x, y)


@pytest.mark.parametrize(
    ("size", "zoom"), [((77, 20), "L"), ((76, 20), "M"), ((55, 17), "M"), ((49, 12), "M"), ((39, 9), "S")]
)
async def test_a_small_pane_uses_a_smaller_zoom_unless_one_was_chosen(size, zoom):
    async with opened(section_four_app(), size) as (app, pilot):
        assert app.map.zoom == zoom
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert app.map.zoom == "L"
        await pilot.press("Z", "Z")
        await pilot.resize_terminal(*size)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert app.map.zoom == "S"
