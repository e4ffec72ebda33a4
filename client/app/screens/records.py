"""Choose a record: one of the kept ones, filtered as you type, or any file by its path."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cave.files import error_reason
from cave.game import BadData
from client import games, replay
from client.game_history import PointsHistory, points_in
from client.launch.opening import Mistakes
from client.present import score
from client.present.cells import cell_width, fit_text
from client.present.records import DAILY, ORDERS, RecordLine, newest_first, sort_records
from client.present.score import Sheet
from client.replay import Summary
from client.tui.closing_screen import ClosingOnce, while_shown
from client.tui.keymap import live_key
from client.tui.poster import Cards
from client.tui.widgets import form_fields
from client.tui.widgets.clickable_text import HintBar, KeyHint, TapHint
from client.tui.widgets.form_fields import Choices, Field
from client.tui.widgets.panes import TitleBar
from client.tui.widgets.plot import WAIT, Plot
from client.wording import count

DAILY_SIGN = "*"
DAY = len("2026-01-03")
MOMENT = len("2026-01-03 18:22")
WINNER = 12
STEPS = 5
RULES = 7
GAME = 20  # most columns of a game's title
WIDE = 77  # columns from which everything fits, with the titles of games
MEDIUM = 72  # columns below which time of day, game and rules are only in the line below the list
NARROW = 50  # columns below which a record has only its day, players and winner


class Rows(Choices, can_focus=False):
    """The rows; keys go to the search field."""

    class Resized(Message):
        """The width for the columns has changed."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


Look = tuple[PointsHistory, Sheet]


def _look_into_record(path: Path) -> Look | None:
    """Return the points over a game and its score sheet; None for a record that cannot be replayed."""
    try:
        played = replay.read_record(path)
    except BadData:
        return None
    face = games.get_face(played.game.name)
    points = points_in(face, played)
    view = played.game.view(played.final_state, None, points.names)
    return points, score.score_sheet(face.sheet_of(view), points.result, points.names)


def _record_row(line: RecordLine, room: int, game: int) -> Content:
    text = _in_columns(
        line.when,
        line.game,
        line.who,
        line.ending,
        line.steps,
        line.preset,
        room=room,
        title=game,
        mark=DAILY_SIGN if line.daily else " ",
    )
    return Content.styled(text, "$text-muted") if line.problem else Content(text)


def _in_columns(
    when: str, game: str, who: str, winner: str, steps: str, rules: str, *, room: int, title: int, mark: str = " "
) -> str:
    """Return a row in this ``room``; ``title`` is the columns for the titles of games, and the ``mark``
    follows the time.
    """
    wide = room >= WIDE + title
    front = f"  {fit_text(when, MOMENT if wide else DAY)}{mark} "
    if room >= MEDIUM and title:
        front += f"{_cut_text(game, title)}  "
    back = "  " + _cut_text(winner, WINNER)
    if room >= NARROW:
        back += f"  {steps:>{STEPS}}"
    if wide:
        back += "  " + fit_text(rules, RULES)
    return front + _cut_text(who, max(0, room - cell_width(front) - cell_width(back) - 1)) + back


def _cut_text(text: str, cells: int) -> str:
    return fit_text(text, cells) if cell_width(text) <= cells else fit_text(text, max(0, cells - 2)) + ".."


PREVIEWS = 20  # rows of a window from which the plot of a game fits
RESTING = 0.2  # seconds before the selected record is read
READING = "Reading {read} of {of} games ..."
NONE = "No games have been saved yet. You can type the path of a record."
NO_FILE = "There is no file {path}."
ONLY_UNFINISHED = "Only games that were not finished can be deleted here."
DELETE = "Delete the unfinished game of {who}? Its file {file} is gone for good then."
NOT_DELETED = "{file} could not be deleted: {why}. Check the permissions of its folder."
NO_MATCH = "No saved game has these words."
NO_MATCH_LEVEL = "No saved game against a bot ({level}) has these words. {key} shows other levels."


class RecordsScreen(ClosingOnce[Path | Mistakes | None]):
    """Choose a record; None to go back.

    ``find`` returns the files, ``read`` the summary of one: both run in a thread.
    ``message`` is the error of the last choice.
    """

    CSS_PATH = "records.tcss"
    AUTO_FOCUS = "#search"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="records.back"),
        # With priority: the text field would use them to scroll.
        Binding("up", "move(-1)", "Up", show=False, id="records.up", priority=True),
        Binding("down", "move(1)", "Down", show=False, id="records.down", priority=True),
        Binding("pageup", "move(-10)", "Page up", show=False, id="records.page_up", priority=True),
        Binding("pagedown", "move(10)", "Page down", show=False, id="records.page_down", priority=True),
        Binding("ctrl+r", "mistakes", "Mistakes", show=False, id="records.mistakes", priority=True),
        Binding("ctrl+l", "level", "Level", show=False, id="records.level", priority=True),
        Binding("ctrl+s", "sort", "Sort", show=False, id="records.sort", priority=True),
        Binding("ctrl+d", "delete", "Delete", show=False, id="records.delete", priority=True),
    ]

    def __init__(
        self,
        find: Callable[[], Sequence[Path]],
        read: Callable[[Path], Summary] = replay.summary_of,
        *,
        message: str = "",
        glyphs: str = "unicode",
    ) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._looked_at: dict[Path, Look | None] = {}
        self._find = find
        self._read = read
        self._message = message
        self._lines: list[RecordLine] = []
        self._found: list[RecordLine] = []  # those that match the typed words
        self._read_files = self._files = 0
        self._order, self._level = next(iter(ORDERS)), ""

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield TitleBar("Replay a game", id="title")
            asked = "a name, a game, a day, or the path of a record"
            yield form_fields.line("Search", Field(placeholder=asked, id="search"))
            with Vertical(id="list"):
                yield Static("", id="columns", markup=False)
                yield Rows(id="records", classes="-always")
                yield Static("", id="whole", markup=False)
            with Horizontal(id="preview"):
                yield Plot(self._glyphs, id="plot")
                yield Cards(self._glyphs, id="cards")
            yield Static("", id="count", markup=False)
            yield Static(self._message, id="message", markup=False)
        with HintBar(id="hints"):
            yield TapHint("enter", "Replay")
            yield KeyHint("records.level", "Level")
            yield KeyHint("records.sort", "Sort")
            yield KeyHint("records.mistakes", "Mistakes")
            yield KeyHint("records.delete", "Delete")
            yield KeyHint("records.back", "Menu")

    def on_mount(self) -> None:
        self.query_one(Plot).show(None, "")
        self.run_worker(while_shown(self._read_all), exclusive=True)

    async def _read_all(self) -> None:
        paths = await asyncio.to_thread(self._find)
        self._files = len(paths)
        for batch in replay.batches_of_paths(paths):
            found = await asyncio.to_thread(self._lines_of, batch)
            self._lines = newest_first([*self._lines, *found])
            self._read_files += len(batch)
            self._show_records()
        self._show_records()

    def _lines_of(self, paths: Sequence[Path]) -> list[RecordLine]:
        from client.lab.daily import record_line_of

        return [record_line_of(self._read(path)) for path in paths]

    def _show_records(self) -> None:
        typed = self.query_one("#search", Input).value
        # The cursor stays on its record.
        chosen = self._chosen_record.path if self._chosen_record is not None else None
        found = sort_records((each for each in self._lines if each.matches_words(typed)), self._order, self._level)
        self._found = found
        self._fill_list()
        if found:
            paths = [each.path for each in found]
            self._rows.highlighted = paths.index(chosen) if chosen in paths else 0
        else:
            self._point_at(None)
        if self._read_files < self._files:
            told = READING.format(read=self._read_files, of=self._files)
        elif not self._files:
            told = NONE
        else:
            games = count(len(self._lines), "game")
            few = bool(typed.strip() or self._level)
            told = f"{len(found)} of {games}" if few else games
            told += f", {ORDERS[self._order][0]}"
            told += f", against a bot ({self._level})" if self._level else ""
            told += f"   {DAILY_SIGN} {DAILY}" if any(each.daily for each in found) else ""
        self.query_one("#count", Static).update(told)

    @property
    def _rows(self) -> Rows:
        return self.query_one(Rows)

    @property
    def _chosen_record(self) -> RecordLine | None:
        at = self._rows.highlighted
        return None if at is None else self._found[at]

    def _fill_list(self) -> None:
        room = self._rows.scrollable_content_region.width or self.size.width
        game = min(GAME, max((cell_width(line.game) for line in self._found), default=0))
        heads = _in_columns("When", "Game", "Players", "Winner", "Steps", "Rules", room=room, title=game)
        self.query_one("#columns", Static).update(heads)
        self._rows.clear_options()
        self._rows.add_options([Option(_record_row(line, room, game)) for line in self._found])

    def action_move(self, by: int) -> None:
        if self._found:
            at = (self._rows.highlighted or 0) + by
            self._rows.highlighted = max(0, min(at, len(self._found) - 1))

    def action_level(self) -> None:
        """Show only games against bots of the next level; after the last level, all games."""
        levels = ["", *dict.fromkeys(level for line in self._lines for level in line.levels)]
        here = levels.index(self._level) if self._level in levels else 0
        self._level = levels[(here + 1) % len(levels)]
        self._show_records()

    def action_sort(self) -> None:
        orders = [*ORDERS]
        self._order = orders[(orders.index(self._order) + 1) % len(orders)]
        self._show_records()

    def action_mistakes(self) -> None:
        """Leave to play the mistakes of the last games as puzzles."""
        self.dismiss(Mistakes())

    def action_delete(self) -> None:
        """Ask whether to delete the selected game, if it is unfinished."""
        chosen = self._chosen_record
        if chosen is None or chosen.over:
            self.show_message(ONLY_UNFINISHED)
            return
        from client.tui.chooser import ChooserScreen, Entry

        answers = [Entry("Delete it", True, key="Y"), Entry("Keep it", False, key="n")]
        question = DELETE.format(who=chosen.who, file=chosen.path.name)
        self.app.push_screen(ChooserScreen(question, answers, chosen=1), partial(self._delete_record, chosen))

    def _delete_record(self, chosen: RecordLine, sure: bool | None) -> None:
        if not sure:
            return
        try:
            chosen.path.unlink(missing_ok=True)
        except OSError as error:
            self.show_message(NOT_DELETED.format(file=chosen.path.name, why=error_reason(error, str(error))))
            return
        self._lines.remove(chosen)
        self._show_records()

    def _open_record(self, chosen: RecordLine) -> None:
        if chosen.problem:
            self.show_message(chosen.problem)
        else:
            self.dismiss(chosen.path)

    def _open_file(self, path: Path) -> None:
        if path.is_file():
            self.dismiss(path)
        else:
            self.show_message(NO_FILE.format(path=path))

    @on(Input.Changed)
    def _typed(self) -> None:
        self.show_message("")
        self._show_records()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        chosen, typed = self._chosen_record, event.value.strip()
        if chosen is not None and os.sep not in typed:
            self._open_record(chosen)
        elif os.sep in typed or typed.endswith(".jsonl"):
            self._open_file(Path(typed).expanduser())
        elif typed:
            words = NO_MATCH_LEVEL if self._level else NO_MATCH
            self.show_message(words.format(level=self._level, key=live_key(self, "records.level")))

    @on(Rows.Resized)
    def _resized(self) -> None:
        at = self._rows.highlighted
        self._fill_list()
        self._rows.highlighted = at

    @on(OptionList.OptionHighlighted)
    def _pointed_at(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index < len(self._found):
            self._point_at(self._found[event.option_index])

    def _point_at(self, line: RecordLine | None) -> None:
        parts = (line.who, line.game, *line.rule_marks, line.when) if line else ()
        self.query_one("#whole", Static).update("  ".join(filter(None, parts)))
        self.query_one("#hint-records-delete").display = line is not None and not line.over
        if self.app.size.height >= PREVIEWS:
            look = partial(self._preview_record, line.path if line else None)
            self.run_worker(while_shown(look), group="preview", exclusive=True)

    async def _preview_record(self, path: Path | None) -> None:
        plot, cards = self.query_one(Plot), self.query_one(Cards)
        if path is None:
            plot.show(None, "")
            cards.sheet = None
            cards.refill()
            return
        if path not in self._looked_at:
            plot.show(None, WAIT)
            cards.sheet = None
            cards.refill()
            await asyncio.sleep(RESTING)
            self._looked_at[path] = await asyncio.to_thread(_look_into_record, path)
        points, cards.sheet = self._looked_at[path] or (None, None)
        plot.show(points)
        plot.finish()
        cards.refill()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._open_record(self._found[event.option_index])
