"""Keys by the id of their binding: what is shown of a remapped key, and which keys clash.

Every binding has an id, ``game.discover`` for instance; ``[keys]`` in the settings file gives it other
keys. A clash is a key that does two things at once because of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import Keys, format_key, key_to_character
from textual.screen import Screen

from client.program import typed

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
WRITING = ("NameScreen", "SettingsScreen", "JoinScreen", "RecordsScreen", "ChatScreen", "NewGameScreen")
"""Where text is typed: what can be written there is no key for anything else."""


class Key(NamedTuple):
    """A binding: its id, its keys, and what it does."""

    id: str
    keys: tuple[str, ...]
    does: str


def keys_of(bindings: Iterable[BindingType], keymap: Keymap | None = None) -> list[Key]:
    """The bindings with their keys, after the keymap."""
    found: dict[str, Key] = {}
    for binding in Binding.make_bindings(bindings):
        assert binding.id is not None, f"{binding.action} has no id"
        before = found.get(binding.id, Key(binding.id, (), binding.description)).keys
        found[binding.id] = Key(binding.id, (*before, binding.key), binding.description)
    return _remapped(found.values(), keymap or {})


def _remapped(keys: Iterable[Key], keymap: Keymap) -> list[Key]:
    """The keys after the keymap."""
    return [key._replace(keys=_named(keymap[key.id])) if key.id in keymap else key for key in keys]


def _named(keys: str) -> tuple[str, ...]:
    """A list of keys with the names that the library has for them."""
    named = Binding.make_bindings([Binding(keys, "")]) if keys.strip(", ") else ()
    return tuple(binding.key for binding in named)


def _exists(key: str) -> bool:
    """Whether a terminal has a key of that name, alone or with ctrl and the like."""
    *held, name = key.split("+") if key != "+" else [key]
    alone = len(name) == 1 or name in _KEYS or len(key_to_character(name) or "") == 1
    return alone and all(each in ("ctrl", "shift", "alt", "meta", "super", "hyper") for each in held)


def shown(keys: Sequence[str]) -> str:
    """The keys as hints show them."""
    return " ".join(_WORDS.get(key) or format_key(key) for key in keys)


def first_key(keymap: Keymap, binding_id: str) -> str:
    """The key that the person has chosen for a binding, as hints show it; empty for the usual one."""
    return shown(_named(keymap.get(binding_id, ""))[:1])


def live(screen: Screen[Any], *ids: str) -> str:
    """The first key of each of these bindings as hints show it; empty where none does anything now."""
    found: dict[str | None, str] = {}
    for active in screen.active_bindings.values():
        found.setdefault(active.binding.id, active.binding.key)
    return shown([found[each] for each in ids if each in found])


def places() -> Iterator[tuple[str, list[BindingType]]]:
    """What listens to keys at the same time, by the name of the screen."""
    from client.app.app import CaveApp
    from client.app.screens import join, keys, lobby, menu, moment, new_game, records, settings
    from client.games.the_cave.screen import alarm, exchange, game, packing, replay
    from client.games.the_cave.screen.widgets.cave_map import CaveMap
    from client.tui.screens import chat, chooser, jump, score
    from client.tui.screens.help import HelpScreen
    from client.tui.widgets.cycle import Cycle
    from client.tui.widgets.form import Button

    always = CaveApp.BINDINGS
    for screen in (
        menu.MenuScreen,
        menu.NameScreen,
        keys.KeysScreen,
        join.JoinScreen,
        records.RecordsScreen,
        lobby.LobbyScreen,
        moment.MomentScreen,
        packing.PackingScreen,
        exchange.ExchangeScreen,
        exchange.DiscardScreen,
        chooser.ChooserScreen,
        chat.ChatScreen,
        jump.JumpScreen,
        score.ScoreScreen,
        alarm.AlarmScreen,
        HelpScreen,
    ):
        yield screen.__name__, [*always, *_all(screen)]
    for form in (new_game.NewGameScreen, settings.SettingsScreen):
        for focused in (Cycle, Button):
            yield form.__name__, [*always, *_all(form), *focused.BINDINGS]
    yield "GameScreen", [*always, *_all(game.GameScreen), *CaveMap.BINDINGS]
    yield "ReplayScreen", [*always, *_all(replay.ReplayScreen), *CaveMap.BINDINGS]


@cache
def _catalogue() -> tuple[tuple[str, tuple[Key, ...]], ...]:
    """The usual keys of each place. They are the same as long as the program runs."""
    return tuple((place, tuple(keys_of(bindings))) for place, bindings in places())


def _all(screen: type) -> list[BindingType]:
    """The bindings of a screen and of its own bases; those of the library have no ids."""
    ours = [each for each in screen.__mro__ if each.__module__.startswith("client.")]
    return [binding for each in ours for binding in each.__dict__.get("BINDINGS", ())]


def all_keys(keymap: Keymap | None = None) -> list[Key]:
    """Every binding once."""
    usual = {key.id: key for _, keys in _catalogue() for key in keys}
    return _remapped(usual.values(), keymap or {})


def clashes(keymap: Keymap) -> list[str]:
    """What is wrong with a keymap, one sentence each."""
    if not keymap:
        return []
    known = {key.id for key in all_keys()}
    found = [
        f"[keys] has {name!r}, which is not a key binding; {typed('settings --keys')} lists them."
        for name in keymap
        if name not in known
    ]
    found += [
        f"[keys] has {name} = {keys!r}, and there is no key {key!r}; {name} has no key now."
        for name, keys in keymap.items()
        for key in _named(keys)
        if not _exists(key)
    ]
    for place, usual_keys in _catalogue():
        keys = _remapped(usual_keys, keymap)
        usual = _sharing(usual_keys)
        found += [
            f"The key {shown([key])} does two things: {one.does} ({one.id}) and {other.does}"
            f" ({other.id}); change one of them in the settings."
            for key, one, other in _shared(keys)
            if (one.id, other.id) not in usual
        ]
        found += [
            f"The key {shown([key])} is typed as text where {each.does} ({each.id}) is; choose one with ctrl."
            for each in keys
            if each.id in keymap and place in WRITING
            for key in each.keys
            if writes(each.id, key)
        ]
    return list(dict.fromkeys(found))


def taken(keymap: Keymap, binding_id: str) -> dict[str, Key]:
    """The keys that this binding cannot have, with what they do where it is."""
    found: dict[str, Key] = {}
    for _, usual_keys in _catalogue():
        if any(each.id == binding_id for each in usual_keys):
            usual = _sharing(usual_keys)
            for other in _remapped(usual_keys, keymap):
                pairs = {(binding_id, other.id), (other.id, binding_id)}
                if other.id != binding_id and not pairs & usual:
                    found.update((key, other) for key in other.keys if key not in found)
    return found


def is_in_writing(binding_id: str) -> bool:
    """Whether a binding is one of those that hold while text can be typed."""
    return not binding_id.startswith("choice.") and any(
        each.id == binding_id for place, keys in _catalogue() if place in WRITING for each in keys
    )


def writes(binding_id: str, key: str) -> bool:
    """Whether the key would be text, for a binding of a screen where text is typed."""
    letter = key_to_character(key)
    # A line of choices takes no text.
    return letter is not None and letter.isprintable() and not binding_id.startswith("choice.")


def _sharing(keys: Sequence[Key]) -> set[tuple[str, str]]:
    """The bindings that have a key in common: one of the two does not hold while the other does."""
    return {(one.id, other.id) for _, one, other in _shared(keys)}


def _shared(keys: Sequence[Key]) -> list[tuple[str, Key, Key]]:
    """The keys that two bindings have."""
    return [
        (key, one, other)
        for number, one in enumerate(keys)
        for other in keys[number + 1 :]
        for key in one.keys
        if key in other.keys
    ]
