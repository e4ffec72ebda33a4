"""An entry of the journal: one event at a table, as it is kept."""

from __future__ import annotations

from msgspec import Struct

from cave.game import Json


class Entry(Struct, frozen=True):
    """One event at a table. ``kind`` is ``opened``, ``sat``, ``resumed``, ``stood``, ``started``, ``acted``,
    ``undid``, ``handed``, ``resigned``, ``ended``, ``said``, ``set_aside``, ``shelved``, ``reopened`` or
    ``rematch``;
    ``data`` is what is needed to repeat it, and ``seq`` the table's step after it. ``retraced`` stands for
    steps of a seat that it undid. ``folded`` holds many events in one entry, compressed; so does the
    ``story`` of versions 2 to 5, from the opening on. ``asked`` belongs to no table: it keeps the message
    ids that a client used.
    """

    table: str
    kind: str
    data: Json
    seq: int = 0

    @property
    def steps(self) -> int:
        """By how many steps the table is further after it."""
        if self.kind == "story":
            return self.seq
        return int(self.data["steps"]) if self.kind in ("retraced", "folded") else int(self.kind in STEPS)


STEPS = ("started", "acted", "undid")
"""The kinds that raise the table's step by one."""
