"""Words and the keys that do them: what hints and sentences name, after the keys that a person has chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace
from textual import events
from textual.binding import Binding, BindingType
from textual.screen import Screen

from client.tui.keymap import Keymap, first_key
from client.tui.widgets.hints import Hint

OTHER_LAYOUT = "This key does nothing here. Is another keyboard layout active?"


def of_another_layout(event: events.Key, screen: Screen[Any]) -> bool:
    """Return whether a key is a letter outside ASCII that is bound to nothing."""
    letter = event.character or ""
    return letter.isalpha() and not letter.isascii() and event.key not in screen.active_bindings


OF_BOARDS = {"zoom": "map.zoom_in", "centre": "map.centre"}
"""Words that a hint may have for keys of a board."""


class KeyWords:
    """The bindings of a screen by the words that their action ``do`` gets."""

    def __init__(self, bindings: Iterable[BindingType]) -> None:
        self._bindings = [each for each in bindings if isinstance(each, Binding)]
        self.ids: Mapping[str, str | None] = {
            each.action[4:-2]: each.id for each in self._bindings if each.action.startswith("do(")
        } | OF_BOARDS
        self._by_key = {key: each.id for each in self._bindings for key in each.key.split(",")}
        self.uses = [
            (each.description, each.tooltip, each.action[4:-2]) for each in self._bindings if each.tooltip
        ]
        """The lines of the palette: the bindings that say what they are for."""

    @cached_property
    def _in_braces(self) -> re.Pattern[str]:
        return re.compile("{(" + "|".join(map(re.escape, self._by_key)) + ")}")

    def hints(self, hints: Sequence[Hint], keymap: Keymap) -> tuple[Hint, ...]:
        """Return the hints with the keys that the person has chosen."""
        if not keymap:
            return tuple(hints)
        return tuple(
            replace(hint, key=first_key(keymap, self.ids.get(hint.do) or "") or hint.key) for hint in hints
        )

    def sentence(self, text: str, keymap: Keymap) -> str:
        """Return a sentence with the keys that the person has chosen, in which the usual ones stand in
        braces.
        """
        return self._in_braces.sub(lambda found: self.key(found[1], keymap), text)

    def key(self, usual: str, keymap: Keymap) -> str:
        """Return the key that does what the ``usual`` one does."""
        return first_key(keymap, self._by_key.get(usual) or "") or usual

    def does(self, word: str) -> str:
        """Say what a word does, as its binding does; nothing where it has none."""
        return next((each.description for each in self._bindings if each.id == self.ids.get(word)), "")

    def key_of(self, word: str, keymap: Keymap) -> str:
        """Return the key that does what a word says."""
        wanted = self.ids[word] or ""
        usual = next(each.key for each in self._bindings if each.id == wanted)
        return first_key(keymap, wanted) or usual
