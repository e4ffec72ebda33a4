"""Keys: every binding has an id, rebound keys work and show everywhere, clashes are reported."""

from __future__ import annotations

import re
from typing import Any

import pytest

from client.app.app import CaveApp
from client.app.game_key_bindings import key_list
from client.app.screens.settings import SettingsScreen
from client.cli import cli
from client.settings.schema import Preferences, Settings
from client.tui.chooser import ChooserScreen
from client.tui.keymap import keys_of
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import press, run, settle
from tests.client.screens import show, text

CATALOGUE = key_list()


def test_every_binding_has_a_unique_id_and_a_description() -> None:
    for screen, bindings in CATALOGUE.places:
        for binding in bindings:
            assert binding.id, (screen, binding.action)
            assert binding.description, (screen, binding.action)
        seen: dict[str, str] = {}
        for each in bindings:
            assert seen.setdefault(each.id, each.action) == each.action, (screen, each.id)  # type: ignore


def test_nothing_needs_alt_shift_or_a_pair_of_modifiers() -> None:
    for key in CATALOGUE.all_keys():
        plain = [each for each in key.keys if "+" not in each.removeprefix("ctrl+")]
        assert plain, key


def test_default_keys_do_not_clash() -> None:
    assert CATALOGUE.key_clashes({}) == []
    allowed = {  # the arrows choose places only while placing; a replay uses them, and q, itself
        "GameScreen": {"map.", "game.aim"},
        "GameScreenReplay": {"map.", "game.", "replay."},
        "CasadhScreenReplay": {"casadh.", "map.", "game.", "replay."},
        "VersusScreenReplay": {"versus.", "game.", "replay."},
        "OcelotScreenReplay": {"ocelot.", "game.", "replay."},
    }
    for screen, bindings in CATALOGUE.places:
        taken: dict[str, str] = {}
        for key in keys_of(bindings):
            for each in key.keys:
                before = taken.setdefault(each, key.id)
                if before != key.id:
                    starts = allowed.get(screen, set())
                    assert {*filter(before.startswith, starts)}, (screen, each, before, key.id)
                    assert {*filter(key.id.startswith, starts)}, (screen, each, before, key.id)


@pytest.mark.parametrize(
    ("keymap", "told"),
    [
        ({"game.discover": "m"}, ["m does two things: Discover (game.discover) and Moves (game.moves)"]),
        ({"game.discover": "d,m"}, ["The key d", "The key m"]),
        ({"map.up": "x"}, ["Discover (game.discover) and Cursor up (map.up)"]),
        ({"game.help": "question_mark"}, []),
        ({"game.discover": "m", "game.moves": "x"}, []),
        ({"game.nothing": "x"}, ["'game.nothing', which is not a key binding"]),
        ({"game.log": "nokey"}, ["there is no key 'nokey'; game.log has no key now"]),
        ({"game.log": "ctrl+nokey"}, ["there is no key 'ctrl+nokey'"]),
        ({"game.log": "meta+f2,f12,left_curly_bracket"}, []),
        ({"packing.camp": "ctrl+q"}, ["ctrl+q does two things: Quit (app.quit) and Camp (packing.camp)"]),
    ],
)
def test_each_clash_is_reported_in_one_sentence(keymap: dict[str, str], told: list[str]) -> None:
    found = CATALOGUE.key_clashes(keymap)
    assert len(found) == len(told)
    for part in told:
        assert any(part in sentence for sentence in found), found
    assert all(sentence.endswith(".") for sentence in found)


def table(keymap: dict[str, str]) -> TableApp:
    preferences = Preferences(Settings(keys=keymap))
    app = TableApp(FakeSession(start=position()), preferences=preferences)
    app.set_keymap(keymap)
    return app


async def test_changed_keys_work_and_are_shown() -> None:
    app = table({"game.moves": "f2", "game.undo": "T", "map.zoom_in": "v", "game.end_turn": "question_mark"})
    async with run(app, size=(140, 45)) as pilot:
        await settle(pilot)
        await press(pilot, "f2", "1")  # there is something to undo now
        shown = text(app.screen)
        assert " T Undo" in shown
        assert " v Zoom" in shown
        assert " f2  move" in shown
        assert " ?  end the turn" in shown
        await press(pilot, "m")
        assert app.screen is app.table
        await press(pilot, "f2")
        assert isinstance(app.screen, ChooserScreen)
        await press(pilot, "escape", "v")
        assert app.table.map.zoom == "S", "after the largest comes the smallest"
        await press(pilot, "v", "v")
        assert app.table.map.zoom == "L"
        await press(pilot, "Z", "v")
        assert app.table.map.zoom == "L"
        await press(pilot, "f1", "4")
        assert re.search(r"f2 +Moves", text(app.screen))


async def test_clashes_are_shown_beside_the_keys() -> None:
    keymap = {"game.discover": "m"}
    screen = SettingsScreen(Preferences(Settings(keys=keymap)), CATALOGUE)
    async with show(screen, (140, 60)):
        assert "The key m does two things" in text(screen)
        assert "Discover (game.discover)" in text(screen)


def test_the_command_line_lists_all_ids(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    listed = CliRunner().invoke(cli, ["settings", "--keys"]).output
    assert {line.split()[0] for line in listed.splitlines()} == {key.id for key in CATALOGUE.all_keys()}
    assert any(binding.id == "app.quit" for binding in CaveApp.BINDINGS)  # type: ignore[union-attr]
