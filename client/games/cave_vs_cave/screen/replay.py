"""A replay of Cave vs Cave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from client.games.cave_vs_cave.screen import keys
from client.games.cave_vs_cave.screen.game import VersusScreen
from client.tui import replay_keys
from client.tui.key_words import KeyWords
from client.tui.widgets.hints import Hint


class VersusReplay(VersusScreen):
    """The caves fed by a record."""

    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    replays: ClassVar[bool] = True
    key_words: ClassVar[KeyWords] = KeyWords([*keys.BINDINGS, *replay_keys.BINDINGS])

    def hints(self) -> Sequence[Hint]:
        """Return the keys with which one looks around."""
        return replay_keys.hints(self.scene, keys.REPLAYING)
