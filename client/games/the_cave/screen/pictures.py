"""The things of a backpack as pictures of half-block pixels, seven wide and six high, and the tent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.games.the_cave import terms
from client.games.the_cave.supplies import Slot
from client.tui.paint.canvas import Canvas
from client.tui.paint.colour import Rgb, readable, rgb
from client.tui.paint.pixels import cells, drawn

INKS: Mapping[str, Rgb] = {
    letter: rgb(colour)
    for letter, colour in {
        "k": "3a3a44",
        "g": "8e96a3",
        "G": "c6ced8",
        "o": "f08a2c",
        "O": "ffb45c",
        "y": "e8c15a",
        "Y": "9a7428",
        "t": "1f8f86",
        "T": "3fd0c0",
        "w": "f2f4f8",
        "b": "2a3c66",
        "B": "7fb5ff",
        "r": "a8432c",
        "R": "e0704a",
        "x": "1a1512",
    }.items()
}
THINGS: Mapping[str, tuple[str, ...]] = {
    "consumable": (".GGGGG.", "gGGGGGg", "rOOOOOr", "rowwwor", "rooooor", ".ggggg."),
    "rope": ("..yyy..", ".yY.Yy.", "yY...Yy", "yY...Yy", ".yYYYy.", "..yyyYy"),
    "oxygen 2/2": ("...G...", "..GGG..", ".tTTTt.", ".tTwTt.", ".tTTTt.", ".ttttt."),
    "oxygen 1/2": ("...G...", "..GGG..", ".t...t.", ".t...t.", ".tTTTt.", ".ttttt."),
    "camera": (".kkk...", "kgggggk", "kgwwwgk", "kwbBbwk", "kgwwwgk", "kkkkkkk"),
    "raft": (".......", ".rRRRr.", "rR...Rr", "rR...Rr", ".rRRRr.", "......."),
}
TENT = (
    "......OO......",
    ".....OooO.....",
    "....OoooooO...",
    "...OooxxooO...",
    "..OoooxxoooO..",
    ".OooooxxooooO.",
)
LEATHER, POCKET, STRAP = rgb("77512f"), rgb("35241a"), rgb("c99a56")
CREAM, FAINT = rgb("f4ecdf"), rgb("b08a5c")
ACROSS, WIDE, HIGH = 4, 8, 4
"""Pockets in a row, and the columns and rows of one, its name included."""
WIDTH = ACROSS * (WIDE + 1) + 1
ROWS = 2 * (HIGH + 1) + 1


def pockets(slots: Sequence[Slot], ground: Rgb) -> Canvas:
    """A backpack of eight pockets with what is in them; a packed camp takes two."""
    pack = Canvas(WIDTH, ROWS, ground)
    pack.fill(0, 1, WIDTH, ROWS - 1, LEATHER)
    for x in range(WIDTH):
        pack.put(x, 0, "▄", LEATHER, ground)
    number = 0
    for slot in slots:
        row, column = divmod(number, ACROSS)
        # What does not fit beside the others is drawn in the part that is left of their row.
        wide = min(slot.wide, ACROSS - column) * (WIDE + 1) - 1
        _pocket(pack, 1 + column * (WIDE + 1), 1 + row * (HIGH + 1), wide, slot)
        number += slot.wide
    for x in (WIDE, WIDTH - WIDE - 2):
        pack.text(x, 0, "▐▌", STRAP, LEATHER)
    return pack


def _pocket(pack: Canvas, x: int, y: int, wide: int, slot: Slot) -> None:
    pack.fill(x, y, wide, HIGH, POCKET)
    for column in range(x, x + wide):
        pack.put(column, y + HIGH, "▀", POCKET, LEATHER)
    picture = TENT if slot.wide > 1 else THINGS.get(slot.text)
    if picture is None:
        pack.put(x + wide // 2, y + 1, "·", readable(FAINT, POCKET), POCKET)
    else:
        put(pack, x + (wide - len(picture[0])) // 2, y, picture, POCKET)
    name = terms.brief(slot.text, wide)
    pack.text(x + (wide - len(name)) // 2, y + HIGH - 1, name, CREAM, POCKET)


def put(canvas: Canvas, x: int, y: int, picture: Sequence[str], ground: Rgb) -> None:
    """Put a picture on a canvas, with its upper left corner here."""
    for row, line in enumerate(cells(drawn(picture, INKS, ground))):
        for column, cell in enumerate(line):
            canvas.put(x + column, y + row, *cell)
