"""Keys by the id of their binding, and what is shown of a remapped key.

Every binding has an id, ``game.discover`` for instance; ``[keys]`` in the settings file gives it other keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import Keys, format_key, key_to_character
from textual.screen import Screen

Keymap = Mapping[str, str]
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
    """A binding: its id, its keys, and what it does."""

    id: str
    keys: tuple[str, ...]
    does: str


def keys_of(bindings: Iterable[BindingType], keymap: Keymap | None = None) -> list[Key]:
    """Return the bindings with their keys, after the keymap."""
    found: dict[str, Key] = {}
    for binding in Binding.make_bindings(bindings):
        assert binding.id is not None, f"{binding.action} has no id"
        before = found.get(binding.id, Key(binding.id, (), binding.description)).keys
        found[binding.id] = Key(binding.id, (*before, binding.key), binding.description)
    return remapped(found.values(), keymap or {})


def remapped(keys: Iterable[Key], keymap: Keymap) -> list[Key]:
    """Return the keys after the keymap."""
    return [key._replace(keys=named(keymap[key.id])) if key.id in keymap else key for key in keys]


def named(keys: str) -> tuple[str, ...]:
    """Return a list of keys with the names that the library has for them."""
    bindings = Binding.make_bindings([Binding(keys, "")]) if keys.strip(", ") else ()
    return tuple(binding.key for binding in bindings)


def exists(key: str) -> bool:
    """Return whether a terminal has a key of that name, alone or with ctrl and the like."""
    *held, name = key.split("+") if key != "+" else [key]
    alone = len(name) == 1 or name in _KEYS or len(key_to_character(name) or "") == 1
    return alone and all(each in ("ctrl", "shift", "alt", "meta", "super", "hyper") for each in held)


def shown(keys: Sequence[str]) -> str:
    """Return the keys as hints show them."""
    return " ".join(_WORDS.get(key) or format_key(key) for key in keys)


def first_key(keymap: Keymap, binding_id: str) -> str:
    """Return the key that the person has chosen for a binding, as hints show it; empty for the usual one."""
    return shown(named(keymap.get(binding_id, ""))[:1])


def live(screen: Screen[Any], *ids: str) -> str:
    """Return the first key of each of these bindings as hints show it; empty where none does anything now."""
    found: dict[str | None, str] = {}
    for active in screen.active_bindings.values():
        found.setdefault(active.binding.id, active.binding.key)
    return shown([found[each] for each in ids if each in found])


def writes(binding_id: str, key: str) -> bool:
    """Return whether the key would be text, for a binding of a screen where text is typed."""
    letter = key_to_character(key)
    # A line of choices takes no text.
    return letter is not None and letter.isprintable() and not binding_id.startswith("choice.")


def bindings_of(screen: type) -> list[BindingType]:
    """Return the bindings of a screen and of its own bases; those of the library have no ids."""
    ours = [each for each in screen.__mro__ if not each.__module__.startswith("textual.")]
    return [binding for each in ours for binding in each.__dict__.get("BINDINGS", ())]
