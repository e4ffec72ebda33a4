"""The commands for whoever runs a host: ``cave host``, ``cave key`` and ``cave owner``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from client.commands.options import (
    GameCommand,
    Whole,
    Word,
    absence_option,
    bot_option,
    game_argument,
    hints_option,
    listing,
    offers,
    rules_options,
    seats_option,
    table_code,
)
from client.commands.terminal import FAILED, fail

if TYPE_CHECKING:
    from cave.game import GameInfo

DEFAULT_PORT = 7412
YES_OR_NO = ("yes", "no")


@click.command(cls=listing(GameCommand, Limits="client.commands.limits"))
@game_argument
@click.option(
    "--port",
    type=Whole(0, 65533),
    default=DEFAULT_PORT,
    show_default=True,
    help="The first of three ports; 0 picks free ones.",
)
@click.option(
    "--bind",
    default="",
    metavar="ADDRESS",
    help="Address to listen on: usually all; without encryption 127.0.0.1.",
)
@click.option("--name", default="", metavar="NAME", help="Name of the host.")
@seats_option("--seats", least=0, default=0, help="Keep a table with this many seats open.")
@click.option("--title", default="", help="Title of that table.")
@bot_option("--bot", "bots", help="A bot at that table.")
@bot_option("--bots", "more_bots", hidden=True)
@rules_options
@hints_option
@table_code
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Folder for keys and tables.")
@absence_option
@click.option("--invited-only", is_flag=True, help="Let in only invited clients.")
@click.option("--invite", multiple=True, metavar="KEY", help="Let in only clients with these keys.")
@click.option("--once", is_flag=True, help="Open no other table when that one is full.")
@click.option(
    "--guests-open",
    type=click.Choice(YES_OR_NO),
    default="yes",
    show_default=True,
    help="Whether guests may open tables of their own.",
)
@click.option("--watchers-chat", is_flag=True, help="Let watchers chat.")
@click.option("--no-encryption", is_flag=True, help="No encryption; on this machine only.")
@click.option("--force-no-encryption", is_flag=True, help="No encryption; others can read along.")
@click.option(
    "--no-announce",
    "announce",
    flag_value=False,
    default=True,
    help="Do not announce the host on the network.",
)
@click.option("--stats", is_flag=True, help="Log counts when they change.")
@click.option(
    "--backup",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Copy the saved games to FILE, also while the host runs, and run no host.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    shell_complete=offers("limits"),
    help="Change one of the limits below.",
)
def host(
    game: GameInfo,
    no_encryption: bool,
    force_no_encryption: bool,
    guests_open: str,
    bots: tuple[str, ...],
    more_bots: tuple[str, ...],
    rules: tuple[str, ...],
    code: str | None,
    code_file: Path | None,
    backup: Path | None = None,
    preset: str = "",
    **wished: Any,
) -> None:
    """Run a host that others can join; it has no screen.

    With --seats or --bot it keeps a table open for GAME, or for the first game if none is named. Every game
    can be played at it.
    """
    from client.commands import terminal
    from client.commands.host import HostOptions, back_up, run
    from client.commands.play import chosen_rules

    if backup is not None:
        sys.exit(back_up(wished["data"], backup))
    plain = no_encryption or force_no_encryption
    settings = chosen_rules(game, preset, rules)
    wanted = HostOptions(
        **wished,
        game=game.name,
        code=terminal.code(code, code_file),
        bots=(*bots, *more_bots),
        settings=settings,
        guests_open=guests_open == "yes",
        encrypt=not plain,
        forced=force_no_encryption,
    )
    sys.exit(run(wanted))


@click.command()
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Folder for keys.")
def key(data: Path | None) -> None:
    """Show your own key, for hosts that let in only invited clients."""
    from cave.keys import ticket_form
    from client.net.known_hosts import Keys
    from client.settings import folders

    folder = data or folders.data_folder()
    try:
        mine = Keys(folder).identity()
        if not mine.kept:
            fail(f"Your key cannot be kept in {folder} ({folders.unwritable(folder)}).", FAILED)
        click.echo(ticket_form(mine.public))
    except ConnectionError as error:
        fail(str(error))


def _seat(name: str, about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return an option that names a seat of a table; seats count from 1, as people do."""
    kind = (Word(), Whole(1))
    return click.option(name, type=kind, metavar="TABLE SEAT", shell_complete=offers("hosted"), help=about)


@click.command()
@click.argument("address", required=False, default="", shell_complete=offers("hosts"))
@click.option(
    "--close",
    type=Word(),
    metavar="TABLE",
    shell_complete=offers("hosted"),
    help="End the game at this table and close the table.",
)
@_seat("--free", "Free a seat.")
@_seat("--ban", "Ban whoever has this seat.")
@click.option("--ban-key", type=Word(), metavar="KEY", help="Ban the client with this key.")
@click.option(
    "--ban-address",
    is_flag=True,
    help="With --ban or --ban-key: ban that client's address too. Players with a seat can stay.",
)
@click.option("--for", "lasting", metavar="TIME", help="How long to ban the address, such as 90m, 12h or 7d.")
@click.option(
    "--pardon",
    type=Word(),
    metavar="KEY|ADDRESS",
    shell_complete=offers("banned"),
    help="Lift the ban on this key or address.",
)
@click.option("--guests-open", type=click.Choice(YES_OR_NO), help="Whether guests may open tables.")
@click.option("--guests", is_flag=True, help="List everybody who is connected, with keys and addresses.")
@click.option("--stats", is_flag=True, help="Show the host's counts.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
def owner(address: str, data: Path | None, **order: Any) -> None:
    """Manage your own host: at ADDRESS, or on this machine.

    Seats count from 1. Without an option, list its tables and its bans.
    """
    from client.commands.owner import Order, run

    sys.exit(run(address, Order(**order), folder=data))


COMMANDS = (host, key, owner)
