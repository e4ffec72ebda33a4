"""The things of a backpack as pictures of half-block pixels, seven wide and six high, and the tent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from client.games.the_cave import terms
from client.games.the_cave.supplies import Slot
from client.tui.paint.canvas import Canvas
from client.tui.paint.colour import BLACK, Rgb, mix, readable, rgb
from client.tui.paint.pixels import cells, drawn, larger

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
LIKE = {"oxygen": "oxygen 2/2", "½ oxygen": "oxygen 1/2"}
"""Words for a thing where it is put in, and those on what is carried."""
TENT = (
    "......OO......",
    ".....OooO.....",
    "....OoooooO...",
    "...OooxxooO...",
    "..OoooxxoooO..",
    ".OooooxxooooO.",
)
LEATHER, POCKET, STRAP, ROCK = rgb("77512f"), rgb("35241a"), rgb("c99a56"), rgb("37363f")
CREAM, FAINT, LIT = rgb("f4ecdf"), rgb("b08a5c"), rgb("ffc861")
ACROSS, WIDE, HIGH = 4, 8, 4
"""Pockets in a row, and the columns and rows of one, its name included."""
WIDTH = ACROSS * (WIDE + 1) + 1


class Pocket(NamedTuple):
    """Where a slot is drawn, its name included."""

    x: int
    y: int
    wide: int
    high: int


def places(slots: Sequence[Slot], across: int = ACROSS, scale: int = 1) -> list[Pocket]:
    """Where each slot is drawn. What does not fit beside the others has what is left of their row."""
    wide, high = WIDE * scale, (HIGH - 1) * scale + 1
    found, number = [], 0
    for slot in slots:
        row, column = divmod(number, across)
        taken = min(slot.wide, across - column) * (wide + 1) - 1
        found.append(Pocket(1 + column * (wide + 1), 1 + row * (high + 1), taken, high))
        number += slot.wide
    return found


def pockets(
    slots: Sequence[Slot],
    ground: Rgb,
    *,
    across: int = ACROSS,
    scale: int = 1,
    cloth: Rgb = LEATHER,
    numbered: bool = False,
    chosen: int | None = None,
    team: Rgb | None = None,
) -> Canvas:
    """Pockets with what is in them, those of a backpack in leather; a packed camp takes two.

    ``chosen`` is the index of a slot that is set off, ``team`` the colour of a packed tent; ``scale``
    pixels stand for one.
    """
    where = places(slots, across, scale)
    width = across * (WIDE * scale + 1) + 1
    pack = Canvas(width, where[-1].y + where[-1].high + 1, ground)
    pack.fill(0, 1, width, pack.height - 1, cloth)
    for x in range(width):
        pack.put(x, 0, "▄", cloth, ground)
    for number, (slot, place) in enumerate(zip(slots, where, strict=True)):
        lining = mix(POCKET, LIT, 0.16) if number == chosen else POCKET
        _pocket(pack, place, slot, cloth, lining, scale, team or INKS["o"])
        if numbered and slot.wide == 1:
            pack.put(place.x + place.wide - 1, place.y, f"{number + 1}", readable(FAINT, lining), lining)
    if cloth == LEATHER:
        for x in (WIDE * scale, width - WIDE * scale - 2):
            pack.text(x, 0, "▐▌", STRAP, LEATHER)
    return pack


def _pocket(pack: Canvas, place: Pocket, slot: Slot, cloth: Rgb, lining: Rgb, scale: int, team: Rgb) -> None:
    x, y, wide, high = place
    pack.fill(x, y, wide, high, lining)
    for column in range(x, x + wide):
        pack.put(column, y + high, "▀", lining, cloth)
    picture = TENT if slot.wide > 1 else THINGS.get(LIKE.get(slot.text, slot.text))
    if picture is None:
        pack.put(x + wide // 2, y + high // 2 - 1, "·", readable(FAINT, lining), lining)
    else:
        put(
            pack,
            x + (wide - len(picture[0]) * scale) // 2,
            y,
            picture,
            lining,
            scale=scale,
            inks=_tent_inks(team) if slot.wide > 1 else {},
        )
    name = terms.brief(slot.text, wide)
    pack.text(x + (wide - len(name)) // 2, y + high - 1, name, CREAM, lining, lining != POCKET)


def tent(ground: Rgb, team: Rgb, scale: int = 1) -> Canvas:
    """The camp as a tent in the colour of its team."""
    canvas = Canvas(len(TENT[0]) * scale, len(TENT) * scale // 2, ground)
    put(canvas, 0, 0, TENT, ground, scale=scale, inks=_tent_inks(team))
    return canvas


def _tent_inks(team: Rgb) -> dict[str, Rgb]:
    return {"O": team, "o": mix(team, BLACK, 0.3)}


def put(
    canvas: Canvas,
    x: int,
    y: int,
    picture: Sequence[str],
    ground: Rgb,
    *,
    scale: int = 1,
    inks: Mapping[str, Rgb] = MappingProxyType({}),
) -> None:
    """Put a picture on a canvas, with its upper left corner here; ``inks`` stand in place of its own."""
    image = larger(drawn(picture, {**INKS, **inks}, ground), scale)
    for row, line in enumerate(cells(image)):
        for column, cell in enumerate(line):
            canvas.put(x + column, y + row, *cell)
