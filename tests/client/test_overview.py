"""The whole cave as an inset of the map, from 100 columns on."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Offset, Region, Size

from client.games.the_cave.lit_painter import (
    covered_cells,
    overview_signs,
    overview_size,
    place_of_overview_cell,
    scale_for,
)
from client.games.the_cave.map_pane import MapPane, Overview, free_place
from client.games.the_cave.map_signs import UNICODE
from client.games.the_cave.picture import Cell, MapPicture, map_picture
from tests.client import section_four
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import Pilot, opened, settle

PLACES = st.sets(st.tuples(st.integers(-30, 30), st.integers(-20, 20)), min_size=1, max_size=60)


def caves(places: Any) -> MapPicture:
    cells = {at: Cell(kind="plain") for at in places}
    xs, ys = zip(*places, strict=True)
    return MapPicture(cells, {}, (min(xs), min(ys), max(xs), max(ys)))


# The drawing


@given(PLACES, st.integers(1, 60), st.integers(1, 30))
def test_the_whole_cave_is_shown_at_any_size(places: Any, columns: int, rows: int) -> None:
    picture = caves(places)
    bounds = picture.bounds
    scale = scale_for(bounds, columns, rows, columns * rows, 1)
    cells = overview_signs(picture, bounds, scale, UNICODE)
    width, height = overview_size(bounds, scale)
    assert (len(cells), {len(row) for row in cells}) == (height, {width})
    assert width <= columns
    assert height <= rows
    shown = {(x, y) for y, row in enumerate(cells) for x, (text, _) in enumerate(row) if text == "·"}
    left, top, _, _ = bounds
    for x, y in places:
        across, down = covered_cells(x, x, left, scale), covered_cells(y, y, top, scale)
        middle = (across[0] + across[1]) // 2, (down[0] + down[1]) // 2
        assert middle in shown
        pointed = place_of_overview_cell(*middle, bounds, scale)
        assert abs(pointed[0] - x) < max(1, scale)
        assert abs(pointed[1] - y) < max(1, scale)


def test_a_tile_with_a_team_wins_a_shared_cell() -> None:
    picture = map_picture(section_four.view())
    bounds = picture.bounds
    letters = {text for row in overview_signs(picture, bounds, 2, UNICODE) for text, _ in row}
    assert letters & set("ABCDE")
    assert {text for row in overview_signs(picture, bounds, 1, UNICODE) for text, _ in row} >= set("ABCDE")


# Its place

REGIONS = st.lists(
    st.builds(Region, st.integers(-5, 40), st.integers(-5, 20), st.integers(1, 15), st.integers(1, 8)), max_size=8
)


@given(REGIONS, st.integers(1, 30), st.integers(1, 15))
def test_a_free_place_hides_nothing_in_any_corner(taken: list[Region], width: int, height: int) -> None:
    pane, box = Size(40, 20), Size(width, height)
    corners = [Offset(x, y) for x in (0, 40 - width) for y in (0, 20 - height)]

    def is_free(at: Offset) -> bool:
        return not any(Region.from_offset(at, box).overlaps(each) for each in taken)

    found = free_place(pane, box, taken)
    if found is None:
        assert not any(map(is_free, corners))
    else:
        assert is_free(found)
        assert pane.region.contains_region(Region.from_offset(found, box))


# On the screen


def long_cave(length: int = 12, height: int = 9) -> Any:
    """A tunnel that leads west and one that leads south from its end, where Ann is."""
    board = [
        {"at": [0, 0], "kind": "base", "open": "W", "depth": 0, "start": True},
        *({"at": [-x, 0], "kind": "plain", "open": "EW", "depth": 0} for x in range(1, length)),
        {"at": [-length, 0], "kind": "plain", "open": "ES", "depth": 0},
        *({"at": [-length, y], "kind": "plain", "open": "NS", "depth": 0} for y in range(1, height)),
    ]
    teams = [
        {"name": "Ann", "at": [-length, 0], "backpack": {"consumable": 3}},
        {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 2}},
    ]
    return position(board=board, teams=teams)


def table(start: Any = None, glyphs: str = "unicode") -> TableApp:
    return TableApp(FakeSession(start=start if start is not None else long_cave()), glyphs=glyphs)


def inset(app: TableApp) -> Overview:
    return app.table.query_one(Overview)


def hidden(app: TableApp) -> list[Any]:
    """Return the tiles that it covers, and the cursor if covered."""
    if not inset(app).display:
        return []
    cave_map, pane = app.table.map, app.table.query_one(MapPane).region
    regions = {at: cave_map.region_of(at).translate(pane.offset) for at in (*cave_map.picture.cells, cave_map.cursor)}
    return [at for at, region in regions.items() if region.overlaps(inset(app).region)]


def lines(app: TableApp) -> list[str]:
    return ["".join(span.text for span in row) for row in inset(app).shown_rows]


def sign(app: TableApp, letter: str) -> tuple[int, int]:
    """Return the cell of the inset with a letter."""
    ((x, y),) = [(row.index(letter), y) for y, row in enumerate(lines(app)) if y and letter in row]
    return x, y


async def click_sign(pilot: Pilot[Any], app: TableApp, letter: str) -> None:
    await pilot.click(inset(app), offset=sign(app, letter))
    await settle(pilot)


async def test_a_click_only_scrolls_to_the_place() -> None:
    async with opened(table(), (120, 30)) as (app, pilot):
        before, cursor = app.session.full, app.table.map.cursor
        await click_sign(pilot, app, "B")
        left, top, right, bottom = app.table.map.in_sight
        assert left <= 0 <= right
        assert top <= 0 <= bottom
        assert app.table.map.cursor == cursor
        assert app.session.full is before
        assert app.table.map.has_focus
        await click_sign(pilot, app, "A")
        assert app.table.map.in_sight[0] <= cursor[0] <= app.table.map.in_sight[2]


async def test_a_drag_moves_the_view() -> None:
    async with opened(table(), (120, 30)) as (app, pilot):
        (x, y), seen = sign(app, "B"), []
        x -= 3
        await pilot.mouse_down(inset(app), offset=(x, y))
        for by in range(4):
            await pilot.hover(inset(app), offset=(x - by, y))
            seen.append(app.table.map.scroll_offset.x)
        assert seen == sorted(seen, reverse=True)
        assert len(set(seen)) == 4
        await pilot.mouse_up(inset(app), offset=(x - 3, y))
        await pilot.hover(inset(app), offset=(x, y))
        assert app.table.map.scroll_offset.x == seen[-1]


async def test_it_moves_away_from_the_cursor_and_from_tiles() -> None:
    async with opened(table(), (120, 24)) as (app, pilot):
        seen = set()
        for at in app.table.map.picture.cells:
            app.table.controller.look_at(at)
            await settle(pilot)
            pane = app.table.query_one(MapPane).region
            assert hidden(app) == []
            if inset(app).display:
                seen.add(inset(app).region.offset - pane.offset)
        assert seen
