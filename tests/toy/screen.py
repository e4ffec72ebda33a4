"""Lanterns on the screen: as little as a game can do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from client.face import LETTERS
from client.present.scene import Scene, scene
from client.table import TableState
from client.tui import replay_keys, table
from client.tui.key_words import KeyWords
from client.tui.replay import ReplayMode
from client.tui.table import Do, TableScreen
from client.tui.widgets.hints import Hint, Hints
from client.tui.widgets.log import LogPane
from client.tui.widgets.message import MessageLine
from client.tui.widgets.panel import Panel, Row, Span

BINDINGS: list[BindingType] = [
    *table.BINDINGS,
    *(
        Binding(str(key), f"do('light:{key}')", f"Light {key}", id=f"lanterns.light_{key}")
        for key in range(1, 10)
    ),
]
HINTS = (
    Hint("1-9", "Light", ""),
    Hint("o", "Log", "log"),
    Hint("?", "Help", "help"),
    Hint("q", "Quit", "quit"),
)


class Board(Panel):
    """Who has won what, the gem, and the lanterns of the shown seat."""

    text: tuple[tuple[str, str], ...] = ()

    def show(self, now: Scene) -> None:
        scores = [f"{LETTERS[s.seat]} {now.view.names[s.seat]} {s.total:g}" for s in now.view.standing]
        self.text = tuple((line, "") for line in (*scores, f"gem {now.view.seen.gems[:1]}"))
        self.text += tuple((f"[{c.lantern}]", f"light:{c.lantern}") for c in now.choices)
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(line, "strong", do)] for line, do in self.text]


class LanternScreen(TableScreen[Scene]):
    """A table of Lanterns."""

    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    CSS = "#board { height: auto; } #message { dock: bottom; height: 1; offset-y: -1; }"
    key_words: ClassVar[KeyWords] = KeyWords(BINDINGS)

    def make_scene(self, state: TableState, last: int | None) -> Scene:
        return scene(state, last)

    def compose(self) -> ComposeResult:
        yield Board(id="board")
        yield LogPane(line=self._line, id="log")
        yield Hints(id="hints")
        yield MessageLine(id="message")

    def show_board(self, *, moved: bool) -> None:
        self.query_one(Board).show(self.scene)

    def show_hints(self) -> None:
        self.query_one(Hints).show(self.key_words.hints(HINTS, self.keymap))

    def doings(self) -> Mapping[str, Do]:
        return {**super().doings(), "light": lambda lantern: self._light(int(lantern))}

    def plays(self, word: str) -> bool:
        return super().plays(word) or word == "light"

    def _light(self, lantern: int) -> None:
        if any(choice.lantern == lantern for choice in self.scene.choices):
            self.send(self.scene.seat or 0, {"type": "light", "lantern": lantern})
        else:
            action = {"type": "light", "lantern": lantern}
            reasons = [no.message for no in self.scene.refusals if no.action == action]
            self.say(next(iter(reasons), self.why("light")))


class LanternReplay(ReplayMode[Scene], LanternScreen):
    """A replay of Lanterns."""

    replay_words: ClassVar[KeyWords] = KeyWords([*BINDINGS, *replay_keys.BINDINGS])
