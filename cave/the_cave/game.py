"""The Cave as a game of the contract (``cave.game``), and its views.

A view (rules 1 and 2.3) has everything but the stacks and, until all have packed, the packs of others.

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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, get_args

from msgspec import Raw
from msgspec.structs import astuple, replace

from cave import codec
from cave.chance import Chance
from cave.codec import within
from cave.game import BadData, CaveView, Game, Json, Refusal, Refused, refusal_of
from cave.score import Score
from cave.simple_game import ViewForm, view_json
from cave.the_cave import TheCaveInfo, legal, packing, rules, scoring, tiles
from cave.the_cave import actions as act
from cave.the_cave import position as positions
from cave.the_cave.actions import Action, AnyChoice, Choice, Event, Form
from cave.the_cave.state import (
    BASE,
    MOST_PIECES,
    NOTHING,
    OPEN_SIDES,
    Camp,
    Items,
    State,
    TileKind,
    neighbours_of,
    smallest_turn,
)


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state whose stacks are empty; only ``stack_sizes`` are known. The packs
    of the seats in ``hidden`` look empty.
    """

    stack_sizes: tuple[int, ...]
    hidden: frozenset[int]

    @property
    def standing(self) -> tuple[Score, ...]:
        return scoring.standing(self.cave)


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
        return isinstance(event, (act.Drew, act.Began))

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return whether all have packed: then all seats know the same (rule 2.3)."""
        return state.phase != "packing"

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        hidden = frozenset[int]()
        teams = state.teams
        if state.phase == "packing":
            hidden = frozenset(range(len(teams))) - {seat}
            teams = tuple(
                replace(team, backpack=NOTHING, camp=Camp(), lost=()) if number in hidden else team
                for number, team in enumerate(teams)
            )
        shown = replace(state, teams=teams, stacks=((),) * positions.STACKS)
        return View(seat, self.called(names, len(teams)), shown, tuple(map(len, state.stacks)), hidden)

    def may_offer(self, view: View, choice: AnyChoice) -> bool:
        """Return whether the choice fits the phase and the seat, and its place is next to the team's."""
        cave, viewer = view.cave, view.viewer
        if viewer is None or viewer not in view.acting:
            return False
        if isinstance(choice, Form):
            return not legal.why_not_in_phase(cave, choice.kind, None)
        if legal.why_not_in_phase(cave, choice.action.type, getattr(choice.action, "by", None)):
            return False
        here = cave.teams[viewer].at
        match choice.action:
            case act.Move(to):
                return to in cave.board and any(near.at == to for near in neighbours_of(here))
            case act.Place(at):
                return at in tiles.unexplored_exits(cave.board, here)
        return True

    def public_event(self, event: Event) -> Event:
        """Return the event without secrets: packs at the start are their owner's secret."""
        if isinstance(event, act.Packed) and event.secret:
            return replace(event, backpack=None, camp=None)
        return event

    def may_know(self, state: State, by: int, action: Action, viewer: int | None) -> bool:
        """Return whether the viewer may know of the action in this state (rule 2.3)."""
        return not (state.phase == "packing" and isinstance(action, act.Pack) and by != viewer)

    def imagine(self, view: View, seed: str) -> State:
        """Return a full state that fits the view: unseen tiles in an order drawn from ``seed``.

        Unseen tiles are dealt to their own stacks if the view allows; in a custom position with extra tiles, any
        tile of a stack may repeat. Hidden packs stay empty.
        """
        seen = positions.tiles_in_use(view.cave)
        chance = Chance(seed)
        stacks = []
        for stack, size in zip(tiles.components().stacks, view.stack_sizes, strict=True):
            unseen: list[TileKind] = []
            for tile in stack:
                usual = replace(tile, open=smallest_turn(tile.open))
                if seen[usual]:
                    seen = seen - Counter([usual])
                else:
                    unseen.append(tile)
            order, chance = chance.shuffle(unseen)
            while len(order) < size:
                more, chance = chance.shuffle(stack)
                order += more
            stacks.append(order[:size])
        return replace(view.cave, stacks=tuple(stacks))

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
        if isinstance(event, (act.Drew, act.Placed)) and event.tile.open not in OPEN_SIDES:
            raise BadData("tile.open", "does not have the right form")
        return event

    def view_json(self, view: View) -> Json:
        shown = positions.write_position(view.cave, view.names, view.stack_sizes)
        return view_json(view, shown, sorted(view.hidden))

    def view_bytes(self, view: View) -> bytes:
        """Return the public form of a view as JSON text; its position is encoded only once."""
        shown = Raw(positions.encode_position(view.cave, view.names, view.stack_sizes))
        return codec.encode(view_json(view, shown, sorted(view.hidden)))

    def view_from_json(self, data: Json) -> View:
        form = codec.parse(data, ViewForm)
        cave, names, sizes = positions.read_view(form.position)
        if form.viewer not in (None, *range(len(names))):
            raise BadData("viewer", "must be a seat of the game")
        return View(form.viewer, names, cave, sizes, frozenset(form.hidden))


def _check_item_amounts(field: str, amounts: Iterable[Any]) -> None:
    """Raise BadData for more items or slots than a team has, because clients draw each slot."""
    for each in amounts:
        if max(each.counts() if isinstance(each, Items) else (each,)) > MOST_PIECES:
            raise BadData(field, f"must be at most {MOST_PIECES}")


THE_CAVE = GAME = TheCave()
