"""The command line. A command is imported when used. Glyphs and colours are decided before Textual is
imported, as it chooses its colour filters at import.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    get_completion_class,
)

from client.commands.options import display_options, game_as_typed, show_display_option
from client.commands.terminal import FAILED, check_utf8, drop_output, fail, warn
from client.system import command_as_typed, exit_as_stopped

if TYPE_CHECKING:
    from client.launch.own_host import OwnHost


COMPLETING = "_CAVE_COMPLETE"
"""The variable in which a completing shell names itself; click derives it from the program's name."""
COMMANDS = {
    "analyse": ("lab", "Judge the game in RECORD turn by turn."),
    "bench": ("bench", "Measure how fast rules and bots, host, start and drawing are."),
    "daily": ("play", "Play today's cave, the same for everybody."),
    "games": ("games", "List the games, with their players, bots and options."),
    "host": ("host", "Run a host that others can join; it has no screen."),
    "join": ("play", "Sit down at a table on the host at ADDRESS."),
    "key": ("owner", "Show your own key, for hosts that let in only invited clients."),
    "learn": ("play", "Learn GAME in a few minutes, by playing."),
    "mine": ("tables", "List your tables at all hosts, the ones that wait for you first."),
    "new-game": ("games", "Make a small game called NAME in FOLDER, to start your own."),
    "owner": ("owner", "Manage your own host: at ADDRESS, or on this machine."),
    "play": ("play", "Play GAME at this keyboard: cave play -p Ann -p Bea."),
    "profile": ("records", "Show your wins, points, rating and records."),
    "puzzle": ("play", "Solve puzzles of GAME, or the one with a number."),
    "referee": ("records", "Judge a script step by step."),
    "replay": ("records", "Step through the record in FILE, or choose one of yours."),
    "resume": ("tables", "Continue the unfinished game TABLE, or the latest one."),
    "rules": ("games", "Show the rules of GAME."),
    "seat": ("tables", "Show how to move your seats to another machine."),
    "serve": ("serve", "Show the game in browsers, on this machine or for others."),
    "settings": ("settings", "List the settings, show the one called NAME, or set it."),
    "simulate": ("lab", "Let bots play many games of GAME, and count who wins."),
    "tables": ("tables", "List the unfinished games of this machine."),
    "watch": ("play", "Watch a game on the host at ADDRESS."),
}


class LazyCommand(click.Command):
    """Placeholder of a command in lists; the command replaces it on first use."""

    def load_command(self) -> click.Command:
        commands = vars(import_module(f"client.commands.{COMMANDS[str(self.name)][0]}")).values()
        return next(each for each in commands if isinstance(each, click.Command) and each.name == self.name)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        return self.load_command().make_context(info_name, args, parent, **extra)


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    import cave

    click.echo(f"cave {cave.__version__}")
    for name, (oldest, newest) in (
        ("protocol", cave.PROTOCOL_VERSIONS),
        ("records", cave.RECORD_VERSIONS),
        ("journal", cave.JOURNAL_VERSIONS),
    ):
        click.echo(f"{name} {newest}" + (f" (reads {oldest} to {newest})" if oldest < newest else ""))
    context.exit()


@click.group(
    commands={name: LazyCommand(name, short_help=short) for name, (_, short) in COMMANDS.items()},
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version, and the formats that it reads and writes.",
)
@display_options
@click.pass_context
def cli(context: click.Context) -> None:
    """Explore caves together: board games for the terminal.

    Without a command, open the menu.
    """
    if context.invoked_subcommand is None:
        from client.launch.opening import Menu

        show_display_option(context, Menu())


@cli.command("help")
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def show_help(context: click.Context, words: tuple[str, ...]) -> None:
    """Show this help, or the help of a command."""
    cli.main([*words, "--help"], prog_name=context.command_path.partition(" ")[0], standalone_mode=False)


@cli.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def print_completion(context: click.Context, shell: str) -> None:
    """Print a script that completes cave commands in SHELL.

    Source it when the shell starts.
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(context.find_root().command, {}, "cave", COMPLETING).source())


BREAKS = ("=", ":")  # Bash splits words at these


class Bash(BashComplete):
    """Bash splits ``choke_cost=2`` and ``bot:60`` into three words, and completes the last of them."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, last = super().get_completion_args()
        *args, incomplete = join_split_words([*args, last])
        self._before = incomplete.removesuffix("" if last in BREAKS else last)
        return args, incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the replacement for Bash's last word."""
        return f"{item.type},{item.value.removeprefix(self._before)}"


class Fish(FishComplete):
    """Fish's script would split a word at its commas."""

    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


add_completion_class(Bash)
add_completion_class(Fish)


def join_split_words(words: Sequence[str]) -> list[str]:
    """Rejoin words that Bash split at ``=`` or ``:``, except values of options."""
    found: list[str] = []
    for word in words:
        if found and not found[-1].startswith("-") and (word in BREAKS or found[-1].endswith(BREAKS)):
            found[-1] += word
        else:
            found.append(word)
    return found


def main(arguments: list[str] | None = None, host: OwnHost | None = None) -> None:
    """Run the command ``cave``. ``host`` is the local host, if it was already started for this command."""
    try:
        for word in sys.argv[1:] if arguments is None else arguments:
            check_utf8(word)
        try:
            cli.main(arguments, prog_name="cave", standalone_mode=False, obj=host)
        finally:
            # Also if the command raised SystemExit; the disk may be full.
            sys.stdout.flush()
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        sentence = error.format_message()
        if context:
            stop = "" if sentence.endswith((".", "?", "!")) else "."
            sentence += f"{stop} Type {_help_text(context)} for help."
        warn(sentence)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        exit_as_stopped()
    except BrokenPipeError as error:
        # The reader of our output is gone.
        drop_output()
        ended = error.__context__
        sys.exit(ended.code if isinstance(ended, SystemExit) else 0)
    except (KeyError, ValueError):
        if COMPLETING not in os.environ:
            raise
        sys.exit(FAILED)  # The shell's variables are missing or wrong.
    except OSError as error:
        drop_output()
        reason = (error.strerror or str(error)).lower()
        what = "the output cannot be written" if error.filename is None else f"{error.filename} cannot be used"
        fail(f"{what}: {reason}.", FAILED)


def _help_text(context: click.Context) -> str:
    _program, *command = context.command_path.split()
    return command_as_typed(" ".join([*command, *game_as_typed(context), "--help"]))


if __name__ == "__main__":
    main()
