"""``cave new-game``: a copy of a small game under another name, as a start for one's own."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path

import click

from cave import games
from cave.files import reason, write_new
from client.commands.exits import FAILED, fail
from client.program import typed

PACKAGE, TEMPLATE = "cave_game", "template"
OF_THE_PACKAGE = "pyproject.toml"
"""The file that lies above the folder of the game."""


def make(name: str, folder: Path) -> None:
    """Make a folder with the game of this name, which can be put on Python's path or installed."""
    name = name.replace("_", "-")
    if wrong := problem(name):
        fail(wrong)
    module, title = name.replace("-", "_"), name.replace("-", " ").title()
    if folder.exists():
        fail(f"{folder} already exists. Choose another folder.")
    inner = folder / games.PACKAGE / module
    try:
        inner.mkdir(parents=True)
        for file in resources.files(PACKAGE).joinpath(TEMPLATE).iterdir():
            if file.is_file():
                text = file.read_text(encoding="utf-8")
                text = re.sub(r"\blanterns\b", name, re.sub(r"\bLanterns\b", title, text))
                to = folder if file.name == OF_THE_PACKAGE else inner
                write_new(to / file.name, text.encode())
    except OSError as error:
        fail(f"{folder} cannot be written: {reason(error, str(error))}.", FAILED)
    click.echo(f"{title} is in {inner}. It is Lanterns under another name: make it your own, file by file.")
    click.echo(f"Test it: cd {folder} && python -m pytest")
    click.echo(f"Install it: pip install --editable {folder}")
    click.echo(f"Play it: {typed(f'play {name}')}")


def problem(name: str) -> str:
    """Say in a sentence why a game cannot have this name, or nothing."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return f'"{name}" cannot be the name of a game: use small letters, digits and hyphens, as deep-caves.'
    if keyword.iskeyword(name):
        return f'"{name}" cannot be the name of a game: it is a word of Python.'
    if name in games.names():
        return f"A game called {name} already exists. Choose another name."
    return ""
