"""Sir Ocelot's Cave as a game of the contract (``cave.game``): each method is one line into its module.

>>> state = SIR_OCELOTS_CAVE.new(["Ann", "Bea"], {"first": "seat_1"}, "any text")
>>> SIR_OCELOTS_CAVE.turn_json(state)
{'seat': 1, 'phase': 'advancing', 'turns_left': 32}
>>> action = SIR_OCELOTS_CAVE.decode(state, 1, {"type": "tool", "kind": "A", "side": "lamp", "at": [9, 4]})
>>> [event.type for event in SIR_OCELOTS_CAVE.apply(state, 1, action).events]
['tool_placed', 'turn_ended', 'turn_began']
>>> SIR_OCELOTS_CAVE.decode(state, 0, {"type": "collect", "gems": []})
Traceback (most recent call last):
...
cave.game.Refused: It is Bea's turn (rule 3.1).
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
from cave.sir_ocelots_cave import choices, forms, position, rules, scoring, setup, view
from cave.sir_ocelots_cave.actions import Action, Choice
from cave.sir_ocelots_cave.events import Drew, Ended, Event
from cave.sir_ocelots_cave.info import SirOcelotsCaveInfo
from cave.sir_ocelots_cave.state import TURNS, State
from cave.sir_ocelots_cave.view import View


class SirOcelotsCave(SirOcelotsCaveInfo, Game[State, Action, Event, Choice, View]):
    """The contract, kept for Sir Ocelot's Cave. It has no state of its own."""

    longest: ClassVar[int | None] = 2 * TURNS + 4
    """Rule 3.1: a piece and what is collected in each turn, and each companion advances twice."""
    undo_stops_at: ClassVar[str] = "the last amethyst drawn"

    def new(self, names: Sequence[str], settings: Json, seed: str) -> State:
        """A game about to begin (rule 2)."""
        for index, name in enumerate(names):
            check_name(name, f"seats[{index}]")
        try:
            return setup.new(names, setup.read_settings(settings), seed)
        except BadData as error:
            raise error if error.field == "seats" else error.under("settings") from None

    def named(self, state: State, names: Sequence[str]) -> State:
        """The state with players of these names."""
        return setup.named(state, names)

    def view_named(self, view_: View, names: Sequence[str]) -> View:
        """The view with players of these names."""
        return replace(view_, cave=setup.named(view_.cave, names))

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        """Return the settings in their shortest form (rule 7)."""
        return setup.settings_json(setup.read_settings(settings))

    def to_act(self, state: State) -> frozenset[int]:
        """The running turn's seat."""
        return state.to_act

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        """Every legal action."""
        return choices.choices(state, seat)

    def why_not(self, state: State, seat: int) -> tuple[Refusal, ...]:
        """Why the other sorts of actions are not possible now."""
        return tuple(_refusal(*why) for why in choices.why_not(state, seat))

    def sample(self, choice: Choice, rng: Random) -> Action:
        """The action, or any part of what may be collected."""
        return choices.sample(choice, rng)

    def idle(self, state: State, seat: int) -> Action:
        """Collect nothing, or the first tool that can be laid."""
        return choices.idle(state, seat)

    def decode(self, state: State, seat: int, data: Json) -> Action:
        """The action that ``data`` describes."""
        return forms.decode(state, seat, data)

    def apply(self, state: State, seat: int, action: Action) -> Step[State, Event]:
        """The state after the action and what happened."""
        return rules.apply(state, seat, action)

    def is_barrier(self, event: Event) -> bool:
        """An amethyst drawn, and all of them shown at the end (rule 5.4)."""
        return isinstance(event, (Drew, Ended))

    def view(self, state: State, seat: int | None) -> View:
        """The game as a seat or a watcher may know it."""
        return view.view(state, seat)

    def may_offer(self, view_: View, choice: Choice) -> bool:
        """Whether a choice has its place in the view."""
        return view.may_offer(view_, choice)

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Until it has an amethyst, and once all are shown (rule 5.4)."""
        return view.knows_all(state, seat)

    def public_event(self, event: Event) -> Event:
        """The event as all may see it."""
        return view.public(event)

    def imagine(self, view_: View, seed: str) -> State:
        """A full state that fits the view."""
        return view.imagine(view_, seed)

    def standing(self, state: State) -> tuple[Score, ...]:
        """The score if the game ended now."""
        return scoring.standing(state)

    def turn_json(self, state: State) -> Json:
        """Seat, phase, and the turns still to be played."""
        return {"seat": state.seat, "phase": state.phase, "turns_left": state.turns_left}

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

    def choice_json(self, choice: Choice) -> Json:
        """The public form of a choice."""
        return forms.choice_json(choice)

    def choice_from_json(self, data: Json) -> Choice:
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


SIR_OCELOTS_CAVE = SirOcelotsCave()
