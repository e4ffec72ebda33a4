"""The last lines of the log, with a rule drawn at "since your last turn"."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.present.log import LogEntry
from client.present.terms import letter
from client.tui.widgets.panel import Panel, Row, Span, fit, length, team_role

RULED = 4
"""From so many rows on there is room for the rule."""


class LogPane(Panel):
    """The newest lines, the newest last; a click opens the whole log."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._entries: tuple[LogEntry, ...] = ()
        self._since = 0
        self._fresh = 0

    def show(self, entries: tuple[LogEntry, ...], since: int, fresh: int) -> None:
        """Set the newest lines, the index after one's last turn, and how many lines came since."""
        self._entries, self._since, self._fresh = entries, since, fresh
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """As many of the newest lines as there is room for."""
        if height < RULED:
            shown = self._entries[-height:] if height else ()
            rows = [_line(entry, width) for entry in shown]
            if rows and self._fresh > len(rows):
                note = f" {self._fresh} lines since your last turn: "
                first = _line(shown[0], width - len(note) - 2)
                gap = " " * max(0, width - length(first) - len(note) - 2)
                rows[0] = [*first, Span(gap + note, "dim", "log"), Span("o", "key", "log"), Span(" ")]
            return rows
        news = f": {self._fresh} lines since your last turn" if self._fresh >= height and width > 48 else ""
        rows = [self.heading(f"Log{news}", width)]
        shown = self._entries[-(height - 1) :]
        if shown and self._since > shown[0].index:
            shown = shown[1:]
        ruled = bool(shown) and shown[0].index < self._since <= shown[-1].index
        for entry in shown:
            if ruled and entry.index >= self._since:
                rows.append(self.heading("since your last turn", width))
                ruled = False
            rows.append(_line(entry, width))
        return rows


def _line(entry: LogEntry, width: int) -> Row:
    role = "warn" if entry.loud else "text"
    gain = f" {entry.gain}" if entry.gain else ""
    actor = fit(entry.actor, min(cell_len(entry.actor), 12))
    row = [Span(" ")]
    if entry.seat is not None and actor:
        row += [Span(letter(entry.seat), team_role(entry.seat), "log"), Span(f" {actor} ", role, "log")]
    room = max(4, width - length(row) - len(gain))
    row.append(Span(fit(entry.text, min(cell_len(entry.text), room)), role, "log"))
    if gain:
        row.append(Span(gain, "gain", "log"))
    return row
