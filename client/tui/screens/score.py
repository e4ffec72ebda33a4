"""The final score sheet, line by line (rules 7.3 to 7.6), and the points over the game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import PurePath
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from client.present import score
from client.present.chat import news
from client.present.points import Points
from client.present.score import Sheet
from client.rematch import inviter
from client.table_state import TableState
from client.tui.keymap import live
from client.tui.widgets.plot import Plot
from client.tui.widgets.tap import KeyHint, Tap

NAME = 14
CELL = 12
TO_POINTS, TO_SHEET = "Points over the game", "Score sheet"

Work = Callable[[], Awaitable[Points | None]]
"""Gives the points over the game, when they have been worked out."""


class ScoreScreen(Screen[str | None]):
    """Who won and why. The result is ``menu``, ``quit``, ``rematch``, or None to look at the cave again.

    On a high screen the plot of the points stands below the sheet, else in its place when asked for.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = ["score.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "leave('menu')", "Menu", id="score.menu"),
        Binding("q", "leave('quit')", "Quit", id="score.quit"),
        Binding("r", "leave('rematch')", "Rematch", id="score.rematch"),
        Binding("p", "points", "Points over the game", id="score.points"),
        Binding("escape,enter", "look", "Look at the cave", id="score.look"),
    ]

    def __init__(
        self,
        state: TableState,
        *,
        record_path: str = "",
        glyphs: str = "unicode",
        points: Work | None = None,
        rematch: bool = False,
    ) -> None:
        super().__init__()
        self._state = state
        names = [team.name for team in state.view.cave.teams]
        self._results = state.view.standing
        self._names = names
        self._sheet = score.sheet(self._results, names)
        self._record_path = record_path
        self._glyphs = glyphs
        self._points = points
        self._rematch = rematch

    def compose(self) -> ComposeResult:
        """Winner, sheet, what the numbers mean, where the record is; the plot."""
        with Vertical(id="sheet"):
            yield Static(self._sheet.headline, id="headline", markup=False)
            yield Static(self._table(), id="table", markup=False)
            stranded = score.stranded_line(self._results, self._names)
            if stranded:
                yield Static(stranded, id="stranded", markup=False)
            yield Static(
                "+8 for most tokens of a kind; +4 for second most, or for a shared most.",
                id="legend",
                markup=False,
            )
            if self._record_path:
                yield Static(f"Record: {self._record_path}", id="record", markup=False)
        if self._points is not None:
            yield Plot("ascii" if self._glyphs == "ascii" else "unicode", id="plot")
        yield Static("", id="heard", markup=False)
        with Horizontal(id="hints"):
            yield KeyHint("score.look", "Look at the cave", "look")
            if self._points is not None:
                yield KeyHint("score.points", TO_POINTS, "points")
            if self._rematch:
                yield KeyHint("score.rematch", "Rematch", "rematch")
            yield KeyHint("score.menu", "Menu", "menu")
            yield KeyHint("score.quit", "Quit", "quit")

    def on_mount(self) -> None:
        """Have the points worked out meanwhile."""
        self.hear(self._state)
        if self._points is not None:
            self.run_worker(self._work_out(self._points), name="points")

    def hear(self, state: TableState) -> None:
        """Tell of a rematch that one of the others has opened, else what was said since the end."""
        said = news(self._state.chat, state.chat)
        who = inviter(state) if self._rematch else ""
        text = f"{said[-1].name}: {said[-1].text}" if said else ""
        if who:
            text = score.INVITED.format(name=who, how=f"{live(self, 'score.rematch')} takes you there")
        self.query_one("#heard", Static).update(text)

    async def _work_out(self, work: Work) -> None:
        found = await work()
        for pane in self.query(Plot):
            pane.show(found)

    def _table(self) -> Content:
        return table(self._sheet, self._glyphs)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A rematch is for those who played."""
        return self._rematch or parameters != ("rematch",)

    def action_leave(self, where: str) -> None:
        """Be done with this game."""
        self.dismiss(where)

    def action_points(self) -> None:
        """Show the plot in place of the sheet, and the sheet again."""
        if self._points is not None:
            self.toggle_class("-points")
            shown = self.has_class("-points")
            self.query_one("#hint-points", KeyHint).say(TO_SHEET if shown else TO_POINTS)

    def action_look(self) -> None:
        """Look at the cave as it stands."""
        self.dismiss(None)

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "look":
                self.action_look()
            case "points":
                self.action_points()
            case where:
                self.action_leave(where)


def table(sheet: Sheet, glyphs: str = "unicode") -> Content:
    """The sheet as a table: a column for each team."""
    rule = ("─" if glyphs == "unicode" else "-") * (NAME + CELL * len(sheet.names))
    parts: list[tuple[str, str]] = [(" " * NAME, "")]
    for seat, name in enumerate(sheet.names):
        style = "bold $text-accent" if seat in sheet.winners else "bold"
        parts.append((f"{score.LETTERS[seat] + ' ' + name:.{CELL - 2}}".rjust(CELL - 1) + " ", style))
    parts.append((f"\n{rule}\n", "$text-muted"))
    for row in sheet.rows:
        parts.append((f"{row.name:<{NAME}}", ""))
        for cell in row.cells:
            parts.append((f"{cell.points or '-':>{CELL - 4}}", "" if cell.points else "$text-muted"))
            parts.append((f" +{cell.bonus} " if cell.bonus else "    ", "$text-success bold"))
        parts.append(("\n", ""))
    parts.append((f"{rule}\n", "$text-muted"))
    parts.append((f"{'Total':<{NAME}}", "bold"))
    for seat, total in enumerate(sheet.totals):
        style = "bold $text-accent" if seat in sheet.winners else "bold"
        parts.append((f"{total:>{CELL - 4}}    ", style))
    parts.append((f"\n{'':<{NAME}}", ""))
    parts += [(f"{note:>{CELL - 1}} ", "$text-muted") for note in sheet.notes]
    return Content.assemble(*parts)
