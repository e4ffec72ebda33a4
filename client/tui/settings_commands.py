"""The command palette everywhere: every value of every setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import Hit, Hits, Provider

from client.settings import SETTINGS, value_of
from client.tui.app import CaveApp


class SettingsCommands(Provider):
    """``Colours: nord`` and the like; what is so already says so."""

    def _commands(self) -> Iterator[tuple[str, str, str, Callable[[], None]]]:
        """Each with the name that the setting has in the file, by which it is found, too."""
        app = self.app
        if not isinstance(app, CaveApp):
            return
        preferences = app.preferences
        for setting in SETTINGS:
            if setting.name in preferences.fixed:
                continue
            for value, word in setting.choices.items():
                so = value_of(preferences.now, setting) == value
                about = f"{setting.about}{' It is set now.' if so else ''}"
                yield (
                    f"{setting.title}: {word}",
                    setting.name,
                    about,
                    partial(app.choose, setting.name, value),
                )

    async def search(self, query: str) -> Hits:
        """What matches."""
        matcher = self.matcher(query)
        for text, name, about, do in self._commands():
            score = max(matcher.match(text), matcher.match(name))
            if score > 0:
                yield Hit(score, matcher.highlight(text), do, help=about)
