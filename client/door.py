"""A host's door: plain TCP, one line that tells who is there and which way in."""

from __future__ import annotations

import asyncio

import attrs

from cave import codec, wire
from cave.game import BadData
from client.address import Address

PATIENCE = 3.0
"""Seconds to wait for a host that does not answer."""


LONGEST = 64 * 1024
"""Bytes of the longest line that a door may tell."""


class NobodyThere(ConnectionError):
    """No host answers at the address; one sentence."""


@attrs.frozen
class Door:
    """What a door tells: the host's name, the number it was reached at, its two ports, and its key in
    Z85, empty where it does not encrypt.
    """

    name: str
    ip: str
    desk: int
    gallery: int
    key: str = ""


async def read_door(address: Address) -> Door:
    """The facts a host tells at its door; raises ConnectionError with one sentence."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=LONGEST)
            ip = _numeric(*writer.get_extra_info("peername"))
            try:
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, UnicodeError):
        raise NobodyThere(
            f"No host answers at {address}. Check the address, or start one with: cave host"
        ) from None
    except ValueError:
        line = b""
    try:
        door = codec.decode(line)
        first, last = door["protocol"]
        desk, gallery = door["desk"], door["gallery"]
        if door["type"] != "host" or any(type(port) is not int for port in (desk, gallery)):
            raise ValueError
        name = wire.clean_text(str(door["name"]))
    except (BadData, KeyError, TypeError, ValueError):
        raise ConnectionError(f"What answers at {address} is not a host of cave games.") from None
    if not first <= wire.VERSION <= last:
        raise ConnectionError(
            f"The host at {address} speaks another version of the protocol. Update the older one."
        )
    key = str(door.get("public_key", "")) or "?" if door.get("encrypted") else ""
    return Door(name, ip, desk, gallery, key)


def _numeric(ip: str, _port: int, _flow: int = 0, scope: int = 0) -> str:
    """An address as a socket tells it, with the link that it is on where it is good for that one only."""
    return f"{ip}%{scope}" if scope and "%" not in ip else ip
