"""The Caves of Casadh as a game of the contract (``cave.game``), and its views.

A view (rule 6.3) hides the order of coming draws and, until the game is over, the values of treasures that
others hold or put back.

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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from cave.caves_of_casadh import CavesOfCasadhInfo, legal, rules, scoring
from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import position as positions
from cave.caves_of_casadh.actions import ACTIONS, EVENTS, Action, Choice, Collecting, Event
from cave.caves_of_casadh.components import ITEMS, PAINTINGS, ItemKind, components
from cave.caves_of_casadh.state import (
    HIDDEN,
    Laid,
    State,
    Treasure,
    mix_in_level_2,
    new_state,
    read_settings,
    settings_json,
)
from cave.chance import Chance
from cave.codec import within
from cave.game import CaveView, Game, Json, Refusal, refusal_of
from cave.score import Score
from cave.simple_game import view_json

T = TypeVar("T")


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state: a hidden hex, card or item of a pile is ``HIDDEN``, a hidden
    treasure None. It has no dice, lots and seed. ``level_2`` is the number of hexes added with Cave Paintings
    (rule 4.2); they count in ``cave.hexes``, too.
    """

    level_2: int

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now; before the end only the viewer's own total."""
        return scoring.standing_for(self.cave, self.viewer)


class CavesOfCasadh(CavesOfCasadhInfo, Game[State, Action, Event, Choice, View]):
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    forms_rule: ClassVar[str] = "11"
    undo_stops_at: ClassVar[str] = "the last hex, card or treasure drawn, or the last roll"
    secret_choices: ClassVar[bool] = True
    """The treasures to choose from are secret (rule 6.3)."""

    def new(self, seats: int, settings: Json, seed: str) -> State:
        with within("settings"):
            chosen = read_settings(settings)
        return new_state(seats, chosen, seed)

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        return settings_json(read_settings(settings))

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
        return self._view(state, seat, names, over=state.phase == "over")

    def review(self, state: State, names: Sequence[str] = ()) -> View:
        return self._view(state, None, names, over=True)

    def _view(self, state: State, viewer: int | None, names: Sequence[str], *, over: bool) -> View:
        """Return the view of a seat or a watcher; ``over`` reveals all held treasures."""
        players, offer = list(state.players), state.offer
        if not over:
            players = [replace(each, treasures=(None,) * len(each.treasures)) for each in players]
            if viewer is not None:
                players[viewer] = state.players[viewer]
            if offer and state.seat != viewer:
                offer = replace(offer, values=(None,) * len(offer.values))
        # Built field by field, so that a field added to the state is hidden until someone shows it.
        shown = State(
            settings=state.settings,
            players=tuple(players),
            map=state.map if over else {at: _hide_hex(laid, viewer) for at, laid in state.map.items()},
            hexes=(HIDDEN,) * len(state.hexes),
            cards=(HIDDEN,) * len(state.cards),
            discards=state.discards,
            supply=(HIDDEN,) * len(state.supply),
            bag=(None,) * len(state.bag),
            surface=state.surface,
            seat=state.seat,
            mp=state.mp,
            phase=state.phase,
            first_seat=state.first_seat,
            round=state.round,
            drawn=state.drawn,
            offer=offer,
            vengeance=state.vengeance,
        )
        return View(viewer, self.called(names, len(state.players)), shown, _level_2_to_come(state))

    def sees_as_watcher(self, state: State, seat: int) -> bool:
        """Return whether a watcher knows as much: at the end, or for the dead, who hold nothing (rule 6.3)."""
        if state.phase == "over":
            return True
        return state.players[seat].state == "dead" and not any(
            each.seen == seat for laid in state.map.values() for each in laid.treasures
        )

    def public_event(self, event: Event) -> Event:
        """Return the event without secrets: the values of treasures (rule 6.3)."""
        if isinstance(event, act.TreasuresDrawn):
            return replace(event, values=None)
        return replace(event, value=None) if isinstance(event, act.TreasureKept) else event

    def may_know(self, state: State, by: int, action: Action, viewer: int | None) -> bool:
        """Return whether the viewer may know the action: the kept treasure is its owner's secret (rule 6.3)."""
        return by == viewer or state.phase == "over" or not isinstance(action, act.Keep)

    def may_offer(self, view: View, choice: Choice) -> bool:
        """Return whether the choice fits the seat and the phase."""
        return view.viewer in view.acting and choice.type in legal.ALLOWED_IN[view.cave.phase]

    def imagine(self, view: View, seed: str) -> State:
        """Return a random full state that fits the view; hidden parts are dealt from the unseen ones."""
        chance = Chance(seed)
        box, cave = components(), view.cave
        hexes, chance = _imagine_hexes(view, chance)
        cards = [each.id for each in box.cards.values() for _ in range(each.copies)]
        held = [card for player in cave.players for card in player.misfortunes]
        unseen_cards, chance = chance.shuffle(_remove_seen(cards, [*cave.discards, *held]))
        items: list[ItemKind] = [kind for kind in ITEMS for _ in range(box.items[kind].count)]
        lying = [kind for laid in cave.map.values() for kind in laid.items]
        carried = [kind for player in cave.players for kind in player.items]
        supply, chance = chance.shuffle(_remove_seen(items, [*lying, *carried]))
        values = box.treasure_values * box.treasure_copies
        known = [value for player in cave.players for value in player.treasures]
        known += [each.value for laid in cave.map.values() for each in laid.treasures]
        known += [*cave.surface, *(cave.offer.values if cave.offer else ())]
        unseen, chance = chance.shuffle(_remove_seen(values, [value for value in known if value is not None]))
        dealt = iter(unseen)

        def deal(value: int | None) -> int:
            return next(dealt) if value is None else value

        offer = cave.offer and replace(cave.offer, values=tuple(map(deal, cave.offer.values)))
        players = tuple(replace(player, treasures=tuple(map(deal, player.treasures))) for player in cave.players)
        spread = {
            at: replace(laid, treasures=tuple(Treasure(deal(each.value), each.seen) for each in laid.treasures))
            for at, laid in cave.map.items()
        }
        return replace(
            cave,
            players=players,
            map=spread,
            hexes=hexes,
            cards=unseen_cards[: len(cave.cards)],
            supply=supply[: len(cave.supply)],
            bag=tuple(map(deal, cave.bag)),
            offer=offer,
            seed=seed,
        )

    def turn_json(self, state: State) -> Json:
        return {"seat": state.seat, "mp": state.mp, "phase": state.phase, "round": state.round}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return positions.write_position(state, self.called(names, len(state.players)))

    from_position = staticmethod(positions.read_position)
    action_from_json = staticmethod(act.action_from_json)
    choice_json = staticmethod(act.choice_json)
    choice_from_json = staticmethod(act.choice_from_json)
    event_from_json = staticmethod(act.event_from_json)

    def view_json(self, view: View) -> Json:
        """Return the public form of a view; ``hidden`` are the seats with treasures hidden from the viewer."""
        hidden = [seat for seat, player in enumerate(view.cave.players) if None in player.treasures]
        return view_json(view, positions.write_view(view.cave, view.names, view.level_2), hidden)

    def view_from_json(self, data: Json) -> View:
        return View(*positions.read_view(data))


def _hide_hex(laid: Laid, viewer: int | None) -> Laid:
    if not laid.treasures:
        return laid
    known = tuple(each for each in laid.treasures if each.seen == viewer and viewer is not None)
    hidden = (Treasure(None),) * (len(laid.treasures) - len(known))
    return replace(laid, treasures=known + hidden)


def _level_2_to_come(state: State) -> int:
    if PAINTINGS not in state.hexes:
        return 0
    hexes = components().hexes
    return sum(hexes[each].level == 2 for each in state.hexes)


def _imagine_hexes(view: View, chance: Chance) -> tuple[tuple[str, ...], Chance]:
    cave, (level_1, level_2) = view.cave, components().pile
    seen = [laid.hex for laid in cave.map.values()] + ([cave.drawn.hex] if cave.drawn else [])
    pile = len(cave.hexes) - view.level_2
    if not view.level_2:
        unseen = _remove_seen([*level_1, *level_2], [*seen, PAINTINGS])
        order, chance = chance.shuffle(unseen)
        return order[:pile], chance
    others, chance = chance.shuffle(_remove_seen(level_1, [*seen, PAINTINGS]))
    first, chance = chance.shuffle([*others[: pile - 1], PAINTINGS])
    later, chance = chance.shuffle(level_2)
    return mix_in_level_2(first, later[: view.level_2], chance)


def _remove_seen(things: Iterable[T], seen: Sequence[T]) -> list[T]:
    return [*(Counter(things) - Counter(seen)).elements()]


CAVES_OF_CASADH = GAME = CavesOfCasadh()
