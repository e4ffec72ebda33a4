"""The unfinished games of this machine: listing, deleting, and taking one up again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from client import seats
from client import settings as settings_file
from client.cli import FAILED, fail
from client.commands.screens import BOT_PAUSE
from client.present.opening import Resumed
from server import local, shelf
from server.journal import NotKept
from server.shelf import Kept
from server.sqlite_journal import DataFolderError, is_free


def show(folder: Path | None) -> int:
    """List the games, the latest first."""
    for kept in _games(folder):
        when = datetime.fromtimestamp(kept.played_at).strftime("%Y-%m-%d %H:%M")
        names = ", ".join(name or "(free seat)" for name in kept.seats)
        title = f"  {kept.title}" if kept.title and kept.title != names else ""
        click.echo(f"{kept.table}  {when}  step {kept.seq:<4} {names}{title}")
    return 0


def delete(table: str, folder: Path | None) -> int:
    """Delete one game for good."""
    kept = _chosen(table, _games(folder))
    try:
        shelf.delete(kept)
    except (DataFolderError, NotKept) as error:
        fail(str(error), FAILED)
    seats.remember(settings_file.data_folder(), kept.table, "", {})
    click.echo(f"The game {kept.table} is deleted.")
    return 0


def resumed(table: str, folder: Path | None) -> Resumed:
    """How to take a game up again: the one of that name, else the latest that one sits at."""
    held = seats.load(settings_file.data_folder())
    games, problems = shelf.unfinished(folder or settings_file.data_folder())
    for problem in problems:
        click.echo(f"cave: {problem}", err=True)
    mine = [kept for kept in games if kept.table in held]
    if not table and not mine:
        fail("there is no unfinished game of yours here; cave play begins one.")
    kept = _chosen(table, games) if table and any(table == each.table for each in games) else None
    if kept is None and not table:
        kept = mine[0]
    there = held.get(table or (kept.table if kept else ""))
    keys = dict(there.keys) if there else {}
    if kept is not None and is_free(kept.folder):
        argv = local.command(data=kept.folder, tidy=kept.local, bot_pause=BOT_PAUSE)
        return Resumed(kept.table, keys, command=tuple(argv))
    if there is None:
        fail(f"there is no unfinished game {table} here; cave tables lists them.")
    # A host is at work with it, on this machine or on another one.
    return Resumed(there.table, keys, address=there.address)


def _games(folder: Path | None) -> list[Kept]:
    games, problems = shelf.unfinished(folder or settings_file.data_folder())
    for problem in problems:
        click.echo(f"cave: {problem}", err=True)
    if not games:
        click.echo("There are no unfinished games here.", err=True)
    return games


def _chosen(table: str, games: list[Kept]) -> Kept:
    found = next((kept for kept in games if kept.table == table), None)
    return found or fail(f"there is no unfinished game {table} here; cave tables lists them.")
