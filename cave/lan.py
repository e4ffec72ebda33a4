"""A host's announcement on the local network, as a DNS-SD service (RFC 6763). No sockets here.

Anybody can announce anything: notices are cleaned for display, but trust them no more than an address from a
stranger.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from cave import games, keys, protocol, wire
from cave.game import BadData

SERVICE = "_cave-game._tcp.local."
VERSION = "1"
OFF = "off"
WHERE = "CAVE_MDNS"
"""The environment variable that restricts mDNS."""
NAME_BYTES = 120
"""Bytes of a host's name; a string of a TXT record has 255 bytes, including its key."""
MOST = 9999


class BadWhere(ValueError):
    """An invalid ``CAVE_MDNS``; the message is one sentence."""


class Notice(Struct, frozen=True):
    """A host's announcement: its name, its key in Z85 (empty if it does not encrypt), the protocol versions,
    and, of unfinished games, their names and the numbers of tables, free seats and watchers.
    """

    name: str
    key: str = ""
    protocol: tuple[int, int] = wire.VERSIONS
    games: tuple[str, ...] = ()
    tables: int = 0
    free: int = 0
    watchers: int = 0

    def to_txt(self) -> dict[str, str]:
        told = {
            "txtvers": VERSION,
            "protocol": "{}-{}".format(*self.protocol),
            "name": cut_to_bytes(self.name, NAME_BYTES),
            "games": ",".join(self.games),
            "tables": str(self.tables),
            "free": str(self.free),
            "watchers": str(self.watchers),
        }
        if self.key:
            told |= {"key": keys.key_for_ticket(self.key), "fingerprint": keys.fingerprint(self.key)}
        return told


def read_txt(strings: Mapping[bytes, bytes | None]) -> Notice:
    """Parse an untrusted TXT record; raises BadData."""
    told = {
        key.decode("ascii", "replace").lower(): (value or b"").decode("utf-8", "replace")
        for key, value in strings.items()
    }
    if told.get("txtvers") != VERSION:
        raise BadData("txtvers", f"must be {VERSION}")
    first, _, last = told.get("protocol", "").partition("-")
    name = wire.clean_text(told.get("name", ""))
    if not name:
        raise BadData("name", "must not be empty")
    try:
        key = keys.read_key(told["key"]) if told.get("key") else ""
    except ValueError:
        raise BadData("key", "is not a key") from None
    return Notice(
        cut_to_bytes(name, NAME_BYTES),
        key,
        (_parse_number(first, "protocol"), _parse_number(last, "protocol")),
        tuple(name for name in games.game_names() if name in told.get("games", "").split(",")),
        *(_parse_number(told.get(field, "0"), field) for field in ("tables", "free", "watchers")),
    )


def make_notice(name: str, key: str, tables: Iterable[protocol.TableLine]) -> Notice:
    """Return the notice of a host with this name, key (Z85) and these tables."""
    unfinished = [table for table in tables if table.status != "over"]
    free = sum(seat.kind == "open" for table in unfinished for seat in table.seats)
    return Notice(
        wire.clean_text(name) or "Cave host",
        key,
        games=tuple(sorted({table.game for table in unfinished})),
        tables=min(len(unfinished), MOST),
        free=min(free, MOST),
        watchers=min(sum(table.watchers for table in unfinished), MOST),
    )


def parse_mdns_addresses(text: str) -> tuple[str, ...] | None:
    """Parse ``CAVE_MDNS``: the addresses of this machine to use for mDNS; None if it is off. Empty if there
    is no restriction. Raises BadWhere for anything else.
    """
    if text.strip().lower() == OFF:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        return tuple(str(ipaddress.ip_address(part)) for part in parts)
    except ValueError:
        raise BadWhere(f"{WHERE} must be {OFF!r} or addresses of this machine, not {text!r}.") from None


def may_announce(listening: str, only: Sequence[str] = ()) -> bool:
    """Return whether to announce a host that listens at this numeric address (all zeros: everywhere). A host
    on loopback is announced only on request.
    """
    return listening in only or not ipaddress.ip_address(listening).is_loopback


def cut_to_bytes(text: str, size: int) -> str:
    """Truncate text to ``size`` bytes of UTF-8."""
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")


def _parse_number(text: str, field: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST))):
        raise BadData(field, f"must be a number from 0 to {MOST}")
    return int(text)
