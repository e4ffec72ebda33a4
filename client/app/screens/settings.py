"""The settings screen, built from the schema; changes apply and are saved at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Hit, Hits, Provider
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from client import games
from client.app.key_bindings import KeyBindings, SettingChanged
from client.settings.schema import Preferences, Setting, Value
from client.tui.closing_screen import ClosingOnce
from client.tui.widgets.clickable_text import HintBar, KeyHint, Tap
from client.tui.widgets.dialog_box import Card
from client.tui.widgets.form_fields import Cycle, Field, Lines, line
from client.tui.widgets.panes import TitleBar

NO_KEYS = "All keys have their defaults."
MOST_KEYS = 20  # number of changed keys to list


class SettingsScreen(ClosingOnce[None]):
    """A line per setting, under the headings of the schema."""

    CSS_PATH = "settings.tcss"
    # Not the name field: an early key press must not change it.
    AUTO_FOCUS = "Cycle"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="settings.back"),
        # With priority also over the name field, which would handle them itself.
        Binding("ctrl+k", "keys", "Keys", id="settings.keys", priority=True),
        Binding("down", "app.focus_next", "Next", show=False, id="settings.next", priority=True),
        Binding("up", "app.focus_previous", "Previous", show=False, id="settings.previous", priority=True),
        Binding("pagedown", "far(1)", "Further down", show=False, id="settings.page_down"),
        Binding("pageup", "far(-1)", "Further up", show=False, id="settings.page_up"),
    ]

    def __init__(self, preferences: Preferences, catalogue: KeyBindings, *, glyphs: str = "unicode") -> None:
        super().__init__()
        self.preferences = preferences
        self._catalogue = catalogue
        self._settings = [each for each in games.all_settings() if each.on_screen]
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield TitleBar("Settings", id="title")
            with Lines(id="list"):
                for head, settings in groupby(self._settings, key=lambda setting: setting.group):
                    with Card():
                        yield Static(head.upper(), classes="head")
                        for setting in settings:
                            yield self._setting_line(setting)
                with Card():
                    yield Static("KEYS", classes="head")
                    yield Tap("Other keys ...", "keys", id="change-keys")
                    yield Static("", id="keys", classes="keys", markup=False)
                    yield Static("", id="clashes", classes="clash", markup=False)
            yield Static("", id="about", markup=False)
            yield Static("\n".join(self.preferences.problems), id="message", markup=False)
            with HintBar(id="hints"):
                yield KeyHint("settings.previous settings.next", "Choose")
                yield KeyHint("choice.previous choice.next", "Change")
                yield KeyHint("settings.keys", "Keys")
                yield KeyHint("settings.back", "Back")

    def _setting_line(self, setting: Setting) -> Widget:
        value, name = self.preferences.now.value(setting), setting.field
        field: Cycle | Input
        if setting.choices:
            field = Cycle(list(setting.choices.items()), value, glyphs=self._glyphs, id=name)
        else:
            # the name in use as long as none is set
            shown = self.preferences.now.played_as if name == "name" else ""
            field = Field(str(value), placeholder=shown, select_on_focus=False, id=name)
        field.disabled = setting.name in self.preferences.fixed
        by = f"set by {setting.variable}" if field.disabled else ""
        return line(f" {setting.title}", field, Static(by, classes="set", markup=False))

    def on_mount(self) -> None:
        """List the keys that differ from their defaults."""
        self._show_keys()

    def on_screen_resume(self) -> None:
        """Refresh the settings: they may have changed."""
        if self.is_mounted:
            self._show_keys()

    def _show_keys(self) -> None:
        from client.tui.keymap import show_keys

        keys = self.preferences.now.keys
        changed = [key for key in self._catalogue.all_keys(keys) if key.id in keys] if keys else []
        lines = [f"{show_keys(key.keys):<12} {key.does} ({key.id})" for key in changed[:MOST_KEYS]]
        self.query_one("#keys", Static).update("\n".join(lines) or NO_KEYS)
        self.query_one("#clashes", Static).update("\n".join(self._catalogue.key_clashes(keys)))

    def action_keys(self) -> None:
        from client.app.screens.keys import KeysScreen

        self.app.push_screen(KeysScreen(self.preferences, self._catalogue, glyphs=self._glyphs))

    def action_far(self, pages: int) -> None:
        """Move by pages, up if negative; stop at the first and the last setting."""
        chain = self.focus_chain
        if self.focused in chain:
            room = max(1, self.query_one("#list").size.height - 2)
            at = chain.index(self.focused) + pages * room
            self.set_focus(chain[max(0, min(at, len(chain) - 1))])

    def _setting_of_widget(self, widget: Widget | None) -> Setting | None:
        name = widget.id if widget is not None else None
        return next((setting for setting in self._settings if setting.field == name), None)

    def _change(self, setting: Setting, value: Value) -> None:
        problem = self.preferences.set(setting, value)
        self.show_message(problem)
        self.post_message(SettingChanged(setting.name))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        setting = self._setting_of_widget(event.widget)
        self.query_one("#about", Static).update(setting.about if setting is not None else "")

    @on(Cycle.Changed)
    def _cycled(self, event: Cycle.Changed) -> None:
        setting = self._setting_of_widget(event.cycle)
        if setting is not None:
            self._change(setting, event.value)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        if self._take_field(event.input):
            self.focus_next()

    @on(Input.Blurred)
    def _left(self, event: Input.Blurred) -> None:
        self._take_field(event.input)

    def _take_field(self, field: Input) -> bool:
        setting, text = self._setting_of_widget(field), field.value.strip()
        if setting is None or text == self.preferences.now.value(setting):
            return True
        wrong = setting.problem(text) if text else ""
        if wrong:
            self.show_message(wrong)
        else:
            self._change(setting, text)
        return not wrong


TITLE, ABOUT = "Settings", "colours, signs, questions, keys"


class SettingsCommands(Provider):
    """Palette commands such as ``Colours: nord``, current values marked."""

    def _setting_lines(self) -> Iterator[tuple[str, str, str, Callable[[], None]]]:
        app: Any = self.app  # CaveApp: no other app has these commands
        if not self.screen.is_modal:
            yield TITLE, TITLE, ABOUT, app.open_settings
        preferences = app.preferences
        for setting in (each for each in games.all_settings() if each.on_screen):
            if setting.name in preferences.fixed:
                continue
            for value, word in setting.choices.items():
                so = preferences.now.value(setting) == value
                about = f"{setting.about}{' It is set now.' if so else ''}"
                yield f"{setting.title}: {word}", setting.name, about, partial(app.choose_setting, setting, value)

    async def discover(self) -> Hits:
        for text, _, about, do in self._setting_lines():
            if text == TITLE:
                yield Hit(1.0, text, do, text=text, help=about)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for text, name, about, do in self._setting_lines():
            score = max(matcher.match(text), matcher.match(name))
            if score > 0:
                yield Hit(score, matcher.highlight(text), do, help=about)
