"""What players agree on beside the game itself: what one of them asks for, and bots that do not pause.

Neither outlives the host.
"""

from __future__ import annotations

from msgspec import Struct

from cave import protocol


class Proposal(Struct, frozen=True):
    """A question of the player on ``seat`` to the others; ``waits_for``: who has not answered. ``at`` is when
    it was asked, and ``since`` when the player asked the first of several questions in a row.
    """

    number: int
    seat: int
    what: protocol.Wish
    level: str
    until: protocol.Until
    waits_for: frozenset[int]
    at: float = 0.0
    since: float = 0.0

    def public(self) -> protocol.ProposalLine:
        """Return what all may know of it."""
        return protocol.ProposalLine(
            self.number, self.seat, self.what, self.level, self.until, sorted(self.waits_for)
        )


class Hurry(Struct, frozen=True):
    """Bots do not pause ``until`` it is the turn of ``seat``, or until the end."""

    until: protocol.Until
    seat: int
