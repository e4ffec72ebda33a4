"""The keys of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import msgspec
from textual.binding import Binding, BindingType

from client.present.scene import Scene
from client.replay import Control
from client.tui.key_words import KeyWords
from client.tui.keymap import Keymap, first_key
from client.tui.table import TableScreen
from client.tui.widgets.hints import Hint

BINDINGS: list[BindingType] = [
    Binding("right", "do('step:1')", "Step on", id="replay.on", priority=True, show=False),
    Binding("left", "do('step:-1')", "Step back", id="replay.back", priority=True, show=False),
    Binding("down", "do('turn:1')", "Turn on", id="replay.turn_on", priority=True, show=False),
    Binding("up", "do('turn:-1')", "Turn back", id="replay.turn_back", priority=True, show=False),
    Binding("pagedown", "do('round:1')", "Round on", id="replay.round_on", priority=True, show=False),
    Binding("pageup", "do('round:-1')", "Round back", id="replay.round_back", priority=True, show=False),
    Binding("home", "do('first')", "Start", id="replay.first", priority=True, show=False),
    Binding("end", "do('last')", "End", id="replay.last", priority=True, show=False),
    Binding("space", "do('play')", "Play or stop", id="replay.play", priority=True, show=False),
    Binding("b", "do('way')", "Backwards", id="replay.way", show=False),
    Binding("plus,equals_sign", "do('speed:1')", "Faster", id="replay.faster", show=False),
    Binding("minus", "do('speed:-1')", "Slower", id="replay.slower", show=False),
    Binding("t", "do('turns')", "Go to a turn", id="replay.turns", show=False),
    Binding("P", "do('play_on')", "Play on from here", id="replay.play_on", show=False),
    Binding("A", "do('analyse')", "Analyse this game", id="replay.analyse", show=False),
    Binding("q", "do('quit')", "Leave", id="replay.leave", show=False),
    Binding("escape", "do('back')", "Back", id="replay.escape", show=False),
]

KEY_WORDS = KeyWords(BINDINGS)
SCORE = Hint("enter", "Score", "enter")
PLAY_ON, ANALYSE = Hint("P", "Play on", "play_on"), Hint("A", "Analyse", "analyse")


def hints(scene: Scene, looking: Sequence[Hint]) -> Sequence[Hint]:
    """Return the keys of the moment: the score where there is one, what bots can do with the game, and those
    for ``looking`` around.
    """
    with_bots = (PLAY_ON, ANALYSE) if scene.state.game.bots else ()
    return [*([SCORE] if scene.over else []), *with_bots, *looking]


@cache
def replay_of(screen: type[TableScreen[Any]]) -> type[TableScreen[Any]]:
    """Return the screen of a replay of the game that is played on this one."""
    own = {
        "__doc__": "The board fed by a record.",
        "__module__": screen.__module__,
        "BINDINGS": BINDINGS,
        "replays": True,
        "hints": lambda self: hints(self.scene, self.LOOKING),
    }
    return cast("type[TableScreen[Any]]", type(f"{screen.__name__}Replay", (screen,), own))


def renamed(groups: Sequence[Sequence[Control]], keymap: Keymap) -> Sequence[Sequence[Control]]:
    """Return the controls with the keys that the person has chosen."""
    if not keymap:
        return groups

    def control(each: Control) -> Control:
        key = first_key(keymap, KEY_WORDS.ids.get(each.do) or "")
        return msgspec.structs.replace(each, key=key or each.key)

    return [[control(each) for each in group] for group in groups]
