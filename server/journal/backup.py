"""Backups of a host's journal, also while the host runs."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from cave.files import reason, write_new
from server import system
from server.journal import data_folder, database
from server.journal.database import FILE, Unreadable

PART = ".part"
"""The suffix of an incomplete copy."""


class BackupError(Exception):
    """No copy was made; the text is one sentence that says what to do."""


def back_up(folder: Path, file: Path) -> int:
    """Copy the journal of a data folder to a file; returns the number of tables in it.

    An earlier copy is replaced once the new one is complete and on disk. Raises BackupError and
    DataFolderError.
    """
    journal = folder / FILE
    if not journal.exists():
        raise BackupError(f"There is nothing to back up: no host has saved a game in {folder}.")
    _check_replaceable(file, journal)
    part = file.with_name(file.name + PART)
    try:
        database.remove(part)
        write_new(part, b"", 0o600)
        try:
            tables = _copy(journal, part)
            part.replace(file)
            system.sync_folder(file.parent)
        finally:
            database.remove(part)
    except (Unreadable, sqlite3.Error) as error:
        found = database.trouble(folder, error) if isinstance(error, sqlite3.Error) else error
        if not isinstance(found, Unreadable):
            raise found from None
        raise BackupError(
            f"The journal in {folder} is damaged ({found}): start the host, which saves what it can."
        ) from None
    except OSError as error:
        why = reason(error, str(error))
        raise BackupError(f"The file {file} cannot be written ({why}): choose another one.") from None
    return tables


def _check_replaceable(file: Path, journal: Path) -> None:
    """Raise BackupError unless the file is new or an earlier copy."""
    try:
        if not file.exists():
            return
        database.version_of(file)
    except (Unreadable, OSError):
        raise BackupError(f"{file} already exists and is not a backup: choose another name.") from None
    if file.samefile(journal) or (file.parent / data_folder.LOCK).exists():
        raise BackupError(f"{file} is the journal of a host: choose another folder for the backup.")


def _copy(journal: Path, part: Path) -> int:
    with (
        contextlib.closing(database.to_read(journal)) as source,
        contextlib.closing(sqlite3.connect(part)) as copy,
    ):
        source.backup(copy)
        tables = copy.execute("SELECT count(DISTINCT tbl) FROM entries WHERE tbl != ''").fetchone()[0]
        if why := database.why_unsound(copy, part):
            raise Unreadable(why)
    with part.open("rb") as written:
        system.sync_file(written.fileno())
    return int(tables)
