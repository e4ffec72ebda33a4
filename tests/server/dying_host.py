"""A host that is killed at a chosen step of the chosen change; for tests only.

``python -m tests.server.dying_host FOLDER PORT STEP COUNT``: at the COUNT-th change it writes down, it
dies ``received`` (nothing written yet), ``written`` (in the middle of the transaction), ``committed``
(on disk, nothing sent), ``sent`` (after the first message about it) or ``told`` (after all of
them).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from cave import codec
from server.clients.access import KeyPair, load_host_keys
from server.clients.limits import Limits
from server.host import Host
from server.journal.sqlite import SqliteJournal
from server.options import Options
from server.service import Service
from server.tables.effects import Effect, Entry, SavedReply

STEPS = ("received", "written", "committed", "sent", "told")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class DyingJournal(SqliteJournal):
    """Counts changes and dies at one of them."""

    def __init__(self, folder: Path, step: str, count: int) -> None:
        super().__init__(folder)
        self.step = step
        self.left = count

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        self.left -= 1
        self._die_at("received")
        super().append_entries(*entries, reply=reply)
        self._die_at("committed")

    def commit(self, db: sqlite3.Connection) -> None:
        self._die_at("written")
        super().commit(db)

    def _die_at(self, step: str) -> None:
        if self.step == step and self.left == 0:
            die()


class DyingHost(Host):
    """Dies after the first message about the journal's change."""

    def __init__(self, service: Service, options: Options, pair: KeyPair, journal: DyingJournal) -> None:
        super().__init__(service, options, pair)
        self._journal = journal

    def send(self, link: bytes, frames: tuple[bytes, ...]) -> bool:
        sent = super().send(link, frames)
        if self._journal.step == "sent" and self._journal.left == 0:
            die()
        return sent

    def do_effects(self, effects: Iterable[Effect]) -> None:
        super().do_effects(effects)
        if self._journal.step == "told" and self._journal.left == 0:
            die()


async def main(folder: Path, port: int, step: str, count: int) -> None:
    journal = DyingJournal(folder, step, count)
    service = Service(
        "dying",
        random_text=lambda: secrets.token_hex(16),
        stamp=lambda: "2026-01-02T03:04:05+00:00",
        limits=Limits(rate=1e6, burst=1e6),
        journal=journal,
        secret=load_host_keys(folder).secret,
    )
    assert (journal.problems, service.restore()) == ([], [])
    host = DyingHost(service, Options(port=port), load_host_keys(folder), journal)
    line = await host.open()
    sys.stdout.buffer.write(codec.encode(line) + b"\n")
    sys.stdout.flush()
    await host.serve(asyncio.Event())


def run(arguments: Sequence[str]) -> None:
    folder, port, step, count = arguments
    asyncio.run(main(Path(folder), int(port), step, int(count)))


if __name__ == "__main__":
    run(sys.argv[1:])
