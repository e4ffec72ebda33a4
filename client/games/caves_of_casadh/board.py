"""The map pane: painted, or drawn in signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import ClassVar

from msgspec.structs import replace
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.widget import Widget

from cave.caves_of_casadh.components import BASE, COLLAPSED, PAINTINGS, Hex, components, distance, layout, neighbours_of
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.hex_painter import HexPainter, palette
from client.games.caves_of_casadh.hex_signs import ICONS, OWN_EDGES, ROLES, HexSignWriter, label_cell, signs
from client.games.caves_of_casadh.passages import GRIDS, OVERVIEW, axial_cell, on_board
from client.games.caves_of_casadh.picture import NOTHING, EmptyLook, HexLook, Look, Picture, Way, look_of
from client.games.caves_of_casadh.tasks import NO_WAY_HOME
from client.tui import text_roles
from client.tui.board.geometry import Bounds, HexGrid, Place, cells_within_bounds, hex_outline
from client.tui.board.view import Block, DrawnBoard, Row, may_paint
from client.tui.canvas import cut
from client.tui.themes import colour_tier, paints_dark_board, seat_colours
from client.wording import joined

USUAL = "M"  # the zoom for a cave that is larger than the pane
ENOUGH = {**dict.fromkeys(GRIDS, (3.8, 1.8)), USUAL: (3.8, 2.2)}
"""By zoom: least number of hexes across and down that the map shows, if a smaller zoom can do it."""
CLOSE = (1, 2, 1, 2)  # the edge of the whole map: unexplored places are cut
GAP = 4  # up to this many equal cells between two changes are cheaper to repaint than to skip
MANY = 4096  # blocks in the cache before it is cleared


class HexMap(DrawnBoard[HexPainter | HexSignWriter]):
    """The known hexes of ``picture``. Without ``light`` they are drawn in signs."""

    EDGE: ClassVar[tuple[int, int, int, int]] = (2, 4, 2, 4)
    BESIDE: ClassVar[tuple[int, int, int, int]] = (1, 4, 1, 4)  # for the numbers of the ways round a pawn
    ZOOMS: ClassVar[tuple[str, ...]] = tuple(GRIDS)

    picture: reactive[Picture] = reactive(Picture(), repaint=False)

    def __init__(self, *, glyphs: str, light: bool, zoom: str = "L", id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs=glyphs, light=light, zoom="" if zoom == "L" else zoom, id=id)
        self._alike: dict[tuple[Place | None, Look, bool, tuple[int, ...], HexGrid, range], Block] = {}
        """Cache of blocks: identical hexes are painted once."""
        self._whole = ""  # the zoom of the overview, once requested

    # The board

    @property
    def bounds(self) -> Bounds:
        return self.picture.bounds

    def geometry_at(self, zoom: str) -> HexGrid:
        return GRIDS[zoom]

    @property
    def known_region(self) -> Region:
        return self._region_of_hexes(self.zoom, self.EDGE)

    def fits(self, zoom: str, pane: Size) -> bool:
        """Return whether the whole cave is visible; at the usual zoom and below, whether enough of it is."""
        if self.ZOOMS.index(zoom) < self.ZOOMS.index(USUAL):
            return self._holds_all(zoom, pane)
        cells = self.geometry_at(zoom).pitch
        return all(room >= many * each for room, many, each in zip(pane, ENOUGH[zoom], cells, strict=True))

    def bounds_changed(self) -> None:
        self.refit_zoom()
        super().bounds_changed()

    def look_at(self, at: Place) -> None:
        """Move the cursor to a place. If its surroundings are visible, the map does not scroll; else it
        centres the whole cave, or as much of it around the place as fits.
        """
        self._take_cursor(self.nearest(at))
        seen = self.known_region.translate(-self.upper_left_cell)
        if not self.shows_all:
            seen = self.region_of(self.cursor).grow(self.BESIDE)
        if self.outer_size.region.contains_region(seen):
            self._show_pawns(self.cursor)
        else:
            self.centre_on(self.cursor)

    def centre_on(self, at: Place) -> None:
        super().centre_on(at)
        self._show_pawns(at)

    def _show_pawns(self, at: Place) -> None:
        """Scroll to the pawns that fit beside a place, the nearest first."""
        if not self.outer_size or self.shows_all:
            return
        found, around = [at], self.geometry.region(at).grow(self.BESIDE)
        pawns = [each for each, look in self.picture.places.items() if isinstance(look, HexLook) and look.pawns]
        for each in sorted(pawns, key=lambda each: distance(axial_cell(each), axial_cell(at))):
            both = around.union(self.geometry.region(each))
            if self.outer_size.region.contains_region(both.reset_offset):
                found, around = [*found, each], both
        self.show_together(found)

    def watch_zoom(self) -> None:
        super().watch_zoom()
        if self.outer_size and (self.shows_all or self.zoom == self._whole):
            self.centre_on(self._middle_place)

    @property
    def is_whole(self) -> bool:
        """Whether the player wants the whole map."""
        return bool(self._whole) and self.zoom == self._whole

    def toggle_overview(self) -> None:
        """Switch between the whole map, as large as fits, and the usual zoom."""
        if self.zoom == self._whole:
            self._whole, self.zoom = "", self._fitted
        else:
            self._whole = self.zoom = self._largest_zoom()

    def refit_zoom(self) -> None:
        shows_whole = self.zoom == self._whole
        if shows_whole:
            self.set_reactive(HexMap.zoom, self._fitted)
        super().refit_zoom()
        if shows_whole:
            self._whole = self._largest_zoom()
            self.set_reactive(HexMap.zoom, self._whole)
            self._centre_when_sized = self._middle_place

    @property
    def _middle_place(self) -> Place:
        left, top, right, bottom = self.bounds
        return ((left + right) // 2, (top + bottom) // 2)

    @property
    def shows_all(self) -> bool:
        """Whether the whole cave fits into the pane."""
        return self.is_whole or self._holds_all(self.zoom, self.outer_size)

    def _holds_all(self, zoom: str, pane: Size) -> bool:
        return pane.region.contains_region(self._region_of_hexes(zoom, self.EDGE).reset_offset)

    def _region_of_hexes(self, zoom: str, edge: tuple[int, int, int, int]) -> Region:
        """Return the cells of the known hexes and this edge: the bounds may have half a row more."""
        grid, places = self.geometry_at(zoom), self.picture.places.items()
        known = [grid.region(at) for at, look in places if isinstance(look, HexLook)]
        return Region.from_union(known or [grid.region((0, 0))]).grow(edge)

    def _largest_zoom(self) -> str:
        """Return the largest zoom that shows the whole map."""
        room = self.outer_size.region
        shown = (each for each in self.ZOOMS if room.contains_region(self._region_of_hexes(each, CLOSE).reset_offset))
        return next(shown, OVERVIEW)

    # Changes

    def watch_picture(self, before: Picture, after: Picture) -> None:
        """Repaint changed places; if the map has grown, keep the scroll position."""
        if before.bounds != after.bounds:
            self.bounds_changed()
        if not before.places:
            self.centre_on(self.cursor)
            self.blocks.clear()
            self.repaint(None)
            return
        places = before.places.keys() | after.places.keys()
        self.redraw(at for at in places if before.places.get(at) != after.places.get(at))

    def watch_cursor(self, before: Place, after: Place) -> None:
        """Redraw both places; in signs their neighbours, too, which draw half of the cursor."""
        both = (before, after)
        around = (to for at in both for to in neighbours_on_board(at))
        self.redraw((*both, *around) if self.drawer.is_alike else both)

    def redraw(self, places: Iterable[Place]) -> None:
        """Redraw these places, but paint only changed cells: hexes are large."""
        found: list[Region] = []
        for at in places:
            region = self.geometry.region(at)
            kept = [is_cut for is_cut in (False, True) if (at, is_cut) in self.blocks]
            if not kept:
                found.append(region)
            for is_cut in kept:
                old, new = self.blocks[at, is_cut], self._keep_drawn_place(at, is_cut)
                for y, span in enumerate(hex_outline(GRIDS[self.zoom])):
                    for run in differing_cells(old[y], new[y]):
                        found.append(Region(region.x + span.start + run.start, region.y + y, len(run), 1))
        self.repaint(found)

    def forget(self) -> None:
        self._alike.clear()
        super().forget()

    # Drawing

    def note_scrolled(self) -> None:
        """Drop the cached hexes at the edge of the pane: they show other signs now."""
        for key in [key for key in self.blocks if key[1]]:
            del self.blocks[key]

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        """Return the cells of a place. If it is cut off, only complete signs are drawn."""
        grid = GRIDS[self.zoom]
        seen = range(grid.block[0])
        if is_cut:
            left = self.region_of(at).x
            seen = seen[max(0, -left) : self.outer_size.width - left]
        return self._block_in_sight(at, grid, seen)

    def label_cell(self, at: Place) -> tuple[int, int]:
        return label_cell(self.picture.places.get(at, NOTHING), GRIDS[self.zoom])

    def _block_in_sight(self, at: Place, grid: HexGrid, seen: range) -> Block:
        look, cursor, drawer = self.picture.places.get(at, NOTHING), at == self.cursor, self.drawer
        around = neighbours_on_board(at) if drawer.is_alike else ()
        beside = tuple(side for side in OWN_EDGES if around and around[side] == self.cursor)
        key = (None if drawer.is_alike or isinstance(look, HexLook) else at, look, cursor, beside, grid, seen)
        block = self._alike.get(key)
        if block is None:
            if len(self._alike) >= MANY:
                self._alike.clear()
            block = self._alike[key] = drawer.block(at, look, grid, seen, cursor=cursor, beside=beside)
        return block

    def inset_rows(self, width: int, height: int) -> Iterator[Sequence[tuple[Place, Segment]]]:
        """Yield the rows of a small picture of the cave, each piece with its place; nothing if too large."""
        for grid in (GRIDS["XS"], GRIDS[OVERVIEW]):
            whole = cells_within_bounds(grid, self.bounds)
            if whole.width <= width - 2 and whole.height <= height - 2:
                break
        else:
            return
        left, top = whole.x - (width - whole.width) // 2, whole.y - (height - whole.height) // 2
        seen = range(grid.block[0])
        for y in range(top, top + height):
            row: list[tuple[Place, Segment]] = []
            for at, number, start, stop, is_whole in grid.line(left, y, width):
                cells = self._block_in_sight(at, grid, seen)[number]
                row += [(at, each) for each in (cells if is_whole else cut(cells, start, stop))]
            yield row

    def close_up(self, at: Place, width: int, height: int) -> Iterator[Sequence[tuple[Place, Segment]]]:
        """Yield the rows of a hex, large, if it fits and the map does not show it so."""
        look, large = self.picture.places.get(at, NOTHING), map(self.geometry_at, self.ZOOMS[:2])
        grid = next((each for each in large if each.block[0] <= width and each.block[1] <= height), None)
        if grid is None or isinstance(look, EmptyLook) or grid == self.geometry:
            return
        if self.drawer.is_alike:
            look = replace(look, ghost=True)  # All its borders are its own.
        block = self.drawer.block(at, look, grid, range(grid.block[0]), cursor=False)
        left = (width - grid.block[0]) // 2
        for span, row in zip(hex_outline(grid), block, strict=True):
            yield [(at, Segment(" " * (left + span.start))), *((at, piece) for piece in row)]

    @staticmethod
    def drawer_on(page: Widget, glyphs: str, *, light: bool) -> HexPainter | HexSignWriter:
        app, plain, theme = page.app, page.rich_style, page.app.current_theme
        is_grey = light and app.no_color and paints_dark_board(app)
        is_painted = is_grey or may_paint(app, light=light, stark=True, few=True)
        is_ascii = glyphs == "ascii"
        if not is_painted or (is_ascii and app.no_color):
            style = cache(lambda role: plain + text_roles.style(app, ROLES[role]))
            return HexSignWriter("ascii" if is_ascii else "unicode", style, in_rgb=not theme.ansi)
        tones = colour_tier(app)
        colours = palette(theme.name, dark=theme.dark, colours=tones.colours, whole=is_ascii)
        return HexPainter(tones, colours, seat_colours(app), whole=is_ascii)


def neighbours_on_board(at: Place) -> Sequence[Place]:
    """Return the six places around one, by side."""
    return [on_board(cell) for cell in neighbours_of(axial_cell(at))]


def differing_cells(old: Row, new: Row) -> list[range]:
    """Return the ranges of cells in which two rows differ; ranges close together are joined."""
    if old == new:
        return []
    runs: list[range] = []
    for x, (one, other) in enumerate(zip(_cells_of_row(old), _cells_of_row(new), strict=True)):
        if one != other and not (one[0] == other[0] == " " and _of_blank(one[1]) == _of_blank(other[1])):
            if runs and x - runs[-1].stop < GAP:
                runs[-1] = range(runs[-1].start, x + 1)
            else:
                runs.append(range(x, x + 1))
    return runs


def _cells_of_row(row: Row) -> list[tuple[str, Style | None]]:
    return [(glyph, style) for text, style, _ in row for glyph in text]


def _of_blank(style: Style | None) -> Style | Color | None:
    """Return the visible part of a blank's style: the ground, or all if it is reversed or underlined."""
    if style is None or style.reverse or style.underline:
        return style
    return style.bgcolor


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    grid = GRIDS["S" if zoom == "S" else "M"]  # The largest hexes would fill 300 rows.
    for look, words in _legend_samples():
        if page is None:
            yield [[Segment(sign.text)] for sign in signs(look, grid, ascii_only=True)], words
            continue
        drawer = HexMap.drawer_on(page, glyphs, light=light)
        cursor = words.startswith("The cursor")
        rows = drawer.block((0, 0), look, grid, range(grid.block[0]), cursor=cursor)
        air = [Segment(" " * span.start, page.rich_style) for span in hex_outline(grid)]
        yield [[before, *row] for before, row in zip(air, rows, strict=True)], words


def _legend_samples() -> Iterator[tuple[Look, str]]:
    hexes = [each for each in components().hexes.values() if not each.special]
    bare = next(each for each in hexes if not (each.slopes or each.stars or each.water >= 0))
    slope = next(each for each in hexes if each.slopes)
    wet = next(each for each in hexes if each.water >= 0)
    star = next(each for each in hexes if each.stars and not each.slopes)
    there = replace(_sample_hex(bare), marker=-1, hazard="")
    yield replace(there, pawns=((0, 0),), own=0), "Spelunker A, and the passage that this pawn is in."
    yield there, "A hex of level 1 (L1). Its passages are bands; a band that runs over another has dark sides."
    yield replace(there, level=2), "A hex of level 2: more treasures and more dangers."
    yield _sample_hex(slope), "A slope: free in the direction of its arrow, and with a Rope against it."
    yield _sample_hex(wet), "Water: enter its passage to lose Thirst."
    yield _sample_hex(star), "Stars: one of them must face the hex that this one is explored from."
    yield replace(there, marker=0, treasures=3), "The location marker, with 3 treasures, face down."
    yield replace(there, marker=0, items=2), "The location marker, with 2 items, face up."
    icons = joined([f"{ICONS[kind]} {name}" for kind, name in terms.HAZARDS.items()])
    yield replace(there, hazard="methane"), f"A hazard, asleep: {icons}. Nothing happens until it wakes."
    for kind, hazard in components().hazards.items():
        name, item = terms.HAZARDS[kind], terms.item_words(hazard.immune_item)
        if kind == "grue":
            yield replace(there, hazard=kind, grues=1), f"A grue: it bars the way; a {item} drives it off."
        else:
            harm = f"takes {hazard.damage} HP from all who enter without {item}"
            yield replace(there, hazard=kind, token=True), f"{name}, awake: {harm}."
    yield replace(there, dynamite="A"), "Dynamite of spelunker A."
    yield _sample_hex(components().hexes[BASE]), "Base Camp: the only way out of the caves."
    yield _sample_hex(components().hexes[PAINTINGS]), "Cave Paintings: from now on hexes of level 2 are found."
    yield _sample_hex(components().hexes[COLLAPSED]), "A collapsed hex: six dead ends, and no way through."
    yield (
        replace(there, way=Way(1, 0, "1", "-1 HP")),
        "Press 1 to go here: it costs 1 MP, and an awake hazard takes 1 HP.",
    )
    yield (EmptyLook((0,), Way(2, 0, "")), "Press 2 to explore this place: a card decides how many MP it costs.")
    yield EmptyLook((0,), Way(3, 0, "", NO_WAY_HOME)), "Press 3 to go here: after it no way home is known."
    yield EmptyLook((0,)), "A passage ends here: unexplored."
    yield replace(there, ghost=True), "The hex in your hand, as it would lie."
    yield there, "The cursor."


def _sample_hex(kind: Hex) -> HexLook:
    return look_of(layout(kind.id, 0), near=2)
