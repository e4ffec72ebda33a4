"""Hosts of the local network as lines to choose from, and what is said when there are none."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave import games
from cave.wire import DEFAULT_PORT
from client.net.discovery import FoundHost
from client.net.known_hosts import Standing

HEADING = "Hosts on this network"
LOOKING = "Looking for hosts on this network ..."
NOTHING_FOUND = "No hosts found on this network."
INSTEAD = "Type the address or the ticket that the host shows."
LAST_TIME = "last visited"

_STANDING: dict[Standing, str] = {
    "known": "known",
    "new": "new to you",
    "changed": "OTHER KEY!",
    "plain": "not encrypted",
}


class HostLine(msgspec.Struct, frozen=True):
    """A host as a line to choose from. ``address`` is what one would type to go there, ``place`` the same
    as short as can be. ``alarm``: it is to be looked at with care.
    """

    address: str
    place: str
    name: str
    game: str
    free: str
    watching: str
    standing: str
    alarm: bool = False


def host_lines(hosts: Sequence[FoundHost]) -> tuple[HostLine, ...]:
    """Return the lines of these hosts, those with free seats first."""
    return tuple(_line(host) for host in sorted(hosts, key=lambda host: not host.free))


def in_words(number: int, line: HostLine) -> str:
    """Return a host as it is read aloud."""
    return f"{number} {line.name}, {line.game}, {line.free}, {line.watching}, {line.standing}: {line.place}"


def _line(host: FoundHost) -> HostLine:
    address = str(host.address)
    return HostLine(
        address,
        address.removesuffix(f":{DEFAULT_PORT}"),
        host.name,
        " and ".join(games.get(name).title for name in host.games) or "no game",
        f"{host.free} free",
        f"{host.watchers} watching",
        _STANDING[host.standing],
        host.standing == "changed",
    )
