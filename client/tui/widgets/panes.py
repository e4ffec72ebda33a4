"""The panes of a screen: its first row, those that show a scene, and the layout, computed here instead of in
style sheets, so that it is known before the first frame at a size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.cells import cell_len
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget
from textual.widgets import Tooltip

from client.face import LETTERS, LogEntry
from client.present.cells import Box
from client.present.hosts import header_words_without_turn
from client.present.log import chat_text
from client.present.scene import Scene
from client.table import ChatLine
from client.tui.text_roles import Hue
from client.tui.widgets.bottom_rows import GoalLine, MessageLine
from client.tui.widgets.panel import AlikeLines, Panel, Row, Span, length, seat_role, shorten_name, shorten_text, wrap

KEPT_ROWS = 5  # of the kept pane, above a message
GOAL_FROM = 22  # rows of the smallest window that shows the goal


class ByName(Layout):
    """Each child is in the box of its id; a child without a box is hidden."""

    name = "by-name"

    def __init__(self, boxes: Callable[[Size], Mapping[str, Box]]) -> None:
        self.boxes = boxes

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> list[WidgetPlacement]:
        """Put each child into its box. A tooltip has none: it covers them, alone in its layer."""
        if any(isinstance(child, Tooltip) for child in children):
            return VerticalLayout().arrange(parent, children, size, greedy)
        boxes = self.boxes(size)
        found = ((child, boxes.get(child.id or "")) for child in children)
        return [
            WidgetPlacement(Region(*box), NULL_OFFSET, NULL_SPACING, child) for child, box in found if box is not None
        ]

    @staticmethod
    def lay_out(parent: Widget) -> None:
        """Put the children of a pane into other boxes: Textual caches those of a size."""
        parent.children[-1].refresh(layout=True)


class TablePanes(ByName):
    """A table's panes by window size (``arranged``); the message may cover those in ``covered``. The pane ``kept``
    then moves up, over the one above, and keeps ``KEPT_ROWS``.
    """

    def __init__(
        self, table: Widget, arranged: Callable[[int, int], Mapping[str, Box]], covered: frozenset[str], kept: str = ""
    ) -> None:
        super().__init__(self._with_message)
        self._table = table
        self._arranged = arranged
        self._covered, self._kept = covered, kept
        self._laid_out: Mapping[str, Box] = {}

    def _with_message(self, size: Size) -> Mapping[str, Box]:
        width, height = size
        lines = len(self._table.query_one(GoalLine).lines)
        goal = lines if lines > 1 or height >= GOAL_FROM else 0  # a lesson needs its lines in any window
        boxes = self._arranged(width, height - goal)
        if goal:
            lower = {name: box._replace(y=box.y + goal) for name, box in boxes.items()}
            boxes = {**lower, "header": boxes["header"], "goal": Box(0, 1, width, goal)}
        end = boxes.get("place", boxes["hints"]).y
        rows = self._message_line.count_message_rows(width)
        found = {**boxes, "message": Box(0, end - rows, width, rows), "jump": Box(0, end - 1, width, 1)}
        if rows and self._kept in found:
            kept = found[self._kept]
            found[self._kept] = kept._replace(y=min(kept.y, end - rows - min(kept.height, KEPT_ROWS)))
        return found

    @property
    def _message_line(self) -> MessageLine:
        return self._table.query_one("#message", MessageLine)

    def shows(self, pane: str, rows: int = 1) -> bool:
        """Return whether a pane is shown with at least this many rows."""
        box = self.boxes(self._table.app.size).get(pane)
        return box is not None and box.height >= rows

    def make_room(self) -> None:
        """Lay the panes out if they need other rows, and keep their lines clear of the message."""
        size = self._table.app.size
        boxes = self.boxes(size)
        if boxes != self._laid_out:
            self._laid_out = boxes
            self.lay_out(self._table)
        top = boxes["message"].y if self._message_line.display else size.height
        for pane in self._table.query(Panel):
            box = boxes.get(pane.id or "")
            if box is not None and pane.id in self._covered:
                pane.cover_last_rows(max(0, min(box.height, box.y + box.height - top)))


class Rule(Panel, AlikeLines):
    """A vertical line between two panes: faint where their grounds differ, too."""

    ROLES: ClassVar[Mapping[str, Hue]] = {"edge": Hue("cap")}

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span("|" if self._line == "-" else "▏", "edge")] for _ in range(height)]


class Letter(Panel):
    """A seat's letter in its colour."""

    DEFAULT_CSS = "Letter { width: 5; height: 1; background: transparent; }"

    def __init__(self, seat: int, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._seat = seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]]


class TitleBar(Panel):
    """A seat's letter in its colour, a title, and a note if it fits."""

    DEFAULT_CSS = "TitleBar { height: 1; background: $panel; }"

    def __init__(self, title: str, note: str = "", *, seat: int | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._title, self._note, self._seat = title, note, seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        row: list[Span] = []
        if self._seat is not None:
            row = [Span(" "), Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]
        title = f" {self._title}"
        row.append(Span(shorten_text(title, width - length(row)), "strong"))
        if self._note and length(row) + 3 + cell_len(self._note) <= width:
            row.append(Span(f"   {self._note}", "dim"))
        return [row]


WIDE = 120  # columns from which a header has the table and the number of watchers


SceneT = TypeVar("SceneT", bound=Scene)


class ScenePane(Panel, Generic[SceneT]):
    """A pane that shows a scene: a subclass returns its lines from ``scene_rows``."""

    scene: SceneT | None = None

    def show(self, scene: SceneT) -> None:
        self.scene = scene
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [] if self.scene is None else self.scene_rows(self.scene, width, height)

    def scene_rows(self, now: SceneT, width: int, height: int) -> Sequence[Row]:
        raise NotImplementedError


def whose_turn(now: Scene, seat: int | None, most: int = 0) -> tuple[str, str]:
    """Return the words and their role; ``most`` cells show the name of the ``seat`` to act (0: all)."""
    if trouble := header_words_without_turn(now.state):
        return trouble, "warn"
    if now.over or seat is None:
        return "THE GAME IS OVER", "strong"
    name = now.view.names[seat]
    if most:
        name = shorten_name(name, most).rstrip()
    if not now.state.plays(seat):
        absence = now.state.seats[seat].absence_words
        return f"{LETTERS[seat]} {name} {f'({absence})' if absence else 'is playing'}", "strong"
    return f"YOUR TURN  {LETTERS[seat]} {name}", seat_role(seat)


def game_title(now: Scene) -> Span:
    return Span(f"  {now.state.game.title.upper()}", "strong")


def which_table(now: Scene, address: str, width: int) -> Span:
    where = f" on {address}" if address else ""
    words = f"game {now.state.table}{where}" if now.state.lesson is None else now.state.title
    return Span(f"   {words}" if width >= WIDE else "", "dim")


def header_row(
    now: Scene, width: int, lefts: Sequence[Sequence[Span]], whose: tuple[str, str], points: Row = ()
) -> list[Row]:
    words, role = whose
    turn = Span(shorten_text(f" {words} ", width - length(points)), role)
    watching = f"{now.state.watchers} watching   " if now.state.watchers and width >= WIDE else ""
    right = [Span(watching, "dim"), turn, *points]
    for left in (*lefts, []):
        gap = width - length(left) - length(right)
        if gap > 0:
            return [[*left, Span(" " * gap), *right]]
    return [right]


RULED = 4  # rows from which the rule fits
INDENT = " " * 5
NAME = 12  # most cells of a name
SHOWS = " shows all"  # what the key of the log does


class LogPane(Panel):
    """The newest lines of the log, newest last; a click opens the whole log."""

    _entries: tuple[LogEntry, ...] = ()
    _since = 0
    _fresh = 0

    def show(self, entries: tuple[LogEntry, ...], since: int, fresh: int) -> None:
        """Set the newest lines, the index after the user's last turn, and the number of lines since."""
        self._entries, self._since, self._fresh = entries, since, fresh
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return as many of the newest lines as fit; long ones take more than one row."""
        if height < RULED:
            return self._newest_log_rows(width, height)
        news = f"{self._fresh} lines since your last turn" if self._fresh >= height else ""
        title, entries = self.heading_row("Log", width, news), self._entries
        for start in range(max(0, len(entries) - height + 1), len(entries)):
            rows = self._log_rows_from(start, width)
            if len(rows) < height:
                return [title, *rows]
        return [title]

    def _log_rows_from(self, start: int, width: int) -> list[Row]:
        """Return all lines from an index on; the player is named if the line before has another."""
        rows: list[Row] = []
        before: LogEntry | None = None
        for entry in self._entries[start:]:
            if before is not None and before.index < self._since <= entry.index:
                rows.append(self.rule_row("since your last turn", width))
                before = None
            rows += _wrapped_log_entry(entry, width, goes_on=_goes_on(before, entry))
            before = entry
        return rows

    def _newest_log_rows(self, width: int, height: int) -> list[Row]:
        """Return the lines that fit, cut only if there is one, and in the first row the number of hidden ones."""
        shown = self._entries[-height:] if height else ()
        rows: list[Row] = []
        while shown:
            rows = [
                row
                for before, entry in zip((None, *shown), shown, strict=False)
                for row in _wrapped_log_entry(entry, width, goes_on=_goes_on(before, entry))
            ]
            if len(rows) <= height:
                break
            shown, rows = shown[1:], [_log_line_row(shown[0], width)]
        if not shown or self._fresh <= len(shown):
            return rows
        notes = (("lines since your last turn, ", SHOWS), ("new lines, ", SHOWS), ("new lines: ", ""))
        for words, does in notes:
            note = f"   {self._fresh} {words}"
            room = width - cell_len(f"{note}o{does} ")
            if cell_len(_log_entry_text(shown[0])) <= room:
                break
        else:
            return rows
        first = _log_line_row(shown[0], room)
        gap = " " * (room - length(first))
        rows[0] = [*first, Span(gap + note, "dim", "log"), Span("o", "key", "log"), Span(f"{does} ", "dim", "log")]
        return rows


def _goes_on(before: LogEntry | None, entry: LogEntry) -> bool:
    return before is not None and (before.seat, before.actor) == (entry.seat, entry.actor)


def _log_line_row(entry: LogEntry, width: int, *, goes_on: bool = False) -> Row:
    gain = f" {entry.gain}" if entry.gain else ""
    row = _log_entry_actor(entry, goes_on=goes_on)
    room = max(4, width - length(row) - len(gain))
    row.append(Span(shorten_text(entry.text, room), _log_entry_role(entry), "log"))
    return [*row, Span(gain, "gain", "log")] if gain else row


def _wrapped_log_entry(entry: LogEntry, width: int, *, goes_on: bool) -> list[Row]:
    actor = _log_entry_actor(entry, goes_on=goes_on)
    if length(actor) + cell_len(f"{entry.text} {entry.gain}".rstrip()) < width:
        return [_log_line_row(entry, width, goes_on=goes_on)]
    lines = wrap(f"{' ' * length(actor)}{entry.text} {entry.gain}".rstrip(), width - 1, indent=INDENT)
    first = Span(lines[0].lstrip(), _log_entry_role(entry), "log")
    return [[*actor, first], *([Span(line, _log_entry_role(entry), "log")] for line in lines[1:])]


def _log_entry_text(entry: LogEntry) -> str:
    return "".join(span.text for span in _log_entry_actor(entry)) + f"{entry.text} {entry.gain}".rstrip()


def _log_entry_actor(entry: LogEntry, *, goes_on: bool = False) -> list[Span]:
    name = shorten_name(entry.actor, NAME).rstrip()
    if entry.seat is None or not name:
        return [Span(" ")]
    if goes_on:
        return [Span(INDENT)]
    return [
        Span(" "),
        Span(f" {LETTERS[entry.seat]} ", seat_role(entry.seat), "log"),
        Span(f" {name} ", _log_entry_role(entry), "log"),
    ]


def _log_entry_role(entry: LogEntry) -> str:
    return "warn" if entry.loud else "text"


NOBODY_SPOKE = "Nobody has said anything yet."


class ChatPane(Panel):
    """The newest chat lines, newest last, and the number of new ones; a click opens the chat."""

    _chat: Sequence[ChatLine] = ()
    _unread = 0
    _key, _does = "t", "answers"

    def show(self, chat: Sequence[ChatLine], unread: int, key: str, *, answers: bool = True) -> None:
        self._chat, self._unread, self._key = chat, unread, key
        self._does = "answers" if answers else "shows all"
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return a heading, and as many of the newest lines as fit; new ones are highlighted."""
        news = f"{self._unread} new, {self._key} {self._does}" if self._unread else self._key
        role = "key" if self._unread else "title"
        title = self.heading_row("Chat", width, news, role=role)
        heading = [Span(span.text, span.role, "chat") for span in title]
        lines = [[Span(f" {line}", "dim", "chat")] for line in wrap(NOBODY_SPOKE, width - 1)]
        if self._chat:
            old = len(self._chat) - self._unread
            lines = [
                [Span(f" {part}", "strong" if number >= old else "text", "chat")]
                for number, line in enumerate(self._chat)
                for part in wrap(chat_text(line), width - 1)
            ]
        return [heading, *lines[-(height - 1) :]] if height > 1 else [heading]
