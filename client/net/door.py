"""A host's door: plain TCP, one line that tells who is there and which way in."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from cave import codec, protocol, wire
from cave.game import BadData
from client.net import incoming
from client.net.address import Address
from client.program import typed

PATIENCE = 3.0
"""Seconds to wait for a host that does not answer."""
UNCLEAR = "The host at {address} answered in a way this version does not understand."
LONGEST = 64 * 1024
"""Bytes of the longest line that a door may tell."""


class NobodyThere(ConnectionError):
    """No host answers at the address; one sentence."""


class Door(Struct, frozen=True):
    """What a door tells: the host's name, the number it was reached at, its two ports, and its key in
    Z85, empty where it does not encrypt.
    """

    name: str
    ip: str
    desk: int
    gallery: int
    key: str = ""


async def read_door(address: Address) -> Door:
    """Return the facts a host tells at its door; raises ConnectionError with one sentence."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=LONGEST)
            try:
                peer = writer.get_extra_info("peername")
                if peer is None:
                    # The connection was reset before its other end could be asked for.
                    raise ConnectionResetError
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, UnicodeError):
        raise NobodyThere(
            f"No host answers at {address}. Check the address, or start a host with: {typed('host')}"
        ) from None
    except ValueError:
        line = b""
    told = _read(address, line)
    key = told.public_key or "?" if told.encrypted else ""
    name = wire.clean_text(told.name)[: wire.MAX_TITLE]
    return Door(name, _numeric(*peer), told.desk, told.gallery, key)


def _read(address: Address, line: bytes) -> protocol.DoorLine:
    try:
        door = incoming.read(line)
    except BadData:
        door = {}
    if door.get("type") != "host":
        raise ConnectionError(f"What answers at {address} is not a host of cave games.")
    try:
        # Another version's door may have another form; so much of it is every version's.
        first, last = codec.structure(door, protocol.Versions).protocol
        if not first <= wire.VERSION <= last:
            raise ConnectionError(
                f"The host at {address} speaks another version of the protocol. Update the older one."
            )
        return codec.structure(door, protocol.DoorLine)
    except BadData:
        raise ConnectionError(UNCLEAR.format(address=address)) from None


def _numeric(ip: str, _port: int, _flow: int | None = None, scope: int = 0) -> str:
    """Return an address as a socket tells it, with the link that it is on where it is good for that one
    only.
    """
    return f"{ip}%{scope}" if scope and "%" not in ip else ip
