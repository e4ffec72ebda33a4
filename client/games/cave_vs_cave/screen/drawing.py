"""A cave as cells: spaces with what is in them, and walls between them. No colours, only roles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from textual.geometry import Offset

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import CAVERN, ENTRANCE, MARKED, SIDES, accessible, as_edge, walls_round
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import named
from client.games.cave_vs_cave.known import short, terms
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


def cave(
    scene: VersusScene,
    seat: int,
    board: int,
    *,
    high: int,
    cursor: Space | None,
    glyphs: str,
    marks: Mapping[Space, str],
    fitting: Collection[Space] = (),
) -> Rows:
    """Return the cells of a board of a player's cave.

    ``marks`` are letters on spaces, ``fitting`` the spaces on which the room that one looks at may stand.
    """
    width, height = size(board, high)
    rows: Rows = [[Cell()] * width for _ in range(height)]
    signs = GLYPHS[glyphs]
    reach = accessible(scene.cave.players[seat], scene.cave.era)
    for at, (row, column) in _places(scene, seat, board):
        x, y = (column - columns(board)[0]) * WIDE, row * high
        _fill(rows, scene, seat, at, x, y, high, reach=reach, fits=at in fitting)
        _walls(rows, scene, seat, at, x, y, high, signs)
        if at == ENTRANCE and scene.cave.era == 1:
            rows[y + 1 + (high - 1) // 2][x] = Cell(signs["way"], "way")
        if at == MARKED:
            rows[y + high][x + WIDE // 2] = Cell(signs["up"], "way")
    for at, (row, column) in _places(scene, seat, board):
        x, y = (column - columns(board)[0]) * WIDE, row * high
        if at == cursor:
            _mark(rows, x, y, high, signs)
        if at in marks:
            rows[y + 1][x + 1] = Cell(marks[at], "label")
    return rows


def middle(scene: VersusScene, seat: int, board: int, at: Space | None, high: int) -> Offset | None:
    """Return the cell in the middle of a space of this board."""
    for space, (row, column) in _places(scene, seat, board):
        if space == at:
            return Offset((column - columns(board)[0]) * WIDE + WIDE // 2, row * high + high // 2)
    return None


def free(board: int, high: int) -> tuple[int, int, int, int]:
    """Return the first column and row of a drawing where no space lies, and how many of each there are."""
    if board == 1:
        return 2 * WIDE + 1, 0, WIDE, 3 * high - 1
    return 0, 2 * high + 1, WIDE, 2 * high - 1


def free_above(high: int) -> tuple[int, int, int, int]:
    """Return the same of the other part of Era II's board where no space lies: left of its first row."""
    return 0, 0, 2 * WIDE - 1, high


def rows_each(height: int, board: int) -> int:
    """Return the rows that each space gets, its northern wall included, in a pane of this height."""
    return max(3, min(7, (height - 1) // (5 if board == 1 else 4)))


def _places(scene: VersusScene, seat: int, board: int) -> Iterator[tuple[Space, tuple[int, int]]]:
    """Yield the spaces of a board, and the row and column where each is drawn."""
    for at, space in components().spaces.items():
        if space.era == board and space.era <= scene.cave.era:
            yield at, at
    if board == 1 and scene.cave.players[seat].cavern:
        yield CAVERN, SLOT


def words(scene: VersusScene, seat: int, at: Space, *, dug: bool, fits: bool) -> tuple[str, list[str]]:
    """Return the role of a space and the lines that stand in it."""
    player = scene.cave.players[seat]
    room = "cave_entrance" if at == ENTRANCE else player.rooms.get(at)
    if room is not None:
        found = terms.room(room)
        name = found.name.replace("Cave Entrance", "Entrance")
        return found.colour, [f"{fit(name, SPELT)} {found.vp:>2}", terms.room_effect(room)]
    place = terms.space(at)
    if not isinstance(at, str) and at in player.covered:
        bonus = components().spaces[at].bonus
        under = f"+{terms.brief(named(bonus))}" if bonus else ""
        return "dig" if dug else "covered", [f"{'?dig' if dug else '?':<6}{place:>7}", under]
    return "fits" if fits else "empty", [f"{'fits' if fits else '':<6}{place:>7}", ""]


def _fill(
    rows: Rows,
    scene: VersusScene,
    seat: int,
    at: Space,
    x: int,
    y: int,
    high: int,
    *,
    reach: tuple[Space, ...],
    fits: bool,
) -> None:
    role, lines = words(scene, seat, at, dug=at in reach, fits=fits)
    do = f"{'space' if seat == scene.seat else 'other'}:{terms.space(at)}"
    told = [part for line in lines for part in wrap(line, WIDE - 2)]
    room = "cave_entrance" if at == ENTRANCE else scene.cave.players[seat].rooms.get(at)
    if room is not None and len(told) >= high:
        told = [lines[0], short.room(room)]
    for line in range(high - 1):
        text = told[line] if line < len(told) else ""
        for column in range(WIDE - 1):
            glyph = text[column - 1] if 0 < column <= len(text) else " "
            points = role in ("orange", "blue") and line == 0 and column > 10
            rows[y + 1 + line][x + 1 + column] = Cell(glyph, "points" if points else role, do)


def _walls(
    rows: Rows, scene: VersusScene, seat: int, at: Space, x: int, y: int, high: int, signs: Mapping[str, str]
) -> None:
    player = scene.cave.players[seat]
    there = walls_round(at, player.walls, scene.cave.settings.cavern, player.cavern)
    for side, bit in SIDES.items():
        if not there & bit:
            continue
        role = "wall" if _is_built(scene, seat, at, side) else "rock"
        if side in "NS":
            line = y if side == "N" else y + high
            for column in range(x, x + WIDE + 1):
                rows[line][column] = Cell(signs["across"], role)
        else:
            column = x if side == "W" else x + WIDE
            for line in range(y + 1, y + high):
                rows[line][column] = Cell(signs["down"], role)


def _is_built(scene: VersusScene, seat: int, at: Space, side: str) -> bool:
    if isinstance(at, str):
        return False
    steps = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
    other = (at[0] + steps[side][0], at[1] + steps[side][1])
    return as_edge(at, other) in scene.cave.players[seat].walls


def _mark(rows: Rows, x: int, y: int, high: int, signs: Mapping[str, str]) -> None:
    """Set the corners of a space off, on its border: the cursor is there."""
    right, below = x + WIDE, y + high
    places = ((y, x), (y, right), (below, x), (below, right))
    for number, (line, column) in enumerate(places):
        rows[line][column] = Cell(signs["corners"][number], "cursor")
        inward = 1 if column == x else -1
        for step in (1, 2):
            rows[line][column + inward * step] = Cell(signs["edge"][0], "cursor")
        if high > 3:
            rows[line + (1 if line == y else -1)][column] = Cell(signs["edge"][1], "cursor")
