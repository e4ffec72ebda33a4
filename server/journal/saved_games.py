"""Unfinished games saved in a folder, and in the folders of local games below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cave import codec
from cave.game import BadData
from server.clients.bans import KEY_FILES
from server.journal import survey
from server.journal.data_folder import DataFolderError
from server.journal.journal import Line
from server.journal.shorten import unfolded
from server.journal.sqlite import SqliteJournal, discard
from server.journal.survey import Survey
from server.tables import opening
from server.tables.entry import Entry
from server.tables.opening import Setup
from server.tables.seat import Seat, fresh_seats

GAMES = "games"
"""Each local game has a folder of its own below this one."""


class SavedGame(Struct, frozen=True):
    """An unfinished game; its ``game`` may not be installed. ``seats`` holds the players' names, empty for a
    free seat; ``bots`` the numbers of the bots' seats. ``played_at`` is in seconds since 1970. A ``local``
    game has its ``folder`` to itself.
    """

    table: str
    folder: Path
    game: str
    title: str
    seats: tuple[str, ...]
    bots: frozenset[int]
    seq: int
    played_at: float
    local: bool


def unfinished(root: Path) -> tuple[list[SavedGame], list[str]]:
    """Return the games, latest first, and one sentence about each game or folder that cannot be read."""
    games: list[SavedGame] = []
    problems: list[str] = []
    for folder, found in surveys(root):
        if isinstance(found, DataFolderError):
            problems.append(str(found))
            continue
        problems += [f"In {folder}: table {each.table} {each.why}." for each in found.findings]
        if not found.whole:
            problems.append(f"The journal in {folder} is damaged ({found.why}).")
        by_table: dict[str, list[Line]] = {}
        for line in found.kept():
            if line.entry.table:
                by_table.setdefault(line.entry.table, []).append(line)
        for name, lines in by_table.items():
            game = _saved_game(name, folder, lines, local=folder != root)
            if game is not None:
                games.append(game)
    return sorted(games, key=lambda game: -game.played_at), problems


def surveys(root: Path) -> Iterator[tuple[Path, Survey | DataFolderError]]:
    """Survey each of the folders."""
    below = root / GAMES
    for folder in (root, *(sorted(below.iterdir()) if below.is_dir() else ())):
        try:
            yield folder, survey.look(folder)
        except DataFolderError as error:
            yield folder, error


def delete(game: SavedGame) -> None:
    """Delete a game for good; raises NotKept, and DataFolderError while a host uses the folder."""
    journal = SqliteJournal(game.folder)
    try:
        journal.forget(game.table)
        empty = all(line.entry.table == game.table for line in journal.of_tables())
    finally:
        journal.close()
    if game.local and empty:
        discard(game.folder, *KEY_FILES)


def _saved_game(name: str, folder: Path, lines: list[Line], *, local: bool) -> SavedGame | None:
    entries = [line.entry for line in unfolded(lines)]
    if any(map(_ends, entries)):
        return None
    opened = entries[0].data
    try:
        setup = codec.structure(opened, Setup)
        seats, title = fresh_seats(setup.seats), setup.title
    except BadData:
        seats, title = [], ""
    names = _names(seats, entries) if seats else ()
    resigned = {entry.data["seat"] for entry in entries if entry.kind == "resigned"}
    bots = frozenset(number for number, seat in enumerate(seats) if seat.kind == "bot" or number in resigned)
    seq = max(entry.seq for entry in entries)
    at = max(line.at for line in lines if line.entry.kind != "shelved")
    return SavedGame(name, folder, opening.game_of(opened), title, names, bots, seq, at, local)


def _ends(entry: Entry) -> bool:
    """Return whether the game ended with this entry, by the rules or otherwise."""
    data = entry.data
    return entry.kind == "ended" or (entry.kind in ("resigned", "set_aside") and bool(data.get("ends")))


def _names(seats: list[Seat], entries: list[Entry]) -> tuple[str, ...]:
    names = [seat.name for seat in seats]
    for entry in entries:
        if entry.kind == "sat":
            names[entry.data["seat"]] = entry.data["name"]
        elif entry.kind == "stood":
            names[entry.data["seat"]] = ""
    return tuple(names)
