"""The board pane: painted, or drawn in signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Protocol

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from cave.codec import Place
from cave.sir_ocelots_cave.components import GEMS, LEVEL, RIM, SQUARES, TOOLS, components
from client.face import LETTERS
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.board_painter import BoardPainter
from client.games.sir_ocelots_cave.gem_signs import IN_VIEW, ROLES, BoardSignWriter, Sign
from client.games.sir_ocelots_cave.palette import GREY, gem_palette
from client.games.sir_ocelots_cave.picture import (
    ABOVE,
    ACROSS,
    DOWN,
    LEFT,
    PITCHES,
    RAY_STEPS,
    Board,
    Pitch,
    Rim,
    Square,
    new_rays,
)
from client.tui.board.geometry import Bounds, SquareGrid, cells_within_bounds
from client.tui.board.view import Block, Drawer, DrawnBoard, may_paint
from client.tui.canvas import QUARTERS
from client.tui.colour_tiers import NO_COLOURS, in_few
from client.tui.motion import Effect, MotionPlayer
from client.tui.text_roles import style
from client.tui.themes import colour_tier, draws, motion_of, seat_colours
from client.wording import begun, count

GRIDS = {zoom: SquareGrid(pitch) for zoom, pitch in PITCHES.items()}
_LEVELS = components().levels
RAY = Effect(0.04, RAY_STEPS, calm=True)
BOLD = Style(bold=True)
UNDERLINED = Style(underline=True)  # gems in sight, without colours
THIN = "▏"  # the edge of a square that is not in sight, without colours


class BoardDrawer(Drawer, Protocol):
    def around(self, region: Region, pitch: Pitch) -> Sequence[Sequence[Any]]: ...

    def block(self, at: Place, look: Square | Rim, pitch: Pitch, *, cursor: bool) -> Sequence[Sequence[Any]]: ...

    def pieces(self, cells: Sequence[Any]) -> list[Segment]: ...


class BoardPane(DrawnBoard[BoardDrawer], can_focus=False):
    """The three caves with their rim, from ``picture``. Without ``light`` they are drawn in signs."""

    DEFAULT_CSS = "BoardPane { background: $surface; }"
    ZOOMS: ClassVar[tuple[str, ...]] = tuple(PITCHES)
    IS_FIXED: ClassVar[bool] = True

    picture: reactive[Board] = reactive(Board(), repaint=False)

    def __init__(self, *, glyphs: str, light: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs=glyphs, light=light, id=id)
        self._around: tuple[Region, Sequence[Sequence[Any]]] | None = None  # with its region
        self._alike: dict[tuple[object, Square | Rim, bool], Block] = {}
        self._rays: Sequence[frozenset[Place]] = ()
        self._flash: frozenset[Place] = frozenset()
        self.ray = MotionPlayer(self, RAY, self._show_ray, lambda: motion_of(self.app))

    # The board

    @property
    def bounds(self) -> Bounds:
        return 0, 0, ACROSS - 1, DOWN - 1

    def geometry_at(self, zoom: str) -> SquareGrid:
        return GRIDS[zoom]

    def extent(self, zoom: str) -> Region:
        return cells_within_bounds(GRIDS[zoom], self.bounds).grow((ABOVE, 0, 0, LEFT))

    def nearest(self, at: Place) -> Place:
        return at if at in self.picture.places else self.cursor

    # Changes

    def watch_picture(self, before: Board, after: Board) -> None:
        if not before.places:
            self.forget()
        changed = {at for at, look in after.places.items() if look != before.places.get(at)}
        self.redraw(changed - {self.cursor, after.cursor} if self.cursor != after.cursor else changed)
        self.cursor = after.cursor
        self.ray.stop()
        self._rays = new_rays(before, after) if before.places and self.in_rgb else ()
        if any(self._rays):
            self.ray.start()

    def _show_ray(self, step: int | None) -> None:
        before, self._flash = self._flash, frozenset() if step is None else self._rays[step]
        self.redraw(before ^ self._flash)

    def forget(self) -> None:
        self._around = None
        self._alike.clear()
        super().forget()

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        if not self.picture.places:
            return [Strip.blank(crop.width, self.rich_style)] * crop.height
        return super().render_lines(crop)

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        look = self.picture.places.get(at)
        drawer = self.drawer
        if look is None:
            return [drawer.pieces(row) for row in self._surroundings_beside(drawer, self.geometry.region(at))]
        if at in self._flash and isinstance(look, Square):
            look = replace(look, flash=True)
        # Squares at the same distance from the middle of their cave can share a block, and spaces of the rim
        # with the same edges.
        alike: object = LEVEL.get((at[0] - 1, at[1])), LEVEL.get((at[0], at[1] - 1))
        if isinstance(look, Square):
            alike = _LEVELS[look.level - 1].distance(at)
        key = alike, look, at == self.cursor
        if key not in self._alike:
            cells = drawer.block(at, look, self.geometry.pitch, cursor=at == self.cursor)
            self._alike[key] = [drawer.pieces(row) for row in cells]
        return self._alike[key]

    def _surroundings_beside(self, drawer: BoardDrawer, region: Region) -> Sequence[Sequence[Any]]:
        """Return the cells of a region beside the board, cut from a cached picture of the whole."""
        if self._around is None or not self._around[0].contains_region(region):
            across, down = self.geometry.pitch
            shown = Region.from_offset(self._origin, self.virtual_size).grow((down, across, down, across))
            shown = shown.union(region)
            self._around = shown, drawer.around(shown, self.geometry.pitch)
        shown, cells = self._around
        x, y = region.offset - shown.offset
        return [row[x : x + region.width] for row in cells[y : y + region.height]]

    @property
    def may_paint(self) -> bool:
        """Whether large gems are painted, not drawn as letters."""
        glyphs, light = self.glyphs, self.light
        return _page_paints_gems(self, light=light) or _paints_without_colours(self, glyphs, light=light)

    @staticmethod
    def drawer_on(page: Widget, glyphs: str, *, light: bool) -> BoardDrawer:
        app, theme, plain = page.app, page.app.current_theme, page.rich_style
        signs = "ascii" if glyphs == "ascii" else "unicode"
        if not _page_paints_gems(page, light=light):
            styles = {role: plain + style(app, hue) for role, hue in ROLES.items()}
            if app.no_color:
                styles |= {role: styles[role] + UNDERLINED for role in styles if role.startswith("lit ")}
                styles |= {"won": styles["lit mark"]}  # reversed signs of gems would look like others
            paint = _painter_without_colours(page) if _paints_without_colours(page, glyphs, light=light) else None
            return BoardSignWriter(signs, styles.__getitem__, in_rgb=not theme.ansi, paint=paint)
        tier = colour_tier(app)
        lights = gem_palette(theme.name, dark=theme.dark, colours=tier.colours, glyphs=glyphs)
        return BoardPainter(tier, signs, seat_colours(app), lights, fine=glyphs == "fine")


def _painter_without_colours(page: Widget) -> Callable[[Place, Square | Rim, Pitch, bool], list[list[Sign]]]:
    """Return what paints large squares as white drawings."""
    painter = BoardPainter(NO_COLOURS, "unicode", seat_colours(page.app), GREY)

    def paint(at: Place, look: Square | Rim, pitch: Pitch, cursor: bool) -> list[list[Sign]]:
        block = painter.block(at, look, pitch, cursor=cursor)
        is_lit = isinstance(look, Square) and look.lit and look.companion is None
        stands_back = isinstance(look, Square) and look.gem is not None and not (look.lit or look.mark)
        found = []
        for row in block:
            few = [in_few(cell, GREY.night, "fine", coloured=False) for cell in row]
            if row[0].ink in GREY.edges:  # The edges of squares are thin.
                few[0] = (THIN, few[0][1]) if not is_lit else (IN_VIEW["unicode"][0], BOLD)
            if is_lit:
                few = [(glyph, role + BOLD) for glyph, role in few]
            elif stands_back:
                few = [(glyph, role + Style(dim=glyph in QUARTERS)) for glyph, role in few]
            found.append([Sign(*each) for each in few])
        return found

    return paint


def _page_paints_gems(page: Widget, *, light: bool) -> bool:
    return may_paint(page.app, light=light, stark=True, few=True)


def _paints_without_colours(page: Widget, glyphs: str, *, light: bool) -> bool:
    app = page.app
    return light and draws(app) and colour_tier(app) == NO_COLOURS and glyphs != "ascii"


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    drawer: BoardDrawer = BoardSignWriter("ascii", lambda _: Style.null())
    if page is not None:
        drawer = BoardPane.drawer_on(page, glyphs, light=light)
    for look, words in _legend_samples():
        at, pitch = (SQUARES[0] if isinstance(look, Square) else RIM[0], PITCHES[zoom or ("M" if page else "S")])
        cells = drawer.block(at, look, pitch, cursor=words.startswith("The cursor"))
        yield [drawer.pieces(row) for row in cells], words


def _legend_samples() -> Iterator[tuple[Square | Rim, str]]:
    empty, free = Square(1, None, None, False, "", ""), Rim(None, None, False, False)
    for gem in GEMS:
        points = count(terms.POINTS[gem], "point") if gem in terms.POINTS else "no points"
        also = f"; {terms.ABOUT[gem]}" if gem in terms.ABOUT else ""
        yield replace(empty, gem=gem), f"{begun(terms.NAMES[gem])}: {points}{also}."
    yield empty, "An empty square."
    for seat in (0, 1):
        yield replace(empty, companion=seat), f"The companion of {LETTERS[seat]}."
    yield free, "A free space of the rim: a tool can be laid there."
    yield replace(free, sees=True), "A free space that sees the square at the cursor."
    for tool in TOOLS:
        yield replace(free, tool=tool), f"A {tool} on the rim."
    yield replace(free, tool="lamp", recent=True), "A tool laid since your last turn."
    yield replace(free, held="lamp"), "The tool in your hand."
    opal = replace(empty, gem="opal")
    yield replace(opal, lit=True), "Seen from the cursor."
    yield replace(opal, missing="P", mark="short"), "One more tool of yours, a pickaxe, collects it."
    yield (
        replace(opal, missing="LP", mark="short"),
        "A lamp or a pickaxe collects it, with your companion. Two hide its value.",
    )
    yield replace(opal, mark="gain"), "The chosen tool collects this gem at the cursor."
    yield replace(opal, mark="leave"), "While you collect: left there (+ is taken)."
    yield opal, "The cursor. A place is named by column and row, such as 9,4."
