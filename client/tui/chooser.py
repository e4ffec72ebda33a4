"""A dialog with a list: variants of a move, all actions, the log, yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.widgets import Input

from cave.game import GameInfo
from client.face import LETTERS, Face, LogEntry
from client.launch.new_game import level_choices
from client.present.log import entries
from client.present.scene import Scene
from client.table import LogLine
from client.tui.explorer_picture import seated
from client.tui.keymap import live_key
from client.tui.title_picture import backdrop
from client.tui.widgets.dialog_box import SHRINKS, Box, BoxScreen, Clearing
from client.tui.widgets.form_fields import TextInput
from client.tui.widgets.panel import (
    Panel,
    Row,
    Span,
    fit,
    flow,
    keyed_row,
    length,
    more_words,
    scrollbar_cells,
    seat_role,
    wrap,
)

COLOURED = 0.12  # the share of a seat's colour in the ground of its curtain
LEAD = 5  # columns for the mark and the key of an entry
HINT = "{take} choose   {back} back"  # words in braces are descriptions of bindings, replaced by their keys
NONE_FOUND = "Nothing here has this text."
CAPITAL = "Only a capital {key} chooses: {label}"
"""Such keys are for answers that must not be given by accident."""
GAP = "   "  # between a key's words and the next key


class Entry(NamedTuple):
    """A line of the list. ``value`` is the answer; an entry that is not ``enabled`` cannot be chosen.

    ``key`` is a letter that chooses the entry at once, as does ``also``, which is not shown. ``detail`` is
    shown to the right or below. ``about`` are the rules for its help. ``columns`` replace label and detail if
    all entries that have them fit in columns. ``price_role`` is the role of the price, if it differs.
    """

    label: str
    value: Any
    price: str = ""
    gain: str = ""
    detail: str = ""
    key: str = ""
    enabled: bool = True
    role: str = "text"
    about: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    price_role: str = ""
    also: str = ""


def number_key(number: int) -> str:
    """Return the key of the entry with this number; after the first nine it only counts the entry."""
    return str(number)


def level_entries(game: GameInfo) -> list[Entry]:
    levels = enumerate(level_choices(game), 1)
    return [Entry(level, level, detail=said, key=number_key(number)) for number, (level, said) in levels]


class EntryList(Panel):
    """The entries as lines; one of them is selected, and always visible."""

    GROWS = False

    def __init__(
        self,
        entries: Sequence[Entry],
        marked: int,
        *,
        line: str,
        roles: Mapping[str, str] | None = None,
        heads: Sequence[str] = (),
    ) -> None:
        super().__init__(line=line, classes=SHRINKS)
        self._heads = heads
        self._roles = roles or {}
        self.entries = entries
        self.marked = marked
        self._top = self._digits = 0

    def mark(self, index: int) -> None:
        self.marked = index
        self.refill()

    def on_mouse_scroll_down(self) -> None:
        self.mark(min(self.marked + 1, len(self.entries) - 1))

    def on_mouse_scroll_up(self) -> None:
        self.mark(max(self.marked - 1, 0))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the visible lines below the heads of their columns, if any."""
        if not self._heads:
            return self._list_rows(width, height)
        rows = self._list_rows(width, height - 1 if height > 1 else height)
        labels = max(cell_len(text) for text in (self._heads[0], *(entry.label for entry in self.entries)))
        words = "  ".join((fit(self._heads[0], labels), *self._heads[1:]))
        return [[Span(fit(" " * (self._digits + 4) + words, width), "dim")], *rows]

    def _list_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the visible entries; if some are hidden, with a scrollbar and their number."""
        if not self.entries:
            return [[Span(f"   {NONE_FOUND}", "dim")]]
        rows, _ = self._all(width - 1)
        if not height or len(rows) <= height:
            return rows
        rows, (start, end) = self._all(width - 2)
        shown = max(1, height - 1)
        self._top = min(max(self._top, end - shown), start)
        self._top = max(0, min(self._top, len(rows) - shown))
        last = self._top + shown
        parts = rows[: self._top], rows[last:]
        above, below = (len({row[0].do for row in part if row}) for part in parts)
        hidden = more_words(above, below, ascii_only=self._line == "-")
        return [
            *(
                [*row, Span(" "), side]
                for row, side in zip(rows[self._top : last], scrollbar_cells(len(rows), self._top, shown), strict=True)
            ),
            [Span(f"   {hidden}", "dim")],
        ][:height]

    def _all(self, width: int) -> tuple[list[Row], tuple[int, int]]:
        rows: list[Row] = []
        start = end = 0
        labels = max((cell_len(entry.label) for entry in self.entries), default=0)
        prices = max((cell_len(entry.price) for entry in self.entries), default=0)
        gains = max((cell_len(entry.gain) for entry in self.entries), default=0)
        short = [entry.columns for entry in self.entries if entry.columns]
        columns = [max(map(cell_len, column)) for column in zip(*short, strict=True)]
        if sum(columns) + 2 * len(columns) + LEAD > width:
            columns = []
        self._digits = max((len(each.key) for each in self.entries if each.key.isdigit()), default=0)
        for index, entry in enumerate(self.entries):
            if index == self.marked:
                start = len(rows)
            if columns and entry.columns:
                rows.append(self._in_columns(index, entry, width, columns))
            else:
                rows += self.entry_rows(index, entry, width, (labels, prices, gains))
            if index == self.marked:
                end = len(rows)
        return rows, (start, end)

    def _in_columns(self, index: int, entry: Entry, width: int, columns: Sequence[int]) -> Row:
        chosen = index == self.marked
        role = "chosen" if chosen else entry.role if entry.enabled else "dim"
        words = "  ".join(fit(part, size) for part, size in zip(entry.columns, columns, strict=True))
        row = self._entry_mark_and_key(index, entry, role)
        return [*row, Span(fit(words, width - length(row)), role, str(index))]

    def entry_rows(self, index: int, entry: Entry, width: int, sizes: tuple[int, int, int]) -> list[Row]:
        """Return the lines of an entry; ``sizes`` are the widths of all labels, prices and gains."""
        chosen = index == self.marked
        do = str(index)
        role = "chosen" if chosen else entry.role if entry.enabled else "dim"
        labels, prices, gains = sizes
        row = [*self._entry_mark_and_key(index, entry, role)]
        columns = sum(2 + size for size in (prices, gains, cell_len(entry.detail)) if size)
        beside = length(row) + labels + columns <= width
        own = sum(2 + cell_len(text) for text in (entry.price, entry.gain, entry.detail) if text)
        inline = beside or length(row) + cell_len(entry.label) + own <= width
        label = fit(entry.label, labels) if beside else entry.label
        room = width - length(row) - sum(2 + cell_len(text) for text in (entry.price, entry.gain) if text)
        lines = wrap(label, room) if not beside and cell_len(label) > room else [label]
        # Text below is not part of price and gain.
        words = fit(lines[0], room) if lines[1:] else lines[0]
        row += [Span(words, role, do)] if chosen else coloured_words(words, role, self._roles, do)
        if entry.price:
            worth = role if chosen else entry.price_role or role
            row.append(Span(f"  {fit(entry.price, prices) if beside else entry.price}", worth, do))
        elif beside and prices and entry.detail:
            row.append(Span(" " * (prices + 2), role, do))
        if entry.gain:
            row.append(
                Span(f"  {fit(entry.gain, gains) if beside else entry.gain}", "chosen" if chosen else "gain", do)
            )
        elif beside and gains and entry.detail:
            row.append(Span(" " * (gains + 2), role, do))
        if entry.detail and inline:
            row.append(Span(f"  {entry.detail}", "chosen" if chosen else "dim", do))
        row.append(Span(" " * max(0, width - length(row)), role, do))
        rows: list[Row] = [row]
        rest = lines[1:] + (wrap(entry.detail, width - 8) if entry.detail and not inline else [])
        rows += [[Span(fit(f"      {line}", width), role if chosen else "dim", do)] for line in rest]
        return rows

    def _entry_mark_and_key(self, index: int, entry: Entry, role: str) -> Row:
        """Return the mark and the key of an entry, in columns; two-digit numbers are not keys."""
        chosen, counts = index == self.marked, entry.key.isdigit()
        presses = entry.enabled and not (counts and len(entry.key) > 1)
        key = f"{entry.key:>{self._digits if counts else 0}} " if entry.key else ""
        key_role = "chosen" if chosen else "key" if presses else "dim"
        return [Span(" > " if chosen else "   ", role, str(index)), Span(key, key_role, str(index))]


class ChooserScreen(BoxScreen[Any]):
    """Shows entries; the result is the value of the chosen one, or None. ``explain`` shows rules by number;
    with ``search`` the user types, and only entries with that text are shown. With a ``seat`` the screen is
    only for its player, and covers everything in the player's colour.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [Path(__file__).with_suffix(".tcss")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Back", id="chooser.back", show=False),
        Binding("up,k", "step(-1)", "Up", id="chooser.up", show=False),
        Binding("down,j,tab", "step(1)", "Down", id="chooser.down", show=False),
        Binding("pageup", "step(-10)", "Page up", id="chooser.page_up", show=False),
        Binding("pagedown", "step(10)", "Page down", id="chooser.page_down", show=False),
        Binding("home", "step(-9999)", "First", id="chooser.first", show=False),
        Binding("end", "step(9999)", "Last", id="chooser.last", show=False),
        Binding("enter,space", "take", "Choose", id="chooser.take", show=False),
        Binding("question_mark,f1", "explain", "The rule about it", id="chooser.help", show=False),
    ]

    def __init__(
        self,
        title: str,
        entries: Sequence[Entry],
        *,
        chosen: int = 0,
        hint: str = HINT,
        line: str = "─",
        explain: Callable[[Sequence[str]], None] | None = None,
        search: str | None = None,
        seat: int | None = None,
        roles: Mapping[str, str] | None = None,
        heads: Sequence[str] = (),
        note: str = "",
    ) -> None:
        super().__init__(line=line)
        self._roles, self._heads, self._note = roles, heads, note
        self._seat = seat
        self._title = title
        self._all = self.entries = entries
        self._search = search
        self._chosen = chosen
        self._hint = hint
        self._explain = explain

    def compose(self) -> ComposeResult:
        if self._seat is not None:
            yield from backdrop(self)
        with Clearing(), Box(id="box"):
            if self._seat is not None:
                yield Chip(self._seat)
            if self._note:
                yield Caption(self._note, "warn")
            yield Caption(self._title, "title", roles=self._roles)
            if self._search is not None:
                yield TextInput(self._search, placeholder="Type a part of a word", id="search", compact=True)
            yield self.list_of_entries()
            yield KeyLine(self._hint, self._entry_keys(), do="leave", id="foot")

    def on_mount(self) -> None:
        super().on_mount()
        ground = self.app.theme_variables.get(f"seat-{(self._seat or 0) + 1}", "")
        if self._seat is not None:
            self.add_class("-curtain")
            if ground.startswith("#"):
                night = Color.parse(self.app.theme_variables["background"])
                self.styles.background = night.blend(Color.parse(ground), COLOURED)

    def list_of_entries(self) -> EntryList:
        return EntryList(self.entries, self._chosen, line=self._line, roles=self._roles, heads=self._heads)

    def _entry_keys(self) -> dict[str, str]:
        names = ("take", "back", "help", "weaker", "stronger")
        return {name: live_key(self, f"chooser.{name}") for name in names}

    @property
    def entry_list(self) -> EntryList:
        return self.query_one(EntryList)

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_step(self, by: int) -> None:
        if self.entries:
            index = self.entry_list.marked + by
            if by == 1:  # but not from the first one to the last, which may be dangerous
                index %= len(self.entries)
            self.entry_list.mark(max(0, min(index, len(self.entries) - 1)))
            self.query_one(KeyLine).set_caption("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the entries with the text, first those whose label starts with it."""
        event.stop()
        typed = event.value.strip().casefold()
        found = [each for each in self._all if typed in f"{each.label} {each.detail}".casefold()]
        self.entries = sorted(found, key=lambda each: not each.label.casefold().startswith(typed))
        self.entry_list.entries = self.entries
        self.entry_list.mark(0)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        self._take(self.entry_list.marked)

    def action_explain(self) -> None:
        about = self.entries[self.entry_list.marked].about if self.entries else ()
        if about and self._explain is not None:
            self._explain(about)

    def _take(self, index: int) -> None:
        if 0 <= index < len(self.entries) and self.entries[index].enabled:
            self.dismiss(self.entries[index].value)
        elif 0 <= index < len(self.entries) and self.entries[index].detail:
            self.entry_list.mark(index)
            self.query_one(KeyLine).set_caption(self.entries[index].detail, "warn")

    def on_key(self, event: events.Key) -> None:
        """Choose an entry by its own key, or its number in the list."""
        character = event.character or ""
        for index, entry in enumerate(self.entries):
            if character and character in (entry.key, entry.also):
                event.stop()
                self._take(index)
                return
        if capital := next((each for each in self.entries if each.key == character.upper() != character), None):
            event.stop()
            self.query_one(KeyLine).set_caption(CAPITAL.format(key=capital.key, label=capital.label), "warn")

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """Choose the entry that was clicked; a click on the hint closes the dialog."""
        event.stop()
        if event.do == "leave":
            self.dismiss(None)
        else:
            self.entry_list.mark(int(event.do))
            self._take(int(event.do))


class Chip(Panel):
    """The letter of a seat, three rows high, with an explorer in its colour if it fits."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self._seat = seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        role, figure = seat_role(self._seat), seated(self, self._seat)
        chip = [[Span(f"    {letter}    ", role)] for letter in (" ", LETTERS[self._seat], " ")]
        drawn = [[*line, Span("  "), *beside] for line, beside in zip(figure, [[], *chip, []], strict=False)]
        left = (width - max(map(length, drawn or chip))) // 2
        return [[Span(" " * left), *row] for row in drawn or chip]


WITHOUT_GROUND = {"won": "gain", "loud": "warn", "turn": "key", "slot": "strong"}
"""Roles for single signs in the terminal's own colours, whose grounds are glaring."""


class Caption(Panel):
    """Some lines of text in one role."""

    def __init__(
        self,
        text: str,
        role: str,
        *,
        do: str = "",
        id: str | None = None,  # noqa: A002
        roles: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(id=id)
        self._roles = roles or {}
        self._text = text
        self._role = role
        self._do = do

    def set_caption(self, text: str, role: str = "") -> None:
        self._text, self._role = text, role or self._role
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the text, wrapped; the rest of its first line is a supplement."""

        def shown(text: str) -> list[str]:
            centred = self.styles.text_align == "center"
            lines = wrap(text, width, indent="  " * text.startswith("- "))
            return [line.center(width) if centred else line for line in lines]

        first, *more = self._text.split("\n")
        rows: list[Row] = [[Span(line, self._role, self._do)] for line in shown(first)]
        roles = self._roles
        if self.app.current_theme.ansi:
            roles = {word: WITHOUT_GROUND.get(role, role) for word, role in roles.items()}
        return rows + [coloured_words(line, "text", roles, self._do) for text in more for line in shown(text)]


def coloured_words(text: str, role: str, roles: Mapping[str, str], do: str = "") -> Row:
    """Return a line in one role; words, and words that consist of single signs, may have their own.

    >>> [(span.text, span.role) for span in coloured_words("in +- won", "", {"+": "gain", "-": "warn", "won": "tip"})]
    [('in', ''), (' ', ''), ('+', 'gain'), ('-', 'warn'), (' ', ''), ('won', 'tip')]
    """
    if not roles:
        return [Span(text, role, do)]
    row: list[Span] = []
    for word in re.findall(r"\S+|\s+", text):
        pieces = [word] if word in roles or not roles.keys() >= set(word) else word
        row += [Span(piece, roles.get(piece, role), do) for piece in pieces]
    return row


class KeyLine(Caption):
    """Keys and their actions, or for a moment a sentence in their place."""

    def __init__(self, hint: str, keys: Mapping[str, str], *, do: str, id: str | None = None) -> None:  # noqa: A002
        """``hint`` has the form of ``HINT``, ``keys`` are those that it names; a click on it posts ``do``."""
        super().__init__("", "text", do=do, id=id)
        phrases = (phrase.split(" ", 1) for phrase in hint.split(GAP))
        self._hints = [keyed_row(key.format(**keys), words, do) for key, words in phrases]

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return super().rows(width, height) if self._text else flow(self._hints, width, GAP)


def log_entries(face: Face, scene: Scene) -> tuple[list[Entry], int]:
    """Return the whole log, and the index of the first line since the displayed seat's last turn."""
    found = entries(face.log_line, scene.state.log, scene.view)
    start = next((number for number, entry in enumerate(found) if entry.index >= scene.since), len(found))
    made = [
        Entry(_log_words(entry), entry.at or "", gain=entry.gain, role="text" if number >= start else "dim")
        for number, entry in enumerate(found)
    ]
    if 0 < start < len(made) and not scene.over:
        made.insert(start, Entry("--- since your last turn ---", None, enabled=False))
    return made, start


def step_entries(found: Sequence[LogEntry], log: Sequence[LogLine], step: int) -> tuple[list[Entry], int]:
    """Return the log of a replay by steps, later ones dim, and the index of the line at ``step``."""
    steps = [log[entry.index].seq for entry in found]
    made = [
        Entry(_log_words(entry), at, gain=entry.gain, role="text" if at <= step else "dim")
        for entry, at in zip(found, steps, strict=True)
    ]
    return made, max(0, sum(at <= step for at in steps) - 1)


def _log_words(entry: LogEntry) -> str:
    who = f"{LETTERS[entry.seat]} {entry.actor} " if entry.seat is not None and entry.actor else ""
    return f"{who}{entry.text}"
