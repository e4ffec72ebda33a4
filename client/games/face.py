"""The face of a game: its words, a line mode and a screen.

Line mode and screen are imported on first use, each without the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cave.game import Json
from client.face import Face
from client.settings.schema import Setting
from client.table import TableState

if TYPE_CHECKING:
    from textual.binding import BindingType

    from client.plain.line_table import LineTable
    from client.tui.table import TableScreen


class GameFace(Face):
    """The client's half of a game; README.md in this folder says how to add one."""

    key_heads: ClassVar[Mapping[str, str]] = {}
    """The headings under which its own keys are listed, by the first word of their ids."""
    hints: ClassVar[str] = ""
    """The module with the ``words`` and the ``reason`` of an action, given the game's own scene and action.
    It is loaded for the first hint.
    """
    settings: ClassVar[Sequence[Setting]] = ()
    """Its own settings, prefixed with its name: ``the-cave.confirm_walk``."""

    def scene(self, state: TableState, last: int | None) -> Any:
        """Return the scene of a game that adds nothing to the shared one."""
        from client.present.scene import scene

        return scene(state, last, self)

    def action_words(self, scene: Any, action: Json) -> str:
        """Return an action in the words of ``hints``, if the game has them."""
        if not self.hints:
            return super().action_words(scene, action)
        return str(import_module(self.hints).words(scene, self.game.action_from_json(action)))

    def action_reason(self, scene: Any, action: Json, then: Sequence[Json] = ()) -> str:
        """Return the reason for an action in the words of ``hints``, if the game has them."""
        if not self.hints:
            return ""
        first, *others = map(self.game.action_from_json, (action, *then))
        return str(import_module(self.hints).reason_for_hint(scene, first, others))

    @property
    def emblem(self) -> str:
        """Its ``emblem.txt``, if any: a line of inks, then rows with a letter per pixel."""
        file = Path(getfile(type(self))).with_name("emblem.txt")
        return file.read_text("utf-8") if file.is_file() else ""

    def lines(self) -> type[LineTable[Any]]:
        """Return the line mode of a table."""
        from client.plain.line_table import LineTable

        return LineTable

    def screen(self) -> type[TableScreen[Any]]:
        """Return the screen of a table; imports Textual."""
        from client.tui.plain_screen import PlainScreen

        return PlainScreen

    def replay_screen(self) -> type[TableScreen[Any]]:
        """Return the screen of a replay: the table's with the keys of a replay, and a ``Replaying``."""
        from client.tui.replay import replay_of

        return replay_of(self.screen())

    def key_places(self) -> Mapping[str, Sequence[BindingType]]:
        """Return the bindings that are active at the same time on its screens, by the name of the screen."""
        from client.tui.keymap import bindings_of

        return {each.__name__: bindings_of(each) for each in (self.screen(), self.replay_screen())}
