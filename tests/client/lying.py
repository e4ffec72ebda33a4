"""Malicious hosts: the messages of a real game with changes, and a host that sends them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache

import attrs
import zmq
import zmq.asyncio
from msgspec.structs import replace

from cave import bots, codec
from cave.game import BadData, Json
from client.net import messages
from client.net.session import NetSession
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.running import Running

ATTACK = "\x1b]0;owned\x07\x1b]52;c;aGk=\x1b\\\x1bc\x1b[2J\x9b31m\u202eevil\u2066\u200b\ufeff\x00\x7f\x08\r\n!"
"""Escape sequences and control characters: a title, the clipboard, a reset, colours, text direction."""
Path = tuple[str | int, ...]


@attrs.frozen
class Moment:
    """The messages to the holder of a seat up to a moment of a game, in order."""

    table: str
    seat: int
    told: tuple[Json, ...]


@cache
def moments(game: str = "the-cave") -> tuple[Moment, ...]:
    """Moments of a game between two rookies in all its phases, first those with the seat's turn."""
    desk = Desk()
    desk.service.limits = replace(desk.service.limits, watchers_chat=True)
    name = desk.open("open", "open", game=game, seed="lies", title="Friday")
    for link, who in ((ANN, "Ann"), (BEA, "Bea")):
        desk.ask(link, "sit", table=name, name=who)
    table = desk.service.tables[name]
    found: dict[tuple[str, bool, int], tuple[Moment, Moment]] = {}
    step = 0
    while True:
        phase = desk.view(ANN, 0)["view"]["position"]["turn"]["phase"]
        for seat, link in enumerate((ANN, BEA)):
            key = (phase, bool(table.choices_of_seat(seat)), step // 60)
            if key not in found:
                found[key] = _told(desk, name, link, seat)
        if table.status == "over":
            # The most visible and active come first: in a turn, then with a tile in the hand.
            return tuple(each for key in sorted(found, key=lambda key: (not key[1], *key)) for each in found[key])
        seat = min(table.to_act)
        link, view = (ANN, BEA)[seat], desk.view((ANN, BEA)[seat], seat)
        action = bots.choose(game, "rookie", view["view"], view["choices"], str(step))
        desk.act(link, name, seat, action)
        step += 1


def _told(desk: Desk, table: str, link: bytes, seat: int) -> tuple[Moment, Moment]:
    """Return the messages to a client that joins at that moment, and to one that was there before."""
    desk.ask(link, "say", table=table, text="hello")
    desk.take(desk.service.beat_at_table(table, desk.now))
    last = {message["type"]: message for message in desk.published}
    snapshot, view = desk.ask(EVE, "sync", table=table), desk.view(link, seat)
    before = {**snapshot, "seq": snapshot["seq"] - 1}
    rest = (last["presence"], last["chat"])
    return (
        Moment(table, seat, (snapshot, view, *rest, last["beat"])),
        Moment(table, seat, (before, view, *rest, last["update"], last["beat"])),
    )


class Deaf:
    """A host that answers nothing."""

    address = "liar:7412"

    async def ask(self, kind: str, *, insist: bool = False, **fields: Json) -> dict[str, Json]:
        raise ConnectionError("Nobody answers.")

    def leave(self, session: NetSession) -> None:
        pass


def session_of(moment: Moment) -> NetSession:
    """The session of a client after these messages, each through its own socket."""
    session = NetSession(Deaf(), moment.table)
    session.take(moment.seat, "key")
    for message in moment.told:
        frame = codec.encode(message)
        with contextlib.suppress(BadData):
            session.fold_message(messages.read_object(frame), len(frame))
    return session


def paths(data: Json, at: Path = ()) -> Iterator[Path]:
    """Yield the path of every value in the data and everything in it."""
    yield at
    if isinstance(data, dict):
        for name, value in data.items():
            yield from paths(value, (*at, name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths(value, (*at, index))


def at(data: Json, path: Path) -> Json:
    for step in path:
        data = data[step]
    return data


def put(data: Json, path: Path, value: Json) -> Json:
    if not path:
        return value
    first, *rest = path
    changed = put(data[first], tuple(rest), value)
    if isinstance(data, dict):
        return {**data, first: changed}
    return [changed if index == first else each for index, each in enumerate(data)]


def with_lie(moment: Moment, which: int, path: Path, value: Json) -> Moment:
    """Return the moment with one of its messages changed."""
    told = list(moment.told)
    told[which] = put(told[which], path, value)
    return attrs.evolve(moment, told=tuple(told))


def attacks() -> Iterator[tuple[str, Moment]]:
    """Yield the moments with the attack instead of each text, once for each kind of place."""
    seen = set()
    for moment in moments():
        for which, message in enumerate(moment.told):
            for path in paths(message):
                steps = ("*" if isinstance(step, int) else step for step in (message["type"], *path))
                kind, text = ".".join(steps), at(message, path)
                if isinstance(text, str) and kind not in seen:
                    seen.add(kind)
                    yield kind, with_lie(moment, which, path, text + ATTACK)


Lie = Callable[[Json], Json | bytes]


@contextlib.asynccontextmanager
async def lying(host: Running, lie: Lie, door: Json = None) -> AsyncIterator[str]:
    """Run a proxy that forwards a plain host's messages, and falsifies them; yield its address."""
    context = zmq.asyncio.Context()
    desk, gallery, source = (context.socket(kind) for kind in (zmq.ROUTER, zmq.XPUB, zmq.XSUB))
    ports = [each.bind_to_random_port("tcp://127.0.0.1") for each in (desk, gallery)]
    source.connect(f"tcp://{host.ip}:{host.door['gallery']}")
    behind: dict[bytes, zmq.asyncio.Socket] = {}
    tasks: list[asyncio.Task[None]] = []

    def lied(frame: bytes) -> bytes:
        told = lie(json.loads(frame))
        return told if isinstance(told, bytes) else codec.encode(told)

    async def ask() -> None:
        while True:
            link, frame = await desk.recv_multipart()
            if link not in behind:
                behind[link] = context.socket(zmq.DEALER)
                behind[link].connect(f"tcp://{host.ip}:{host.door['desk']}")
                tasks.append(asyncio.create_task(answer(link)))
            await behind[link].send(frame)

    async def answer(link: bytes) -> None:
        while True:
            await desk.send_multipart([link, lied(await behind[link].recv())])

    async def subscribe() -> None:
        while True:
            await source.send(await gallery.recv())

    async def publish() -> None:
        while True:
            topic, frame = await source.recv_multipart()
            await gallery.send_multipart([topic, lied(frame)])

    line = codec.encode({**lie({**host.door, "desk": ports[0], "gallery": ports[1]}), **(door or {})}) + b"\n"
    server = await asyncio.start_server(lambda _, writer: (writer.write(line), writer.close()), "127.0.0.1", 0)
    tasks += [asyncio.create_task(work()) for work in (ask, subscribe, publish)]
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        context.destroy(linger=0)
