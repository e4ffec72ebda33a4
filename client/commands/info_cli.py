"""The commands without a table: ``games``, ``new-game``, ``rules``, ``settings``, ``replay``, ``referee`` and
``completion``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cave import __version__, versions
from client.commands.options import LINE_MODE, game_argument, listing, look, offers, show
from client.commands.terminal import fail

if TYPE_CHECKING:
    from cave.game import GameInfo


@click.command("help")
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def show_help(context: click.Context, words: tuple[str, ...]) -> None:
    """Show this help, or that of a command."""
    assert context.parent is not None
    context.parent.command.main([*words, "--help"], prog_name=context.parent.info_name)


@click.command("games")
def list_games() -> None:
    """List the games, with their players, bots and options."""
    from client.commands import games

    sys.exit(games.show())


@click.command("new-game")
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
def new_game(name: str, folder: Path) -> None:
    """Make a small game called NAME in FOLDER, to start your own.

    client/games/README.md in the source says how to go on from there.
    """
    from client.commands.games import make

    make(name, folder)


@click.command()
@game_argument
@click.pass_context
def rules(context: click.Context, game: GameInfo) -> None:
    """Show the rules of GAME.

    Without GAME, those of the first that cave games lists.
    """
    from client.commands import games

    sys.exit(games.rules(game.name, paged=not context.meta.get(LINE_MODE)))


@click.command("settings", cls=listing(Settings="client.commands.settings"))
@click.argument("name", required=False, shell_complete=offers("settings"))
@click.argument("value", required=False, shell_complete=offers("values"))
@click.option("--keys", is_flag=True, help="List the ids of the key bindings, for [keys] in the file.")
def show_settings(name: str | None, value: str | None, keys: bool) -> None:
    """List the settings, show the one called NAME, or set it."""
    from client.commands import settings as commands

    if keys:
        sys.exit(commands.keys())
    if name is None:
        sys.exit(commands.show())
    sys.exit(commands.one(name) if value is None else commands.change(name, value))


@click.command()
@click.argument("file", required=False, default="", shell_complete=offers("records"))
@click.option("--check", is_flag=True, help="Replay it without a screen and compare the digest.")
@click.option("--list", "listing", is_flag=True, help="List the records, newest first, without a screen.")
@click.option(
    "--plot",
    type=click.Path(),
    metavar="SVG",
    help="Save the points over the game as a picture in this new file; - prints it.",
)
@look
@click.pass_context
def replay(
    context: click.Context,
    file: str,
    check: bool,
    listing: bool,
    plot: str | None,
) -> None:
    """Step through the record in FILE, or choose one of yours.

    With --list, FILE is words to search for: cave replay --list "ann french".
    """
    from client.commands import files

    if check + listing + (plot is not None) > 1:
        fail("--check, --list and --plot do not go together: choose one of them.")
    if listing:
        sys.exit(files.list_records(file))
    if plot is not None:
        sys.exit(files.plot(file, plot))
    if check:
        sys.exit(files.check(file))
    show(context, files.replay(file))


@click.command()
@click.argument("file", type=click.Path())
def referee(file: str) -> None:
    """Judge a script step by step.

    FILE may be - for the standard input.
    """
    from client.commands.files import referee as judge

    sys.exit(judge(file))


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def complete(context: click.Context, shell: str) -> None:
    """Print a script that completes cave commands in SHELL.

    Source it when the shell starts.
    """
    from client.commands import completion

    click.echo(completion.script(context.find_root().command, shell))


COMMANDS = (complete, list_games, new_game, referee, replay, rules, show_help, show_settings)


def show_version(context: click.Context) -> None:
    """Print the versions of the program, and of the formats that it reads and writes, and end."""
    click.echo(f"cave {__version__}")
    for name, (oldest, newest) in (
        ("protocol", versions.PROTOCOL),
        ("records", versions.RECORD),
        ("journal", versions.JOURNAL),
    ):
        click.echo(f"{name} {newest}" + (f" (reads {oldest} to {newest})" if oldest < newest else ""))
    context.exit()
