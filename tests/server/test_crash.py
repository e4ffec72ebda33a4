"""kill -9 at every step between receiving and replying, and at random moments of running games.

Acknowledged changes survive, nothing happens twice or by halves, and the same id gets the
same reply (PROTOCOL.md, promises 1 and 8).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zmq
import zmq.asyncio

from cave import codec, record
from client.net.connection import connect
from client.table import Rejected
from server.tables.table import LOG_LENGTH
from tests.effort import effort
from tests.forked import instead_of_exec
from tests.server import dying_host
from tests.server.dying_host import STEPS
from tests.server.kit import BACK, NORTH, few_tiles, journal_lines_of_tables, position
from tests.server.players import plays
from tests.server.running import Running, running


class Stubborn:
    """A client with its own key that asks until it is answered, across restarts of the host."""

    def __init__(self, folder: Path, step: str, counts: Iterator[int]) -> None:
        self._folder = folder
        self._step = step
        self._counts = counts
        self._context = zmq.asyncio.Context()
        self._pair = zmq.curve_keypair()
        self._desk: zmq.asyncio.Socket | None = None
        self._host: asyncio.subprocess.Process | None = None
        self._port = 0
        self.lives = 0
        self.keys: dict[int, str] = {}
        self.replies: dict[str, bytes] = {}
        self.table = ""

    async def ask(self, kind: str, number: str, **fields: Any) -> Any:
        message = codec.encode({"type": kind, "id": number, **fields})
        while (reply := await self._once(number, message)) is None:
            pass
        # An answer stays the same in every later run of the host.
        assert self.replies.setdefault(number, reply) == reply
        return json.loads(reply)

    async def _once(self, number: str, message: bytes) -> bytes | None:
        if self._host is None or self._host.returncode is not None:
            await self._start()
            for seat, key in self.keys.items():
                again = f"resume-{seat}-{self.lives}"
                fields = {"table": self.table, "seat": seat, "key": key}
                sent = codec.encode({"type": "resume", "id": again, **fields})
                if await self._once(again, sent) is None:
                    return None
        await self._desk.send(message)
        reading = asyncio.ensure_future(self._reply(number))
        dying = asyncio.ensure_future(self._host.wait())
        await asyncio.wait((reading, dying), return_when=asyncio.FIRST_COMPLETED)
        if reading.done():
            dying.cancel()
            return reading.result()
        reading.cancel()
        return None

    async def _reply(self, number: str) -> bytes:
        while True:
            frame: bytes = await self._desk.recv()
            if json.loads(frame).get("re") == number:
                return frame

    async def _start(self) -> None:
        self.lives += 1
        words = (str(self._folder), str(self._port), self._step, str(next(self._counts)))
        self._host = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.server.dying_host", *words),
            stdout=asyncio.subprocess.PIPE,
            preexec_fn=instead_of_exec(dying_host.run, words),
        )
        door = json.loads(await self._host.stdout.readline())
        self._port = door["port"]
        if self._desk is not None:
            self._desk.close(0)
        self._desk = self._context.socket(zmq.DEALER)
        self._desk.curve_publickey, self._desk.curve_secretkey = self._pair
        self._desk.curve_serverkey = door["public_key"].encode()
        self._desk.connect(f"tcp://127.0.0.1:{door['desk']}")

    async def close(self) -> None:
        if self._host is not None and self._host.returncode is None:
            self._host.kill()
            await self._host.wait()
        self._context.destroy(0)


async def story(folder: Path, step: str, counts: Iterator[int]) -> tuple[int, Any]:
    """Make every request that changes something; return the number of starts of the host
    and the final state.
    """
    me = Stubborn(folder, step, counts)
    try:
        seats = [{"kind": "open"}] * 2
        me.table = (await me.ask("open", "open", game="the-cave", seats=seats, start=position()))["table"]
        here = {"table": me.table}
        for seat, name in enumerate(("Ann", "Bea")):
            me.keys[seat] = (await me.ask("sit", f"sit-{seat}", name=name, **here))["key"]
        assert (await me.ask("act", "north", seat=0, seq=1, action=NORTH, **here))["seq"] == 2
        assert (await me.ask("undo", "undo", seat=0, seq=2, **here))["seq"] == 3
        assert (await me.ask("act", "again", seat=0, seq=3, action=NORTH, **here))["seq"] == 4
        assert (await me.ask("say", "say", text="Well?", **here))["type"] == "said"
        assert (await me.ask("act", "back", seat=0, seq=4, action=BACK, **here))["seq"] == 5
        assert (await me.ask("stand", "stand", seat=1, **here))["type"] == "stood"
        del me.keys[1]
        # Everything again: same replies, no effect.
        for number in [each for each in me.replies if not each.startswith("sync")]:
            await me.ask("ping", number)
        snapshot = await me.ask("sync", "sync", **here)
    finally:
        await me.close()
    entries = [line.entry for line in journal_lines_of_tables(folder)]
    assert {entry.table for entry in entries} == {me.table}
    happened = [(entry.kind, entry.seq, {} if entry.kind in ("opened", "sat") else entry.data) for entry in entries]
    return me.lives, (happened, {**snapshot, "table": "", "id": ""})


def endless(first: int, then: int) -> Iterator[int]:
    yield first
    while True:
        yield then


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The final state if the host is never killed."""
    lives, calm = asyncio.run(story(tmp_path_factory.mktemp("calm"), "never", endless(0, 0)))
    assert lives == 1
    return calm


@pytest.mark.parametrize("step", STEPS)
async def test_a_host_killed_at_any_change_continues_as_before(tmp_path: Path, step: str, undisturbed: Any):
    # An unsaved change is requested again: let that one pass, and die at the next.
    again = 2 if step in ("received", "written") else 1
    lives, disturbed = await story(tmp_path, step, endless(1, again))
    assert lives >= 9
    assert disturbed == undisturbed


@pytest.mark.parametrize("seed", range(effort(2, 6)))
async def test_killed_at_random_moments_a_game_is_played_to_its_end(tmp_path: Path, seed: int):
    rng = Random(seed)
    plain = ("--no-encryption", "--data", str(tmp_path))
    acknowledged: list[int] = []
    async with contextlib.AsyncExitStack() as stack:
        host = await stack.enter_async_context(running(*plain))
        port = host.door["port"]
        connections = [await connect(host.address) for _ in range(2)]
        seats = [{"kind": "open"}] * 2 + [{"kind": "bot", "level": "rookie"}]
        table = await connections[0].open("the-cave", seats, start=few_tiles(3, f"killed {seed}"))
        sessions = [await one.sit(table, name) for one, name in zip(connections, ("Ann", "Bea"), strict=True)]

        async def kill(killed: Running) -> None:
            nonlocal host
            for _ in range(4):
                at = len(acknowledged) + rng.randrange(1, 12)
                while len(acknowledged) < at:
                    await sessions[0].wait_for_state(lambda state, seq=sessions[0].state.seq: state.seq > seq)
                    if sessions[0].state.status == "over":
                        return
                for _ in range(rng.randrange(200)):
                    await asyncio.sleep(0)
                await killed.kill()
                killed = await stack.enter_async_context(running(*plain, "--port", str(port)))
                host = killed

        await asyncio.gather(*(plays(sessions[seat], seat, acknowledged) for seat in (0, 1)), kill(host))
        states = [await session.wait_for_state(lambda state: state.link == "live") for session in sessions]
        assert states[0].view == states[1].view
        # Each client sees other players return at a different time; the game is the same for all.
        logs = [[line for line in state.log if line.seq] for state in states]
        least = min(map(len, logs))
        assert logs[0][-least:] == logs[1][-least:]
        # A reconnecting client gets the last lines of the log, possibly a step after the other.
        assert logs[0] == logs[1] or least >= LOG_LENGTH
        lines = await sessions[0].record()
        assert record.check_record(record.write(lines).splitlines(keepends=True)).matches is True
        for connection in connections:
            await connection.close()
        await host.kill()
        entries = [line.entry for line in journal_lines_of_tables(tmp_path)]
    acted = [entry for entry in entries if entry.kind == "acted"]
    assert [entry.seq for entry in acted] == list(range(2, len(acted) + 2))
    assert [entry.data for entry in acted] == lines[1:-1]
    assert sum(entry.data["seat"] in (0, 1) for entry in acted) == len(acknowledged)


async def test_a_full_disk_stops_the_table_but_not_the_host(tmp_path: Path):
    async with running("--no-encryption", "--data", str(tmp_path)) as host:
        connection = await connect(host.address)
        table = await connection.open("the-cave", [{"kind": "open"}] * 2, start=position())
        await connection.sit(table, "Ann")
        session = await connection.sit(table, "Bea")
        await session.act(0, NORTH)
        _, hard = resource.prlimit(host.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(host.pid, resource.RLIMIT_FSIZE, (1, hard))
        for refused in (session.act(0, BACK), session.say("hello"), session.undo(0)):
            with pytest.raises(Rejected, match="cannot save the game now") as caught:
                await refused
            assert caught.value.code == "not_saved"
        assert session.state.seq == 2
        assert [line.seq for line in session.state.log] == [2]
        assert b"cannot save the game now" in await host.process.stderr.readline()
        resource.prlimit(host.pid, resource.RLIMIT_FSIZE, (hard, hard))
        await session.act(0, BACK)
        await session.wait_for_state(lambda state: state.seq == 3)
        assert b"event=saved" in await host.process.stderr.readline()
        await host.kill()
        await connection.close()
    async with running("--no-encryption", "--data", str(tmp_path)) as host:
        connection = await connect(host.address)
        resumed = await connection.resume(table, 0, session.keys[0])
        assert resumed.state.seq == 3
        assert resumed.state.chat == ()
        await connection.close()
