"""How quick the host is: two clients on loopback, from an action to the update seen by both.

Run it with ``python -m tests.bench.host_bench``; nothing else should run meanwhile. The host is a
process of its own, both clients share this one; one host encrypts, another does not. Beside it, in the
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

from cave import bots, codec, games
from client.connection import NetSession, connect
from server import local

ROUNDS = 5
GAMES_A_ROUND = 2
SETTLED = 0.1
"""Share of each game's actions left out at its beginning."""

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


def script(seed: str) -> list[tuple[int, Any]]:
    """A whole game of two sensible players, as its actions."""
    game = games.get("the-cave")
    state = game.new(["Ann", "Bea"], {}, seed)
    actions = []
    while seats := sorted(game.to_act(state)):
        view = game.view_json(game.view(state, seats[0]))
        choices = [game.choice_json(choice) for choice in game.choices(state, seats[0])]
        action = bots.choose(game.name, "rookie", view, choices, str(len(actions)))
        actions.append((seats[0], action))
        state = game.apply(state, seats[0], game.decode(state, seats[0], action)).state
    return actions


class Wire:
    """A client of a few lines: a desk, a gallery, and JSON read from both."""

    def __init__(self, context: zmq.asyncio.Context, door: dict[str, Any]) -> None:
        self.desk = context.socket(zmq.DEALER)
        self.gallery = context.socket(zmq.SUB)
        if door["encrypted"]:
            public, secret = zmq.curve_keypair()
            for socket in (self.desk, self.gallery):
                socket.curve_publickey, socket.curve_secretkey = public, secret
                socket.curve_serverkey = door["public_key"].encode()
        self.desk.connect(f"tcp://127.0.0.1:{door['desk']}")
        self.gallery.connect(f"tcp://127.0.0.1:{door['gallery']}")
        self.count = 0

    def send(self, kind: str, **fields: Any) -> None:
        self.count += 1
        self.desk.send(codec.encode({"type": kind, "id": str(self.count), **fields}), zmq.DONTWAIT)

    async def reply(self) -> Any:
        """The reply to the latest request; views are read on the way."""
        while True:
            message = codec.decode(await self.desk.recv())
            if message.get("re") == str(self.count):
                assert message["type"] != "error", message
                return message

    async def ask(self, kind: str, **fields: Any) -> Any:
        self.send(kind, **fields)
        return await self.reply()

    async def saw(self, seq: int) -> None:
        while True:
            _, frame = await self.gallery.recv_multipart()
            message = codec.decode(frame)
            if message["type"] == "update" and message["seq"] >= seq:
                return

    def close(self) -> None:
        self.desk.close(0)
        self.gallery.close(0)


async def wire_game(door: dict[str, Any], seed: str, actions: list[tuple[int, Any]]) -> list[float]:
    """Seconds from each action to the update seen by both, with clients that only read JSON."""
    context = zmq.asyncio.Context.instance()
    clients = (Wire(context, door), Wire(context, door))
    opened = await clients[0].ask(
        "open", game="the-cave", seats=[{"kind": "open"}, {"kind": "open"}], seed=seed
    )
    table = opened["table"]
    for client, name in zip(clients, ("Ann", "Bea"), strict=True):
        client.gallery.subscribe(f"table.{table}".encode())
        await client.gallery.recv_multipart()
        await client.ask("sit", table=table, name=name)
    taken = []
    for seq, (seat, action) in enumerate(actions, start=1):
        start = time.perf_counter()
        clients[seat].send("act", table=table, seat=seat, seq=seq, action=action)
        await asyncio.gather(clients[seat].reply(), *(client.saw(seq + 1) for client in clients))
        taken.append(time.perf_counter() - start)
    for client in clients:
        client.close()
    return taken[int(SETTLED * len(taken)) :]


async def full_game(address: str, seed: str, actions: list[tuple[int, Any]]) -> list[float]:
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
            asyncio.ensure_future(session.when(lambda state, seq=seq: state.seq > seq))
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


def line(name: str, rounds: list[list[float]]) -> str:
    """A line of the table: the medians over the rounds."""

    def middle(measure: Any) -> float:
        return statistics.median(measure(each) for each in rounds)

    p50 = middle(statistics.median) * 1000
    p99 = middle(lambda each: statistics.quantiles(each, n=100)[98]) * 1000
    rate = middle(lambda each: len(each) / sum(each))
    return f"{name:<44}{p50:>9.2f}{p99:>9.2f}{rate:>11.0f}"


async def main() -> None:
    """Measure and print."""
    games_played = [(f"bench {number}", script(f"bench {number}")) for number in range(GAMES_A_ROUND)]
    found: dict[str, list[list[float]]] = {"echo": [], "plain": [], "wire": [], "full": []}
    async with (
        child(*local.command()) as told,
        child(*local.command(), "--no-encryption") as told_plainly,
        child(sys.executable, "-c", ECHO) as port,
    ):
        door, plain_door = json.loads(told), json.loads(told_plainly)
        for _ in range(ROUNDS):
            found["echo"].append(await echo(int(port), 1000))
            plain: list[float] = []
            wire: list[float] = []
            full: list[float] = []
            for seed, actions in games_played:
                plain += await wire_game(plain_door, seed, actions)
                wire += await wire_game(door, seed, actions)
                full += await full_game(f"127.0.0.1:{door['port']}", seed, actions)
            found["plain"].append(plain)
            found["wire"].append(wire)
            found["full"].append(full)
    count = sum(len(actions) for _, actions in games_played)
    print(f"{ROUNDS} rounds of {len(games_played)} whole games, {count} actions; medians of the rounds")
    print(f"{'':<44}{'p50 ms':>9}{'p99 ms':>9}{'per second':>11}")
    print(line("bare asyncio echo, round trip", found["echo"]))
    print(line("action to update seen by both, unencrypted", found["plain"]))
    print(line("action to update seen by both, CURVE", found["wire"]))
    print(line("action to state in both clients' screens", found["full"]))


if __name__ == "__main__":
    asyncio.run(main())
