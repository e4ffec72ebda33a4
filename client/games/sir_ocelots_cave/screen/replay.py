"""A replay of Sir Ocelot's Cave."""

from __future__ import annotations

from typing import ClassVar

from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.screen import keys
from client.games.sir_ocelots_cave.screen.game import OcelotScreen
from client.tui import replay_keys
from client.tui.key_words import KeyWords
from client.tui.replay import ReplayMode
from client.tui.widgets.hints import Hint


class OcelotReplay(ReplayMode[OcelotScene], OcelotScreen):
    """The board fed by a record."""

    replay_words: ClassVar[KeyWords] = KeyWords([*keys.BINDINGS, *replay_keys.BINDINGS])

    def replay_hints(self) -> tuple[Hint, ...]:
        """The keys with which one looks around."""
        return keys.REPLAYING
