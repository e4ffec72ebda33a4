"""Limits of clients and addresses. Keys are free, so addresses are limited, too. Times are monotonic seconds.
An empty address is unknown, and not counted.
"""

from __future__ import annotations

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from cave.protocol import Absence
from cave.wire import MAX_MESSAGE

KIB = 1024
MIB = 1024 * KIB
HOUR = 3600


CROWD = 5
"""Message limit of an address, in multiples of a client's. Beyond it, seat holders there may send as many
again.
"""
OWN = (2.0, 10.0)
"""Messages per second, and at once, for a connection whose address has sent too many. It starts with none, as
new keys are free.
"""


class Setting(Struct, frozen=True):
    """The range of a limit that an owner can set, in its ``unit``."""

    least: int
    most: int
    unit: int = 1


class Limits(Struct, frozen=True):
    """The limits of a host. Its owner can set those with a ``Setting``; ``cave host --help`` explains them.
    Limits of an address do not apply to the owner.

    All clients of an address together may send ``CROWD`` times the messages of one, and a connection eight
    times its ``flow`` at once. After ``patience`` more refused messages a client is ignored for ``ban``
    seconds. A connection silent for ``forget`` seconds is forgotten if it holds no seat. A quiet table sends
    a beat every ``beat`` seconds. Up to ``departed`` former clients are remembered. A game ends before
    ``actions`` actions if they are very long. Above ``memory`` bytes the host closes connections without a
    seat. ``absence`` is the default rule for absent players.
    """

    rate: Annotated[float, Setting(1, 10**6)] = 20.0
    burst: Annotated[float, Setting(1, 10**6)] = 60.0
    message: Annotated[int, Setting(4, 1024, KIB)] = MAX_MESSAGE
    flow: Annotated[float, Setting(64, 10**6, KIB)] = 1.0 * MIB
    ban: Annotated[float, Setting(0, 10**6)] = 30.0
    silence: Annotated[float, Setting(5, 10**6)] = 10.0
    links: Annotated[int, Setting(2, 10**5)] = 512
    links_each: Annotated[int, Setting(1, 10**5)] = 64
    tables: Annotated[int, Setting(1, 10**5)] = 64
    tables_each: Annotated[int, Setting(1, 10**5)] = 16
    seats_each: Annotated[int, Setting(1, 10**5)] = 32
    tables_address: Annotated[int, Setting(1, 10**5)] = 8
    seats_address: Annotated[int, Setting(1, 10**5)] = 40
    bots_address: Annotated[int, Setting(0, 10**5)] = 16
    memory: Annotated[int, Setting(16, 10**6, MIB)] = 512 * MIB
    replies_each: Annotated[int, Setting(4, 10**6, KIB)] = 64 * KIB
    replies_address: Annotated[int, Setting(4, 10**6, KIB)] = 1 * MIB
    replies: Annotated[int, Setting(4, 10**6, KIB)] = 8 * MIB
    expire: Annotated[float, Setting(0, 10**5, HOUR)] = 24.0 * HOUR
    shelved: Annotated[int, Setting(0, 10**5)] = 256
    shelved_address: Annotated[int, Setting(0, 10**5)] = 32
    actions: Annotated[int, Setting(100, 10**6)] = 5000
    records: Annotated[int, Setting(1, 10**6, MIB)] = 256 * MIB
    records_address: Annotated[int, Setting(1, 10**6, MIB)] = 16 * MIB
    patience: float = 100.0
    forget: float = 300.0
    beat: float = 2.0
    departed: int = 1024
    watchers_chat: bool = False
    guests_open: bool = True
    absence: Absence = Absence()


SETTINGS: Mapping[str, Setting] = {
    name.replace("_", "-"): kind.__metadata__[0]
    for name, kind in get_type_hints(Limits, include_extras=True).items()
    if hasattr(kind, "__metadata__")
}


def with_settings(limits: Limits, words: Iterable[str]) -> Limits:
    """Apply settings such as ``rate=40``; raises ValueError with one sentence."""
    for word in words:
        name, _, number = word.partition("=")
        setting = SETTINGS.get(name)
        if setting is None:
            raise ValueError(f"There is no limit {name!r}. The limits are {', '.join(SETTINGS)}.")
        if not re.fullmatch("[0-9]{1,9}", number) or not setting.least <= int(number) <= setting.most:
            raise ValueError(f"The limit {name} must be a number from {setting.least} to {setting.most}.")
        change: dict[str, Any] = {name.replace("-", "_"): int(number) * setting.unit}
        limits = replace(limits, **change)
    return limits


class TokenBucket:
    """A token bucket: gains ``rate`` tokens per second, up to ``burst``. It starts full, or with ``left``."""

    def __init__(self, rate: float, burst: float, now: float, left: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst if left is None else left
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; return False and take none if there are too few."""
        self._left = min(self._burst, self._left + max(0.0, now - self._at) * self._rate)
        self._at = now
        if self._left < tokens:
            return False
        self._left -= tokens
        return True


K = TypeVar("K")
V = TypeVar("V")

REMEMBERED = 4096  # clients, addresses or connections to remember


class Recent(OrderedDict[K, V]):
    """A dict of bounded size that drops the entries set longest ago."""

    def __init__(self, most: int = REMEMBERED) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


@lru_cache(maxsize=REMEMBERED)
def address_key(text: str) -> str:
    """Return the address as a key for counting: IPv4 as it is, IPv6 by /64 network, link-local with its
    interface.
    """
    digits, _, zone = text.partition("%")
    try:
        address = ipaddress.ip_address(digits)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if address.is_link_local:
            return f"{address}%{zone}" if zone else str(address)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def parse_network(text: str) -> str:
    """Parse an address or /64 network into the key for counting; "" if it is neither."""
    digits, slash, length = text.partition("/")
    return "" if slash and (length != "64" or ":" not in digits) else address_key(digits)


@lru_cache(maxsize=REMEMBERED)
def site_of(address: str) -> str:
    """Return the site whose limits this address shares: a customer often has a whole /56 (RFC 6177)."""
    digits, slash, _ = address.partition("/")
    return str(ipaddress.ip_network((digits, 56), strict=False)) if slash else address


def is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


class TokenBuckets:
    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: Recent[str, TokenBucket] = Recent()

    def take(self, address: str, now: float, tokens: float = 1.0) -> bool:
        if not address:
            return True
        address = site_of(address)
        self._buckets[address] = bucket = self._buckets.get(address) or TokenBucket(self._rate, self._burst, now)
        return bucket.take(now, tokens)


FREE_GUESSES = 5  # wrong codes without a wait, for typos
FIRST_WAIT = 2.0
"""Seconds of the first wait; each further one is twice as long."""
LONGEST_WAIT = 300.0


class CodeGuesses:
    """Counts wrong codes by table and address; ignores an unknown (empty) address."""

    def __init__(self) -> None:
        self._tries: Recent[tuple[str, str], tuple[int, float]] = Recent()

    def wait_for_guess(self, table: str, address: str, now: float) -> float:
        """Return the seconds until this address may try a code at this table; 0 for now."""
        _, until = self._tries.get((table, address), (0, 0.0))
        return max(0.0, until - now)

    def note_wrong_code(self, table: str, address: str, now: float) -> None:
        if not address:
            return
        wrong, until = self._tries.get((table, address), (0, 0.0))
        if wrong >= FREE_GUESSES:
            # Bounded, or the exponent would overflow.
            until = now + min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(wrong - FREE_GUESSES, 30))
        self._tries[table, address] = wrong + 1, until

    def note_right_code(self, table: str, address: str) -> None:
        self._tries.pop((table, address), None)
