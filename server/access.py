"""Who may connect: the answer to each request of ZeroMQ's authentication protocol (ZAP, RFC 27).

Only clients with a CURVE key get in, none that is banned, and on a host for invited people only they.
No socket and no clock in here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from cave import keys
from server.stats import Counts

DOMAIN = b"cave"
VERSION = b"1.0"
REMEMBERED = 4096
"""Clients kept out for a while that are remembered at a time."""


class Access:
    """The list at the door. ``invited`` None: everybody may come; ``keep`` writes the banned down."""

    def __init__(
        self,
        *,
        invited: Iterable[str] | None = None,
        banned: Iterable[str] = (),
        keep: Callable[[frozenset[str]], None] = lambda _banned: None,
        counts: Counts | None = None,
    ) -> None:
        self._invited = None if invited is None else frozenset(invited)
        self._banned = frozenset(banned)
        self._keep = keep
        self._counts = counts or Counts()
        self._out_until: OrderedDict[str, float] = OrderedDict()

    def allows(self, key: str, now: float) -> bool:
        """Whether the client with this key may come in now."""
        if key in self._banned or self._out_until.get(key, now) > now:
            self._counts.add("zap_banned")
            return False
        if self._invited is not None and key not in self._invited:
            self._counts.add("zap_uninvited")
            return False
        self._counts.add("zap_allowed")
        return True

    def hold_off(self, key: str, until: float) -> None:
        """Keep a client out for a while."""
        self._out_until[key] = until
        self._out_until.move_to_end(key)
        while len(self._out_until) > REMEMBERED:
            self._out_until.popitem(last=False)

    def ban(self, key: str) -> None:
        """Keep a client out for ever; raises OSError where that can not be written down."""
        self._banned |= {key}
        self._keep(self._banned)

    def pardon(self, key: str) -> None:
        """Let a client in again; raises OSError where that can not be written down."""
        self._out_until.pop(key, None)
        self._banned -= {key}
        self._keep(self._banned)

    def answer(self, request: Sequence[bytes], now: float) -> list[bytes]:
        """The reply to a ZAP request; what can not be read is refused."""
        number = request[1] if len(request) > 1 else b""
        if len(request) != 7 or request[0] != VERSION or request[2] != DOMAIN:
            return [VERSION, number, b"500", b"unknown request", b"", b""]
        mechanism, key = request[5:]
        if mechanism != b"CURVE" or len(key) != keys.SIZE:
            self._counts.add("zap_unencrypted")
            return [VERSION, number, b"400", b"no access", b"", b""]
        client = keys.to_z85(key)
        if not self.allows(client, now):
            return [VERSION, number, b"400", b"no access", b"", b""]
        return [VERSION, number, b"200", b"OK", client.encode(), b""]
