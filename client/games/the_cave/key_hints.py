"""The keys of the game screen, the key hints of each mode, and its sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from client.games.the_cave.actions import ActionLine
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.supplies import Mode
from client.tui import table
from client.tui.keymap import Keymap, KeyWords
from client.tui.sentences import ENDED_EARLY
from client.tui.widgets.bottom_rows import USUAL, Hint


def _arrow_binding(keys: str, side: str, name: str) -> Binding:
    """Return a key that chooses a place only while placing (see check_action): else it moves the cursor."""
    return Binding(keys, f"aim('{side}')", f"Place {name}", id=f"game.aim_{name}", show=False, priority=True)


_key = table.word_binding
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
    _arrow_binding("up,k", "N", "north"),
    _arrow_binding("down,j", "S", "south"),
    _arrow_binding("left,h", "W", "west"),
    _arrow_binding("right,l", "E", "east"),
]
OF_THE_MAP = (
    ("Centre the map", "the cursor to the middle of the map", "centre"),
    ("Zoom the map", "the next of three sizes", "zoom"),
)

_EXIT, _BASE, _TEAM = Hint("n", "Unexplored", "exit"), Hint("g", "Base", "base"), Hint("f", "Team", "find")
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


def hints_of_mode(mode: Mode, *, can_pack: bool, idle: Collection[str] = ()) -> tuple[Hint, ...]:
    """Return the hints of a mode, most important first, without the ``idle`` words."""
    return tuple(hint for hint in _cached_hints_of_mode(mode, can_pack=can_pack) if hint.do not in idle)


def _cached_hints_of_mode(mode: Mode, *, can_pack: bool) -> tuple[Hint, ...]:
    if mode == "packing":
        return _PACKING if can_pack else _WAITING
    return {"acting": _ACTING, "starving": _ACTING, "placing": _PLACING, "over": _OVER}.get(mode, _WAITING)


def renamed_lines(lines: tuple[ActionLine, ...], words: KeyWords, keymap: Keymap) -> tuple[ActionLine, ...]:
    if not keymap:
        return lines

    def keys(text: str) -> str:
        return " ".join(words.own_key(part, keymap) for part in text.split(" "))

    return tuple(replace(line, key=keys(line.key)) for line in lines)


REPLAYING = (
    *(_LOG, _ZOOM, Hint("hjkl", "Look", ""), _EXIT, _BASE, _TEAM, _END[0]),
    *(Hint("q", "Leave", "quit"), _PALETTE, _SETTINGS),
)


NO_PLACE = "First place the tile: {enter} places it, {r} rotates it, {tab} tries the next place."
CLICK_TO_DISCOVER = "To discover, click a ? beside your tile twice, or the line below, or press {x}."
FOLLOWING = "The map follows the team whose turn it is; {F} stops that."
NOT_FOLLOWING = "The map stays where you put it; {F} follows the team whose turn it is."
SHOW_TEAM = "{take} show the team   {back} go on"  # keys below the list of teams at the end trigger
_NOTES: dict[Mode, str] = {
    "over": "The game is over. {enter}: the score sheet, arrows: look at the cave, {q}: leave.",
    "packing": "The others are still packing. You can look around meanwhile.",
    "watching": "You are watching: look around, {o} shows what has happened.",
}
PACKING_WATCHED = "You are watching. All pack in secret; the packs are shown when all are ready."
TO_PACK = "Pack your backpack for the first trip: {p}"
PLAN = "The prices are for your next turn: plan ahead."
TRY_IT = "{r} tries out the discovered tile."


def bar_note(scene: CaveScene, spoken: Callable[[str], str]) -> str:
    """Return the text to show if there are no actions; ``spoken`` names the user's keys."""
    if scene.state.ended_early:
        return ENDED_EARLY
    if scene.mode == "waiting":
        plans = scene.state.plays(scene.seat) and scene.state.lesson is None
        more = spoken(TRY_IT) if scene.spots else PLAN if plans else ""
        return f"{scene.waits_for} {more}".rstrip()
    if scene.mode == "watching" and scene.cave.phase == "packing":
        return PACKING_WATCHED
    if scene.over and scene.state.lesson is not None:
        return "The game is over."  # Enter continues the lesson here
    note = TO_PACK if scene.mode == "packing" and scene.choices else _NOTES.get(scene.mode, "")
    return spoken(note)
