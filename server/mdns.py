"""The process that announces a host by multicast DNS: ``mdns.py LISTENING PORT [ONLY ...]``. It reads TXT
records, a line of JSON each, until its input closes, and reports changed problems in lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # The host starts this file by its path, so add the packages to the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import ifaddr
from zeroconf import Error
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from cave import codec, lan
from cave.processes import run_loop
from server import system

LOOK_EVERY = 5.0  # seconds between checks of the machine's addresses
PATIENCE = 10.0  # seconds to find a free name
LABEL = 40  # bytes of the host's name in the service's name, which must be unique and at most 63 bytes
NICE = 10

Place = tuple[str, int]  # an address of this machine and the index of its interface


def places_to_announce(listening: str, only: Sequence[str]) -> list[Place]:
    """Return the places to announce a host that listens at this address (all zeros: everywhere)."""
    wanted = ipaddress.ip_address(listening)
    found = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ipaddress.ip_address(text)
            heard = address == wanted or (
                # A host at :: accepts IPv6 and IPv4, one at 0.0.0.0 only IPv4.
                wanted.is_unspecified and address.version <= wanted.version
            )
            allowed = text in only if only else address == wanted or not address.is_loopback
            if heard and allowed and adapter.index is not None:
                found.append((text, adapter.index))
    if not found and wanted.is_loopback and listening in only:
        # Loopback is a whole network, but systems list only one of its addresses.
        found.append((listening, 0))
    return sorted(found)


class Announcement:
    def __init__(self, listening: str, port: int, only: Sequence[str]) -> None:
        self._listening = listening
        self._port = port
        self._only = only
        # Other programs announce the machine's own name, and two hosts with the same name that start at the
        # same time would not notice each other.
        self._own = secrets.token_hex(4)
        self._txt: dict[str, str] = {}
        self._told: tuple[dict[str, str], list[Place]] | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._name = ""

    async def update_txt(self, txt: dict[str, str] | None = None) -> None:
        """Announce the changes; raises OSError or an error of zeroconf."""
        self._txt = txt or self._txt
        here = places_to_announce(self._listening, self._only)
        if not here:
            await self.withdraw()
            raise OSError("this machine has no network address")
        if not self._txt:
            return
        interfaces: list[str | int] = [text for text, _ in here if ":" not in text]
        interfaces += sorted({index for text, index in here if ":" in text})
        if self._zeroconf is None:
            self._zeroconf = AsyncZeroconf(interfaces=interfaces)
            async with asyncio.timeout(PATIENCE):
                label = lan.cut_to_bytes(self._txt["name"].replace(".", " "), LABEL).strip()
                self._name = f"{label} {self._own}.{lan.SERVICE}"
                info = self._service_info(here)
                sent = await self._zeroconf.async_register_service(info, allow_name_change=True)
                self._name = info.name
                await sent
        else:
            await self._zeroconf.async_update_interfaces(interfaces)
            if self._told != (self._txt, here):
                await (await self._zeroconf.async_update_service(self._service_info(here)))
        self._told = (self._txt, here)

    async def withdraw(self) -> None:
        zeroconf, self._zeroconf, self._told = self._zeroconf, None, None
        if zeroconf is not None:
            with contextlib.suppress(OSError, Error, TimeoutError):
                await zeroconf.async_close()

    def _service_info(self, here: Sequence[Place]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            lan.SERVICE,
            self._name,
            port=self._port,
            properties=self._txt,
            server=f"cave-{self._own}.local.",
            parsed_addresses=[text for text, _ in here],
        )


def _read_notices(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes]) -> None:
    """Put each line of standard input into the queue, and an empty one at its end."""
    line = b"\n"
    while line:
        line = sys.stdin.buffer.readline()
        loop.call_soon_threadsafe(lines.put_nowait, line)


async def run_announcing(listening: str, port: int, only: Sequence[str]) -> None:
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    # Daemon: the exit must not wait for another line.
    threading.Thread(target=_read_notices, args=(asyncio.get_running_loop(), lines), daemon=True).start()
    announcement = Announcement(listening, port, only)
    reading: asyncio.Task[bytes] | None = None
    txt: dict[str, str] | None = None
    told = ""
    while True:
        reading = reading or asyncio.create_task(lines.get())
        await asyncio.wait([reading], timeout=LOOK_EVERY)
        if reading.done():
            line, reading = reading.result(), None
            if not line:
                break
            txt = codec.decode(line)["txt"]
        try:
            await announcement.update_txt(txt)
            trouble = ""
        except (OSError, Error, RuntimeError, TimeoutError) as error:
            await announcement.withdraw()
            trouble = str(getattr(error, "strerror", None) or error) or "no free name was found"
        if trouble != told:
            sys.stdout.buffer.write(codec.encode({"trouble": trouble}) + b"\n")
            sys.stdout.flush()
            told = trouble
    await announcement.withdraw()


def main(arguments: Sequence[str]) -> int:
    listening, port, *only = arguments
    system.lower_priority(NICE)
    # Only the host ends this process, even if a signal goes to all its processes.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    run_loop(run_announcing(listening, int(port), only))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
