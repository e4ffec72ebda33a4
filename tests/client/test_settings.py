"""The settings: one schema for file, environment, help and screen; a broken file stops nothing."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from textual.widgets import Static

from client.app.game_key_bindings import key_list
from client.app.screens.settings import SettingsScreen
from client.cli import cli
from client.games import all_settings
from client.games import game_settings as own_settings
from client.games.sir_ocelots_cave import texts as ocelot
from client.games.the_cave import texts as cave
from client.games.the_cave.face import FACE
from client.settings.appearance import GLYPHS, THEMES, chosen_glyphs, chosen_theme
from client.settings.file import FILE, REMEMBERED, SettingsFile
from client.settings.schema import SETTINGS, Day, Preferences, Settings, word_of
from client.wording import name_problem
from tests.client.screens import show, text

PACK = {"type": "pack", "backpack": {"consumable": 4}, "camp": None}
OTHER = {
    setting.name: next(value for value in setting.choices if value != setting.default) if setting.choices else "Ann"
    for setting in SETTINGS
}
"""Every setting with a value that is not the default."""
PLACE = cave.PLACE.name

OWN = {setting.name: not setting.usual for setting in own_settings()}
"""The same for the games' own, which are all yes-or-no settings."""


def load(folder: Path, **environment: str) -> SettingsFile:
    return SettingsFile(folder, environment, own_settings)


# The schema


def test_every_field_is_a_setting_or_only_remembered() -> None:
    fields = set(Settings.__struct_fields__)
    remembered = {
        *("address", "played_as", "won", "tips", "memory", "outlooks", "game", "levels", "lessons", "days"),
        "puzzles",
    }
    assert fields == {setting.field for setting in SETTINGS} | {"own", "keys"} | remembered
    choices = {setting.name: tuple(setting.choices) for setting in SETTINGS}
    assert (choices["theme"], choices["glyphs"]) == (THEMES, GLYPHS)
    for setting in all_settings():
        assert setting.parse(setting.default) == setting.default
        assert len(setting.title) < 24
        assert setting.about.endswith(".")


@pytest.mark.parametrize("setting", all_settings(), ids=lambda setting: setting.name)
def test_setting_words_are_parsed(setting: Any) -> None:
    for value in setting.choices:
        assert setting.parse(word_of(value).upper()) == value
    with pytest.raises(ValueError, match=f"{setting.name} cannot be .*; it may be .*\\.$"):
        setting.parse(1)
    with pytest.raises(ValueError, match="cannot be that text"):
        setting.parse("\x1b[2J")


# The file


def test_saved_settings_are_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    kept = Settings(
        **OTHER,
        own=OWN,
        keys={"game.discover": "d,f2"},
        address="host:1",
        played_as="Bea",
        won=("the-cave",),
        tips={"the-cave": ("exits", "placing")},
        memory={"the-cave": PACK},
    )
    assert load(folder).save(kept) == ""
    again = load(folder)
    assert again.settings == kept
    assert again.problems == []
    assert {path.name for path in folder.iterdir()} == {FILE, REMEMBERED}


def test_remembered_values_do_not_change_the_settings_file(tmp_path: Path) -> None:
    """The file belongs to the user: playing a game writes nothing there."""
    kept = load(tmp_path)
    assert kept.save(replace(kept.settings, played_as=kept.settings.with_name_played(["Ann", "Bea"]))) == ""
    assert {path.name for path in tmp_path.iterdir()} == {REMEMBERED}
    again = load(tmp_path).settings
    assert (again.name, again.person_name) == ("", "Ann")
    assert again.with_name_played(["Cyd"]) == "Ann", "the first one stays, whoever plays"
    assert replace(again, name="Dora").person_name == "Dora"


def test_values_of_earlier_versions_are_still_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("[confirm]\nplace = true\nwalk = false\n\n[the-cave]\nconfirm_walk = true\n")
    (tmp_path / REMEMBERED).write_text(json.dumps({"last_pack": PACK, "played_as": "Ann"}))
    kept = load(tmp_path)
    assert kept.problems == []
    now = kept.settings
    assert (now.value(cave.PLACE), now.value(ocelot.PLACE)) == (True, True), "it asked in both games"
    assert now.value(cave.WALK), "the new name counts more"
    assert FACE.recall(now.memory) == PACK
    assert FACE.recall({**now.memory, FACE.name: {"type": "pack"}}) == {"type": "pack"}


def test_a_goal_shows_until_a_win_and_a_tip_until_it_is_followed(tmp_path: Path) -> None:
    kept = load(tmp_path)
    preferences = Preferences(kept.settings, kept.save)
    preferences.note_win("the-cave")
    preferences.note_tips_done("the-cave", {"placing"})
    preferences.note_tips_done("the-cave", {"exits"})
    again = load(tmp_path)
    assert not again.settings.shows_guide("the-cave")
    assert again.settings.shows_guide("sir-ocelots-cave")
    assert again.settings.tips == {"the-cave": ("placing", "exits")}
    assert {path.name for path in tmp_path.iterdir()} == {REMEMBERED}, "the settings are a person's own"
    assert Preferences(again.settings, again.save).switch_guide("the-cave", wanted=True) == ""
    assert load(tmp_path).settings.shows_guide("the-cave")
    assert not load(tmp_path).settings.tips["the-cave"]


@pytest.mark.parametrize(
    "content", ["[]", "{", '{"played_as": 3, "address": ["x"], "won": "x", "tips": [1], "played": ["x"]}']
)
def test_invalid_remembered_values_are_dropped(tmp_path: Path, content: str) -> None:
    (tmp_path / REMEMBERED).write_text(content)
    kept = load(tmp_path)
    assert kept.settings == Settings()
    assert kept.problems == []


def test_only_what_changed_is_written_and_comments_stay(tmp_path: Path) -> None:
    written = '# mine\ntheme = "nord"  # cold\n\n[the-cave]\nconfirm_force = false # yes\n\n[keys]\ngame.undo = "z"\n'
    (tmp_path / FILE).write_text(written)
    kept = load(tmp_path)
    assert kept.settings == Settings(theme="nord", own={cave.FORCE.name: False}, keys={"game.undo": "z"})
    assert kept.save(replace(kept.settings.with_value(cave.PLACE, True), zoom="M")) == ""
    now = (tmp_path / FILE).read_text()
    assert [line for line in written.splitlines() if line not in now.splitlines()] == []
    assert tomllib.loads(now) == {
        "theme": "nord",
        "zoom": "M",
        "the-cave": {"confirm_force": False, "confirm_place": True},
        "keys": {"game": {"undo": "z"}},
    }


def test_an_externally_edited_file_loses_nothing(tmp_path: Path) -> None:
    kept = load(tmp_path)
    (tmp_path / FILE).write_text('glyphs = "ascii"\n')
    assert kept.save(Settings(name="Ann")) == ""
    assert tomllib.loads((tmp_path / FILE).read_text()) == {"glyphs": "ascii", "name": "Ann"}
    (tmp_path / FILE).write_text("glyphs = \n")
    assert "it is no longer a settings file" in kept.save(Settings(name="Bea"))
    assert (tmp_path / FILE).read_text() == "glyphs = \n"


def test_two_terminals_keep_each_others_remembered_values(tmp_path: Path) -> None:
    one, other = load(tmp_path), load(tmp_path)
    day = {"2026-11-28 the-cave": Day("t1", par=47)}
    assert other.save(replace(other.settings, puzzles={"the-cave 1": "solved"}, won=("the-cave",))) == ""
    assert one.save(replace(one.settings, days=day, played_as="Ann")) == ""
    for kept in (load(tmp_path).settings, one.recall(), other.recall()):
        assert (kept.puzzles, kept.days) == ({"the-cave 1": "solved"}, day)
        assert (kept.won, kept.played_as) == (("the-cave",), "Ann")
    # A value deleted by one stays deleted after the next change of the other.
    assert one.save(replace(one.settings, puzzles={}, days={})) == ""
    assert other.save(replace(other.settings, played_as="Bea")) == ""
    now = load(tmp_path).settings
    assert (now.puzzles, now.days, now.played_as) == ({}, {}, "Bea")


def test_one_damaged_day_does_not_affect_others(tmp_path: Path) -> None:
    (tmp_path / REMEMBERED).write_text(
        '{"days": {"2026-11-28 a": {"table": 1}, "2026-11-28 b": {"par": 4.0}, "9999-99-99 c": {}}}'
    )
    assert load(tmp_path).settings.days == {"2026-11-28 b": Day(par=4.0)}


UNUSABLE = {
    "no value": b"theme = ",
    "no end": b"[",
    "no UTF-8": b"\xff",
    "twice": b"a = 1\na = 2\n",
    "deep lists": b"a = " + 5000 * b"[",
    "deep tables": b"a." * 5000 + b"a = 1",
    "5,000 digits": b"a = " + 5000 * b"9",
    "17 KiB": b"# much\n" * 2500,
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE)
def test_a_broken_file_is_reported_and_left_unchanged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    kept = load(tmp_path)
    assert kept.settings == Settings()
    assert len(kept.problems) == 1
    assert "cannot be used and is left as it is" in kept.problems[0]
    assert "for this run only" in kept.save(Settings(theme="nord"))
    assert kept.settings.theme == "nord"
    assert (tmp_path / FILE).read_bytes() == content


def test_each_invalid_value_is_reported_and_the_others_used(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        'name = 3\ntheme = "pink"\nglyphs = []\nzoom = "S"\ncolour = "red"\n'
        f"the-cave.confirm_place = 1\nkeys.game.undo = 4\nbell = 0x{5000 * 'f'}\n"
    )
    kept = load(tmp_path)
    assert kept.settings == Settings(zoom="S")
    assert len(kept.problems) == 7
    assert max(map(len, kept.problems)) < 200
    assert all(problem.endswith(".") for problem in kept.problems)
    assert any('theme cannot be "pink"; it may be auto, cave-dark' in problem for problem in kept.problems)
    assert any("'colour', which is not a setting" in problem for problem in kept.problems)


def test_a_read_only_file_or_folder_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "for this run only" in load(tmp_path / "file" / "folder").save(Settings(name="Ann"))
    (tmp_path / FILE).mkdir()
    kept = load(tmp_path)
    assert len(kept.problems) == 1
    assert "for this run only" in kept.save(Settings(name="Ann"))
    assert kept.settings.name == "Ann"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(FILE)] == [FILE]


def test_a_file_behind_a_link_stays_behind_it(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "cave.toml").write_text('name = "Ann"\n')
    (tmp_path / FILE).symlink_to(tmp_path / "dotfiles" / "cave.toml")
    kept = load(tmp_path)
    assert kept.save(replace(kept.settings, zoom="S")) == ""
    assert (tmp_path / FILE).is_symlink()
    assert tomllib.loads((tmp_path / "dotfiles" / "cave.toml").read_text()) == {"name": "Ann", "zoom": "S"}


def test_the_environment_overrides_and_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('theme = "nord"\n')
    kept = load(tmp_path, CAVE_THEME="dracula", CAVE_THE_CAVE_CONFIRM_FORCE="off", CAVE_ZOOM="huge")
    assert kept.settings == Settings(theme="dracula", own={cave.FORCE.name: False})
    assert kept.overridden == {"theme", "the-cave.confirm_force"}
    assert kept.problems == ['In the environment (CAVE_ZOOM), zoom cannot be "huge"; it may be L, M, S.']
    assert kept.save(replace(kept.settings, name="Ann")) == ""
    assert tomllib.loads((tmp_path / FILE).read_text()) == {"theme": "nord", "name": "Ann"}


def test_the_command_lists_shows_and_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    run = CliRunner()
    assert run.invoke(cli, ["settings", PLACE, "on"]).output == f"{PLACE} = on\n"
    assert run.invoke(cli, ["settings", PLACE]).output == "on\n"
    assert f"{PLACE} = on\n" in run.invoke(cli, ["settings"]).output
    refused = run.invoke(cli, ["settings", "theme", "pink"])
    assert refused.exit_code == 2
    assert refused.stderr.startswith('cave: theme cannot be "pink"; it may be auto')
    assert "There is no command yet" in run.invoke(cli, ["settings", "notify", "command"]).output
    assert run.invoke(cli, ["settings", "sound_command", "beep"]).exit_code == 0
    assert "no command" not in run.invoke(cli, ["settings", "sound", "command"]).output
    unknown = run.invoke(cli, ["settings", "colour"])
    assert unknown.exit_code == 2
    assert "'colour' is not a setting" in unknown.stderr


@pytest.mark.parametrize("content", ["theme = ", 'theme = "nope"\n'])
def test_the_commands_refuse_invalid_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "cave-game").mkdir()
    (tmp_path / "cave-game" / FILE).write_text(content)
    told = CliRunner().invoke(cli, ["settings", "theme"])
    assert told.stdout == "auto\n"
    assert told.stderr.count("\n") == 1
    assert FILE in told.stderr
    if content == "theme = ":
        for value in ("nord", "auto"):  # The second is the default, which would not be written.
            changed = CliRunner().invoke(cli, ["settings", "theme", value])
            assert changed.exit_code == 1
            assert changed.stdout == ""
            assert "left as it is" in changed.stderr
            assert changed.stderr.endswith(" Nothing was saved.\n")


# The command line's choices


@pytest.mark.parametrize(
    ("wanted", "environment", "told", "theme"),
    [
        ("auto", {"TERM": "xterm-256color"}, False, "cave-dark"),
        ("auto", {"TERM": "xterm-256color", "COLORFGBG": "0;15"}, False, "cave-light"),
        ("auto", {"TERM": "xterm"}, False, "ansi-dark"),
        ("auto", {"TERM": "linux", "COLORTERM": "truecolor"}, False, "cave-dark"),
        ("cave-light", {"TERM": "xterm"}, False, "ansi-light"),
        ("cave-high-contrast", {"TERM": "xterm"}, True, "cave-high-contrast"),
        ("cave-dark", {"TERM": "xterm-256color", "NO_COLOR": "1"}, True, "ansi-dark"),
        ("nord", {"TERM": "xterm-kitty"}, False, "nord"),
        ("gone", {"TERM": "xterm-kitty"}, False, "cave-dark"),
    ],
)
def test_the_theme_for_a_terminal(wanted: str, environment: dict[str, str], told: bool, theme: str) -> None:
    assert chosen_theme(wanted, environment, told=told) == theme


@pytest.mark.parametrize(
    ("environment", "utf8_mode", "glyphs"),
    [
        ({"LANG": "en_US.utf8"}, 0, "fine"),
        ({"LC_CTYPE": "UTF-8"}, 0, "fine"),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, 0, "fine"),
        ({"LC_ALL": "de_DE.UTF-8", "TERM": "linux"}, 0, "unicode"),
        ({"OS": "Windows_NT", "WT_SESSION": "1"}, 1, "fine"),
        ({}, 1, "ascii"),
        ({"LANG": "C"}, 1, "ascii"),
        ({"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, 1, "ascii"),
        # The value that Python sets in a C locale is not the user's.
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, 1, "ascii"),
        ({"LC_CTYPE": "C.UTF-8"}, 1, "ascii"),
        ({"LANG": "en_US.UTF-8", "LC_CTYPE": "C.UTF-8"}, 1, "fine"),
        ({"LC_CTYPE": "C.UTF-8"}, 0, "fine"),
    ],
)
def test_the_signs_for_a_terminal(environment: dict[str, str], utf8_mode: int, glyphs: str) -> None:
    assert chosen_glyphs("auto", environment, "utf-8", utf8_mode=utf8_mode) == glyphs
    assert chosen_glyphs("auto", environment, "latin-1", utf8_mode=utf8_mode) == "ascii"
    assert chosen_glyphs("fine", environment, "utf-8", utf8_mode=utf8_mode) == "fine"


# The screen


async def test_a_change_by_keys_is_saved_at_once_and_reported() -> None:
    kept: list[Settings] = []
    preferences = Preferences(save=lambda now: kept.append(now) or "")  # type: ignore[func-returns-value]
    screen = SettingsScreen(preferences, key_list())
    async with show(screen) as (app, pilot):
        screen.query_one("#the_cave_confirm_place").focus()
        await pilot.press("right")
        assert kept[-1].value(cave.PLACE)
        screen.query_one("#name").focus()
        await pilot.press(*"Bea", "enter")
        assert kept[-1].name == "Bea"
        assert screen.focused is screen.query_one("#theme"), "enter goes on"
        await pilot.press("up", *"x" * 30, "enter")
        assert screen.focused is screen.query_one("#name"), "not where something is wrong"
        await pilot.press("down")
        assert screen.focused is screen.query_one("#theme")
        assert "colours" in str(screen.query_one("#about", Static).render())
        await pilot.press("escape")
        assert app.screen is not screen


async def test_settings_from_the_environment_cannot_be_changed() -> None:
    preferences = Preferences(Settings(theme="nord"), fixed={"theme"})
    screen = SettingsScreen(preferences, key_list())
    async with show(screen):
        assert screen.query_one("#theme").disabled
        assert "set by CAVE_THEME" in text(screen)


async def test_a_change_that_was_not_saved_is_explained() -> None:
    screen = SettingsScreen(Preferences(save=lambda _: "The disk is full."), key_list())
    async with show(screen) as (_, pilot):
        screen.query_one("#zoom").focus()
        await pilot.press("space")
        assert "The disk is full." in text(screen)
        assert screen.preferences.now.zoom == "M"


@pytest.mark.parametrize("name", ["   ", "Novice (bot)", "\u0410nn", "x\u0301\u0301\u0301"])
def test_an_impossible_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    refused = CliRunner().invoke(cli, ["settings", "name", name])
    assert refused.exit_code == 2
    assert refused.stderr == f'cave: name cannot be "{name}". {name_problem(name)} Nothing was saved.\n'
    (tmp_path / FILE).write_text(f'name = "{name}"\n')
    kept = load(tmp_path)
    assert kept.settings.name == ""
    assert kept.problems == [f'In {FILE}, name cannot be "{name}". {name_problem(name)}']
