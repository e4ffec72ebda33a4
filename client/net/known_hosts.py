"""Typed addresses of hosts, tickets, the client's own key pair, and the keys of hosts when first seen, as ssh
saves them. If a host's key changes, it is refused until the user agrees. A ticket includes the key.
"""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import socket
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cave import files, keys
from cave.files import KIB, Unfit, make_private, read_regular
from cave.keys import KeyHolder, key_for_ticket, read_key
from cave.wire import DEFAULT_PORT
from client.system import command_as_typed

SCHEME = "cave://"
ANYWHERE = ((socket.AF_INET, ("192.0.2.1", 9)), (socket.AF_INET6, ("2001:db8::1", 9)))
"""Unused addresses, reserved for documentation."""


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
        """The address and the key as text, enough to trust the host; without a key only the address."""
        return f"{SCHEME}{self}/#{key_for_ticket(self.key)}" if self.key else str(self)


def parse_address(text: str) -> Address:
    """Parse ``HOST``, ``HOST:PORT`` or ``cave://HOST:PORT/#KEY`` (a key also in Z85); raises ValueError."""
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
    wrong = not host or not host.isprintable() or any(each in host for each in " /@#") or not _is_port(port)
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
    """Return the addresses of this machine in its networks, else its name. Sends nothing."""
    found = []
    for family, anywhere in ANYWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Connecting a datagram socket only looks up the route.
            probe.connect(anywhere)
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not address.startswith("127.")] or [socket.gethostname()]


Standing = Literal["known", "new", "changed", "plain"]
"""The standing of a host: its key is known, new, or has changed; or it does not encrypt."""

IDENTITY_FILE = "client.key"
KNOWN_FILE = "known_hosts"
MOST = 4 * KIB  # bytes of the file of a pair
MOST_KNOWN = 1024 * KIB


class WrongKey(ConnectionError):
    """The host is not the expected one; the message shows both fingerprints."""


class Identity(KeyHolder, frozen=True):
    """A client's CURVE pair in Z85; unless it is ``kept``, it lasts as long as the program."""

    public: str
    secret: str
    kept: bool = True


class Keys(Struct, frozen=True):
    """Keys saved in a folder, if any. ``accept_new``: the user agrees to a host's new key; ``plain``: to a
    connection without encryption to another machine.
    """

    folder: Path | None = None
    accept_new: bool = False
    plain: bool = False

    def identity(self) -> Identity:
        """Return the client's own pair, created on first use; a temporary one if it cannot be saved."""
        if self.folder is None:
            return _make_identity()
        path = self.folder / IDENTITY_FILE
        try:
            make_private(self.folder)
            if not path.exists():
                fresh = _make_identity()
                # Two programs may start at the same time: the first pair stays.
                files.create_private(path, f"{fresh.public}\n{fresh.secret}\n".encode())
            with contextlib.suppress(OSError):  # it can be read anyway
                files.make_file_private(path)
            public, secret = map(keys.read_key, read_regular(path, MOST).decode("ascii").split())
        except (Unfit, ValueError):
            raise ConnectionError(
                f"Your key {path} is damaged. Put a copy of it back, or move it away to get a new one."
            ) from None
        except OSError:
            return _temporary_identity(self.folder)
        return Identity(public, secret)

    def standing(self, address: Address, shown: str) -> Standing:
        """Return the standing of the host whose door shows this key. Does not save the key."""
        try:
            known = self._known_keys()
        except ConnectionError:
            known = {}
        there = known.get(_place_of_address(address), shown)
        if there != shown:
            return "changed"
        if not shown:
            return "plain"
        return "known" if shown in known.values() else "new"

    def trusted_key(self, address: Address, ip: str, shown: str) -> str:
        """Return the key to trust at an address whose door shows ``shown`` (nothing: no encryption).

        Raises WrongKey; ConnectionError for a host that should encrypt but does not.
        """
        place = _place_of_address(address)
        known = address.key or self._known_keys().get(place, "")
        if not shown:
            return self._key_without_ticket(address, ip, known)
        try:
            shown = keys.read_key(shown)
        except ValueError:
            raise ConnectionError(f"The program at {address} is not a host of cave games.") from None
        if shown == known:
            return shown
        if address.key:
            raise WrongKey(
                f"The host at {address} is not the one in the ticket: the ticket says "
                f"{keys.fingerprint(known)}, the host {keys.fingerprint(shown)}. Ask for a new ticket."
            )
        if known and not self.accept_new:
            raise WrongKey(
                f"The host at {address} has a new key: it was {keys.fingerprint(known)}, "
                f"now it is {keys.fingerprint(shown)}. Somebody may be pretending to be that host. Ask its "
                f"owner; if the new key is right, type: {command_as_typed(f'join {address} --accept-new-key')}"
            )
        self._remember_key(place, shown)
        return shown

    def _key_without_ticket(self, address: Address, ip: str, known: str) -> str:
        if known:
            raise WrongKey(
                f"The host at {address} does not encrypt, but should have the key "
                f"{keys.fingerprint(known)}. Somebody may be pretending to be that host. Ask its owner."
            )
        if not self.plain and not is_this_machine(ip):
            raise ConnectionError(
                f"The host at {address} does not encrypt: anybody on the network could read along "
                "and interfere. To connect anyway, add --no-encryption."
            )
        return ""

    def _known_keys(self) -> dict[str, str]:
        """Return keys by place; skips invalid lines."""
        if self.folder is None:
            return {}
        known = {}
        try:
            lines = read_regular(self.folder / KNOWN_FILE, MOST_KNOWN).decode().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, UnicodeError) as error:
            reason = files.error_reason(error, "not text")
            raise ConnectionError(
                f"The keys of known hosts cannot be read ({reason}): check {self.folder / KNOWN_FILE}."
            ) from None
        for line in lines:
            place, _, key = line.partition(" ")
            with contextlib.suppress(ValueError):
                known[place] = keys.read_key(key.strip())
        return known

    def _remember_key(self, place: str, key: str) -> None:
        """Save a host's key; if that fails, the user is asked again next time."""
        if self.folder is None:
            return
        known = {**self._known_keys(), place: key}
        text = "".join(f"{place} {keys.key_for_ticket(key)}\n" for place, key in sorted(known.items()))
        path = self.folder / KNOWN_FILE
        with contextlib.suppress(OSError):
            make_private(self.folder)
            files.replace_file(path, text.encode(), sync=True)


def _place_of_address(address: Address) -> str:
    return f"{address.host.lower()}:{address.port}"


def is_this_machine(ip: str) -> bool:
    try:
        return ipaddress.ip_address(ip.partition("%")[0]).is_loopback
    except ValueError:
        return False


@functools.cache
def _temporary_identity(_folder: Path) -> Identity:
    return replace(_make_identity(), kept=False)


def _make_identity() -> Identity:
    import zmq

    public, secret = zmq.curve_keypair()
    return Identity(public.decode(), secret.decode())
