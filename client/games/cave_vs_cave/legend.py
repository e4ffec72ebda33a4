"""The signs of a cave, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.widget import Widget

from cave import games
from cave.cave_vs_cave.actions import CAVERN, Space
from cave.cave_vs_cave.state import ENTRANCE
from client.games.cave_vs_cave.board import SLOT, WIDE, CavePane, Drawing
from client.games.cave_vs_cave.scene import VersusScene
from client.table import TableState
from client.tui.board.view import Block
from client.tui.roles import style

HIGH = 4  # rows of a space, its northern wall included
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
    signs, scene = "ascii" if glyphs == "ascii" else "unicode", _scene()
    for at, words in SAMPLES.items():
        cursor = at if "cursor" in words else None
        drawn = Drawing(scene, 0, 1, high=HIGH, cursor=cursor, glyphs=signs, marks={}, fitting=[EMPTY])
        row, column = SLOT if isinstance(at, str) else at
        x, y = column * WIDE, row * HIGH
        block = [pane.row(line[x : x + WIDE + 1]) for line in drawn.rows[y : y + HIGH + 1]]
        if page is None:  # What stands on the space is told, without its walls.
            block = [line[1:-1] for line in block[1:-1]]
        styled = [
            [Segment(each.text, each.look or _style(page, each.role)) for each in line] for line in block
        ]
        yield styled, words


def _scene() -> VersusScene:
    """Return a small cave, in which one space is left of each kind."""
    game = games.get("cave-vs-cave")
    start = game.new(1, {}, "legend")
    (player,) = start.players
    covered = {at: room for at, room in player.covered.items() if at not in SAMPLES or at in (DIG, COVERED)}
    rooms: Mapping[Space, str] = {ORANGE: "tunnel", BLUE: "prospecting_site"}
    cave = replace(player, rooms=rooms, covered=covered, walls=frozenset({(BLUE, WALLED)}), cavern=2)
    view = game.view(replace(start, players=(cave,)), 0, ("Ann",))
    return VersusScene(state=TableState(table="", title="", game=game, view=view), view=view)


def _style(page: Widget | None, role: str) -> Style | None:
    return None if page is None else page.rich_style + style(page.app, CavePane.ROLES[role])
