"""The host's latency: two clients on loopback, from an action to the update received by both.

Run it with ``python -m tests.bench.host_bench [FOLDER]``; nothing else should run meanwhile. The host is a
separate process, both clients share this one (see ``players``). It saves nothing, or everything (SQLite,
``synchronous=FULL``) in the given folder or one for temporary files. The reference, run alternately, is the
minimal host (``bare_host``). "Two games at once": the rate of actions for two clients at two tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from cave import wire
from client.net.connection import NetSession, connect
from server import local_command
from server.journal.restore import restore_all
from server.journal.sqlite import SqliteJournal
from tests.bench.players import SETTLED, Script, play, script

ROOMY = ("--limit", "seats-address=100000", "--limit", "tables-address=100000")
"""For a host whose players all come from one address, and keep their seats."""
ROUNDS = 5
GAMES_A_ROUND = 2
LIMITS = {"on disk": 1.8, "kept nowhere": 2.3, "watched": 1.4}
"""How many times slower than the bare host ours may be."""
REPLAYS = 7
WATCHERS = 50

WATCH = """
import asyncio, json, sys, zmq, zmq.asyncio
async def main(door, topic, count):
    door, context = json.loads(door), zmq.asyncio.Context()
    async def watch():
        socket = context.socket(zmq.SUB)
        socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
        socket.curve_serverkey = door["public_key"].encode()
        socket.connect(f"tcp://127.0.0.1:{door['gallery']}")
        socket.setsockopt(zmq.SUBSCRIBE, topic.encode())
        while True:
            await socket.recv_multipart()
    watching = [asyncio.ensure_future(watch()) for _ in range(int(count))]
    print("watching", flush=True)
    await asyncio.gather(*watching)
asyncio.run(main(*sys.argv[1:]))
"""
"""Watchers of all tables in a process of their own; that they unpack nothing is no matter of the host's."""


@contextlib.asynccontextmanager
async def child(*argv: str) -> AsyncIterator[bytes]:
    """Start a process; yield its first line and end it afterwards."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    try:
        yield await process.stdout.readline()
    finally:
        process.terminate()
        await process.wait()


async def full_game(address: str, seed: str, actions: Script) -> list[float]:
    """The same with the game's own clients: until both have decoded the state."""
    connections = [await connect(address), await connect(address)]
    table = await connections[0].open("the-cave", [{"kind": "open"}, {"kind": "open"}], seed=seed)
    sessions: list[NetSession] = [
        await connection.sit(table, name) for connection, name in zip(connections, ("Ann", "Bea"), strict=True)
    ]
    await sessions[0].wait_for_state(lambda state: state.status == "playing")
    taken = []
    for seq, (seat, action) in enumerate(actions, start=1):
        start = time.perf_counter()
        both = [
            asyncio.ensure_future(
                session.wait_for_state(lambda state, seq=seq: state.seq > seq and state.is_of_one_moment)
            )
            for session in sessions
        ]
        await sessions[seat].act(seat, action)
        await asyncio.gather(*both)
        taken.append(time.perf_counter() - start)
    for connection in connections:
        await connection.close()
    return taken[int(SETTLED * len(taken)) :]


def replays(folder: Path) -> tuple[int, list[float]]:
    """Return the actions of the longest finished game of a journal, and the seconds to restore it."""
    journal = SqliteJournal(folder)
    lines = list(journal.read_lines())
    journal.close()
    names = {each.entry.table for each in lines if each.entry.kind == "ended"}
    games = [[each for each in lines if each.entry.table == name] for name in names]
    longest = max(games, key=len)
    one = folder / "one"
    journal = SqliteJournal(one)
    for each in longest:
        journal.append_entries(each.entry, reply=each.reply)
    journal.close()
    taken = []
    for _ in range(REPLAYS):
        start = time.perf_counter()
        journal = SqliteJournal(one)
        found = restore_all(journal.read_lines())
        taken.append(time.perf_counter() - start)
        journal.close()
        assert [table.status for table in found.tables] == ["over"], found.problems
    return sum(each.entry.kind == "acted" for each in longest), taken


def line(name: str, rounds: list[list[float]], *, rate_only: bool = False) -> str:
    """Return a line of the table: the medians over the rounds."""

    def middle(measure: Any) -> float:
        return statistics.median(measure(each) for each in rounds)

    p50 = middle(statistics.median) * 1000
    p99 = middle(lambda each: statistics.quantiles(each, n=100)[98]) * 1000
    rate = middle(lambda each: len(each) / sum(each))
    times = " " * 18 if rate_only else f"{p50:>9.2f}{p99:>9.2f}"
    return f"{name:<44}{times}{rate:>11.0f}"


async def main(folder: Path) -> None:
    played = [(f"bench {number}", script(f"bench {number}")) for number in range(GAMES_A_ROUND)]
    found: dict[str, list[list[float]]] = defaultdict(list)
    bare = (sys.executable, "-m", "tests.bench.bare_host")
    (folder / "bare").mkdir()
    hosts = {
        "bare, kept nowhere": bare,
        "kept nowhere": (*local_command(), *ROOMY),
        "bare, on disk": (*bare, str(folder / "bare")),
        "on disk": (*local_command(data=folder), *ROOMY),
        "unencrypted": (*local_command(), *ROOMY, "--no-encryption"),
    }
    async with contextlib.AsyncExitStack() as stack:
        doors = {name: json.loads(await stack.enter_async_context(child(*argv))) for name, argv in hosts.items()}
        for _ in range(ROUNDS):
            for name, door in doors.items():
                found[name].append([taken for each in played for taken in play(door, each)])
            found["two games at once"].append(play(doors["on disk"], *played))
            address = f"127.0.0.1:{doors['kept nowhere']['port']}"
            found["to both screens"].append([taken for each in played for taken in await full_game(address, *each)])
        for name in ("bare, on disk", "on disk"):
            door = json.dumps(doors[name])
            async with child(sys.executable, "-c", WATCH, door, wire.gallery_topic(""), str(WATCHERS)):
                for _ in range(ROUNDS):
                    taken = [taken for each in played for taken in play(doors[name], each)]
                    found[name.replace("on disk", "watched")].append(taken)
    count = sum(len(actions) for _, actions in played)
    print(f"{ROUNDS} rounds of {len(played)} whole games, {count} actions; medians of the rounds")
    print(f"{'':<44}{'p50 ms':>9}{'p99 ms':>9}{'per second':>11}")
    for name, rounds in found.items():
        print(line(name, rounds, rate_only=name == "two games at once"))
    rate = {name: statistics.median(len(each) / sum(each) for each in found[name]) for name in found}
    ratios = ", ".join(f"{name} {rate[f'bare, {name}'] / rate[name]:.2f}" for name in LIMITS)
    print(f"times slower than bare: {ratios} (at most {', '.join(map(str, LIMITS.values()))})")
    actions, taken = replays(folder)
    print(f"a finished game of {actions} actions from disk to its end: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None) as made:
        asyncio.run(main(Path(made)))
