"""A cave, drawn space by space, and its pane: boards side by side, if there is room for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.widget import Widget

from cave import games
from cave.cave_vs_cave.actions import CAVERN, Space
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import named
from cave.cave_vs_cave.state import BESIDE, ENTRANCE, MARKED, SIDES, Player, accessible, walls_round
from client.face import LETTERS
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.panes import VersusPanel, pictures
from client.games.cave_vs_cave.scene import VersusScene, goods_lines, points_lines
from client.table import TableState
from client.tui.board.view import Block
from client.tui.canvas import noise
from client.tui.roles import PANELS, Hue, style
from client.tui.widgets.panel import CUT, Row, Span, fit, seat_role, short, wrap
from client.wording import count

WIDE = 15  # columns from one space to the next, its western wall included
SPELT = 10  # letters of a name or of an effect that are told in full on a space
SLOT = (3, 2)  # the place of the Additional Cavern on the drawing: beside (3, 1), above (4, 2)
GLYPHS: Mapping[str, Mapping[str, str]] = {
    "unicode": {
        "across": "▄",
        "down": "█",
        "way": "►",
        "up": "▲",
        "corners": "┏┓┗┛",
        "edge": "━┃",
        "cut": CUT,
    },
    "ascii": {"across": "=", "down": "|", "way": ">", "up": "^", "corners": "++++", "edge": "-|", "cut": "~"},
}


class Cell(NamedTuple):
    glyph: str = " "
    role: str = ""
    do: str = ""
    good: int = -1  # whose ink it has


Rows = list[list[Cell]]


def columns(era: int) -> range:
    return range(3) if era == 1 else range(-3, 0)


def size(era: int, high: int) -> tuple[int, int]:
    return len(columns(era)) * WIDE + 1, (5 if era == 1 else 4) * high + 1


def rows_each(height: int, board: int) -> int:
    """Return the rows that each space gets, its northern wall included, in a pane of this height."""
    return max(3, min(7, (height - 1) // (5 if board == 1 else 4)))


def free(board: int, high: int) -> Sequence[tuple[int, int, int]]:
    """Return the free part of a drawing: its first column and row, and its number of rows."""
    if board == 1:
        return ((2 * WIDE + 1, 0, 3 * high - 1),)
    return ((0, 0, high), (WIDE + 1, 0, high), (0, 2 * high + 1, 2 * high - 1))


class Drawing:
    """A board of a cave in ``rows``, ``high`` for each space; the room looked at fits on ``fitting`` ones."""

    def __init__(
        self,
        scene: VersusScene,
        seat: int,
        board: int,
        *,
        high: int,
        cursor: Space | None,
        glyphs: str,
        marks: Mapping[Any, str],
        fitting: Collection[Space] = (),
    ) -> None:
        self._player = scene.cave.players[seat]
        self._scene, self._seat, self._high, self._signs = scene, seat, high, GLYPHS[glyphs]
        width, height = size(board, high)
        self.rows: Rows = [[Cell()] * width for _ in range(height)]
        self.middle: Offset | None = None  # the cell in the middle of the cursor, if it is on this board
        reach = accessible(self._player, scene.cave.era)
        spaces: dict[Space, tuple[int, int]] = {}
        for space in components().spaces.values():
            if space.era == board <= scene.cave.era:
                row, column = space.at
                spaces[space.at] = ((column - columns(board)[0]) * WIDE, row * high)
        if board == 1 and self._player.cavern:
            spaces[CAVERN] = (SLOT[1] * WIDE, SLOT[0] * high)
        for at, (x, y) in spaces.items():
            self._fill(at, x, y, dug=at in reach, fits=at in fitting)
            self._walls(at, x, y)
            if at == ENTRANCE and scene.cave.era == 1:
                self.rows[y + 1 + (high - 1) // 2][x] = Cell(self._signs["way"], "way")
            if at == MARKED:
                self.rows[y + high][x + WIDE // 2] = Cell(self._signs["up"], "way")
        for at, (x, y) in spaces.items():
            if at == cursor:
                self._mark(x, y)
                self.middle = Offset(x + WIDE // 2, y + high // 2)
            if at in marks:
                self.rows[y + 1][x + 1] = Cell(marks[at], "label")
            for edge in [each for each in marks if each[-1] == at and each != at]:
                beside = edge[0][0] == at[0]
                across, down = (x, y + high // 2) if beside else (x + WIDE // 2, y)
                self.rows[down][across] = Cell(marks[edge], "label")

    def _words(self, at: Space, *, dug: bool, fits: bool) -> tuple[str, list[str]]:
        place, room = terms.space(at), self._scene.room_at(self._seat, at)
        if room:
            found = terms.room(room)
            name = found.name.replace("Cave Entrance", "Entrance")
            head = f"{fit(name, SPELT).replace(CUT, self._signs['cut'])} {found.vp:>2}"
            told = wrap(terms.brief(terms.room_effect(room)), WIDE - 2)
            return found.colour, [head, *(told if len(told) + 1 < self._high else [terms.room_signs(room)])]
        if not isinstance(at, str) and at in self._player.covered:
            bonus = components().spaces[at].bonus
            under = f"+{terms.goods(named(bonus))}" if bonus else ""
            return "dig" if dug else "covered", [f"{'dig' if dug else 'hidden':<6}{place:>7}", under]
        return "fits" if fits else "empty", [f"{'fits' if fits else '':<6}{place:>7}"]

    def _fill(self, at: Space, x: int, y: int, *, dug: bool, fits: bool) -> None:
        role, told = self._words(at, dug=dug, fits=fits)
        do = f"{'space' if self._seat == self._scene.seat else 'other'}:{terms.space(at)}"
        for line in range(self._high - 1):
            text = f" {told[line] if line < len(told) else '':<{WIDE - 2}}"
            inks = _inks(text) if line else {}
            for column, glyph in enumerate(text[: WIDE - 1]):
                points = role in ("orange", "blue") and line == 0 and column > 10
                self.rows[y + 1 + line][x + 1 + column] = Cell(
                    glyph, "points" if points else role, do, inks.get(column, -1)
                )

    def _walls(self, at: Space, x: int, y: int) -> None:
        player, high = self._player, self._high
        there = walls_round(at, player.walls, self._scene.cave.settings.cavern, player.cavern)
        beside = () if isinstance(at, str) else BESIDE[2][at]
        built = sum(bit for bit, _, edge in beside if edge in player.walls)
        for side, bit in SIDES.items():
            if not there & bit:
                continue
            role = "wall" if built & bit else "rock"
            if side in "NS":
                for column in range(x, x + WIDE + 1):
                    self.rows[y if side == "N" else y + high][column] = Cell(self._signs["across"], role)
            else:
                for line in range(y + 1, y + high):
                    self.rows[line][x if side == "W" else x + WIDE] = Cell(self._signs["down"], role)

    def _mark(self, x: int, y: int) -> None:
        right, below = x + WIDE, y + self._high
        places = ((y, x), (y, right), (below, x), (below, right))
        for number, (line, column) in enumerate(places):
            self.rows[line][column] = Cell(self._signs["corners"][number], "cursor")
            inward = 1 if column == x else -1
            for step in (1, 2):
                self.rows[line][column + inward * step] = Cell(self._signs["edge"][0], "cursor")
            if self._high > 3:
                self.rows[line + (1 if line == y else -1)][column] = Cell(self._signs["edge"][1], "cursor")


def _inks(text: str) -> dict[int, int]:
    """Return the columns that have the ink of a good."""
    return {
        column: terms.good_number(found)
        for found in terms.MARKED.finditer(text)
        for column in range(*found.span())
    }


RUBBLE = "▘▝▖▗▚▞"
WORN = {"█": "█▛▜▙▟", "▄": "▄▄▟▙▄"}
SHARE = 0.3  # the part of a covered space that has rubble on it


def _weathered(row: list[Cell], x: int, y: int) -> Cell:
    cell = row[x]
    if cell.role == "rock":
        worn = WORN.get(cell.glyph, cell.glyph)
        return cell._replace(glyph=worn[int(noise(x, y, 5) * (len(worn) - 0.01))])
    beside = row[max(0, x - 1) : x + 2]
    if cell.role != "covered" or any(each.glyph != " " and each.role == "covered" for each in beside):
        return cell
    if noise(x, y) >= SHARE:
        return cell._replace(role="rubble")
    return cell._replace(glyph=RUBBLE[int(noise(x, y, 3) * (len(RUBBLE) - 0.01))], role="rubble")


NAMED = 20  # columns for a name at most


class CavePane(VersusPanel):
    ROLES: ClassVar[Mapping[str, Hue]] = {
        **PANELS,
        "orange": Hue("map-squeeze"),
        "blue": Hue("map-water"),
        "covered": Hue("dim"),
        "rubble": Hue("dim"),
        "dig": Hue("map-exit"),
        "empty": Hue("dim"),
        "fits": Hue("gain", bold=True),
        "points": Hue("key", bold=True, reverse=True),
        "rock": Hue("map-choke"),
        "wall": Hue("map-cursor", bold=True),
        "way": Hue("map-exit", bold=True),
        "cursor": Hue("map-cursor", bold=True),
        "label": Hue("key", bold=True, reverse=True),
    }

    def __init__(self, *, glyphs: str, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"
        self._is_fine = glyphs == "fine"
        self.seat = 0
        self.board = 1
        self.cursor: Space | None = None
        self._cursor_at: Offset | None = None
        self.marks: Mapping[Any, str] = {}
        self.fitting: Collection[Space] = ()
        self.shows_figures = False

    @property
    def cursor_cell(self) -> Offset | None:
        return None if self._cursor_at is None else self.content_region.offset + self._cursor_at

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        if self.seat >= len(now.cave.players):
            return []
        boards = [self.board]
        if now.cave.era == 2 and width >= sum(size(era, 3)[0] for era in (1, 2)):
            boards = [2, 1]
        high = min(rows_each(height - 1, board) for board in boards)
        rows: list[Row] = [self._head(now, boards, width)]
        drawings = [
            Drawing(
                now,
                self.seat,
                board,
                high=high,
                cursor=self.cursor,
                glyphs=self._glyphs,
                marks=self.marks,
                fitting=self.fitting,
            )
            for board in boards
        ]
        drawn = [each.rows for each in drawings]
        if self._is_fine and pictures(self.app):
            drawn = [
                [[_weathered(row, x, y) for x in range(len(row))] for y, row in enumerate(rows)]
                for rows in drawn
            ]
        self._cursor_at, left = None, 0
        for each in drawings:
            if each.middle:
                self._cursor_at = each.middle + Offset(left, len(rows))
            left += len(each.rows[0])
        if self.shows_figures:
            self._write_figures(now, drawn[0], boards[0], high)
        for line in range(max(map(len, drawn))):
            cells = [
                cell
                for each in drawn
                for cell in (each[line] if line < len(each) else [Cell()] * len(each[0]))
            ]
            rows.append(self.row(cells))
        return rows[:height]

    def _write_figures(self, now: VersusScene, cells: list[list[Cell]], board: int, high: int) -> None:
        """Write goods and points beside the spaces; without room for all, keep the sum of the points."""
        goods = [] if now.cave.drafting or now.mode == "cover" else goods_lines(now)
        points = points_lines(now)
        places = [(x, y + line) for x, y, rows in free(board, high) for line in range(rows)]
        left = len(places) - len(goods)
        told = [*goods, *([""] if goods and left > len(points) else []), *points[-max(1, left) :]]
        for (x, y), line in zip(places, told, strict=False):
            inks = _inks(line[:2]) if line in goods else {}
            role = "key" if line.startswith("points") else "text"
            for right, glyph in enumerate(line):
                cells[y][x + right] = Cell(glyph, role, good=inks.get(right, -1))

    def _head(self, now: VersusScene, boards: Sequence[int], width: int) -> Row:
        which = f"  board {'I' * boards[0]}" if now.cave.era == 2 and len(boards) == 1 else ""
        points = count(now.view.standing[self.seat].total or 0, "point")
        room = width - len(points) - len(which) - 6
        name = short(now.view.names[self.seat], max(1, min(NAMED, room - 1))).rstrip()
        gap = " " * max(1, room - cell_len(name))
        return [
            Span(f" {LETTERS[self.seat]} ", seat_role(self.seat)),
            Span(f" {name}", "strong"),
            Span(which, "dim"),
            Span(gap),
            Span(points, "key"),
        ]

    def row(self, cells: Sequence[Cell]) -> Row:
        found = []
        for (role, do, good), group in groupby(cells, key=lambda cell: cell[1:]):
            text = "".join(cell.glyph for cell in group)
            look = self.ground(role) if good < 0 else self.good(good, role)
            found.append(Span(text, role or "text", do, look))
        return found


HIGH = 4  # rows of a space in the legend
ORANGE, BLUE, EMPTY, WALLED, DIG, COVERED = (2, 1), (1, 0), (2, 0), (1, 1), (3, 1), (4, 2)
SAMPLES: Mapping[Space, str] = {
    ENTRANCE: "The Cave Entrance, an orange room that you have from the start. The arrow is the way in.",
    ORANGE: "An orange room: its points, and what it does when a tile lets you use rooms.",
    BLUE: "A blue room: its points, and what it does by itself.",
    COVERED: "A face-down room that you cannot reach yet.",
    DIG: "A face-down room that you can dig up now; below is what you get for that.",
    EMPTY: "An empty space where the room that you look at fits. Thick lines are walls.",
    WALLED: "An empty space with the cursor, and a wall that was built at its left.",
    CAVERN: "The Additional Cavern, for the first full cave.",
}


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    pane = CavePane(glyphs=glyphs, line="-" if glyphs == "ascii" else "─")
    signs, scene = "ascii" if glyphs == "ascii" else "unicode", _small_cave()
    for at, words in SAMPLES.items():
        cursor = at if "cursor" in words else None
        drawn = Drawing(scene, 0, 1, high=HIGH, cursor=cursor, glyphs=signs, marks={}, fitting=[EMPTY]).rows
        row, column = SLOT if isinstance(at, str) else at
        left, top, inset = column * WIDE, row * HIGH, page is None  # Signs alone are told without walls.
        block: Block = []
        for line in drawn[top + inset : top + HIGH + 1 - inset]:
            spans = pane.row(line[left + inset : left + WIDE + 1 - inset])
            block.append([Segment(each.text, each.look or _style(page, each.role)) for each in spans])
        yield block, words


def _style(page: Widget | None, role: str) -> Style | None:
    return None if page is None else page.rich_style + style(page.app, CavePane.ROLES[role])


def _small_cave() -> VersusScene:
    """Return a cave with a space of each kind."""
    game = games.get("cave-vs-cave")
    start = game.new(1, {}, "legend")
    hidden = {at: room for at, room in start.players[0].covered.items() if at not in SAMPLES}
    covered = {**hidden, DIG: None, COVERED: None}
    rooms: Mapping[Space, str] = {ORANGE: "tunnel", BLUE: "prospecting_site"}
    cave = Player(rooms=rooms, covered=covered, walls=frozenset({(BLUE, WALLED)}), cavern=2)
    view = game.view(replace(start, players=(cave,)), 0, ("Ann",))
    return VersusScene(state=TableState(table="", title="", game=game, view=view), view=view)
