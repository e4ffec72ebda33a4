"""The command line. Everything heavy is imported by the command that needs it.

Glyphs, colours and whether there is a screen at all are decided here, before the screens' library
is imported: it chooses its colour filters once, when it is loaded.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cave import __version__
from client.commands.exits import FAILED, fail
from client.commands.game_options import (
    GameCommand,
    as_typed,
    bot_option,
    game_argument,
    game_option,
    named,
    position_of,
    rules_options,
    seats_option,
)
from client.commands.options import LINE_MODE, absence_option, listing, look, offers, table_code, trust
from client.program import stopped, typed

if TYPE_CHECKING:
    from cave.game import GameInfo

TAKEOVER = "Take over this seat, as shown by cave seat; with - you are asked for it, and it is not shown."
COMPLETING = "_CAVE_COMPLETE"
"""Set where a shell asks for completions."""


class Commands(click.Group):
    """The commands of ``cave``. Those for hosts are loaded when one of them is asked for, or all: a game at
    this keyboard starts without them.
    """

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        if cmd_name not in self.commands:
            self.load_all()
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all."""
        self.load_all()
        return super().list_commands(ctx)

    def load_all(self) -> None:
        """Have all commands in ``commands``."""
        from client.commands.host_cli import host, key, owner

        for command in (host, key, owner):
            self.add_command(command)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="cave", message="%(prog)s %(version)s")
@look
@click.pass_context
def cli(context: click.Context, glyphs: str | None, theme: str | None) -> None:
    """Explore caves together: board games for the terminal.

    Without a command, open the menu.
    """
    context.obj = {"glyphs": glyphs, "theme": theme}
    if context.invoked_subcommand is None:
        from client.launch.opening import Menu

        _screens(context, Menu(), glyphs, theme)


@cli.command(cls=GameCommand)
@game_argument
@click.option("-p", "--person", "people", multiple=True, metavar="NAME", help="A person at this keyboard.")
@bot_option("--bot", "bots", help="A bot of this level.")
@seats_option(
    "--open", "open_seats", least=0, without=1, default=0, help="Seats left open for others to join."
)
@rules_options
@click.option("--seed", default="", metavar="TEXT", help="The same text gives the same game.")
@click.option("--position", type=click.Path(), metavar="FILE", help="Start from this position.")
@absence_option
@look
@click.pass_context
def play(
    context: click.Context,
    game: GameInfo,
    people: tuple[str, ...],
    bots: tuple[str, ...],
    open_seats: int,
    rules: tuple[str, ...],
    seed: str,
    position: str | None,
    absence: str,
    glyphs: str | None,
    theme: str | None,
    preset: str = "",
) -> None:
    """Play GAME at this keyboard: cave play -p Ann -p Bea.

    Without a name you play a quick game against a bot. With two bots or more you watch them play.
    cave games lists the games; without GAME it is the first of them.
    """
    host = None
    if not (open_seats or _in_lines(context)):
        from client.commands import early_host, screens

        host = early_host.start(game.name, screens.host_command(False))
    from client.commands.play import chosen_rules, opening

    settings = chosen_rules(game, preset, rules, of_position=position is not None)
    wanted = opening(people, bots, open_seats, settings, seed, position_of(context), absence, game)
    _screens(context, wanted, glyphs, theme, host)


@cli.command(cls=GameCommand)
@click.argument("address", required=False, default="")
@click.option("-p", "--person", "people", multiple=True, metavar="NAME", help="A person at this keyboard.")
@click.option("--open", "opens", is_flag=True, help="Open a table of your own and wait for others.")
@game_option("Its game; cave games lists them.")
@seats_option("--seats", least=1, help="Its seats for people, yours included; usually two.")
@bot_option("--bot", "bots", help="A bot at that table.")
@rules_options
@click.option("--list", "listed", is_flag=True, help="List the hosts on this network, without a screen.")
@click.option("--resume", is_flag=True, help="Go straight back to the seats you hold there.")
@click.option("--takeover", multiple=True, metavar="SEAT", envvar="CAVE_TAKEOVER", help=TAKEOVER)
@table_code
@trust
@look
@click.pass_context
def join(
    context: click.Context,
    address: str,
    people: tuple[str, ...],
    opens: bool,
    game: GameInfo,
    seats: int | None,
    bots: tuple[str, ...],
    rules: tuple[str, ...],
    listed: bool,
    resume: bool,
    takeover: tuple[str, ...],
    code: str,
    code_file: Path | None,
    accept_new: bool,
    plain: bool,
    glyphs: str | None,
    theme: str | None,
    preset: str = "",
) -> None:
    """Sit down at a table on the host at ADDRESS (host, host:port or a ticket cave://...).

    Without ADDRESS, choose from the hosts on this network.
    """
    if listed:
        if address:
            fail("--list takes no address: leave out one of the two.")
        from client.commands import find

        sys.exit(find.show())
    from client.commands import secret
    from client.commands.play import new_table, visit

    where = visit(
        address,
        people,
        watching=False,
        accept_new=accept_new,
        plain=plain,
        resume=resume,
        takeover=takeover,
        table=new_table(opens, seats, bots, preset, rules, game, named=named(context)),
        code=secret.code(code, code_file),
    )
    _screens(context, where, glyphs, theme)


@cli.command()
@click.argument("address", required=False, default="")
@click.option("--follow", is_flag=True, help="Keep the map where the turn is played.")
@trust
@look
@click.pass_context
def watch(
    context: click.Context,
    address: str,
    follow: bool,
    accept_new: bool,
    plain: bool,
    glyphs: str | None,
    theme: str | None,
) -> None:
    """Watch a game on the host at ADDRESS; without ADDRESS, choose from the hosts on this network."""
    from client.commands.play import visit

    where = visit(address, (), watching=True, accept_new=accept_new, plain=plain, follow=follow)
    _screens(context, where, glyphs, theme)


@cli.command()
@click.option("--delete", metavar="TABLE", shell_complete=offers("tables"), help="Delete this one for good.")
@click.option("--check", is_flag=True, help="Check whether each saved table is intact.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
def tables(delete: str | None, check: bool, data: Path | None) -> None:
    """List the unfinished games of this machine."""
    from client.commands import tables as commands

    if check:
        sys.exit(commands.check(data))
    sys.exit(commands.delete(delete, data) if delete else commands.show(data))


@cli.command("settings", cls=listing(Settings="client.settings.schema"))
@click.argument("name", required=False, shell_complete=offers("settings"))
@click.argument("value", required=False, shell_complete=offers("values"))
@click.option("--keys", is_flag=True, help="List the ids of the key bindings, for [keys] in the file.")
@click.option("--json-schema", "schema", is_flag=True, help="Print the JSON Schema of the settings file.")
def show_settings(name: str | None, value: str | None, keys: bool, schema: bool) -> None:
    """List the settings, show the one called NAME, or set it to VALUE."""
    from client.commands import settings as commands

    if keys or schema:
        sys.exit(commands.keys() if keys else commands.schema())
    if name is None:
        sys.exit(commands.show())
    sys.exit(commands.one(name) if value is None else commands.change(name, value))


@cli.command()
@click.argument("table", required=False, default="", shell_complete=offers("games"))
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
@look
@click.pass_context
def resume(
    context: click.Context, table: str, data: Path | None, glyphs: str | None, theme: str | None
) -> None:
    """Continue the unfinished game TABLE, or the latest one."""
    from client.commands.tables import resumed

    _screens(context, resumed(table, data), glyphs, theme)


@cli.command()
def seat() -> None:
    """Show how to move your seats to another machine."""
    from client.commands.tables import show_seats

    sys.exit(show_seats())


@cli.command()
@click.argument("file", type=click.Path())
def referee(file: str) -> None:
    """Judge a script step by step; FILE may be - for the standard input."""
    from client.commands.files import referee as judge

    sys.exit(judge(file))


@cli.command()
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
    glyphs: str | None,
    theme: str | None,
) -> None:
    """Step through the record FILE of a game; without FILE, choose one of your records.

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
    _screens(context, files.replay(file), glyphs, theme)


@cli.command("games")
def list_games() -> None:
    """List the games, with their players, bots and options."""
    from client.commands import games

    sys.exit(games.show())


@cli.command()
@game_argument
@click.pass_context
def rules(context: click.Context, game: GameInfo) -> None:
    """Show the rules of GAME; without a name those of the first game that cave games lists."""
    from client.commands import games

    sys.exit(games.rules(game.name, paged=not context.meta.get(LINE_MODE)))


@cli.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def complete(shell: str) -> None:
    """Print a script for SHELL that completes cave commands; source it when the shell starts."""
    from client.commands import completion

    click.echo(completion.script(cli, shell))


def _in_lines(context: click.Context) -> bool:
    """Whether it goes in line mode: where there can be no screens, or none are wanted."""
    from client.commands import screens

    return bool(context.meta.get(LINE_MODE)) or not screens.available()


def _screens(
    context: click.Context, opening: Any, glyphs: str | None, theme: str | None, host: Any = None
) -> NoReturn:
    """Open the screens, or the line mode. ``host`` is a host of our own that was started already.

    Here is the last moment to decide how things are drawn.
    """
    outer = context.obj or {}
    if _in_lines(context):
        from client.commands import plain

        sys.exit(plain.run(opening))
    from client.commands.screens import run

    sys.exit(run(opening, glyphs=glyphs or outer.get("glyphs"), theme=theme or outer.get("theme"), host=host))


def main(arguments: list[str] | None = None) -> None:
    """The command ``cave``."""
    if COMPLETING in os.environ:
        from client.commands import completion  # noqa: F401  (knows how a shell takes words apart)
    try:
        cli.main(arguments, prog_name="cave", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        hint = f" Type {_help_of(context)} for help." if context else ""
        click.echo(f"cave: {error.format_message()}{hint}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        stopped()
    except BrokenPipeError:
        # Whoever read our output has gone.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        reason = (error.strerror or str(error)).lower()
        fail(f"the output cannot be written: {reason}.", FAILED)


def _help_of(context: click.Context) -> str:
    """The command that helps with the one that was mistyped."""
    _program, *command = context.command_path.split()
    return typed(" ".join([*command, *as_typed(context), "--help"]))


def _drop_output() -> None:
    """The interpreter must not try to write what is left, and complain once more, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
