"""Lanterns on the screen: as little as a game can do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from client.face import LETTERS, Face
from client.present.scene import Scene
from client.table import Session
from client.tui import replay_keys, table
from client.tui.controller import Controller, Do
from client.tui.key_words import KeyWords
from client.tui.table import TableScreen
from client.tui.widgets.hints import Hint
from client.tui.widgets.log import LogPane
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
    """Who has won what, the gem, and the hand of the shown seat."""

    text: tuple[tuple[str, str], ...] = ()

    def show(self, now: Scene) -> None:
        scores = [f"{LETTERS[s.seat]} {now.view.names[s.seat]} {s.total:g}" for s in now.view.standing]
        self.text = tuple((line, "") for line in (*scores, f"gem {now.view.seen.gems[:1]}"))
        self.text += tuple((f"[{c.lantern}]", f"light:{c.lantern}") for c in now.choices)
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(line, "strong", do)] for line, do in self.text]


class LanternController(Controller[Scene]):
    """What the words of Lanterns do."""

    def doings(self) -> Mapping[str, Do]:
        return {**super().doings(), "light": self._light}

    def plays(self, word: str) -> bool:
        return super().plays(word) or word == "light"

    def _light(self, lantern: str) -> None:
        action = {"type": "light", "lantern": int(lantern)}
        if any(choice.lantern == int(lantern) for choice in self.scene.choices):
            self.send(self.scene.seat, action)
        else:
            reasons = [no.message for no in self.scene.refusals if no.action == action]
            self.say(next(iter(reasons), self.why("light")))


class LanternScreen(TableScreen[Scene]):
    """A table of Lanterns."""

    BINDINGS: ClassVar[list[BindingType]] = BINDINGS
    CSS = "#board { height: auto; }"
    key_words: ClassVar[KeyWords] = KeyWords(BINDINGS)

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = LanternController(self)

    def compose(self) -> ComposeResult:
        yield Board(id="board")
        yield LogPane(line=self.line, id="log")
        yield from self.foot()

    def show_board(self, *, moved: bool) -> None:
        self.query_one(Board).show(self.scene)

    def hints(self) -> Sequence[Hint]:
        return HINTS


class LanternReplay(LanternScreen):
    """A replay of Lanterns."""

    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    replays: ClassVar[bool] = True
    key_words: ClassVar[KeyWords] = KeyWords([*BINDINGS, *replay_keys.BINDINGS])

    def hints(self) -> Sequence[Hint]:
        return replay_keys.hints(self.scene, ())
