"""The pane of a cave, painted or drawn in signs, and the row above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.widget import Widget

from cave import games
from cave.cave_vs_cave.actions import CAVERN, Space
from cave.cave_vs_cave.state import ENTRANCE, Player
from client.face import LETTERS
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.panes import ROOMS, VersusPanel
from client.games.cave_vs_cave.picture import (
    DARK,
    FREE,
    HIGHEST,
    LOWEST,
    ROWS,
    WIDE,
    Look,
    Picture,
    cave_size,
    lit_cave_places,
    place_of_space,
    space_at_place,
)
from client.games.cave_vs_cave.room_painter import (
    CRUMBLES,
    GAIN,
    LAMP,
    ROLES,
    RoomPainter,
    RoomSignWriter,
    cursor_bracket_cells,
)
from client.games.cave_vs_cave.scene import VersusScene
from client.tui.board.geometry import Bounds, Place, SquareGrid
from client.tui.board.view import Block, DrawnBoard, may_paint, text_of, write_on_block
from client.tui.canvas import cut
from client.tui.motion import Effect
from client.tui.motion import MotionPlayer as Movie
from client.tui.text_roles import style
from client.tui.themes import colour_tier, draws, motion_of
from client.tui.widgets.panel import Panel, Row, Span, seat_role, shorten_name
from client.wording import count

GRIDS = {str(high): SquareGrid((WIDE, high), 1) for high in range(HIGHEST, LOWEST - 1, -1)}
NOWHERE: Place = (-99, -99)  # the place of a hidden cursor
DIG = Effect(0.07, calm=True)
NAMED = 20  # most columns of a name


class CavePane(DrawnBoard[RoomSignWriter], can_focus=False):
    """The cave of ``picture``; in Era II only its board ``board`` if both do not fit."""

    DEFAULT_CSS = "CavePane { background: $surface; }"
    ZOOMS: ClassVar[tuple[str, ...]] = tuple(GRIDS)
    IS_FIXED: ClassVar[bool] = True

    picture: reactive[Picture] = reactive(Picture(), repaint=False)

    def __init__(self, *, glyphs: str, light: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs=glyphs, light=light, id=id)
        self.cursor = NOWHERE
        self.owner = "space"  # the word that a click on a space posts
        self._dug: frozenset[Place] = frozenset()
        self._gained: Mapping[int, int] = {}  # by good
        self._frame: int | None = None
        self._movie = Movie(self, DIG, self._show_frame, lambda: motion_of(self.app))

    # The board

    @property
    def bounds(self) -> Bounds:
        return 3 - 3 * len(self.picture.eras), 0, 2, ROWS - 1

    def geometry_at(self, zoom: str) -> SquareGrid:
        return GRIDS[zoom]

    def extent(self, zoom: str) -> Region:
        high = self.geometry_at(zoom).pitch[1]
        return Region(self.bounds[0] * WIDE, 0, *cave_size(len(self.picture.eras), high))

    def fits(self, zoom: str, pane: Size) -> bool:
        return self.extent(zoom).height <= pane.height

    def nearest(self, at: Place) -> Place:
        return at

    def scroll_into_view(self, at: Place) -> None:
        """Keep the scroll position: ``turn_to`` shows another board."""

    def turn_to(self, board: int) -> None:
        """Show a board, if both do not fit."""
        self.followed = (1 if board == 1 else -2, ROWS // 2)
        super().scroll_into_view(self.followed)

    # Changes

    def watch_picture(self, before: Picture, after: Picture) -> None:
        self._movie.stop()
        if before.eras != after.eras:
            self.bounds_changed()
        if not before.places or before.seat != after.seat:
            self.forget()
            return
        looks = before.places.items() ^ after.places.items()
        self.redraw({at for at, _ in looks})
        if (before.goods, before.points) != (after.goods, after.points):
            self.redraw(self._free_places)
        if after.steps > before.steps:
            closed = {at for at, look in before.places.items() if look.kind in ("dig", "hidden")}
            self._dug = frozenset(at for at in closed if after.places[at].kind in ("empty", "fits"))
            owned = zip(after.owned, before.owned, strict=True) if after.goods else ()
            self._gained = {good: now - was for good, (now, was) in enumerate(owned) if now > was}
            if self._dug or self._gained:
                self._movie.start((CRUMBLES + LAMP if self._dug else 0) + GAIN)

    def end_animation(self) -> None:
        """End the animation."""
        self._movie.stop()

    def _show_frame(self, frame: int | None) -> None:
        self._frame = frame
        self.redraw([*self._dug, *self._free_places])

    def watch_cursor(self, before: Place, after: Place) -> None:
        self.redraw({(x + dx, y + dy) for x, y in (before, after) for dx in (0, 1) for dy in (0, 1)})

    # Drawing

    @property
    def _free_places(self) -> list[Place]:
        eras = self.picture.eras
        both = self.outer_size.width >= self.extent(self.zoom).width
        return [at for era in (eras[:1] if both else eras) for at in FREE[era]]

    def draw(self, at: Place, *, is_cut: bool) -> Block:
        high, drawer = self.geometry.pitch[1], self.drawer
        stage = 0
        if self._frame is not None and at in self._dug:
            stage = 1 + min(self._frame, CRUMBLES + LAMP - 1)
        look = self.picture.places.get(at, DARK)
        block = drawer.block(look, high, self._figures(at, high), stage)
        x, y = (at[0] - self.cursor[0]) * WIDE, (at[1] - self.cursor[1]) * high
        return block_with_cursor(block, drawer, x, y, high)

    def _figures(self, at: Place, high: int) -> Sequence[tuple[str, str]]:
        """Return the lines of goods and points at a place, with roles; points only if everything fits."""
        free = next((each for each in FREE.values() if at in each), ()) if at in self._free_places else ()
        looks = self.picture.places
        rooms = {each: range(looks.get(each, DARK).north != "", high) for each in free}
        rooms = {each: rows for each, rows in rooms.items() if looks.get(each, DARK).kind == "dark"}
        if at not in rooms:
            return ()
        start = sum(len(rows) for each, rows in rooms.items() if free.index(each) < free.index(at))
        left = sum(map(len, rooms.values())) - len(self.picture.goods)
        points = self.picture.points[: max(1, left)]
        gap = [("", "text")] * bool(self.picture.goods and left > len(points))
        told = [*self._goods_figures(), *gap, *((line, "key" if line[:6] == "points" else "text") for line in points)]
        return [("", "text")] * rooms[at].start + told[start : start + len(rooms[at])]

    def _goods_figures(self) -> Iterator[tuple[str, str]]:
        begun = self._frame is not None and (not self._dug or self._frame >= CRUMBLES)
        for good, line in enumerate(self.picture.goods, -1):
            more = self._gained.get(good, 0) if begun else 0
            yield (f"{line[:7]}{f'+{more}':>2}{line[9:]}", "gain") if more else (line, "text")

    @staticmethod
    def drawer_on(page: Widget, glyphs: str, *, light: bool) -> RoomSignWriter:
        app, theme, plain = page.app, page.app.current_theme, page.rich_style
        if may_paint(app, light=light, stark=True, few=True):
            return RoomPainter(colour_tier(app), theme.name, glyphs, dark=theme.dark)
        # Without colours only the chosen room is reversed.
        roles = {**ROLES, **dict.fromkeys(ROOMS, ROLES["strong"])} if app.no_color else ROLES
        signs, inks = "ascii" if glyphs == "ascii" else "unicode", cache(lambda role: plain + style(app, roles[role]))
        return RoomSignWriter(
            signs, inks, in_rgb=not theme.ansi, coloured=not app.no_color if light and draws(app) else None
        )

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Post the word of the space under the mouse, unless it is beside the cave."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        place = self.place_at(*offset)
        at = space_at_place(place)
        if at is not None and self.picture.places.get(place, DARK).kind != "dark":
            event.stop()
            self.post_message(Panel.Chosen(f"{self.owner}:{terms.space_words(at)}"))

    def _zoom_about(self, event: events.MouseEvent, steps: int) -> None:
        event.stop()

    def _look_around(self) -> None:
        """Post nothing: the controller moves the cursor."""


def block_with_cursor(block: Block, drawer: RoomSignWriter, x: int, y: int, high: int) -> Block:
    """Return a block with the cells of a cursor; ``x`` and ``y`` are its distance from the cursor's place."""
    if (x, y) == (0, 0):
        block = drawer.chosen_block(block)
    if x not in (0, WIDE) or y not in (0, high) or not drawer.has_room_for_brackets(high):
        return block
    for right, below, number in cursor_bracket_cells(high, whole=drawer.frames):
        if not (0 <= right - x < WIDE and 0 <= below - y < high):
            continue
        if text_of(block[below - y])[right - x] not in drawer.kept:
            block = write_on_block(block, right - x, below - y, drawer.brackets[number], drawer.cursor_style)
    return block


class Head(VersusPanel):
    """The owner of the cave below, the board shown, and the points."""

    seat = 0
    board = 0  # 0: both

    def scene_rows(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        if self.seat >= len(now.cave.players):
            return []
        which = f"  board {'I' * self.board}" if self.board else ""
        points = count(now.view.standing[self.seat].total or 0, "point")
        room = width - len(points) - len(which) - 6
        name = shorten_name(now.view.names[self.seat], max(1, min(NAMED, room - 1))).rstrip()
        return [
            [
                Span(f" {LETTERS[self.seat]} ", seat_role(self.seat)),
                Span(f" {name}", "strong"),
                Span(which, "dim"),
                Span(" " * max(1, room - cell_len(name))),
                Span(points, "key"),
            ]
        ]


ORANGE, BLUE, EMPTY, WALLED, DUG, COVERED = (2, 1), (1, 0), (2, 0), (1, 1), (3, 1), (4, 2)
SAMPLES: Mapping[Space, str] = {
    ENTRANCE: "The Cave Entrance, an orange room that you have from the start. The arrow is the way in.",
    ORANGE: "An orange room: its points, and what it does when a tile lets you use rooms.",
    BLUE: "A blue room: its points after a b, and what it does.",
    COVERED: "A face-down room that you cannot reach yet.",
    DUG: "A face-down room that you can dig up now; below is what you get for that.",
    EMPTY: "An empty space where the room that you look at fits, and its walls.",
    WALLED: "An empty space with the cursor, and a wall that was built at its left.",
    CAVERN: "The Additional Cavern, for the first full cave.",
}


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    looks, high = _small_cave(), min(5, int(zoom or LOWEST + 1))
    for at, words in SAMPLES.items():
        if page is None:
            drawer = RoomSignWriter("ascii", lambda _: Style.null())
            alone = replace(looks[place_of_space(at)], north="", west="", corner="")
            yield [row for row in drawer.block(alone, high) if text_of(row).strip()], words
            continue
        drawer = CavePane.drawer_on(page, glyphs, light=light)
        x, y = place_of_space(at)
        blocks = {(dx, dy): drawer.block(looks.get((x + dx, y + dy), DARK), high) for dx in (0, 1) for dy in (0, 1)}
        if "cursor" in words:
            blocks = {
                (dx, dy): block_with_cursor(block, drawer, dx * WIDE, dy * high, high)
                for (dx, dy), block in blocks.items()
            }
        found = [[*row, *cut(edge, 0, 1)] for row, edge in zip(blocks[0, 0], blocks[1, 0], strict=True)]
        yield [*found, [*blocks[0, 1][0], *cut(blocks[1, 1][0], 0, 1)]], words


def _small_cave() -> Mapping[Place, Look]:
    """Return a cave with a space of each kind."""
    start = games.get_game("cave-vs-cave").new(1, {}, "legend")
    hidden = {at: room for at, room in start.players[0].covered.items() if at not in SAMPLES}
    covered = {**hidden, DUG: None, COVERED: None}
    rooms: Mapping[Space, str] = {ORANGE: "tunnel", BLUE: "prospecting_site"}
    cave = Player(rooms=rooms, covered=covered, walls=frozenset({(BLUE, WALLED)}), cavern=2)
    return lit_cave_places(start, cave, marks={}, fitting=[EMPTY])
