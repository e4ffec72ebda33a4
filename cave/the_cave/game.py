"""The Cave as a game of the contract (``cave.game``): most methods are functions of its modules.

>>> state = THE_CAVE.new(2, {"edition": "french"}, "any text")
>>> for seat in (0, 1):
...     state = THE_CAVE.apply(state, seat, THE_CAVE.idle(state, seat)).state
>>> THE_CAVE.turn_json(state)
{'seat': 1, 'ap': 5, 'phase': 'actions'}

A choice has its price, and an action that the rules do not allow is refused with the reason:

>>> THE_CAVE.choice_json(THE_CAVE.choices(state, 1)[0])
{'action': {'type': 'move', 'to': [0, -1], 'by': 'foot'}, 'ap': 1}
>>> THE_CAVE.decode(state, 0, {"type": "discover"})
Traceback (most recent call last):
...
cave.game.Refused: It is not your turn (rule 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import ClassVar

from cave.game import BadData, Game, Json, Refusal
from cave.the_cave import choices as offers
from cave.the_cave import forms, packing, rules, scoring, setup
from cave.the_cave import position as positions
from cave.the_cave import view as sight
from cave.the_cave.actions import Action, AnyChoice, Form
from cave.the_cave.events import Began, Drew, Event
from cave.the_cave.info import TheCaveInfo
from cave.the_cave.state import State
from cave.the_cave.view import View


class TheCave(TheCaveInfo, Game[State, Action, Event, AnyChoice, View]):
    """The contract, kept for The Cave. It has no state of its own."""

    undo_stops_at: ClassVar[str] = "the last discovered tile"

    def new(self, seats: int, settings: Json, seed: str) -> State:
        """Return a game about to be packed for (rule 2)."""
        try:
            return setup.new(seats, setup.read_settings(settings), seed)
        except BadData as error:
            raise error if error.field == "seats" else error.under("settings") from None

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        """Return the settings in their shortest form (rule 8)."""
        return setup.settings_json(setup.read_settings(settings))

    def to_act(self, state: State) -> frozenset[int]:
        """Return all who have not packed while packing, then the running turn's seat."""
        return state.to_act

    choices = staticmethod(offers.choices)
    idle = staticmethod(offers.idle)
    apply = staticmethod(rules.apply)
    standing = staticmethod(scoring.standing)

    def why_not(self, state: State, seat: int) -> tuple[Refusal, ...]:
        """Return why the other actions are not possible now."""
        return tuple(_refusal(*why) for why in offers.why_not(state, seat))

    def sample(self, choice: AnyChoice, rng: Random) -> Action:
        """Return the action, or the form filled at random."""
        return packing.sample(choice, rng) if isinstance(choice, Form) else choice.action

    def is_barrier(self, event: Event) -> bool:
        """Say whether a tile was turned up (rule 4.7), or the packs of all are shown (rule 2.3)."""
        return isinstance(event, (Drew, Began))

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Say whether all have packed: then nothing is hidden from some only (rule 2.3)."""
        return state.phase != "packing"

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        """Return the game as a seat or a watcher may know it (rule 2.3)."""
        return sight.view(state, seat, self.called(names, len(state.teams)))

    may_offer = staticmethod(sight.may_offer)
    public_event = staticmethod(sight.public)
    may_know = staticmethod(sight.may_know)
    imagine = staticmethod(sight.imagine)

    def turn_json(self, state: State) -> Json:
        """Return seat, action points and phase."""
        return {"seat": state.seat, "ap": state.ap, "phase": state.phase}

    def offer_json(self, choice: AnyChoice) -> Json:
        """Return the action, its price, and a form's limits."""
        form = forms.choice_json(choice)
        return {name: form[name] for name in ("action", "ap", "limits") if name in form}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        """Return the position of a state."""
        return positions.write(state, self.called(names, len(state.teams)))

    from_position = staticmethod(positions.read)
    names_in = staticmethod(positions.names_in)
    decode = staticmethod(forms.decode)
    action_json = staticmethod(forms.action_json)
    action_from_json = staticmethod(forms.action_from_json)
    choice_json = staticmethod(forms.choice_json)
    choice_from_json = staticmethod(forms.choice_from_json)
    event_json = staticmethod(forms.event_json)
    event_from_json = staticmethod(forms.event_from_json)
    view_json = staticmethod(sight.to_json)
    view_from_json = staticmethod(sight.from_json)


@lru_cache(maxsize=4096)
def _refusal(action: Action, code: str, sentence: str) -> Refusal:
    return Refusal(forms.action_json(action), code, sentence)


THE_CAVE = TheCave()
