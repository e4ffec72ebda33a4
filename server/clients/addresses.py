"""Counting by address: keys are free, so limits apply to addresses.

An address is text as ``plain_address`` returns it. It is empty if not known, and then nothing is counted.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from functools import lru_cache

from server.clients.limits import Bucket

REMEMBERED = 4096
"""How many addresses have their buckets remembered."""


@lru_cache(maxsize=REMEMBERED)
def plain_address(text: str) -> str:
    """The address to count by: IPv4 as it is, IPv6 by /64 network, link-local with its interface."""
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
    """An address or IPv6 /64 network as people write it, in the form to count by; empty if it is neither."""
    digits, slash, length = text.partition("/")
    return "" if slash and (length != "64" or ":" not in digits) else plain_address(digits)


@lru_cache(maxsize=REMEMBERED)
def site(address: str) -> str:
    """The address whose limits this one shares. One customer often has all /64 networks of a /56 (RFC 6177),
    so these count as one.
    """
    digits, slash, _ = address.partition("/")
    return str(ipaddress.ip_network((digits, 56), strict=False)) if slash else address


class Shares:
    """Counts something that the addresses of a site may have at most ``each`` of, such as connections."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._taken: Counter[str] = Counter()

    def __getitem__(self, address: str) -> int:
        return self._taken[site(address)]

    def take(self, address: str, amount: int = 1) -> bool:
        """Take some more; False, and nothing taken, if that exceeds the limit."""
        if address and self[address] + amount > self._each:
            return False
        self.add(address, amount)
        return True

    def add(self, address: str, amount: int = 1) -> None:
        """Count some more, whatever the limit."""
        if address:
            self._taken[site(address)] += amount

    def give_back(self, address: str, amount: int = 1) -> None:
        """Count some less."""
        address = site(address)
        self._taken[address] -= amount
        if self._taken[address] <= 0:
            del self._taken[address]


class Buckets:
    """A token bucket for each site, for things that its addresses may do only so often."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; False, and nothing taken, if there are not enough."""
        if not address:
            return True
        address = site(address)
        bucket = self._buckets.setdefault(address, Bucket(self._rate, self._burst, now))
        self._buckets.move_to_end(address)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.take(now, tokens)

    def has(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Whether that many tokens are left; takes none."""
        bucket = self._buckets.get(site(address))
        return bucket is None or bucket.has(now, tokens)
