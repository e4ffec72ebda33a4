"""The last rows of a table: key hints, messages, the goal, a replay's track and controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.message import Message

from client.replay import Control, Place
from client.tui.widgets.panel import Panel, Row, Span, fit, flow, keyed_row, shorten_text, wrap

ALWAYS = ("undo", "help", "quit")  # the words that every bar has if they do something
MOST, WIDE = 7, 100  # keys of a bar in a narrow window
REST = "more"  # the word that lists all keys: for the mouse, as the bar does not show all


class Hint(Struct, frozen=True):
    """A key, its action, and the word that a click on it posts."""

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
IN_REPLAYS = tuple(
    Hint("q", "Leave", "quit") if hint.do == "quit" else hint for hint in USUAL if hint.do not in ("undo", "chat")
)


def number_keys_hint(many: int, does: str) -> Hint:
    """Return the hint for the number keys of ``many`` lines; there are nine such keys."""
    return Hint(f"1-{min(many, 9)}" if many > 1 else "1", does, "")


def with_news(hints: Sequence[Hint], *, unread: int, taken: bool) -> tuple[Hint, ...]:
    """Return hints with the news near the start: ``unread`` chat, and a seat ``taken`` over."""
    found = (Hint("B", "Take the seat back", "take_back"), *hints) if taken else tuple(hints)
    if not unread:
        return found
    chat = Hint("t", f"Chat ({unread})", "chat")
    return (*found[:1], chat, *(hint for hint in found[1:] if hint.do != "chat"))


class Hints(Panel):
    """The key hints in one row: always undo, help and quit, and at the end the key that lists all."""

    _hints: tuple[Hint, ...] = ()

    def show(self, hints: tuple[Hint, ...]) -> None:
        self._hints = hints
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row, with a margin of one column at both ends."""
        row: list[Span] = [Span(" ")]
        gap = "   " if width >= 120 else "  "
        room = width - 2 - len(gap) - len(REST)
        for hint in self._fitting(room, len(gap), MOST if width < WIDE else len(self._hints)):
            row += [*keyed_row(hint.key, hint.label, hint.do), Span(gap)]
        return [[*row, Span(REST, "title", REST)]]

    def _fitting(self, width: int, gap: int, most: int) -> list[Hint]:
        shown = [hint for hint in self._hints if hint.do in ALWAYS]
        room = width + gap - sum(_hint_length(hint) + gap for hint in shown)
        for hint in self._hints:
            if hint not in shown and len(shown) < most:
                room -= _hint_length(hint) + gap
                if room < 0:
                    break
                shown.append(hint)
        return [hint for hint in self._hints if hint in shown]


def _hint_length(hint: Hint) -> int:
    return cell_len(hint.key) + cell_len(hint.label) + 1


JUMP = (Hint("a letter", "Go there", ""), Hint("another key", "Back", ""))

MOST_LINES = 5  # most rows of a message


class MessageLine(Panel):
    """A calm sentence: a refusal, or a lost link. Hidden when empty."""

    DEFAULT_CSS = "MessageLine { display: none; }"
    text = _news = ""
    _role = "warn"

    def set_message(self, text: str, role: str = "warn", news: str = "") -> None:
        """Show a sentence, or nothing, below the ``news``, which take one row."""
        self.text, self._role, self._news = text, role, news
        self.display = bool(text or news)
        self.refill()

    def count_message_rows(self, width: int) -> int:
        return min(MOST_LINES, len(self._message_lines(width))) if self.display else 0

    def rows(self, width: int, height: int) -> Sequence[Row]:
        lines = self._message_lines(width)
        if len(lines) > height:
            (_, role), left = lines[-1], max(0, height - 1)
            lines = [*lines[:left], (" ".join(line for line, _ in lines[left:]), role)]
        return [[Span(fit(f" {line}", width), role)] for line, role in lines]

    def _message_lines(self, width: int) -> list[tuple[str, str]]:
        # One line of news: a second one would cover the edge of a board that fills the window.
        text = wrap(self.text, width - 2) if self.text else []
        # A long hint needs the rows for what it is about.
        has_news = self._news and len(text) < MOST_LINES - 2
        news = [(shorten_text(self._news, width - 2), "text")] if has_news else []
        return [*news, *((line, self._role) for line in text)]


ASK = " Press a letter to go to its place; other keys go back."
LEFT = " {left} more have no letter."


class JumpLine(Panel, can_focus=True):
    """Has the focus and takes every key; the screen removes it when it has ``Typed``."""

    ALLOW_MAXIMIZE: ClassVar[bool | None] = False

    class Typed(Message):
        """A key was pressed; or the focus went elsewhere, without a letter."""

        def __init__(self, letter: str) -> None:
            super().__init__()
            self.letter = letter

    def __init__(self, left: int = 0, *, id: str | None = None) -> None:  # noqa: A002
        """``left`` places have no letter."""
        super().__init__(id=id)
        self._left = left

    def rows(self, width: int, height: int) -> Sequence[Row]:
        ask = f"{ASK}{LEFT.format(left=self._left)}" if self._left else ASK
        return [[Span(fit(ask, width), "strong")]]

    def on_mount(self) -> None:
        self.focus()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.post_message(self.Typed(event.character or ""))

    def on_blur(self) -> None:
        """End the jump: the user does something else."""
        self.post_message(self.Typed(""))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Typed(""))


GOAL = "Goal: "


class GoalLine(Panel):
    """The goal of the game, or a lesson's lines: rows of one role each. Hidden if there are none."""

    GROWS = False

    def __init__(self, lines: Sequence[tuple[str, str]], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.show(lines)

    def show(self, lines: Sequence[tuple[str, str]]) -> None:
        """Set the rows: text and role of each."""
        self.lines = tuple(lines)
        self.display = bool(lines)
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(shorten_text(f" {text}", width), role)] for text, role in self.lines]


SHORTEST_TRACK = 8
TRACKS = {"─": ("━", "█", "─"), "-": ("=", "#", "-")}
"""The track behind, the position, and the track ahead, by the line glyph of the panes."""


class ReplayBar(Panel):
    """Step and turn, a clickable track, and the playback, in one row."""

    GROWS = False

    _place: Place | None = None

    def show(self, place: Place) -> None:
        self._place = place
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; if the track gets too short, the speed is dropped first."""
        at = self._place
        if at is None:
            return [[]]
        left = f" {at.words} "
        right = f" {at.playing} "
        if width - cell_len(left) - cell_len(right) < SHORTEST_TRACK:
            right = f" {at.playing.partition(',')[0]} "
        room = width - cell_len(left) - cell_len(right)
        if room < SHORTEST_TRACK:
            return [[Span(fit(left, width), "strong")]]
        return [[Span(left, "strong"), *self._track(at, room), Span(right, "text")]]

    def _track(self, at: Place, room: int) -> list[Span]:
        behind, here, ahead = TRACKS[self._line]
        stands = at.step * (room - 1) // max(1, at.last)
        spans = []
        for x in range(room):
            step = -(-x * at.last // (room - 1))
            glyph, role = (here, "strong") if x == stands else (behind, "key") if x < stands else (ahead, "dim")
            spans.append(Span(glyph, role, f"go_to:{step}"))
        return spans


class Controls(Panel):
    """All keys of a replay, clickable. Groups are on separate lines if they fit."""

    GROWS = False

    _groups: Sequence[Sequence[Control]] = ()

    def show(self, groups: Sequence[Sequence[Control]]) -> None:
        self._groups = groups
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return each group on separate lines; joined, shortened or paired if they do not fit."""
        rows = [row for group in self._groups for row in _flow_of_controls(group, width)]
        if len(rows) > height:
            together = [control for group in self._groups for control in group]
            rows = _flow_of_controls(together, width, short=True)
            if len(rows) > height:
                paired = _flow_of_controls(together, width, short=True, paired=True)
                rows = paired if len(paired) <= height else rows
        return rows[:height]


def _flow_of_controls(
    controls: Sequence[Control], width: int, *, short: bool = False, paired: bool = False
) -> list[Row]:
    pieces: list[Row] = []
    left: list[Span] = []
    for control in controls:
        if paired and control.both:
            left = [Span(control.key, "key", control.do), Span(" ")]
            word = control.both
            continue
        label = word if left else control.short if short else control.label
        pieces.append([*left, *keyed_row(control.key, label, control.do)])
        left = []
    return [[Span(" "), *row] for row in flow(pieces, width - 1, "  ")]
