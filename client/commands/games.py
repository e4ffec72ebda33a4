"""``cave games``, ``cave rules`` and ``cave new-game``."""

from __future__ import annotations

import keyword
import re
import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import click

from cave import games
from cave.files import error_reason, write_new
from cave.game import GameInfo
from cave.games import game_info, game_names, get_game
from client import games as faces
from client.commands.options import LINE_MODE, game_argument
from client.commands.terminal import FAILED, fail
from client.launch import new_game
from client.present import help_pages as pages
from client.system import command_as_typed
from client.wording import joined


@click.command("games")
def list_games() -> None:
    """List the games, with their players, bots and options."""
    formatter = click.HelpFormatter()
    for name in game_names():
        game, face = game_info(name), faces.get_face(name)
        formatter.write(f"{name}\n")
        with formatter.indentation():
            formatter.write_text(f"{game.title}. {face.blurb}")
            formatter.write_dl([("For", f"{new_game.player_counts(game)}, {face.length}"), *_asked_settings(game)])
        formatter.write_paragraph()
    formatter.write_text(f"To play a game, type {command_as_typed('play')} and its name.")
    click.echo(formatter.getvalue(), nl=False)


def _asked_settings(game: GameInfo) -> Iterator[tuple[str, str]]:
    if game.bots:
        yield "--bot", joined(list(game.bots), "or")
    preset = new_game.preset_of_game(game)
    if preset is not None:
        yield new_game.preset_option_name(preset), joined(new_game.rule_words(preset), "or")
    for option in new_game.house_rules(game):
        yield f"--rule {option.name}", joined(new_game.rule_words(option), "or")


@click.command()
@game_argument
@click.pass_context
def rules(context: click.Context, game: GameInfo) -> None:
    """Show the rules of GAME.

    Without GAME, those of the first that cave games lists.
    """
    text = f"{game.title}\n\n{pages.rulebook_text(get_game(game.name))}"
    if context.meta.get(LINE_MODE):
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


PACKAGE, TEMPLATE = "cave_game", "template"
OF_THE_PACKAGE = "pyproject.toml"


@click.command("new-game")
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
def make_game(name: str, folder: Path) -> None:
    """Make a small game called NAME in FOLDER, to start your own.

    client/games/README.md in the source describes the next steps.
    """
    name = name.replace("_", "-")
    if wrong := game_name_problem(name):
        fail(wrong)
    module, title = name.replace("-", "_"), name.replace("-", " ").title()
    if folder.exists():
        fail(f"{folder} already exists. Choose another folder.")
    inner, made = folder / games.PACKAGE / module, False
    try:
        folder.mkdir(parents=True)
        made = True
        inner.mkdir(parents=True)
        for file in resources.files(PACKAGE).joinpath(TEMPLATE).iterdir():
            if file.is_file():
                text = file.read_text(encoding="utf-8")
                text = re.sub(r"\blanterns\b", name, re.sub(r"\bLanterns\b", title, text))
                to = folder if file.name == OF_THE_PACKAGE else inner
                write_new(to / file.name, text.encode())
    except OSError as error:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        fail(f"{folder} cannot be written: {error_reason(error, str(error))}.", FAILED)
    click.echo(f"{title} is in {inner}. It is Lanterns under another name: make it your own, file by file.")
    click.echo(f"Test it: cd {folder} && python -m pytest")
    click.echo(f"Install it: pip install --editable {folder}")
    click.echo(f"Play it: {command_as_typed(f'play {name}')}")


def game_name_problem(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return f'"{name}" cannot be the name of a game: use small letters, digits and hyphens, as deep-caves.'
    if keyword.iskeyword(name):
        return f'"{name}" cannot be the name of a game: it is a word of Python.'
    if name in games.game_names():
        return f"A game called {name} already exists. Choose another name."
    return ""
