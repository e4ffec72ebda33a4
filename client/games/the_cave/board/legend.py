"""The signs of the map, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from rich.segment import Segment
from textual.widget import Widget

from client.games.the_cave.board.cave_map import painter_on
from client.games.the_cave.board.light import Moment, look_at
from client.games.the_cave.board.plain import BLANK, Pencil
from client.games.the_cave.board.signs import ASCII, PITCHES, Words, Zoom
from client.games.the_cave.known.picture import Border, Cell, MapPicture
from client.tui.board.view import Block
from client.tui.paint.canvas import cut

HERE = (0, 0)
WAY, ROCK = Border("passage"), Border("rock")


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    size: Zoom = zoom or "M"  # type: ignore[assignment]  # one of ``ZOOMS``
    width, height = PITCHES[size]
    for cell, north, words in _samples():
        borders = {((0, -1), HERE): north, ((-1, 0), HERE): WAY, (HERE, (1, 0)): WAY, (HERE, (0, 1)): ROCK}
        picture = MapPicture({HERE: cell}, borders, (0, 0, 0, 0))
        if page is None:
            rows = [[BLANK] * width for _ in range(height)]
            Words(size, ASCII, Pencil()).write_on(rows, look_at(picture, lambda _: 0, HERE))
            yield [[Segment("".join(sign for sign, _ in row))] for row in rows], words
            continue
        painter = painter_on(page, glyphs, light=light)
        painter.show(picture, Moment(lamps={HERE: 1.0}))
        blocks = {at: painter.rows(painter.look(at), size) for at in (HERE, (1, 0), (0, 1), (1, 1))}
        if words.startswith("The cursor"):
            blocks = {at: painter.marked(block, size, *at) for at, block in blocks.items()}
        beside = [cut(row, 0, 1) for row in blocks[1, 0]]
        found = [[*row, *edge] for row, edge in zip(blocks[HERE], beside, strict=True)]
        yield [*found, [*blocks[0, 1][0], *cut(blocks[1, 1][0], 0, 1)]], words


def _samples() -> Iterator[tuple[Cell, Border, str]]:
    plain = Cell(kind="plain")
    for cell, words in (
        (plain, "A tunnel: 1 AP to enter."),
        (
            Cell(kind="water", token=3),
            "Water and its token of 3 points: dive for it with oxygen. A raft crosses, too.",
        ),
        (Cell(kind="wonder", token=2), "A wonder and its token of 2 points: photograph it with a camera."),
        (
            Cell(kind="squeeze", level=2, token=3),
            "A squeeze of level 2: 3 AP to enter, and a token of 3 points.",
        ),
        (Cell(kind="descent", depth=25), "A descent: 25 m deeper than the tile before it."),
        (Cell(kind="choke"), "A boulder choke: it can be entered, and nothing is discovered from it."),
        (Cell(kind="base"), "The home base, where you have to be when the game ends."),
        (replace(plain, pawns=(0, 1)), "Teams A and B stand here."),
        (replace(plain, camps=(0,)), "The camp of team A."),
        (replace(plain, price=1, near=True), "You can move here now for 1 AP."),
        (replace(plain, price=3), "You can get here in this turn for 3 AP in all."),
        (replace(plain, depth=50), "A tile 50 m below the base."),
        (replace(plain, last=True), "A tile laid since your last turn."),
        (replace(plain, ghost=True), "The tile in your hand, as it would lie."),
        (plain, "The cursor."),
    ):
        yield cell, ROCK, words
    yield plain, Border("exit"), "An unexplored exit: discover a tile there."
    yield plain, Border("unroped", 1), "1 rope is needed here, and 1 AP more."
    yield plain, Border("roped", 1), "1 rope hangs here: all teams pass freely."
