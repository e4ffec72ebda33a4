"""``cave settings``: list, set, describe."""

from __future__ import annotations

from collections.abc import Mapping

import click

from client import games
from client.commands.terminal import BAD_INPUT, FAILED, fail, warn
from client.program import typed
from client.settings.file import SettingsFile
from client.settings.schema import Setting, rows, word_of


def show() -> int:
    """List the settings with their values, where they come from and what they may be."""
    kept = _kept()
    for setting in games.all_settings():
        where = f"  (from {setting.variable})" if setting.name in kept.overridden else ""
        shown = _value(kept, setting) or "-"
        click.echo(f"{setting.name} = {shown}{where}\n    {setting.about} May be: {setting.allowed}.")
    for name, keys in kept.settings.keys.items():
        click.echo(f"keys.{name} = {keys}")
    click.echo(f"\nThey are saved in {kept.path}; CAVE_THEME=nord and the like override them for one run.")
    tell(kept)
    return 0


def change(name: str, text: str) -> int:
    """Set one."""
    kept = _kept({})
    setting = _meant(name)
    try:
        value = setting.parse(text)
    except ValueError as error:
        fail(f"{error} Nothing was saved.", BAD_INPUT)
    if kept.is_broken:
        fail(f"{kept.problems[0]} Nothing was saved.", FAILED)
    problem = kept.save(kept.settings.having(setting, value), "nothing was saved")
    if problem:
        fail(problem, FAILED)
    click.echo(f"{setting.name} = {word_of(value)}")
    return 0


def one(name: str) -> int:
    """Show the value of one."""
    setting = _meant(name)
    kept = _kept()
    click.echo(_value(kept, setting))
    tell(kept)
    return 0


def _value(kept: SettingsFile, setting: Setting) -> str:
    """Return the value in a word; for a name that nobody chose the one that is used, as on the settings
    screen.
    """
    now = kept.settings
    return now.called if setting.name == "name" else word_of(now.value(setting))


def named(name: str) -> Setting | None:
    """Return the setting of this name, or the only one that was called so formerly; None if there is none."""
    known = {setting.name: setting for setting in games.all_settings()}
    former = [setting for setting in known.values() if setting.formerly == name]
    return known.get(name) or (former[0] if name and len(former) == 1 else None)


def _meant(name: str) -> Setting:
    setting = named(name)
    if setting is None:
        fail(f"{name!r} is not a setting; {typed('settings')} lists them.")
    return setting


def _kept(environment: Mapping[str, str] | None = None) -> SettingsFile:
    return SettingsFile(None, environment, games.settings)


def help_rows() -> list[tuple[str, str]]:
    """Return the settings for the command line's help: name, and what it is for."""
    return rows(games.all_settings())


def keys() -> int:
    """List all key bindings by id, and what clashes."""
    from client.app.catalogue import catalogue

    kept = _kept()
    for key in sorted(catalogue().all_keys(kept.settings.keys)):
        click.echo(f"{key.id:<24} {','.join(key.keys):<28} {key.does}")
    for clash in catalogue().clashes(kept.settings.keys):
        warn(clash)
    tell(kept)
    return 0


def tell(kept: SettingsFile) -> None:
    """Tell on the error output what could not be used of the settings."""
    for problem in kept.problems:
        warn(problem)
