"""How far the journal of each table goes, in a small file beside it.

SQLite silently drops a damaged end of its log, and the last steps with it. So each table has a mark here,
of fixed size and at a fixed place, which is written after a change is on disk and before it is published.
That takes a microsecond, because the file is not synced each time: a mark survives when the host is killed,
and the host syncs the file now and then in case of a power failure.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cave.files import KIB, open_in_place, read_small
from server import system

FILE = "marks"
MOST = 4096 * KIB

_SLOT = struct.Struct("<24sQQQI?3xI")
"""Table, number of its last line, last step, number of lines, their sum, settled; and a checksum."""
_CHECKSUM = struct.Struct("<I")


class Mark(Struct, frozen=True):
    """The extent of a table in the journal: the number of its ``last`` line, its step ``seq``, how many
    ``lines``, and the ``sum`` of their checksums.

    While lines are being removed a mark is not ``settled``, and ``lines`` and ``sum`` mean nothing.
    """

    last: int = 0
    seq: int = 0
    lines: int = 0
    sum: int = 0
    settled: bool = True

    def with_line(self, number: int, seq: int, checksum: int) -> Mark:
        """Return the mark with one more line."""
        return Mark(
            max(self.last, number), max(self.seq, seq), self.lines + 1, self.sum ^ checksum, self.settled
        )


class Marks:
    """The marks of a folder, for writing. Nothing here raises: a journal works without marks, too."""

    def __init__(self, folder: Path) -> None:
        self._slots: dict[str, int] = {}
        self._free: list[int] = []
        self._marks: dict[str, Mark] = {}
        self._synced = True
        self._descriptor = -1
        with contextlib.suppress(OSError):
            self._descriptor = open_in_place(folder / FILE)
            for number, raw in enumerate(_slots_of(folder)):
                table, mark = _unpacked(raw) or ("", Mark())
                if table and table not in self._slots:
                    self._slots[table], self._marks[table] = number, mark
                else:
                    self._free.append(number)

    def __getitem__(self, table: str) -> Mark:
        return self._marks.get(table, Mark())

    def put(self, table: str, mark: Mark) -> None:
        """Write a table's mark."""
        if not table or len(table.encode(errors="replace")) > 24:
            return
        if table not in self._slots:
            self._slots[table] = self._free.pop() if self._free else len(self._slots)
        self._marks[table] = mark
        self._write(self._slots[table], _packed(table, mark))

    def unsettle(self, table: str) -> None:
        """Note that lines of the table are about to be removed."""
        if table in self._marks:
            self.put(table, replace(self._marks[table], settled=False))

    def drop(self, table: str) -> None:
        """Remove a table's mark."""
        if table in self._slots:
            del self._marks[table]
            slot = self._slots.pop(table)
            self._free.append(slot)
            self._write(slot, bytes(_SLOT.size))

    def replace(self, marks: Mapping[str, Mark]) -> None:
        """Replace all marks with these."""
        for table in self._marks.keys() - marks.keys():
            self.drop(table)
        for table, mark in marks.items():
            self.put(table, mark)

    def tables(self) -> list[str]:
        """Return the tables that have a mark."""
        return list(self._marks)

    @property
    def unsynced(self) -> bool:
        """Whether something was written since the last ``sync``."""
        return not self._synced

    def sync(self) -> None:
        """Sync the file to disk; may be called from another thread."""
        if not self._synced:
            self._synced = True
            with contextlib.suppress(OSError):
                system.sync_file(self._descriptor)

    def close(self) -> None:
        """Sync and close the file."""
        if self._descriptor >= 0:
            self.sync()
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, slot: int, raw: bytes) -> None:
        with contextlib.suppress(OSError):
            os.lseek(self._descriptor, slot * _SLOT.size, os.SEEK_SET)
            os.write(self._descriptor, raw)
        self._synced = False


def read(folder: Path) -> dict[str, Mark]:
    """Return the undamaged marks of a folder; empty if there is no file."""
    found: dict[str, Mark] = {}
    with contextlib.suppress(OSError):
        for raw in _slots_of(folder):
            known = _unpacked(raw)
            if known is not None:
                found.setdefault(*known)
    return found


def _slots_of(folder: Path) -> list[bytes]:
    data = read_small(folder / FILE, MOST)
    return [data[start : start + _SLOT.size] for start in range(0, len(data), _SLOT.size)]


def _packed(table: str, mark: Mark) -> bytes:
    name = table.encode(errors="replace")
    raw = _SLOT.pack(name, mark.last, mark.seq, mark.lines, mark.sum, mark.settled, 0)
    return raw[: -_CHECKSUM.size] + _CHECKSUM.pack(zlib.crc32(raw))


def _unpacked(raw: bytes) -> tuple[str, Mark] | None:
    """Return the table and its mark; None for an empty or damaged slot."""
    if len(raw) < _SLOT.size:
        return None
    *fields, checksum = _SLOT.unpack(raw)
    if not any(raw) or zlib.crc32(_SLOT.pack(*fields, 0)) != checksum:
        return None
    return fields[0].rstrip(b"\0").decode(errors="replace"), Mark(*fields[1:])
