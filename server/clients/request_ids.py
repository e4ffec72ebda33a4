"""Rising message ids, and which of them a client has used. A message is carried out only once, however late
it is repeated, even if its reply is no longer kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from server.clients.limits import Recent

WINDOW = 128
"""How far messages may overtake each other: used ids are known this far below the newest."""
RUNS = 16
"""How many runs of a client's program are remembered, most recent first."""

_FORM = re.compile(r"([0-9A-Za-z]{8,32})#([1-9][0-9]{0,14})", re.ASCII)
_ALL = (1 << WINDOW) - 1


@attrs.define
class _Run:
    """The newest number used, and a bit for each number below it that was used."""

    newest: int = 0
    bits: int = 0

    def add(self, number: int) -> None:
        ahead = number - self.newest
        if ahead > 0:
            # Numbers more than WINDOW back fall out.
            self.bits = (self.bits << min(ahead, WINDOW)) & _ALL
            self.newest = number
        if self.newest - number < WINDOW:
            self.bits |= 1 << (self.newest - number)

    def has(self, number: int) -> bool:
        behind = self.newest - number
        return behind >= 0 and (behind >= WINDOW or bool(self.bits >> behind & 1))


class Asked:
    """The rising ids that a client has used. Other ids are ignored."""

    def __init__(self) -> None:
        self._runs: Recent[str, _Run] = Recent(RUNS)

    def add(self, message_id: str) -> None:
        """Note that the client has used this id."""
        found = _FORM.fullmatch(message_id)
        if found is not None:
            self._run(found[1]).add(int(found[2]))

    def __contains__(self, message_id: str) -> bool:
        """Return whether the client has used this id, or the id is out of date."""
        found = _FORM.fullmatch(message_id)
        return found is not None and found[1] in self._runs and self._runs[found[1]].has(int(found[2]))

    def __bool__(self) -> bool:
        """Return whether any is known."""
        return bool(self._runs)

    def runs(self) -> dict[str, list[int]]:
        """Return the newest number and the bits of each run, as JSON."""
        return {name: [run.newest, run.bits] for name, run in self._runs.items()}

    @classmethod
    def of_runs(cls, runs: Mapping[str, Sequence[int]]) -> Asked:
        """Make the ids from that JSON."""
        made = cls()
        made._runs.update((name, _Run(newest, bits)) for name, (newest, bits) in runs.items())
        return made

    def inherit(self, other: Asked) -> None:
        """Add the ids that the other has used."""
        for name, run in other._runs.items():
            here = self._run(name)
            old, new = sorted((run, attrs.evolve(here)), key=lambda each: each.newest)
            here.newest, here.bits = new.newest, new.bits
            here.bits |= old.bits << min(new.newest - old.newest, WINDOW) & _ALL

    def _run(self, name: str) -> _Run:
        self._runs[name] = run = self._runs.get(name) or _Run()
        return run


def run_of(message_id: str) -> str:
    """Return the run of the client's program that a message comes from; empty if its id does not say."""
    found = _FORM.fullmatch(message_id)
    return "" if found is None else found[1]
