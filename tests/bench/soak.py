"""A long run of a host: 8 tables, 200 watchers, game after game. Memory must be flat, and no message lost.

Run it with ``python -m tests.bench soak [--minutes 10]``. The host encrypts and saves everything to disk;
players and watchers share this process, each watcher with its own connections and key. At the end of each
game every watcher must have the view whose digest is in the host's beat. Memory and open files of the host
are measured all the time; the last measurement is compared with the one at half time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import attrs
import zmq
import zmq.asyncio

from cave import codec, wire
from server import local_command, system
from tests.bench.host_bench import child
from tests.bench.players import script, sockets
from tests.server.raw import resident

TABLES = 8
WATCHERS = 200
SCRIPTS = 4
PAUSE = 0.25
"""Seconds between two actions at a table: people are no faster."""
PATIENCE = 60.0
"""Seconds for the watchers to get the last view of a game; after that it counts as lost."""
LOOK_EVERY = 5.0
FILES = 4096
ROOM = 24
"""Tables that the host keeps, including finished ones."""
FLAT_MEMORY = 0.05
FLAT_FILES = 8


class Wire:
    """A client of a few lines: a desk, a gallery, and JSON read from both."""

    def __init__(self, context: zmq.asyncio.Context, door: dict[str, Any]) -> None:
        self.desk, self.gallery = sockets(context, door)
        self.count = 0

    def send(self, kind: str, **fields: Any) -> None:
        self.count += 1
        self.desk.send(codec.encode({"type": kind, "id": str(self.count), **fields}), zmq.DONTWAIT)

    async def reply(self) -> Any:
        """Return the reply to the latest request; views are read on the way."""
        while True:
            message = codec.decode(await self.desk.recv())
            if message.get("re") == str(self.count):
                assert message["type"] != "error", message
                return message

    async def ask(self, kind: str, **fields: Any) -> Any:
        self.send(kind, **fields)
        return await self.reply()

    def close(self) -> None:
        self.desk.close(0)
        self.gallery.close(0)


@attrs.define
class Seen:
    """Totals of all watchers."""

    actions: int = 0
    games: int = 0
    updates: int = 0
    gaps: int = 0
    digests: int = 0
    lost: list[str] = attrs.field(factory=list)


@attrs.frozen
class Look:
    """The host's memory in bytes and open files, this many seconds after the start."""

    at: float
    memory: int
    files: int


class Watcher:
    """Follows one table after the other according to PROTOCOL.md: a snapshot closes a gap."""

    def __init__(self, context: zmq.asyncio.Context, door: dict[str, Any], seen: Seen) -> None:
        self._wire = Wire(context, door)
        self._seen = seen
        self._table = ""
        self._seq = 0
        self._view: Any = None
        self._asked = False
        self._same = asyncio.Event()
        self._tasks = [asyncio.create_task(self._read_desk()), asyncio.create_task(self._read_gallery())]

    def follow(self, table: str) -> None:
        if self._table:
            self._wire.gallery.unsubscribe(wire.gallery_topic(self._table).encode())
        self._table, self._seq, self._view = table, -1, None
        self._same.clear()
        self._wire.gallery.subscribe(wire.gallery_topic(table).encode())
        self._asked = True
        self._wire.send("watch", table=table)

    async def holds(self, seq: int) -> None:
        """Wait until the view is that of ``seq`` and a beat has its digest."""
        while self._seq < seq or not self._same.is_set():
            await self._same.wait()
            if self._seq < seq:
                self._same.clear()

    @property
    def stands(self) -> str:
        return f"table {self._table} at {self._seq}"

    async def close(self) -> None:
        """Close; raises an earlier error."""
        for task in self._tasks:
            task.cancel()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        self._wire.close()

    async def _read_desk(self) -> None:
        while True:
            message = codec.decode(await self._wire.desk.recv())
            if message["type"] == "snapshot" and message["table"] == self._table:
                self._asked = False
                if message["seq"] >= self._seq:
                    self._seq, self._view = message["seq"], message["view"]
                    self._same.clear()

    async def _read_gallery(self) -> None:
        while True:
            _, frame = await self._wire.gallery.recv_multipart()
            message = codec.decode(frame)
            if message["table"] != self._table:
                continue
            if message["type"] == "update":
                self._update(message)
            elif message["type"] == "beat":
                self._beat(message)

    def _update(self, message: Any) -> None:
        self._seen.updates += 1
        if message["seq"] == self._seq + 1:
            self._seq, self._view = message["seq"], message["view"]
            self._same.clear()
        elif message["seq"] > self._seq:
            self._ask_anew()

    def _beat(self, message: Any) -> None:
        if message["seq"] > self._seq:
            self._ask_anew()
        elif message["seq"] == self._seq:
            self._seen.digests += 1
            if message["digest"] != wire.view_digest(self._view):
                raise AssertionError(f"another view than the host's: {self.stands}")
            self._same.set()

    def _ask_anew(self) -> None:
        if self._asked:
            return
        self._asked = True
        self._seen.gaps += self._seq >= 0
        self._wire.send("sync", table=self._table)


async def table(door: dict[str, Any], number: int, scripts: list[tuple[str, Any]], seen: Seen, until: float) -> None:
    """Play game after game with some of the watchers."""
    context = zmq.asyncio.Context.instance()
    player = Wire(context, door)
    watchers = [Watcher(context, door, seen) for _ in range(WATCHERS // TABLES)]
    played = number
    while time.monotonic() < until:
        seed, actions = scripts[played % len(scripts)]
        played += 1
        seats = [{"kind": "open"}, {"kind": "open"}]
        name = (await player.ask("open", game="the-cave", seats=seats, seed=seed))["table"]
        for watcher in watchers:
            watcher.follow(name)
        for who in ("Ann", "Bea"):
            await player.ask("sit", table=name, name=who)
        seq = 1
        for seat, action in actions:
            if time.monotonic() >= until:
                break
            reply = await player.ask("act", table=name, seat=seat, seq=seq, action=action)
            seq = reply["seq"]
            seen.actions += 1
            if seq % 20 == 0:
                await player.ask("say", table=name, text=f"That was step {seq}.")
            await asyncio.sleep(PAUSE)
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(watcher.holds(seq) for watcher in watchers))
        except TimeoutError:
            seen.lost += [watcher.stands for watcher in watchers]
        # A player who stands up leaves a table that the host may drop.
        for seat in (0, 1):
            await player.ask("stand", table=name, seat=seat)
        seen.games += 1
    for watcher in watchers:
        await watcher.close()
    player.close()


async def look_on(pid: int, began: float, looks: list[Look]) -> None:
    while True:
        looks.append(Look(time.monotonic() - began, resident(pid), _files(pid)))
        await asyncio.sleep(LOOK_EVERY)


def told(seen: Seen, looks: list[Look]) -> bool:
    """Print the results; return whether all is well."""
    second = looks[len(looks) // 2 :]
    first, last = second[0], second[-1]
    print(f"{seen.games} games, {seen.actions} actions, {seen.updates} updates to {WATCHERS} watchers")
    print(f"gaps {seen.gaps}, each closed by a snapshot; digests compared {seen.digests}")
    for look in looks[:: max(1, len(looks) // 20)]:
        print(f"{look.at:>7.0f} s {look.memory / 2**20:>7.1f} MiB {look.files:>5} files")
    print(
        f"second half: memory {first.memory / 2**20:.1f} to {last.memory / 2**20:.1f} MiB, "
        f"files {first.files} to {last.files}"
    )
    flat = last.memory <= first.memory * (1 + FLAT_MEMORY) and last.files <= first.files + FLAT_FILES
    print("flat: yes" if flat else "flat: NO")
    print(f"watchers that did not catch up: {len(seen.lost)} {'; '.join(seen.lost[:5])}")
    return flat and not seen.lost


async def main(minutes: float, folder: Path) -> bool:
    """Run it; return whether all limits are met."""
    system.raise_open_files_limit(FILES)
    scripts = [(f"soak {number}", script(f"soak {number}")) for number in range(SCRIPTS)]
    seen, looks = Seen(), list[Look]()
    argv = [*local_command(data=folder), "--limit", "links-each=1000", "--limit", f"tables={ROOM}"]
    async with child(*argv) as line:
        door = json.loads(line)
        (pid,) = _children_with(str(folder))
        began = time.monotonic()
        looking = asyncio.create_task(look_on(pid, began, looks))
        async with asyncio.TaskGroup() as group:
            for number in range(TABLES):
                group.create_task(table(door, number, scripts, seen, began + 60 * minutes))
        looking.cancel()
    return told(seen, looks)


def _files(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def _children_with(argument: str) -> list[int]:
    """Return this process's children that were started with this argument."""
    listed = Path("/proc/self/task").glob("*/children")
    pids = {int(pid) for each in listed for pid in each.read_text().split()}
    return [pid for pid in pids if argument in Path(f"/proc/{pid}/cmdline").read_text().split("\0")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser("soak")
    parser.add_argument("--minutes", type=float, default=10.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        sys.exit(not asyncio.run(main(given.minutes, Path(made))))
