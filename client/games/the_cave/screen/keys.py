"""The keys of the game screen, and which of them are hinted at in which mode."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.supplies import Mode
from client.tui import table
from client.tui.key_words import KeyWords
from client.tui.keymap import Keymap
from client.tui.widgets.hints import USUAL, Hint


def _arrow(keys: str, side: str, name: str) -> Binding:
    """Return a key that chooses a place only while placing (see check_action): else it moves the cursor."""
    return Binding(keys, f"aim('{side}')", f"Place {name}", id=f"game.aim_{name}", show=False, priority=True)


_key = table.key
BINDINGS: list[BindingType] = [
    _key("enter", "enter", "Do it", "what can be done at the cursor"),
    _key("x", "discover", "Discover"),
    _key("m", "moves", "Moves", "all ways to go, with their prices"),
    _key("w", "dive", "Dive"),
    _key("s", "photograph", "Snap a photo"),
    _key("c", "camp", "Pitch or strike the camp"),
    _key("p", "pack", "Pack"),
    _key("i", "exchange", "Exchange with the camp"),
    _key("d", "discard", "Discard things"),
    _key("b", "abandon", "Abandon the camp"),
    _key("e", "end_turn", "End the turn"),
    _key("r", "rotate", "Rotate the tile", "turn the discovered tile the next way it fits"),
    _key("tab", "next", "Next legal place", "move the cursor to the next place where you can act"),
    _key("n", "exit", "Next unexplored exit", "the cursor to the next ? of the cave"),
    _key("v", "jump", "Jump to a letter", "a letter on each place in sight; typing it goes there"),
    *(_key(str(each), f"spot:{each}", f"Place {each}", name=f"place_{each}") for each in range(1, 5)),
    _key("g", "base", "Home base", "the cursor to the home base"),
    _key("f", "find", "Find the team", "the cursor to your team"),
    _key("F", "follow", "Follow who is to play", "keep the map on the team whose turn it is, or stop"),
    _key("a", "all", "All actions with reasons", "also those you cannot do now"),
    _key("G", "guide", "The guide on or off", "tips for a first game"),
    *table.BINDINGS,
    _arrow("up,k", "N", "north"),
    _arrow("down,j", "S", "south"),
    _arrow("left,h", "W", "west"),
    _arrow("right,l", "E", "east"),
]
OF_THE_MAP = (
    ("Centre the map", "the cursor to the middle of the map", "centre"),
    ("Zoom the map", "the next of three sizes", "zoom"),
)
"""Lines of the palette for keys of the map."""

_EXIT, _BASE, _TEAM = Hint("n", "To ?", "exit"), Hint("g", "Base", "base"), Hint("f", "Team", "find")
_ZOOM = Hint("z", "Zoom", "zoom")
_UNDO, _LOG, _CHAT, *_END, _PALETTE, _SETTINGS = USUAL
_LOOK = (_EXIT, _BASE, _TEAM, Hint("F", "Follow", "follow"), _ZOOM, _LOG, _CHAT)

_ACTING = (
    Hint("tab", "Next", "next"),
    Hint("v", "Jump", "jump"),
    *(_UNDO, _EXIT, _BASE, _ZOOM, _LOG, _CHAT, *_END, _PALETTE, _SETTINGS, _TEAM),
    Hint("U", "Reset turn", "reset"),
    Hint("arrows hjkl", "Cursor", ""),
    Hint("space", "Centre", "centre"),
)
_PLACING = (
    Hint("enter", "Place", "enter"),
    Hint("r", "Rotate", "rotate"),
    Hint("tab", "Next place", "next"),
    Hint("arrows", "Choose", "choose"),
    *(_LOG, *_END, _PALETTE),
)
_WAITING = (*_LOOK, *_END, Hint("arrows", "Look", ""), _PALETTE, _SETTINGS)
_OVER = (Hint("enter", "Score", "enter"), *_WAITING)
_PACKING = (Hint("p", "Pack", "pack"), *_END, Hint("arrows", "Look", ""), *_LOOK, _PALETTE)


def hints(mode: Mode, *, can_pack: bool, idle: Collection[str] = ()) -> tuple[Hint, ...]:
    """Return the hints of a mode, the most needed first; what is ``idle`` does nothing now."""
    return tuple(hint for hint in _hints(mode, can_pack=can_pack) if hint.do not in idle)


def _hints(mode: Mode, *, can_pack: bool) -> tuple[Hint, ...]:
    if mode == "packing":
        return _PACKING if can_pack else _WAITING
    return {"acting": _ACTING, "starving": _ACTING, "placing": _PLACING, "over": _OVER}.get(mode, _WAITING)


def renamed_lines(lines: tuple[ActionLine, ...], words: KeyWords, keymap: Keymap) -> tuple[ActionLine, ...]:
    """Return the actions with the keys that the person has chosen."""
    if not keymap:
        return lines

    def keys(text: str) -> str:
        return " ".join(words.key(part, keymap) for part in text.split(" "))

    return tuple(replace(line, key=keys(line.key)) for line in lines)


REPLAYING = (
    *(_LOG, _ZOOM, Hint("hjkl", "Look", ""), _EXIT, _BASE, _TEAM, _END[0]),
    *(Hint("q", "Leave", "quit"), _PALETTE, _SETTINGS),
)
"""The keys of a replay beside those for stepping."""
