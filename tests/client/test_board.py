"""The shared board with hexes on it: a toy cave of 19."""

from __future__ import annotations

from typing import ClassVar

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Offset

from client.tui.board.geometry import Bounds, Geometry, HexGrid, Place, SquareGrid, centre, hex_outline
from client.tui.board.view import Block, BoardView, Outlook
from client.tui.themes import ThemedApp
from tests.client.pilot import press, run, settle, strips

GRIDS: tuple[Geometry, ...] = (
    HexGrid(10, 5, 8),
    HexGrid(4, 2, 4),
    HexGrid(3, 1, 2),
    SquareGrid((7, 3)),
    SquareGrid((9, 4), 1),
)
INK = Style.parse("#a04020 on #203040")
HEXES = {"L": HexGrid(10, 5, 8), "S": HexGrid(4, 2, 4)}
RING = {0: range(-2, 3), 1: range(-2, 2), -1: range(-2, 2), 2: range(-1, 2), -2: range(-1, 2)}
KNOWN = [(column, row) for column, rows in RING.items() for row in rows]


# Geometries


@given(st.sampled_from(GRIDS), st.integers(-60, 60), st.integers(-40, 40), st.integers(1, 70))
def test_the_places_cover_each_cell_once(grid: Geometry, x: int, y: int, width: int) -> None:
    at = x
    for place, row, start, stop, is_whole in grid.line(x, y, width):
        region, own = grid.region(place), grid.own_cells(row)
        assert (region.x + own.start + start, region.y + row) == (at, y)
        assert {grid.place(region.x + column, y) for column in own[start:stop]} == {place}
        assert is_whole == (range(start, stop) == range(len(own)))
        at += stop - start
    assert at == x + width


@given(st.sampled_from(GRIDS), st.integers(-9, 9), st.integers(-9, 9))
def test_the_middle_of_a_place_is_in_it(grid: Geometry, column: int, row: int) -> None:
    assert grid.place(*centre(grid, (column, row))) == (column, row)


# A board of hexes


class HexBoard(BoardView):
    """Nineteen hexes, each filled with the letter of its row."""

    ZOOMS: ClassVar[tuple[str, ...]] = ("L", "S")

    @property
    def bounds(self) -> Bounds:
        return -2, -2, 2, 2

    def geometry_at(self, zoom: str) -> HexGrid:
        return HEXES[zoom]

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        """Return a hex: known ones are letters, the cursor is a star, words are in the middle."""
        rows = hex_outline(HEXES[self.zoom])
        sign = "*" if at == self.cursor else "abcde"[at[1] + 2] if at in KNOWN else "."
        block = [[Segment(sign * len(row), INK)] for row in rows]
        if not is_cut:
            middle = len(rows) // 2
            block[middle] = [Segment("#" * len(rows[middle]), INK)]
        return block


class HexApp(ThemedApp[None]):
    def __init__(self) -> None:
        super().__init__()
        self.board = HexBoard(cursor=(0, 0))
        self.told: list[tuple[str, Place, bool]] = []

    def compose(self) -> ComposeResult:
        yield self.board

    def on_board_view_cursor_moved(self, event: BoardView.CursorMoved) -> None:
        self.told.append(("moved", event.at, False))

    def on_board_view_place_clicked(self, event: BoardView.PlaceClicked) -> None:
        self.told.append(("clicked", event.at, event.again))


def drawn(app: App[None]) -> list[str]:
    return [strip.text for strip in strips(app.screen)]


async def test_a_board_of_hexes_takes_the_zoom_that_shows_all_of_it_and_others_by_key() -> None:
    app = HexApp()
    async with run(app, size=(160, 90)) as pilot:
        app.board.focus()
        await settle(pilot)
        assert app.board.zoom == "L"
        await pilot.resize_terminal(64, 40)
        await settle(pilot)
        assert app.board.zoom == "S"
        assert sum(set("abcde*") & set(line) != set() for line in drawn(app)) == 5 * 4 - 1
        held = app.board.region_of((0, 0)).offset
        await press(pilot, "z")
        assert app.board.zoom == "L"
        assert app.board.place_at(held.x + 4, held.y + 2) == (0, 0)


async def test_a_pane_too_small_for_a_hex_can_be_zoomed() -> None:
    """Nothing is laid out in it, and blocks of the other size must not be used again."""
    app = HexApp()
    async with run(app, size=(64, 40)) as pilot:
        app.board.focus()
        await settle(pilot)
        await pilot.resize_terminal(64, 3)
        for key in ("z", "j", "z", "k", "z"):
            await press(pilot, key)
            assert {len(line) for line in drawn(app)} == {64}


async def test_a_board_larger_than_its_pane_has_whole_lines_at_each_width() -> None:
    app = HexApp()
    async with run(app, size=(30, 12)) as pilot:
        for width in (31, 33, 32):
            await pilot.resize_terminal(width, 12)
            await settle(pilot)
            shown = drawn(app)
            app.board.refresh()
            await settle(pilot)
            assert drawn(app) == shown, width


async def test_the_first_click_on_a_hex_points_and_the_second_selects() -> None:
    app = HexApp()
    async with run(app, size=(64, 40)) as pilot:
        await settle(pilot)
        spot = app.board.region_of((-1, 1)).offset + Offset(4, 2)
        await pilot.click(HexBoard, offset=spot)
        await pilot.click(HexBoard, offset=spot)
        assert app.told == [("moved", (-1, 1), False), ("clicked", (-1, 1), False), ("clicked", (-1, 1), True)]


async def test_a_board_is_restored_as_it_was_left() -> None:
    app = HexApp()
    async with run(app, size=(64, 40)) as pilot:
        app.board.focus()
        await settle(pilot)
        await press(pilot, "l", "j", "z")
        kept = app.board.outlook
        assert kept == Outlook((1, 1), "L")
        other = HexApp()
        async with run(other, size=(64, 40)) as again:
            other.board.restore(kept)
            await settle(again)
            assert other.board.outlook == kept
            other.board.restore(Outlook((70, 0), "none"))
            assert other.board.outlook == Outlook((3, 0), "L")
