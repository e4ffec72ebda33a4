"""The hosts of the local network as plain lines, for scripts and for terminals without screens."""

from __future__ import annotations

import asyncio
import contextlib

import click

from client import system
from client.commands.exits import FAILED, fail
from client.net.discovery import browse
from client.net.known_hosts import Keys
from client.present import hosts
from client.present.hosts import HostLine
from client.settings import folders

SECONDS = 2.0
"""How long is looked."""


def show() -> int:
    """Look around, then list the hosts, one a line; the exit status."""
    try:
        found = system.run_loop(look_around(Keys(folders.data_folder())))
    except ConnectionError as error:
        fail(f"{error} {hosts.INSTEAD}", FAILED)
    for line in found:
        words = (line.address, line.name, line.free, line.watching, line.game, line.standing)
        click.echo("  ".join(words))
    if not found:
        click.echo(f"{hosts.NOTHING_FOUND} {hosts.INSTEAD}", err=True)
    return 0


async def look_around(keys: Keys, seconds: float = SECONDS) -> tuple[HostLine, ...]:
    """Return the hosts found within this many seconds; raises ConnectionError where one cannot look for
    them.
    """
    found: tuple[HostLine, ...] = ()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), contextlib.aclosing(browse(keys)) as lists:
            async for each in lists:
                found = hosts.host_lines(each)
    return found
