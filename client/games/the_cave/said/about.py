"""Which rules matter where help is asked for: numbers of the game's RULES.md."""

from __future__ import annotations

import re

from cave.the_cave.geometry import Coord
from cave.the_cave.state import Kind, State
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.ways import leading_to

_NUMBER = re.compile(r"\(rule (\d+\.\d+)")

OF_ACTION: dict[str, tuple[str, ...]] = {
    "discover": ("4.1", "4.2", "4.3", "4.7"),
    "moves": ("5",),
    "dive": ("5.5", "5.4"),
    "photograph": ("5.6",),
    "pitch": ("6.4", "6.3", "3.1"),
    "strike": ("6.6",),
    "pack": ("6.1", "6.2", "6.9"),
    "exchange": ("6.5",),
    "discard": ("6.7",),
    "abandon": ("6.8",),
    "end_turn": ("3.3", "3.1"),
}
_OF_MODE = {
    "packing": ("2.3",),
    "placing": ("4.2", "4.3", "4.5", "4.6", "4.7"),
    "starving": ("3.2", "5.7"),
    "over": ("7.3", "7.4", "7.5", "7.6"),
}
_OF_KIND: dict[Kind, tuple[str, ...]] = {
    "base": ("3.1", "6.1", "4.1"),
    "plain": ("5",),
    "water": ("5.4", "5.5", "4.6"),
    "wonder": ("5.6", "4.6"),
    "squeeze": ("4.6", "5.7"),
    "descent": ("4.5", "5.1", "5.2", "5.3"),
    "choke": ("4.3", "4.4"),
}
_END = ("7.2", "7.3")


def named(text: str) -> tuple[str, ...]:
    """Return the rules that a message names: ``(rule 5.6)``."""
    return tuple(_NUMBER.findall(text))


def here(scene: CaveScene, at: Coord, message: str = "") -> tuple[str, ...]:
    """Return the rules about what a person looks at, what matters most first: the refusal just read, what is
    asked of them, the tile under the cursor.
    """
    found = named(message) + _OF_MODE.get(scene.mode, ())
    if not found:
        found = _place(scene.cave, at)
    ending = scene.cave.turns_left is not None and scene.mode != "over"
    return (*found, *(_END if ending else ()))


def _place(cave: State, at: Coord) -> tuple[str, ...]:
    tile = cave.board.get(at)
    if tile is not None:
        return _OF_KIND[tile.kind]
    return OF_ACTION["discover"] if leading_to(cave, at) else ()
