"""The keys of the screen, and which of them are hinted at when."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from client.games.cave_vs_cave.known.doings import doings
from client.games.cave_vs_cave.known.scene import VersusScene
from client.tui import table
from client.tui.widgets.hints import IN_REPLAYS, USUAL, Hint, numbers


def _key(keys: str, word: str, does: str, name: str, use: str = "") -> Binding:
    return Binding(keys, f"do('{word}')", does, id=f"versus.{name}", show=False, tooltip=use)


BINDINGS: list[BindingType] = [
    *(
        _key(str(number), f"number:{number}", f"Tile or action {number}", f"number_{number}")
        for number in (*range(1, 10), 0)
    ),
    _key("enter", "enter", "What can be done there", "enter"),
    _key("a", "list", "List all that can be done", "list", "everything, with what it costs and brings"),
    _key("x", "kind:anytime", "Goods for food", "anytime", "at any time in your turn"),
    _key("e", "end_turn", "End the turn", "end_turn", "what the tile offers may be left out"),
    _key("f", "rooms", "List the rooms on show", "rooms", "what they cost and do, and where they fit"),
    _key("r", "room:1", "Where the next room fits", "room", "one room on show after the other"),
    _key("m", "page:display", "More of the rooms on show", "more_rooms", "the rest of a long list"),
    _key("tab", "next_board:1", "The next board", "next_board", "your own boards and the other's"),
    _key("shift+tab,backspace", "next_board:-1", "The board before", "previous_board"),
    _key("n", "next:1", "Next space with a task", "next", "where something can be done"),
    _key("v", "jump", "Jump to a letter", "jump", "a letter on each space; typing it goes there"),
    _key("up,k", "go:-1,0", "Up", "up"),
    _key("down,j", "go:1,0", "Down", "down"),
    _key("left,h", "go:0,-1", "Left", "left"),
    _key("right,l", "go:0,1", "Right", "right"),
    _key("G", "guide", "The guide on or off", "guide", "tips for a first game"),
    *table.BINDINGS,
]

FEW = 4
"""From this many number keys on, the hint names the first and the last only."""
_LOOK = (Hint("f", "Rooms", "rooms"), Hint("tab", "Board", "next_board:1"))
_END = (*_LOOK, Hint("v", "Jump", "jump"), *USUAL)
_FIRST: dict[str, tuple[Hint, ...]] = {
    "take": (Hint("a", "All", "list"),),
    "actions": (
        Hint("enter", "Here", "enter"),
        Hint("e", "End turn", "end_turn"),
        Hint("a", "All", "list"),
    ),
    "dig": (Hint("enter", "Dig", "enter"), Hint("n", "Next", "next:1")),
    "cavern": (Hint("1", "Choose", "number:1"),),
    "draft": (Hint("enter", "Place", "enter"), Hint("n", "Next", "next:1"), Hint("a", "All", "list")),
    "cover": (Hint("enter", "Cover", "enter"), Hint("n", "Next", "next:1")),
    "over": (Hint("enter", "Score", "enter"),),
}


def hints(scene: VersusScene) -> tuple[Hint, ...]:
    """Return the hints of the moment, the most needed first."""
    numbered: tuple[Hint, ...] = ()
    if tiles := scene.kinds.get("take"):
        numbered = (numbers(len(tiles), "Take", most=10),)
    elif scene.mode == "actions":
        keys = [each.key for each in doings(scene) if each.key.isdecimal()]
        few = len(keys) < FEW
        numbered = (Hint(" ".join(keys) if few else f"{keys[0]}-{keys[-1]}", "Do", ""),) if keys else ()
    return (*numbered, *_FIRST.get(scene.mode, ()), *_END)


REPLAYING = (*_LOOK, *IN_REPLAYS)
"""The keys of a replay beside those for stepping."""
