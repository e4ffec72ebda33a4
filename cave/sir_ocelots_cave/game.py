"""Sir Ocelot's Cave as a game of the contract (``cave.game``): each method calls a function of its module.

>>> state = SIR_OCELOTS_CAVE.new(2, {"first": "seat_1"}, "any text")
>>> SIR_OCELOTS_CAVE.turn_json(state)
{'seat': 1, 'phase': 'advancing', 'turns_left': 32}
>>> action = SIR_OCELOTS_CAVE.decode(state, 1, {"type": "tool", "kind": "A", "side": "lamp", "at": [9, 4]})
>>> [event.type for event in SIR_OCELOTS_CAVE.apply(state, 1, action).events]
['tool_placed', 'turn_ended', 'turn_began']
>>> SIR_OCELOTS_CAVE.decode(state, 0, {"type": "collect", "gems": []})
Traceback (most recent call last):
...
cave.game.Refused: It is not your turn (rule 3.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from cave.codec import within
from cave.game import Form, Game, Json
from cave.sir_ocelots_cave import SirOcelotsCaveInfo, legal, rules, scoring
from cave.sir_ocelots_cave import position as positions
from cave.sir_ocelots_cave import view as sight
from cave.sir_ocelots_cave.actions import ACTIONS, EVENTS, Action, Choice, Collect, Collecting, Drew, Ended, Event
from cave.sir_ocelots_cave.state import TURNS, State
from cave.sir_ocelots_cave.view import View


class SirOcelotsCave(SirOcelotsCaveInfo, Game[State, Action, Event, Choice, View]):
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    forms: ClassVar[tuple[type[Form], ...]] = (Collecting,)
    forms_rule: ClassVar[str] = "8"
    longest: ClassVar[int | None] = 2 * TURNS + 4
    """Rule 3.1: a piece and a collection in each turn, and two advances of each companion."""
    undo_stops_at: ClassVar[str] = "the last amethyst drawn"

    def new(self, seats: int, settings: Json, seed: str) -> State:
        with within("settings"):
            chosen = rules.read_settings(settings)
        return rules.new(seats, chosen, seed)

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        return {**rules.settings_json(rules.read_settings(settings))}

    choices = staticmethod(legal.choices)
    sample = staticmethod(legal.sample)
    idle = staticmethod(legal.idle)
    check = staticmethod(legal.check_action)
    check_turn = staticmethod(legal.check_turn)
    apply = staticmethod(rules.apply)
    standing = staticmethod(scoring.standing)

    def check_phase(self, state: State, data: Mapping[str, Json]) -> None:
        legal.check_action_suits_phase(state, data["type"])

    def attempts(self, state: State, seat: int) -> list[Action]:
        return legal.attempts(state)

    def spelled_out(self, choice: Choice) -> Iterable[Action]:
        if not isinstance(choice, Collecting):
            return (choice,)
        sizes = range(len(choice.gems) + 1)
        return [Collect(part) for size in sizes for part in combinations(choice.gems, size)]

    def is_barrier(self, event: Event) -> bool:
        """Return whether an amethyst was drawn, or all are revealed at the end (rule 5.4)."""
        return isinstance(event, (Drew, Ended))

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return sight.view(state, seat, self.called(names, len(state.players)))

    def review(self, state: State, names: Sequence[str] = ()) -> View:
        return sight.view(state, None, self.called(names, len(state.players)), over=True)

    may_offer = staticmethod(sight.may_offer)
    sees_as_watcher = staticmethod(sight.knows_as_watcher)
    public_event = staticmethod(sight.public_event_of)
    imagine = staticmethod(sight.imagine)

    def turn_json(self, state: State) -> Json:
        return {"seat": state.seat, "phase": state.phase, "turns_left": state.turns_left}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)

    def choice_json(self, choice: Choice) -> Json:
        return _choice_json(choice)

    view_json = staticmethod(sight.view_to_json)
    view_from_json = staticmethod(sight.from_json)


@lru_cache(maxsize=4096)
def _choice_json(choice: Choice) -> Json:
    """Return the public form. Equal choices share one: do not change it."""
    return Game.choice_json(SIR_OCELOTS_CAVE, choice)


SIR_OCELOTS_CAVE = GAME = SirOcelotsCave()
