"""Wrong table codes: after a few from one address, each further try has to wait longer."""

from __future__ import annotations

import attrs

from server.clients.recent import Recent

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
