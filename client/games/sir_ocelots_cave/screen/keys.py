"""The keys of the screen, and which of them are hinted at when."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from client.games.sir_ocelots_cave.scene import OcelotScene
from client.tui import table
from client.tui.widgets.hints import IN_REPLAYS, USUAL, Hint


def _key(keys: str, word: str, does: str, name: str, use: str = "") -> Binding:
    return Binding(keys, f"do('{word}')", does, id=f"ocelot.{name}", show=False, tooltip=use)


_IN_HAND = "again: the other kind"
BINDINGS: list[BindingType] = [
    _key("enter", "enter", "Lay, come or collect", "enter", "at the cursor"),
    _key("c", "tool:compass", "Compass in hand", "compass", _IN_HAND),
    _key("l", "tool:lamp", "Lamp in hand", "lamp", _IN_HAND),
    _key("p", "tool:pickaxe", "Pickaxe in hand", "pickaxe", _IN_HAND),
    _key("r", "turn_over", "Turn the tool over", "turn_over", "its other side up"),
    _key("tab", "next:1", "Next place", "next", "the next free rim space, or the next gem"),
    _key("shift+tab,backspace", "next:-1", "Place before", "previous"),
    _key("n", "bringing", "Where a tool collects", "bringing", "the cursor to such a rim space"),
    _key("m", "way", "Where the companion goes", "way", "the cursor to such a square"),
    _key("space", "toggle", "Take or leave a gem", "toggle"),
    _key("a", "all", "All gems or none", "all", "while you collect"),
    _key("v", "jump", "Jump to a letter", "jump", "a letter on each place where you can act"),
    _key("s", "cover", "Show or cover amethysts", "cover", "where two share a keyboard"),
    _key("up", "go:0,-1", "Up", "up"),
    _key("down", "go:0,1", "Down", "down"),
    _key("left", "go:-1,0", "Left", "left"),
    _key("right", "go:1,0", "Right", "right"),
    _key("G", "guide", "The guide on or off", "guide", "tips for a first game"),
    *table.BINDINGS,
]

_END = (Hint("v", "Jump", "jump"), *USUAL, Hint("arrows", "Look", ""))
_ACTING = (
    Hint("enter", "Place", "enter"),
    Hint("tab", "Next", "next:1"),
    Hint("r", "Turn over", "turn_over"),
    Hint("n", "Collects", "bringing"),
    Hint("m", "Companion", "way"),
)
_COLLECTING = (
    Hint("enter", "Collect", "enter"),
    Hint("space", "Take or leave", "toggle"),
    Hint("tab", "Next gem", "next:1"),
    Hint("a", "All or none", "all"),
)
_LOOKING = (Hint("tab", "Next", "next:1"), Hint("n", "Collects", "bringing"))
COVER = Hint("s", "Amethysts", "cover")


def hints(scene: OcelotScene) -> tuple[Hint, ...]:
    """Return the hints of the moment, the most needed first."""
    first: tuple[Hint, ...] = {"acting": _ACTING, "collecting": _COLLECTING}.get(scene.mode, _LOOKING)
    if scene.mode == "over":
        first = (Hint("enter", "Score", "enter"), Hint("tab", "Next", "next:1"))
    found = [hint for hint in (*first, *_END) if scene.ways or hint.do != "way"]
    if scene.shares_keyboard and scene.me.amethysts and not scene.over:
        found.insert(len(first), COVER)
    return tuple(found)


REPLAYING = (Hint("tab", "Look", "next:1"), *IN_REPLAYS)
"""The keys of a replay beside those for stepping."""
