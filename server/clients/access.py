"""Who may connect: answers requests of ZeroMQ's authentication protocol (ZAP, RFC 27).

A client needs a CURVE key, must not be banned, and must be invited if the host is for invited people only.
No socket and no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cave import keys
from server.clients.addresses import Buckets, plain_address, site
from server.clients.bans import Bans
from server.clients.limits import Recent
from server.clients.routing_ids import RoutingIds
from server.logs import Counts

DOMAIN = b"cave"
LET_IN, LATER, KEPT_OUT = b"200", b"300", b"400"
"""ZAP status codes. After 300 the client's libzmq silently retries; after 400 the client learns that it is
refused.
"""
VERSION = b"1.0"
OFFENCES = (0.1, 8.0)
"""How many connections of one address may be ended for what they send, a second and at once, before the whole
address is refused for a while. A household has only a few bad programs.
"""
TRYING = 2.0
"""Seconds a newcomer has to keep trying while its address is held off. New keys cost nothing, but time does.
"""
NEWCOMERS = (1.0, 4.0)
"""How many of these newcomers then get in from one address, a second and at once."""
WELCOME = 60.0
"""Seconds in which they may reconnect without waiting."""
RETURN = 1.0
"""Seconds a seat's holder is refused: no longer than it takes to reconnect."""


class Access:
    """Decides who may connect: the clients in ``invited`` (None: everybody), except for the ``bans``.

    Clients whose key ``keeps`` accepts hold a seat or own the host. They are never refused because of their
    address. Others have to keep trying for a while if their address is held off.
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
        self.ids = RoutingIds()
        """The routing ids of those who were let in."""
        self._out_until: Recent[str, float] = Recent()
        self._offences = Buckets(*OFFENCES)
        self._trying_since: Recent[str, float] = Recent()
        self._welcome_until: Recent[str, float] = Recent()
        self._newcomers = Buckets(*NEWCOMERS)

    def allows(self, key: str, now: float, address: str = "") -> bool:
        """Return whether the client with this key may connect now from this address."""
        return self.status(key, now, address) == LET_IN

    def status(self, key: str, now: float, address: str = "") -> bytes:
        """Return the ZAP status for a client with this key that connects from this address now."""
        if key in self._bans.keys or self._out_until.get(key, now) > now:
            self._counts.add("zap_banned")
            return KEPT_OUT
        if self._invited is not None and key not in self._invited:
            self._counts.add("zap_uninvited")
            return KEPT_OUT
        if not self._keeps(key):
            if self._bans.is_out(address, now):
                self._counts.add("zap_address")
                return KEPT_OUT
            if self._out_until.get(site(address), now) > now and not self._welcomes(key, address, now):
                self._counts.add("zap_address")
                return LATER
        self._counts.add("zap_allowed")
        return LET_IN

    def _welcomes(self, key: str, address: str, now: float) -> bool:
        """Return whether a newcomer gets in while its address is held off: a household shares one."""
        self._trying_since[key] = since = self._trying_since.get(key, now)
        if self._welcome_until.get(key, now) <= now and (
            now - since < TRYING or not self._newcomers.take(address, now)
        ):
            return False
        self._welcome_until[key] = now + WELCOME
        return True

    def holds_off(self, address: str, now: float) -> bool:
        """Return whether newcomers from this address are refused now."""
        return self._bans.is_out(address, now) or self._out_until.get(site(address), now) > now

    def hold_off(self, who: str, until: float) -> None:
        """Refuse a client's key or an address for a while."""
        self._out_until[who] = until

    def offended(self, key: str, address: str, now: float, seconds: float) -> None:
        """Refuse a client for a while after it was disconnected for what it sent. If that happens too often
        at one address, hold off the address as well, because new keys are free.
        """
        if key:
            self._trying_since.pop(key, None)
            self._welcome_until.pop(key, None)
            self.hold_off(key, now + (min(RETURN, seconds) if self._keeps(key) else seconds))
        if address and not self._offences.take(address, now):
            self._counts.add("addresses_held_off")
            self.hold_off(site(address), now + seconds)

    def ban(self, key: str, address: str, until: float, now: float) -> None:
        """Ban a client's key, and an address (if any) until then; raises OSError."""
        self._bans.ban(key, now, address, until)

    def pardon(self, key: str, address: str) -> None:
        """Lift the ban on a key or on an address; raises OSError."""
        for each in (key, site(address)):
            self._out_until.pop(each, None)
        self._bans.pardon(key, address)

    def answer(self, request: Sequence[bytes], now: float) -> list[bytes]:
        """Return the reply to a ZAP request. A malformed request is refused."""
        number = request[1] if len(request) > 1 else b""
        if len(request) != 7 or request[0] != VERSION or request[2] != DOMAIN:
            return [VERSION, number, b"500", b"unknown request", b"", b""]
        mechanism, key = request[5:]
        if mechanism != b"CURVE" or len(key) != keys.SIZE:
            self._counts.add("zap_unencrypted")
            return [VERSION, number, KEPT_OUT, b"no access", b"", b""]
        client, address = keys.to_z85(key), plain_address(request[3].decode("ascii", "replace"))
        status = self.status(client, now, address)
        if status != LET_IN:
            return [VERSION, number, status, b"no access", b"", b""]
        return [VERSION, number, status, b"OK", client.encode(), self.ids.metadata(client)]
