"""Who may connect: the answer to each request of ZeroMQ's authentication protocol (ZAP, RFC 27).

Only clients with a CURVE key get in, none that is banned, and on a host for invited people only they.
No socket and no clock in here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from cave import keys
from server.addresses import Buckets, plain_address
from server.bans import Bans
from server.stats import Counts

DOMAIN = b"cave"
VERSION = b"1.0"
REMEMBERED = 4096
"""Clients and addresses kept out for a while that are remembered at a time."""
OFFENCES = (0.1, 8.0)
"""How many connections of an address may be cut for what they send, a second and at once, before all who come
from there are kept out for a while: a household has but few bad programs.
"""
RETURN = 1.0
"""Seconds for which one is kept out who holds a seat: no longer than it takes to connect again."""


class Access:
    """The list at the door. ``invited`` None: everybody may come, but for the ``bans`` of the host's owner.

    Those whose key ``keeps`` knows, who hold a seat or own the host, are never kept out because of where they
    come from.
    """

    def __init__(
        self,
        *,
        invited: Iterable[str] | None = None,
        bans: Bans | None = None,
        keeps: Callable[[str], bool] = lambda _key: False,
        counts: Counts | None = None,
    ) -> None:
        self._invited = None if invited is None else frozenset(invited)
        self._bans = bans or Bans()
        self._keeps = keeps
        self._counts = counts or Counts()
        self._out_until: OrderedDict[str, float] = OrderedDict()
        self._offences = Buckets(*OFFENCES)

    def allows(self, key: str, now: float, address: str = "") -> bool:
        """Whether the client with this key may come in now from this address."""
        if key in self._bans.keys or self._out_until.get(key, now) > now:
            self._counts.add("zap_banned")
            return False
        if self.holds_off(address, now) and not self._keeps(key):
            self._counts.add("zap_address")
            return False
        if self._invited is not None and key not in self._invited:
            self._counts.add("zap_uninvited")
            return False
        self._counts.add("zap_allowed")
        return True

    def holds_off(self, address: str, now: float) -> bool:
        """Whether those who come from there are kept out now, but for some."""
        return self._bans.is_out(address, now) or self._out_until.get(address, now) > now

    def hold_off(self, who: str, until: float) -> None:
        """Keep a client, by its key, or an address out for a while."""
        self._out_until[who] = until
        self._out_until.move_to_end(who)
        while len(self._out_until) > REMEMBERED:
            self._out_until.popitem(last=False)

    def offended(self, key: str, address: str, now: float, seconds: float) -> None:
        """A client was cut for what it sent: keep it out for so long, and where that happens too often, its
        address, for keys are free.
        """
        if key:
            self.hold_off(key, now + (min(RETURN, seconds) if self._keeps(key) else seconds))
        if address and not self._offences.take(address, now):
            self._counts.add("addresses_held_off")
            self.hold_off(address, now + seconds)

    def ban(self, key: str, address: str, until: float, now: float) -> None:
        """Ban a client's key, and an address (unless it is empty) until then; raises OSError."""
        self._bans.ban(key, now, address, until)

    def pardon(self, key: str, address: str) -> None:
        """Lift the ban on a key or on an address; raises OSError."""
        for each in (key, address):
            self._out_until.pop(each, None)
        self._bans.pardon(key, address)

    def answer(self, request: Sequence[bytes], now: float) -> list[bytes]:
        """The reply to a ZAP request; what cannot be read is refused."""
        number = request[1] if len(request) > 1 else b""
        if len(request) != 7 or request[0] != VERSION or request[2] != DOMAIN:
            return [VERSION, number, b"500", b"unknown request", b"", b""]
        mechanism, key = request[5:]
        if mechanism != b"CURVE" or len(key) != keys.SIZE:
            self._counts.add("zap_unencrypted")
            return [VERSION, number, b"400", b"no access", b"", b""]
        client, address = keys.to_z85(key), plain_address(request[3].decode("ascii", "replace"))
        if not self.allows(client, now, address):
            return [VERSION, number, b"400", b"no access", b"", b""]
        return [VERSION, number, b"200", b"OK", client.encode(), b""]
