"""Checks a folder's journal against its marks and checksums, and reports losses. Changes nothing."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import attrs
from msgspec import Struct
from msgspec.structs import replace

from cave.files import KIB, error_reason, open_in_place, read_regular
from server import system
from server.journal import database
from server.journal.database import FILE, LOG, READY, VERSION, Damaged, DataFolderError, Gap, Unreadable
from server.tables.effects import Line

State = Literal["whole", "behind", "damaged", "lost"]


class Finding(Struct, frozen=True):
    """An incomplete table: ``behind`` (continues from an earlier step), ``damaged`` (cannot continue) or
    ``lost``. ``damage_sentence`` completes the sentence "The table abc ...".
    """

    table: str
    state: State
    why: str


@attrs.define
class Survey:
    """The intact lines by number, also of damaged tables, and the damage; ``problem`` is "" for an intact
    file. ``last`` is the highest line number ever used.
    """

    lines: dict[int, Line] = attrs.field(factory=dict)
    findings: list[Finding] = attrs.field(factory=list)
    problem: str = ""
    last: int = 0
    version: int = VERSION
    strays: bool = False
    """Whether there are damaged rows of unknown tables."""

    @property
    def is_undamaged(self) -> bool:
        return not (self.problem or self.findings or self.strays)

    @property
    def damage_sentence(self) -> str:
        if self.problem or self.strays:
            return self.problem or "one of its lines is broken"
        if any(each.state != "damaged" for each in self.findings):
            return "its end is missing"
        return "some of its lines are broken"

    def continuable_tables(self) -> dict[str, tuple[int, int]]:
        """Return the number of steps and lines of each table that can continue."""
        found: dict[str, tuple[int, int]] = {}
        for entry in (line.entry for line in self.readable_lines() if line.entry.table):
            _, lines = found.get(entry.table, (0, 0))
            found[entry.table] = (entry.seq, lines + 1)
        return found

    def readable_lines(self) -> list[Line]:
        gone = {each.table for each in self.findings if each.state == "damaged"}
        return [line for line in self.lines.values() if line.entry.table not in gone]


@attrs.define
class TableStory:
    mark: JournalMark | None
    first: int = 0
    last: int = 0
    seq: int = 0
    lines: int = 0
    sum: int = 0
    damaged: list[int] = attrs.field(factory=list)
    broken: str = ""

    def add_line(self, line: Line) -> None:
        entry = line.entry
        if not self.first:
            self.first = line.number
            self.broken = "" if entry.kind in ("opened", "story") else "its opening is missing"
        if entry.seq != self.seq + entry.steps and not self.broken:
            self.broken = f"step {self.seq + 1} is missing"
        self.last, self.seq = line.number, entry.seq
        if self.mark is None or line.number <= self.mark.last:
            self.lines += 1
            self.sum ^= line.checksum

    def find_damage(self, table: str, gaps: list[Gap], *, sound: bool) -> Finding | None:
        mark = self.mark
        if not self.first:
            if mark is None or (not mark.settled and sound):
                return None  # It was being deleted.
            return Finding(table, "lost", f"is lost, with its {_count_steps_words(mark.seq)}")
        if self.damaged:
            return Finding(table, "damaged", f"is damaged at line {self.damaged[0]}")
        if mark is not None and mark.settled and (self.lines, self.sum) == (mark.lines, mark.sum):
            return None
        if mark is not None and self.last < mark.last and sound and not self.broken:
            return Finding(table, "behind", _lost_steps_words(self.seq, mark.seq))
        if self.broken or any(self.first < gap.before for gap in gaps):
            return Finding(table, "damaged", f"is damaged: {self.broken or 'some of its lines are gone'}")
        if mark is not None and (mark.settled or self.last < mark.last):
            return Finding(table, "damaged", "is damaged: some of its lines are gone or were changed")
        return None


def survey_folder(folder: Path) -> Survey:
    """Check a journal, even while in use; raises DataFolderError, also for a newer version."""
    before = read_marks(folder)
    found = Survey()
    stories: dict[str, TableStory] = {table: TableStory(mark) for table, mark in before.items()}
    gaps: list[Gap] = []
    try:
        path = folder / (READY if (folder / READY).exists() else FILE)
        if not path.exists():
            if (folder / LOG).exists():
                raise Unreadable("its main file is missing")
        else:
            found.version = _check_journal_version(folder, path)
            _read_rows(folder, path, found, stories, gaps)
    except Unreadable as error:
        found.problem = str(error)
    except OSError as error:
        raise DataFolderError(
            f"The journal in the folder {folder} cannot be read ({error_reason(error, str(error))})."
        ) from None
    found.last = max([found.last, *(story.mark.last for story in stories.values() if story.mark)])
    # A running host adds and removes lines: skip what has changed meanwhile.
    after = read_marks(folder)
    for table, story in stories.items():
        if before.get(table) != after.get(table):
            story.mark = None
        finding = story.find_damage(table, gaps, sound=not (found.problem or gaps))
        if finding is not None:
            found.findings.append(finding)
    return found


def _read_rows(folder: Path, path: Path, found: Survey, stories: dict[str, TableStory], gaps: list[Gap]) -> None:
    strays: list[Damaged] = []
    with contextlib.ExitStack() as stack:
        try:
            db = stack.enter_context(contextlib.closing(database.open_for_reading(path)))
            found.problem = database.database_problem(db, path)
            for each in database.read_all_lines(db, folder):
                if isinstance(each, Gap):
                    gaps.append(each)
                elif isinstance(each, Damaged):
                    strays.append(each)
                else:
                    found.lines[each.number] = each
                    found.last = each.number
                    if table := each.entry.table:
                        stories.setdefault(table, TableStory(None)).add_line(each)
        except sqlite3.Error as error:
            raise database.sqlite_exception(folder, error) from None
    if gaps:
        found.problem = found.problem or database.BROKEN
    for row in strays:
        # The table's name in a damaged row may be wrong, too.
        if row.table in stories:
            stories[row.table].damaged.append(row.number)
        else:
            found.strays = True


def _check_journal_version(folder: Path, path: Path) -> int:
    version = database.journal_version(path)
    if version > VERSION:
        raise DataFolderError(
            f"The journal in the folder {folder} was written by a newer version of Cave (version {version}; "
            f"this one knows {VERSION}): update Cave, or choose another folder {system.OTHER_FOLDER}."
        )
    return version


def _lost_steps_words(seq: int, marked: int) -> str:
    if marked <= seq:
        return "has lost the latest chat messages or seats"
    return f"has lost its last {_count_steps_words(marked - seq)} and continues from step {seq}"


def _count_steps_words(number: int) -> str:
    return f"{number} steps" if number != 1 else "step"


MARKS_FILE = "marks"
MOST = 4096 * KIB

_SLOT = struct.Struct("<24sQQQI?3xI")
"""Table, number of its last line, last step, number of lines, sum of their checksums, settled; and a
checksum.
"""
_CHECKSUM = struct.Struct("<I")


class JournalMark(Struct, frozen=True):
    """The extent of a table: its ``last`` line, step ``seq``, number of ``lines``, and the ``sum`` of their
    checksums. While lines are being removed it is not ``settled``, and ``lines`` and ``sum`` are invalid.
    """

    last: int = 0
    seq: int = 0
    lines: int = 0
    sum: int = 0
    settled: bool = True

    def with_line(self, number: int, seq: int, checksum: int) -> JournalMark:
        return JournalMark(
            max(self.last, number), max(self.seq, seq), self.lines + 1, self.sum ^ checksum, self.settled
        )


class JournalMarks:
    """The extent of each table's journal, in a small file beside it. Never raises: a journal works without
    marks, too.

    SQLite silently drops a damaged end of its log, and the last steps with it. So each table has a mark of
    fixed size at a fixed place, written after a change is on disk and before it is published. That takes a
    microsecond, as the file is not synced each time: marks survive when the host is killed, and the host
    syncs the file now and then in case of a power failure.
    """

    def __init__(self, folder: Path) -> None:
        self._slots: dict[str, int] = {}
        self._free: list[int] = []
        self._marks: dict[str, JournalMark] = {}
        self._synced = True
        self._descriptor = -1
        with contextlib.suppress(OSError):
            self._descriptor = open_in_place(folder / MARKS_FILE)
            for number, raw in enumerate(_read_mark_slots(folder)):
                table, mark = _unpack_mark(raw) or ("", JournalMark())
                if table and table not in self._slots:
                    self._slots[table], self._marks[table] = number, mark
                else:
                    self._free.append(number)

    def __getitem__(self, table: str) -> JournalMark:
        return self._marks.get(table, JournalMark())

    def put_mark(self, table: str, mark: JournalMark) -> None:
        if not table or len(table.encode(errors="replace")) > 24:
            return
        if table not in self._slots:
            self._slots[table] = self._free.pop() if self._free else len(self._slots)
        self._marks[table] = mark
        self._write_slot(self._slots[table], _pack_mark(table, mark))

    def mark_unsynced(self, table: str) -> None:
        if table in self._marks:
            self.put_mark(table, replace(self._marks[table], settled=False))

    def drop_table(self, table: str) -> None:
        if table in self._slots:
            del self._marks[table]
            slot = self._slots.pop(table)
            self._free.append(slot)
            self._write_slot(slot, bytes(_SLOT.size))

    def replace_all(self, marks: Mapping[str, JournalMark]) -> None:
        for table in self._marks.keys() - marks.keys():
            self.drop_table(table)
        for table, mark in marks.items():
            self.put_mark(table, mark)

    def tables(self) -> list[str]:
        return list(self._marks)

    @property
    def unsynced(self) -> bool:
        return not self._synced

    def sync(self) -> None:
        if not self._synced:
            self._synced = True
            with contextlib.suppress(OSError):
                system.sync_file(self._descriptor)

    def close(self) -> None:
        if self._descriptor >= 0:
            self.sync()
            os.close(self._descriptor)
            self._descriptor = -1

    def _write_slot(self, slot: int, raw: bytes) -> None:
        if self._descriptor < 0:
            return
        with contextlib.suppress(OSError):
            os.lseek(self._descriptor, slot * _SLOT.size, os.SEEK_SET)
            os.write(self._descriptor, raw)
        self._synced = False


def read_marks(folder: Path) -> dict[str, JournalMark]:
    """Return the undamaged marks of a folder; empty without a file."""
    found: dict[str, JournalMark] = {}
    with contextlib.suppress(OSError):
        for raw in _read_mark_slots(folder):
            known = _unpack_mark(raw)
            if known is not None:
                found.setdefault(*known)
    return found


def _read_mark_slots(folder: Path) -> list[bytes]:
    data = read_regular(folder / MARKS_FILE, MOST)
    return [data[start : start + _SLOT.size] for start in range(0, len(data), _SLOT.size)]


def _pack_mark(table: str, mark: JournalMark) -> bytes:
    name = table.encode(errors="replace")
    raw = _SLOT.pack(name, mark.last, mark.seq, mark.lines, mark.sum, mark.settled, 0)
    return raw[: -_CHECKSUM.size] + _CHECKSUM.pack(zlib.crc32(raw))


def _unpack_mark(raw: bytes) -> tuple[str, JournalMark] | None:
    """Return the table and its mark; None for an empty or damaged slot."""
    if len(raw) < _SLOT.size:
        return None
    *fields, checksum = _SLOT.unpack(raw)
    if not any(raw) or zlib.crc32(_SLOT.pack(*fields, 0)) != checksum:
        return None
    return fields[0].rstrip(b"\0").decode(errors="replace"), JournalMark(*fields[1:])
