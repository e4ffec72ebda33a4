"""All key bindings of the program, their conflicts, and how users change them."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message

from client.system import command_as_typed
from client.tui.keymap import Key, Keymap, key_exists, key_writes_text, keys_of, name_keys, remapped_keys, show_keys

APP_BINDINGS: list[BindingType] = [
    Binding("ctrl+q,ctrl+c", "quit", "Quit", priority=True, show=False, system=True, id="app.quit"),
    Binding("ctrl+z", "suspend_process", "To the shell", priority=True, show=False, system=True, id="app.shell"),
]
WRITING = ("NameScreen", "SettingsScreen", "JoinScreen", "RecordsScreen", "ChatScreen", "NewGameScreen")
"""Screens with text fields: a printable character cannot be a key there."""


AT_TABLE = {"game": "At the table"}
ELSEWHERE = {
    "score": "Score sheet",
    "poster": "Poster",
    "replay": "Replay",
    "jump": "Going to a turn of a replay",
    "help": "Help",
    "chooser": "Lists and questions",
    "chat": "Chat",
    "menu": "Menu",
    "new_game": "New game",
    "choice": "Choices in forms",
    "join": "Join and watch",
    "lobby": "Waiting for players",
    "moment": "One moment",
    "name": "Your name",
    "records": "Choosing a record",
    "settings": "Settings",
    "keys": "Keys",
    "app": "Everywhere",
}
"""Headings of the key list, by the first word of the ids. The games' headings go between them."""
FREE = (
    *string.ascii_lowercase,
    *string.ascii_uppercase,
    *string.digits,
    *(f"f{number}" for number in range(1, 13)),
    # Terminals send ctrl+h, i, m as backspace, tab and enter, and ctrl+j as a newline.
    *(f"ctrl+{letter}" for letter in string.ascii_lowercase if letter not in "chijmqz"),
)
"""Keys to offer if they are free."""
ASK = "Press the new key, or click one that is free. esc goes back."
PALETTE = "ctrl+p"
NOT_EVERYWHERE = "{key} does not work in every terminal: choose a plain key, or one with ctrl."
IS_PALETTE = "{key} opens the palette: choose another key."
IS_TEXT = "{key} types text on this screen: choose a key with ctrl, or f2 to f12."
IS_LEAVE = "esc always goes back: choose another key."
IS_TAKEN = "{key} is taken: {does} ({id}). Choose another key, or change {does} first."
SWAP = "{key} is taken: {does} ({id}). Press it again to swap ({does} becomes {old}), or choose another key."


class Fault(NamedTuple):
    """Why a key cannot be used, and the keymap that swaps it with the other action's key (``swap``)."""

    why: str
    swap: Keymap | None = None


class KeyBindings:
    """The keys that are active at the same time, by screen; ``heads`` are the headings of the games."""

    def __init__(self, places: Iterable[tuple[str, Sequence[BindingType]]], heads: Mapping[str, str]) -> None:
        self.places = tuple(places)
        self.heads = heads
        self._keys = tuple((place, tuple(keys_of(bindings))) for place, bindings in self.places)

    @cached_property
    def _bindings_by_shared_key(self) -> Mapping[str, set[tuple[str, str]]]:
        """Bindings of the same place that share a key: only one of them is active at a time."""
        return {place: {(one.id, other.id) for _, one, other in _shared(keys)} for place, keys in self._keys}

    def all_keys(self, keymap: Keymap | None = None) -> list[Key]:
        usual = {key.id: key for _, keys in self._keys for key in keys}
        return remapped_keys(usual.values(), keymap or {})

    def key_clashes(self, keymap: Keymap) -> list[str]:
        if not keymap:
            return []
        known = {key.id for key in self.all_keys()}
        found = [
            f"[keys] has {name!r}, which is not a key binding; {command_as_typed('settings --keys')} lists them."
            for name in keymap
            if name not in known
        ]
        found += [
            f"[keys] has {name} = {keys!r}, and there is no key {key!r}; {name} has no key now."
            for name, keys in keymap.items()
            for key in name_keys(keys)
            if not key_exists(key)
        ]
        for place, usual_keys in self._keys:
            keys = remapped_keys(usual_keys, keymap)
            usual = self._bindings_by_shared_key[place]
            found += [
                f"The key {show_keys([key])} does two things: {one.does} ({one.id}) and {other.does}"
                f" ({other.id}); change one of them in the settings."
                for key, one, other in _shared(keys)
                if (one.id, other.id) not in usual
            ]
            found += [
                f"The key {show_keys([key])} is typed as text where {each.does} ({each.id}) is; choose one with ctrl."
                for each in keys
                if each.id in keymap and place in WRITING
                for key in each.keys
                if key_writes_text(each.id, key)
            ]
        return list(dict.fromkeys(found))

    def taken(self, keymap: Keymap, binding_id: str) -> dict[str, Key]:
        """Return the keys that this binding cannot use, with the actions that have them."""
        found: dict[str, Key] = {}
        for place, usual_keys in self._keys:
            if any(each.id == binding_id for each in usual_keys):
                usual = self._bindings_by_shared_key[place]
                for other in remapped_keys(usual_keys, keymap):
                    pairs = {(binding_id, other.id), (other.id, binding_id)}
                    if other.id != binding_id and not pairs & usual:
                        found.update((key, other) for key in other.keys if key not in found)
        return found

    def is_in_writing(self, binding_id: str) -> bool:
        """Return whether a binding also works while the user types text."""
        return not binding_id.startswith("choice.") and any(
            each.id == binding_id for place, keys in self._keys if place in WRITING for each in keys
        )

    # Changing keys

    def keys_by_heading(self, keymap: Keymap) -> list[tuple[str, list[Key]]]:
        """Return all actions with their keys, grouped by the headings of the list."""
        keys = self.all_keys(keymap)
        heads = {**AT_TABLE, **self.heads, **ELSEWHERE}
        found = [(title, [key for key in keys if key.id.startswith(f"{name}.")]) for name, title in heads.items()]
        return [(title, members) for title, members in found if members]

    def usual_keys(self) -> Mapping[str, tuple[str, ...]]:
        return {key.id: key.keys for key in self.all_keys()}

    def why_key_is_refused(self, keymap: Keymap, action: Key, key: str, *, more: bool = False) -> Fault | None:
        """Return the reason why an action cannot have this key, or None."""
        label = show_keys([key])
        if key == "escape" and key not in action.keys:
            return Fault(IS_LEAVE)
        if key == PALETTE:
            return Fault(IS_PALETTE.format(key=label))
        if "+" in key.removeprefix("ctrl+"):
            return Fault(NOT_EVERYWHERE.format(key=label))
        if self.is_in_writing(action.id) and key_writes_text(action.id, key):
            return Fault(IS_TEXT.format(key=label))
        other = self.taken(keymap, action.id).get(key)
        if other is None:
            return None
        swap = None if more else self._swap_keys(keymap, action, key, other)
        words = {"key": label, "does": other.does, "id": other.id, "old": show_keys(action.keys[:1])}
        return Fault((IS_TAKEN if swap is None else SWAP).format(**words), swap)

    def _swap_keys(self, keymap: Keymap, action: Key, key: str, other: Key) -> Keymap | None:
        old = action.keys[0]
        exchanged = tuple(old if each == key else each for each in other.keys)
        swapped = self._keymap_with(self._keymap_with(keymap, action.id, (key,)), other.id, exchanged)
        clear = key not in self.taken(swapped, action.id) and not {*exchanged} & {*self.taken(swapped, other.id)}
        text = self.is_in_writing(other.id) and key_writes_text(other.id, old)
        return swapped if clear and not text else None

    def keymap_with_key(self, keymap: Keymap, action: Key, key: str, *, more: bool = False) -> Keymap:
        """Return the keymap with this key for the action, instead of or (``more``) besides its other keys."""
        return self._keymap_with(keymap, action.id, tuple(dict.fromkeys((*action.keys, key))) if more else (key,))

    def with_usual_keys(self, keymap: Keymap, action: Key) -> Keymap | Fault:
        """Return the keymap with the action's default keys; a Fault if another action has one of them."""
        usual = self.usual_keys()[action.id]
        others = self.taken(keymap, action.id)
        lost = next((key for key in usual if key in others), None)
        if lost is not None:
            other = others[lost]
            return Fault(IS_TAKEN.format(key=show_keys([lost]), does=other.does, id=other.id))
        return self._keymap_with(keymap, action.id, usual)

    def free_keys(self, keymap: Keymap, action: Key) -> list[str]:
        text = self.is_in_writing(action.id)
        not_free = {PALETTE, *action.keys, *self.taken(keymap, action.id)}
        return [key for key in FREE if key not in not_free and not (text and key_writes_text(action.id, key))]

    def _keymap_with(self, keymap: Keymap, binding_id: str, keys: Sequence[str]) -> Keymap:
        """Return the keymap with these keys for a binding. Default keys are not saved."""
        rest = {name: kept for name, kept in keymap.items() if name != binding_id}
        return rest if tuple(keys) == self.usual_keys()[binding_id] else {**rest, binding_id: ",".join(keys)}


def _shared(keys: Sequence[Key]) -> list[tuple[str, Key, Key]]:
    return [
        (key, one, other)
        for number, one in enumerate(keys)
        for other in keys[number + 1 :]
        for key in one.keys
        if key in other.keys
    ]


class SettingChanged(Message):
    """The setting of this name has a new value."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
