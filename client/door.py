"""A host's door: plain TCP, one line that tells who is there and which way in."""

from __future__ import annotations

import asyncio

from cave import codec, protocol
from cave.game import BadData, Json
from client.address import Address

PATIENCE = 3.0
"""Seconds to wait for a host that does not answer."""


async def read_door(address: Address) -> dict[str, Json]:
    """The facts a host tells at its door; raises ConnectionError with one sentence."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            try:
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, UnicodeError):
        raise ConnectionError(
            f"No host answers at {address}. Check the address, or start one with: cave host"
        ) from None
    except ValueError:
        line = b""
    try:
        door = codec.decode(line)
        first, last = door["protocol"]
        ports = [door["desk"], door["gallery"]]
        if door["type"] != "host" or any(type(port) is not int for port in ports):
            raise ValueError
        str(door["name"])
    except (BadData, KeyError, TypeError, ValueError):
        raise ConnectionError(f"What answers at {address} is not a host of cave games.") from None
    if not first <= protocol.VERSION <= last:
        raise ConnectionError(
            f"The host at {address} speaks another version of the protocol. Update the older one."
        )
    if door.get("encrypted"):
        raise ConnectionError(f"The host at {address} encrypts, which this version can not do yet.")
    facts: dict[str, Json] = door
    return facts
