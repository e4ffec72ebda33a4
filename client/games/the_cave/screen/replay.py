"""A replay of The Cave."""

from __future__ import annotations

from typing import ClassVar

from client.games.the_cave.scene import CaveScene
from client.games.the_cave.screen import keys
from client.games.the_cave.screen.game import GameScreen
from client.tui import replay_keys
from client.tui.key_words import KeyWords
from client.tui.replay import ReplayMode
from client.tui.widgets.hints import Hint


class ReplayScreen(ReplayMode[CaveScene], GameScreen):
    """The cave fed by a record."""

    replay_words: ClassVar[KeyWords] = KeyWords(
        [*keys.BINDINGS, *replay_keys.BINDINGS], {"zoom": "map.zoom_in", "centre": "map.centre"}
    )

    def replay_hints(self) -> tuple[Hint, ...]:
        """The keys with which one looks around in the cave."""
        idle = self.scene.idle(self._aim)
        return tuple(hint for hint in keys.REPLAYING if hint.do not in idle)

    def tell_of_the_end(self) -> None:
        """The log tells it; nothing covers a replay."""
