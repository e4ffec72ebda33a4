"""The keys of the moment in one row."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len

from client.tui.widgets.panel import Panel, Row, Span, keyed

ALWAYS = ("help", "quit")
"""The words that every bar has."""
MOST, WIDE = 7, 100
"""Keys that a bar tells in a window that has fewer columns than are wide."""
REST = "more"
"""The word that lists all keys of the moment: the mouse's way to those that are not in the bar."""


class Hint(Struct, frozen=True):
    """A key, what it does, and the word a click on it posts."""

    key: str
    label: str
    do: str


USUAL = (
    Hint("u", "Undo", "undo"),
    Hint("o", "Log", "log"),
    Hint("t", "Chat", "chat"),
    Hint("?", "Help", "help"),
    Hint("q", "Quit", "quit"),
    Hint("^p", "Palette", "palette"),
    Hint(",", "Settings", "settings"),
)
"""The hints of every table, after those of the moment."""
IN_REPLAYS = tuple(
    Hint("q", "Leave", "quit") if hint.do == "quit" else hint
    for hint in USUAL
    if hint.do not in ("undo", "chat")
)


def numbers(many: int, does: str, most: int = 9) -> Hint:
    """Return the hint for the number keys of ``many`` lines; there are ``most`` such keys, the tenth is 0.

    >>> numbers(5, "Take").key, numbers(1, "Take").key, numbers(12, "Take", most=10).key
    ('1-5', '1', '1-0')
    """
    return Hint(f"1-{min(many, most) % 10}" if many > 1 else "1", does, "")


def with_news(hints: Sequence[Hint], *, unread: int, taken: bool) -> tuple[Hint, ...]:
    """Return hints, and near the start what is new: ``unread`` words of others wait in the chat, a seat was
    ``taken`` over by another terminal.
    """
    found = (Hint("B", "Take the seat back", "take_back"), *hints) if taken else tuple(hints)
    if not unread:
        return found
    chat = Hint("t", f"Chat ({unread})", "chat")
    return (*found[:1], chat, *(hint for hint in found[1:] if hint.do != "chat"))


class Hints(Panel):
    """The keys of the moment in one row, help and the way out always, and at the end what lists them all."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._hints: tuple[Hint, ...] = ()

    def show(self, hints: tuple[Hint, ...]) -> None:
        """Set the hints."""
        self._hints = hints
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row, with a column of air at both ends."""
        row: list[Span] = [Span(" ")]
        gap = "   " if width >= 120 else "  "
        room = width - 2 - len(gap) - len(REST)
        for hint in self._fitting(room, len(gap), MOST if width < WIDE else len(self._hints)):
            row += [*keyed(hint.key, hint.label, hint.do), Span(gap)]
        return [[*row, Span(REST, "title", REST)]]

    def _fitting(self, width: int, gap: int, most: int) -> list[Hint]:
        """Choose as many from the start as there is room for beside those that are always there."""
        shown = [hint for hint in self._hints if hint.do in ALWAYS]
        room = width + gap - sum(_length(hint) + gap for hint in shown)
        for hint in self._hints:
            if hint not in shown and len(shown) < most:
                room -= _length(hint) + gap
                if room < 0:
                    break
                shown.append(hint)
        return [hint for hint in self._hints if hint in shown]


def _length(hint: Hint) -> int:
    return cell_len(hint.key) + cell_len(hint.label) + 1
