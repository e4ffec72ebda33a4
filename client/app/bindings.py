"""All keys of the program: what they are after the person's own choice, and which of them clash.

A clash is a key that does two things at once because of ``[keys]`` in the settings file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from textual.binding import Binding, BindingType

from client.program import typed
from client.tui.keymap import Key, Keymap, exists, keys_of, named, remapped, shown, writes

APP_BINDINGS: list[BindingType] = [
    Binding("ctrl+q,ctrl+c", "quit", "Quit", priority=True, show=False, system=True, id="app.quit"),
    Binding(
        "ctrl+z", "suspend_process", "To the shell", priority=True, show=False, system=True, id="app.shell"
    ),
]
"""The keys that hold on every screen."""
WRITING = ("NameScreen", "SettingsScreen", "JoinScreen", "RecordsScreen", "ChatScreen", "NewGameScreen")
"""Where text is typed: what can be written there is no key for anything else."""


class Catalogue:
    """The keys that are listened to at the same time, by the name of the screen; ``heads`` are those of
    games in the list of keys.
    """

    def __init__(self, places: Iterable[tuple[str, Sequence[BindingType]]], heads: Mapping[str, str]) -> None:
        self.places = tuple(places)
        self.heads = heads
        self._keys = tuple((place, tuple(keys_of(bindings))) for place, bindings in self.places)

    @cached_property
    def _sharing(self) -> Mapping[str, set[tuple[str, str]]]:
        """The bindings of each place that have a key in common: one does not hold while the other does."""
        return {place: {(one.id, other.id) for _, one, other in _shared(keys)} for place, keys in self._keys}

    def all_keys(self, keymap: Keymap | None = None) -> list[Key]:
        """Return every binding once."""
        usual = {key.id: key for _, keys in self._keys for key in keys}
        return remapped(usual.values(), keymap or {})

    def clashes(self, keymap: Keymap) -> list[str]:
        """Return the problems of a keymap, one sentence each."""
        if not keymap:
            return []
        known = {key.id for key in self.all_keys()}
        found = [
            f"[keys] has {name!r}, which is not a key binding; {typed('settings --keys')} lists them."
            for name in keymap
            if name not in known
        ]
        found += [
            f"[keys] has {name} = {keys!r}, and there is no key {key!r}; {name} has no key now."
            for name, keys in keymap.items()
            for key in named(keys)
            if not exists(key)
        ]
        for place, usual_keys in self._keys:
            keys = remapped(usual_keys, keymap)
            usual = self._sharing[place]
            found += [
                f"The key {shown([key])} does two things: {one.does} ({one.id}) and {other.does}"
                f" ({other.id}); change one of them in the settings."
                for key, one, other in _shared(keys)
                if (one.id, other.id) not in usual
            ]
            found += [
                f"The key {shown([key])} is typed as text where {each.does} ({each.id}) is;"
                " choose one with ctrl."
                for each in keys
                if each.id in keymap and place in WRITING
                for key in each.keys
                if writes(each.id, key)
            ]
        return list(dict.fromkeys(found))

    def taken(self, keymap: Keymap, binding_id: str) -> dict[str, Key]:
        """Return the keys that this binding cannot have, with what they do where it is."""
        found: dict[str, Key] = {}
        for place, usual_keys in self._keys:
            if any(each.id == binding_id for each in usual_keys):
                usual = self._sharing[place]
                for other in remapped(usual_keys, keymap):
                    pairs = {(binding_id, other.id), (other.id, binding_id)}
                    if other.id != binding_id and not pairs & usual:
                        found.update((key, other) for key in other.keys if key not in found)
        return found

    def is_in_writing(self, binding_id: str) -> bool:
        """Return whether a binding is one of those that hold while text can be typed."""
        return not binding_id.startswith("choice.") and any(
            each.id == binding_id for place, keys in self._keys if place in WRITING for each in keys
        )


def _shared(keys: Sequence[Key]) -> list[tuple[str, Key, Key]]:
    """Return the keys that two bindings have."""
    return [
        (key, one, other)
        for number, one in enumerate(keys)
        for other in keys[number + 1 :]
        for key in one.keys
        if key in other.keys
    ]
