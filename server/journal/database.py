"""The journal's file (an SQLite database of rows with checksums), and the lock on its folder."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from filelock import BaseFileLock, FileLock, Timeout
from msgspec import Struct

from cave import JOURNAL_VERSIONS
from cave.files import check_regular, error_reason, make_private, open_regular, write_new
from server.system import OTHER_FOLDER
from server.tables.effects import Entry, Line, SavedReply, Snapshot

FILE = "journal.sqlite"
LOG = f"{FILE}-wal"
NEW = f"{FILE}.new"
READY = f"{FILE}.ready"  # a complete new file that ``replace_by_new_journal`` puts in place
BESIDE = ("-wal", "-shm", "-journal")  # suffixes of SQLite's files beside a database
VFS = ""  # parameters to add to SQLite's URI; tests simulate other file systems with it
APPLICATION = 0x43617665  # marks the file as ours: ``Cave`` in ASCII
BROKEN = "SQLite cannot read all of it"
VERSION = JOURNAL_VERSIONS[1]
NEWEST = 1000  # a higher number means damage, not a later version
PATIENCE = 2.0  # seconds to wait for another process that reads the file

_SCHEMA = (
    """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, tbl TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL,
    data TEXT NOT NULL, at REAL NOT NULL, re TEXT, reply BLOB, peer TEXT, seat INTEGER,
    checksum INTEGER NOT NULL
)
""",
    """
CREATE TABLE snapshots (
    tbl TEXT PRIMARY KEY, seq INTEGER NOT NULL, data TEXT NOT NULL, checksum INTEGER NOT NULL
)
""",
)
"""``entries`` is complete; ``snapshots`` only save time."""
_COLUMNS = "tbl, kind, seq, data, at, re, reply, peer, seat"
INSERT = f"INSERT INTO entries (number, {_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

# Plain JSON can hold any text, even lone surrogates, which UTF-8 cannot encode.
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_HEADER = 100
_MOST = 2**63 - 1
_LEAF = 300  # rows to try one by one after a damaged page: more than a page holds


class Unreadable(Exception):
    """The file is not a complete journal; the message says why in a few words."""


class Damaged(Struct, frozen=True):
    """A damaged row, perhaps of this table."""

    number: int
    table: str


class Gap(Struct, frozen=True):
    """Unreadable rows between two row numbers."""

    after: int
    before: int


def journal_version(path: Path) -> int:
    """Return the version of a journal's file from its first bytes; raises Unreadable and OSError."""
    # Through a link, two hosts in two folders could use one journal.
    check_regular(path, follow=False)
    with open_regular(path) as file:
        header = file.read(_HEADER)
    if not header:
        # SQLite would treat it as a new file, and delete its log.
        raise Unreadable("it is empty")
    if len(header) < _HEADER or not header.startswith(b"SQLite format 3\0"):
        raise Unreadable("it is not a journal")
    version, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION:
        raise Unreadable("the file belongs to another program")
    if not 1 <= version <= NEWEST:
        raise Unreadable("its header is broken")
    return version


def create_journal(path: Path, lines: Sequence[tuple[Any, ...]] = ()) -> None:
    """Create a journal with these rows, on disk when this returns. A failure leaves no file."""
    remove_database(path)
    write_new(path, b"", 0o600)
    try:
        with contextlib.closing(_connect_sqlite(path, "mode=rw")) as db:
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("BEGIN")
            for table in _SCHEMA:
                db.execute(table)
            db.executemany(INSERT, lines)
            db.execute("COMMIT")
            # Last, as the file will be renamed: rows in a log would be lost.
            db.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        remove_database(path)
        raise


def remove_database(path: Path) -> None:
    """Delete a database and SQLite's files beside it; raises OSError."""
    for ending in ("", *BESIDE):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open the file for writing; transactions are on disk once committed. On file systems without shared
    memory, such as many network ones, it uses a rollback journal instead of a write-ahead log.
    """
    journal_version(path)
    try:
        return _open_journaled(path)
    except sqlite3.Error as error:
        if not getattr(error, "sqlite_errorname", "").startswith(_NO_SHARED_MEMORY):
            raise
    # With an exclusive lock SQLite can apply an existing log without shared memory.
    with contextlib.closing(_connect_sqlite(path, "mode=rw", locking="EXCLUSIVE")) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    return _open_journaled(path)


def _open_journaled(path: Path) -> sqlite3.Connection:
    db = _connect_sqlite(path, "mode=rw")
    try:
        # With read-only shared memory only writing fails.
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")
    except sqlite3.Error:
        db.close()
        raise
    return db


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open the file for reading. Writes only if SQLite must apply a rollback journal."""
    journal_version(path)
    if Path(f"{path}-journal").exists():
        return _connect_sqlite(path, "mode=rw")
    # Without a log no host is running, and SQLite must not create files beside it.
    closed = has_write_ahead_log(path) and not Path(f"{path}-wal").exists()
    return _connect_sqlite(path, "immutable=1" if closed else "mode=ro")


def has_write_ahead_log(path: Path) -> bool:
    with open_regular(path) as file:
        return file.read(_HEADER)[18:20] == b"\2\2"


class _Connection(sqlite3.Connection):
    """A connection whose errors are all of SQLite, also if a message quotes damaged bytes that are not UTF-8."""

    def execute(self, *args: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*args)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(BROKEN) from error


def _connect_sqlite(path: Path, how: str, locking: str = "NORMAL") -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}{VFS}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE, factory=_Connection)
    db.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    try:
        db.execute(f"PRAGMA locking_mode = {locking}")
        db.execute("PRAGMA synchronous = FULL")
        # On macOS synced data may still be in the disk's cache.
        db.execute("PRAGMA fullfsync = 1")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def database_problem(db: sqlite3.Connection, path: Path) -> str:
    """Return in a few words why the database is not intact, or ""."""
    try:
        if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            return BROKEN
    except sqlite3.Error as error:
        _check_not_disk_error(path.parent, error)
        return BROKEN
    # If the header names no log, SQLite ignores one that exists.
    is_safe = has_write_ahead_log(path) or not Path(f"{path}-wal").exists()
    return "" if is_safe else "it is not written safely"


def read_all_lines(db: sqlite3.Connection, folder: Path) -> Iterator[Line | Damaged | Gap]:
    """Yield all readable rows and the gaps in order; raises DataFolderError for errors other than damage."""
    query = f"SELECT number, {_COLUMNS}, checksum FROM entries WHERE number > ? ORDER BY number"
    last = 0
    step = 0
    while last + step < _MOST:
        try:
            for number, *values, checksum in db.execute(query, (last + step,)):
                if number <= last:
                    raise sqlite3.DatabaseError("rows are out of order")
                if step:
                    yield Gap(last, number)
                last, step = number, 0
                yield decode_row(number, values, checksum)
        except sqlite3.Error as error:
            _check_not_disk_error(folder, error)
            # There may be more rows after a damaged page.
            step = step + 1 if step < _LEAF else step * 2
        else:
            break
    if step:
        yield Gap(last, _MOST)


def read_table_lines(db: sqlite3.Connection, table: str) -> list[Line | Damaged]:
    query = f"SELECT number, {_COLUMNS}, checksum FROM entries WHERE tbl = ? ORDER BY number"
    return [decode_row(number, values, checksum) for number, *values, checksum in db.execute(query, (table,))]


def write_snapshot(db: sqlite3.Connection, table: str, snapshot: Snapshot) -> None:
    values = [table, snapshot.seq, _ENCODER.encode(snapshot.data)]
    db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", (*values, _line_checksum(0, values)))


def read_snapshot(db: sqlite3.Connection, table: str) -> Snapshot | None:
    """Return the snapshot of a table; None if missing or damaged."""
    for *values, checksum in db.execute("SELECT * FROM snapshots WHERE tbl = ?", (table,)):
        if _line_checksum(0, values) == checksum:
            return Snapshot(values[1], json.loads(values[2]))
    return None


def decode_row(number: int, values: list[Any], checksum: Any) -> Line | Damaged:
    table = values[0] if isinstance(values[0], str) else ""
    if _line_checksum(number, values) != checksum:
        return Damaged(number, table)
    _, kind, seq, data, at, re, reply, peer, seat = values
    saved = None if re is None else SavedReply(re, reply, peer, seat)
    return Line(Entry(table, kind, json.loads(data), seq), saved, at, number, checksum)


def encode_line(line: Line) -> tuple[Any, ...]:
    """Return the row of a line; the last value is its checksum."""
    entry, reply = line.entry, line.reply
    data = _ENCODER.encode(entry.data)
    values: list[Any] = [entry.table, entry.kind, entry.seq, data, line.at]
    if reply is None:
        values += [None] * 4
    else:
        values += [reply.re, reply.body, reply.peer, reply.seat]
    return (line.number, *values, _line_checksum(line.number, values))


def _line_checksum(number: int, values: list[Any]) -> int:
    return zlib.crc32(repr((number, values)).encode())


def replace_by_new_journal(folder: Path) -> None:
    """Move a complete new file into place, also one left by a crash."""
    ready = folder / READY
    if os.path.lexists(ready):
        check_regular(ready, follow=False)
        # The old log must not be applied to the new file.
        for ending in BESIDE:
            (folder / f"{FILE}{ending}").unlink(missing_ok=True)
        ready.replace(folder / FILE)


def sqlite_exception(folder: Path, error: sqlite3.Error) -> Exception:
    """Convert an SQLite error: the folder cannot be used, or the file is damaged."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_OUTER) and name not in _READING:
        return journal_not_usable(folder, error)
    return Unreadable(BROKEN)


def journal_not_usable(folder: Path, error: sqlite3.Error) -> DataFolderError:
    return DataFolderError(
        f"The journal in the folder {folder} cannot be used ({str(error).rstrip('.').lower()}): "
        f"fix that, or {ELSEWHERE}."
    )


def _check_not_disk_error(folder: Path, error: sqlite3.Error) -> None:
    outer = sqlite_exception(folder, error)
    if isinstance(outer, DataFolderError):
        raise outer from None


_OUTER = (
    "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR",
    "SQLITE_NOMEM", "SQLITE_PERM", "SQLITE_PROTOCOL",
)  # fmt: skip
"""Errors that are not damage, such as a full disk: do not replace the journal."""
_NO_SHARED_MEMORY = ("SQLITE_CANTOPEN", "SQLITE_IOERR_SHM", "SQLITE_PROTOCOL", "SQLITE_READONLY")
_READING = ("SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_DATA", "SQLITE_IOERR_CORRUPTFS")
"""Exceptions among them that do mean damage."""


LOCK = "lock"


ELSEWHERE = f"use another folder, on a local disk {OTHER_FOLDER}"


class DataFolderError(Exception):
    """The data folder cannot be used; the message is a sentence with the remedy."""


def lock_data_folder(folder: Path) -> BaseFileLock:
    """Create and lock the folder; raises DataFolderError, also if another host uses it."""
    lock = _folder_lock(folder)
    try:
        make_private(folder)
        lock.acquire()
    except Timeout:
        raise DataFolderError(
            f"Another host is using the folder {folder}: stop it, or choose another folder {OTHER_FOLDER}."
        ) from None
    except OSError as error:
        raise folder_not_usable(folder, error) from None
    return lock


def is_folder_free(folder: Path) -> bool:
    """Return whether no host uses the folder; raises DataFolderError if that cannot be determined."""
    try:
        if not (folder / LOCK).exists():
            return True
        with _folder_lock(folder):
            return True
    except Timeout:
        return False
    except OSError as error:
        raise folder_not_usable(folder, error) from None


def remove_lock(lock: BaseFileLock) -> None:
    file = Path(lock.lock_file)
    try:
        # Delete before the release, so that nobody locks a file that is being deleted.
        file.unlink(missing_ok=True)
        lock.release()
    except PermissionError:
        # Windows cannot delete an open file, not even one opened by another host.
        lock.release()
        with contextlib.suppress(OSError):
            file.unlink()


def folder_not_usable(folder: Path, error: OSError) -> DataFolderError:
    why = error_reason(error, "it cannot be written")
    return DataFolderError(f"The data folder {folder} cannot be used ({why}): {ELSEWHERE}.")


def _folder_lock(folder: Path) -> BaseFileLock:
    # A host may be closed in another thread.
    return FileLock(folder / LOCK, mode=0o600, blocking=False, thread_local=False, fallback_to_soft=False)
