"""The journal on disk: one SQLite file in a folder used by one host at a time.

Each change is one transaction in the write-ahead log, on disk (``synchronous=FULL``) before
``append_entries`` returns. A damaged file is renamed, and its undamaged tables continue in a new file.
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
from server.clients.replies import UsedMessageIds
from server.journal import database, restore
from server.journal.database import FILE, INSERT, NEW, READY, VERSION, Damaged, DataFolderError, Unreadable
from server.journal.journal_survey import MARKS_FILE, JournalMark, JournalMarks, Survey, survey_folder
from server.journal.restore import CLIENTS, SLACK, Shorter
from server.tables.effects import Entry, Journal, Line, NotKept, Past, SavedReply, Snapshot, journal_lines

ROOM = 950  # pages reserved for the log, which SQLite restarts at 1000
SPARE = 16  # free pages needed to use the journal again after the disk was full
PAGE = 4096
CACHE = -2000  # SQLite's default cache size, in KiB


class SqliteJournal(Journal):
    """The journal of a data folder, and the lock on it. ``problems`` has sentences about damage and losses;
    ``clock`` returns the Unix time. Raises DataFolderError.
    """

    lasting = True

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.problems: list[str] = []
        self._lock = database.lock_data_folder(folder)
        self.db: sqlite3.Connection | None = None
        self._marks = JournalMarks(folder)
        self._lines: list[Line] = []
        self._last = 0
        self._clock = clock
        self._times: dict[Past, dict[str, float]] = {"touched": {}, "changed": {}}
        self._new: Counter[str] = Counter()
        self._asked: dict[str, tuple[int, UsedMessageIds]] = {}
        """By client: the number of the line with the ids of removed lines, and these ids."""
        try:
            self._open()
        except (sqlite3.Error, OSError, DataFolderError) as error:
            self.close()
            if isinstance(error, sqlite3.Error):
                raise database.journal_not_usable(folder, error) from None
            raise database.folder_not_usable(folder, error) if isinstance(error, OSError) else error from None

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        lines = journal_lines(entries, reply, self._clock(), self._last + 1)
        rows = [database.encode_line(line) for line in lines]
        with self._writing_transaction() as db:
            db.executemany(INSERT, rows)
        self._last += len(rows)
        for number, table, _, seq, *_, checksum in rows:
            self._marks.put_mark(table, self._marks[table].with_line(number, seq, checksum))
        for entry in entries:
            self._new[entry.table] += entry.kind != "opened"
            if self._new[entry.table] > SLACK or entry.kind == "shelved":
                # The change is saved; shortening can wait.
                with contextlib.suppress(Exception):
                    self.shorten_table(entry.table)

    def shorten_table(self, table: str) -> None:
        """Shorten this table's story (see ``shorten_story``); raises NotKept."""
        self._new[table] = 0
        rows = self._read_story(table)
        story = [row for row in rows if isinstance(row, Line)]
        how = restore.shorten_story(story)
        if len(story) < len(rows) or not (how.gone or how.changed):
            return  # Leave damage for the next start to report.
        self._remove_lines(table, how)
        mark = JournalMark()
        for row in self._read_story(table):
            if isinstance(row, Line):
                mark = mark.with_line(row.number, row.entry.seq, row.checksum)
        self._marks.put_mark(table, mark)

    def forget_table(self, table: str) -> None:
        """Delete this table, except for the ids that clients used there; raises NotKept."""
        gone = [row for row in self._read_story(table) if isinstance(row, Line)]
        self._remove_lines(table, Shorter((), gone), whole=True)
        self._new.pop(table, None)
        self._marks.drop_table(table)

    def _read_story(self, table: str) -> list[Line | Damaged]:
        with self._using_connection() as db:
            return database.read_table_lines(db, table)

    def _remove_lines(self, table: str, how: Shorter, *, whole: bool = False) -> None:
        asked, free, rows = self._plan_removal(table, how, whole=whole)
        # After a power failure, removed lines must not look lost.
        self._marks.mark_unsynced(table)
        self._marks.sync()
        with self._writing_transaction() as db:
            if whole:
                db.execute("DELETE FROM entries WHERE tbl = ?", (table,))
                db.execute("DELETE FROM snapshots WHERE tbl = ?", (table,))
            db.executemany("DELETE FROM entries WHERE number = ?", [(number,) for number in free])
            db.executemany(f"INSERT OR REPLACE{INSERT.removeprefix('INSERT')}", rows)
        self._asked = asked

    def _plan_removal(
        self, table: str, how: Shorter, *, whole: bool = False
    ) -> tuple[dict[str, tuple[int, UsedMessageIds]], list[int], list[tuple[Any, ...]]]:
        """Return the ids of removed lines, the numbers of rows to delete, and the rows to write. New lines
        reuse numbers of removed ones, because higher numbers mean a refused change.
        """
        asked = dict(self._asked)
        free = [line.number for line in how.gone]
        used = restore.removed_message_ids(how.gone)
        for who, ids in used.items():
            place, known = asked.pop(who, (0, UsedMessageIds()))
            both = UsedMessageIds()
            both.inherit(known)
            both.inherit(ids)
            asked[who] = (place or free.pop(), both)
        for who in list(asked):
            if len(asked) > CLIENTS or (whole and restore.is_holder_at_table(who, table)):
                free.append(asked.pop(who)[0])
        rows = [database.encode_line(line) for line in how.changed]
        for who in used.keys() & asked.keys():
            number, ids = asked[who]
            entry = Entry("", "asked", {"who": who, "runs": ids.used_numbers()})
            rows.append(database.encode_line(Line(entry, number=number)))
        return asked, free, rows

    @property
    def unsettled(self) -> bool:
        return self._marks.unsynced

    def check_writable(self) -> None:
        """Check that the file can grow; raises NotKept."""
        with self._writing_transaction() as db:
            _fill_pages(db, SPARE)
        with self._writing_transaction() as db:
            db.execute("DROP TABLE room")

    def sync_unsettled(self) -> None:
        self._marks.sync()

    def read_lines(self) -> Iterable[Line]:
        """Return all lines as of the opening of the journal, in order and folded. Call this once only."""
        lines, self._lines = self._lines, []
        return lines

    def read_story(self, table: str) -> list[Line]:
        return list(restore.unfold_lines(row for row in self._read_story(table) if isinstance(row, Line)))

    def write_snapshot(self, table: str, snapshot: Snapshot) -> None:
        with self._writing_transaction() as db:
            database.write_snapshot(db, table, snapshot)

    def read_snapshot(self, table: str) -> Snapshot | None:
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            return None if self.db is None else database.read_snapshot(self.db, table)
        return None

    def seconds_since(self, what: Past) -> Mapping[str, float]:
        now = self._clock()
        return {table: max(0.0, now - at) for table, at in self._times[what].items()}

    def read_table_lines(self) -> list[Line]:
        return [line for line in self._lines if line.entry.table]

    def close(self) -> None:
        self.close_database()
        self._marks.close()
        self._lock.release()

    # Opening

    def _open(self) -> None:
        # A killed host, or a full disk, may have left it incomplete.
        database.remove_database(self.folder / NEW)
        database.replace_by_new_journal(self.folder)
        found = survey_folder(self.folder)
        fresh = not (self.folder / FILE).exists() and not found.problem
        if not found.is_undamaged:
            kept_as = _keep_damaged_journal(self.folder)
            self.problems = _damage_sentences(found, kept_as)
        lines = found.readable_lines()
        self._asked = {
            line.entry.data["who"]: (line.number, UsedMessageIds.from_used_numbers(line.entry.data["runs"]))
            for line in lines
            if line.entry.kind == "asked"
        }
        if fresh or not found.is_undamaged or found.version != VERSION:
            for table in self._marks.tables():
                self._marks.mark_unsynced(table)
            self._marks.sync()
            lines = self._shorten_long_stories(lines)
            _rewrite_journal(self.folder, lines)
        self._last = found.last
        self._lines = lines
        self.db = database.open_for_writing(self.folder / FILE)
        _grow_log(self.db)
        counted: dict[str, JournalMark] = {}
        for line in lines:
            entry = line.entry
            if line.reply is not None or entry.kind in ("opened", "resumed"):
                # Only requests of people have a reply.
                self._times["touched"][entry.table] = line.at
            self._new[entry.table] += entry.kind != "opened"
            mark = counted.get(entry.table, JournalMark())
            if entry.seq > mark.seq:
                self._times["changed"][entry.table] = line.at
            counted[entry.table] = mark.with_line(line.number, entry.seq, line.checksum)
        self._marks.replace_all(counted)
        self._marks.sync()

    def _shorten_long_stories(self, lines: list[Line]) -> list[Line]:
        """Return the lines with long stories shortened: earlier versions did not shorten them."""
        stories: defaultdict[str, list[Line]] = defaultdict(list)
        for line in lines:
            stories[line.entry.table].append(line)
        by_number = {line.number: line for line in lines}
        for table, story in stories.items():
            if table and len(story) > SLACK:
                with contextlib.suppress(Exception):
                    self._asked, free, new = self._plan_removal(table, restore.shorten_story(story))
                    for number, *values, checksum in new:
                        written = database.decode_row(number, values, checksum)
                        assert isinstance(written, Line)
                        by_number[number] = written
                    for number in free:
                        del by_number[number]
        return [by_number[number] for number in sorted(by_number)]

    # Writing

    @contextlib.contextmanager
    def _writing_transaction(self) -> Iterator[sqlite3.Connection]:
        with self._using_connection() as db:
            db.execute("BEGIN IMMEDIATE")
            yield db
            self.commit(db)

    @contextlib.contextmanager
    def _using_connection(self) -> Iterator[sqlite3.Connection]:
        """Yield the database; raise NotKept if it cannot be used. It is reopened the next time."""
        try:
            yield self.db or self._reopened_connection()
        except (sqlite3.Error, Unreadable, OSError) as error:
            self.close_database()
            raise NotKept(_why_not_written(error)) from None

    def commit(self, db: sqlite3.Connection) -> None:
        db.execute("COMMIT")

    def close_database(self) -> None:
        if self.db is not None:
            # Closing rolls back the transaction.
            with contextlib.suppress(sqlite3.Error):
                self.db.close()
            self.db = None

    def _reopened_connection(self) -> sqlite3.Connection:
        """Reopen the file after a failure, and delete a partial write of the refused change."""
        if not self._lock.is_locked:
            raise sqlite3.OperationalError("the journal is closed")
        db = database.open_for_writing(self.folder / FILE)
        try:
            db.execute("DELETE FROM entries WHERE number > ?", (self._last,))
        except sqlite3.Error:
            db.close()
            raise
        self.db = db
        return db


def discard_journal(folder: Path, *others: str) -> None:
    """Delete the journal and ``others`` of an unused folder, and an empty folder; raises DataFolderError."""
    if not folder.is_dir():
        return
    lock = database.lock_data_folder(folder)
    try:
        delete_journal_files(folder, *others)
        database.remove_lock(lock)
        with contextlib.suppress(OSError):
            folder.rmdir()
    except OSError as error:
        raise database.folder_not_usable(folder, error) from None
    finally:
        lock.release()


def delete_journal_files(folder: Path, *others: str) -> None:
    """Delete the journal's files and ``others`` in a folder that no host uses; raises OSError."""
    for name in (READY, FILE, NEW):
        database.remove_database(folder / name)
    for name in (MARKS_FILE, *others):
        (folder / name).unlink(missing_ok=True)


def _rewrite_journal(folder: Path, lines: Iterable[Line]) -> None:
    """Write a new file atomically."""
    # Drop snapshots: a table that lost steps can reach the same step number with other actions.
    scratch = folder / NEW
    database.create_journal(scratch, [database.encode_line(line) for line in lines])
    scratch.replace(folder / READY)
    system.sync_folder(folder)
    database.replace_by_new_journal(folder)
    system.sync_folder(folder)


def _keep_damaged_journal(folder: Path) -> Path:
    """Keep the journal's files under a second name; return that name."""
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
            except OSError:  # The file system may not support links.
                import shutil

                shutil.copy2(file, f"{kept}{ending}")
    system.sync_folder(folder)
    return kept


def _damage_sentences(found: Survey, kept_as: Path) -> list[str]:
    sentences = [f"Table {each.table} {each.why}." for each in found.findings]
    return [*sentences, f"The journal was damaged ({found.damage_sentence}); the damaged file is kept as {kept_as}."]


def _grow_log(db: sqlite3.Connection) -> None:
    """Grow the log in advance: a sync that extends a file takes twice as long."""
    if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        return
    # On a full disk, saved games remain readable.
    with contextlib.suppress(sqlite3.OperationalError):
        # Pages that exceed the cache go to the log before the transaction ends.
        db.execute("PRAGMA cache_size = 10")
        db.execute("BEGIN")
        try:
            _fill_pages(db, ROOM)
        finally:
            db.execute("ROLLBACK")
            db.execute(f"PRAGMA cache_size = {CACHE}")


def _fill_pages(db: sqlite3.Connection, pages: int) -> None:
    """Write ``pages`` pages to a table ``room``, which the caller drops or rolls back."""
    db.execute("DROP TABLE IF EXISTS room")
    db.execute("CREATE TABLE room (filler BLOB)")
    db.execute("INSERT INTO room VALUES (zeroblob(?))", (pages * PAGE,))


def _why_not_written(error: Exception) -> str:
    why, mended = str(error).lower(), "has fixed that"
    if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
        why, mended = "its disk is full", "has made room there"
    return (
        f"The host cannot save the game now ({why}). Nothing has changed; the game waits until the host's "
        f"owner {mended}."
    )
