"""The active team's supplies, and whether its consumables last: data for the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from cave.the_cave.game import View
from cave.the_cave.routes import Route
from cave.the_cave.state import State
from client.present import scene
from client.table import LogLine, TableState
from client.wording import count

# The last rounds: the turns left for each team, and whether it can get home (rules 7.1 to 7.3)


class SuppliesCountdown(msgspec.Struct, frozen=True):
    """The turns left for a team after the end trigger.

    ``left`` are its remaining turns, ``needs`` the turns to get home (None: no way), both with the current
    one; ``needs`` is 0 on the base.
    """

    left: int
    needs: int | None

    @property
    def is_too_late(self) -> bool:
        return self.needs is None or self.needs > self.left

    @property
    def short(self) -> str:
        """In six cells: ``base``, ``late``, or ``2 of 3``, two turns needed of three."""
        if self.needs == 0:
            return "base"
        return "late" if self.is_too_late else f"{self.needs} of {self.left}"

    @property
    def words(self) -> str:
        """Whether the team can get home, as part of a sentence."""
        if self.needs is None:
            return "no way home with what it carries"
        if self.needs == 0:
            return "is home"
        way = f"home in {count(self.needs, 'turn')}"
        return f"{way}: too late" if self.is_too_late else f"{way}: just in time" if self.needs == self.left else way


def end_is_near(before: State, now: State) -> bool:
    return before.turns_left is None and now.turns_left is not None and now.phase != "over"


def turns_left(cave: State, seat: int) -> int | None:
    """Return the turns left for this seat, with the current one; None before the end trigger."""
    if cave.turns_left is None or cave.seat is None:
        return None
    seats = len(cave.teams)
    ahead = (seat - cave.seat) % seats
    return max(0, -(-(cave.turns_left - ahead) // seats))


def last_rounds(cave: State) -> str:
    """Return ``LAST 3 ROUNDS`` with the current one, ``LAST ROUND``; nothing before the end trigger."""
    if cave.turns_left is None:
        return ""
    rounds = -(-cave.turns_left // len(cave.teams))
    return "LAST ROUND" if rounds == 1 else f"LAST {rounds} ROUNDS"


def end_warning(view: View, log: Sequence[LogLine]) -> str:
    cave = view.cave
    reason = next((line.event["reason"] for line in reversed(log) if line.event["type"] == "end_triggered"), "")
    why = {
        "last_tile": "The last tile of the cave is placed.",
        "sealed": "The cave is sealed: nothing more can be discovered.",
    }.get(reason, "The end of the game is near.")
    how_long = (
        "Each team has one more turn after this one."
        if cave.settings.final_phase == "one_turn"
        else "This round is played to its end, then three more."
    )
    what_counts = (
        "Teams that are not on the home base by then score nothing."
        if cave.settings.stranded_score_nothing
        else "Teams that are not home by then score as usual."
    )
    return f"THE END IS NEAR: {why} {how_long}\n{what_counts}"


Mode = Literal["packing", "acting", "placing", "starving", "waiting", "watching", "over"]


def mode(state: TableState, seat: int) -> Mode:
    if state.view.cave.phase == "over" or state.ended:
        return "over"
    if not state.my_seats:
        return "watching"
    phase: Mode | Literal["actions"] = scene.view_for(state, seat).cave.phase
    if phase == "packing":
        return "packing"
    if not state.choices.get(seat):
        return "waiting"
    return "acting" if phase == "actions" else phase


LAST = "LAST ROUNDS: "


class Supplies(msgspec.Struct, frozen=True):
    """Consumables and the way home (rule 3.1), and the countdown of the end (rule 7.2).

    ``home_ap`` is the cheapest way home in AP, None if there is none. ``home_turns`` are the turns it takes
    after the current one (``running``), or in all while others play; ``eats`` the upkeep in consumables on
    the way. ``turns_left`` are the team's remaining turns, with the current one.
    """

    consumables: int
    at_base: bool
    running: bool
    home_ap: int | None
    home_turns: int
    eats: int
    turns_left: int | None
    forced: int = 0  # the forced moves to the base, one per turn, without food (rule 3.2)
    starving: bool = False

    @property
    def supplies_run_short(self) -> bool:
        """Whether the consumables do not last for the way home."""
        return not self.at_base and (self.home_ap is None or self.consumables < self.eats)

    @property
    def final_countdown(self) -> SuppliesCountdown | None:
        if self.turns_left is None:
            return None
        if self.at_base:
            return SuppliesCountdown(self.turns_left, 0)
        return SuppliesCountdown(self.turns_left, None if self.home_ap is None else self.home_turns + self.running)

    @property
    def is_too_late(self) -> bool:
        return self.final_countdown is not None and self.final_countdown.is_too_late

    @property
    def text(self) -> str:
        """Everything in one line: in the last rounds turns against distance first."""
        consumables = count(self.consumables, "consumable") if self.consumables else "no consumables"
        way = f"{self.way_home_words}: {self.verdict_words}" if self.verdict_words else self.way_home_words
        if self.final_countdown is None:
            return f"{consumables}, {way}"
        left = f"{count(self.final_countdown.left, 'turn')} left" if self.final_countdown.left else "no turn left"
        return f"{LAST}{left}, {way}; {consumables}"

    @property
    def shorter_texts(self) -> tuple[str, ...]:
        """The line in ever shorter forms: the header also has the last rounds, and consumables come last."""
        short = self.text.removeprefix(LAST)
        found = (self.text, short, short.rpartition("; ")[0], self.verdict_words)
        return tuple(text for text in found if text)

    @property
    def verdict_words(self) -> str:
        """The verdict: ``just enough``, ``too few consumables``; nothing if they last."""
        if self.at_base:
            return ""
        if self.is_too_late:
            return "too late to get home"
        if self.home_ap is None:
            return ""
        if self.starving:
            return "starving"
        if self.supplies_run_short:
            return "too few consumables" if self.consumables else "starving from the next turn on"
        if self.final_countdown is not None:
            return "just in time" if self.final_countdown.needs == self.final_countdown.left else ""
        if not self.consumables:
            return "be home this turn"
        return "just enough" if self.consumables == self.eats else ""

    @property
    def way_home_words(self) -> str:
        if self.at_base:
            return "at the base"
        if self.home_ap is None:
            return "no way home with what is carried"
        if self.final_countdown is not None:
            needs = self.final_countdown.needs or 0
            turns = "this turn" if self.running and not self.home_turns else count(needs, "turn")
            return f"home in {turns} ({self.home_ap} AP)"
        if self.forced:
            return f"home in {count(self.forced, 'forced move')}"
        more = f", {count(self.home_turns, 'more turn')}" if self.home_turns else ""
        return f"home {self.home_ap} AP{more}"


def supplies_of_team(cave: State, seat: int, home: Route | None) -> Supplies:
    team = cave.teams[seat]
    legs = () if home is None or team.backpack.consumable else home.legs
    return Supplies(
        consumables=team.backpack.consumable,
        at_base=cave.board[team.at].kind == "base",
        running=cave.seat == seat and cave.phase != "packing",
        home_ap=None if home is None else home.ap,
        home_turns=0 if home is None else home.turns,
        eats=0 if home is None else home.eats,
        turns_left=turns_left(cave, seat),
        forced=len(legs) if all(leg.by == "force" for leg in legs) else 0,
        starving=cave.seat == seat and cave.phase == "starving",
    )
