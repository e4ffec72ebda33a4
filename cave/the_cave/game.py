"""The Cave as a game of the contract (``cave.game``): most methods are functions of its modules.

>>> state = THE_CAVE.new(2, {"edition": "french"}, "any text")
>>> for seat in (0, 1):
...     state = THE_CAVE.apply(state, seat, THE_CAVE.idle(state, seat)).state
>>> THE_CAVE.turn_json(state)
{'seat': 1, 'ap': 5, 'phase': 'actions'}

A choice has its price, and an illegal action is refused with the reason:

>>> THE_CAVE.choice_json(THE_CAVE.choices(state, 1)[0])
{'ap': 1, 'action': {'type': 'move', 'to': [0, -1], 'by': 'foot'}}
>>> THE_CAVE.decode(state, 0, {"type": "discover"})
Traceback (most recent call last):
...
cave.game.Refused: It is not your turn (rule 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, get_args

from msgspec.structs import astuple

from cave import codec
from cave.codec import within
from cave.game import BadData, Game, Json, Refusal, Refused, refusal_of
from cave.the_cave import TheCaveInfo, legal, packing, rules, scoring, tiles
from cave.the_cave import position as positions
from cave.the_cave import view as sight
from cave.the_cave.actions import Action, AnyChoice, Began, Choice, Drew, Event, Form, Placed
from cave.the_cave.state import BASE, MOST_PIECES, OPEN_SIDES, Items, State
from cave.the_cave.view import View


class TheCave(TheCaveInfo, Game[State, Action, Event, AnyChoice, View]):
    actions: ClassVar[tuple[type[Any], ...]] = get_args(Action)
    events: ClassVar[tuple[type[Any], ...]] = tuple(Event.__subclasses__())
    undo_stops_at: ClassVar[str] = "the last discovered tile"

    def new(self, seats: int, settings: Json, seed: str) -> State:
        with within("settings"):
            chosen = tiles.read_settings(settings)
        return tiles.new(seats, chosen, seed)

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        return tiles.settings_json(tiles.read_settings(settings))

    choices = staticmethod(legal.choices)
    idle = staticmethod(legal.idle)
    attempts = staticmethod(legal.attempts)
    apply = staticmethod(rules.apply)
    standing = staticmethod(scoring.standing)

    def refusal(self, state: State, seat: int, action: Action) -> Refusal | None:
        why = legal.judge_action(state, seat, action)
        return refusal_of(action, *why) if isinstance(why, tuple) else None

    def check_turn(self, state: State, seat: int) -> None:
        if why := legal.why_not_your_turn(state, seat):
            raise Refused(*why)

    def check_phase(self, state: State, data: Mapping[str, Json]) -> None:
        if why := legal.why_not_in_phase(state, data["type"], data.get("by")):
            raise Refused(*why)

    def sample(self, choice: AnyChoice, rng: Random) -> Action:
        return packing.sample_form(choice, rng) if isinstance(choice, Form) else choice.action

    def spelled_out(self, choice: AnyChoice) -> Iterable[Action]:
        return () if isinstance(choice, Form) else (choice.action,)

    def facts(self, state: State, seat: int) -> Mapping[str, float]:
        return {**super().facts(state, seat), "home": state.teams[seat].at == BASE}

    def is_barrier(self, event: Event) -> bool:
        """Return whether a tile was turned up (rule 4.7) or all packs are revealed (rule 2.3)."""
        return isinstance(event, (Drew, Began))

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return whether all have packed: then all seats know the same (rule 2.3)."""
        return state.phase != "packing"

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return sight.view(state, seat, self.called(names, len(state.teams)))

    may_offer = staticmethod(sight.may_offer)
    public_event = staticmethod(sight.public_event_of)
    may_know = staticmethod(sight.may_know)
    imagine = staticmethod(sight.imagine)

    def turn_json(self, state: State) -> Json:
        return {"seat": state.seat, "ap": state.ap, "phase": state.phase}

    def offer_json(self, choice: AnyChoice) -> Json:
        """Return the action, its price, and a form's limits."""
        form = self.choice_json(choice)
        return {name: form[name] for name in ("action", "ap", "limits") if name in form}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.teams)))

    from_position = staticmethod(positions.read_position)
    names_in = staticmethod(positions.names_in)
    choice_json = staticmethod(lru_cache(maxsize=4096)(codec.to_json))

    def choice_from_json(self, data: Json) -> AnyChoice:
        if not isinstance(data, dict) or "limits" not in data:
            return codec.parse(data, Choice)
        form = codec.parse(data, Form)
        _check_item_amounts("limits", astuple(form.limits))
        return form

    def event_from_json(self, data: Json) -> Event:
        event: Event = codec.parse_typed(data, self.events)
        _check_item_amounts("items", (each for each in astuple(event) if isinstance(each, Items)))
        if isinstance(event, (Drew, Placed)) and event.tile.open not in OPEN_SIDES:
            raise BadData("tile.open", "does not have the right form")
        return event

    view_json = staticmethod(sight.view_to_json)
    view_bytes = staticmethod(sight.to_bytes)
    view_from_json = staticmethod(sight.from_json)


def _check_item_amounts(field: str, amounts: Iterable[Any]) -> None:
    """Raise BadData for more items or slots than a team has, because clients draw each slot."""
    for each in amounts:
        if max(each.counts() if isinstance(each, Items) else (each,)) > MOST_PIECES:
            raise BadData(field, f"must be at most {MOST_PIECES}")


THE_CAVE = GAME = TheCave()
