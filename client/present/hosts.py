"""Hosts of the local network as lines to choose from, and what is said when there are none."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from cave import games
from client.discovery import FoundHost
from client.keys import Standing

LOOKING = "Looking for hosts in this network ..."
NOTHING_FOUND = "No host tells of itself in this network."
INSTEAD = "Type the address or the ticket that the host shows."
LAST_TIME = "where you were last"

_STANDING: dict[Standing, str] = {
    "known": "known",
    "new": "new to you",
    "changed": "OTHER KEY THAN BEFORE",
    "plain": "not encrypted",
}


@attrs.frozen
class HostLine:
    """A host as a line to choose from; ``address`` is what one would type to go there. ``alarm``:
    it is to be looked at with care.
    """

    address: str
    name: str
    free: str
    text: str
    alarm: bool = False


def host_lines(hosts: Sequence[FoundHost]) -> tuple[HostLine, ...]:
    """The lines of these hosts, those with free seats first."""
    ordered = sorted(hosts, key=lambda host: not host.free)
    return tuple(
        HostLine(
            str(host.address),
            host.name,
            _count(host.free, "free seat"),
            ", ".join(
                (
                    " and ".join(games.get(name).title for name in host.games) or "no game yet",
                    _count(host.watchers, "watcher"),
                    _STANDING[host.standing],
                )
            ),
            host.standing == "changed",
        )
        for host in ordered
    )


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"
