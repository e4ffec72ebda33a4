"""Games whose host is killed with SIGKILL repeatedly: is any action lost or done twice?

Run it with ``python -m tests.bench kills [--count 500]``. Two people and a bot play over the net, each action
counted as soon as the host acknowledges it. After a few of them, at a random moment, the host is killed and
restarted on the same ports; with ``--inside`` only its process with the sockets, which its supervisor
restarts. At the end the record must have exactly the acknowledged actions.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import signal
import sys
import tempfile
from pathlib import Path
from random import Random

import attrs

from cave import record
from client.net.connection import NetSession, connect
from tests.bench.reconnect_bench import host, quiet_port
from tests.processes import children
from tests.server.players import plays

SEATS = [*[{"kind": "open"}] * 2, {"kind": "bot", "level": "rookie"}]
NAMES = ("Ann", "Bea")
MOST_BETWEEN = 6
"""Acknowledged actions between two kills, at most."""
YIELDS = 200
"""Turns of the event loop after that, at most: the kill hits any step of the next action."""


@attrs.define
class Seen:
    """Totals over all games."""

    kills: int = 0
    acknowledged: int = 0
    wrong: int = 0


async def game(folder: Path, seed: int, count: int, seen: Seen, *, inside: bool) -> None:
    """Run a game until it is over or ``count`` kills of the host; then finish it without kills."""
    rng, port, acknowledged = Random(seed), quiet_port(), list[int]()
    async with host(folder, port):
        clients = [await connect(f"127.0.0.1:{port}") for _ in NAMES]
        table = await clients[0].open("the-cave", SEATS, seed=f"kills {seed}")
        sessions = [await each.sit(table, name) for each, name in zip(clients, NAMES, strict=True)]
        playing = asyncio.gather(*(plays(session, seat, acknowledged) for seat, session in enumerate(sessions)))
        await _a_while(rng, sessions[0], acknowledged)
    while not inside and not playing.done() and seen.kills < count:
        seen.kills += 1
        async with host(folder, port):
            await _a_while(rng, sessions[0], acknowledged)
    async with host(folder, port) as supervisor:
        while inside and not playing.done() and seen.kills < count:
            # None if the supervisor is about to start it.
            for process in children(supervisor):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    seen.kills += 1
            await _a_while(rng, sessions[0], acknowledged)
        await playing
        states = [await session.wait_for_state(lambda state: state.link == "live") for session in sessions]
        lines = await sessions[0].record()
        for each in clients:
            await each.close()
    kept = [line["seat"] for line in lines[1:-1] if line["seat"] in range(len(NAMES))]
    replayed = record.check_record(record.write(lines).splitlines(keepends=True)).matches is True
    same = states[0].view == states[1].view
    seen.acknowledged += len(acknowledged)
    seen.wrong += sorted(kept) != sorted(acknowledged) or not replayed or not same


async def _a_while(rng: Random, session: NetSession, acknowledged: list[int]) -> None:
    """Let the people play a few more actions, up to a random moment of the next one."""
    at = len(acknowledged) + rng.randrange(1, MOST_BETWEEN)
    await session.wait_for_state(lambda state: len(acknowledged) >= at or state.status == "over")
    for _ in range(rng.randrange(YIELDS)):
        await asyncio.sleep(0)


async def main(count: int, *, inside: bool) -> bool:
    """Play games until this number of kills; return whether nothing was lost or done twice."""
    seen = Seen()
    for seed in itertools.count():
        with tempfile.TemporaryDirectory() as folder:
            await game(Path(folder), seed, count, seen, inside=inside)
        print(f"games {seed + 1}  {seen}", flush=True)
        if seen.kills >= count:
            return not seen.wrong
    raise AssertionError


if __name__ == "__main__":
    parser = argparse.ArgumentParser("kills")
    parser.add_argument("--count", type=int, default=500, help="how often the host is killed")
    parser.add_argument("--inside", action="store_true", help="kill the process with the sockets only")
    given = parser.parse_args()
    sys.exit(not asyncio.run(main(given.count, inside=given.inside)))
