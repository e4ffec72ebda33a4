"""How quick the host is: two clients on loopback, from an action to the update seen by both.

Run it with ``python -m tests.bench.host_bench``; nothing else should run meanwhile. The host is a
process of its own, both clients share this one (see ``players``); one host encrypts, another does not.
"Two games at once": how many actions a host does for two clients that sit at two tables. Beside it, in the
same run and turn by turn, a bare asyncio ROUTER/DEALER echo of 300 bytes: the floor of this machine today.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import zmq
import zmq.asyncio

from client.net.connection import NetSession, connect
from server import local
from tests.bench.players import SETTLED, Script, play, script

ROOMY = ("--limit", "seats-address=100000", "--limit", "tables-address=100000")
"""For a host where all who play come from one address, and hold their seats for good."""
ROUNDS = 5
GAMES_A_ROUND = 2
ECHO = """
import asyncio, zmq, zmq.asyncio
async def main():
    socket = zmq.asyncio.Context().socket(zmq.ROUTER)
    print(socket.bind_to_random_port("tcp://127.0.0.1"), flush=True)
    while True:
        await socket.send_multipart(await socket.recv_multipart())
asyncio.run(main())
"""


@contextlib.asynccontextmanager
async def child(*argv: str) -> AsyncIterator[bytes]:
    """A process; gives its first line and ends it afterwards."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    try:
        yield await process.stdout.readline()
    finally:
        process.terminate()
        await process.wait()


async def full_game(address: str, seed: str, actions: Script) -> list[float]:
    """The same with the game's own clients: to the state, as values, in the hands of both screens."""
    connections = [await connect(address), await connect(address)]
    table = await connections[0].open("the-cave", [{"kind": "open"}, {"kind": "open"}], seed=seed)
    sessions: list[NetSession] = [
        await connection.sit(table, name)
        for connection, name in zip(connections, ("Ann", "Bea"), strict=True)
    ]
    await sessions[0].when(lambda state: state.status == "playing")
    taken = []
    for seq, (seat, action) in enumerate(actions, start=1):
        start = time.perf_counter()
        both = [
            asyncio.ensure_future(session.when(lambda state, seq=seq: state.seq > seq and state.whole))
            for session in sessions
        ]
        await sessions[seat].act(seat, action)
        await asyncio.gather(*both)
        taken.append(time.perf_counter() - start)
    for connection in connections:
        await connection.close()
    return taken[int(SETTLED * len(taken)) :]


async def echo(port: int, count: int) -> list[float]:
    """Seconds of each round trip of the bare echo."""
    socket = zmq.asyncio.Context.instance().socket(zmq.DEALER)
    socket.connect(f"tcp://127.0.0.1:{port}")
    taken = []
    for _ in range(count):
        start = time.perf_counter()
        await socket.send(b"x" * 300)
        await socket.recv()
        taken.append(time.perf_counter() - start)
    socket.close(0)
    return taken[int(SETTLED * count) :]


def line(name: str, rounds: list[list[float]], *, rate_only: bool = False) -> str:
    """A line of the table: the medians over the rounds."""

    def middle(measure: Any) -> float:
        return statistics.median(measure(each) for each in rounds)

    p50 = middle(statistics.median) * 1000
    p99 = middle(lambda each: statistics.quantiles(each, n=100)[98]) * 1000
    rate = middle(lambda each: len(each) / sum(each))
    times = " " * 18 if rate_only else f"{p50:>9.2f}{p99:>9.2f}"
    return f"{name:<44}{times}{rate:>11.0f}"


async def main() -> None:
    """Measure and print."""
    games_played = [(f"bench {number}", script(f"bench {number}")) for number in range(GAMES_A_ROUND)]
    found: dict[str, list[list[float]]] = {"echo": [], "plain": [], "wire": [], "both": [], "full": []}
    async with (
        child(*local.command(), *ROOMY) as told,
        child(*local.command(), *ROOMY, "--no-encryption") as told_plainly,
        child(sys.executable, "-c", ECHO) as port,
    ):
        door, plain_door = json.loads(told), json.loads(told_plainly)
        for _ in range(ROUNDS):
            found["echo"].append(await echo(int(port), 1000))
            plain: list[float] = []
            wire: list[float] = []
            full: list[float] = []
            for seed, actions in games_played:
                plain += play(plain_door, (seed, actions))
                wire += play(door, (seed, actions))
                full += await full_game(f"127.0.0.1:{door['port']}", seed, actions)
            found["both"].append(play(door, *games_played))
            found["plain"].append(plain)
            found["wire"].append(wire)
            found["full"].append(full)
    count = sum(len(actions) for _, actions in games_played)
    print(f"{ROUNDS} rounds of {len(games_played)} whole games, {count} actions; medians of the rounds")
    print(f"{'':<44}{'p50 ms':>9}{'p99 ms':>9}{'per second':>11}")
    print(line("bare asyncio echo, round trip", found["echo"]))
    print(line("action to update seen by both, unencrypted", found["plain"]))
    print(line("action to update seen by both, CURVE", found["wire"]))
    print(line("the same, two games at once", found["both"], rate_only=True))
    print(line("action to state in both clients' screens", found["full"]))


if __name__ == "__main__":
    asyncio.run(main())
