"""The final score sheet, line by line (rules 7.3 to 7.6), and the points over the game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from cave.score import Score
from client.face import Face
from client.game_history import PointsHistory
from client.present import score
from client.present.log import chat_for, last_move_of_others, new_chat_lines
from client.present.score import Sheet
from client.replay import ANALYSE
from client.table import TableState
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.keymap import live_key
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.plot import Plot
from client.tui.widgets.score_sheet import ScoreSheet

LEAST_PLOT = 9  # rows of the plot below which it replaces the sheet, on request
SMALL_PLOT = 10
"""Rows of a dotted plot, above which there is a blank row over it, and then one below it."""
NARROW = 44  # least columns of the plot, also if the sheet above it is one narrow card
TO_POINTS, TO_SHEET = "Points over the game", "Score sheet"


def from_home(path: str) -> str:
    """Return a path as users write it, with ~ for the home folder."""
    home = f"{Path.home()}/"
    return f"~/{path.removeprefix(home)}" if path.startswith(home) else path


Work = Callable[[], Awaitable[PointsHistory | None]]  # computes the points over the game


class ScoreScreen(ClosingOnce[str | None]):
    """The winner and the reason. Result: ``menu``, ``quit``, ``rematch``, ``analyse``, None for the board.

    The plot of the points is below the sheet if it fits, else it replaces the sheet on request.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = ["score.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "leave('menu')", "Menu", id="score.menu"),
        Binding("q", "leave('quit')", "Quit", id="score.quit"),
        Binding("r", "leave('rematch')", "Rematch", id="score.rematch"),
        Binding("a", f"leave('{ANALYSE}')", "Analyse this game", id="score.analyse"),
        Binding("p", "points", "Points over the game", id="score.points"),
        Binding("S", "poster", "Poster", id="score.poster"),
        Binding("escape,enter,space", "look", "Look at the board", id="score.look"),
        Binding("question_mark,f1", "help", "Help", show=False, id="score.help"),
        Binding("up,k", "scroll(-1)", "Up", show=False, id="score.up"),
        Binding("down,j", "scroll(1)", "Down", show=False, id="score.down"),
    ]

    def __init__(
        self,
        face: Face,
        state: TableState,
        *,
        record_path: str = "",
        to_paste: str = "",
        glyphs: str = "unicode",
        points: Work | None = None,
        analyse: bool = False,
        poster: Callable[[PointsHistory | None], Screen[None]] | None = None,
    ) -> None:
        super().__init__()
        self._state = self._heard = state
        names = state.view.names
        results = state.view.standing
        self._face, self._words = face, face.sheet_of(state.view)
        self._sheet = self._sheet_of(results)
        self._remark = score.POINTS_SO_FAR if state.resignation else face.remark(results, names)
        self._summary = face.summary(state.view)
        self._record_path = record_path
        self._to_paste = to_paste
        self._glyphs = glyphs
        self._points = points
        self._analyse = analyse
        self._poster = poster
        self._found: PointsHistory | None = None

    def _sheet_of(self, results: Sequence[Score]) -> Sheet:
        names = self._state.view.names
        return score.score_sheet(self._words, results, names, resigned=self._state.resignation)

    def compose(self) -> ComposeResult:
        line = "-" if self._glyphs == "ascii" else "─"
        sentences = [
            (score.series_words(self._state), "strong"),
            (self._remark, "warn"),
            (score.bot_seats_words(self._state), "text"),
            (self._words.legend, "dim"),
            (last_move_of_others(self._face.log_line, self._state), "text"),
            (self._to_paste and f"To paste: {self._to_paste}", "strong"),
            (f"Record: {from_home(self._record_path)}" if self._record_path else "", "dim"),
        ]
        with VerticalScroll(id="sheet", can_focus=False):
            yield ScoreSheet(
                self._sheet,
                [each for each in sentences if each[0]],
                summary=self._summary if self._summary or self._points is not None else None,
                line=line,
                id="cards",
            )
        if self._points is not None:
            with Horizontal(id="points"):
                yield Plot(self._glyphs, id="plot")
        with Vertical(id="foot"):
            yield Static("", id="heard", markup=False)
            with HintBar(id="hints"):
                yield KeyHint("score.look", self._words.look)
                if self._points is not None:
                    yield KeyHint("score.points", TO_POINTS)
                if self._poster is not None:
                    yield KeyHint("score.poster", "Poster")
                if self._analyse:
                    yield KeyHint("score.analyse", "Analyse")
                yield KeyHint("score.rematch", "Next game" if self._state.series_goes_on else "Rematch")
                yield KeyHint("score.menu", "Menu")
                yield KeyHint("score.quit", "Quit")
                yield KeyHint("score.up score.down", "More", "scroll(0)")

    def on_mount(self) -> None:
        # The sheet's length is known after each layout.
        self.watch(self.query_one("#sheet"), "show_vertical_scrollbar", self._hint_scrolling, init=False)
        self.follow_table(self._heard)
        if self._points is not None:
            self.run_worker(while_shown(partial(self._work_out, self._points)), name="points")

    def follow_table(self, state: TableState) -> None:
        """Show an open rematch (watchers can follow), else the chat since the end."""
        self._heard = state
        line = next(iter(self.query("#heard").results(Static)), None)
        if line is None:  # before the widgets exist, and while it closes
            return
        said = new_chat_lines(chat_for(self._state), chat_for(state))
        self.refresh_bindings()
        text = f"{said[-1].name}: {said[-1].text}" if said else ""
        if state.rematch_is_open and state.may_rematch:
            text = score.invited_words(state, f"{live_key(self, 'score.rematch')} takes you there")
        line.update(text)
        line.display = bool(text)
        self._arrange()

    async def _work_out(self, work: Work) -> None:
        found = await work()
        self._found = found
        if found is not None:
            # After a resignation the record reveals all secrets.
            sheet = self._sheet_of(found.result) if self._state.resignation else self._sheet
            self.query_one(ScoreSheet).sum_up(sheet, score.game_summary(found.count_rounds, self._summary))
        for pane in self.query(Plot):
            pane.show(found)

    def on_key(self) -> None:
        """Finish the plot's animation: nobody waits for it."""
        for pane in self.query(Plot):
            pane.finish()

    def on_resize(self) -> None:
        """Place the plot below the sheet if it fits."""
        if self.display:  # not while it closes: its widgets are removed first
            self._arrange()

    def _arrange(self) -> None:
        width, height = self.app.size
        # It is not known yet whether the sheet is longer than the screen.
        self.query_one("#hint-score-down").display = False
        cards = self.query_one(ScoreSheet)
        sheet = len(cards.rows(width, 0))
        parts = [part for part in self.query_one("#foot").children if part.display]
        foot = sum(part.get_content_height(self.app.size, self.app.size, width) for part in parts)
        room = height - sheet - foot
        both = self._points is not None and room >= LEAST_PLOT
        airy = {"-air-above": both and room > SMALL_PLOT, "-air-below": both and room > SMALL_PLOT + 1}
        self.update_classes({"-both": both, **airy})
        for plot in self.query(Plot):
            # Below the sheet it is aligned with the names of the lines, plus its own first column.
            beside = min(cards.names_column(width) - 1, (width - NARROW) // 2)
            plot.styles.margin = (0, max(1, beside) if both else 1)
        self._hint_scrolling()

    def _hint_scrolling(self) -> None:
        if self.display:
            in_sight = self.has_class("-both") or not self.has_class("-points")
            longer = self.query_one("#sheet").show_vertical_scrollbar
            self.query_one("#hint-score-down").display = in_sight and longer

    def action_scroll(self, by: int) -> None:
        """Scroll the sheet by this many rows; by a screen for 0."""
        sheet = self.query_one("#sheet")
        sheet.scroll_relative(y=by or sheet.size.height, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether players can have a rematch, or a game with a record and a bot an analysis."""
        if parameters == (ANALYSE,):
            return self._analyse
        return self._heard.may_rematch or parameters != ("rematch",)

    def action_leave(self, where: str) -> None:
        self.dismiss(where)

    def action_points(self) -> None:
        if self._points is not None:
            self.toggle_class("-points")
            shown = self.has_class("-points")
            self.query_one("#hint-score-points", KeyHint).set_hint_words(TO_SHEET if shown else TO_POINTS)
            self._hint_scrolling()

    def action_poster(self) -> None:
        if self._poster is not None:
            self.app.push_screen(self._poster(self._found))

    def action_help(self) -> None:
        from client.tui.help import open_help

        open_help(self, self._face, self._glyphs)

    def action_look(self) -> None:
        self.dismiss(None)
