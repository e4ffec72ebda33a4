"""Counting by address: keys are free, so limits apply to addresses.

An address is text as ``plain_address`` returns it. It is empty if not known, and then nothing is counted.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache

import attrs

from server.clients.limits import REMEMBERED, Bucket, Recent


@lru_cache(maxsize=REMEMBERED)
def plain_address(text: str) -> str:
    """Return the address to count by: IPv4 as it is, IPv6 by /64 network, link-local with its interface."""
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


def network(text: str) -> str:
    """Return an address or /64 network as people write it in the form to count by; empty if neither."""
    digits, slash, length = text.partition("/")
    return "" if slash and (length != "64" or ":" not in digits) else plain_address(digits)


@lru_cache(maxsize=REMEMBERED)
def site(address: str) -> str:
    """Return the address whose limits this one shares. One customer often has all /64 networks of a /56 (RFC
    6177), so these count as one.
    """
    digits, slash, _ = address.partition("/")
    return str(ipaddress.ip_network((digits, 56), strict=False)) if slash else address


def is_loopback(address: str) -> bool:
    """Return whether this is an address of the machine itself."""
    return address == "::1" or address.startswith("127.")


class Buckets:
    """A token bucket for each site, for things that its addresses may do only so often."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: Recent[str, Bucket] = Recent()

    def take(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; False, and nothing taken, if there are not enough."""
        if not address:
            return True
        address = site(address)
        self._buckets[address] = bucket = self._buckets.get(address) or Bucket(self._rate, self._burst, now)
        return bucket.take(now, tokens)

    def has(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Return whether that many tokens are left; takes none."""
        bucket = self._buckets.get(site(address))
        return bucket is None or bucket.has(now, tokens)


FREE = 5
"""Wrong codes without a wait, because people mistype."""
FIRST = 2.0
"""Seconds of the first wait. Each next wait is twice as long."""
LONGEST = 300.0


@attrs.define
class _Tries:
    wrong: int = 0
    until: float = 0.0


class Guesses:
    """Counts wrong codes by table and address. Times are seconds of any monotonic clock.

    Nothing is counted for an unknown (empty) address.
    """

    def __init__(self) -> None:
        self._tries: Recent[tuple[str, str], _Tries] = Recent()

    def wait(self, table: str, address: str, now: float) -> float:
        """Return the seconds until this address may try a code at this table; 0 if it may now."""
        tries = self._tries.get((table, address))
        return 0.0 if tries is None else max(0.0, tries.until - now)

    def wrong(self, table: str, address: str, now: float) -> None:
        """Count a wrong code."""
        if not address:
            return
        self._tries[table, address] = tries = self._tries.get((table, address)) or _Tries()
        tries.wrong += 1
        if tries.wrong > FREE:
            # Bounded, because the exponent would overflow at some point.
            tries.until = now + min(LONGEST, FIRST * 2.0 ** min(tries.wrong - FREE - 1, 30))

    def right(self, table: str, address: str) -> None:
        """Forget the wrong codes, as this one was right."""
        self._tries.pop((table, address), None)
