"""The Caves of Casadh as a game of the contract (``cave.game``): each method calls a function of its module.

>>> state = CAVES_OF_CASADH.new(3, {"die_sides": 8}, "two")
>>> CAVES_OF_CASADH.turn_json(state)
{'seat': 1, 'mp': 4, 'phase': 'actions', 'round': 1}
>>> action = CAVES_OF_CASADH.decode(state, 1, {"type": "explore", "to": [0, -1]})
>>> [event.type for event in CAVES_OF_CASADH.apply(state, 1, action).events]
['hex_drawn']
>>> CAVES_OF_CASADH.decode(state, 0, {"type": "end_turn"})
Traceback (most recent call last):
...
cave.game.Refused: It is not your turn (rule 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from cave.caves_of_casadh import CavesOfCasadhInfo, legal, rules, scoring
from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import position as positions
from cave.caves_of_casadh import view as sight
from cave.caves_of_casadh.actions import ACTIONS, EVENTS, Action, Choice, Collecting, Event, event_from_json
from cave.caves_of_casadh.state import State
from cave.caves_of_casadh.view import View
from cave.codec import within
from cave.game import Game, Json, Refusal, refusal_of


class CavesOfCasadh(CavesOfCasadhInfo, Game[State, Action, Event, Choice, View]):
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    forms_rule: ClassVar[str] = "11"
    undo_stops_at: ClassVar[str] = "the last hex, card or treasure drawn, or the last roll"
    secret_choices: ClassVar[bool] = True
    """The treasures to choose from are secret (rule 6.3)."""

    def new(self, seats: int, settings: Json, seed: str) -> State:
        with within("settings"):
            chosen = rules.read_settings(settings)
        return rules.new(seats, chosen, seed)

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        return rules.settings_json(rules.read_settings(settings))

    choices = staticmethod(legal.choices)
    sample = staticmethod(legal.sample)
    idle = staticmethod(legal.idle)
    attempts = staticmethod(legal.attempts)
    apply = staticmethod(rules.apply)
    standing = staticmethod(scoring.standing)

    def refusal(self, state: State, seat: int, action: Action) -> Refusal | None:
        why = legal.refusal(state, seat, action)
        return refusal_of(action, why.code, why.message) if why else None

    def check_turn(self, state: State, seat: int) -> None:
        if refused := legal.why_out_of_turn(state, seat):
            raise refused

    def check_phase(self, state: State, data: Mapping[str, Json]) -> None:
        if refused := legal.why_out_of_phase(state, data["type"]):
            raise refused

    def spelled_out(self, choice: Choice) -> Iterable[Action]:
        if not isinstance(choice, Collecting):
            return (choice.action,)
        sizes = range(1, len(choice.items) + 1)
        return [act.CollectItems(part) for size in sizes for part in combinations(choice.items, size)]

    def facts(self, state: State, seat: int) -> Mapping[str, float]:
        return {**super().facts(state, seat), "out": state.players[seat].state == "out"}

    def is_barrier(self, event: Event) -> bool:
        """Return whether something was drawn or rolled, or all treasures are revealed (rule 6.3)."""
        return isinstance(event, (act.HexDrawn, act.CardDrawn, act.Rolled, act.TreasuresDrawn, act.GameOver))

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return sight.view(state, seat, self.called(names, len(state.players)))

    def review(self, state: State, names: Sequence[str] = ()) -> View:
        return sight.view(state, None, self.called(names, len(state.players)), over=True)

    may_know = staticmethod(sight.may_know)
    may_offer = staticmethod(sight.may_offer)
    sees_as_watcher = staticmethod(sight.knows_as_watcher)
    public_event = staticmethod(sight.public_event_of)
    imagine = staticmethod(sight.imagine)

    def turn_json(self, state: State) -> Json:
        return {"seat": state.seat, "mp": state.mp, "phase": state.phase, "round": state.round}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)
    action_from_json = staticmethod(act.action_from_json)
    choice_json = staticmethod(act.choice_json)
    choice_from_json = staticmethod(act.choice_from_json)
    event_from_json = staticmethod(event_from_json)
    view_json = staticmethod(sight.view_to_json)
    view_from_json = staticmethod(sight.from_json)


CAVES_OF_CASADH = GAME = CavesOfCasadh()
