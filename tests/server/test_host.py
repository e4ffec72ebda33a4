"""A real host process over real sockets (PROTOCOL.md). Waits for events, never for time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.asyncio

from cave import keys, wire
from server import local_command
from server.ports import HostError, Ports, listening_address
from tests import forked, processes
from tests.bench.reconnect_bench import quiet_port
from tests.server.raw import Raw, pair
from tests.server.running import Running, running


class Client:
    """A client of the desk that listens to the gallery, too."""

    def __init__(self, host: Running, kind: int = zmq.DEALER) -> None:
        self._desk, self._gallery = (Raw(host, pair(), kind=kind), Raw(host, pair(), kind=zmq.SUB, port="gallery"))
        self.ask, self.desk, self.gallery = self._desk.ask, self._desk.desk, self._gallery.desk

    async def heard(self, *types: str) -> Any:
        """The next message of these types from the gallery."""
        while True:
            topic, frame = await self.gallery.recv_multipart()
            message = json.loads(frame)
            assert topic == wire.gallery_topic(message["table"]).encode()
            if message["type"] in types:
                return message

    def close(self) -> None:
        self._desk.close()
        self._gallery.close()


@pytest.fixture
async def client(host: Running):
    made = Client(host)
    yield made
    made.close()


async def test_the_door_sends_the_hosts_facts_and_closes(host: Running):
    reader, writer = await asyncio.open_connection("127.0.0.1", host.door["port"])
    told = await reader.read()
    writer.close()
    assert told.endswith(b"\n")
    door = json.loads(told)
    assert door == host.door
    assert door["type"] == "host"
    assert door["protocol"] == [1, 1]
    assert door["encrypted"] is True
    assert door["fingerprint"] == keys.fingerprint(door["public_key"])
    assert len({door["port"], door["desk"], door["gallery"]}) == 3


async def test_the_three_ports_follow_each_other():
    async with running() as first:
        port = first.door["port"]
    # The ports that one host had and let go are free for the next.
    async with running("--port", str(port)) as second:
        assert [second.door[name] for name in ("port", "desk", "gallery")] == [port, port + 1, port + 2]


async def test_a_new_subscriber_is_greeted_by_a_beat(client: Client):
    opened = await client.ask("open", game="the-cave", seats=[{"kind": "open"}] * 2)
    client.gallery.subscribe(wire.gallery_topic(opened["table"]).encode())
    beat = await client.heard("beat", "update", "presence")
    assert beat == {
        "type": "beat", "table": opened["table"], "seq": 0, "digest": wire.view_digest(None),
    }  # fmt: skip


async def test_a_plain_req_socket_is_served(host: Running):
    asking = Client(host, zmq.REQ)
    assert (await asking.ask("ping"))["type"] == "pong"
    asking.close()


async def test_a_subscriber_cannot_send_to_the_gallery(client: Client, host: Running):
    talker = Raw(host, pair(), kind=zmq.XSUB, port="gallery")
    for frame in (b"\x01", b"\x01table.\xff", b"\x01table.nowhere", b"\x05hello", b""):
        await talker.desk.send(frame)
    await talker.desk.send_multipart([b"\x01table.", b"more"])
    assert (await client.ask("ping"))["type"] == "pong"
    talker.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_stopped_host_announces_it(client: Client, host: Running, number: signal.Signals):
    opened = await client.ask("open", game="the-cave", seats=[{"kind": "open"}] * 2)
    client.gallery.subscribe(wire.gallery_topic(opened["table"]).encode())
    await client.heard("beat")
    host.process.send_signal(number)
    assert (await client.heard("closing"))["table"] == opened["table"]
    assert json.loads(await client.desk.recv()) == {"type": "closing"}
    assert await host.process.wait() == 0
    assert await host.process.stderr.read() == b""


async def test_a_local_host_ends_with_its_parent_process(host: Running):
    assert await host.stop() == 0


async def playing_bots(client: Client, host: Running) -> list[int]:
    """Return the processes of two bots, once they have begun to play."""
    client.gallery.subscribe(b"")
    opened = await client.ask("open", game="the-cave", seats=[{"kind": "bot", "level": "rookie"}] * 2)
    await client.ask("watch", table=opened["table"])
    while (await client.heard("update"))["seq"] < 2:
        pass
    return processes.children(host.pid)


async def test_bots_end_with_their_host_even_when_it_is_killed(client: Client, host: Running):
    bots = await playing_bots(client, host)
    host.process.kill()
    for process in bots:
        await processes.until_gone(process)


async def test_bots_do_not_inherit_their_hosts_streams(client: Client, host: Running):
    """The parent process sees the end of its output when the host ends, not when its bots do."""
    bots = await playing_bots(client, host)
    streams = {processes.open_files(host.pid)[number] for number in (0, 1, 2)}
    assert len(streams) == 3
    assert bots
    for process in bots:
        assert not streams & {*processes.open_files(process).values()}


async def test_a_game_continues_when_the_processes_of_its_bots_die(client: Client, host: Running):
    bots = await playing_bots(client, host)
    for process in bots:
        os.kill(process, signal.SIGKILL)
    while {*processes.children(host.pid)} <= {*bots}:
        await client.heard("update")
    before = (await client.heard("update"))["seq"]
    while (await client.heard("update"))["seq"] < before + 3:
        pass


async def refused(*extra: str) -> str:
    """Return the message of a host that cannot run."""
    pipe = asyncio.subprocess.PIPE
    argv = [*local_command(), *extra]
    nothing = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *argv, stdin=nothing, stdout=pipe, stderr=pipe, preexec_fn=forked.host(argv[2:])
    )
    out, err = await process.communicate()
    assert out == b""
    assert process.returncode == 2
    said = err.decode()
    assert said.count("\n") == 1
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("taken", [0, 1, 2])
async def test_a_taken_port_frees_those_before_it(monkeypatch: pytest.MonkeyPatch, taken: int):
    rows = [20_000 + 3 * row for row in range(4000)]
    ports = Ports("127.0.0.1", pair=None, forced=False)
    context = zmq.asyncio.Context()
    desk, gallery = ports.make_desk(context), ports.make_gallery(context)
    first = quiet_port()
    with socket.create_server(("127.0.0.1", first + taken)):
        monkeypatch.setattr("server.ports.random.sample", lambda *_: [first, *rows])
        door, *numbers = ports.bind(0, desk, gallery)
        assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
        assert numbers[0] in rows
        for port in {first, first + 1, first + 2} - {first + taken}:
            await until_free(port)
    door.close()
    context.destroy(linger=0)


async def until_free(port: int) -> None:
    """Wait for libzmq, which releases a port in its own thread."""
    while True:
        with contextlib.suppress(OSError):
            return socket.create_server(("127.0.0.1", port)).close()
        await asyncio.sleep(0)


@pytest.mark.parametrize("name", ["port", "desk", "gallery"])
async def test_a_taken_port_is_reported_in_one_sentence(host: Running, name: str):
    port = host.door[name]
    assert f"Port {port} is taken" in await refused("--port", str(port))


async def test_an_invalid_port_is_reported_in_one_sentence():
    assert "Port 70000" in await refused("--port", "70000")


async def test_an_impossible_folder_is_reported_in_one_sentence(tmp_path: Path):
    file = tmp_path / "file"
    file.touch()
    assert "records" in await refused("--records", str(file))


async def test_without_encryption_only_this_machine_is_served():
    assert "127.0.0.1" in await refused("--no-encryption", "--bind", "0.0.0.0")


def test_an_old_library_is_not_trusted(monkeypatch: pytest.MonkeyPatch):
    """libzmq 4.3.2 or newer: earlier ones have CVE-2019-13132."""
    for version, safe in (((4, 3, 1), False), ((4, 3, 2), True), ((5, 0, 0), True)):
        monkeypatch.setattr(zmq, "zmq_version_info", lambda version=version: version)
        with contextlib.nullcontext() if safe else pytest.raises(HostError, match="not safe"):
            Ports("127.0.0.1", pair=None, forced=False)


async def test_invitations_need_encryption():
    assert "need encryption" in await refused("--no-encryption", "--invited-only")


async def test_a_host_for_its_parent_alone_needs_the_parents_key():
    assert "needs a client's key" in await refused("--only-parent")


@pytest.mark.parametrize("bind", ["0.0.0.0", "192.168.1.2", "::", "*"])
def test_addresses_that_others_reach_are_refused_without_encryption(bind: str):
    with pytest.raises(HostError, match="Without encryption"):
        listening_address(bind, open_to_all=False)
    assert listening_address(bind, open_to_all=True) in (bind, "0.0.0.0", "::")


@pytest.mark.parametrize("bind", ["", "example.org", "127.0.0", "1.2.3.4:5"])
def test_an_invalid_address_is_refused(bind: str):
    with pytest.raises(HostError, match="not an address"):
        listening_address(bind, open_to_all=True)


def test_starting_a_host_loads_no_module_for_it():
    tell = "import sys, server; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", tell], capture_output=True, check=True, text=True)
    assert not {"client", "textual", "rich", "zmq", "asyncio", "cave"} & set(done.stdout.split())


def test_this_machine_has_several_names():
    for bind, address in (("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")):
        assert listening_address(bind, open_to_all=False) == address
