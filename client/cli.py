"""The command line. Everything heavy is imported by the command that needs it.

Glyphs, colours and whether there is a screen at all are decided here, before the screens' library
is imported: it chooses its colour filters once, when it is loaded.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from client.commands.options import (
    GameCommand,
    absence_option,
    as_typed,
    bot_option,
    game_argument,
    hints_option,
    look,
    position_of,
    rules_options,
    seats_option,
    show,
)
from client.commands.terminal import FAILED, fail, warn
from client.program import stopped, typed

if TYPE_CHECKING:
    from cave.game import GameInfo
    from client.launch.own_host import OwnHost

COMPLETING = "_CAVE_COMPLETE"
"""Set where a shell asks for completions."""


class CommandGroup(click.Group):
    """The commands of ``cave``. Those but ``play`` are loaded when one of them is asked for, or all: a game
    at this keyboard starts without them.
    """

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, if there is one."""
        if cmd_name not in self.commands:
            self.load_all()
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all."""
        self.load_all()
        return super().list_commands(ctx)

    def load_all(self) -> None:
        """Have all commands in ``commands``."""
        from client.commands import host_cli, info_cli, lab_cli, table_cli

        for module in (host_cli, info_cli, lab_cli, table_cli):
            for command in module.COMMANDS:
                self.add_command(command)


def _version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from client.commands.info_cli import show_version

        show_version(context)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version, and the formats that it reads and writes.",
)
@look
@click.pass_context
def cli(context: click.Context) -> None:
    """Explore caves together: board games for the terminal.

    Without a command, open the menu.
    """
    if context.invoked_subcommand is None:
        from client.launch.opening import Menu

        show(context, Menu())


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
@hints_option
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
    hints: bool,
    preset: str = "",
) -> None:
    """Play GAME at this keyboard: cave play -p Ann -p Bea.

    Without a name you play a quick game against a bot; a game for one alone, unless you add --bot. With two
    bots or more you watch them play. cave games lists the games; without GAME you play the first of them.
    """
    from client.commands.play import chosen_rules, opening

    settings = chosen_rules(game, preset, rules, of_position=position is not None)
    wanted = opening(
        people, bots, open_seats, settings, seed, position_of(context), absence, game, hints=hints
    )
    show(context, wanted, context.obj)


def main(arguments: list[str] | None = None, host: OwnHost | None = None) -> None:
    """Run the command ``cave``. ``host`` is a host of our own that was started already for what it opens."""
    if COMPLETING in os.environ:
        from client.commands import completion  # noqa: F401  (knows how a shell takes words apart)
    try:
        try:
            cli.main(arguments, prog_name="cave", standalone_mode=False, obj=host)
        finally:
            # A command that ends by an exit status has written, too, and the disk may be full.
            sys.stdout.flush()
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        sentence = error.format_message()
        if context:
            stop = "" if sentence.endswith((".", "?", "!")) else "."
            sentence += f"{stop} Type {_help_of(context)} for help."
        warn(sentence)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        stopped()
    except BrokenPipeError as error:
        # Whoever read our output has gone.
        _drop_output()
        ended = error.__context__
        sys.exit(ended.code if isinstance(ended, SystemExit) else 0)
    except OSError as error:
        _drop_output()
        reason = (error.strerror or str(error)).lower()
        fail(f"the output cannot be written: {reason}.", FAILED)


def _help_of(context: click.Context) -> str:
    """Return the command that helps with the one that was mistyped."""
    _program, *command = context.command_path.split()
    return typed(" ".join([*command, *as_typed(context), "--help"]))


def _drop_output() -> None:
    """Drop what is left to be written: the interpreter would complain once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
