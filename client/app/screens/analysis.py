"""The analysis of a game: the chances over time, and the moves that lost points."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePath
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.renderables.bar import Bar
from textual.widgets import ProgressBar, Static

from client.face import Face
from client.lab import analysis
from client.lab.analysis import Analysis, ProvenMistake, Turn, mistake_words, scenes_of_record, turn_shown
from client.lab.series import LabFailed
from client.present import advice
from client.tui.board.view import BoardView
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.poster import show_whole
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.panel import Panel, Row, Span, cut_off, fit, wrap
from client.tui.widgets.panes import TitleBar
from client.tui.widgets.plot import SeatLines
from client.wording import told_apart

TITLE = f"Chance to win {advice.EXPERT}"
ROLES = ("warn", "gain")  # the move that was played, and the better one
ROOMY = 34  # rows of the pane from which each mistake takes two
BESIDE = 120  # columns from which the position is beside the graph
RESTING = 0.1  # seconds before the position of the selected turn is shown
LARGEST = 5  # number of mistakes to list
LEAST_PLOT = 6
DETAILS = 5  # rows for the selected turn, and two more in high windows
WAIT = "The first turns are being judged ..."
CERTAIN = "No mistake is certain."
CERTAIN_YET = "No mistake is certain so far."


class AnalysisPane(SeatLines):
    """Shows an analysis; ``look`` selects a turn. A click on a mistake or the graph posts its turn."""

    DEFAULT_CSS = "AnalysisPane { height: 1fr; }"

    def __init__(self, analysed: Analysis, face: Face, glyphs: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs, id=id)
        self.analysis = analysed
        self._face = face
        self.scene_at = scenes_of_record(face, analysed.played)
        header = analysed.played.header
        self._names = tuple(told_apart(seat.name, seat.kind) for seat in header.seats)
        self._graph = range(0)
        self.turns: list[Turn] = []  # the judged ones

    @property
    def chosen_turn(self) -> int:
        return self.analysis.chosen

    def show_judgements(self) -> None:
        self.turns = self.analysis.judged_turns()
        self.refill()

    def look_at_turn(self, turn: int) -> None:
        """Select a turn; beyond the ends, the nearest one."""
        self.analysis.chosen = max(0, min(turn, len(self.turns) - 1))
        self.refill()

    @property
    def largest_mistakes(self) -> list[tuple[Turn, ProvenMistake]]:
        return analysis.sort_mistakes(self.turns)[:LARGEST]

    def rows(self, width: int, height: int) -> Sequence[Row]:
        if not self.turns:
            return [[Span(f" {WAIT}", "dim")]] if self.analysis.count_parts else []
        roomy = height >= ROOMY
        below = [*self._turn_rows(width, DETAILS + 2 * roomy), [], *self._mistake_rows(width, roomy=roomy)]
        head = self.plot_heading(f"{TITLE.upper()}, %", self._names)
        chances = analysis.chances_by_turn(self.turns, len(self._names))
        series = [analysis.smooth_values([100 * chance for chance in line]) for line in chances]
        room = max(LEAST_PLOT, height - len(below) - 1)
        if len(series) == 2:
            unsure = analysis.smooth_values([100 * each for each in analysis.error_margins(self.turns)])
            lines = self.share_area(series[0], unsure, width - 1, room, self.chosen_turn + 1)
        else:
            lines, _ = self.plot_lines(series, width - 1, room, self.chosen_turn + 1)
        self._graph = range(1, 1 + len(lines))
        rows = [head, *self.painted(lines), *below]
        return rows[:height] if height else rows

    def _turn_rows(self, width: int, height: int) -> list[Row]:
        turn = self.turns[self.chosen_turn]
        number = turn_shown(self._face, self.analysis.played, turn)
        head = f"Turn {number}, {self._names[turn.seat]}, from step {turn.step}"
        before, after = (advice.chance_percent(each) for each in (turn.before, turn.after))
        chance = f"chance to win {before} before, {after} after"
        points = f"final points {turn.before.points or 0:.0f} before, {turn.after.points or 0:.0f} after"
        luck = f", luck {100 * turn.luck:+.0f}%" if turn.luck else ""
        rows: list[Row] = [
            self.heading_row(head, width, role="title"),
            [Span(fit(f" {chance}{luck}, {points}", width), "text")],
        ]
        for other in turn.mistakes:
            for said, role in zip(mistake_words(other, self.scene_at(other.step), self._face), ROLES, strict=True):
                rows += [[Span(f" {line}", role)] for line in wrap(said, width - 2)]
        if not turn.mistakes:
            rows.append([Span(" No mistake is certain in this turn.", "dim")])
        return [*cut_off(rows, width, height), *([[]] * (height - len(rows)))]

    def _mistake_rows(self, width: int, *, roomy: bool) -> list[Row]:
        largest = self.largest_mistakes
        if not largest:
            certain = CERTAIN_YET if self.analysis.count_done_parts < self.analysis.count_parts else CERTAIN
            return [self.heading_row("Largest mistakes", width), [Span(f" {certain}", "dim")]]
        rows: list[Row] = [self.heading_row("Largest mistakes", width)]
        for number, (turn, other) in enumerate(largest, start=1):
            shown = turn_shown(self._face, self.analysis.played, turn)
            lost = f"turn {shown}, {self._names[turn.seat]}, {advice.loss_words(other.better, other.done)}: "
            scene, words = self.scene_at(other.step), self._face.action_words
            better = f"better {words(scene, other.better.action)}"
            done = f"{lost}played {words(scene, other.done.action)}"
            do = f"turn:{self.turns.index(turn)}"
            key = Span(f" {number} ", "key", do)
            if roomy:
                rows += [
                    [key, Span(fit(done, width - 4), "warn", do)],
                    [Span(f"   {fit(better, width - 4)}", "gain", do)],
                ]
            elif cell_len(said := f"{done}, {better}") > width - 4:
                rows.append([key, Span(fit(lost + better, width - 4), "text", do)])  # the turn has the rest
            else:
                rows.append([key, Span(said, "text", do)])
        return rows

    def on_click(self, event: events.Click) -> None:
        width = self.content_size.width
        if event.y in self._graph and self.turns and width > 12:
            left = 6  # the numbers on the axis
            at = (event.x - left) * len(self.turns) // max(1, width - left - 1)
            self.post_message(self.Chosen(f"turn:{max(0, at)}"))


OF_TURNS = ("turn", "mistake", "next_mistake", "show_step")  # the actions that need a turn
NO_TURN = "No turn was played, so there is nothing to judge."
NO_MISTAKE = "No mistake has been found."
NO_MISTAKE_YET = "No mistake has been found so far."


class _AsciiBar(Bar):
    BAR, HALF_BAR_LEFT, HALF_BAR_RIGHT = "=", "-", "-"


class _AsciiProgressBar(ProgressBar):
    BAR_RENDERABLE = _AsciiBar


class AnalysisScreen(ClosingOnce[int | None]):
    """Shows an analysis while it runs. The result is the step to show, or None to go back."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["analysis.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", show=False, id="analysis.help"),
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
        self.analysis = analysed
        self._glyphs = glyphs
        self._failure = ""
        self._misses_mistakes = False  # whether the message is "no mistake to go to"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the action is possible: without turns only "back" is."""
        return bool(self.analysis.count_parts) or action not in OF_TURNS

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield TitleBar(f"Analysis of {self.analysis.played.game.title}", id="title")
            bar = _AsciiProgressBar if self._glyphs == "ascii" else ProgressBar
            yield bar(max(1, self.analysis.count_parts), show_eta=True, id="progress")
            yield Static("", id="message", markup=False)
            with Horizontal(id="parts"):
                yield AnalysisPane(self.analysis, self._face, self._glyphs, id="analysis")
                yield Container(id="position")
        with HintBar(id="hints"):
            yield KeyHint("analysis.show", "Show the step")
            yield KeyHint("analysis.back", "Turn back")
            yield KeyHint("analysis.on", "Turn on")
            yield KeyHint("analysis.next", "Next mistake")
            yield KeyHint("analysis.leave", "Back")

    def on_mount(self) -> None:
        self._set_status("")
        self._show_progress()
        if not self.analysis.count_parts:
            self._set_status(NO_TURN)
        elif self.analysis.count_done_parts < self.analysis.count_parts:
            self.run_worker(while_shown(self._judge_game), name="analysis")

    async def _judge_game(self) -> None:
        try:
            await self.analysis.go_on(self._show_progress)
        except LabFailed as error:
            self._failure = f"{error} You can look at the turns judged so far."
            self._set_status(self._failure)

    def _show_progress(self) -> None:
        bar = self.query_one(ProgressBar)
        bar.update(progress=self.analysis.count_done_parts)
        bar.visible = self.analysis.count_done_parts < self.analysis.count_parts  # keeps its row
        first = not self._pane.turns
        self._pane.show_judgements()
        if first:
            self._look_at_turn(self._pane.chosen_turn)
        if self._misses_mistakes:
            self._say_no_turns()

    def _say_no_turns(self) -> None:
        judging = self.analysis.count_done_parts < self.analysis.count_parts
        self._misses_mistakes = not any(turn.mistakes for turn in self._pane.turns)
        none = (NO_MISTAKE_YET if judging else NO_MISTAKE) if self._misses_mistakes else ""
        # Keep the reason for stopping on the screen.
        self._set_status(f"{self._failure} {none}".strip())

    def _set_status(self, text: str) -> None:
        message = self.query_one("#message", Static)
        message.update(text)
        message.display = bool(text)

    @property
    def _pane(self) -> AnalysisPane:
        return self.query_one(AnalysisPane)

    def _look_at_turn(self, turn: int) -> None:
        self._pane.look_at_turn(turn)
        self._place_panes()

    def on_resize(self) -> None:
        self._place_panes()

    def _place_panes(self) -> None:
        beside = self.app.size.width >= BESIDE and bool(self._face.poster) and bool(self._pane.turns)
        self.query_one("#position").display = beside
        if beside:
            self.run_worker(while_shown(self._show_position), group="position", exclusive=True)

    async def _show_position(self) -> None:
        await asyncio.sleep(RESTING)
        now = self._pane.scene_at(self._chosen_step)
        boards = import_module(self._face.poster).poster(now, glyphs=self._glyphs, light=True).boards
        position = self.query_one("#position")
        await position.remove_children()
        await position.mount(*boards)
        self.call_after_refresh(lambda: show_whole(position.query(BoardView)))

    @property
    def _chosen_step(self) -> int:
        turn = self._pane.turns[self._pane.chosen_turn]
        worst = max(turn.mistakes, key=lambda each: each.chance_lost, default=None)
        return turn.step if worst is None else worst.step

    def action_help(self) -> None:
        from client.tui.help import open_help

        open_help(self, self._face, self._glyphs)

    def action_turn(self, by: int) -> None:
        self._look_at_turn(self._pane.chosen_turn + by)

    def action_mistake(self, number: int) -> None:
        largest = self._pane.largest_mistakes
        if number < len(largest):
            self._look_at_turn(self._pane.turns.index(largest[number][0]))

    def action_next_mistake(self) -> None:
        """Go to the next turn with a mistake, wrapping around; say so if there is none."""
        pane = self._pane
        at = [index for index, turn in enumerate(pane.turns) if turn.mistakes]
        if at:
            self._look_at_turn(next((turn for turn in at if turn > pane.chosen_turn), at[0]))
        elif self.analysis.count_parts:
            self._say_no_turns()

    def action_show_step(self) -> None:
        """Open the replay at the mistake of this turn, else at its start."""
        if self._pane.turns:
            self.dismiss(self._chosen_step)

    @on(Panel.Chosen)
    def _chosen(self, event: Panel.Chosen) -> None:
        self._look_at_turn(int(event.do.removeprefix("turn:")))
