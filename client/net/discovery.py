"""Hosts that announce themselves in the local network, listed as they come and go. Announcements are not
trusted: a host is listed only if its door answers, with the door's facts, and joining it is the same as
typing its address.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import ipaddress
import logging
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct, field

from cave import lan, wire
from cave.game import BadData
from cave.keys import read_key
from client.net.known_hosts import Address, Keys, Standing, WrongKey, is_this_machine, parse_address
from client.net.messages import Door, NobodyThere, read_door

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf


LOG = logging.getLogger("cave.discovery")

Found = TypeVar("Found")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

ASK_EVERY = 5.0
"""Seconds between two queries for hosts: Wi-Fi often loses queries and answers."""
CHECK_EVERY = 4.0  # seconds between two checks of a listed host's door
CHECK_AT_MOST_EVERY = 1.0
GIVE_UP_SLOWLY = 15.0  # seconds; the longest pause between attempts without an answer
GATHER = 0.2  # seconds in which several changes are reported as one
STEP = 0.15  # seconds of head start of each address of a host over the next
DETAILS = 3.0  # seconds to get the details of an announcement
MOST = 100
MOST_ADDRESSES = 6
AT_ONCE = 16


class FoundHost(Struct, frozen=True):
    """A host in the local network: ``name`` and ``key`` (Z85) are from its door, the rest was announced."""

    name: str
    address: Address
    key: str
    standing: Standing
    games: tuple[str, ...] = ()
    tables: int = 0
    free: int = 0
    watchers: int = 0


async def browse_hosts(keys: Keys) -> AsyncGenerator[tuple[FoundHost, ...], None]:
    """Yield the hosts of the local network whenever they change, endlessly, first an empty list. Raises
    ConnectionError with a sentence if searching is impossible, or no longer possible.
    """
    try:
        only = lan.parse_mdns_addresses(os.environ.get(lan.WHERE, ""))
    except lan.BadWhere as error:
        raise ConnectionError(str(error)) from None
    if only is None:
        raise ConnectionError("Looking for hosts is turned off (CAVE_MDNS=off).")
    zeroconf = await open_socket(only)
    looking = Looking(keys, only, zeroconf)
    asking = asyncio.create_task(looking.ask())
    asking.add_done_callback(lambda _: looking.changed.set())
    try:
        while True:
            looking.changed.clear()
            yield looking.hosts
            await looking.changed.wait()
            if asking.done():
                reason = None if asking.cancelled() else asking.exception()
                raise ConnectionError("Looking for hosts has stopped.") from reason
            await asyncio.sleep(GATHER)
    finally:
        asking.cancel()
        # Until it ends it may find another host, which would then be followed.
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.gather(*looking.close(), return_exceptions=True)
        await zeroconf.async_close()


async def open_socket(only: Sequence[str]) -> AsyncZeroconf:
    """Return Zeroconf with its sockets open; raises ConnectionError with one sentence."""
    # It is a large import; the screen must be drawn meanwhile.
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
    from zeroconf import Error, InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    try:
        if only:
            zeroconf = AsyncZeroconf(interfaces=list(only))
        else:
            zeroconf = AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.All)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    except RuntimeError:
        reason = "this machine is not on a network"
    else:
        try:
            # zeroconf never counts as started if a task that awaits its start is cancelled, for example when
            # a host leaves then.
            await zeroconf.zeroconf.async_wait_for_start()
            return zeroconf
        except Error:
            reason = "it takes too long to begin"
            await zeroconf.async_close()
        except BaseException:
            await zeroconf.async_close()
            raise
    raise ConnectionError(f"Cannot look for hosts on the network ({reason}).")


class _Heard(Struct):
    """An announcement: ``news`` is set on a change; the host behind it, and whether its door was tried."""

    news: asyncio.Event = field(default_factory=asyncio.Event)
    following: asyncio.Task[None] | None = None
    host: FoundHost | None = None
    tried: bool = False


class Looking:
    """All announcements received, each followed by a task that checks the host's door."""

    def __init__(self, keys: Keys, only: Sequence[str], zeroconf: AsyncZeroconf) -> None:
        self.changed = asyncio.Event()
        self._keys = keys
        self._with_loopback = any(is_this_machine(place) for place in only)
        self._zeroconf = zeroconf
        self._heard: dict[str, _Heard] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    @property
    def hosts(self) -> tuple[FoundHost, ...]:
        """The hosts whose door has answered, without duplicates."""
        known = {str(heard.host.address): heard.host for heard in self._heard.values() if heard.host}
        return tuple(sorted(known.values(), key=lambda host: (host.name.casefold(), str(host.address))))

    async def ask(self) -> None:
        from zeroconf.asyncio import AsyncServiceBrowser

        while True:
            browser = AsyncServiceBrowser(self._zeroconf.zeroconf, lan.SERVICE, handlers=[self._note_announcement])
            try:
                await asyncio.sleep(ASK_EVERY)
            finally:
                await browser.async_cancel()
            # The machine may have joined a network meanwhile, or another one.
            with contextlib.suppress(OSError, RuntimeError):
                await self._zeroconf.async_update_interfaces()

    def close(self) -> list[asyncio.Task[None]]:
        """Stop following announcements; return the tasks that are ending."""
        tasks = [heard.following for heard in self._heard.values() if heard.following]
        for task in tasks:
            task.cancel()
        self._heard.clear()
        return tasks

    def _note_announcement(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change.name == "Removed":
            self._drop(name)
        elif name in self._heard:
            # A repeated query reports known hosts again.
            if state_change.name == "Updated":
                self._heard[name].news.set()
        elif self._make_room():
            heard = self._heard[name] = _Heard()
            heard.following = asyncio.create_task(self._follow(name, heard))
            heard.following.add_done_callback(partial(self._drop_after_error, name, heard))

    def _make_room(self) -> bool:
        """Make room for another announcement, if necessary instead of one without a host."""
        if len(self._heard) >= MOST:
            idle = next((name for name, each in self._heard.items() if each.tried and not each.host), None)
            if idle is None:
                return False
            self._drop(idle)
        return True

    def _drop(self, name: str) -> None:
        heard = self._heard.pop(name, None)
        if heard is not None and heard.following is not None:
            heard.following.cancel()
            self._show(heard, None)

    def _drop_after_error(self, name: str, heard: _Heard, following: asyncio.Task[None]) -> None:
        """Drop an announcement after an error. Its host is listed again after its next announcement."""
        if self._heard.get(name) is heard:
            if not following.cancelled():
                LOG.error("Cannot follow %s: %r", wire.clean_text(name), following.exception())
            self._drop(name)

    async def _follow(self, name: str, heard: _Heard) -> None:
        pause = CHECK_EVERY
        while True:
            heard.news.clear()
            async with self._turns:
                host = await self.look_up_host(name)
            heard.tried = True
            self._show(heard, host)
            pause = CHECK_EVERY if host is not None else min(2 * pause, GIVE_UP_SLOWLY)
            await asyncio.sleep(CHECK_AT_MOST_EVERY)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause - CHECK_AT_MOST_EVERY):
                    await heard.news.wait()

    def _show(self, heard: _Heard, host: FoundHost | None) -> None:
        if heard.host != host:
            heard.host = host
            self.changed.set()

    async def look_up_host(self, name: str) -> FoundHost | None:
        """Return the current host of an announcement, or None."""
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(lan.SERVICE, name)
        if not await info.async_request(self._zeroconf.zeroconf, DETAILS * 1000) or not info.port:
            return None
        try:
            notice = lan.read_txt(info.properties)
        except BadData:
            return None
        places = usable_addresses(info.parsed_scoped_addresses(), with_loopback=self._with_loopback)
        addresses = [Address(place, info.port) for place in places[:MOST_ADDRESSES]]
        found = await find_first_door(addresses, notice.key)
        if found is None:
            return None
        address, door = found
        standing = await asyncio.to_thread(self._keys.standing, address, door.key)
        name = wire.clean_text(door.name)[: wire.MAX_TITLE] or notice.name
        return FoundHost(name, address, door.key, standing, notice.games, notice.tables, notice.free, notice.watchers)


def usable_addresses(addresses: Iterable[str], *, with_loopback: bool = False) -> list[str]:
    """Return the announced addresses that are plausible for a host of the local network: nobody may make us
    connect to addresses outside it, or to this machine.
    """
    found = []
    near: list[Network] | None = None
    for text in addresses:
        place, _, index = text.partition("%")
        try:
            address = ipaddress.ip_address(place)
            scope = f"%{socket.if_indextoname(int(index))}" if index else ""
        except (ValueError, OSError, OverflowError):
            continue
        if address.is_multicast or address.is_unspecified or getattr(address, "ipv4_mapped", None):
            continue
        if address.is_loopback:
            usable_here = with_loopback
        elif address.version == 6 and address.is_link_local:
            usable_here = bool(scope)
        elif address.is_private:
            usable_here = True
        else:
            near = own_networks() if near is None else near
            usable_here = any(address in network for network in near)
        if usable_here:
            found.append((address.version, address.is_link_local, place + scope))
    return [place for _, _, place in sorted(found)]


def own_networks() -> list[Network]:
    import ifaddr

    return [
        ipaddress.ip_network(f"{each.ip if isinstance(each.ip, str) else each.ip[0]}/{each.network_prefix}", False)
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
    ]


async def find_first_door(addresses: Sequence[Address], key: str) -> tuple[Address, Door] | None:
    """Return the first address that answers with this key (Z85); earlier ones have a head start."""

    async def knock(number: int, address: Address) -> tuple[Address, Door]:
        await asyncio.sleep(number * STEP)
        door = await read_door(address)
        if door.key != key:
            raise ConnectionError("That is a different host.")
        return address, door

    knocks = [asyncio.create_task(knock(number, address)) for number, address in enumerate(addresses)]
    try:
        for answer in asyncio.as_completed(knocks):
            with contextlib.suppress(ConnectionError):
                return await answer
    finally:
        for each in knocks:
            each.cancel()
        await asyncio.gather(*knocks, return_exceptions=True)
    return None


KNOCK_EVERY = 2.0  # seconds between two checks of the door at the old address
SOON = 3.0  # seconds that a caller waits for it
LOOK_AGAIN = 10.0  # seconds until the next search of the network, if the last was impossible


async def find_moved_host(address: Address, door: Door, key: str) -> tuple[Address, Door]:
    """Return the new address of a host with this key (Z85); without a key the address stays."""
    looks = [asyncio.create_task(_wait_for_door(address, door, key))]
    if key:
        looks.append(asyncio.create_task(_announced_host(address, key)))
    try:
        done, _ = await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)


async def find_elsewhere(address: Address) -> Address | None:
    """Return the address in the network of a ticket's host, with its key; None if it is not found soon."""
    if not address.key:
        return None
    try:
        async with asyncio.timeout(SOON):
            found, _ = await _announced_host(address, address.key)
    except TimeoutError:
        return None
    return msgspec.structs.replace(found, key=address.key)


async def visit_wherever_host_is(address: str, visit: Callable[[str], Awaitable[Found]]) -> Found:
    """Visit the host at an address; if it is down, where its key is announced. Raises as ``visit``."""
    try:
        return await visit(address)
    except (NobodyThere, WrongKey, TimeoutError):
        place = await find_elsewhere(parse_address(address))
        if place is None:
            raise
    return await visit(place.ticket)


async def _wait_for_door(address: Address, before: Door, key: str) -> tuple[Address, Door]:
    while True:
        with contextlib.suppress(ConnectionError):
            door = await read_door(address)
            ways = (door.ip, door.desk, door.gallery)
            if _door_has_key(door, key) and ways != (before.ip, before.desk, before.gallery):
                return address, door
        await asyncio.sleep(KNOCK_EVERY)


async def _announced_host(before: Address, key: str) -> tuple[Address, Door]:
    """Wait for a host that announces this key, and return it."""
    from client.net.known_hosts import Keys

    while True:
        # Without a network, or with discovery turned off, there is nothing to find.
        with contextlib.suppress(ConnectionError):
            async with contextlib.aclosing(browse_hosts(Keys())) as lists:
                async for hosts in lists:
                    for host in hosts:
                        if host.key == key and str(host.address) != str(before):
                            return host.address, await read_door(host.address)
        await asyncio.sleep(LOOK_AGAIN)


def _door_has_key(door: Door, key: str) -> bool:
    """Return whether the door shows this key; another host may have the address by now."""
    try:
        return (read_key(door.key) if door.key else "") == key
    except ValueError:
        return False
