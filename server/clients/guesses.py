"""Wrong codes: after a few at a table, whoever is at that address waits longer before each further try."""

from __future__ import annotations

from collections import OrderedDict

import attrs

FREE = 5
"""Wrong codes without a wait: people mistype."""
FIRST = 2.0
"""Seconds of the first wait; each is twice as long as the one before."""
LONGEST = 300.0
REMEMBERED = 4096
"""Pairs of table and address remembered at a time."""


@attrs.define
class _Tries:
    wrong: int = 0
    until: float = 0.0


class Guesses:
    """Counts wrong codes by table and address; times are seconds of any steady clock.

    Nothing is counted for the empty address, which is an unknown one.
    """

    def __init__(self) -> None:
        self._tries: OrderedDict[tuple[str, str], _Tries] = OrderedDict()

    def wait(self, table: str, address: str, now: float) -> float:
        """Seconds until this address may try a code at this table; 0 if it may now."""
        tries = self._tries.get((table, address))
        return 0.0 if tries is None else max(0.0, tries.until - now)

    def wrong(self, table: str, address: str, now: float) -> None:
        """Count a wrong code."""
        if not address:
            return
        tries = self._tries.setdefault((table, address), _Tries())
        self._tries.move_to_end((table, address))
        while len(self._tries) > REMEMBERED:
            self._tries.popitem(last=False)
        tries.wrong += 1
        if tries.wrong > FREE:
            # The exponent is bounded, as a number that grows without end would overflow.
            tries.until = now + min(LONGEST, FIRST * 2.0 ** min(tries.wrong - FREE - 1, 30))

    def right(self, table: str, address: str) -> None:
        """Forget the wrong codes: this was the right one."""
        self._tries.pop((table, address), None)
