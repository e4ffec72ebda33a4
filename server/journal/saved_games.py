"""The unfinished games kept in a folder and in the folders of local games below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from cave.game import BadData
from server.journal import survey
from server.journal.data_folder import DataFolderError
from server.journal.database import Dated
from server.journal.journal import Entry
from server.journal.shorten import unfolded
from server.journal.sqlite import SqliteJournal, discard
from server.journal.survey import Survey
from server.keys import BANNED_FILE, PAIR_FILE
from server.tables import opening
from server.tables.table import Table

GAMES = "games"
"""Where local games have a folder each."""


@attrs.frozen
class Kept:
    """An unfinished game. ``seats`` are the names of those who sit there, empty for a free seat, and
    ``bots`` the numbers of the seats that bots have; ``played_at`` is in seconds since 1970; ``local``
    games have their ``folder`` for themselves.
    """

    table: str
    folder: Path
    title: str
    seats: tuple[str, ...]
    bots: frozenset[int]
    seq: int
    played_at: float
    local: bool


def unfinished(root: Path) -> tuple[list[Kept], list[str]]:
    """The games, the latest first, and sentences about what cannot be read or is lost."""
    games: list[Kept] = []
    problems: list[str] = []
    for folder, found in surveys(root):
        if isinstance(found, DataFolderError):
            problems.append(str(found))
            continue
        problems += [f"In {folder}: table {each.table} {each.why}." for each in found.findings]
        if not found.whole:
            problems.append(f"The journal in {folder} is damaged ({found.why}).")
        by_table: dict[str, list[Dated]] = {}
        for row in found.kept():
            if row.dated is not None and row.table:
                by_table.setdefault(row.table, []).append(row.dated)
        for name, lines in by_table.items():
            kept = _kept(name, folder, lines, local=folder != root)
            if kept is not None:
                games.append(kept)
    return sorted(games, key=lambda kept: -kept.played_at), problems


def surveys(root: Path) -> Iterator[tuple[Path, Survey | DataFolderError]]:
    """What each of the folders holds."""
    below = root / GAMES
    for folder in (root, *(sorted(below.iterdir()) if below.is_dir() else ())):
        try:
            yield folder, survey.look(folder)
        except DataFolderError as error:
            yield folder, error


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
    entries = [each.line.entry for each in unfolded(lines)]
    if any(entry.kind == "ended" for entry in entries):
        return None
    title, seats, bots = _seats(name, entries)
    seq = max(entry.seq for entry in entries)
    return Kept(name, folder, title, seats, bots, seq, max(each.at for each in lines), local)


def _seats(name: str, entries: list[Entry]) -> tuple[str, tuple[str, ...], frozenset[int]]:
    try:
        setup = opening.from_entry(entries[0].data)
    except BadData:
        return "", (), frozenset()
    seats = Table(name, setup).seats
    names = [seat.name for seat in seats]
    for entry in entries:
        if entry.kind == "sat":
            names[entry.data["seat"]] = entry.data["name"]
        elif entry.kind == "stood":
            names[entry.data["seat"]] = ""
    bots = frozenset(number for number, seat in enumerate(seats) if seat.kind == "bot")
    return setup.title, tuple(names), bots
