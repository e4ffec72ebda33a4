"""The last words said at the table, beside the log."""

from __future__ import annotations

from collections.abc import Sequence

from client.present.log import chat_line
from client.table import ChatLine
from client.tui.widgets.panel import Panel, Row, Span, wrap

NOBODY = "Nobody has said anything yet."


class ChatPane(Panel):
    """The newest lines, the newest last, and how many are new; a click opens the talk to answer."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._chat: Sequence[ChatLine] = ()
        self._unread = 0
        self._key, self._does = "t", "answers"

    def show(self, chat: Sequence[ChatLine], unread: int, key: str, *, answers: bool = True) -> None:
        """Set the lines, how many of the last are new, the key that opens the talk, and whether one can
        answer there.
        """
        self._chat, self._unread, self._key = chat, unread, key
        self._does = "answers" if answers else "shows all"
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return a heading, and as many of the newest lines as there is room for; new ones stand out."""
        news = f"{self._unread} new, {self._key} {self._does}" if self._unread else self._key
        role = "key" if self._unread else "title"
        title = self.heading("Chat", width, news, role=role)
        heading = [Span(span.text, span.role, "chat") for span in title]
        lines = [[Span(f" {line}", "dim", "chat")] for line in wrap(NOBODY, width - 1)]
        if self._chat:
            old = len(self._chat) - self._unread
            lines = [
                [Span(f" {part}", "strong" if number >= old else "text", "chat")]
                for number, line in enumerate(self._chat)
                for part in wrap(chat_line(line), width - 1)
            ]
        return [heading, *lines[-(height - 1) :]] if height > 1 else [heading]
