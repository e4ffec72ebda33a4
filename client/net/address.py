"""Addresses of hosts, as people type them, and tickets."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

import msgspec

from cave.keys import read_key, ticket_form
from cave.wire import DEFAULT_PORT

SCHEME = "cave://"
ANYWHERE = ((socket.AF_INET, ("192.0.2.1", 9)), (socket.AF_INET6, ("2001:db8::1", 9)))
"""Addresses that are nobody's, kept for examples."""


class Address(msgspec.Struct, frozen=True):
    """A host's name or number and its base port; ``key`` is the host's key, from a ticket."""

    host: str
    port: int = DEFAULT_PORT
    key: str = ""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def ticket(self) -> str:
        """All that is needed to come here and trust nothing else; without a key just the address."""
        return f"{SCHEME}{self}/#{ticket_form(self.key)}" if self.key else str(self)


def parse_address(text: str) -> Address:
    """Read ``HOST``, ``HOST:PORT`` or ``cave://HOST:PORT/#KEY`` (a key also in Z85); raises ValueError."""
    rest = text.strip()
    key = ""
    if rest.startswith(SCHEME):
        rest, mark, key = rest.removeprefix(SCHEME).partition("#")
        rest = rest.removesuffix("/")
        if mark:
            try:
                key = read_key(key)
            except ValueError:
                raise ValueError("The key in that ticket is damaged: copy the whole ticket.") from None
    host, port = rest, str(DEFAULT_PORT)
    if rest.startswith("["):
        host, _, port = rest[1:].partition("]")
        port = port.removeprefix(":") or str(DEFAULT_PORT)
    elif rest.count(":") == 1:
        host, port = rest.split(":")
    wrong = not host or any(character in host for character in " /@#") or not _is_port(port)
    if wrong or (":" in host and not _is_ipv6(host)):
        raise ValueError(f"{text.strip()!r} is not an address: use HOST, HOST:PORT or a ticket cave://…")
    return Address(host, int(port), key)


def _is_ipv6(text: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(text).version == 6
    return False


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 65536


def lan_addresses() -> list[str]:
    """Return the addresses of this machine in its networks, else its name. Nothing is sent for it."""
    found = []
    for family, anywhere in ANYWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # A datagram socket that is connected only looks up which way it would go.
            probe.connect(anywhere)
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not address.startswith("127.")] or [socket.gethostname()]
