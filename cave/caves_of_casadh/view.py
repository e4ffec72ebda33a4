"""The view of a seat or a watcher (rule 6.3). It hides the order of coming draws and, until the game is over,
the values of treasures that others hold or put back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from cave.caves_of_casadh import position
from cave.caves_of_casadh.actions import Action, Choice, Event, Keep, TreasureKept, TreasuresDrawn
from cave.caves_of_casadh.components import ITEMS, PAINTINGS, ItemKind, components
from cave.caves_of_casadh.legal import ALLOWED_IN
from cave.caves_of_casadh.rules import mix_in_level_2
from cave.caves_of_casadh.scoring import standing_for
from cave.caves_of_casadh.state import HIDDEN, Laid, Offer, Player, State, Treasure
from cave.chance import Chance
from cave.game import Json
from cave.score import Score
from cave.simple_game import CaveView, view_json

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
        return standing_for(self.cave, self.viewer)


def view(state: State, viewer: int | None, names: tuple[str, ...], *, over: bool = False) -> View:
    """Return the view of a seat or a watcher; ``over`` reveals all held treasures, for a replay."""
    over = over or state.phase == "over"
    # Built field by field, so that a field added to the state is hidden until someone shows it.
    shown = State(
        settings=state.settings,
        players=tuple(
            player if over or seat == viewer else _hide_player(player) for seat, player in enumerate(state.players)
        ),
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
        offer=state.offer if over or state.seat == viewer else _hide_offer(state.offer),
        vengeance=state.vengeance,
    )
    return View(viewer, names, shown, _level_2_to_come(state))


def _hide_player(player: Player) -> Player:
    return replace(player, treasures=(None,) * len(player.treasures))


def _hide_hex(laid: Laid, viewer: int | None) -> Laid:
    if not laid.treasures:
        return laid
    known = tuple(each for each in laid.treasures if each.seen == viewer and viewer is not None)
    hidden = (Treasure(None),) * (len(laid.treasures) - len(known))
    return replace(laid, treasures=known + hidden)


def _hide_offer(offer: Offer | None) -> Offer | None:
    return offer and replace(offer, values=(None,) * len(offer.values))


def _level_2_to_come(state: State) -> int:
    if PAINTINGS not in state.hexes:
        return 0
    hexes = components().hexes
    return sum(hexes[each].level == 2 for each in state.hexes)


def seats_with_hidden_treasures(view: View) -> list[int]:
    return [seat for seat, player in enumerate(view.cave.players) if None in player.treasures]


def knows_as_watcher(state: State, seat: int) -> bool:
    """Return whether a watcher knows as much: at the end, or for the dead, who hold nothing (rule 6.3)."""
    if state.phase == "over":
        return True
    return state.players[seat].state == "dead" and not any(
        each.seen == seat for laid in state.map.values() for each in laid.treasures
    )


def public_event_of(event: Event) -> Event:
    """Return the event without secrets: the values of treasures (rule 6.3)."""
    if isinstance(event, TreasuresDrawn):
        return replace(event, values=None)
    if isinstance(event, TreasureKept):
        return replace(event, value=None)
    return event


def may_know(state: State, by: int, action: Action, viewer: int | None) -> bool:
    """Return whether the viewer may know the action: the kept treasure is its owner's secret (rule 6.3)."""
    return by == viewer or state.phase == "over" or not isinstance(action, Keep)


def may_offer(view: View, choice: Choice) -> bool:
    """Return whether the choice fits the seat and the phase."""
    return view.viewer in view.acting and choice.type in ALLOWED_IN[view.cave.phase]


def imagine(view: View, seed: str) -> State:
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
    unseen, chance = chance.shuffle(_remove_seen(values, _seen_values(cave)))
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


def _seen_values(cave: State) -> list[int]:
    held = [value for player in cave.players for value in player.treasures]
    lying = [each.value for laid in cave.map.values() for each in laid.treasures]
    offered = cave.offer.values if cave.offer else ()
    return [value for value in (*cave.surface, *held, *lying, *offered) if value is not None]


def _remove_seen(things: Iterable[T], seen: Sequence[T]) -> list[T]:
    return [*(Counter(things) - Counter(seen)).elements()]


def view_to_json(view: View) -> Json:
    """Return the public form of a view; ``hidden`` are the seats with treasures hidden from the viewer."""
    hidden = seats_with_hidden_treasures(view)
    return view_json(view, position.write_view(view.cave, view.names, view.level_2), hidden)


def from_json(data: Json) -> View:
    return View(*position.read_view(data))
