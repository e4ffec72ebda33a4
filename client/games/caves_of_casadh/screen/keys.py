"""The keys of the screen, and which of them are hinted at when."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from client.games.caves_of_casadh.known.scene import CasadhScene
from client.tui import table
from client.tui.widgets.hints import IN_REPLAYS, USUAL, Hint, numbers

NUMBERS = range(1, 10)


def _key(keys: str, word: str, does: str, name: str) -> Binding:
    return Binding(keys, f"do('{word}')", does, id=f"casadh.{name}", show=False)


OWN: list[BindingType] = [
    *(_key(str(each), f"number:{each}", f"Way or line {each}", f"number_{each}") for each in NUMBERS),
    _key("enter", "enter", "Go there, or lay the hex", "enter"),
    _key("r", "turn:1", "Turn the hex", "turn"),
    _key("R", "turn:-1", "Turn the hex back", "turn_back"),
    _key("c", "collect_treasure", "Look for treasure", "collect_treasure"),
    _key("i", "collect_items", "Take items", "collect_items"),
    _key("L", "leave", "Leave the caves", "leave"),
    _key("m", "use_medkit", "Use the Medkit", "medkit"),
    _key("d", "deploy", "Lay dynamite", "deploy"),
    _key("f", "defuse", "Defuse dynamite", "defuse"),
    _key("e", "end_turn", "End the turn", "end_turn"),
    _key("a", "all", "List all that can be done", "all"),
    _key("tab", "next:1", "Next way", "next"),
    _key("shift+tab,backspace", "next:-1", "Way before", "previous"),
    _key("v", "jump", "Jump to a letter", "jump"),
    _key("g", "here", "To your pawn", "here"),
    _key("0", "base", "To Base Camp", "base"),
    _key("w", "overview", "The whole map", "overview"),
    _key("s", "cover", "Show or cover treasures", "cover"),
    _key("G", "guide", "The guide on or off", "guide"),
    _key("X", "give_up", "Give up", "give_up"),
]
BINDINGS: list[BindingType] = [*OWN, *table.BINDINGS]

_UNDO, _LOG, *_REST = USUAL
_END = (
    Hint("w", "Map", "overview"),
    *(_LOG, _UNDO, *_REST),
    Hint("z", "Zoom", ""),
    Hint("arrows", "Look", ""),
)
_LETTERED = (
    Hint("c", "Treasure", "collect_treasure"),
    Hint("i", "Items", "collect_items"),
    Hint("L", "Leave", "leave"),
    Hint("m", "Medkit", "use_medkit"),
    Hint("f", "Defuse", "defuse"),
    Hint("d", "Dynamite", "deploy"),
    Hint("e", "End turn", "end_turn"),
)
COVER = Hint("s", "Treasures", "cover")


def hints(scene: CasadhScene) -> tuple[Hint, ...]:
    """Return the hints of the moment, the most needed first."""
    first: tuple[Hint, ...] = (Hint("tab", "Next", "next:1"), Hint("g", "Pawn", "here"))
    if scene.mode == "over":
        first = (Hint("enter", "Score", "enter"), Hint("0", "Base", "base"))
    elif scene.mode == "placing":
        first = (Hint("enter", "Lay it", "enter"), Hint("r", "Turn", "turn:1"))
    elif scene.mode == "actions":
        ways = sum(task.key.isdecimal() for task in scene.tasks)
        going = (numbers(ways, "Go"),) if ways else ()
        first = (*going, *(hint for hint in _LETTERED if scene.can(hint.do)), Hint("tab", "Next", "next:1"))
    elif scene.choices:
        first = (numbers(len(scene.tasks), "Choose"), Hint("a", "All", "all"), Hint("tab", "Next", "next:1"))
    found = [*first, *_END]
    if scene.state.hot_seat and scene.me.treasures and not scene.over:
        found.insert(len(first), COVER)
    return tuple(found)


REPLAYING = (Hint("arrows", "Look", ""), Hint("w", "Map", "overview"), *IN_REPLAYS)
"""The keys of a replay beside those for stepping."""
