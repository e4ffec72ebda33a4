"""The process that announces a host by multicast DNS: ``mdns.py LISTENING PORT [ONLY ...]``.

Standard input brings a line of JSON with the strings of the TXT record whenever they change, and its end
withdraws the announcement. Standard output tells what is in the way, in a line whenever that changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # Started by path, as the host does: the packages lie beside this one's folder.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import ifaddr
from zeroconf import Error
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from cave import codec, lan

LOOK_EVERY = 5.0
"""Seconds between two looks at the machine's addresses."""
PATIENCE = 10.0
"""Seconds to find a name that nobody else has."""
LABEL = 40
"""Bytes of the host's name in the name of the service, which has 63 at most and must be unique."""
NICE = 10

Place = tuple[str, int]
"""An address of this machine and the index of its interface."""


def places(listening: str, only: Sequence[str]) -> list[Place]:
    """Where a host that listens at an address (all zeros: everywhere) is to be announced now."""
    wanted = ipaddress.ip_address(listening)
    found = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ipaddress.ip_address(text)
            heard = address == wanted or (
                # A host at :: hears both kinds of addresses, one at 0.0.0.0 only the shorter ones.
                wanted.is_unspecified and address.version <= wanted.version
            )
            allowed = text in only if only else address == wanted or not address.is_loopback
            if heard and allowed and adapter.index is not None:
                found.append((text, adapter.index))
    if not found and wanted.is_loopback and listening in only:
        # A whole net lies on loopback, of which only one address is listed.
        found.append((listening, 0))
    return sorted(found)


class Announcement:
    """What is announced, and kept up as addresses come and go."""

    def __init__(self, listening: str, port: int, only: Sequence[str]) -> None:
        self._listening = listening
        self._port = port
        self._only = only
        # The machine's own name is for others to announce, and two hosts that are called the same and
        # start at the same moment would not notice each other.
        self._own = secrets.token_hex(4)
        self._txt: dict[str, str] = {}
        self._told: tuple[dict[str, str], list[Place]] | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._name = ""

    async def keep_up(self, txt: dict[str, str] | None = None) -> None:
        """Announce what is not yet; raises OSError, or what else zeroconf has to say."""
        self._txt = txt or self._txt
        here = places(self._listening, self._only)
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
                self._name = f"{_label(self._txt['name'])} {self._own}.{lan.SERVICE}"
                info = self._info(here)
                sent = await self._zeroconf.async_register_service(info, allow_name_change=True)
                self._name = info.name
                await sent
        else:
            await self._zeroconf.async_update_interfaces(interfaces)
            if self._told != (self._txt, here):
                await (await self._zeroconf.async_update_service(self._info(here)))
        self._told = (self._txt, here)

    async def withdraw(self) -> None:
        """Tell everybody that the host is gone."""
        zeroconf, self._zeroconf, self._told = self._zeroconf, None, None
        if zeroconf is not None:
            with contextlib.suppress(OSError, Error, TimeoutError):
                await zeroconf.async_close()

    def _info(self, here: Sequence[Place]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            lan.SERVICE,
            self._name,
            port=self._port,
            properties=self._txt,
            server=f"cave-{self._own}.local.",
            parsed_addresses=[text for text, _ in here],
        )


def _label(name: str) -> str:
    """A host's name as one label: dots would part it."""
    return lan.cut(name.replace(".", " "), LABEL).strip()


async def run(listening: str, port: int, only: Sequence[str]) -> None:
    """Announce until standard input ends."""
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    announcement = Announcement(listening, port, only)
    reading: asyncio.Task[bytes] | None = None
    txt: dict[str, str] | None = None
    told = ""
    while True:
        reading = reading or asyncio.create_task(lines.readline())
        await asyncio.wait([reading], timeout=LOOK_EVERY)
        if reading.done():
            line, reading = reading.result(), None
            if not line:
                break
            txt = codec.decode(line)["txt"]
        try:
            await announcement.keep_up(txt)
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
    """Run with the arguments of the command line; the exit status."""
    listening, port, *only = arguments
    os.nice(NICE)
    # The host says when to end, also when all its processes are told to.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    asyncio.run(run(listening, int(port), only))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
