"""Counting by address: keys are free, so what counts is where somebody comes from.

An address is text as ``plain_address`` makes it. The empty one stands for somebody whose address is not
known; nothing is counted for it.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from functools import lru_cache

from server.clients.limits import Bucket

REMEMBERED = 4096
"""Addresses whose buckets are remembered at a time."""


@lru_cache(maxsize=REMEMBERED)
def plain_address(text: str) -> str:
    """An address as one counts it: IPv4 as such, an IPv6 network (/64) as one, link-local by interface."""
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
    """An address as a person or a file names it, which may be an IPv6 network as above; empty for neither."""
    digits, slash, length = text.partition("/")
    return "" if slash and (length != "64" or ":" not in digits) else plain_address(digits)


class Shares:
    """How much each address has of something of which it may have ``each``, such as tables."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._taken: Counter[str] = Counter()

    def __getitem__(self, address: str) -> int:
        return self._taken[address]

    def take(self, address: str, amount: int = 1) -> bool:
        """Take so much more; False, and nothing taken, where that is more than an address may have."""
        if address and self._taken[address] + amount > self._each:
            return False
        self.add(address, amount)
        return True

    def add(self, address: str, amount: int = 1) -> None:
        """Count so much more, whatever an address may have."""
        if address:
            self._taken[address] += amount

    def give_back(self, address: str, amount: int = 1) -> None:
        """Count so much less."""
        self._taken[address] -= amount
        if self._taken[address] <= 0:
            del self._taken[address]


class Buckets:
    """A token bucket for each address: for what it may do so often, such as guess a code."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Take a token, or so many; False, and nothing taken, when there are not enough."""
        if not address:
            return True
        bucket = self._buckets.setdefault(address, Bucket(self._rate, self._burst, now))
        self._buckets.move_to_end(address)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.take(now, tokens)

    def has(self, address: str, now: float, tokens: float = 1.0) -> bool:
        """Whether so many tokens are left; takes none."""
        return address not in self._buckets or self._buckets[address].has(now, tokens)
