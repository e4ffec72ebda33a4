"""The keys of the game screen, and which of them are hinted at in which mode."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.supplies import Mode
from client.tui.key_words import KeyWords
from client.tui.keymap import Keymap
from client.tui.widgets.hints import Hint

BINDINGS: list[BindingType] = [
    Binding("enter", "do('enter')", "Do it", id="game.enter", show=False),
    Binding("x", "do('discover')", "Discover", id="game.discover", show=False),
    Binding("m", "do('moves')", "Moves", id="game.moves", show=False),
    Binding("w", "do('dive')", "Dive", id="game.dive", show=False),
    Binding("s", "do('photograph')", "Snap a photo", id="game.photograph", show=False),
    Binding("c", "do('camp')", "Pitch or strike the camp", id="game.camp", show=False),
    Binding("p", "do('pack')", "Pack", id="game.pack", show=False),
    Binding("i", "do('exchange')", "Exchange with the camp", id="game.exchange", show=False),
    Binding("d", "do('discard')", "Discard things", id="game.discard", show=False),
    Binding("b", "do('abandon')", "Abandon the camp", id="game.abandon", show=False),
    Binding("e", "do('end_turn')", "End the turn", id="game.end_turn", show=False),
    Binding("u", "do('undo')", "Undo", id="game.undo", show=False),
    Binding("U", "do('reset')", "Reset the turn", id="game.reset", show=False),
    Binding("r", "do('rotate')", "Rotate the tile", id="game.rotate", show=False),
    Binding("tab", "do('next')", "Next legal place", id="game.next", show=False),
    Binding("n", "do('exit')", "Next unexplored exit", id="game.exit", show=False),
    Binding("v", "do('jump')", "Jump to a letter", id="game.jump", show=False),
    *[
        Binding(str(number), f"do('spot:{number}')", f"Place {number}", id=f"game.place_{number}", show=False)
        for number in range(1, 5)
    ],
    Binding("g", "do('base')", "Home base", id="game.base", show=False),
    Binding("f", "do('find')", "Find the team", id="game.find", show=False),
    Binding("F", "do('follow')", "Follow who is to play", id="game.follow", show=False),
    Binding("a", "do('all')", "All actions with reasons", id="game.all", show=False),
    Binding("o", "do('log')", "Log", id="game.log", show=False),
    Binding("t", "do('chat')", "Chat", id="game.chat", show=False),
    Binding("question_mark,f1", "do('help')", "Help", id="game.help", show=False),
    Binding("y", "do('hint')", "Hint", id="game.hint", show=False),
    Binding("H", "do('hurry')", "Bots without pause", id="game.hurry", show=False),
    Binding("E", "do('ends')", "An end without waiting", id="game.ends", show=False),
    Binding("B", "do('take_back')", "Take a seat back", id="game.take_back", show=False),
    Binding("G", "do('guide')", "The guide on or off", id="game.guide", show=False),
    Binding("comma", "do('settings')", "Settings", id="game.settings", show=False),
    Binding("q", "do('quit')", "Quit", id="game.quit", show=False),
    # Only while placing (see check_action): the map takes the arrows at all other times.
    Binding("up,k", "aim('N')", "Place north", id="game.aim_north", show=False, priority=True),
    Binding("down,j", "aim('S')", "Place south", id="game.aim_south", show=False, priority=True),
    Binding("left,h", "aim('W')", "Place west", id="game.aim_west", show=False, priority=True),
    Binding("right,l", "aim('E')", "Place east", id="game.aim_east", show=False, priority=True),
]

_EXIT, _BASE, _TEAM = Hint("n", "To ?", "exit"), Hint("g", "Base", "base"), Hint("f", "Team", "find")
_ZOOM, _LOG, _CHAT = Hint("z", "Zoom", "zoom"), Hint("o", "Log", "log"), Hint("t", "Chat", "chat")
_PALETTE, _SETTINGS = Hint("^p", "Palette", "palette"), Hint(",", "Settings", "settings")
_END = (Hint("?", "Help", "help"), Hint("q", "Quit", "quit"))
_LOOK = (_EXIT, _BASE, _TEAM, Hint("F", "Follow", "follow"), _ZOOM, _LOG, _CHAT)

_ACTING = (
    Hint("tab", "Next", "next"),
    Hint("v", "Jump", "jump"),
    Hint("u", "Undo", "undo"),
    *(_EXIT, _BASE, _ZOOM, _LOG, _CHAT, *_END, _PALETTE, _SETTINGS, _TEAM),
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


OF_THE_MAP = {"zoom": "map.zoom_in", "centre": "map.centre"}
KEY_WORDS = KeyWords(BINDINGS, OF_THE_MAP)


def renamed_lines(lines: tuple[ActionLine, ...], keymap: Keymap) -> tuple[ActionLine, ...]:
    """Return the actions with the keys that the person has chosen."""
    if not keymap:
        return lines

    def keys(text: str) -> str:
        return " ".join(KEY_WORDS.key(part, keymap) for part in text.split(" "))

    return tuple(replace(line, key=keys(line.key)) for line in lines)


REPLAYING = (
    *(_LOG, _ZOOM, Hint("hjkl", "Look", ""), _EXIT, _BASE, _TEAM, _END[0]),
    *(Hint("q", "Leave", "quit"), _PALETTE, _SETTINGS),
)
"""The keys of a replay beside those for stepping."""
