"""The last lines of the log and of the chat, beside the board."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.face import LETTERS, LogEntry
from client.present.log import chat_text
from client.table import ChatLine
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role, shorten_name, shorten_text, wrap

RULED = 4  # rows from which the rule fits
INDENT = " " * 5
NAME = 12  # most cells of a name


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
        for note in (f"   {self._fresh} lines since your last turn: ", f"   {self._fresh} new lines: "):
            room = width - cell_len(note) - 2
            if cell_len(_log_entry_text(shown[0])) <= room:
                break
        else:
            return rows
        first = _log_line_row(shown[0], room)
        gap = " " * (room - length(first))
        rows[0] = [*first, Span(gap + note, "dim", "log"), Span("o", "key", "log"), Span(" ")]
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
