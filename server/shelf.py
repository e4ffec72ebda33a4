"""The unfinished games kept in a folder and in the folders of local games below it."""

from __future__ import annotations

from pathlib import Path

import attrs

from cave.game import BadData
from server import opening
from server.journal import Entry
from server.keys import BANNED_FILE, PAIR_FILE
from server.sqlite_journal import Damaged, DataFolderError, Dated, SqliteJournal, discard, look
from server.table import Table

GAMES = "games"
"""Where local games have a folder each."""


@attrs.frozen
class Kept:
    """An unfinished game. ``seats`` are the names of those who sit there, empty for a free seat;
    ``played_at`` is in seconds since 1970; ``local`` games have their ``folder`` for themselves.
    """

    table: str
    folder: Path
    title: str
    seats: tuple[str, ...]
    seq: int
    played_at: float
    local: bool


def unfinished(root: Path) -> tuple[list[Kept], list[str]]:
    """The games, the latest first, and a sentence about each journal that can not be read."""
    games: list[Kept] = []
    problems: list[str] = []
    below = root / GAMES
    for folder in (root, *(sorted(below.iterdir()) if below.is_dir() else ())):
        try:
            dated = look(folder)
        except (Damaged, DataFolderError, OSError) as error:
            problems.append(f"The games in {folder} can not be read: {str(error).rstrip('.')}.")
            continue
        by_table: dict[str, list[Dated]] = {}
        for each in dated:
            by_table.setdefault(each.line.entry.table, []).append(each)
        for name, lines in by_table.items():
            kept = _kept(name, folder, lines, local=folder != root)
            if kept is not None:
                games.append(kept)
    return sorted(games, key=lambda kept: -kept.played_at), problems


def delete(kept: Kept) -> None:
    """Forget a game for good; raises DataFolderError while a host is at work there, and NotKept."""
    journal = SqliteJournal(kept.folder)
    try:
        journal.forget(kept.table)
        empty = all(each.line.entry.table == kept.table for each in journal.dated())
    finally:
        journal.close()
    if kept.local and empty:
        discard(kept.folder, PAIR_FILE, BANNED_FILE)


def _kept(name: str, folder: Path, lines: list[Dated], *, local: bool) -> Kept | None:
    entries = [each.line.entry for each in lines]
    if any(entry.kind == "ended" for entry in entries):
        return None
    title, seats = _seats(name, entries)
    seq = max(entry.seq for entry in entries)
    return Kept(name, folder, title, seats, seq, max(each.at for each in lines), local)


def _seats(name: str, entries: list[Entry]) -> tuple[str, tuple[str, ...]]:
    try:
        setup = opening.from_entry(entries[0].data)
    except BadData:
        return "", ()
    names = [seat.name for seat in Table(name, setup).seats]
    for entry in entries:
        if entry.kind == "sat":
            names[entry.data["seat"]] = entry.data["name"]
        elif entry.kind == "stood":
            names[entry.data["seat"]] = ""
    return setup.title, tuple(names)
