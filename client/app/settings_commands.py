"""The command palette everywhere: every value of every setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import Hit, Hits, Provider

from client import games
from client.settings.schema import Preferences, Setting, Value


@runtime_checkable
class HasSettings(Protocol):
    """An app whose settings can be changed."""

    preferences: Preferences

    def choose(self, setting: Setting, value: Value) -> None:
        """Give a setting another value."""
        ...

    def open_settings(self) -> None:
        """Show the screen of all settings."""
        ...


TITLE, ABOUT = "Settings", "colours, signs, questions, keys"


class SettingsCommands(Provider):
    """``Colours: nord`` and the like; what is so already says so."""

    def _lines(self) -> Iterator[tuple[str, str, str, Callable[[], None]]]:
        """Yield text, name in the file, help and callback of each line, the screen of all settings first."""
        app = self.app
        if not isinstance(app, HasSettings):
            return
        if not self.screen.is_modal:
            yield TITLE, TITLE, ABOUT, app.open_settings
        preferences = app.preferences
        for setting in games.all_settings():
            if setting.name in preferences.fixed:
                continue
            for value, word in setting.choices.items():
                so = preferences.now.value(setting) == value
                about = f"{setting.about}{' It is set now.' if so else ''}"
                yield f"{setting.title}: {word}", setting.name, about, partial(app.choose, setting, value)

    async def discover(self) -> Hits:
        """Yield the screen of all settings, before a letter is typed."""
        for text, _, about, do in self._lines():
            if text == TITLE:
                yield Hit(1.0, text, do, text=text, help=about)

    async def search(self, query: str) -> Hits:
        """Yield the lines that match."""
        matcher = self.matcher(query)
        for text, name, about, do in self._lines():
            score = max(matcher.match(text), matcher.match(name))
            if score > 0:
                yield Hit(score, matcher.highlight(text), do, help=about)
