"""Other keys on a screen, by keys alone and by mouse alone."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from client.app.app import CaveApp
from client.app.game_key_bindings import key_list
from client.app.screens.keys import KeysScreen, PressScreen
from client.app.screens.menu import MenuScreen
from client.app.screens.settings import SettingsScreen
from client.settings.file import FILE, SettingsFile
from client.settings.schema import Preferences
from client.tui.keymap import Key
from tests.client.pilot import Pilot, run
from tests.client.screens import text
from tests.client.test_preferences import cave

STRIDE = 7
"""Every n-th free key is tried with an action."""

CATALOGUE = key_list()


def key(name: str, keymap: dict[str, str] | None = None) -> Key:
    return next(each for each in CATALOGUE.all_keys(keymap) if each.id == name)


# Valid keys


@pytest.mark.parametrize(
    ("action", "pressed", "told"),
    [
        ("game.discover", "m", "m is taken: Moves (game.moves). Press it again to swap (Moves becomes x)"),
        ("game.discover", "up", "up is taken: Place north (game.aim_north)"),
        ("game.discover", "ctrl+q", "ctrl+q is taken: Quit (app.quit)"),
        ("game.discover", "ctrl+p", "opens the palette"),
        ("game.discover", "escape", "esc always goes back"),
        ("game.discover", "alt+x", "choose a plain key, or one with ctrl"),
        ("game.discover", "ctrl+shift+x", "choose a plain key, or one with ctrl"),
        ("join.sit", "s", "s types text on this screen"),
    ],
)
def test_a_key_conflict_is_explained_with_the_remedy(action: str, pressed: str, told: str) -> None:
    found = CATALOGUE.why_key_is_refused({}, key(action), pressed)
    assert told in found.why
    assert found.why.endswith(".")
    assert "choose" in found.why.lower()


@pytest.mark.parametrize(
    ("action", "pressed"),
    [
        ("game.discover", "T"),
        ("game.discover", "f12"),
        ("packing.empty", "m"),  # Moves is only at the table
        ("join.sit", "ctrl+t"),
        ("game.aim_north", "up"),  # the cursor's, but only while not placing
    ],
)
def test_a_free_key_can_be_assigned(action: str, pressed: str) -> None:
    assert CATALOGUE.why_key_is_refused({}, key(action), pressed) is None
    assert CATALOGUE.key_clashes(dict(CATALOGUE.keymap_with_key({}, key(action), pressed))) == []


def test_every_offered_key_can_be_assigned() -> None:
    """Each action with some of its keys, and each key with some actions."""
    for number, action in enumerate(CATALOGUE.all_keys()):
        offered = CATALOGUE.free_keys({}, action)
        assert offered, action
        tried = offered[number % STRIDE :: STRIDE]
        assert [each for each in tried if CATALOGUE.why_key_is_refused({}, action, each)] == []


def test_a_swap_leaves_no_clash() -> None:
    found = CATALOGUE.why_key_is_refused({}, key("game.discover"), "m")
    assert found.swap == {"game.discover": "m", "game.moves": "x"}
    assert CATALOGUE.key_clashes(dict(found.swap or {})) == []
    # Quit is active everywhere, and x is used on other screens.
    other = CATALOGUE.why_key_is_refused({}, key("game.discover"), "ctrl+q")
    assert other.swap is None
    assert "Press it again" not in other.why


def test_a_key_can_be_added_and_the_defaults_restored() -> None:
    more = CATALOGUE.keymap_with_key({}, key("game.discover"), "T", more=True)
    assert more == {"game.discover": "x,T"}
    assert CATALOGUE.with_usual_keys(more, key("game.discover", dict(more))) == {}
    # While another action has the default key it cannot be restored.
    swapped = {"game.discover": "m", "game.moves": "x"}
    found = CATALOGUE.with_usual_keys(swapped, key("game.discover", swapped))
    assert "x is taken: Moves (game.moves)" in found.why


# On the screens


class Kept:
    """An app whose settings are saved in a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = SettingsFile(folder, {})
        self.preferences = Preferences(self.file.settings, self.file.save)
        self.app: CaveApp = cave(folder, self.preferences)

    def keys(self) -> Any:
        return tomllib.loads((self.file.folder / FILE).read_text()).get("keys", {})


@asynccontextmanager
async def opened(kept: Kept) -> AsyncIterator[Pilot[None]]:
    async with run(kept.app, size=(80, 24)) as pilot:
        await pilot.until(lambda: isinstance(kept.app.screen, MenuScreen))
        yield pilot


async def point_at(pilot: Pilot[Any], name: str) -> None:
    """Move the cursor to an action, like the arrows."""
    listed = pilot.app.screen.query_one("#list", OptionList)
    listed.highlighted = listed.get_option_index(name)
    await settle_here(pilot)


async def settle_here(pilot: Pilot[Any]) -> None:
    await pilot.pause()


async def test_keys_can_be_changed_without_the_mouse(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    async with opened(kept) as pilot:
        await pilot.press("s")
        await pilot.until(lambda: isinstance(kept.app.screen, SettingsScreen))
        assert "All keys have their defaults." in str(kept.app.screen.query_one("#keys").render())
        await pilot.press("ctrl+k")
        await settle_here(pilot)
        assert isinstance(kept.app.screen, KeysScreen)
        await pilot.press("enter")  # the first action is selected
        await settle_here(pilot)
        assert isinstance(kept.app.screen, PressScreen)
        await pilot.press("escape")
        await settle_here(pilot)
        await point_at(pilot, "game.discover")
        await pilot.press("enter", "m")
        await settle_here(pilot)
        assert "m is taken: Moves (game.moves)" in " ".join(text(kept.app.screen).split())
        await pilot.press("T")
        await settle_here(pilot)
        assert kept.keys() == {"game.discover": "T"}
        assert "Discover is T now." in text(kept.app.screen)
        await pilot.press("plus", "f9")
        await settle_here(pilot)
        assert kept.keys() == {"game.discover": "T,f9"}
        await pilot.press("enter", "m", "m")  # again: swap
        await settle_here(pilot)
        assert kept.keys() == {"game.discover": "m", "game.moves": "T"}
        await pilot.press("backspace")
        await settle_here(pilot)
        assert kept.keys() == {"game.moves": "T"}
        await pilot.press("ctrl+r")
        await settle_here(pilot)
        assert kept.keys() == {"game.moves": "T"}
        assert "the keys that you have chosen are lost" in text(kept.app.screen)
        await pilot.press("ctrl+r")
        await settle_here(pilot)
        assert kept.keys() == {}
        await pilot.press("escape")
        await settle_here(pilot)
        assert isinstance(kept.app.screen, SettingsScreen)


# The hints of the forms


def test_every_key_is_under_a_heading() -> None:
    listed = [key.id for _, keys in CATALOGUE.keys_by_heading({}) for key in keys]
    assert sorted(listed) == sorted(key.id for key in CATALOGUE.all_keys())
