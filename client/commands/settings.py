"""``cave settings``: list, set, describe."""

from __future__ import annotations

import json
from typing import Any

import click
from msgspec.structs import replace

from client.commands.exits import BAD_INPUT, FAILED, fail
from client.program import typed
from client.settings.file import SettingsFile
from client.settings.schema import BY_NAME, json_schema, value_of, word_of


def show() -> int:
    """List the settings with their values, where they come from and what they may be."""
    kept = SettingsFile()
    for name, setting in BY_NAME.items():
        value = value_of(kept.settings, setting)
        where = f"  (from {setting.variable})" if name in kept.overridden else ""
        shown = word_of(value) or "-"
        click.echo(f"{name} = {shown}{where}\n    {setting.about} May be: {setting.allowed}.")
    for name, keys in kept.settings.keys.items():
        click.echo(f"keys.{name} = {keys}")
    click.echo(f"\nThey are saved in {kept.path}; CAVE_THEME=nord and the like override them for one run.")
    tell(kept)
    return 0


def change(name: str, text: str) -> int:
    """Set one."""
    kept = SettingsFile(environment={})
    setting = BY_NAME.get(name)
    if setting is None:
        fail(f"{name!r} is not a setting; {typed('settings')} lists them.")
    try:
        value = setting.parse(text)
    except ValueError as error:
        fail(f"{error} Nothing was saved.", BAD_INPUT)
    changed: dict[str, Any] = {setting.field: value}
    problem = kept.save(replace(kept.settings, **changed), "nothing was saved")
    if problem:
        fail(problem, FAILED)
    click.echo(f"{name} = {word_of(value)}")
    return 0


def one(name: str) -> int:
    """The value of one."""
    setting = BY_NAME.get(name)
    if setting is None:
        fail(f"{name!r} is not a setting; {typed('settings')} lists them.")
    kept = SettingsFile()
    click.echo(word_of(value_of(kept.settings, setting)))
    tell(kept)
    return 0


def schema() -> int:
    """The JSON Schema of the file."""
    click.echo(json.dumps(json_schema(), indent=2))
    return 0


def keys() -> int:
    """All key bindings by id, and what clashes."""
    from client.app.catalogue import catalogue

    kept = SettingsFile()
    for key in sorted(catalogue().all_keys(kept.settings.keys)):
        click.echo(f"{key.id:<24} {','.join(key.keys):<28} {key.does}")
    for clash in catalogue().clashes(kept.settings.keys):
        click.echo(f"cave: {clash}", err=True)
    tell(kept)
    return 0


def tell(kept: SettingsFile) -> None:
    """What could not be used of the settings, on the error output."""
    for problem in kept.problems:
        click.echo(f"cave: {problem}", err=True)
