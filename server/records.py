"""The folder of records. Those of guests' games take limited space: new ones replace the oldest."""

from __future__ import annotations

import contextlib
import hmac
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cave import files, record
from cave.game import Json

BLOCK = 4096
"""The size of a disk block, in bytes."""
MODE = 0o666
"""Records are not secret: only the user's umask restricts them."""


class Records:
    """Writes records to a folder. Those of guests take up to ``most`` bytes, and ``each`` for one site.

    The name of a guest's record has a mark of the guest's site, made with the ``secret``. Methods may be
    called from other threads.
    """

    def __init__(self, folder: Path, most: int, each: int, secret: str) -> None:
        self._folder = folder
        self._most = most
        self._each = each
        self._secret = secret.encode()
        self._lock = threading.Lock()
        self._guests: dict[Path, int] | None = None
        """The sizes of guests' records, the oldest first; None until the first is written."""

    def write(self, table: str, lines: Sequence[Json], site: str = "") -> None:
        """Write the record of a table; ``site`` is the guest's, empty for the owner. Raises OSError."""
        day, content = str(lines[0].get("created", ""))[:10], record.write(lines)
        with self._lock:
            if not site:
                files.replace(self._folder / f"{day}-{table}.jsonl", content, MODE)
                return
            mark = hmac.digest(self._secret, site.encode(), "sha256").hex()[:8]
            file = self._folder / f"{day}-{table}.guest-{mark}.jsonl"
            guests = self._known()
            guests.pop(file, None)
            self._make_room(guests, file, len(content))
            files.replace(file, content, MODE)
            guests[file] = _room(len(content))

    def _make_room(self, guests: dict[Path, int], file: Path, size: int) -> None:
        while True:
            share = Counter[str]()
            for path, taken in guests.items():
                share[_mark(path)] += taken
            if share[_mark(file)] + _room(size) > self._each:
                most = _mark(file)
            elif share.total() + _room(size) > self._most:
                most = max(share, key=lambda mark: share[mark])
            else:
                return
            oldest = next((path for path in guests if _mark(path) == most), None)
            if oldest is None:
                return  # A record that is larger than all its room is kept alone.
            oldest.unlink(missing_ok=True)
            del guests[oldest]

    def _known(self) -> dict[Path, int]:
        if self._guests is None:
            found = []
            for path in self._folder.glob("*.guest-*.jsonl"):
                with contextlib.suppress(OSError):
                    about = path.stat()
                    found.append((about.st_mtime_ns, path, _room(about.st_size)))
            self._guests = {path: size for _, path, size in sorted(found)}
        return self._guests


def _mark(path: Path) -> str:
    return path.suffixes[-2]


def _room(size: int) -> int:
    return -(-size // BLOCK) * BLOCK
