"""``cave settings``: list, set, describe."""

from __future__ import annotations

import click

from client import games
from client.commands.options import Items, command_class_with_rows, items
from client.commands.terminal import FAILED, fail, warn
from client.settings.file import SettingsFile
from client.settings.schema import Setting, setting_rows, word_of
from client.system import command_as_typed


def _complete_names(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    return items(begun, ((setting.name, setting.about) for setting in games.all_settings()))


def _complete_values(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    setting = setting_from_command_line(context.params.get("name") or "")
    choices = {} if setting is None else setting.choices
    return items(begun, ((word_of(value), words) for value, words in choices.items()))


@click.command("settings", cls=command_class_with_rows("Settings", lambda: setting_rows(games.all_settings())))
@click.argument("name", required=False, shell_complete=_complete_names)
@click.argument("value", required=False, shell_complete=_complete_values)
@click.option("--keys", is_flag=True, help="List the ids of the key bindings, for [keys] in the file.")
def settings(name: str | None, value: str | None, keys: bool) -> None:
    """List the settings, show the one called NAME, or set it."""
    kept = SettingsFile(None, {} if value is not None and not keys else None, games.game_settings)
    if keys:
        _list_keys(kept)
    elif name is None:
        _list_settings(kept)
    else:
        setting = setting_from_command_line(name)
        if setting is None:
            fail(f"{name!r} is not a setting; {command_as_typed('settings')} lists them.")
        if value is not None:
            _change_setting(kept, setting, value)
            return
        click.echo(_value_words(kept, setting))
    for problem in kept.problems:
        warn(problem)


def _list_settings(kept: SettingsFile) -> None:
    for setting in games.all_settings():
        where = f"  (from {setting.variable})" if setting.name in kept.overridden else ""
        shown = _value_words(kept, setting) or "-"
        click.echo(f"{setting.name} = {shown}{where}\n    {setting.about} May be: {setting.allowed_words}.")
    for name, keys in kept.settings.keys.items():
        click.echo(f"keys.{name} = {keys}")
    click.echo(f"\nThey are saved in {kept.path}; CAVE_THEME=nord and the like override them for one run.")


def _change_setting(kept: SettingsFile, setting: Setting, text: str) -> None:
    try:
        value = setting.parse(text)
    except ValueError as error:
        fail(f"{error} Nothing was saved.")
    if kept.is_broken:
        fail(f"{kept.problems[0]} Nothing was saved.", FAILED)
    problem = kept.save(kept.settings.with_value(setting, value), "nothing was saved")
    if problem:
        fail(problem, FAILED)
    click.echo(f"{setting.name} = {word_of(value)}")
    if value == "command" and not kept.settings.sound_command:
        warn(f"There is no command yet: set it with {command_as_typed('settings sound_command COMMAND')}.")


def _value_words(kept: SettingsFile, setting: Setting) -> str:
    now = kept.settings
    return now.person_name if setting.name == "name" else word_of(now.value(setting))


def setting_from_command_line(name: str) -> Setting | None:
    """Return the setting of this name, or the only one with it as its former name; None if there is none."""
    known = {setting.name: setting for setting in games.all_settings()}
    former = [setting for setting in known.values() if setting.formerly == name]
    return known.get(name) or (former[0] if name and len(former) == 1 else None)


def _list_keys(kept: SettingsFile) -> None:
    from client.app.game_key_bindings import key_list

    for key in sorted(key_list().all_keys(kept.settings.keys)):
        click.echo(f"{key.id:<24} {','.join(key.keys):<28} {key.does}")
    for clash in key_list().key_clashes(kept.settings.keys):
        warn(clash)
