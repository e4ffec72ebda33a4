"""A cave as cells: spaces with what is in them, and walls between them. No colours, only roles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from textual.geometry import Offset

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import BESIDE, CAVERN, ENTRANCE, MARKED, SIDES, accessible, walls_round
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import named
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.tui.widgets.panel import fit, wrap

WIDE = 15
"""Columns from one space to the next, its western wall included."""
SPELT = 10
"""Letters of a name or of an effect that are told in full on a space."""
SLOT = (3, 2)
"""The place of the Additional Cavern on the drawing: beside (3, 1), above (4, 2)."""
GLYPHS: Mapping[str, Mapping[str, str]] = {
    "unicode": {"across": "▄", "down": "█", "way": "►", "up": "▲", "corners": "┏┓┗┛", "edge": "━┃"},
    "ascii": {"across": "=", "down": "|", "way": ">", "up": "^", "corners": "++++", "edge": "-|"},
}


class Cell(NamedTuple):
    """A character, its role, and the word of a click on it."""

    glyph: str = " "
    role: str = ""
    do: str = ""


Rows = list[list[Cell]]


def columns(era: int) -> range:
    """Return the columns of a board."""
    return range(3) if era == 1 else range(-3, 0)


def size(era: int, high: int) -> tuple[int, int]:
    """Return the columns and rows of a drawing."""
    return len(columns(era)) * WIDE + 1, (5 if era == 1 else 4) * high + 1


def rows_each(height: int, board: int) -> int:
    """Return the rows that each space gets, its northern wall included, in a pane of this height."""
    return max(3, min(7, (height - 1) // (5 if board == 1 else 4)))


def free(board: int, high: int) -> tuple[int, int, int, int]:
    """Return the first column and row of a drawing where no space lies, and how many of each there are."""
    if board == 1:
        return 2 * WIDE + 1, 0, WIDE, 3 * high - 1
    return 0, 2 * high + 1, WIDE, 2 * high - 1


class Drawing:
    """A board of a player's cave, drawn in ``rows``; each space has ``high`` of them.

    ``marks`` are letters on spaces, ``fitting`` the spaces on which the room that one looks at may stand.
    """

    def __init__(
        self,
        scene: VersusScene,
        seat: int,
        board: int,
        *,
        high: int,
        cursor: Space | None,
        glyphs: str,
        marks: Mapping[Space, str],
        fitting: Collection[Space] = (),
    ) -> None:
        self._player = scene.cave.players[seat]
        self._scene, self._seat, self._high, self._signs = scene, seat, high, GLYPHS[glyphs]
        width, height = size(board, high)
        self.rows: Rows = [[Cell()] * width for _ in range(height)]
        self.middle: Offset | None = None
        """The cell in the middle of the cursor, if it is on this board."""
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

    def _words(self, at: Space, *, dug: bool, fits: bool) -> tuple[str, list[str]]:
        """Return the role of a space and the lines that stand in it."""
        place, room = terms.space(at), self._scene.room_at(self._seat, at)
        if room:
            found = terms.room(room)
            name = found.name.replace("Cave Entrance", "Entrance")
            lines = [f"{fit(name, SPELT)} {found.vp:>2}", terms.room_effect(room)]
            told = [part for line in lines for part in wrap(line, WIDE - 2)]
            short = [lines[0], terms.room_effect(room, terms.SIGNS)]
            return found.colour, told if len(told) < self._high else short
        if not isinstance(at, str) and at in self._player.covered:
            bonus = components().spaces[at].bonus
            under = f"+{terms.brief(named(bonus))}" if bonus else ""
            return "dig" if dug else "covered", [f"{'?dig' if dug else '?':<6}{place:>7}", under]
        return "fits" if fits else "empty", [f"{'fits' if fits else '':<6}{place:>7}"]

    def _fill(self, at: Space, x: int, y: int, *, dug: bool, fits: bool) -> None:
        role, told = self._words(at, dug=dug, fits=fits)
        do = f"{'space' if self._seat == self._scene.seat else 'other'}:{terms.space(at)}"
        for line in range(self._high - 1):
            text = f" {told[line] if line < len(told) else '':<{WIDE - 2}}"
            for column, glyph in enumerate(text[: WIDE - 1]):
                points = role in ("orange", "blue") and line == 0 and column > 10
                self.rows[y + 1 + line][x + 1 + column] = Cell(glyph, "points" if points else role, do)

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
        """Set the corners of a space off, on its border: the cursor is there."""
        right, below = x + WIDE, y + self._high
        places = ((y, x), (y, right), (below, x), (below, right))
        for number, (line, column) in enumerate(places):
            self.rows[line][column] = Cell(self._signs["corners"][number], "cursor")
            inward = 1 if column == x else -1
            for step in (1, 2):
                self.rows[line][column + inward * step] = Cell(self._signs["edge"][0], "cursor")
            if self._high > 3:
                self.rows[line + (1 if line == y else -1)][column] = Cell(self._signs["edge"][1], "cursor")
