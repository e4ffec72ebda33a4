"""The records kept on this machine: what each tells at a glance, without being played through."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path

import msgspec

from cave import record
from cave.files import read_small, reason
from cave.game import BadData
from cave.record import Outline
from client.wording import in_file

BATCH = 25
"""Records read at a time: a moment's work."""


class Summary(msgspec.Struct, frozen=True):
    """A record at a glance. ``when`` is the time here, ``2026-01-03 18:22``.

    ``outline`` is None for a file that is no record, or a damaged one; ``problem`` is then the sentence that
    says why.
    Records with the same ``digest`` hold the same: a host and its player may keep a game in one folder.
    """

    path: Path
    when: str
    outline: Outline | None = None
    problem: str = ""
    digest: str = ""


def files(folder: Path) -> list[Path]:
    """Return the records in a folder, those written last first; none where it cannot be read."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.glob("*.jsonl"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime_ns, path.name, path))
    return [path for _, _, path in sorted(found, reverse=True)]


def batches(paths: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """Yield the paths, some at a time."""
    for start in range(0, len(paths), BATCH):
        yield paths[start : start + BATCH]


def summary(path: Path) -> Summary:
    """Summarize a record; never raises."""
    written = ""
    try:
        facts = path.stat()
        with contextlib.suppress(ValueError, OverflowError):  # A clock may have been far off.
            written = _here(datetime.fromtimestamp(facts.st_mtime))
        data = read_small(path)
        outline = record.outline(BytesIO(data))
    except OSError as error:
        return Summary(path, written, problem=f"{reason(error, 'cannot be read')}.")
    except BadData as error:
        return Summary(path, written, problem=in_file(error))
    when = _time(outline.header.created) or written
    return Summary(path, when, outline, digest=hashlib.blake2b(data).hexdigest())


def _time(created: str) -> str:
    """Return a header's time as it is here; empty where it has none."""
    try:
        return _here(datetime.fromisoformat(created).astimezone())
    except (ValueError, OverflowError, OSError):
        return ""


def _here(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"
