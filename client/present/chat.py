"""The chat of a table: players hear each other, and what watchers say stands apart."""

from __future__ import annotations

from collections.abc import Sequence

from cave.wire import MAX_CHAT
from client.table import ChatLine, TableState

NOBODY_HEARS = "The host is gone: nobody would hear you."
ONLY_PLAYERS = "Watchers can only read: this host does not let them chat."


def heard(state: TableState) -> Sequence[ChatLine]:
    """Return the lines that come to this person: players hear each other, watchers hear everybody."""
    mine = state.my_seats
    return tuple(line for line in state.chat if not line.watcher) if mine else state.chat


def of_watchers(chat: Sequence[ChatLine]) -> Sequence[ChatLine]:
    """Return the lines of watchers."""
    return tuple(line for line in chat if line.watcher)


def news(before: Sequence[ChatLine], after: Sequence[ChatLine]) -> Sequence[ChatLine]:
    """Return the lines said since. Only the last lines of a talk are kept, so that the first ones may be
    gone.
    """
    kept = len(before)
    while kept and tuple(before[-kept:]) != tuple(after[:kept]):
        kept -= 1
    return after[kept:]


def said(line: ChatLine) -> str:
    """Return who said what; who watches is told from who plays."""
    return f"{line.name}{' (watching)' if line.watcher else ''}: {line.text}"


def is_told(seats: int, wish: str) -> bool:
    """Return whether words are shown without being asked for, where this many seats are this keyboard's.
    ``auto`` is quiet where several play at one: they talk to each other, and the line is needed for the one
    who acts.
    """
    return wish == "on" or (wish == "auto" and seats < 2)


def too_long(text: str) -> str:
    """Say what keeps this from being said, in one sentence, or nothing."""
    over = len(text.strip()) - MAX_CHAT
    return f"{MAX_CHAT} characters can be said at once; that is {over} too many." if over > 0 else ""
