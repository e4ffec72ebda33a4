"""Effects of attacks on a host: survival, time of honest actions, admission of clients, leaks.

Run it with ``python -m tests.bench attacks [NAME ...] [--seconds 10] [--source 127.0.0.1]``. Each attack gets
a fresh host. Meanwhile two people play, a third keeps returning to a seat, one watches from elsewhere, and
new clients connect, from the attacker's address and from elsewhere. With ``--mix MINUTES`` all attacks run
against one host, three at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
import zmq
import zmq.asyncio

from cave import codec
from server import local_command
from tests.bench.attacks import ATTACKS, BOTH
from tests.bench.players import Script, script
from tests.processes import children, serving
from tests.server.raw import resident

HOME, ELSEWHERE = "127.0.0.1", "127.0.0.9"
SEED = "attacked"
PAUSE = 0.1
"""Seconds between two actions at a table."""
PATIENCE = 5.0
"""Seconds to wait for a reply before reconnecting."""
SETTLING = 15.0
"""Seconds after an attack for memory and descriptors to recover."""
SLACK_MIB = 40
SLACK_FILES = 4
GOAL = 0.5
"""Seconds within which 99 of 100 honest actions are to be done."""
AT_A_TIME = 3


class Gone(Exception):
    """No reply arrived in time."""


class Person:
    """An honest client with its own key, which reconnects if there is no reply."""

    def __init__(self, door: dict[str, Any], source: str = HOME) -> None:
        self._door = door
        self._source = source
        self._pair = zmq.curve_keypair()
        self._context = zmq.asyncio.Context()
        self._count = 0
        self._seats: dict[int, str] = {}
        self._seq = 1
        self.table = ""
        self._desk = self._connect()

    def _connect(self) -> zmq.asyncio.Socket:
        desk = self._context.socket(zmq.DEALER)
        desk.linger = 0
        if self._door["encrypted"]:
            desk.curve_publickey, desk.curve_secretkey = self._pair
            desk.curve_serverkey = self._door["public_key"].encode()
        desk.connect(f"tcp://{self._source}:0;127.0.0.1:{self._door['desk']}")
        return desk

    async def ask(self, kind: str, patience: float = PATIENCE, **fields: Any) -> Any:
        """Return the reply; raises Gone."""
        self._count += 1
        number = str(self._count)
        try:
            async with asyncio.timeout(patience):
                await self._desk.send(codec.encode({"type": kind, "id": number, **fields}))
                while True:
                    message = json.loads(await self._desk.recv())
                    if message.get("re") == number:
                        return message
        except TimeoutError:
            raise Gone from None

    async def begin(self) -> None:
        """Open a table and take both seats.

        A client without a seat may be disconnected like any newcomer from the attackers' address.
        """
        while True:
            with contextlib.suppress(Gone):
                if await self._begin():
                    return
            await asyncio.sleep(PAUSE)
            self._desk.close(0)
            self._desk = self._connect()

    async def _begin(self) -> bool:
        """Return whether a table is open, with both seats taken; raises Gone."""
        self._seats = {}
        while (opened := await self.ask("open", game="the-cave", seats=BOTH, seed=SEED))["type"] != "opened":
            # An attacker from the same address occupies all of its tables: wait for one to end.
            assert opened["code"] in ("full", "too_fast"), opened
            await asyncio.sleep(PAUSE)
        self.table = opened["table"]
        for name in ("Ann", "Bea"):
            seated = await self.ask("sit", table=self.table, name=name)
            if seated["type"] != "seated":
                return False
            self._seats[seated["seat"]] = seated["key"]
        self._seq = 1
        return True

    async def come_back(self, patience: float = PATIENCE) -> None:
        """Disconnect without a message and take the seats again; raises Gone."""
        self._desk.close(0)
        self._desk = self._connect()
        for seat, key in self._seats.items():
            reply = await self.ask("resume", patience, table=self.table, seat=seat, key=key)
            if reply["type"] != "seated":
                raise Gone

    async def act(self, actions: Script) -> float:
        """Do the next actions of the game, with retries; return the seconds until the host confirms."""
        seat, action = actions[self._seq - 1]
        began = time.monotonic()
        while True:
            with contextlib.suppress(Gone):
                fields = {"table": self.table, "seat": seat, "seq": self._seq, "action": action}
                done = await self.ask("act", **fields)
                if done["type"] == "done" or done["code"] == "stale":
                    break
                # Disconnected, and reconnected by ZeroMQ: this connection has no seat yet.
                assert done["code"] in ("not_seated", "full", "too_fast"), done
            with contextlib.suppress(Gone):
                await self.come_back()
        self._seq += 1
        taken = time.monotonic() - began
        if self._seq > len(actions):
            with contextlib.suppress(Gone):
                for seat in self._seats:
                    await self.ask("stand", table=self.table, seat=seat)
            await self.begin()
        return taken

    def close(self) -> None:
        self._context.destroy(linger=0)


@attrs.define
class Tries:
    """Attempts, successes, and their seconds."""

    tried: int = 0
    taken: list[float] = attrs.field(factory=list)

    @contextlib.asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Count an attempt, which fails with Gone; one that the attack's end interrupts does not count."""
        began = time.monotonic()
        try:
            yield
        except Gone:
            self.tried += 1
        except asyncio.CancelledError:
            self.tried += time.monotonic() - began > PATIENCE / 2
            raise
        else:
            self.tried += 1
            self.taken.append(time.monotonic() - began)

    def __str__(self) -> str:
        slowest = f" {max(self.taken):.1f}s" if self.taken else ""
        return f"{len(self.taken)}/{self.tried}{slowest}"


@attrs.define
class Seen:
    """Measurements of a host under attack; memory in MiB."""

    attack: str
    alive: bool = True
    actions: list[float] = attrs.field(factory=list)
    memory: tuple[int, int, int] = (0, 0, 0)
    files: tuple[int, int] = (0, 0)
    near: Tries = attrs.field(factory=Tries)
    far: Tries = attrs.field(factory=Tries)
    back: Tries = attrs.field(factory=Tries)
    cut: int = 0

    @property
    def p99(self) -> float:
        """Seconds within which 99 of 100 honest actions were done."""
        enough = len(self.actions) > 1
        return statistics.quantiles(self.actions, n=100)[98] if enough else float("inf")

    @property
    def well(self) -> bool:
        """Whether all limits are met; clients that share an attacker's address may have to wait."""
        return (
            self.alive
            and self.p99 < GOAL
            and self.memory[2] - self.memory[0] <= SLACK_MIB
            and self.files[1] - self.files[0] <= SLACK_FILES
            and len(self.far.taken) == self.far.tried
            and len(self.back.taken) == self.back.tried
            and not self.cut
        )

    def line(self) -> str:
        before, most, after = self.memory
        middle = statistics.median(self.actions) * 1000 if self.actions else float("inf")
        verdict = "ok" if self.well else "NOT WELL"
        return (
            f"{self.attack:<16}{'yes' if self.alive else 'NO':>6}{len(self.actions):>6}{middle:>8.0f}"
            f"{self.p99 * 1000:>8.0f}{before:>7}{most:>6}{after:>6}{self.files[0]:>6}{self.files[1]:>5}"
            f"{self.near!s:>13}{self.far!s:>13}{self.back!s:>13}{self.cut:>5}  {verdict}"
        )


HEAD = (
    f"{'attack':<16}{'alive':>6}{'acts':>6}{'p50 ms':>8}{'p99 ms':>8}{'MiB':>7}{'most':>6}{'after':>6}"
    f"{'files':>6}{'aft.':>5}{'same address':>13}{'elsewhere':>13}{'came back':>13}{'cut':>5}"
)


@contextlib.asynccontextmanager
async def attacked_host(*extra: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, dict[str, Any]]]:
    """Start a host with its default limits; yield it and its door's line."""
    pipe = asyncio.subprocess.PIPE
    with tempfile.TemporaryDirectory() as folder:
        argv = [*local_command(data=Path(folder)), "--limit", "rate=20", "--limit", "burst=60", *extra]
        process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe)
        assert process.stdout is not None
        try:
            yield process, json.loads(await process.stdout.readline())
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


def files(pid: int) -> int:
    """Return the number of open descriptors of a process."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


async def plays(person: Person, actions: Script, into: list[float]) -> None:
    while True:
        into.append(await person.act(actions))
        await asyncio.sleep(PAUSE)


async def comes_back(person: Person, tries: Tries) -> None:
    while True:
        await asyncio.sleep(0.5)
        async with tries.one():
            for patience in (PATIENCE / 4, PATIENCE / 4, PATIENCE):
                with contextlib.suppress(Gone):
                    await person.come_back(patience)
                    break
            else:
                raise Gone


async def looks_in(door: dict[str, Any], source: str, tries: Tries) -> None:
    """Keep connecting as a new client."""
    while True:
        await asyncio.sleep(1.0)
        person = Person(door, source)
        try:
            async with tries.one():
                if (await person.ask("hello", protocol=1, client="x", name="Cyd"))["type"] != "welcome":
                    raise Gone
        finally:
            person.close()


async def listens(door: dict[str, Any], table: str, seen: Seen) -> None:
    """Keep watching a table, and count how often the connection is cut."""
    context = zmq.asyncio.Context()
    gallery = context.socket(zmq.SUB)
    if door["encrypted"]:
        gallery.curve_publickey, gallery.curve_secretkey = zmq.curve_keypair()
        gallery.curve_serverkey = door["public_key"].encode()
    events = gallery.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    gallery.subscribe(f"table.{table}".encode())
    gallery.connect(f"tcp://{ELSEWHERE}:0;127.0.0.1:{door['gallery']}")
    try:
        while True:
            await events.recv_multipart()
            seen.cut += 1
    finally:
        gallery.disable_monitor()
        events.close(0)
        context.destroy(linger=0)


async def watch_memory(pid: int, seen: Seen) -> None:
    """Keep recording the highest memory use."""
    while True:
        with contextlib.suppress(OSError, IndexError):
            before, most, after = seen.memory
            seen.memory = (before, max(most, resident(pid) >> 20), after)
        await asyncio.sleep(0.05)


async def launch(name: str, door: dict[str, Any], source: str, seconds: float) -> None:
    """Run an attack in a separate process."""
    argv = [sys.executable, "-m", "tests.bench.attacks", name, json.dumps(door), source, str(seconds)]
    process = await asyncio.create_subprocess_exec(*argv, stderr=asyncio.subprocess.DEVNULL)
    try:
        await asyncio.wait_for(process.wait(), seconds + 30)
    except TimeoutError:
        process.kill()
        await process.wait()


async def under(actions: Script, seen: Seen, attack: AttackRun, *extra: str) -> Seen:
    """Measure a host during an attack."""
    async with attacked_host(*extra) as (process, door):
        people = [Person(door) for _ in range(3)]
        for person in people:
            await person.begin()
        host = serving(process.pid)
        seen.memory = (resident(host) >> 20, 0, 0)
        seen.files = (files(host), 0)
        work = [
            *(asyncio.create_task(plays(person, actions, seen.actions)) for person in people[:2]),
            asyncio.create_task(comes_back(people[2], seen.back)),
            asyncio.create_task(looks_in(door, attack.source, seen.near)),
            asyncio.create_task(looks_in(door, ELSEWHERE, seen.far)),
            asyncio.create_task(listens(door, people[0].table, seen)),
            asyncio.create_task(watch_memory(host, seen)),
        ]
        await attack.run(door)
        for task in work:
            task.cancel()
        for result in await asyncio.gather(*work, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        until = time.monotonic() + SETTLING
        try:
            await people[2].come_back()
        except Gone:
            seen.alive = host in children(process.pid)
        if seen.alive:
            while time.monotonic() < until:
                seen.memory = (*seen.memory[:2], resident(host) >> 20)
                seen.files = (seen.files[0], files(host))
                if seen.memory[2] - seen.memory[0] <= SLACK_MIB and seen.files[1] <= seen.files[0]:
                    break
                await asyncio.sleep(0.2)
        for person in people:
            person.close()
    return seen


@attrs.frozen
class AttackRun:
    """Attacks against one host: one, or with ``minutes`` all of them, a few at a time."""

    names: tuple[str, ...]
    source: str
    seconds: float
    minutes: float = 0.0

    async def run(self, door: dict[str, Any]) -> None:
        if not self.minutes:
            await asyncio.gather(*(launch(name, door, self.source, self.seconds) for name in self.names))
            return
        until = time.monotonic() + 60 * self.minutes

        async def one_after_the_other() -> None:
            while time.monotonic() < until:
                await launch(random.choice(self.names), door, self.source, self.seconds)

        await asyncio.gather(*(one_after_the_other() for _ in range(AT_A_TIME)))


async def main(names: list[str], source: str, seconds: float, minutes: float) -> bool:
    """Run them and print a table; return whether all limits are met."""
    actions = script(SEED)
    print(HEAD, flush=True)
    if minutes:
        mixed = tuple(name for name in names if not ATTACKS[name].plain)
        seen = await under(actions, Seen("mix"), AttackRun(mixed, source, seconds, minutes))
        print(seen.line())
        return seen.well
    well = True
    for name in names:
        extra = ("--no-encryption",) if ATTACKS[name].plain else ()
        seen = await under(actions, Seen(name), AttackRun((name,), source, seconds), *extra)
        print(seen.line(), flush=True)
        well &= seen.well
    return well


if __name__ == "__main__":
    parser = argparse.ArgumentParser("attacks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each attack lasts")
    parser.add_argument("--source", default=HOME, help="the address that attacks come from: 127.0.0.x")
    parser.add_argument("--mix", type=float, default=0.0, metavar="MINUTES", help="all against one host")
    given = parser.parse_args()
    if unknown := set(given.names) - set(ATTACKS):
        parser.error(f"there is no attack {min(unknown)}: there are {', '.join(ATTACKS)}")
    chosen = given.names or list(ATTACKS)
    sys.exit(not asyncio.run(main(chosen, given.source, given.seconds, given.mix)))
