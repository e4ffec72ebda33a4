"""What keeping every change on disk costs, and how long a game takes to come back from there.

Run it with ``python -m tests.bench.durable_bench``; nothing else should run meanwhile. Two clients on
loopback play whole games against a host that keeps nothing and one that keeps everything (SQLite,
``synchronous=FULL``), turn by turn with the bare echo of ``host_bench`` in the same run. The journal
lies in the folder for temporary files, or in the one that is given.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cave import protocol
from server import local
from server.journal.restore import restore
from server.journal.sqlite import SqliteJournal
from tests.bench.host_bench import ECHO, GAMES_A_ROUND, ROOMY, ROUNDS, child, echo, line
from tests.bench.players import play, script

REPLAYS = 7
WATCHERS = 50

WATCH = """
import asyncio, sys, zmq, zmq.asyncio
async def main(gallery, topic, count):
    context = zmq.asyncio.Context()
    async def watch():
        socket = context.socket(zmq.SUB)
        socket.connect(f"tcp://127.0.0.1:{gallery}")
        socket.setsockopt(zmq.SUBSCRIBE, topic.encode())
        while True:
            await socket.recv_multipart()
    watching = [asyncio.ensure_future(watch()) for _ in range(int(count))]
    print("watching", flush=True)
    await asyncio.gather(*watching)
asyncio.run(main(*sys.argv[1:]))
"""
"""Watchers of all tables in a process of their own; that they unpack nothing is no matter of the host's."""


def host(*extra: str, data: Path | None = None) -> list[str]:
    """A host without encryption: what that costs is measured elsewhere."""
    return [*local.command(data=data), *ROOMY, "--no-encryption", *extra]


def replays(folder: Path) -> tuple[int, list[float]]:
    """Actions of the longest finished game of a journal, and seconds to take it up again from disk."""
    journal = SqliteJournal(folder)
    lines = list(journal.lines())
    journal.close()
    names = {each.entry.table for each in lines if each.entry.kind == "ended"}
    games = [[each for each in lines if each.entry.table == name] for name in names]
    longest = max(games, key=len)
    one = folder / "one"
    journal = SqliteJournal(one)
    for each in longest:
        journal.append(each.entry, reply=each.reply)
    journal.close()
    taken = []
    for _ in range(REPLAYS):
        start = time.perf_counter()
        journal = SqliteJournal(one)
        found = restore(journal.lines())
        taken.append(time.perf_counter() - start)
        journal.close()
        assert [table.status for table in found.tables] == ["over"], found.problems
    return sum(each.entry.kind == "acted" for each in longest), taken


async def main(folder: Path) -> None:
    """Measure and print."""
    played = [(f"bench {number}", script(f"bench {number}")) for number in range(GAMES_A_ROUND)]
    found: dict[str, list[list[float]]] = {
        name: [] for name in ("echo", "memory", "durable", "both", "watched")
    }
    hosts: tuple[tuple[str, list[str]], ...] = (("memory", host()), ("durable", host(data=folder)))
    async with (
        child(*hosts[0][1]) as first,
        child(*hosts[1][1]) as second,
        child(sys.executable, "-c", ECHO) as port,
    ):
        doors: dict[str, Any] = {"memory": json.loads(first), "durable": json.loads(second)}
        for _ in range(ROUNDS):
            found["echo"].append(await echo(int(port), 1000))
            for name, door in doors.items():
                found[name].append([taken for each in played for taken in play(door, each)])
            found["both"].append(play(doors["durable"], *played))
        gallery = str(doors["durable"]["gallery"])
        async with child(sys.executable, "-c", WATCH, gallery, protocol.topic(""), str(WATCHERS)):
            for _ in range(ROUNDS):
                found["watched"].append([taken for each in played for taken in play(doors["durable"], each)])
    count = sum(len(actions) for _, actions in played)
    print(f"{ROUNDS} rounds of {len(played)} whole games, {count} actions; medians of the rounds")
    print(f"{'':<44}{'p50 ms':>9}{'p99 ms':>9}{'per second':>11}")
    print(line("bare asyncio echo, round trip", found["echo"]))
    print(line("action to update seen by both, kept nowhere", found["memory"]))
    print(line("the same, each action on disk first", found["durable"]))
    print(line("the same, two games at once", found["both"], rate_only=True))
    print(line(f"the same with {WATCHERS} watchers", found["watched"]))
    middle = {name: statistics.median(map(statistics.median, rounds)) for name, rounds in found.items()}
    to_echo, to_memory = (middle["durable"] / middle[name] for name in ("echo", "memory"))
    print(f"durable to echo {to_echo:.1f}, to memory {to_memory:.2f}")
    actions, taken = replays(folder)
    print(f"a finished game of {actions} actions from disk to its end: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None) as made:
        asyncio.run(main(Path(made)))
