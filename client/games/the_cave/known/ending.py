"""The last rounds: how many turns each team still has, and whether it can be home (rules 7.1 to 7.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cave.the_cave.state import State
from cave.the_cave.view import View
from client.present.wording import count
from client.table import LogLine


class Countdown(msgspec.Struct, frozen=True):
    """The turns left for a team once the end has been triggered.

    ``left`` are the turns it still has, ``needs`` those it takes to get home (None: there is no way),
    both with the running one; ``needs`` is 0 on the base.
    """

    left: int
    needs: int | None

    @property
    def late(self) -> bool:
        """Whether the team cannot be home when the game ends."""
        return self.needs is None or self.needs > self.left

    @property
    def short(self) -> str:
        """In five cells: ``base``, ``late``, or ``2/3``, two turns needed of three."""
        if self.needs == 0:
            return "base"
        return "late" if self.late else f"{self.needs}/{self.left}"

    @property
    def words(self) -> str:
        """Whether the team can be home, as a sentence would say it."""
        if self.needs is None:
            return "no way home with what it carries"
        if self.needs == 0:
            return "is home"
        way = f"home in {count(self.needs, 'turn')}"
        return f"{way}: too late" if self.late else f"{way}: just in time" if self.needs == self.left else way


def end_is_near(before: State, now: State) -> bool:
    """Return whether the end was triggered between these two states (rule 7.1)."""
    return before.turns_left is None and now.turns_left is not None and now.phase != "over"


def turns_left(cave: State, seat: int) -> int | None:
    """Return turns this seat still has, the running one included; None before the end is triggered."""
    if cave.turns_left is None or cave.seat is None:
        return None
    seats = len(cave.teams)
    ahead = (seat - cave.seat) % seats
    return max(0, -(-(cave.turns_left - ahead) // seats))


def last_rounds(cave: State) -> str:
    """Return ``LAST 3 ROUNDS`` with the running one, ``LAST ROUND``; nothing before the end is triggered."""
    if cave.turns_left is None:
        return ""
    rounds = -(-cave.turns_left // len(cave.teams))
    return "LAST ROUND" if rounds == 1 else f"LAST {rounds} ROUNDS"


def alarm(view: View, log: Sequence[LogLine]) -> str:
    """Return the words for the end that has just been triggered, as the log tells."""
    cave = view.cave
    reason = next(
        (line.event["reason"] for line in reversed(log) if line.event["type"] == "end_triggered"), ""
    )
    why = {
        "last_tile": "The last tile of the cave is placed.",
        "sealed": "The cave is sealed: nothing more can be discovered.",
    }.get(reason, "The end of the game is near.")
    how_long = (
        "Each team has one more turn after this one (rule 7.2)."
        if cave.settings.final_phase == "one_turn"
        else "This round is played to its end, then three more (rule 7.2)."
    )
    what_counts = (
        "Whoever is not on the home base by then scores nothing (rule 7.3)."
        if cave.settings.stranded_score_nothing
        else "Whoever is not home by then scores as usual."
    )
    return f"THE END IS NEAR: {why} {how_long}\n{what_counts}"
