"""The unfinished games of this machine, and how to resume each."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from client import system
from client.launch import held_seats
from client.launch.held_seats import HeldSeats, SeatBook
from client.launch.join_table import game_in_use_error
from client.launch.opening import ResumedGame
from client.launch.own_host import BOT_PAUSE
from client.net.known_hosts import is_this_machine
from client.system import command_as_typed
from client.wording import told_apart
from server import local_command
from server.journal import saved_games
from server.journal.database import DataFolderError
from server.journal.database import is_folder_free as nobody_has
from server.journal.saved_games import SavedGame

ENDING = 0.5  # seconds that the host of a killed client may need to exit
POLL = 0.02
NOT_NOW = "The game {table} cannot be continued: nothing can be saved in {folder} now ({why})."


class NoSuchGame(ConnectionError):
    """There is no game to resume; the message is one sentence."""


def player_names(game: SavedGame) -> str:
    names = (told_apart(name, "bot" if seat in game.bots else "") for seat, name in enumerate(game.seats))
    return ", ".join(name or "(free seat)" for name in names)


def unfinished_tables(folder: Path, *, at_work: bool = False) -> list[tuple[str, str]]:
    """Return the tables in a data folder and their players, latest first; or only those ``at_work``."""
    found = []
    for kept in saved_games.unfinished_games(folder)[0]:
        with contextlib.suppress(DataFolderError):
            if not at_work or not nobody_has(kept.folder):
                found.append((kept.table, player_names(kept)))
    return found


def find_unfinished_game(
    table: str = "", folder: Path | None = None, *, tell: Callable[[str], object] = str
) -> ResumedGame:
    """Return how to resume a game, by default the latest; raises NoSuchGame, or ConnectionError if another
    program has it and the seats are unknown. ``tell`` is called for unreadable journals.
    """
    home = system.data_folder()
    book, known = SeatBook(home), held_seats.load_held_seats(home)
    free = book.free()
    saved, problems = saved_games.unfinished_games(folder or home)
    here = {game.table: game for game in saved}
    if not table:
        # Games open in another terminal are the last choice.
        table = next(
            (
                held.table
                for held in (*reversed(free), *reversed(known))
                if held.table in here or (folder is None and not held.local)
            ),
            # Nobody holds a seat in a game of bots.
            next((game.table for game in saved if game.local and len(game.bots) == len(game.seats)), ""),
        )
        if not table and not problems:
            raise NoSuchGame(f"You have no unfinished game on this machine; {command_as_typed('play')} begins one.")
    game, there = here.get(table), [held for held in reversed(known) if held.table == table]
    local = any(held.local for held in there)
    if problems and game is None and (local or not there):
        # It may be in an unreadable journal, which is kept.
        raise NoSuchGame(problems[0])
    for problem in problems:
        tell(problem)
    if game is not None and (why := system.why_unwritable(game.folder)):
        raise ConnectionError(NOT_NOW.format(table=table, folder=game.folder, why=why))
    left = tuple(held for held in reversed(free) if held.table == table)
    last = next(iter((*left, *there)), None)
    keys, places = (last.keys, last.places) if last else ({}, {})
    found = ResumedGame(table, keys, free=left, places=places)
    if game is not None:
        found = replace(found, local=game.local, again=partial(find_unfinished_game, table, folder))
        try:
            free_now = is_game_free(game)
        except DataFolderError as error:
            raise ConnectionError(str(error)) from None
        if free_now:
            # If others could join before, they still can.
            open_at = next((each for each in there if not is_this_machine(each.host_address.host)), None)
            shared = open_at if game.local else None
            return replace(found, command=_host_of(game, shared), shared=shared.address if shared else "")
        if last is None:
            raise game_in_use_error(table)
    elif last is None or local:
        book.forget(table)
        raise NoSuchGame(
            f"There is no unfinished game {table} on this machine; {command_as_typed('tables')} lists them."
        )
    # A host has it open, on this machine or another.
    return replace(found, address=last.address, plain=not last.host_address.key)


def is_game_free(game: SavedGame) -> bool:
    """Return whether no host has the game open; the host of a killed client is about to exit."""
    give_up = time.monotonic() + (ENDING if game.local else 0.0)
    while not (free := nobody_has(game.folder)) and time.monotonic() < give_up:
        time.sleep(POLL)
    return free


def _host_of(game: SavedGame, shared: HeldSeats | None) -> tuple[str, ...]:
    """Return the command of a host that resumes the game, reachable for others if it was ``shared``."""
    command = partial(local_command, data=game.folder, tidy=game.local, bot_pause=BOT_PAUSE)
    if shared is None:
        return tuple(command(only_parent=game.local))
    return tuple(command(bind="0.0.0.0", keys=system.data_folder(), port=shared.host_address.port))
