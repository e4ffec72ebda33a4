"""A host's door message: read once, and never trusted."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from cave import wire
from client.net import messages
from client.net.known_hosts import Address
from client.net.messages import LONGEST_LINE, Door, NobodyThere, read_door
from tests.client.test_cli import PATIENCE

TOLD = {"type": "host", "protocol": [1, 1], "name": "Ann's", "desk": 1, "gallery": 2, "encrypted": False}
KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"


@contextlib.asynccontextmanager
async def telling(told: bytes, left: asyncio.Event | None = None) -> AsyncIterator[Address]:
    """A door that sends this and stays open until the client disconnects, which sets ``left``."""

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(told)
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()
        if left is not None:
            left.set()

    server = await asyncio.start_server(tell, "127.0.0.1", 0)
    yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()


async def read(**change: Any) -> Door:
    """Return the parsed message of such a door."""
    async with telling(json.dumps({**TOLD, **change}).encode() + b"\n") as address:
        return await read_door(address)


async def test_a_door_lists_the_host_and_its_ports() -> None:
    assert await read() == Door("Ann's", "127.0.0.1", 1, 2)
    assert await read(more="of a later version") == Door("Ann's", "127.0.0.1", 1, 2)


@pytest.mark.parametrize(
    ("encrypted", "told", "key"), [(True, KEY, KEY), (True, "", "?"), (False, KEY, ""), (False, "", "")]
)
async def test_the_key_is_that_of_a_host_that_encrypts(encrypted: bool, told: str, key: str) -> None:
    """Clients need its key, and "?" is not a key."""
    assert (await read(encrypted=encrypted, public_key=told)).key == key


async def test_a_name_is_short_and_has_no_control_characters() -> None:
    assert (await read(name="The\x1b[2J cave")).name == wire.clean_text("The\x1b[2J cave")
    assert (await read(name="x" * 500)).name == "x" * wire.MAX_TITLE


@pytest.mark.parametrize(
    ("versions", "speaks"),
    [
        ([wire.VERSION, wire.VERSION], True),
        ([0, wire.VERSION], True),
        ([wire.VERSION, 9], True),
        ([wire.VERSION + 1, 9], False),
        ([0, wire.VERSION - 1], False),
    ],
)
async def test_a_host_of_another_version_is_recognized(versions: list[int], speaks: bool) -> None:
    if speaks:
        assert (await read(protocol=versions)).desk == 1
    else:
        with pytest.raises(ConnectionError, match="speaks another version of the protocol"):
            await read(protocol=versions)


async def test_a_long_line_is_read_and_a_too_long_one_refused() -> None:
    assert (await read(more="x" * (LONGEST_LINE - 1000))).desk == 1
    with pytest.raises(ConnectionError, match="is not a host of cave games"):
        await read(more="x" * LONGEST_LINE)


async def test_a_reader_disconnects_after_reading() -> None:
    left = asyncio.Event()
    async with telling(json.dumps(TOLD).encode() + b"\n", left) as address:
        await read_door(address)
        async with asyncio.timeout(PATIENCE):
            await left.wait()


@pytest.mark.parametrize("host", ["a..b", "x" * 64])
async def test_an_invalid_host_name_has_no_door(host: str) -> None:
    with pytest.raises(NobodyThere, match="No host answers at"):
        await read_door(Address(host, 7412))


async def test_a_reset_connection_has_no_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(json.dumps(TOLD).encode() + b"\n")
    closed: list[bool] = []
    writer = SimpleNamespace(get_extra_info=lambda _: None, close=lambda: closed.append(True))

    async def opened(*_: Any, **__: Any) -> Any:
        return reader, writer

    monkeypatch.setattr(asyncio, "open_connection", opened)
    with pytest.raises(NobodyThere):
        await read_door(Address("127.0.0.1", 7412))
    assert closed == [True]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (("10.0.0.7", 7412), "10.0.0.7"),
        (("::1", 7412, 0, 0), "::1"),
        (("fe80::1", 7412, 0, 3), "fe80::1%3"),
        (("fe80::1%eth0", 7412, 0, 3), "fe80::1%eth0"),
    ],
)
def test_a_link_local_address_is_shown_with_its_link(told: Any, expected: str) -> None:
    assert messages.numeric_address(*told) == expected
