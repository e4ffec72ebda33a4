"""The map widget under a pilot: cursor, mouse, zoom, growth, and what it paints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from rich.color import ColorType
from textual import events
from textual.app import App, ComposeResult
from textual.filter import ANSIToTruecolor
from textual.geometry import Offset
from textual.widgets import Static

from cave.the_cave.geometry import ALL_OPEN
from cave.the_cave.state import Tile
from client.games.the_cave.board import blocks
from client.games.the_cave.board.cave_map import CaveMap
from client.games.the_cave.board.glyphs.looks import look_at
from client.games.the_cave.board.glyphs.sets import ROLES, SETS, ZOOMS
from client.games.the_cave.board.glyphs.tiles import block
from client.games.the_cave.known.picture import EMPTY, MapPicture, map_picture
from client.tui.board.geometry import centre
from client.tui.themes import CAVE_DARK, ThemedApp
from tests.client import section_four
from tests.client.pilot import opened, run
from tests.client.whole import side_by_side, whole_map

GOLDENS = Path(__file__).parent / "goldens"
SIZE = (80, 24)
SMALL = (60, 16)
"""Smaller than the cave, so that any of its places can be in the middle."""
B_AT = (1, -1)
PULLED = Offset(7, 2)


class MapApp(ThemedApp[None]):
    """A map beside nothing, and the messages it sends."""

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
    """What the map shows, as text."""
    return [cave_map.render_line(y).text for y in range(cave_map.size.height)]


def painted(app: App[None]) -> list[str]:
    """What is on the screen, as the compositor has it."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def in_pane(cave_map: CaveMap, at: tuple[int, int]) -> Offset:
    return cave_map.region_of(at).offset


def middle_of(cave_map: CaveMap, at: tuple[int, int]) -> Offset:
    return Offset(*centre(cave_map.geometry, at)) - cave_map.corner


def spot_on(cave_map: CaveMap, at: tuple[int, int]) -> Offset:
    """A cell of the pane that is well inside a place at the large zoom."""
    return in_pane(cave_map, at) + Offset(4, 2)


def grown(picture_view, at: tuple[int, int]):
    """The view with one more plain tile, laid without asking the rules."""
    tile = Tile(at=at, kind="plain", open=ALL_OPEN, depth=0)
    cave = structs.replace(picture_view.cave, board={**picture_view.cave.board, at: tile})
    return structs.replace(picture_view, cave=cave)


# Painting


@pytest.mark.parametrize("glyph_set", SETS)
@pytest.mark.parametrize("zoom", ZOOMS)
async def test_it_paints_the_whole_map_as_the_golden_has_it(zoom, glyph_set):
    async with opened(section_four_app(zoom=zoom, glyph_set=glyph_set), SIZE) as (app, pilot):
        app.map.centre_on((0, 0))
        await pilot.pause()
        expected = (GOLDENS / f"section4-{zoom}-{glyph_set}.txt").read_text(encoding="utf-8").splitlines()
        corner = in_pane(app.map, (-2, -1))
        lines = [line[corner.x :].rstrip() for line in painted(app)]
        assert lines[corner.y : corner.y + len(expected)] == expected
        assert all(not line.strip() for line in lines[: corner.y])
        assert all(len(line) == SIZE[0] for line in painted(app))


async def test_cropped_in_any_way_it_shows_the_same_picture_and_no_words_on_tiles_that_are_cut():
    app = section_four_app(cursor=(-2, -2))
    whole = whole_map(app.map.picture, "L", SETS["unicode"])
    async with run(app, size=(23, 9)) as pilot:
        app.map.zoom = "L"
        cut_words = 0
        for x in range(-3, 12):
            for y in range(-2, 6):
                origin = app.map.region_of((-2, -1)).offset + app.map.scroll_offset
                app.map.scroll_x, app.map.scroll_y = origin.x + x, origin.y + y
                await pilot.pause()
                for row, line in enumerate(pane(app.map)):
                    source = whole[y + row] if 0 <= y + row < len(whole) else ""
                    padded = (" " * 3 + source).ljust(80)
                    for column, (shown, sign) in enumerate(zip(line, padded[x + 3 :], strict=False)):
                        block = app.map.region_of(app.map.place_at(column, row)).shrink((0, 1, 1, 0))
                        if app.map.size.region.contains_region(block):
                            assert shown == sign
                        else:
                            assert shown in (sign, " ")
                            cut_words += shown != sign
        assert cut_words


@pytest.mark.parametrize("zoom", ZOOMS)
async def test_every_sign_has_the_style_of_its_role_and_blanks_only_their_background(zoom):
    picture = map_picture(section_four.placing(), ghost=section_four.GHOST, last=[(1, 1)])
    async with opened(MapApp(picture, cursor=B_AT, zoom=zoom), SIZE) as (app, pilot):
        app.map.centre_on((0, 0))
        await pilot.pause()
        corner = in_pane(app.map, (-2, -1))
        for y in range(-1, 4):
            blocks = [block(look_at(picture, (x, y)), zoom, SETS["unicode"]) for x in range(-2, 4)]
            for row, pieces in enumerate(side_by_side(blocks)):
                line = corner.y + (y + 1) * len(blocks[0]) + row
                if line >= SIZE[1]:
                    continue
                wanted = [(sign, role) for text, role in pieces for sign in text]
                drawn = [(sign, part.style) for part in app.map.render_line(line) for sign in part.text]
                for column, ((sign, role), (shown, style)) in enumerate(
                    zip(wanted, drawn[corner.x :], strict=False), corner.x
                ):
                    if app.map.place_at(column, line) == B_AT:
                        continue
                    expected = app.map.role_styles()[role]
                    assert shown == sign
                    if sign != " ":
                        assert style == expected, (sign, role)
                    else:
                        assert style.bgcolor == expected.bgcolor
                        assert bool(style.reverse) == bool(expected.reverse)


async def test_changed_places_are_repainted_without_a_trace_of_the_old():
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
            app.map._blocks.forget()
            app.map.refresh()
            await pilot.pause()
            assert painted(app) == kept


async def test_moving_the_cursor_draws_only_the_places_it_left_and_entered(monkeypatch):
    async with opened(section_four_app(), SIZE) as (app, pilot):
        drawn = []
        monkeypatch.setattr(
            blocks, "look_at", lambda picture, at, is_cut: drawn.append(at) or look_at(picture, at)
        )
        app.map.cursor = (0, 0)
        await pilot.pause()
        assert set(drawn) == {B_AT, (0, 0)}


# Keys


async def test_arrows_and_hjkl_move_the_cursor_and_tell():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        app.map.focus()
        for keys, at in (
            (("left", "h"), (-1, -1)),
            (("down", "j"), (-1, 1)),
            (("right", "l"), (1, 1)),
            (("up", "k"), (1, -1)),
        ):
            await pilot.press(*keys)
            assert app.map.cursor == at
        assert len([told for told in app.told if told[0] == "moved"]) == 8
        assert app.told[0] == ("moved", (0, -1))


async def test_the_cursor_stays_in_and_just_around_the_cave():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        app.map.focus()
        await pilot.press(*["up"] * 9, *["right"] * 9)
        assert app.map.cursor == (3, -2)
        moves = len(app.told)
        await pilot.press("up")
        assert len(app.told) == moves


async def test_the_cursor_is_always_brought_into_sight():
    async with opened(section_four_app(), (30, 12)) as (app, pilot):
        app.map.focus()
        for key in [*["left"] * 5, *["down"] * 5, *["right"] * 5]:
            await pilot.press(key)
            region = app.map.region_of(app.map.cursor)
            assert app.map.size.region.contains_region(region)


async def test_space_centres():
    async with opened(section_four_app(), (45, 13)) as (app, pilot):
        app.map.focus()
        await pilot.press("left", "left", "left", "space")
        middle = Offset(22, 6)
        assert app.map.place_at(*middle) == app.map.cursor == (-2, -1)
        assert abs(app.map.region_of((-2, -1)).center[0] - middle.x) <= 1


@pytest.mark.parametrize("size", [(45, 13), (80, 24), (200, 60)])
async def test_the_camera_keeps_to_the_known_cave_and_two_places_more(size):
    async with opened(section_four_app(), size) as (app, pilot):
        pane = app.map.size
        for far in (-300, 300):
            app.map.centre_on((far, far))
            await pilot.pause()
            left, top, right, bottom = app.map.bounds
            first = app.map.region_of((left - 2, top - 2))
            known = first.union(app.map.region_of((right + 2, bottom + 2)))
            for start, end, cells in (
                (known.x, known.right, pane.width),
                (known.y, known.bottom, pane.height),
            ):
                # A pane without room for all of it shows nothing else, one with more room shows all of it.
                assert (start <= 0 and end >= cells) if end - start >= cells else 0 <= start <= end <= cells


async def test_keys_zoom_about_the_cursor_tile():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        app.map.focus()
        await pilot.press("left")
        held = middle_of(app.map, app.map.cursor)
        for key, zoom in (("Z", "M"), ("Z", "S"), ("Z", "L"), ("z", "S"), ("z", "M"), ("z", "L")):
            await pilot.press(key)
            assert app.map.zoom == zoom
            assert app.map.place_at(*held) == app.map.cursor
            assert middle_of(app.map, app.map.cursor) == held


# Mouse


async def test_a_double_click_elsewhere_is_a_second_click_too():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        await pilot.double_click(CaveMap, offset=spot_on(app.map, (-1, 1)))
        clicks = [told for told in app.told if told[0] == "clicked"]
        assert clicks == [("clicked", (-1, 1), False), ("clicked", (-1, 1), True)]


async def test_a_click_far_from_the_cave_does_nothing():
    async with opened(section_four_app(cursor=(0, 0)), (140, 45)) as (app, pilot):
        await pilot.click(CaveMap, offset=(1, 1))
        assert not [told for told in app.told if told[0] != "hovered"]
        assert app.map.cursor == (0, 0)


async def test_a_drag_pans_and_is_no_click():
    async with opened(section_four_app(cursor=(0, 0)), SMALL) as (app, pilot):
        before = in_pane(app.map, (0, 0))
        await pilot.mouse_down(CaveMap, offset=(30, 8))
        await pilot.hover(CaveMap, offset=Offset(30, 8) + PULLED)
        await pilot.mouse_up(CaveMap, offset=Offset(30, 8) + PULLED)
        assert in_pane(app.map, (0, 0)) == before + PULLED
        assert app.map.cursor == (0, 0)
        assert not [told for told in app.told if told[0] == "clicked"]
        # Nothing is selected by it either, and the next move of the mouse does not pan.
        assert not app.screen.selections
        await pilot.hover(CaveMap, offset=(50, 5))
        assert in_pane(app.map, (0, 0)) == before + PULLED


async def test_hover_tells_each_tile_once():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        for at in ((0, 0), (0, 0), (1, 0)):
            await pilot.hover(CaveMap, offset=spot_on(app.map, at))
        assert app.told == [("hovered", (0, 0)), ("hovered", (1, 0))]


async def test_the_wheel_zooms_about_the_mouse():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        spot = spot_on(app.map, (-2, 0))
        for kind, zoom in ((events.MouseScrollDown, "M"), (events.MouseScrollDown, "S")):
            app.map.post_message(kind(app.map, spot.x, spot.y, 0, 0, 0, False, False, False, spot.x, spot.y))
            await pilot.pause()
            assert app.map.zoom == zoom
            assert app.map.place_at(*spot) == (-2, 0)


# Growth and size


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("at", [(-3, 0), (0, -2), (3, 0), (0, 3)])
async def test_growth_keeps_what_is_in_sight_in_place(at, zoom):
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


async def test_growth_shows_in_no_frame_as_a_jump(monkeypatch):
    view = section_four.view()
    async with opened(MapApp(map_picture(view)), SIZE) as (app, pilot):
        base = in_pane(app.map, (0, 0))
        seen = []
        lines = CaveMap.render_lines

        def spy(self, crop):
            seen.append(in_pane(self, (0, 0)))
            return lines(self, crop)

        monkeypatch.setattr(CaveMap, "render_lines", spy)
        app.map.picture = map_picture(grown(view, (-3, -2)))
        await pilot.pause()
        assert seen
        assert set(seen) == {base}


async def test_the_very_first_frame_is_in_the_right_place(monkeypatch):
    seen = []
    lines = CaveMap.render_lines

    def spy(self, crop):
        seen.append((self.size, in_pane(self, B_AT)))
        return lines(self, crop)

    monkeypatch.setattr(CaveMap, "render_lines", spy)
    async with opened(section_four_app(), SMALL) as (app, pilot):
        assert len(set(seen)) == 1
        assert app.map.place_at(SMALL[0] // 2, SMALL[1] // 2) == B_AT
        # After a resize the frames of the old size may still come, but none in between.
        seen.clear()
        await pilot.resize_terminal(50, 14)
        await pilot.pause()
        assert len(set(seen)) == 1
        assert app.map.place_at(25, 7) == B_AT


async def test_a_resize_brings_what_one_points_at_to_the_middle_as_on_opening():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        app.map.centre_on((0, 0))
        for size in ((120, 40), (60, 16), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            fresh = section_four_app()
            async with run(fresh, size=size):
                assert app.map.in_sight == fresh.map.in_sight
                if size == SMALL:
                    assert app.map.place_at(size[0] // 2, size[1] // 2) == B_AT


@pytest.mark.parametrize(("followed", "middle"), [(None, B_AT), ((1, 0), (1, 0))])
async def test_a_resize_brings_the_cursor_or_who_is_followed_to_the_middle_from_afar(followed, middle):
    async with opened(section_four_app(zoom="L"), (46, 9)) as (app, pilot):
        app.map.followed = followed
        app.map.zoom = "L"
        app.map.centre_on((-30, -30))
        assert not app.map.size.region.contains_region(app.map.region_of(middle))
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert app.map.place_at(30, 8) == middle


@pytest.mark.parametrize(
    ("size", "zoom"), [((55, 17), "L"), ((46, 13), "L"), ((44, 13), "M"), ((39, 9), "M"), ((20, 5), "S")]
)
async def test_a_small_pane_takes_a_smaller_zoom_unless_a_person_took_one(size, zoom):
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


@pytest.mark.parametrize("cursor", [(-2, -2), (3, 2), (3, -2)])
async def test_a_smaller_pane_still_shows_where_one_points(cursor):
    async with opened(section_four_app(cursor=(0, 0)), (200, 60)) as (app, pilot):
        app.map.cursor = cursor
        assert app.map.size.region.contains_region(app.map.region_of(cursor))
        await pilot.resize_terminal(40, 16)
        await pilot.pause()
        assert app.map.size.region.contains_region(app.map.region_of(cursor))


async def test_the_first_picture_is_centred_on_the_cursor():
    async with opened(MapApp(EMPTY, cursor=B_AT), SMALL) as (app, pilot):
        app.map.picture = map_picture(section_four.view())
        await pilot.pause()
        assert app.map.place_at(30, 8) == B_AT
        assert any("CHOKE" in line for line in painted(app))


async def test_a_map_that_is_shown_later_is_centred_then():
    app = section_four_app()
    app.map.display = False
    async with run(app, size=SMALL) as pilot:
        assert not app.map.size
        app.map.centre_on((-1, 1))
        await pilot.pause()
        app.map.display = True
        await pilot.pause()
        assert app.map.place_at(SMALL[0] // 2, SMALL[1] // 2) == (-1, 1)


async def test_nothing_breaks_in_a_pane_of_one_cell():
    async with opened(section_four_app(), (1, 1)) as (app, pilot):
        app.map.focus()
        await pilot.press("left", "down", "Z", "Z", "z", "space")
        await pilot.pause()
        assert [len(line) for line in pane(app.map)] == [1]


# Styles


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_in_an_ansi_theme_all_colours_are_the_terminals_own(theme):
    app = section_four_app()
    app.theme = theme
    async with run(app, size=SIZE):
        for role in ROLES:
            style = app.map.role_styles()[role]
            assert style.color.type in (ColorType.DEFAULT, ColorType.STANDARD), role
            assert style.bgcolor.type in (ColorType.DEFAULT, ColorType.STANDARD), role
            # Many terminals turn bold black into grey.
            assert not (style.bold and style.color.number == 0), role
        assert any("CHOKE" in line for line in painted(app))


@pytest.mark.parametrize("colour", ["#A0A0A0", "ansi_red"])
async def test_the_terminals_own_colours_are_turned_into_rgb_where_there_are_any(colour):
    """The library's filter for that is left out only where it would find nothing."""
    app = section_four_app()
    app.register_theme(
        replace(CAVE_DARK, name="other", variables={**CAVE_DARK.variables, "map-text": colour})
    )
    app.theme = "other"
    async with run(app, size=SIZE):
        asked = [type(each) for each in app.map.get_line_filters()]
        assert (ANSIToTruecolor in asked) == (colour == "ansi_red")
        drawn = [segment.style for strip in app.screen._compositor.render_strips() for segment in strip]
        colours = {style.color.type for style in drawn if style and style.color}
        assert colours == {ColorType.TRUECOLOR}


async def test_a_new_theme_shows_at_once():
    async with opened(section_four_app(), SIZE) as (app, pilot):
        dark = [segment.style for segment in app.map.render_line(12)]
        app.theme = "textual-light"
        await pilot.pause()
        light = [segment.style for segment in app.map.render_line(12)]
        assert dark != light


async def test_beside_other_widgets_the_map_keeps_to_its_pane():
    class Beside(MapApp):
        def compose(self) -> ComposeResult:
            yield Static("above")
            yield self.map

    async with opened(Beside(map_picture(section_four.view()), cursor=B_AT), SIZE) as (app, pilot):
        assert painted(app)[0].startswith("above")
        await pilot.click(CaveMap, offset=spot_on(app.map, (0, 0)))
        assert app.map.cursor == (0, 0)
