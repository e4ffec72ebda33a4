"""The things of a backpack as pictures of half-block pixels, seven wide and six high, and the tent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from client.games.the_cave.forms.leather import NIGHT, Leather
from client.games.the_cave.known import terms
from client.games.the_cave.known.supplies import Slot
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
ROCK = rgb("37363f")
GLOW, GLOW_STEPS, GLOW_REACH, GLOW_SHARE = rgb("c97a2a"), 10, 9, 0.22
"""The light behind a pack: its colour, in how many steps it fades, over how many columns, and its share."""
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
    """Return where each slot is drawn. What does not fit beside the others has what is left of their row."""
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
    cloth: Rgb | None = None,
    leather: Leather = NIGHT,
    numbered: bool = False,
    chosen: int | None = None,
    team: Rgb | None = None,
) -> Canvas:
    """Return pockets with what is in them, in a cloth or else in leather, as a backpack; a packed camp takes
    two.

    ``chosen`` is the index of a slot that is set off, ``team`` the colour of a packed tent; ``scale``
    pixels stand for one.
    """
    where = places(slots, across, scale)
    width = across * (WIDE * scale + 1) + 1
    pack = Canvas(width, where[-1].y + where[-1].high + 1, ground)
    edge = cloth or leather.hide
    straps = WIDE * scale, width - WIDE * scale - 2
    pack.fill(0, 1, width, pack.height - 1, edge)
    for x in range(width):
        lid = cloth is None and straps[0] <= x <= straps[1]
        pack.put(x, 0, "▄", edge, leather.lid if lid else ground)
    for number, (slot, place) in enumerate(zip(slots, where, strict=True)):
        _pocket(pack, place, slot, edge, leather, scale, team or INKS["o"], chosen=number == chosen)
        if numbered and slot.wide == 1:
            lining = leather.chosen if number == chosen else leather.lining
            x = place.x + place.wide - 1
            pack.put(x, place.y, f"{number + 1}", readable(leather.number, lining), lining)
    if cloth is None:
        for x in straps:
            pack.text(x, 0, "▐▌", leather.strap, leather.hide)
    return pack


def glowing(pack: Canvas, width: int) -> tuple[Canvas, int]:
    """Return a pack in the middle of ``width`` columns with light behind it, and the column where it
    begins.
    """
    night = pack.rows[0][0].ground
    canvas = Canvas(width, pack.height, night)
    left = max(0, (width - pack.width) // 2)
    middle = pack.height / 2
    for y in range(pack.height):
        high = max(0.0, 1 - (abs(y + 0.5 - middle) / (middle + 1)) ** 2)
        for x in range(width):
            far = max(left - x, x - left - pack.width + 1, 0)
            light = max(0.0, 1 - far / GLOW_REACH) ** 1.5 * high
            lit = mix(night, GLOW, GLOW_SHARE * round(light * GLOW_STEPS) / GLOW_STEPS)
            canvas.fill(x, y, 1, 1, lit)
        for x, cell in enumerate(pack.rows[y]):
            canvas.put(
                left + x, y, cell.glyph, cell.ink, None if cell.ground == night else cell.ground, cell.bold
            )
    return canvas, left


def _pocket(
    pack: Canvas,
    place: Pocket,
    slot: Slot,
    cloth: Rgb,
    leather: Leather,
    scale: int,
    team: Rgb,
    *,
    chosen: bool,
) -> None:
    x, y, wide, high = place
    lining = leather.chosen if chosen else leather.lining
    pack.fill(x, y, wide, high, lining)
    for column in range(x, x + wide):
        pack.put(column, y + high, "▀", lining, cloth)
    picture = TENT if slot.wide > 1 else THINGS.get(LIKE.get(slot.text, slot.text))
    if picture is None:
        pack.put(x + wide // 2, y + high // 2 - 1, "·", readable(leather.number, lining), lining)
    else:
        put(
            pack,
            x + (wide - len(picture[0]) * scale) // 2,
            y,
            picture,
            lining,
            scale=scale,
            inks=_tent_inks(team) if slot.wide > 1 else leather.inks,
        )
    name = terms.brief(slot.text, wide)
    pack.text(x + (wide - len(name)) // 2, y + high - 1, name, leather.name, lining, chosen)


def tent(ground: Rgb, team: Rgb, scale: int = 1) -> Canvas:
    """Return the camp as a tent in the colour of its team."""
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
