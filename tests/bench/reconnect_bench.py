"""How soon clients show the same state again when a killed host is back.

Run it with ``python -m tests.bench.reconnect_bench``; nothing else should run meanwhile. Two players and
watchers follow a table. The host is repeatedly killed with SIGKILL and started on the same ports,
at once or after a longer pause. The clock runs from the line at the host's door until each client's
link is live again and its view that of the last acknowledged action.

Then the host's process is aborted (SIGABRT), and its supervisor starts it again. The clock runs from the
signal until a player's next chat message is acknowledged and all clients have received it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from client.net.connection import Connection, NetSession, connect
from client.net.known_hosts import Keys
from client.table import TableState
from server import local_command
from server.supervisor import STEADY
from tests.processes import serving
from tests.server.kit import OTHER_PACK, PACK

WATCHERS = 8
AWAY = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0)
"""Seconds for which the host stays away, one round each."""
GOAL = 0.5
"""Seconds that a client may take."""
ABORTS = 5


@contextlib.asynccontextmanager
async def host(data: Path, port: int) -> AsyncIterator[int]:
    """Run a host that saves its tables, until it is killed with SIGKILL; yield the pid of its supervisor."""
    pipe = asyncio.subprocess.PIPE
    argv = local_command(data=data, port=port)
    process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    try:
        if not await process.stdout.readline():
            raise SystemExit("The host did not start.")
        yield process.pid
    finally:
        process.kill()
        await process.wait()


def quiet_port() -> int:
    """Return the first of three free ports that the system assigns to no outgoing connection meanwhile."""
    for port in range(20_000, 30_000, 3):
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            for number in range(port, port + 3):
                stack.enter_context(socket.create_server(("127.0.0.1", number)))
            return port
    raise SystemExit("No three ports in a row are free.")


async def back(session: NetSession, seq: int, since: float) -> tuple[float, TableState]:
    """Return the seconds until the session is live again and has the last action; and its state."""
    state = await session.wait_for_state(lambda state: state.link == "live" and state.seq == seq)
    return time.perf_counter() - since, state


async def aborted(supervisor: int, sessions: list[NetSession], text: str) -> float:
    """Abort the host's process; return the seconds until all clients have a player's next chat message."""
    since = time.perf_counter()
    os.kill(serving(supervisor), signal.SIGABRT)
    await sessions[0].say(text)
    for session in sessions:
        await session.wait_for_state(lambda state: any(said.text == text for said in state.chat))
    return time.perf_counter() - since


async def main(folder: Path) -> None:
    data = folder / "host"
    clients: list[Connection] = []
    sessions: list[NetSession] = []
    taken: list[float] = []
    slowest: list[float] = []
    port, seq = quiet_port(), 1
    try:
        for number, pause in enumerate((None, *AWAY)):
            if pause is not None:
                for session in sessions:
                    await session.wait_for_state(lambda state: state.link == "lost")
                await asyncio.sleep(pause)
            async with host(data, port):
                since = time.perf_counter()
                if pause is None:
                    for client in range(2 + WATCHERS):
                        keys = Keys(folder / str(client))
                        clients.append(await connect(f"127.0.0.1:{port}", keys=keys))
                    table = await clients[0].open("the-cave", [{"kind": "open"}, {"kind": "open"}])
                    for client, connection in enumerate(clients):
                        name = f"Player {client}"
                        join = connection.sit(table, name) if client < 2 else connection.watch(table)
                        sessions.append(await join)
                else:
                    found = await asyncio.gather(*(back(session, seq, since) for session in sessions))
                    assert all(state.view == found[0][1].view for _, state in found)
                    taken += [seconds for seconds, _ in found]
                    slowest.append(max(seconds for seconds, _ in found))
                if number < 2:
                    await sessions[number].act(number, (PACK, OTHER_PACK)[number])
                    seq += 1
                for session in sessions:
                    await back(session, seq, since)
        async with host(data, port) as supervisor:
            for session in sessions:
                await back(session, seq, 0.0)
            aborts = []
            for number in range(ABORTS):
                aborts.append(await aborted(supervisor, sessions, f"word {number}"))
                await asyncio.sleep(STEADY)
    finally:
        for connection in clients:
            await connection.close()
    print(f"{len(AWAY)} kills, {len(sessions)} clients; seconds from the door's line to the same view:")
    for pause in sorted(set(AWAY)):
        rounds = [each for each, away in zip(slowest, AWAY, strict=True) if away == pause]
        middle, worst = statistics.median(rounds), max(rounds)
        print(f"  away for {pause:.0f} s longer: slowest client {middle:.3f}, at most {worst:.3f}")
    middle, worst = statistics.median(aborts), max(aborts)
    print(f"{ABORTS} aborts: all have heard a player after {middle:.3f} s, at most {worst:.3f}")
    print(f"median {statistics.median(taken):.3f}, max {max(taken):.3f} (goal {GOAL})")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(made)))
