"""The bans of a host's owner: on keys, and on addresses for as long as the owner says.

Both are saved in files. Times in memory are those of the monotonic clock; files have calendar time, because
the monotonic clock may start anew with the host's next run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from cave import keys, protocol
from server.clients.addresses import network
from server.keys import BANNED_FILE, PAIR_FILE, BadKeys, read_lines, read_list, write_lines, write_list
from server.tables.effects import FOR_EVER

ADDRESSES_FILE = "banned.addresses"
KEY_FILES = (PAIR_FILE, BANNED_FILE, ADDRESSES_FILE)
"""The files of keys and bans that a local game has in its folder; they are deleted with it."""


class Out(Struct, frozen=True):
    """How long an address is banned, and whose key was banned with it."""

    until: float
    key: str


class Bans:
    """All bans. ``keep`` saves them, and may raise OSError."""

    def __init__(
        self,
        banned: Iterable[str] = (),
        addresses: Mapping[str, Out] | None = None,
        keep: Callable[[Bans], None] = lambda _bans: None,
    ) -> None:
        self.keys = frozenset(banned)
        self.addresses: Mapping[str, Out] = dict(addresses or {})
        self._keep = keep

    def is_out(self, address: str, now: float) -> bool:
        """Return whether this address is banned now."""
        return address in self.addresses and self.addresses[address].until > now

    def ban(self, key: str, now: float, address: str = "", until: float = FOR_EVER) -> None:
        """Ban a client's key, and an ``address`` until then; raises OSError if the bans cannot be saved."""
        self.keys |= {key}
        if address:
            lasting = {each: out for each, out in self.addresses.items() if out.until > now}
            self.addresses = {**lasting, address: Out(until, key)}
        self._keep(self)

    def pardon(self, key: str = "", address: str = "") -> None:
        """Lift the ban on a key and on the address banned with it, or on an ``address``; raises OSError if
        the bans cannot be saved.
        """
        self.keys -= {key}
        left = {each: out for each, out in self.addresses.items() if each != address and out.key != key}
        self.addresses = left
        self._keep(self)

    def facts(self, now: float) -> protocol.BansReply:
        """Return all bans, for the owner."""
        addresses = [
            protocol.BannedAddress(
                address, out.key, None if out.until == FOR_EVER else math.ceil(out.until - now)
            )
            for address, out in sorted(self.addresses.items())
            if out.until > now
        ]
        return protocol.BansReply(sorted(self.keys), addresses)


def kept_in(folder: Path, owners: Iterable[str], calendar: Callable[[], float]) -> Bans:
    """Return the bans saved in a folder, without any on owners. ``calendar`` returns how many seconds
    calendar time is ahead of the monotonic clock. Raises BadKeys.
    """

    def keep(bans: Bans) -> None:
        ahead = calendar()
        write_list(folder / BANNED_FILE, bans.keys)
        lines = (_line(address, out, ahead) for address, out in sorted(bans.addresses.items()))
        write_lines(folder / ADDRESSES_FILE, lines)

    banned = read_list(folder / BANNED_FILE) - {*owners}
    file = folder / ADDRESSES_FILE
    addresses = {}
    for number, line in read_lines(file):
        try:
            address, out = _read(line, calendar())
        except ValueError:
            raise BadKeys(
                f"Line {number} of {file} is not an address, a key and a time: correct or delete it."
            ) from None
        addresses[address] = out
    return Bans(banned, addresses, keep)


def _line(address: str, out: Out, ahead: float) -> str:
    until = "-" if out.until == FOR_EVER else str(math.ceil(out.until + ahead))
    return f"{address} {keys.ticket_form(out.key)} {until}"


def _read(line: str, ahead: float) -> tuple[str, Out]:
    address, key, until = line.split()
    if network(address) != address:
        raise ValueError
    return address, Out(FOR_EVER if until == "-" else int(until) - ahead, keys.read_key(key))
