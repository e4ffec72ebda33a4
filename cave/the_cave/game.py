"""The Cave as a game of the contract (``cave.game``): each method is one line into its module.

>>> state = THE_CAVE.new(["Ann", "Bea"], {"edition": "french"}, "any text")
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
cave.game.Refused: It is Bea's turn (rule 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from cave.game import BadData, Game, Json, Refusal, Step
from cave.names import check_name
from cave.score import Score
from cave.the_cave import choices, forms, packing, position, rules, scoring, setup, view
from cave.the_cave.actions import Action, AnyChoice, Form
from cave.the_cave.events import Began, Drew, Event
from cave.the_cave.info import TheCaveInfo
from cave.the_cave.state import State
from cave.the_cave.view import View


class TheCave(TheCaveInfo, Game[State, Action, Event, AnyChoice, View]):
    """The contract, kept for The Cave. It has no state of its own."""

    undo_stops_at: ClassVar[str] = "the last discovered tile"

    def new(self, names: Sequence[str], settings: Json, seed: str) -> State:
        """A game about to be packed for (rule 2)."""
        for index, name in enumerate(names):
            check_name(name, f"seats[{index}]")
        try:
            return setup.new(names, setup.read_settings(settings), seed)
        except BadData as error:
            raise error if error.field == "seats" else error.under("settings") from None

    def named(self, state: State, names: Sequence[str]) -> State:
        """The state with teams of these names."""
        return setup.named(state, names)

    def view_named(self, view_: View, names: Sequence[str]) -> View:
        """The view with teams of these names."""
        return replace(view_, cave=setup.named(view_.cave, names))

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        """Return the settings in their shortest form (rule 8)."""
        return setup.settings_json(setup.read_settings(settings))

    def to_act(self, state: State) -> frozenset[int]:
        """While packing all who have not packed, then the running turn's seat."""
        return state.to_act

    def choices(self, state: State, seat: int) -> tuple[AnyChoice, ...]:
        """Every legal action with its price."""
        return choices.choices(state, seat)

    def why_not(self, state: State, seat: int) -> tuple[Refusal, ...]:
        """Why the other actions are not possible now."""
        return tuple(_refusal(*why) for why in choices.why_not(state, seat))

    def sample(self, choice: AnyChoice, rng: Random) -> Action:
        """The action, or the form filled at random."""
        return packing.sample(choice, rng) if isinstance(choice, Form) else choice.action

    def idle(self, state: State, seat: int) -> Action:
        """The suggested kit, the end of the turn, or else the first legal action."""
        return choices.idle(state, seat)

    def decode(self, state: State, seat: int, data: Json) -> Action:
        """The action that ``data`` describes."""
        return forms.decode(state, seat, data)

    def apply(self, state: State, seat: int, action: Action) -> Step[State, Event]:
        """The state after the action and what happened."""
        return rules.apply(state, seat, action)

    def is_barrier(self, event: Event) -> bool:
        """A tile turned up (rule 4.7), and the packs of all once the game begins (rule 2.3)."""
        return isinstance(event, (Drew, Began))

    def view(self, state: State, seat: int | None) -> View:
        """The game as a seat or a watcher may know it."""
        return view.view(state, seat)

    def may_offer(self, view_: View, choice: AnyChoice) -> bool:
        """Whether a choice has its place in the view."""
        return view.may_offer(view_, choice)

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Once all have packed nothing is hidden from some only (rule 2.3)."""
        return state.phase != "packing"

    def public_event(self, event: Event) -> Event:
        """The event as all may see it."""
        return view.public(event)

    def may_know(self, state: State, by: int, action: Action, viewer: int | None) -> bool:
        """Whether the viewer may know of the action as things stand."""
        return view.may_know(state, by, action, viewer)

    def imagine(self, view_: View, seed: str) -> State:
        """A full state that fits the view."""
        return view.imagine(view_, seed)

    def standing(self, state: State) -> tuple[Score, ...]:
        """The score if the game ended now."""
        return scoring.standing(state)

    def turn_json(self, state: State) -> Json:
        """Seat, action points and phase."""
        return {"seat": state.seat, "ap": state.ap, "phase": state.phase}

    def position(self, state: State) -> Json:
        """The readable form."""
        return position.write(state)

    def from_position(self, data: Json) -> State:
        """The state of a position."""
        return position.read(data)

    def action_json(self, action: Action) -> Json:
        """The public form of an action."""
        return forms.action_json(action)

    def action_from_json(self, data: Json) -> Action:
        """The action of its public form."""
        return forms.action_from_json(data)

    def choice_json(self, choice: AnyChoice) -> Json:
        """The public form of a choice."""
        return forms.choice_json(choice)

    def offer_json(self, choice: AnyChoice) -> Json:
        """The action, its price, and a form's limits."""
        form = forms.choice_json(choice)
        return {name: form[name] for name in ("action", "ap", "limits") if name in form}

    def choice_from_json(self, data: Json) -> AnyChoice:
        """The choice of its public form."""
        return forms.choice_from_json(data)

    def event_json(self, event: Event) -> Json:
        """The public form of an event."""
        return forms.event_json(event)

    def event_from_json(self, data: Json) -> Event:
        """The event of its public form."""
        return forms.event_from_json(data)

    def view_json(self, view_: View) -> Json:
        """The public form of a view."""
        return view.to_json(view_)

    def view_from_json(self, data: Json) -> View:
        """The view of its public form."""
        return view.from_json(data)


@lru_cache(maxsize=4096)
def _refusal(action: Action, code: str, sentence: str) -> Refusal:
    return Refusal(forms.action_json(action), code, sentence)


THE_CAVE = TheCave()
