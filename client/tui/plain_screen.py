"""The default screen of a game: the lines of ``Face.board``, and the choices by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from client.face import Face
from client.present.scene import Scene
from client.table import Session
from client.tui import table
from client.tui.controller import Controller, Do
from client.tui.table import TableScreen
from client.tui.widgets.bottom_rows import Hint, number_keys_hint
from client.tui.widgets.panel import Panel, Row, Span, seat_role, wrap
from client.tui.widgets.panes import LogPane

KEYS: list[BindingType] = [
    Binding(str(number), f"do('choose:{number}')", f"Take choice {number}", id=f"game.choose_{number}")
    for number in range(1, 10)
]
HINTS = (Hint("o", "Log", "log"), Hint("?", "Help", "help"), Hint("q", "Quit", "quit"))


class TablePane(Panel):
    """The board as text, the choices of the displayed seat, and the refused actions with their reasons."""

    def __init__(self, face: Face, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._face = face
        self._scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        self._scene = scene
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        now = self._scene
        if now is None:
            return []
        face, game = self._face, now.state.game
        rows: list[Row] = [[Span(line)] for text in face.board(now) for line in wrap(text, width)]
        if now.choices:
            rows += [[], [Span(now.view.names[now.seat], seat_role(now.seat))]]
        for number, choice in enumerate(now.choices, 1):
            words = face.action_words(now, game.choice_json(choice)["action"])
            rows.append([Span(f"{number:2} ", "key", f"choose:{number}"), Span(words, do=f"choose:{number}")])
        refused = (f"{face.action_words(now, why.action)}: {why.message}" for why in now.refusals)
        return [*rows, *([Span(line, "dim")] for text in refused for line in wrap(f" - {text}", width))]


class PlainController(Controller[Scene]):
    def doings(self) -> Mapping[str, Do]:
        return {**super().doings(), "choose": self._choose}

    def plays(self, word: str) -> bool:
        return super().plays(word) or word == "choose"

    def _choose(self, number: str) -> None:
        now, at = self.scene, int(number) - 1
        if at < len(now.choices):
            self.send(now.seat, now.state.game.choice_json(now.choices[at])["action"])
        else:
            self.say(self.why_not_now("choose"))


class PlainScreen(TableScreen[Scene]):
    """The table of a game that defines no screen."""

    BINDINGS: ClassVar[list[BindingType]] = [*table.BINDINGS, *KEYS]
    CSS = "TablePane { height: auto; }"

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self.controller = PlainController(self)

    def compose(self) -> ComposeResult:
        yield TablePane(self.face, id="table")
        yield LogPane(line=self.line, id="log")
        yield from self.foot()

    def show_board(self, *, moved: bool) -> None:
        self.query_one(TablePane).show(self.scene)

    def hints(self) -> Sequence[Hint]:
        choices = len(self.scene.choices)
        return (number_keys_hint(choices, "Choose"), *HINTS) if choices else HINTS
