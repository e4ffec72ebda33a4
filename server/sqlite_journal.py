"""The journal on disk: one SQLite file in a folder that one host at a time may use.

Each change is one transaction in the write-ahead log, on disk (``synchronous=FULL``) before ``append``
returns. A file that is damaged, or not ours, is put aside under another name and never written to.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from server.journal import Entry, Line, NotKept, Told, lines_of

FILE = "journal.sqlite"
LOCK = "lock"
APPLICATION = 0x43617665
"""Tells the file from those of other programs: ``Cave``."""
VERSION = 1
ROOM = 950
"""Pages the log has room for from the start; at a thousand SQLite begins it anew."""
PAGE = 4096
CACHE = -2000
"""SQLite's own size of its cache, in KiB."""
PATIENCE = 2.0
"""Seconds to wait for somebody who reads the file."""

_SCHEMA = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, tbl TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL,
    data TEXT NOT NULL, at REAL NOT NULL, re TEXT, reply BLOB, peer TEXT, seat INTEGER,
    checksum INTEGER NOT NULL
)
"""
_COLUMNS = "tbl, kind, seq, data, at, re, reply, peer, seat"
_INSERT = f"INSERT INTO entries (number, {_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


_UNREADABLE = (sqlite3.Error, ValueError)
"""What comes of reading a damaged file; even the names in it may be no text any more."""


class DataFolderError(Exception):
    """The data folder can not be used; the text is one sentence that says what to do."""


class Damaged(Exception):
    """The file is not a whole journal of this version; the text says why in a few words."""


@attrs.frozen
class Dated:
    """A line of the journal and when it was written, in seconds since 1970."""

    line: Line
    at: float


class SqliteJournal:
    """The journal of a data folder, and the lock on that folder; made by ``open_journal``.

    Raises DataFolderError, and Damaged for a file that ``put_aside`` should be asked for.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = _locked(folder)
        self._db: sqlite3.Connection | None = None
        try:
            if not (folder / FILE).exists():
                _begin(folder)
            self._db = _connect(folder)
            _check(self._db)
            self._dated = list(_read(self._db))
            (self._last,) = self._db.execute("SELECT coalesce(max(number), 0) FROM entries").fetchone()
            _make_room(self._db)
        except (Damaged, *_UNREADABLE, OSError) as error:
            self.close()
            if isinstance(error, OSError):
                raise _folder_error(folder, error) from None
            raise _translated(folder, error) from None

    def append(self, *entries: Entry, told: Told | None = None) -> None:
        """Keep the entries and the reply in one transaction; raises NotKept."""
        at = time.time()
        rows = [
            _row(self._last + number, line, at)
            for number, line in enumerate(lines_of(entries, told), start=1)
        ]
        with self._writing() as db:
            db.executemany(_INSERT, rows)
        self._last += len(rows)

    def forget(self, table: str) -> None:
        """Keep nothing more of this table; raises NotKept."""
        with self._writing() as db:
            db.execute("DELETE FROM entries WHERE tbl = ?", (table,))

    def lines(self) -> Iterable[Line]:
        """What was kept when the journal was opened, in order. It can be asked for once."""
        dated, self._dated = self._dated, []
        return [each.line for each in dated]

    def dated(self) -> list[Dated]:
        """The same with the time of each line, for those who look and do not play on."""
        return self._dated

    def close(self) -> None:
        """Let go of the file and of the folder."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. After one that failed, the next begins with a look at what is there."""
        try:
            db = self._db or self._reopened()
            db.execute("BEGIN IMMEDIATE")
            yield db
            self._commit(db)
        except (sqlite3.Error, Damaged, OSError) as error:
            self._let_go()
            raise NotKept(_why_not(error)) from None

    def _commit(self, db: sqlite3.Connection) -> None:
        db.execute("COMMIT")

    def _let_go(self) -> None:
        if self._db is not None:
            # Closing takes an unfinished transaction back.
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _reopened(self) -> sqlite3.Connection:
        """The file after a failure, without what may have been written of the failed change: it was
        refused, so it must not come back.
        """
        if self._lock < 0:
            raise sqlite3.OperationalError("the journal is closed")
        db = _connect(self.folder)
        try:
            db.execute("DELETE FROM entries WHERE number > ?", (self._last,))
        except sqlite3.Error:
            db.close()
            raise
        self._db = db
        return db


def open_journal(folder: Path) -> tuple[SqliteJournal, str]:
    """The journal of a data folder, and one sentence about a damaged one that was put aside, else an
    empty text. Raises DataFolderError.
    """
    try:
        return SqliteJournal(folder), ""
    except Damaged as error:
        kept = put_aside(folder)
        return SqliteJournal(folder), (
            f"The journal of earlier games could not be read ({error}); it was put aside as {kept}, "
            "and a new one was begun."
        )


def put_aside(folder: Path) -> Path:
    """Give the journal's files another name, whatever is in them; returns the new one."""
    lock = _locked(folder)
    try:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        number = 1
        while (kept := folder / f"damaged-{stamp}-{number}.sqlite").exists():
            number += 1
        # The log goes first: should this be cut short, no new journal can meet an old log.
        for ending in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                (folder / f"{FILE}{ending}").rename(f"{kept}{ending}")
        _sync_folder(folder)
    except OSError as error:
        raise _folder_error(folder, error) from None
    finally:
        os.close(lock)
    return kept


def is_free(folder: Path) -> bool:
    """Whether no host is at work in the folder; raises DataFolderError where that can not be told."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise _folder_error(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def discard(folder: Path, *others: str) -> None:
    """Delete the journal of a folder that no host is at work in, with these other files of it, and the
    folder if nothing else is there; raises DataFolderError.
    """
    if not folder.is_dir():
        return
    lock = _locked(folder)
    try:
        for ending in ("", "-wal", "-shm"):
            (folder / f"{FILE}{ending}").unlink(missing_ok=True)
        for name in (*others, LOCK):
            (folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()
    except OSError as error:
        raise _folder_error(folder, error) from None
    finally:
        os.close(lock)


def look(folder: Path) -> list[Dated]:
    """What a folder's journal holds, while a host may be at work there; raises Damaged or
    DataFolderError, and changes nothing.
    """
    if not (folder / FILE).exists():
        return []
    try:
        with contextlib.closing(_connect(folder)) as db:
            _check(db)
            return list(_read(db))
    except _UNREADABLE as error:
        raise _translated(folder, error) from None


def _begin(folder: Path) -> None:
    """A new journal, whole before it gets its name."""
    for ending in ("-wal", "-shm"):
        if (folder / f"{FILE}{ending}").exists():
            raise Damaged("its main file is missing")
    scratch = folder / f"{FILE}.new"
    for ending in ("", "-wal", "-shm"):
        Path(f"{scratch}{ending}").unlink(missing_ok=True)
    os.close(os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with contextlib.closing(sqlite3.connect(scratch, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute(_SCHEMA)
    scratch.rename(folder / FILE)
    _sync_folder(folder)


def _connect(folder: Path) -> sqlite3.Connection:
    path = folder / FILE
    if path.stat().st_size == 0:
        # SQLite would take it for a new one, and throw its log away.
        raise Damaged("it is empty")
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=PATIENCE
    )
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except _UNREADABLE:
        db.close()
        raise
    return db


def _make_room(db: sqlite3.Connection) -> None:
    """Let the log grow now: to sync what makes a file longer takes twice as long as what does not."""
    # Where there is no room, games that are kept can still be looked at.
    with contextlib.suppress(sqlite3.OperationalError):
        # What does not fit in the cache goes to the log before it is known whether it will hold.
        db.execute("PRAGMA cache_size = 10")
        db.execute("BEGIN")
        try:
            db.execute("CREATE TABLE room (filler BLOB)")
            db.execute("INSERT INTO room VALUES (zeroblob(?))", (ROOM * PAGE,))
        finally:
            db.execute("ROLLBACK")
            db.execute(f"PRAGMA cache_size = {CACHE}")


def _check(db: sqlite3.Connection) -> None:
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        raise Damaged("it is another program's file")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise Damaged(f"it has version {version}, and this program knows version {VERSION}")
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise Damaged("it is damaged")
    if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        raise Damaged("it is not written safely")


def _read(db: sqlite3.Connection) -> Iterator[Dated]:
    """All lines; a row that was changed by anything but this program is found by its checksum."""
    for number, *values, checksum in db.execute(
        f"SELECT number, {_COLUMNS}, checksum FROM entries ORDER BY number"
    ):
        if _checksum(number, values) != checksum:
            raise Damaged(f"its line {number} is damaged")
        table, kind, seq, data, at, re, reply, peer, seat = values
        told = None if re is None else Told(re, reply, peer, seat)
        yield Dated(Line(Entry(table, kind, json.loads(data), seq), told), at)


def _row(number: int, line: Line, at: float) -> tuple[Any, ...]:
    entry, told = line.entry, line.told
    # Plain JSON keeps any text, also one that no encoding has a place for.
    data = json.dumps(entry.data, separators=(",", ":"))
    values = [entry.table, entry.kind, entry.seq, data, at]
    values += [None] * 4 if told is None else [told.re, told.reply, told.peer, told.seat]
    return (number, *values, _checksum(number, values))


def _checksum(number: int, values: list[Any]) -> int:
    return zlib.crc32(repr((number, values)).encode())


def _locked(folder: Path) -> int:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise _folder_error(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise _folder_error(folder, error) from None
        raise DataFolderError(
            f"Another host is at work in the folder {folder}: stop that one, "
            "or give this one another folder with --data."
        ) from None
    return lock


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _folder_error(folder: Path, error: OSError) -> DataFolderError:
    why = (error.strerror or "it can not be written").lower()
    return DataFolderError(f"The data folder {folder} can not be used ({why}): choose another with --data.")


def _translated(folder: Path, error: Exception) -> Exception:
    if isinstance(error, Damaged):
        return error
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_OUTER) and name not in _READING:
        return DataFolderError(
            f"The journal in the folder {folder} can not be used ({_reason(error)}): "
            "put that right, or choose another folder with --data."
        )
    return Damaged("it is damaged" if name != "SQLITE_NOTADB" else "it is no journal")


_OUTER = (
    "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR",
    "SQLITE_NOMEM", "SQLITE_PERM", "SQLITE_PROTOCOL",
)  # fmt: skip
"""Errors that are not the file's fault, such as a full disk: a journal must not be put aside for them."""
_READING = ("SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_DATA", "SQLITE_IOERR_CORRUPTFS")
"""Errors of their kind that are the file's, all the same."""


def _reason(error: Exception) -> str:
    return str(error).rstrip(".").lower()


def _why_not(error: Exception) -> str:
    return (
        f"The host can not save the game now ({_reason(error)}). Nothing has changed; "
        "try again when that is put right."
    )
