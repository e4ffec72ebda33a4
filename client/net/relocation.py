"""Where a host is that was lost from sight: at its old door with other ports, or elsewhere in the network.

A host that was started anew on another port, or a machine that has another address now, is known by its
key. Whoever has not the key is never taken for it, whatever it announces.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from cave.keys import read_key
from client.net.address import Address
from client.net.door import Door, read_door

KNOCK_EVERY = 2.0
"""Seconds between two looks at the door where the host was."""
SOON = 3.0
"""Seconds that somebody who waits for it is kept waiting."""
LOOK_AGAIN = 10.0
"""Seconds until the network is looked at again, where that was not possible."""


async def moved(address: Address, door: Door, key: str) -> tuple[Address, Door]:
    """Return where the host is now, as soon as that is elsewhere than this ``door`` at this ``address`` told.

    ``key`` (Z85) is the host's; one without is looked for where it was only.
    """
    looks = [asyncio.create_task(_at_the_door(address, door, key))]
    if key:
        looks.append(asyncio.create_task(_around(address, key)))
    try:
        done, _ = await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)


async def elsewhere(address: Address) -> Address | None:
    """Return where in the network the host of a ticket is, with its key; None where it is not found soon."""
    if not address.key:
        return None
    try:
        async with asyncio.timeout(SOON):
            found, _ = await _around(address, address.key)
    except TimeoutError:
        return None
    return msgspec.structs.replace(found, key=address.key)


async def _at_the_door(address: Address, before: Door, key: str) -> tuple[Address, Door]:
    while True:
        with contextlib.suppress(ConnectionError):
            door = await read_door(address)
            ways = (door.ip, door.desk, door.gallery)
            if _has(door, key) and ways != (before.ip, before.desk, before.gallery):
                return address, door
        await asyncio.sleep(KNOCK_EVERY)


async def _around(before: Address, key: str) -> tuple[Address, Door]:
    """Return the host with this key among those that announce themselves; waits for ever where none does."""
    from client.net.discovery import browse
    from client.net.known_hosts import Keys

    while True:
        # Without a network, or where looking around is turned off, there is none to be found now.
        with contextlib.suppress(ConnectionError):
            async with contextlib.aclosing(browse(Keys())) as lists:
                async for hosts in lists:
                    for host in hosts:
                        if host.key == key and str(host.address) != str(before):
                            return host.address, await read_door(host.address)
        await asyncio.sleep(LOOK_AGAIN)


def _has(door: Door, key: str) -> bool:
    """Return whether the door shows this key; somebody else may have the place by now."""
    try:
        return (read_key(door.key) if door.key else "") == key
    except ValueError:
        return False
