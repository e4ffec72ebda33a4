"""Games on disk: folders of unfinished local games, backups of journals, and records of finished games."""

from __future__ import annotations

import contextlib
import hmac
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from cave import codec, files, record
from cave.files import error_reason, write_new
from cave.game import BadData, Json
from server import system
from server.clients.access import KEY_FILES
from server.journal import database
from server.journal.database import FILE, DataFolderError, Unreadable
from server.journal.journal_survey import Survey, survey_folder
from server.journal.restore import restore_table, unfold_lines
from server.journal.sqlite import SqliteJournal, discard_journal
from server.tables.effects import Entry, Line
from server.tables.opening import Seat, Setup, make_seats

GAMES = "games"  # each local game has its own folder below this one


class SavedGame(Struct, frozen=True):
    """An unfinished game; ``seats`` are names ("": free), ``bots`` seat numbers, ``played_at`` a Unix time. A
    ``local`` game has its own ``folder``.
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


def unfinished_games(root: Path) -> tuple[list[SavedGame], list[str]]:
    """Return the games, latest first, and one sentence for each unreadable game or folder."""
    games: list[SavedGame] = []
    problems: list[str] = []
    for folder, found in survey_folders(root):
        if isinstance(found, DataFolderError):
            problems.append(str(found))
            continue
        problems += [f"In {folder}: table {each.table} {each.why}." for each in found.findings]
        if not found.is_undamaged:
            problems.append(f"The journal in {folder} is damaged ({found.damage_sentence}).")
        by_table: dict[str, list[Line]] = {}
        for line in found.readable_lines():
            if line.entry.table:
                by_table.setdefault(line.entry.table, []).append(line)
        for name, lines in by_table.items():
            game = _saved_game(name, folder, lines, local=folder != root)
            if game is not None:
                games.append(game)
    return sorted(games, key=lambda game: -game.played_at), problems


def survey_folders(root: Path) -> Iterator[tuple[Path, Survey | DataFolderError]]:
    below, folders = root / GAMES, [root]
    try:
        if below.is_dir():
            folders += sorted(below.iterdir())
    except OSError as error:
        yield below, database.folder_not_usable(below, error)
    for folder in folders:
        try:
            yield folder, survey_folder(folder)
        except DataFolderError as error:
            yield folder, error


def delete_game(game: SavedGame) -> None:
    """Delete a game; raises NotKept, and DataFolderError while a host uses the folder."""
    journal = SqliteJournal(game.folder)
    try:
        journal.forget_table(game.table)
        empty = all(line.entry.table == game.table for line in journal.read_table_lines())
    finally:
        journal.close()
    if game.local and empty:
        discard_journal(game.folder, *KEY_FILES)


def _saved_game(name: str, folder: Path, lines: list[Line], *, local: bool) -> SavedGame | None:
    history = [*unfold_lines(lines)]
    entries = [line.entry for line in history]
    if any(map(_ends_game, entries)) and not _waits_for_next_game(name, history):
        return None
    opened = entries[0].data
    try:
        setup = codec.parse(opened, Setup)
        seats, title = make_seats(setup.seats, setup.kept), setup.title
    except BadData:
        seats, title = [], ""
    names = _latest_seat_names(seats, entries) if seats else ()
    resigned = {entry.data["seat"] for entry in entries if entry.kind == "resigned"}
    bots = frozenset(number for number, seat in enumerate(seats) if seat.kind == "bot" or number in resigned)
    seq = max(entry.seq for entry in entries)
    at = max(line.at for line in lines if line.entry.kind != "shelved")
    return SavedGame(name, folder, str(opened.get("game", "")), title, names, bots, seq, at, local)


def _ends_game(entry: Entry) -> bool:
    data = entry.data
    return entry.kind == "ended" or (entry.kind in ("resigned", "set_aside") and bool(data.get("ends")))


def _waits_for_next_game(name: str, history: list[Line]) -> bool:
    if not history[0].entry.data.get("series"):
        return False  # Without a series there is nothing to compute.
    try:
        return restore_table(name, history).waits_for_next_game
    except Exception:  # Any error: the game is over.
        return False


def _latest_seat_names(seats: list[Seat], entries: list[Entry]) -> tuple[str, ...]:
    names = [seat.name for seat in seats]
    for entry in entries:
        if entry.kind == "sat":
            names[entry.data["seat"]] = entry.data["name"]
        elif entry.kind == "stood":
            names[entry.data["seat"]] = ""
    return tuple(names)


PART = ".part"


class BackupError(Exception):
    """No copy was made; the message is a sentence with the remedy."""


def back_up(folder: Path, file: Path) -> int:
    """Copy a folder's journal to a file; return the number of its tables. Replaces an earlier copy
    atomically. Raises BackupError and DataFolderError.
    """
    journal = folder / FILE
    if not journal.exists():
        raise BackupError(f"There is nothing to back up: no host has saved a game in {folder}.")
    _check_backup_target(file, journal)
    part = file.with_name(file.name + PART)
    try:
        database.remove_database(part)
        write_new(part, b"", 0o600)
        try:
            tables = _copy_journal(journal, part)
            part.replace(file)
            system.sync_folder(file.parent)
        finally:
            database.remove_database(part)
    except (Unreadable, sqlite3.Error) as error:
        found = database.sqlite_exception(folder, error) if isinstance(error, sqlite3.Error) else error
        if not isinstance(found, Unreadable):
            raise found from None
        raise BackupError(
            f"The journal in {folder} is damaged ({found}): start the host, which saves what it can."
        ) from None
    except OSError as error:
        why = error_reason(error, str(error))
        raise BackupError(f"The file {file} cannot be written ({why}): choose another one.") from None
    return tables


def _check_backup_target(file: Path, journal: Path) -> None:
    try:
        if not file.exists():
            return
        database.journal_version(file)
    except (Unreadable, OSError):
        raise BackupError(f"{file} already exists and is not a backup: choose another name.") from None
    if file.samefile(journal) or (file.parent / database.LOCK).exists():
        raise BackupError(f"{file} is the journal of a host: choose another folder for the backup.")


def _copy_journal(journal: Path, part: Path) -> int:
    with (
        contextlib.closing(database.open_for_reading(journal)) as source,
        contextlib.closing(sqlite3.connect(part)) as copy,
    ):
        source.backup(copy)
        tables = copy.execute("SELECT count(DISTINCT tbl) FROM entries WHERE tbl != ''").fetchone()[0]
        if why := database.database_problem(copy, part):
            raise Unreadable(why)
    with part.open("rb") as written:
        system.sync_file(written.fileno())
    return int(tables)


BLOCK = 4096  # the size of a disk block, in bytes
RECORD_MODE = 0o666  # records are not secret: the user's umask applies


class RecordFolder:
    """Writes records to a folder. Guests' records are limited to ``most`` bytes, and ``each`` for a site,
    whose mark in the file name is derived from the ``secret``. Thread-safe.
    """

    def __init__(self, folder: Path, most: int, each: int, secret: str) -> None:
        self._folder = folder
        self._most = most
        self._each = each
        self._secret = secret.encode()
        self._lock = threading.Lock()
        self._guests: dict[Path, int] | None = None
        """The sizes of guests' records, the oldest first; None until the first is written."""

    def write(self, table: str, lines: Sequence[Json], site: str = "") -> None:
        """Write the record of a table; ``site`` is the guest's, "" for the owner. Raises OSError."""
        day, content = str(lines[0].get("created", ""))[:10], record.write(lines)
        with self._lock:
            if not site:
                files.replace_file(self._folder / f"{day}-{table}.jsonl", content, RECORD_MODE)
                return
            mark = hmac.digest(self._secret, site.encode(), "sha256").hex()[:8]
            file = self._folder / f"{day}-{table}.guest-{mark}.jsonl"
            guests = self._record_sizes()
            guests.pop(file, None)
            self._drop_oldest_records(guests, file, len(content))
            files.replace_file(file, content, RECORD_MODE)
            guests[file] = _disk_blocks(len(content))

    def _drop_oldest_records(self, guests: dict[Path, int], file: Path, size: int) -> None:
        while True:
            share = Counter[str]()
            for path, taken in guests.items():
                share[_site_mark(path)] += taken
            if share[_site_mark(file)] + _disk_blocks(size) > self._each:
                most = _site_mark(file)
            elif share.total() + _disk_blocks(size) > self._most:
                most = max(share, key=lambda mark: share[mark])
            else:
                return
            oldest = next((path for path in guests if _site_mark(path) == most), None)
            if oldest is None:
                return  # A record over the limit is kept if it is the only one.
            oldest.unlink(missing_ok=True)
            del guests[oldest]

    def _record_sizes(self) -> dict[Path, int]:
        if self._guests is None:
            found = []
            for path in self._folder.glob("*.guest-*.jsonl"):
                with contextlib.suppress(OSError):
                    about = path.stat()
                    found.append((about.st_mtime_ns, path, _disk_blocks(about.st_size)))
            self._guests = {path: size for _, path, size in sorted(found)}
        return self._guests


def _site_mark(path: Path) -> str:
    return path.suffixes[-2]


def _disk_blocks(size: int) -> int:
    return -(-size // BLOCK) * BLOCK
