"""Keys by the id of their binding (``game.discover``), remapped by ``[keys]`` in the settings file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace
from textual import events
from textual.binding import Binding, BindingType
from textual.keys import Keys, format_key, key_to_character
from textual.screen import Screen

from client.replay import Control
from client.tui.widgets.bottom_rows import Hint

Keymap = Mapping[str, str]
HintT = TypeVar("HintT", Hint, Control)
_KEYS = frozenset(key.value for key in Keys)
_WORDS = {
    **{key: key for key in ("up", "down", "left", "right", "enter", "space", "backspace")},
    "escape": "esc",
    "delete": "del",
    "pageup": "pgup",
    "pagedown": "pgdn",
}
"""Keys that have no sign on every terminal."""


class Key(NamedTuple):
    id: str
    keys: tuple[str, ...]
    does: str


def keys_of(bindings: Iterable[BindingType]) -> list[Key]:
    found: dict[str, Key] = {}
    for binding in Binding.make_bindings(bindings):
        assert binding.id is not None, f"{binding.action} has no id"
        before = found.get(binding.id, Key(binding.id, (), binding.description)).keys
        found[binding.id] = Key(binding.id, (*before, binding.key), binding.description)
    return list(found.values())


def remapped_keys(keys: Iterable[Key], keymap: Keymap) -> list[Key]:
    return [key._replace(keys=name_keys(keymap[key.id])) if key.id in keymap else key for key in keys]


def name_keys(keys: str) -> tuple[str, ...]:
    """Return a list of keys by Textual's names."""
    bindings = Binding.make_bindings([Binding(keys, "")]) if keys.strip(", ") else ()
    return tuple(binding.key for binding in bindings)


def key_exists(key: str) -> bool:
    """Return whether a terminal has a key of that name, alone or with ctrl and the like."""
    *held, name = key.split("+") if key != "+" else [key]
    alone = len(name) == 1 or name in _KEYS or len(key_to_character(name) or "") == 1
    return alone and all(each in ("ctrl", "shift", "alt", "meta", "super", "hyper") for each in held)


def show_keys(keys: Sequence[str]) -> str:
    return " ".join(_WORDS.get(key) or format_key(key) for key in keys)


def first_key(keymap: Keymap, binding_id: str) -> str:
    """Return the user's own first key for a binding, as in hints; empty for the default one."""
    return show_keys(name_keys(keymap.get(binding_id, ""))[:1])


def live_key(screen: Screen[Any], *ids: str) -> str:
    """Return the first active key of each of these bindings, as in hints; empty without one."""
    found: dict[str | None, str] = {}
    for active in screen.active_bindings.values():
        found.setdefault(active.binding.id, active.binding.key)
    return show_keys([found[each] for each in ids if each in found])


def key_writes_text(binding_id: str, key: str) -> bool:
    """Return whether the key would be typed as text, for a binding of a screen with text input."""
    letter = key_to_character(key)
    # A line of choices takes no text.
    return letter is not None and letter.isprintable() and not binding_id.startswith("choice.")


def bindings_of(screen: type) -> list[BindingType]:
    """Return the bindings of a screen and of its own bases; Textual's have no ids."""
    ours = [each for each in screen.__mro__ if not each.__module__.startswith("textual.")]
    return [binding for each in ours for binding in each.__dict__.get("BINDINGS", ())]


OTHER_LAYOUT = "This key does nothing here. Is another keyboard layout active?"
NO_USE = "The key {key} does nothing here: {{question_mark}} shows the keys."


def of_another_layout(event: events.Key, screen: Screen[Any]) -> bool:
    """Return whether a key outside ASCII is a letter without a binding."""
    letter = event.character or ""
    return letter.isalpha() and event.key not in screen.active_bindings


SIGNS = {"comma": ",", "question_mark": "?"}  # the signs of the keys with these names
OF_BOARDS = {"zoom": "map.zoom_in", "centre": "map.centre"}  # words for keys of a board in a hint


class KeyWords:
    """The bindings of a screen by the words that their action ``do`` gets."""

    def __init__(self, bindings: Iterable[BindingType]) -> None:
        self._bindings = [each for each in bindings if isinstance(each, Binding)]
        self.ids: Mapping[str, str | None] = {
            each.action[4:-2]: each.id for each in self._bindings if each.action.startswith("do(")
        } | OF_BOARDS
        self._by_key = {key: each.id for each in self._bindings for key in each.key.split(",")}
        self.uses = [(each.description, each.tooltip, each.action[4:-2]) for each in self._bindings if each.tooltip]
        """The lines of the palette: the bindings with a description."""

    @cached_property
    def _in_braces(self) -> re.Pattern[str]:
        return re.compile("{(" + "|".join(map(re.escape, self._by_key)) + ")}")

    def hints(self, hints: Sequence[HintT], keymap: Keymap) -> tuple[HintT, ...]:
        if not keymap:
            return tuple(hints)
        return tuple(replace(hint, key=first_key(keymap, self.ids.get(hint.do) or "") or hint.key) for hint in hints)

    def sentence(self, text: str, keymap: Keymap) -> str:
        """Replace the default keys in braces by the user's own."""
        return self._in_braces.sub(lambda found: self.own_key(found[1], keymap), text)

    def own_key(self, usual: str, keymap: Keymap) -> str:
        found = first_key(keymap, self._by_key.get(usual) or "") or usual
        return SIGNS.get(found, found)

    def description_of_word(self, word: str) -> str:
        """Return the description of a word's binding; empty if it has none."""
        return next((each.description for each in self._bindings if each.id == self.ids.get(word)), "")

    def key_of(self, word: str, keymap: Keymap) -> str:
        wanted = self.ids[word] or ""
        usual = next(each.key for each in self._bindings if each.id == wanted)
        return first_key(keymap, wanted) or usual
