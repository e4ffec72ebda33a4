"""The unfinished games of this machine: listing, deleting, and taking one up again."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from client import folders, seats
from client.cli import FAILED, fail
from client.commands.screens import BOT_PAUSE
from client.keys import is_this_machine
from client.present import setup
from client.present.opening import Resumed
from client.seats import Held, SeatBook
from server import local, shelf
from server.journal import NotKept
from server.shelf import Kept
from server.sqlite_journal import DataFolderError, is_free

ENDING = 3.0
"""Seconds that the host of a client that was killed may take to end."""
POLL = 0.02


class NoSuchGame(ConnectionError):
    """There is no game to go on with; one sentence."""


def show(folder: Path | None) -> int:
    """List the games, the latest first."""
    for kept in _games(folder):
        when = datetime.fromtimestamp(kept.played_at).strftime("%Y-%m-%d %H:%M")
        names = ", ".join(name or "(free seat)" for name in kept.seats)
        # A title that nobody gave is made of the names of those at the keyboard.
        given = bool(kept.title) and not {*kept.title.split(", ")} <= {*kept.seats, "bots"}
        title = f', called "{kept.title}"' if given else ""
        click.echo(f"{kept.table}  {when}  step {kept.seq:<4} {names}{title}")
    return 0


def delete(table: str, folder: Path | None) -> int:
    """Delete one game for good."""
    kept = _chosen(table, _games(folder))
    try:
        shelf.delete(kept)
    except (DataFolderError, NotKept) as error:
        fail(str(error), FAILED)
    SeatBook(folders.data_folder()).forget(kept.table)
    click.echo(f"The game {kept.table} is deleted.")
    return 0


def resumed(table: str, folder: Path | None) -> Resumed:
    """How to take a game up again: the one of that name, else the one that was played last."""
    try:
        return find(table, folder, tell=lambda problem: click.echo(f"cave: {problem}", err=True))
    except NoSuchGame as error:
        fail(str(error))


def find(table: str = "", folder: Path | None = None, *, tell: Callable[[str], object] = str) -> Resumed:
    """How to take a game up again; raises NoSuchGame. ``tell`` hears of journals that can not be read."""
    home = folders.data_folder()
    held = seats.load(home)
    games, problems = shelf.unfinished(folder or home)
    for problem in problems:
        tell(problem)
    here = {kept.table: kept for kept in games}
    if not table:
        mine = [name for name in held if name in here or (folder is None and not held[name].local)]
        if not mine:
            raise NoSuchGame("There is no unfinished game of yours here; cave play begins one.")
        table = mine[-1]
    kept, there = here.get(table), held.get(table)
    keys = dict(there.keys) if there else {}
    if kept is not None and _is_free(kept):
        return Resumed(table, keys, command=_host_of(kept, there))
    if there is None or (there.local and kept is None):
        SeatBook(home).forget(table)
        raise NoSuchGame(f"There is no unfinished game {table} here any more; cave tables lists them.")
    # A host is at work with it, on this machine or on another one.
    plain = not there.host.key
    return Resumed(table, keys, address=there.address, plain=plain)


def _is_free(kept: Kept) -> bool:
    """Whether no host is at work with the game; that of a client that was killed is about to end."""
    give_up = time.monotonic() + (ENDING if kept.local else 0.0)
    while not (free := is_free(kept.folder)) and time.monotonic() < give_up:
        time.sleep(POLL)
    return free


def _host_of(kept: Kept, held: Held | None) -> tuple[str, ...]:
    """The command of a host that plays the game on; where others could join, they still can."""
    where = held.host if held is not None and held.local else None
    if where is None or is_this_machine(where.host):
        return tuple(local.command(data=kept.folder, tidy=kept.local, bot_pause=BOT_PAUSE))
    home = folders.data_folder()
    return tuple(
        local.command(
            data=kept.folder,
            tidy=kept.local,
            bot_pause=BOT_PAUSE,
            bind="0.0.0.0",
            keys=home,
            port=where.port,
        )
    )


def show_seats() -> int:
    """How another machine takes over the seats one holds, the last game first.

    What is secret stands apart from the command, which shells and lists of processes show to others.
    """
    held = list(reversed(seats.load(folders.data_folder()).values()))
    if not held:
        click.echo("cave: You hold no seat at an unfinished game.", err=True)
        return FAILED
    movable = False
    for each in held:
        click.echo(f"{setup.last_game(each)}:")
        if each.local and is_this_machine(each.host.host):
            click.echo("  It can be played on this machine only. To play on type: cave resume")
            continue
        click.echo(f"  {shlex.join(['cave', 'join', each.address, '--takeover', '-'])}")
        click.echo(f"  {' '.join(seats.takeover_words(each))}")
        movable = True
    if movable:
        click.echo("Type the first line on the machine on which you want to play on; it asks for the second.")
        click.echo("The second is secret: whoever has it has the seat. Nothing shows or remembers it there.")
    return 0


def _games(folder: Path | None) -> list[Kept]:
    games, problems = shelf.unfinished(folder or folders.data_folder())
    for problem in problems:
        click.echo(f"cave: {problem}", err=True)
    if not games:
        click.echo("There are no unfinished games here.", err=True)
    return games


def _chosen(table: str, games: list[Kept]) -> Kept:
    found = next((kept for kept in games if kept.table == table), None)
    return found or fail(f"There is no unfinished game {table} here; cave tables lists them.")
