"""What an interrupted series leaves: a file of the games that were played, from which it goes on.

The first line is the series, each other line a game. A line that breaks off is left out: its game is
played again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec
from filelock import FileLock, Timeout

from cave import __version__, codec, files
from cave.files import make_private
from client.lab.series import Outcome, Series

MOST = 256 * files.KIB * files.KIB
"""Bytes of such a file: a million games and more."""


class NotKept(Exception):
    """The games of a series cannot be kept; one sentence."""


def name_of(series: Series) -> str:
    """Return the name of the file of a series: another version of the program has another one."""
    text = codec.canonical([__version__, msgspec.to_builtins(series)])
    return f"{series.game}-{hashlib.sha256(text).hexdigest()[:16]}.jsonl"


class Kept:
    """The games of a series that were played so far, and the file that they go to."""

    def __init__(self, path: Path, file: IO[bytes], found: dict[int, Outcome]) -> None:
        self.path = path
        self.outcomes = found
        self._file = file

    def add(self, outcome: Outcome) -> None:
        """Keep a game; raises NotKept."""
        self.outcomes[outcome.number] = outcome
        with _sentence(self.path):
            self._file.write(msgspec.json.encode(outcome) + b"\n")
            self._file.flush()


@contextmanager
def kept(folder: Path, series: Series, *, fresh: bool = False) -> Iterator[Kept]:
    """Open the games of this series that are kept in a folder, none with ``fresh``.

    If all goes well to the end, nothing is left; else the file stays. Raises NotKept.
    """
    path = folder / name_of(series)
    lock = FileLock(path.with_suffix(".lock"), mode=0o600, fallback_to_soft=False)
    with _sentence(path):
        make_private(folder)
        lock.acquire(timeout=0)
    try:
        with _sentence(path):
            found = {} if fresh else _read(path, series)
            # Written anew, without a line that broke off; until that is done, the games are in the old file.
            lines = (series, *found.values())
            files.replace(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            file = files.open_at_end(path)
        with file:
            yield Kept(path, file, found)
        with _sentence(path):
            path.unlink()
    finally:
        lock.release()
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except Timeout:
        raise NotKept(
            "Another cave simulate is playing these games. Wait for it, or choose another --seed."
        ) from None
    except OSError as error:
        why = files.reason(error, str(error))
        raise NotKept(f"Nothing can be saved in {path.parent}: {why}.") from None


def _read(path: Path, series: Series) -> dict[int, Outcome]:
    """Return the games in a file; none where it is not there, or is not of this series."""
    try:
        first, *lines = files.read_small(path, MOST).splitlines()
        if msgspec.json.decode(first, type=Series) != series:
            return {}
    except (FileNotFoundError, ValueError):
        return {}
    found = {}
    for line in lines:
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except ValueError:
            continue
        found[outcome.number] = outcome
    return found
