"""How much a client may ask of a host, and how often. Times are in seconds of any steady clock."""

from __future__ import annotations

import attrs

from cave.protocol import Absence


@attrs.frozen
class Limits:
    """The bounds of a host.

    ``rate`` messages a second with bursts of ``burst``; a client that goes on for ``patience``
    refused messages more is not listened to for ``ban`` seconds. A link silent for ``silence`` is
    tried for life, and after ``forget`` forgotten if it holds no seat; a table where nothing happens
    sends a beat every ``beat``. A host has room for ``tables`` and ``links`` in all, a client opens
    ``tables_each`` and holds ``seats_each`` at a time; of ``departed`` clients it is remembered what
    they were told. With ``watchers_chat`` those who watch may talk, too;
    ``absence`` holds at tables that are opened without saying what is done for who is away.
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
    seats_each: int = 32
    links: int = 512
    departed: int = 256
    replies: int = 128
    reply_size: int = 1024
    watchers_chat: bool = False
    absence: Absence = Absence()


class Bucket:
    """A token bucket: ``rate`` tokens a second flow in, up to ``burst``."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take a token, or so many; False, and nothing taken, when there are not enough."""
        self._left = min(self._burst, self._left + max(0.0, now - self._at) * self._rate)
        self._at = now
        if self._left < tokens:
            return False
        self._left -= tokens
        return True
