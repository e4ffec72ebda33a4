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

    def _commands(self) -> Iterator[tuple[str, str, str, Callable[[], None]]]:
        """Yield each with the name that the setting has in the file, by which it is found, too."""
        app = self.app
        if not isinstance(app, HasSettings):
            return
        preferences = app.preferences
        for setting in games.all_settings():
            if setting.name in preferences.fixed:
                continue
            for value, word in setting.choices.items():
                so = preferences.now.value(setting) == value
                about = f"{setting.about}{' It is set now.' if so else ''}"
                yield (
                    f"{setting.title}: {word}",
                    setting.name,
                    about,
                    partial(app.choose, setting, value),
                )

    async def discover(self) -> Hits:
        """Yield the screen of all settings, before a letter is typed."""
        if (do := self._screen()) is not None:
            yield Hit(1.0, TITLE, do, text=TITLE, help=ABOUT)

    def _screen(self) -> Callable[[], None] | None:
        """Return the function that opens the settings, where they can be opened."""
        app = self.app
        return app.open_settings if isinstance(app, HasSettings) and not self.screen.is_modal else None

    async def search(self, query: str) -> Hits:
        """Yield the settings that match."""
        matcher = self.matcher(query)
        found, do = matcher.match(TITLE), self._screen()
        if found > 0 and do is not None:
            yield Hit(found, matcher.highlight(TITLE), do, help=ABOUT)
        for text, name, about, do in self._commands():
            score = max(matcher.match(text), matcher.match(name))
            if score > 0:
                yield Hit(score, matcher.highlight(text), do, help=about)
