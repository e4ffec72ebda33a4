"""A replay of The Caves of Casadh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from client.games.caves_of_casadh.screen import keys
from client.games.caves_of_casadh.screen.game import CasadhScreen
from client.tui import replay_keys
from client.tui.board.view import BoardView
from client.tui.key_words import KeyWords
from client.tui.widgets.hints import Hint


class CasadhReplay(CasadhScreen):
    """The map fed by a record."""

    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    replays: ClassVar[bool] = True
    key_words: ClassVar[KeyWords] = KeyWords([*keys.BINDINGS, *BoardView.BINDINGS, *replay_keys.BINDINGS])

    def hints(self) -> Sequence[Hint]:
        """Give the keys with which one looks around."""
        return replay_keys.hints(self.scene, keys.REPLAYING)
