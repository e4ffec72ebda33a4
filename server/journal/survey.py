"""Surveys a folder's journal: which tables are whole, and what the others have lost.

Compares the journal with the marks beside it, and each row with its checksum. Changes nothing.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Literal

import attrs
from msgspec import Struct

from cave.files import reason
from server.journal import database, marks
from server.journal.data_folder import DataFolderError
from server.journal.database import FILE, LOG, READY, VERSION, Damaged, Gap, Unreadable
from server.journal.journal import Line
from server.journal.marks import Mark

State = Literal["whole", "behind", "damaged", "lost"]


class Finding(Struct, frozen=True):
    """A table that is not whole: it is ``behind`` and continues from an earlier step, ``damaged`` and cannot
    continue, or ``lost`` completely. ``why`` completes the sentence "The table abc ...".
    """

    table: str
    state: State
    why: str


@attrs.define
class Survey:
    """The good lines by number, also those of damaged tables, and what is wrong.

    ``problem`` says in a few words what is wrong with the file, and is empty if the file is sound. ``last``
    is the highest line number ever used.
    """

    lines: dict[int, Line] = attrs.field(factory=dict)
    findings: list[Finding] = attrs.field(factory=list)
    problem: str = ""
    last: int = 0
    version: int = VERSION
    strays: bool = False
    """Whether there are damaged rows that cannot be assigned to a table."""

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.problem or self.findings or self.strays)

    @property
    def why(self) -> str:
        """Say in a few words what is wrong."""
        if self.problem or self.strays:
            return self.problem or "one of its lines is broken"
        if any(each.state != "damaged" for each in self.findings):
            return "its end is missing"
        return "some of its lines are broken"

    def stories(self) -> dict[str, tuple[int, int]]:
        """Return the number of steps and lines of each table that can continue."""
        found: dict[str, tuple[int, int]] = {}
        for entry in (line.entry for line in self.kept() if line.entry.table):
            _, lines = found.get(entry.table, (0, 0))
            found[entry.table] = (entry.seq, lines + 1)
        return found

    def kept(self) -> list[Line]:
        """Return the lines of all tables that can continue."""
        gone = {each.table for each in self.findings if each.state == "damaged"}
        return [line for line in self.lines.values() if line.entry.table not in gone]


@attrs.define
class _Story:
    """The lines of one table, added as they are read."""

    mark: Mark | None
    first: int = 0
    last: int = 0
    seq: int = 0
    lines: int = 0
    sum: int = 0
    damaged: list[int] = attrs.field(factory=list)
    broken: str = ""

    def add(self, line: Line) -> None:
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

    def finding(self, table: str, gaps: list[Gap], *, sound: bool) -> Finding | None:
        """Return the damage of the table; None if it is whole, as far as can be known."""
        mark = self.mark
        if not self.first:
            if mark is None or (not mark.settled and sound):
                return None  # It was being forgotten.
            return Finding(table, "lost", f"is lost, with its {_steps(mark.seq)}")
        if self.damaged:
            return Finding(table, "damaged", f"is damaged at line {self.damaged[0]}")
        if mark is not None and mark.settled and (self.lines, self.sum) == (mark.lines, mark.sum):
            return None
        if mark is not None and self.last < mark.last and sound and not self.broken:
            return Finding(table, "behind", _behind(self.seq, mark.seq))
        if self.broken or any(self.first < gap.before for gap in gaps):
            return Finding(table, "damaged", f"is damaged: {self.broken or 'some of its lines are gone'}")
        if mark is not None and (mark.settled or self.last < mark.last):
            return Finding(table, "damaged", "is damaged: some of its lines are gone or were changed")
        return None


def look(folder: Path) -> Survey:
    """Survey a folder's journal, even while a host uses it.

    Raises DataFolderError, also for a journal of a newer version.
    """
    before = marks.read(folder)
    path = folder / (READY if (folder / READY).exists() else FILE)
    found = Survey()
    stories: dict[str, _Story] = {table: _Story(mark) for table, mark in before.items()}
    gaps: list[Gap] = []
    try:
        if not path.exists():
            if (folder / LOG).exists():
                raise Unreadable("its main file is missing")
        else:
            found.version = _checked_version(folder, path)
            _read(folder, path, found, stories, gaps)
    except Unreadable as error:
        found.problem = str(error)
    except OSError as error:
        raise DataFolderError(
            f"The journal in the folder {folder} cannot be read ({reason(error, str(error))})."
        ) from None
    found.last = max([found.last, *(story.mark.last for story in stories.values() if story.mark)])
    # A running host adds and removes lines: what changed meanwhile is left for the next survey.
    after = marks.read(folder)
    for table, story in stories.items():
        if before.get(table) != after.get(table):
            story.mark = None
        finding = story.finding(table, gaps, sound=not (found.problem or gaps))
        if finding is not None:
            found.findings.append(finding)
    return found


def _read(folder: Path, path: Path, found: Survey, stories: dict[str, _Story], gaps: list[Gap]) -> None:
    strays: list[Damaged] = []
    with contextlib.ExitStack() as stack:
        try:
            db = stack.enter_context(contextlib.closing(database.to_read(path)))
            found.problem = database.why_unsound(db, path)
            for each in database.read(db, folder):
                if isinstance(each, Gap):
                    gaps.append(each)
                elif isinstance(each, Damaged):
                    strays.append(each)
                else:
                    found.lines[each.number] = each
                    found.last = each.number
                    if table := each.entry.table:
                        stories.setdefault(table, _Story(None)).add(each)
        except sqlite3.Error as error:
            raise database.trouble(folder, error) from None
    if gaps:
        found.problem = found.problem or database.BROKEN
    for row in strays:
        # The table's name in a damaged row may be damaged, too.
        if row.table in stories:
            stories[row.table].damaged.append(row.number)
        else:
            found.strays = True


def _checked_version(folder: Path, path: Path) -> int:
    version = database.version_of(path)
    if version > VERSION:
        raise DataFolderError(
            f"The journal in the folder {folder} was written by a newer version of Cave (version {version}; "
            f"this one knows {VERSION}): update Cave, or choose another folder with --data."
        )
    return version


def _behind(seq: int, marked: int) -> str:
    if marked <= seq:
        return "has lost the latest chat messages or seats"
    return f"has lost its last {_steps(marked - seq)} and continues from step {seq}"


def _steps(number: int) -> str:
    return f"{number} steps" if number != 1 else "step"
