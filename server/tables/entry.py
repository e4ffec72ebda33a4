"""An entry of the journal: one event at a table, as it is kept."""

from __future__ import annotations

from msgspec import Struct

from cave.game import Json


class Entry(Struct, frozen=True):
    """One event at a table. ``kind`` is ``opened``, ``sat``, ``resumed``, ``stood``, ``started``, ``acted``,
    ``undid``, ``handed``, ``resigned``, ``ended``, ``said``, ``set_aside``, ``shelved``, ``reopened`` or
    ``rematch``; ``data`` is what is needed to repeat it, and ``seq`` the table's step after it. ``retraced``
    stands for steps of a seat that it undid. ``folded`` is many events in one entry, compressed; ``story``
    (versions 2 to 5) is the same uncompressed, from the opening on. ``asked`` belongs to no table: it keeps
    the message ids that a client used.
    """

    table: str
    kind: str
    data: Json
    seq: int = 0

    @property
    def steps(self) -> int:
        """The number of the table's steps in it."""
        if self.kind == "story":
            return self.seq
        return int(self.data["steps"]) if self.kind in ("retraced", "folded") else int(self.kind in STEPS)


STEPS = ("started", "acted", "undid")
"""The kinds that raise the table's step by one."""
