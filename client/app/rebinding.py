"""Giving actions other keys: what is possible, what is in the way, and what comes of it."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from client.app.bindings import Catalogue
from client.tui.keymap import Key, Keymap, shown, writes

AT_TABLE = {"game": "At the table"}
ELSEWHERE = {
    "score": "Score sheet",
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
"""The heads of the list, by the first word of the ids. Those of the games stand between these."""
FREE = (
    *string.ascii_lowercase,
    *string.ascii_uppercase,
    *string.digits,
    *(f"f{number}" for number in range(1, 13)),
    # A terminal tells ctrl+h, i, m from backspace, tab and enter no more than ctrl+j from a new line.
    *(f"ctrl+{letter}" for letter in string.ascii_lowercase if letter not in "chijmqz"),
)
"""Keys to offer, where they are free."""
ASK = "Press the new key, or click one that is free. esc goes back."
PALETTE = "ctrl+p"
NOT_EVERYWHERE = "{key} does not work in every terminal: choose a plain key, or one with ctrl."
IS_PALETTE = "{key} opens the palette: choose another key."
IS_TEXT = "{key} types text on this screen: choose a key with ctrl, or f2 to f12."
IS_LEAVE = "esc always goes back: choose another key."
IS_TAKEN = "{key} is taken: {does} ({id}). Choose another key, or change {does} first."
SWAP = "{key} is taken: {does} ({id}). Press it again to swap ({does} becomes {old}), or choose another key."


class Fault(NamedTuple):
    """Why a key cannot be had, and the keymap in which it could (``swap``), the other action getting
    the key that is given up.
    """

    why: str
    swap: Keymap | None = None


class Rebinding:
    """Giving the actions of a catalogue other keys."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def grouped(self, keymap: Keymap) -> list[tuple[str, list[Key]]]:
        """Return all actions with their keys, under the heads of the list."""
        keys = self.catalogue.all_keys(keymap)
        heads = {**AT_TABLE, **self.catalogue.heads, **ELSEWHERE}
        found = [(title, [key for key in keys if _group(key) == name]) for name, title in heads.items()]
        return [(title, members) for title, members in found if members]

    def usual_keys(self) -> Mapping[str, tuple[str, ...]]:
        """Return the keys of all actions as they are without a choice of one's own."""
        return {key.id: key.keys for key in self.catalogue.all_keys()}

    def fault(self, keymap: Keymap, action: Key, key: str, *, more: bool = False) -> Fault | None:
        """Return the reason why an action cannot have this key, or nothing."""
        label = shown([key])
        if key == "escape" and key not in action.keys:
            return Fault(IS_LEAVE)
        if key == PALETTE:
            return Fault(IS_PALETTE.format(key=label))
        if "+" in key.removeprefix("ctrl+"):
            return Fault(NOT_EVERYWHERE.format(key=label))
        if self.catalogue.is_in_writing(action.id) and writes(action.id, key):
            return Fault(IS_TEXT.format(key=label))
        other = self.catalogue.taken(keymap, action.id).get(key)
        if other is None:
            return None
        swap = None if more else self._swapped(keymap, action, key, other)
        words = {"key": label, "does": other.does, "id": other.id, "old": shown(action.keys[:1])}
        return Fault((IS_TAKEN if swap is None else SWAP).format(**words), swap)

    def _swapped(self, keymap: Keymap, action: Key, key: str, other: Key) -> Keymap | None:
        """Return both with the key of the other, if that leads to no clash elsewhere."""
        old = action.keys[0]
        exchanged = tuple(old if each == key else each for each in other.keys)
        swapped = self._with(self._with(keymap, action.id, (key,)), other.id, exchanged)
        clear = key not in self.catalogue.taken(swapped, action.id) and not {*exchanged} & {
            *self.catalogue.taken(swapped, other.id)
        }
        text = self.catalogue.is_in_writing(other.id) and writes(other.id, old)
        return swapped if clear and not text else None

    def given(self, keymap: Keymap, action: Key, key: str, *, more: bool = False) -> Keymap:
        """Return the keymap with this key for the action, in place of those it has or (``more``) beside
        them.
        """
        return self._with(keymap, action.id, tuple(dict.fromkeys((*action.keys, key))) if more else (key,))

    def as_usual(self, keymap: Keymap, action: Key) -> Keymap | Fault:
        """Return the keymap with the usual keys for the action; a Fault where something else has one of
        them now.
        """
        usual = self.usual_keys()[action.id]
        others = self.catalogue.taken(keymap, action.id)
        lost = next((key for key in usual if key in others), None)
        if lost is not None:
            other = others[lost]
            return Fault(IS_TAKEN.format(key=shown([lost]), does=other.does, id=other.id))
        return self._with(keymap, action.id, usual)

    def free_keys(self, keymap: Keymap, action: Key) -> list[str]:
        """Return keys that the action could have."""
        text = self.catalogue.is_in_writing(action.id)
        not_free = {PALETTE, *action.keys, *self.catalogue.taken(keymap, action.id)}
        return [key for key in FREE if key not in not_free and not (text and writes(action.id, key))]

    def _with(self, keymap: Keymap, binding_id: str, keys: Sequence[str]) -> Keymap:
        """Leave out keys that are as usual: they need not be kept."""
        rest = {name: kept for name, kept in keymap.items() if name != binding_id}
        return rest if tuple(keys) == self.usual_keys()[binding_id] else {**rest, binding_id: ",".join(keys)}


def _group(key: Key) -> str:
    return key.id.partition(".")[0]
