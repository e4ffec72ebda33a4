"""How much a client may ask of a host, and how often. Times are seconds of any monotonic clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cave.protocol import MAX_MESSAGE, Absence

KIB = 1024
MIB = 1024 * KIB
HOUR = 3600


CROWD = 5
"""How many times the messages of a client all clients at one address may send. Beyond that, those of them who
hold seats may send as many again.
"""
OWN = (2.0, 10.0)
"""Messages a second, and at once, for a connection whose address has sent too many. It has none at first, as
new keys cost nothing, but time does.
"""


class Limits(Struct, frozen=True):
    """The limits of a host.

    A client may send ``rate`` messages a second, with bursts of ``burst``, and an address ``CROWD`` times
    as many. After ``patience`` more refused messages a client is ignored for ``ban`` seconds. A
    connection silent for ``silence`` seconds is checked, and after ``forget`` seconds forgotten if it
    holds no seat. A quiet table sends a beat every ``beat`` seconds. A host has room for ``tables`` and
    ``links``; a client may have ``tables_each`` tables and ``seats_each`` seats at a time. The host
    recognises up to ``departed`` clients that come back. One address may have ``tables_address``
    unfinished tables with ``bots_address`` bots, and ``seats_address`` seats; the host's owner is not
    counted. With ``watchers_chat`` watchers may chat; with ``guests_open`` guests may open tables.
    ``absence`` is the rule for absent players at tables opened without one.

    A game that nobody has touched for ``expire`` seconds is shelved, unless that is 0; the host keeps the
    newest ``shelved`` games of this kind, and ``shelved_address`` of one address. A game ends without a
    result after ``actions`` actions, or sooner if they are very long. Records of guests' games take up to
    ``records`` bytes on disk, and ``records_address`` for one address.

    A message has at most ``message`` bytes. An address may have ``links_each`` connections to a port, and
    a connection may send ``flow`` bytes a second and eight times that at once. Above ``memory`` bytes the
    host ends connections that hold no seat. Replies are kept for repeated messages: ``replies_each``
    bytes for a client, ``replies_address`` for an address, and ``replies`` in all.
    """

    rate: float = 20.0
    burst: float = 60.0
    patience: float = 100.0
    ban: float = 30.0
    silence: float = 10.0
    forget: float = 300.0
    beat: float = 2.0
    tables: int = 64
    tables_each: int = 16
    tables_address: int = 8
    seats_each: int = 32
    seats_address: int = 40
    bots_address: int = 16
    links: int = 512
    departed: int = 1024
    watchers_chat: bool = False
    guests_open: bool = True
    absence: Absence = Absence()
    message: int = MAX_MESSAGE
    links_each: int = 64
    flow: float = 1.0 * MIB
    memory: int = 512 * MIB
    replies_each: int = 64 * KIB
    replies_address: int = 1 * MIB
    replies: int = 8 * MIB
    expire: float = 24.0 * HOUR
    shelved: int = 256
    shelved_address: int = 32
    actions: int = 5000
    records: int = 256 * MIB
    records_address: int = 16 * MIB


class Setting(Struct, frozen=True):
    """The range of a limit that an owner may set, in its ``unit``."""

    least: int
    most: int
    unit: int = 1


SETTINGS: Mapping[str, Setting] = {
    "rate": Setting(1, 10**6),
    "burst": Setting(1, 10**6),
    "message": Setting(4, 1024, KIB),
    "flow": Setting(64, 10**6, KIB),
    "ban": Setting(0, 10**6),
    "silence": Setting(5, 10**6),
    "links": Setting(2, 10**5),
    "links-each": Setting(1, 10**5),
    "tables": Setting(1, 10**5),
    "tables-each": Setting(1, 10**5),
    "seats-each": Setting(1, 10**5),
    "tables-address": Setting(1, 10**5),
    "seats-address": Setting(1, 10**5),
    "bots-address": Setting(0, 10**5),
    "memory": Setting(16, 10**6, MIB),
    "replies-each": Setting(4, 10**6, KIB),
    "replies-address": Setting(4, 10**6, KIB),
    "replies": Setting(4, 10**6, KIB),
    "expire": Setting(0, 10**5, HOUR),
    "shelved": Setting(0, 10**5),
    "shelved-address": Setting(0, 10**5),
    "actions": Setting(100, 10**6),
    "records": Setting(1, 10**6, MIB),
    "records-address": Setting(1, 10**6, MIB),
}
"""The limits that the owner of a host may set, by name."""


def chosen(limits: Limits, words: Iterable[str]) -> Limits:
    """Apply settings such as ``rate=40``; raises ValueError with one sentence."""
    for word in words:
        name, _, number = word.partition("=")
        setting = SETTINGS.get(name)
        if setting is None:
            raise ValueError(f"There is no limit {name!r}. The limits are {', '.join(SETTINGS)}.")
        if (
            not number.isascii()
            or not number.isdigit()
            or not setting.least <= int(number[:9]) <= setting.most
        ):
            raise ValueError(f"The limit {name} must be a number from {setting.least} to {setting.most}.")
        change: dict[str, Any] = {_field(name): int(number) * setting.unit}
        limits = replace(limits, **change)
    return limits


def usual(name: str) -> int:
    """Return the default of a limit, in its unit."""
    return int(getattr(Limits(), _field(name))) // SETTINGS[name].unit


def _field(name: str) -> str:
    return name.replace("-", "_")


class Bucket:
    """A token bucket: gains ``rate`` tokens a second, up to ``burst``. It starts full, or with ``left``."""

    def __init__(self, rate: float, burst: float, now: float, left: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst if left is None else left
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; False, and nothing taken, if there are not enough."""
        if not self.has(now, tokens):
            return False
        self._left -= tokens
        return True

    def has(self, now: float, tokens: float = 1.0) -> bool:
        """Return whether that many tokens are left; takes none."""
        self._left = min(self._burst, self._left + max(0.0, now - self._at) * self._rate)
        self._at = now
        return self._left >= tokens
