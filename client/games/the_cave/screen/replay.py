"""A replay of The Cave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from client.games.the_cave.screen import keys
from client.games.the_cave.screen.game import GameScreen
from client.tui import replay_keys
from client.tui.key_words import KeyWords
from client.tui.widgets.hints import Hint


class ReplayScreen(GameScreen):
    """The cave fed by a record."""

    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    replays: ClassVar[bool] = True
    key_words: ClassVar[KeyWords] = KeyWords([*keys.BINDINGS, *replay_keys.BINDINGS], keys.OF_THE_MAP)

    def hints(self) -> Sequence[Hint]:
        """Give the keys with which one looks around in the cave."""
        idle = self.scene.idle(self.controller.placing.aim)
        return replay_keys.hints(self.scene, [hint for hint in keys.REPLAYING if hint.do not in idle])
