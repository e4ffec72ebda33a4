"""Records as a table to choose from: as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.present.cells import fit, width
from client.present.records import RecordLine
from client.tui.widgets.form import Choices

DAY = len("2026-01-03")
MOMENT = len("2026-01-03 18:22")
WINNER = 12
STEPS = 5
RULES = 7
GAME = 20
"""The most cells of a game's title."""
WIDE = 77
"""Columns from which, beside the titles of games, there is room for everything."""
MEDIUM = 72
"""Columns below which the time of day, the game and the rules are only in the line below the list."""
NARROW = 50
"""Columns below which a record has its day, its players and its winner only."""


class Rows(Choices, can_focus=False):
    """The rows; the keys stay with the line in which one searches."""


class RecordList(Vertical):
    """The lines in sight, and all players of the chosen one below."""

    class Chosen(Message):
        """A record was clicked."""

        def __init__(self, line: RecordLine) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: tuple[RecordLine, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the heads of the columns over the rows."""
        yield Static("", id="columns", markup=False)
        yield Rows(id="records", classes="-always")
        yield Static("", id="whole", markup=False)

    @property
    def chosen(self) -> RecordLine | None:
        """The record the cursor is on."""
        at = self._rows.highlighted
        return None if at is None else self._lines[at]

    @property
    def _rows(self) -> Rows:
        return self.query_one(Rows)

    def show(self, lines: Sequence[RecordLine]) -> None:
        """Show these records; the cursor stays with the one it was on."""
        chosen: Path | None = self.chosen.path if self.chosen is not None else None
        self._lines = tuple(lines)
        self._fill()
        self.query_one("#whole", Static).update("")
        if lines:
            paths = [line.path for line in lines]
            self._rows.highlighted = paths.index(chosen) if chosen in paths else 0

    def move(self, by: int) -> None:
        """Go up or down by this many records, as far as there are."""
        if self._lines:
            at = (self._rows.highlighted or 0) + by
            self._rows.highlighted = max(0, min(at, len(self._lines) - 1))

    def on_resize(self, _event: events.Resize) -> None:
        """Fill the room there is now."""
        at = self._rows.highlighted
        self._fill()
        self._rows.highlighted = at

    def _fill(self) -> None:
        room = self._rows.scrollable_content_region.width or self.size.width
        game = min(GAME, max((width(line.game) for line in self._lines), default=0))
        heads = _columns("When", "Game", "Players", "Winner", "Steps", "Rules", room=room, title=game)
        self.query_one("#columns", Static).update(heads)
        self._rows.clear_options()
        self._rows.add_options([Option(_row(line, room, game)) for line in self._lines])

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self._lines):
            self.query_one("#whole", Static).update(_whole(self._lines[event.option_index]))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self._lines[event.option_index]))


def _whole(line: RecordLine) -> str:
    """Return what the row of this record may leave out or cut."""
    return "  ".join(part for part in (line.who, line.game, line.preset, line.when) if part)


def _row(line: RecordLine, room: int, game: int) -> Content:
    text = _columns(
        line.when, line.game, line.who, line.ending, line.steps, line.preset, room=room, title=game
    )
    return Content.styled(text, "$text-muted") if line.problem else Content(text)


def _columns(
    when: str, game: str, who: str, winner: str, steps: str, rules: str, *, room: int, title: int
) -> str:
    """Return a row in this ``room``; ``title`` is how many cells of it the titles of games have."""
    wide = room >= WIDE + title
    front = f"  {fit(when, MOMENT if wide else DAY)}  "
    if room >= MEDIUM and title:
        front += f"{_cut(game, title)}  "
    back = "  " + _cut(winner, WINNER)
    if room >= NARROW:
        back += f"  {steps:>{STEPS}}"
    if wide:
        back += "  " + fit(rules, RULES)
    return front + _cut(who, max(0, room - width(front) - width(back) - 1)) + back


def _cut(text: str, cells: int) -> str:
    """Return the text in this many cells, with a mark where it was cut."""
    return fit(text, cells) if width(text) <= cells else fit(text, max(0, cells - 2)) + ".."
