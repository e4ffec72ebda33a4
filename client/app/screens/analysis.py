"""The analysis of a game: how the chances went, where points were lost, and by what."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.renderables.bar import Bar
from textual.widgets import ProgressBar, Static

from client.app.widgets.analysis import LARGEST, AnalysisPane
from client.face import Face
from client.lab.analysis import Analysis
from client.lab.series import GameFailed
from client.tui.closing import ClosingOnce, while_shown
from client.tui.widgets.header import TitleBar
from client.tui.widgets.panel import Panel
from client.tui.widgets.tap import HintBar, KeyHint

OF_TURNS = ("turn", "mistake", "next_mistake", "show_step")
"""The actions that need a turn."""
NO_TURN = "No turn was played, so there is nothing to judge."
NO_MISTAKE = "No mistake has been found."
NO_MISTAKE_YET = "No mistake has been found so far."


class _AsciiBar(Bar):
    BAR, HALF_BAR_LEFT, HALF_BAR_RIGHT = "=", "-", "-"


class _AsciiProgressBar(ProgressBar):
    BAR_RENDERABLE = _AsciiBar


class AnalysisScreen(ClosingOnce[int | None]):
    """Look through an analysis while it is made. The result is the step to be shown, or None to go back."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["analysis.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "turn(-1)", "Turn back", show=False, id="analysis.back"),
        Binding("right,l", "turn(1)", "Turn on", show=False, id="analysis.on"),
        Binding("home", "turn(-100000)", "First turn", show=False, id="analysis.first"),
        Binding("end", "turn(100000)", "Last turn", show=False, id="analysis.last"),
        Binding("n", "next_mistake", "Next mistake", show=False, id="analysis.next"),
        *(Binding(str(n), f"mistake({n - 1})", f"Mistake {n}", show=False) for n in range(1, LARGEST + 1)),
        Binding("enter", "show_step", "Show it in the replay", show=False, id="analysis.show"),
        Binding("escape,q", "back", "Back", show=False, id="analysis.leave"),
    ]

    def __init__(self, face: Face, analysed: Analysis, *, glyphs: str = "unicode") -> None:
        super().__init__()
        self._face = face
        self._analysis = analysed
        self._glyphs = glyphs
        self._failure = ""
        self._misses_mistakes = False
        """Whether the message says that there is no mistake to go to."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the action is possible: without a turn one can only go back."""
        return bool(self._analysis.total) or action not in OF_TURNS

    def compose(self) -> ComposeResult:
        """Yield what is judged, how far it is, and what was found."""
        with Vertical(id="sheet"):
            yield TitleBar(f"Analysis of {self._analysis.played.game.title}", id="title")
            bar = _AsciiProgressBar if self._glyphs == "ascii" else ProgressBar
            yield bar(max(1, self._analysis.total), show_eta=True, id="progress")
            yield Static("", id="message", markup=False)
            yield AnalysisPane(self._analysis, self._face, self._glyphs, id="analysis")
        with HintBar(id="hints"):
            yield KeyHint("analysis.show", "Show the step")
            yield KeyHint("analysis.back", "Turn back")
            yield KeyHint("analysis.on", "Turn on")
            yield KeyHint("analysis.next", "Next mistake")
            yield KeyHint("analysis.leave", "Back")

    def on_mount(self) -> None:
        """Begin to judge, or go on with it."""
        self._say("")
        self._changed()
        if not self._analysis.total:
            self._say(NO_TURN)
        elif self._analysis.done < self._analysis.total:
            self.run_worker(while_shown(self._judge), name="analysis")

    async def _judge(self) -> None:
        try:
            await self._analysis.go_on(self._changed)
        except GameFailed as error:
            self._failure = f"{error} What has been judged so far can be looked at."
            self._say(self._failure)

    def _changed(self) -> None:
        bar = self.query_one(ProgressBar)
        bar.update(progress=self._analysis.done)
        bar.display = self._analysis.done < self._analysis.total
        self._pane.judge()
        if self._misses_mistakes:
            self._tell_of_none()

    def _tell_of_none(self) -> None:
        """Say that there is no mistake to go to, as long as that is so."""
        judging = self._analysis.done < self._analysis.total
        self._misses_mistakes = not any(turn.mistakes for turn in self._pane.turns)
        none = (NO_MISTAKE_YET if judging else NO_MISTAKE) if self._misses_mistakes else ""
        # Why no more is judged stays to be read.
        self._say(f"{self._failure} {none}".strip())

    def _say(self, text: str) -> None:
        message = self.query_one("#message", Static)
        message.update(text)
        message.display = bool(text)

    @property
    def _pane(self) -> AnalysisPane:
        return self.query_one(AnalysisPane)

    def action_turn(self, by: int) -> None:
        """Look at a later turn, or an earlier one."""
        self._pane.look(self._pane.chosen + by)

    def action_mistake(self, number: int) -> None:
        """Look at one of the largest mistakes."""
        largest = self._pane.largest
        if number < len(largest):
            self._pane.look(self._pane.turns.index(largest[number][0]))

    def action_next_mistake(self) -> None:
        """Look at the next turn with a mistake, from the start after the last; say so where there is none."""
        pane = self._pane
        at = [index for index, turn in enumerate(pane.turns) if turn.mistakes]
        if at:
            pane.look(next((turn for turn in at if turn > pane.chosen), at[0]))
        elif self._analysis.total:
            self._tell_of_none()

    def action_show_step(self) -> None:
        """Go to the mistake of this turn, else to its start."""
        pane = self._pane
        if pane.turns:
            turn = pane.turns[pane.chosen]
            worst = max(turn.mistakes, key=lambda each: each.lost, default=None)
            self.dismiss(turn.step if worst is None else worst.step)

    @on(Panel.Chosen)
    def _chosen(self, event: Panel.Chosen) -> None:
        self._pane.look(int(event.do.removeprefix("turn:")))
