"""Cave vs Cave as a game of the contract (``cave.game``): each method calls a function of its module.

>>> state = CAVE_VS_CAVE.new(2, {}, "any text")
>>> CAVE_VS_CAVE.turn_json(state)
{'seat': 1, 'phase': 'take', 'era': 1, 'round': 1}
>>> action = CAVE_VS_CAVE.decode(state, 1, {"type": "take", "tile": "cultivation"})
>>> state = CAVE_VS_CAVE.apply(state, 1, action).state
>>> [CAVE_VS_CAVE.choice_json(choice)["action"]["type"] for choice in CAVE_VS_CAVE.choices(state, 1)][-2:]
['anytime', 'end_turn']
>>> CAVE_VS_CAVE.decode(state, 0, {"type": "end_turn"})
Traceback (most recent call last):
...
cave.game.Refused: It is not your turn (rule 3.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from cave import codec
from cave.cave_vs_cave import CaveVsCaveInfo, checks, rules, scoring
from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import choices as offers
from cave.cave_vs_cave import position as positions
from cave.cave_vs_cave import view as sight
from cave.cave_vs_cave.actions import ACTIONS, EVENTS, Action, Choice, Event, action_from_json, event_from_json
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.view import View
from cave.codec import within
from cave.game import BadData, Game, Json, Refusal


class CaveVsCave(CaveVsCaveInfo, Game[State, Action, Event, Choice, View]):
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    forms_rule: ClassVar[str] = "11"
    undo_stops_at: ClassVar[str] = "the room or tile turned up last"

    def new(self, seats: int, settings: Json, seed: str) -> State:
        """Return a new game (rules 2, 8.1 and 9.1)."""
        if seats not in self.seats:
            raise BadData("seats", "must be 1 or 2")
        with within("settings"):
            return rules.new(seats, rules.read_settings(settings, seats), seed)

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        """Return the settings in their shortest form (rule 10)."""
        return rules.settings_json(rules.read_settings(settings, seats))

    choices = staticmethod(offers.choices)
    attempts = staticmethod(offers.attempts)
    idle = staticmethod(offers.idle)
    apply = staticmethod(rules.apply)
    standing = staticmethod(scoring.standing)

    def sample(self, choice: Choice, rng: Random) -> Action:
        return choice.action

    def refusal(self, state: State, seat: int, action: Action) -> Refusal | None:
        why = checks.check_action(state, seat, action)
        return Refusal(codec.to_json(action), why.code, why.message) if why else None

    def check_turn(self, state: State, seat: int) -> None:
        """Raise Refused unless the seat is to act (rules 3.1 and 6.1)."""
        if refused := checks.check_seat(state, seat):
            raise refused

    def check_phase(self, state: State, data: Mapping[str, Json]) -> None:
        """Raise Refused unless the phase allows this type of action (rule 11)."""
        if refused := checks.check_action_suits_phase(state, data["type"]):
            raise refused

    def unreadable(self, data: Json, error: BadData) -> str:
        """Return the problem; this game has one sentence for data without a known type."""
        if error.field == "type":
            return "An action must be an object with a known type"
        return super().unreadable(data, error)

    def is_barrier(self, event: Event) -> bool:
        """Return whether a room or a tile was turned up."""
        return isinstance(event, (act.Excavated, act.Revealed, act.Drawn, act.TurnedUp, act.EraBegan))

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return sight.view(state, seat, self.called(names, len(state.players)))

    def may_offer(self, view: View, choice: Choice) -> bool:
        """Return whether a choice fits the phase and the seat."""
        return view.viewer in view.acting and not checks.check_action_suits_phase(view.cave, choice.action.type)

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return True: no player knows more than a watcher."""
        return True

    imagine = staticmethod(sight.imagine)

    def turn_json(self, state: State) -> Json:
        """Return seat, phase, era and round."""
        return {"seat": state.seat, "phase": state.phase, "era": state.era, "round": state.round}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)
    action_from_json = staticmethod(action_from_json)
    event_from_json = staticmethod(event_from_json)

    def choice_json(self, choice: Choice) -> Json:
        return codec.to_json(choice)

    def choice_from_json(self, data: Json) -> Choice:
        """Parse the public form of a choice; raises BadData."""
        return codec.parse(data, Choice)

    view_json = staticmethod(sight.view_to_json)
    view_from_json = staticmethod(sight.from_json)


CAVE_VS_CAVE = GAME = CaveVsCave()
