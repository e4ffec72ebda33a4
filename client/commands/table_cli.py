"""The commands for a table that is there: ``join``, ``watch``, ``resume``, ``seat`` and ``tables``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.commands.options import (
    GameCommand,
    Word,
    bot_option,
    game_option,
    hints_option,
    look,
    named,
    offers,
    rules_options,
    seats_option,
    show,
    table_code,
    trust,
)
from client.commands.terminal import fail

if TYPE_CHECKING:
    from cave.game import GameInfo

TAKEOVER = "Take over this seat, as shown by cave seat; with - you are asked for it, and it is not shown."


@click.command(cls=GameCommand)
@click.argument("address", required=False, default="")
@click.option("-p", "--person", "people", multiple=True, metavar="NAME", help="A person at this keyboard.")
@click.option("--open", "opens", is_flag=True, help="Open a table of your own and wait for others.")
@game_option("Its game; cave games lists them.")
@seats_option("--seats", least=1, help="Its seats for people, yours included; usually two.")
@bot_option("--bot", "bots", help="A bot at that table.")
@rules_options
@hints_option
@click.option("--list", "listed", is_flag=True, help="List the hosts on this network, without a screen.")
@click.option("--resume", is_flag=True, help="Go straight back to the seats you hold there.")
@click.option("--seat", "at", default="", metavar="LETTER", help="Your seat, such as B; else any free one.")
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
    hints: bool,
    listed: bool,
    resume: bool,
    at: str,
    takeover: tuple[str, ...],
    code: str | None,
    code_file: Path | None,
    accept_new: bool,
    plain: bool,
    preset: str = "",
) -> None:
    """Sit down at a table on the host at ADDRESS.

    ADDRESS is host, host:port or a ticket cave://... Without ADDRESS, choose from the hosts on this network.
    """
    if listed:
        if address:
            fail("--list takes no address: leave out one of the two.")
        from client.commands.plain import show_hosts

        sys.exit(show_hosts())
    from client.commands import terminal
    from client.commands.play import new_table, visit

    where = visit(
        address,
        people,
        watching=False,
        accept_new=accept_new,
        plain=plain,
        resume=resume,
        takeover=takeover,
        seats=at,
        table=new_table(opens, seats, bots, preset, rules, game, named=named(context), hints=hints),
        code=terminal.code(code, code_file),
    )
    show(context, where)


@click.command()
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
) -> None:
    """Watch a game on the host at ADDRESS.

    Without ADDRESS, choose from the hosts on this network.
    """
    from client.commands.play import visit

    where = visit(address, (), watching=True, accept_new=accept_new, plain=plain, follow=follow)
    show(context, where)


@click.command()
@click.option(
    "--delete",
    type=Word(),
    metavar="TABLE",
    shell_complete=offers("tables"),
    help="Delete this one for good.",
)
@click.option("--check", is_flag=True, help="Check whether each saved table is intact.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
def tables(delete: str | None, check: bool, data: Path | None) -> None:
    """List the unfinished games of this machine."""
    from client.commands import tables as commands

    if check:
        sys.exit(commands.check(data))
    sys.exit(commands.delete(delete, data) if delete else commands.show(data))


@click.command()
@click.argument("table", required=False, type=Word(), shell_complete=offers("games"))
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
@look
@click.pass_context
def resume(context: click.Context, table: str | None, data: Path | None) -> None:
    """Continue the unfinished game TABLE, or the latest one."""
    from client.commands.tables import resumed

    show(context, resumed(table or "", data))


@click.command()
def seat() -> None:
    """Show how to move your seats to another machine."""
    from client.commands.tables import show_seats

    sys.exit(show_seats())


COMMANDS = (join, resume, seat, tables, watch)
