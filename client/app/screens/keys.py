"""Custom keys: the list of all actions with their keys, and the dialog for a new key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.app.key_bindings import ASK, Fault, KeyBindings, SettingChanged
from client.settings.schema import Preferences
from client.tui.closing_screen import ClosingOnce
from client.tui.keymap import Key, Keymap, show_keys
from client.tui.widgets.clickable_text import HintBar, KeyHint, TapHint
from client.tui.widgets.dialog_box import SHRINKS, Box, BoxScreen, Clearing
from client.tui.widgets.form_fields import Choices
from client.tui.widgets.panel import Panel, Row, Span, cut_off, flow, keyed_row, wrap
from client.tui.widgets.panes import TitleBar

KEPT = "{does} is {keys} now."
SURE = "Again for all defaults: the keys that you have chosen are lost."
ALL_USUAL = "All keys are back to their defaults."
NAMED = 80  # columns from which the settings file's names for the actions fit
CHANGED = "*"  # marks a changed value


class KeysScreen(ClosingOnce[None]):
    """A line per action; changes apply and are saved at once."""

    CSS_PATH = "keys.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus", "change(True)", "One more key", id="keys.more"),
        Binding("backspace,delete", "usual", "Default", id="keys.usual"),
        Binding("ctrl+r", "all_usual", "All defaults", id="keys.all_usual"),
        Binding("escape", "back", "Back", id="keys.back"),
    ]

    def __init__(self, preferences: Preferences, catalogue: KeyBindings, *, glyphs: str = "unicode") -> None:
        super().__init__()
        self.preferences = preferences
        self._catalogue = catalogue
        self._line = "-" if glyphs == "ascii" else "─"

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield TitleBar("Keys", id="title")
            yield Choices(id="list")
            yield Static("", id="message", markup=False)
            with HintBar(id="hints"):
                yield TapHint("enter", "New key")
                yield KeyHint("keys.more", "One more")
                yield KeyHint("keys.usual", "Default")
                yield KeyHint("keys.all_usual", "All defaults")
                yield KeyHint("keys.back", "Back")

    def on_mount(self) -> None:
        self._fill_key_list()
        listed = self.query_one("#list", OptionList)
        listed.focus()
        listed.action_first()

    @property
    def _keymap(self) -> Keymap:
        return self.preferences.now.keys

    def _fill_key_list(self) -> None:
        options = []
        for title, keys in self._catalogue.keys_by_heading(self._keymap):
            head = Content.styled(f" {title.upper()}", "$text-primary bold")
            options += [Option(head, disabled=True), *(Option(self._key_row(key), id=key.id) for key in keys)]
        self.query_one("#list", Choices).fill(options)

    def _key_row(self, key: Key) -> Content:
        mark = CHANGED if key.id in self._keymap else " "
        if self.app.size.width < NAMED:
            return Content.assemble((f"  {mark} {show_keys(key.keys):<9} ", "$text-accent bold"), key.does)
        return Content.assemble(
            (f"  {mark} {show_keys(key.keys):<21.21} ", "$text-accent bold"),
            (f"{key.does:<32.32} ", ""),
            (key.id, "$text-muted"),
        )

    def on_resize(self) -> None:
        self._fill_key_list()

    def _chosen_key(self) -> Key | None:
        listed = self.query_one("#list", OptionList)
        if listed.highlighted is None:
            return None
        name = listed.get_option_at_index(listed.highlighted).id
        keys = (key for _, members in self._catalogue.keys_by_heading(self._keymap) for key in members)
        return next((key for key in keys if key.id == name), None)

    def action_change(self, more: bool = False) -> None:
        key = self._chosen_key()
        if key is not None:
            self.app.push_screen(
                PressScreen(self._catalogue, self._keymap, key, more=more, line=self._line), self._use_keymap
            )

    def action_usual(self) -> None:
        key = self._chosen_key()
        if key is not None:
            found = self._catalogue.with_usual_keys(self._keymap, key)
            if isinstance(found, Fault):
                self.show_message(found.why)
            else:
                self._use_keymap(found)

    def action_all_usual(self) -> None:
        """Reset all keys; asks twice, as custom keys are lost."""
        if self.preferences.now.keys and self.query_one("#message", Static).content != SURE:
            self.show_message(SURE)
            return
        self._use_keymap({})
        self.show_message(str(self.query_one("#message", Static).content) or ALL_USUAL)

    def _use_keymap(self, keymap: Keymap | None) -> None:
        if keymap is None:
            return
        problem = self.preferences.change(keys=dict(keymap))
        self.post_message(SettingChanged("keys"))
        self._fill_key_list()
        key = self._chosen_key()
        told = KEPT.format(does=key.does, keys=show_keys(key.keys)) if key is not None and keymap else ""
        self.show_message(problem or told)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_change()


class PressScreen(BoxScreen["Keymap | None"]):
    """Assigns the next free key to an action, ``more``: besides others; returns the new keymap or None."""

    CSS_PATH = "keys.tcss"
    AUTO_FOCUS = ""

    def __init__(
        self, catalogue: KeyBindings, keymap: Keymap, key: Key, *, more: bool = False, line: str = "─"
    ) -> None:
        super().__init__(line=line)
        self._catalogue = catalogue
        self._keymap = keymap
        self.key = key
        self.more = more
        self.free = catalogue.free_keys(keymap, key)
        self.can_reset = key.id in keymap
        self.refused = ""  # the last refused key
        self.fault: Fault | None = None  # why it was refused

    def compose(self) -> ComposeResult:
        with Clearing(), Box(id="box"):
            yield Question(line=self._line, classes=SHRINKS)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape" and "escape" not in self.key.keys:
            self.dismiss(None)
        else:
            self._take_key(event.key)

    def _take_key(self, key: str) -> None:
        if self.fault is not None and self.fault.swap is not None and key == self.refused:
            self.dismiss(self.fault.swap)
            return
        self.refused, self.fault = key, self._catalogue.why_key_is_refused(self._keymap, self.key, key, more=self.more)
        if self.fault is None:
            self.dismiss(self._catalogue.keymap_with_key(self._keymap, self.key, key, more=self.more))
        self.query_one(Question).refill()

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        event.stop()
        match event.do.split(" "):
            case ["key", key]:
                self._take_key(key)
            case ["more"]:
                self.more = not self.more
                self.query_one(Question).refill()
            case ["usual"]:
                found = self._catalogue.with_usual_keys(self._keymap, self.key)
                if isinstance(found, Fault):
                    self.refused, self.fault = "", found
                    self.query_one(Question).refill()
                else:
                    self.dismiss(found)
            case _:
                self.dismiss(None)


class Question(Panel):
    """The question, the fault of the last answer, and the free keys."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the question, the free keys that fit, and the clickable actions."""
        asked = self.screen
        assert isinstance(asked, PressScreen)
        fault, keys = asked.fault, show_keys(asked.key.keys)
        how = f"{keys} and one more key" if asked.more else f"now {keys}"
        rows: list[Row] = [[Span(f"{asked.key.does}: {how}", "title")], []]
        said, role = (fault.why, "warn") if fault else (ASK, "text")
        rows += [[Span(line, role)] for line in wrap(said, width)]
        free = flow([[Span(show_keys([key]), "key", f"key {key}")] for key in asked.free], width)
        others = [keyed_row("esc", "back", "back")]
        if fault and fault.swap is not None:
            others.append(keyed_row(show_keys([asked.refused]), "swap", f"key {asked.refused}"))
        # Brackets mark actions without a key: they can only be clicked.
        if asked.can_reset:
            others.append([Span("[ default ]", "text", "usual")])
        other = f"in place of {keys}" if asked.more else "one more key"
        others.append([Span(f"[ {other} ]", "text", "more")])
        last = flow(others, width, "   ")
        if not height or len(rows) + len(free) + len(last) + 2 <= height:
            return [*rows, [], *free, [], *last]
        rows = [row for row in rows if row]
        return [*rows, *cut_off(free, width, max(0, height - len(rows) - len(last))), *last]
