"""The last lines of the log, with a rule drawn at "since your last turn"."""

from __future__ import annotations

from collections.abc import Sequence

from client.present.log import LogEntry
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
        rows = [self.heading("Log", width)]
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
    gain = f" {entry.gain}" if entry.gain else ""
    actor = fit(entry.actor, min(len(entry.actor), 12))
    room = max(4, width - 2 - len(actor) - len(gain))
    text = fit(entry.text, min(len(entry.text), room))
    return [
        Span(" "),
        Span(actor, team_role(entry.seat), "log"),
        Span(f" {text}" if actor else text, "warn" if entry.loud else "text", "log"),
        Span(gain, "gain", "log"),
    ]
