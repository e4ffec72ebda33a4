"""The unfinished games of this machine: listing, deleting, and taking one up again."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from cave import games
from client.commands.terminal import BAD_INPUT, FAILED, fail, warn
from client.launch import held_seats, new_game
from client.launch.held_seats import Held, SeatBook
from client.launch.opening import Resumed
from client.launch.own_host import BOT_PAUSE
from client.launch.sitting import in_use
from client.names import told_apart
from client.net.known_hosts import is_this_machine
from client.present.cells import fit, width
from client.program import typed
from client.settings import folders
from server import local
from server.journal import saved_games
from server.journal.data_folder import DataFolderError, is_free
from server.journal.journal import NotKept
from server.journal.saved_games import SavedGame

HEAD = ("TABLE", "PLAYED", "GAME", "STEP", "PLAYERS")
ENDING = 0.5
"""Seconds that the host of a client that was killed may take to end."""
POLL = 0.02
NOT_NOW = "The game {table} cannot be continued: nothing can be saved in {folder} now ({why})."


class NoSuchGame(ConnectionError):
    """There is no game to go on with; one sentence."""


def show(folder: Path | None) -> int:
    """List the games, the latest first."""
    saved, problems = _games(folder)
    rows = [HEAD] if saved else []
    for game in saved:
        when = datetime.fromtimestamp(game.played_at).strftime("%Y-%m-%d %H:%M")
        names = who(game)
        # A title that nobody gave is made of the names of those at the keyboard.
        given = bool(game.title) and not {*game.title.split(", ")} <= {*game.seats, "bots"}
        title = f', called "{game.title}"' if given else ""
        rows.append((game.table, when, title_of(game.game), str(game.seq), f"{names}{title}"))
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)][:-1]
    for *cells, last in rows:
        click.echo("  ".join([*map(fit, cells, widths), last]))
    return BAD_INPUT if problems and not saved else 0


def title_of(game: str) -> str:
    """Return the title of a game, or its name where it is not installed."""
    return games.info(game).title if game in games.names() else f"{game or 'a game'} (not installed)"


def who(game: SavedGame) -> str:
    """Return who sits at a game."""
    names = (told_apart(name, "bot" if seat in game.bots else "") for seat, name in enumerate(game.seats))
    return ", ".join(name or "(free seat)" for name in names)


def check(folder: Path | None) -> int:
    """Tell of each table whether its journal is whole, also while a host is at work there."""
    status, empty = 0, True
    for place, found in saved_games.surveys(folder or folders.data_folder()):
        if isinstance(found, DataFolderError):
            warn(str(found))
            status = FAILED
            continue
        wrong = {each.table: each.why for each in found.findings}
        stories = found.stories()
        empty = empty and not (stories or wrong)
        for table in sorted({*stories, *wrong}):
            steps, lines = stories.get(table, (0, 0))
            say = wrong.get(table) or f"is intact: {_count(steps, 'step')}, {_count(lines, 'line')}"
            click.echo(f"{table}  {say}")
        if not found.whole:
            warn(f"The journal in {place} is damaged ({found.why}).")
            status = FAILED
    if empty and not status:
        click.echo("There are no games on this machine.", err=True)
    return status


def delete(table: str, folder: Path | None) -> int:
    """Delete one game for good."""
    saved, problems = saved_games.unfinished(folder or folders.data_folder())
    game = next((game for game in saved if game.table == table), None)
    if game is None:
        fail(
            problems[0]
            if problems
            else f"There is no unfinished game {table} on this machine; {typed('tables')} lists them."
        )
    try:
        if game.local and not _is_free(game):
            fail(f"The game {table} is being played in another terminal: leave it there first.", FAILED)
        saved_games.delete(game)
    except (DataFolderError, NotKept) as error:
        fail(str(error), FAILED)
    SeatBook(folders.data_folder()).forget(game.table)
    click.echo(f"The game {game.table} is deleted.")
    return 0


def resumed(table: str, folder: Path | None) -> Resumed:
    """Return how to take a game up again: the one of that name, else the one that was played last."""
    try:
        return find(table, folder, tell=warn)
    except NoSuchGame as error:
        fail(str(error))
    except ConnectionError as error:
        fail(str(error), FAILED)


def find(table: str = "", folder: Path | None = None, *, tell: Callable[[str], object] = str) -> Resumed:
    """Return how to take a game up again; raises NoSuchGame, and ConnectionError
    where another program has it and nobody knows the seats. ``tell`` hears of journals that cannot be read.
    """
    home = folders.data_folder()
    book, known = SeatBook(home), held_seats.load(home)
    free = book.free()
    saved, problems = saved_games.unfinished(folder or home)
    here = {game.table: game for game in saved}
    if not table:
        # Those that another terminal plays are the last choice.
        table = next(
            (
                held.table
                for held in (*reversed(free), *reversed(known))
                if held.table in here or (folder is None and not held.local)
            ),
            # Nobody holds a seat where only bots play.
            next((game.table for game in saved if game.local and len(game.bots) == len(game.seats)), ""),
        )
        if not table and not problems:
            raise NoSuchGame(f"You have no unfinished game on this machine; {typed('play')} begins one.")
    game, there = here.get(table), [held for held in reversed(known) if held.table == table]
    local = any(held.local for held in there)
    if problems and game is None and (local or not there):
        # It may be in what cannot be read: nothing of it is forgotten.
        raise NoSuchGame(problems[0])
    for problem in problems:
        tell(problem)
    if game is not None and (why := folders.unwritable(game.folder)):
        raise ConnectionError(NOT_NOW.format(table=table, folder=game.folder, why=why))
    left = tuple(held for held in reversed(free) if held.table == table)
    last = next(iter((*left, *there)), None)
    found = Resumed(table, last.keys if last else {}, free=left)
    if game is not None:
        found = replace(found, local=game.local, again=partial(find, table, folder))
        if _is_free(game):
            # Where others could join, they still can.
            open_at = next((each for each in there if not is_this_machine(each.host.host)), None)
            shared = open_at if game.local else None
            return replace(found, command=_host_of(game, shared), shared=shared.address if shared else "")
        if last is None:
            raise in_use(table)
    elif last is None or local:
        book.forget(table)
        raise NoSuchGame(
            f"There is no unfinished game {table} on this machine; {typed('tables')} lists them."
        )
    # A host is at work with it, on this machine or on another one.
    return replace(found, address=last.address, plain=not last.host.key)


def _is_free(game: SavedGame) -> bool:
    """Return whether no host is at work with the game; that of a client that was killed is about to end."""
    give_up = time.monotonic() + (ENDING if game.local else 0.0)
    while not (free := is_free(game.folder)) and time.monotonic() < give_up:
        time.sleep(POLL)
    return free


def _host_of(game: SavedGame, shared: Held | None) -> tuple[str, ...]:
    """Return the command of a host that plays the game on, for others, too, where it was ``shared`` with
    them.
    """
    if shared is None:
        return tuple(
            local.command(data=game.folder, tidy=game.local, bot_pause=BOT_PAUSE, only_parent=game.local)
        )
    home = folders.data_folder()
    return tuple(
        local.command(
            data=game.folder,
            tidy=game.local,
            bot_pause=BOT_PAUSE,
            bind="0.0.0.0",
            keys=home,
            port=shared.host.port,
        )
    )


def show_seats() -> int:
    """Return how to take over your seats from another machine, the last game first.

    What is secret stands apart from the command, which shells and lists of processes show to others.
    """
    held = list(reversed(held_seats.load(folders.data_folder())))
    if not held:
        click.echo("cave: You have no seat in an unfinished game.", err=True)
        return FAILED
    movable, here = False, False
    for each in held:
        click.echo(f"{new_game.last_game([each])}:")
        if each.local and is_this_machine(each.host.host):
            command = typed(f"resume {each.table}")
            click.echo(f"  It can be played on this machine only. To continue it, type: {command}")
            continue
        click.echo(f"  {typed(shlex.join(['join', each.address, '--takeover', '-']))}")
        click.echo(f"  {' '.join(held_seats.takeover_words(each))}")
        movable, here = True, here or is_this_machine(each.host.host)
    if here:
        click.echo(
            "An address that begins with 127. works on this machine only: elsewhere use the host's own."
        )
    if movable:
        click.echo("Type the first line on the other machine. It asks for the second line.")
        click.echo(
            "The second line is secret: whoever has it can take your seat. "
            "What you type there is neither shown nor stored."
        )
    return 0


def _games(folder: Path | None) -> tuple[list[SavedGame], list[str]]:
    saved, problems = saved_games.unfinished(folder or folders.data_folder())
    for problem in problems:
        warn(problem)
    if not saved and not problems:
        click.echo("There are no unfinished games on this machine.", err=True)
    return saved, problems


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"
