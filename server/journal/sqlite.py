"""The journal on disk: one SQLite file in a folder that one host at a time may use.

Each change is one transaction in the write-ahead log, on disk (``synchronous=FULL``) before ``append``
returns. A damaged file is kept under another name, and its undamaged tables continue in a new file.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from server import system
from server.clients.replies import Asked
from server.journal import database, restore
from server.journal.database import FILE, INSERT, NEW, READY, VERSION, Damaged, DataFolderError, Unreadable
from server.journal.restore import CLIENTS, SLACK, Shorter
from server.journal.survey import MARKS_FILE, Mark, Marks, Survey, survey_folder
from server.tables.effects import Entry, Journal, Line, NotKept, SavedReply, Snapshot, lines_of

ROOM = 950  # pages reserved for the log; SQLite starts the log over at a thousand
SPARE = 16  # free pages needed before the journal is used again after it had no room
PAGE = 4096
CACHE = -2000  # SQLite's default cache size, in KiB


class SqliteJournal(Journal):
    """The journal of a data folder, and the lock on it. ``problems`` are sentences about damage and losses;
    ``clock`` returns the Unix time. Raises DataFolderError.
    """

    lasting = True

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.problems: list[str] = []
        self._lock = database.locked_folder(folder)
        self._db: sqlite3.Connection | None = None
        self._marks = Marks(folder)
        self._lines: list[Line] = []
        self._last = 0
        self._clock = clock
        self._touched: dict[str, float] = {}
        self._new: Counter[str] = Counter()
        self._asked: dict[str, tuple[int, Asked]] = {}
        """The ids of removed lines, by client, and the number of the line that has them now."""
        try:
            self._open()
        except (sqlite3.Error, OSError, DataFolderError) as error:
            self.close()
            if isinstance(error, sqlite3.Error):
                raise database.journal_not_usable(folder, error) from None
            raise database.folder_not_usable(folder, error) if isinstance(error, OSError) else error from None

    def append(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        lines = lines_of(entries, reply, self._clock(), self._last + 1)
        rows = [database.encoded(line) for line in lines]
        with self._writing() as db:
            db.executemany(INSERT, rows)
        self._last += len(rows)
        for number, table, _, seq, *_, checksum in rows:
            self._marks.put(table, self._marks[table].with_line(number, seq, checksum))
        for entry in entries:
            self._new[entry.table] += entry.kind != "opened"
            if self._new[entry.table] > SLACK or entry.kind == "shelved":
                # The change is saved, whatever goes wrong here. Shortening can wait.
                with contextlib.suppress(Exception):
                    self.shorten(entry.table)

    def shorten(self, table: str) -> None:
        """Remove what this table no longer needs (see ``shorten``); raises NotKept."""
        self._new[table] = 0
        rows = self._story(table)
        story = [row for row in rows if isinstance(row, Line)]
        how = restore.shorter(story)
        if len(story) < len(rows) or not (how.gone or how.changed):
            return  # Leave damage for the next start to report.
        self._remove_lines(table, how)
        mark = Mark()
        for row in self._story(table):
            if isinstance(row, Line):
                mark = mark.with_line(row.number, row.entry.seq, row.checksum)
        self._marks.put(table, mark)

    def forget(self, table: str) -> None:
        """Forget this table, except for the ids that clients used there; raises NotKept."""
        gone = [row for row in self._story(table) if isinstance(row, Line)]
        self._remove_lines(table, Shorter((), gone), whole=True)
        self._new.pop(table, None)
        self._marks.drop(table)

    def _story(self, table: str) -> list[Line | Damaged]:
        with self._using() as db:
            return database.story(db, table)

    def _remove_lines(self, table: str, how: Shorter, *, whole: bool = False) -> None:
        asked, free, rows = self._without(table, how, whole=whole)
        # After a power failure, removed lines must not count as lost.
        self._marks.unsettle(table)
        self._marks.sync()
        with self._writing() as db:
            if whole:
                db.execute("DELETE FROM entries WHERE tbl = ?", (table,))
                db.execute("DELETE FROM snapshots WHERE tbl = ?", (table,))
            db.executemany("DELETE FROM entries WHERE number = ?", [(number,) for number in free])
            db.executemany(f"INSERT OR REPLACE{INSERT.removeprefix('INSERT')}", rows)
        self._asked = asked

    def _without(
        self, table: str, how: Shorter, *, whole: bool = False
    ) -> tuple[dict[str, tuple[int, Asked]], list[int], list[tuple[Any, ...]]]:
        """Return the ids of removed lines, the numbers of rows to delete, and the rows to write. New lines
        take the numbers of removed ones, because numbers after the last mark a change that was refused.
        """
        asked, at = dict(self._asked), self._clock()
        free = [line.number for line in how.gone]
        used = restore.ids_of(how.gone)
        for who, ids in used.items():
            place, known = asked.pop(who, (0, Asked()))
            both = Asked()
            both.inherit(known)
            both.inherit(ids)
            asked[who] = (place or free.pop(), both)
        for who in list(asked):
            if len(asked) > CLIENTS or (whole and restore.is_of(who, table)):
                free.append(asked.pop(who)[0])
        rows = [database.encoded(line) for line in how.changed]
        for who in used.keys() & asked.keys():
            number, ids = asked[who]
            entry = Entry("", "asked", {"who": who, "runs": ids.runs()})
            rows.append(database.encoded(Line(entry, at=at, number=number)))
        return asked, free, rows

    @property
    def unsettled(self) -> bool:
        return self._marks.unsynced

    def try_room(self) -> None:
        """Check that the file can grow; raises NotKept."""
        with self._writing() as db:
            _fill(db, SPARE)
        with self._writing() as db:
            db.execute("DROP TABLE room")

    def settle(self) -> None:
        self._marks.sync()

    def lines(self) -> Iterable[Line]:
        """Return all lines from when the journal was opened, in order and folded. Can be called once."""
        lines, self._lines = self._lines, []
        return lines

    def story(self, table: str) -> list[Line]:
        return list(restore.unfolded(row for row in self._story(table) if isinstance(row, Line)))

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        with self._writing() as db:
            database.put_snapshot(db, table, snapshot)

    def snapshot(self, table: str) -> Snapshot | None:
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            return None if self._db is None else database.snapshot(self._db, table)
        return None

    def idle(self) -> Mapping[str, float]:
        now = self._clock()
        return {table: max(0.0, now - at) for table, at in self._touched.items()}

    def of_tables(self) -> list[Line]:
        return [line for line in self._lines if line.entry.table]

    def close(self) -> None:
        self._let_go()
        self._marks.close()
        self._lock.release()

    # Opening

    def _open(self) -> None:
        # A host that was killed, or found the disk full, may have left it half-written.
        database.remove(self.folder / NEW)
        database.finish(self.folder)
        found = survey_folder(self.folder)
        fresh = not (self.folder / FILE).exists() and not found.problem
        if not found.whole:
            kept_as = _keep_as_it_is(self.folder)
            self.problems = _sentences(found, kept_as)
        lines = found.kept()
        self._asked = {
            line.entry.data["who"]: (line.number, Asked.of_runs(line.entry.data["runs"]))
            for line in lines
            if line.entry.kind == "asked"
        }
        if fresh or not found.whole or found.version != VERSION:
            for table in self._marks.tables():
                self._marks.unsettle(table)
            lines = self._shortened(lines)
            _rewrite(self.folder, lines)
        self._last = found.last
        self._lines = lines
        self._db = database.to_write(self.folder / FILE)
        _make_room(self._db)
        counted: dict[str, Mark] = {}
        for line in lines:
            entry = line.entry
            if line.reply is not None or entry.kind in ("opened", "resumed"):
                # Only people's requests have a reply: bots, stand-ins and the host have none.
                self._touched[entry.table] = line.at
            self._new[entry.table] += entry.kind != "opened"
            mark = counted.get(entry.table, Mark())
            counted[entry.table] = mark.with_line(line.number, entry.seq, line.checksum)
        self._marks.replace(counted)
        self._marks.sync()

    def _shortened(self, lines: list[Line]) -> list[Line]:
        """Return the lines with long stories shortened, as earlier versions left them long."""
        stories: defaultdict[str, list[Line]] = defaultdict(list)
        for line in lines:
            stories[line.entry.table].append(line)
        by_number = {line.number: line for line in lines}
        for table, story in stories.items():
            if table and len(story) > SLACK:
                with contextlib.suppress(Exception):
                    self._asked, free, new = self._without(table, restore.shorter(story))
                    for number, *values, checksum in new:
                        written = database.row(number, values, checksum)
                        assert isinstance(written, Line)
                        by_number[number] = written
                    for number in free:
                        del by_number[number]
        return [by_number[number] for number in sorted(by_number)]

    # Writing

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._using() as db:
            db.execute("BEGIN IMMEDIATE")
            yield db
            self._commit(db)

    @contextlib.contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """Raise NotKept if the file cannot be used; it is opened again the next time."""
        try:
            yield self._db or self._reopened()
        except (sqlite3.Error, Unreadable, OSError) as error:
            self._let_go()
            raise NotKept(_why_not(error)) from None

    def _commit(self, db: sqlite3.Connection) -> None:
        db.execute("COMMIT")

    def _let_go(self) -> None:
        if self._db is not None:
            # Closing rolls back an unfinished transaction.
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _reopened(self) -> sqlite3.Connection:
        """Open the file again after a failure, and delete a partial write of the refused change."""
        if not self._lock.is_locked:
            raise sqlite3.OperationalError("the journal is closed")
        db = database.to_write(self.folder / FILE)
        try:
            db.execute("DELETE FROM entries WHERE number > ?", (self._last,))
        except sqlite3.Error:
            db.close()
            raise
        self._db = db
        return db


def discard(folder: Path, *others: str) -> None:
    """Delete the journal of an unused folder, and the folder if empty; raises DataFolderError."""
    if not folder.is_dir():
        return
    lock = database.locked_folder(folder)
    try:
        delete_files(folder, *others)
        database.remove_lock(lock)
        with contextlib.suppress(OSError):
            folder.rmdir()
    except OSError as error:
        raise database.folder_not_usable(folder, error) from None
    finally:
        lock.release()


def delete_files(folder: Path, *others: str) -> None:
    """Delete the journal's files and these others in a folder that no host uses; raises OSError."""
    for name in (READY, FILE, NEW):
        database.remove(folder / name)
    for name in (MARKS_FILE, *others):
        (folder / name).unlink(missing_ok=True)


def _rewrite(folder: Path, lines: Iterable[Line]) -> None:
    """Write a new file. If interrupted, the next start finds the old file or the new one."""
    # Drop the snapshots: a table that has lost steps can reach the same number with others.
    scratch = folder / NEW
    database.begin(scratch, [database.encoded(line) for line in lines])
    scratch.replace(folder / READY)
    system.sync_folder(folder)
    database.finish(folder)
    system.sync_folder(folder)


def _keep_as_it_is(folder: Path) -> Path:
    """Keep the journal's files under a second name, whatever is in them; return that name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 1
    while any(folder.glob(f"damaged-{stamp}-{number}.*")):
        number += 1
    kept = folder / f"damaged-{stamp}-{number}.sqlite"
    for ending in ("-wal", "-journal", ""):
        file = folder / f"{FILE}{ending}"
        if file.exists():
            try:
                Path(f"{kept}{ending}").hardlink_to(file)
            except OSError:  # Not every file system can do that.
                import shutil

                shutil.copy2(file, f"{kept}{ending}")
    system.sync_folder(folder)
    return kept


def _sentences(found: Survey, kept_as: Path) -> list[str]:
    sentences = [f"Table {each.table} {each.why}." for each in found.findings]
    return [*sentences, f"The journal was damaged ({found.why}); the damaged file is kept as {kept_as}."]


def _make_room(db: sqlite3.Connection) -> None:
    """Grow the log now: a sync that makes a file longer takes twice as long."""
    if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        return
    # On a full disk, saved games can still be read.
    with contextlib.suppress(sqlite3.OperationalError):
        # Pages that do not fit in the cache go to the log before the transaction ends.
        db.execute("PRAGMA cache_size = 10")
        db.execute("BEGIN")
        try:
            _fill(db, ROOM)
        finally:
            db.execute("ROLLBACK")
            db.execute(f"PRAGMA cache_size = {CACHE}")


def _fill(db: sqlite3.Connection, pages: int) -> None:
    """Write that many pages to a table ``room``, which the caller drops or rolls back."""
    db.execute("DROP TABLE IF EXISTS room")
    db.execute("CREATE TABLE room (filler BLOB)")
    db.execute("INSERT INTO room VALUES (zeroblob(?))", (pages * PAGE,))


def _why_not(error: Exception) -> str:
    why, mended = str(error).rstrip(".").lower(), "has fixed that"
    if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
        why, mended = "its disk is full", "has made room there"
    return (
        f"The host cannot save the game now ({why}). Nothing has changed; the game waits until the host's "
        f"owner {mended}."
    )
