"""Sir Ocelot's Cave as a game of the contract (``cave.game``), and its views.

A view (rule 5.4) has everything but the bags and, until the game is over, the values of amethysts that others
drew. Only the record of a finished game reveals the bags, by its seed.

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

from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.codec import within
from cave.game import CaveView, Form, Game, Json
from cave.score import Score
from cave.simple_game import ViewForm, view_json
from cave.sir_ocelots_cave import SirOcelotsCaveInfo, legal, rules, scoring
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave import position as positions
from cave.sir_ocelots_cave.actions import ACTIONS, EVENTS, Action, Choice, Collecting, Event
from cave.sir_ocelots_cave.components import BAGS, BIT, RAYS
from cave.sir_ocelots_cave.state import TURNS, Amethyst, Player, State


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state: its bags are empty (see ``bag_sizes``), and hidden amethysts have
    no value.
    """

    bag_sizes: tuple[int, ...]

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now, without amethysts hidden from the viewer."""
        return scoring.standing(self.cave)


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
        return [act.Collect(part) for size in sizes for part in combinations(choice.gems, size)]

    def is_barrier(self, event: Event) -> bool:
        """Return whether an amethyst was drawn, or all are revealed at the end (rule 5.4)."""
        return isinstance(event, (act.Drew, act.Ended))

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return self._view(state, seat, names, over=state.phase == "over")

    def review(self, state: State, names: Sequence[str] = ()) -> View:
        return self._view(state, None, names, over=True)

    def _view(self, state: State, seat: int | None, names: Sequence[str], *, over: bool) -> View:
        """Return the view of a seat or a watcher; ``over`` reveals all amethysts."""
        # Built field by field, so that a field added to the state is hidden until someone shows it.
        shown = State(
            settings=state.settings,
            players=tuple(each if over or number == seat else _hide(each) for number, each in enumerate(state.players)),
            gems=state.gems,
            tools=state.tools,
            sight=state.sight,
            bags=((),) * len(BAGS),
            seat=state.seat,
            phase=state.phase,
            first_seat=state.first_seat,
        )
        return View(seat, self.called(names, len(state.players)), shown, tuple(map(len, state.bags)))

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return whether a watcher knows as much as this seat: it has no amethyst, or all are revealed."""
        return state.phase == "over" or not state.players[seat].amethysts

    def public_event(self, event: Event) -> Event:
        return replace(event, value=None) if isinstance(event, act.Drew) else event

    def may_offer(self, view: View, choice: Choice) -> bool:
        """Return whether the choice fits the phase and the seat, and its places are on the board."""
        cave = view.cave
        if view.viewer not in view.acting or choice.type not in legal.ALLOWED_IN[cave.phase]:
            return False
        match choice:
            case Collecting(gems):
                return all(BIT.get(at, 0) & cave.with_gems for at in gems)
            case act.LayTool(at=at):
                return at in RAYS
            case act.Advance(at) | act.PlaceCompanion(at):
                return at in BIT

    def imagine(self, view: View, seed: str) -> State:
        """Return a random full state that fits the view: hidden parts are dealt from the unseen ones."""
        chance = Chance(seed)
        players, unseen = view.cave.players, scoring.unseen_amethysts(view.cave)
        bags = []
        for bag, size in zip(BAGS, view.bag_sizes, strict=True):
            order, chance = chance.shuffle(unseen[bag])
            bags.append(order[:size])
            dealt = iter(order[size:])
            players = tuple(
                replace(
                    player,
                    amethysts=tuple(
                        Amethyst(bag, next(dealt)) if each.bag == bag and each.value is None else each
                        for each in player.amethysts
                    ),
                )
                for player in players
            )
        return replace(view.cave, players=players, bags=tuple(bags))

    def turn_json(self, state: State) -> Json:
        return {"seat": state.seat, "phase": state.phase, "turns_left": state.turns_left}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)

    def choice_json(self, choice: Choice) -> Json:
        return _choice_json(choice)

    def view_json(self, view: View) -> Json:
        """Return the public form of a view; ``hidden`` are the seats with amethysts hidden from the viewer."""
        players = enumerate(view.cave.players)
        hidden = [seat for seat, player in players if any(each.value is None for each in player.amethysts)]
        return view_json(view, positions.write_view(view.cave, view.names, view.bag_sizes), hidden)

    def view_from_json(self, data: Json) -> View:
        form = codec.parse(data, ViewForm)
        cave, sizes, names = positions.read_view(form.position)
        return View(form.viewer, names, cave, sizes)


def _hide(player: Player) -> Player:
    return Player(
        tools=player.tools,
        companion=player.companion,
        collected=player.collected,
        amethysts=tuple(Amethyst(each.bag) for each in player.amethysts),
    )


@lru_cache(maxsize=4096)
def _choice_json(choice: Choice) -> Json:
    """Return the public form. Equal choices share one: do not change it."""
    return Game.choice_json(SIR_OCELOTS_CAVE, choice)


SIR_OCELOTS_CAVE = GAME = SirOcelotsCave()
