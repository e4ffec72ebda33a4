"""Cave vs Cave as a game of the contract (``cave.game``), and its views.

A view is the same for all (rules 2.3 and 7.1): everything but face-down rooms and tiles, piles, and the setup
of Era II.

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

from msgspec import UNSET
from msgspec.structs import replace

from cave import codec
from cave.cave_vs_cave import CaveVsCaveInfo, checks, rules, scoring
from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import choices as offers
from cave.cave_vs_cave import position as positions
from cave.cave_vs_cave.actions import ACTIONS, EVENTS, Action, Choice, Event
from cave.cave_vs_cave.components import ERAS, components
from cave.cave_vs_cave.state import Later, Player, State
from cave.chance import Chance
from cave.codec import within
from cave.game import BadData, CaveView, Game, Json, Refusal
from cave.score import Score
from cave.simple_game import ViewForm, view_json


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state: its face-down rooms are None, ``down`` and ``piles`` are empty
    (see ``down_size`` and ``pile_sizes``), and ``later`` is None.
    """

    down_size: int
    pile_sizes: tuple[int, int]

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now."""
        return scoring.standing(self.cave)


class _Form(ViewForm, frozen=True):
    position: positions.ShownForm


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
        # Built field by field, so that a field added to the state is hidden until someone shows it.
        shown = State(
            settings=state.settings,
            era=state.era,
            round=state.round,
            first=state.first,
            seat=state.seat,
            phase=state.phase,
            players=tuple(map(_hide_from_viewer, state.players)),
            display=state.display,
            up=state.up,
            taken=state.taken,
            done=state.done,
            additional=state.additional,
            prospected=state.prospected,
            used=state.used,
            out=state.out,
        )
        first, second = state.piles
        return View(seat, self.called(names, len(state.players)), shown, len(state.down), (len(first), len(second)))

    def may_offer(self, view: View, choice: Choice) -> bool:
        """Return whether a choice fits the phase and the seat."""
        return view.viewer in view.acting and not checks.check_action_suits_phase(view.cave, choice.action.type)

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return True: no player knows more than a watcher."""
        return True

    def imagine(self, view: View, seed: str) -> State:
        """Return a random full state that fits the view: hidden parts are dealt from the unseen ones."""
        cave, box = view.cave, components()
        chance = Chance(seed)
        shown = {*cave.display, *(room for player in cave.players for room in player.rooms.values())}
        players, piles = list(cave.players), []
        for era in ERAS:
            unseen, chance = chance.shuffle([room for room in box.rooms_of_era(era, "dark") if room not in shown])
            for seat, player in enumerate(players):
                hidden = [at for at in player.covered if box.spaces[at].era == era]
                dealt, unseen = unseen[: len(hidden)], unseen[len(hidden) :]
                players[seat] = replace(player, covered={**player.covered, **dict(zip(hidden, dealt, strict=True))})
            piles.append(unseen[: view.pile_sizes[era - 1]])
        down, chance = _imagine_tiles(view, chance)
        later = _imagine_later(cave, chance) if cave.era_2_follows else None
        return replace(cave, players=tuple(players), piles=(piles[0], piles[1]), down=down, later=later)

    def turn_json(self, state: State) -> Json:
        """Return seat, phase, era and round."""
        return {"seat": state.seat, "phase": state.phase, "era": state.era, "round": state.round}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)
    action_from_json = staticmethod(act.action_from_json)
    event_from_json = staticmethod(act.event_from_json)

    def choice_json(self, choice: Choice) -> Json:
        return codec.to_json(choice)

    def choice_from_json(self, data: Json) -> Choice:
        """Parse the public form of a choice; raises BadData."""
        return codec.parse(data, Choice)

    def view_json(self, view: View) -> Json:
        """Return the public form of a view. No seat has secrets, so ``hidden`` is empty."""
        return view_json(view, positions.write_view(view.cave, view.names, view.down_size, view.pile_sizes))

    def view_from_json(self, data: Json) -> View:
        """Parse the public form of a view; raises BadData."""
        form = codec.parse(data, _Form)
        shown = form.position
        return View(
            form.viewer,
            tuple(player.name for player in shown.players),
            positions.read_view(shown),
            0 if shown.tiles is UNSET else shown.tiles.down,
            (0, 0) if shown.pile_sizes is UNSET else shown.pile_sizes,
        )


def _hide_from_viewer(player: Player) -> Player:
    return Player(
        goods=player.goods,
        rooms=player.rooms,
        covered=dict.fromkeys(player.covered),
        walls=player.walls,
        cavern=player.cavern,
        era_1=player.era_1,
    )


def _imagine_tiles(view: View, chance: Chance) -> tuple[tuple[str, ...], Chance]:
    if not view.down_size:
        return (), chance
    down: list[str] = []
    for stage in rules.tiles_by_stage(view.cave.era, view.cave.alone):
        unseen, chance = chance.shuffle([tile for tile in stage if tile not in view.cave.up])
        down += unseen
    return tuple(down), chance


def _imagine_later(cave: State, chance: Chance) -> Later:
    box = components()
    tiles, chance = chance.shuffle([tile.id for tile in box.tiles.values() if tile.era == 2])
    light, chance = chance.shuffle(box.rooms_of_era(2, "light"))
    rooms, chance = chance.shuffle(box.rooms_of_era(2, "dark"))
    return Later(tiles, light[: len(light) - box.light_removed_alone] if cave.alone else light, rooms)


CAVE_VS_CAVE = GAME = CaveVsCave()
