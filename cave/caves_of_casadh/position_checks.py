"""Positions that cannot be: each is refused by the name of its field (rule 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from cave.caves_of_casadh import lairs, routes
from cave.caves_of_casadh.checks import leads_to
from cave.caves_of_casadh.components import BASE, COLLAPSED, ITEMS, PAINTINGS, components
from cave.caves_of_casadh.geometry import HOME, SIDES, Cell
from cave.caves_of_casadh.options import SEATS
from cave.caves_of_casadh.state import HIDDEN, Laid, Player, State, count, here
from cave.game import BadData

T = TypeVar("T")

FARTHEST = 99
"""The largest coordinate of a position."""
PILE = sum(map(len, components().pile))
"""The number of hexes that players explore (rule 1.3)."""
MOST_PLACES = 2 * PILE + 1
"""The largest number of places on a map: all hexes, as many Collapsed Hexes, and Base Camp."""
MOST_GRUES = 999
"""The largest number of grues on a hex, and of steps of vengeance."""
MOST_MP = components().start_hp
"""MP at the start of a turn are HP at most (rule 3.1)."""
PHASES_OF = {
    "in": ("actions", "placing", "keeping", "fleeing", "driving"),
    "out": ("haunting", "taking_lantern", "moving_grue"),
    "dead": ("haunting", "taking_lantern", "moving_grue"),
}
"""The phases in which spelunkers act, by where they are."""


def check_map(cells: Sequence[Cell], *, shown: bool) -> None:
    """Raise BadData for a map that is too large. The map in a view may exceed the bounds of a start position:
    each hex of the pile adds a place, at most one step farther from Base Camp.
    """
    grown = PILE if shown else 0
    if len(cells) > MOST_PLACES + grown:
        raise BadData("map", f"can have at most {MOST_PLACES + grown} places")
    for index, at in enumerate(cells):
        check_near(f"map[{index}].at", at, FARTHEST + grown)


def check_near(field: str, at: Cell, farthest: int = FARTHEST) -> None:
    """Raise BadData for a cell too far from Base Camp."""
    if max(map(abs, at)) > farthest:
        raise BadData(field, f"must be {-farthest} to {farthest}")


def check_bounds(state: State) -> None:
    """Raise BadData for more grues or vengeance than a position may start with, or a hex too far out."""
    for index, laid in enumerate(state.map.values()):
        if laid.grues > MOST_GRUES:
            raise BadData(f"map[{index}].grues", f"must be at most {MOST_GRUES}")
    if state.vengeance > MOST_GRUES:
        raise BadData("vengeance", f"must be at most {MOST_GRUES}")
    if state.drawn:
        check_near("turn.to", state.drawn.to)


def check(state: State) -> None:
    """Raise BadData with the path of the field for what cannot be."""
    if state.map.get(HOME, Laid("")).hex != BASE:
        raise BadData("map", "must have BASE at [0, 0]")
    for seat, player in enumerate(state.players):
        if player.state != "dead":
            _check_player(f"players[{seat}]", state, player)
    _check_hexes(state)
    _check_numbers(state)
    _check_totals(state)
    _check_turn(state)


def check_seats(number: int) -> None:
    """Raise BadData for a number of players that the game is not for (rule 1.1)."""
    if number not in SEATS:
        raise BadData("players", f"must be {SEATS[0]} to {SEATS[-1]} players")


def check_laid(field: str, at: Cell, laid: Laid, seats: int) -> None:
    """Raise BadData for what cannot lie there (rules 1.2, 1.3 and 2.1)."""
    shape = components().hexes.get(laid.hex)
    if shape is None:
        raise BadData(f"{field}.hex", "is not known")
    if (laid.hex == BASE) != (at == HOME):
        raise BadData(f"{field}.hex", "there is BASE at [0, 0], and nowhere else")
    if laid.rotation not in SIDES or (laid.rotation and laid.hex in (BASE, COLLAPSED)):
        raise BadData(f"{field}.rotation", "must be 0 to 5, and 0 for BASE and COLL")
    if laid.token and shape.hazard in ("none", "grue"):
        raise BadData(f"{field}.token", "there is no methane, bats or tremors icon")
    if laid.grues and laid.hex == BASE:
        raise BadData(f"{field}.grues", "must be 0 on BASE")
    for index, owner in enumerate(laid.dynamite):
        if owner >= seats or laid.hex in (BASE, COLLAPSED):
            raise BadData(f"{field}.dynamite[{index}]", "must be a seat's, and not on BASE or COLL")
    for index, treasure in enumerate(laid.treasures):
        _check_value(f"{field}.treasures[{index}].value", treasure.value)
        if treasure.seen is not None and treasure.seen >= seats:
            raise BadData(f"{field}.treasures[{index}].seen", "must be a seat")


def _check_value(field: str, value: int | None) -> None:
    if value is not None and value not in components().treasure_values:
        raise BadData(field, "must be 0 to 9")


def _check_player(field: str, state: State, player: Player) -> None:
    if player.state == "in":
        _check_pawn(field, state, player)
    if not 1 <= player.hp <= components().start_hp:
        raise BadData(f"{field}.hp", f"must be 1 to {components().start_hp}")
    if len({*player.items}) < len(player.items):
        raise BadData(f"{field}.items", "must name each kind once")
    for index, value in enumerate(player.treasures):
        _check_value(f"{field}.treasures[{index}]", value)


def _check_pawn(field: str, state: State, player: Player) -> None:
    at, box = player.at, components()
    laid = state.map.get(at) if at else None
    if laid is None:
        raise BadData(f"{field}.at", "there is no hex")
    if laid.hex == COLLAPSED and state.settings.collapsed == "blocked":
        raise BadData(f"{field}.at", "nobody enters a Collapsed Hex")
    if player.passage >= len(laid.layout.sides):
        raise BadData(f"{field}.passage", "there is no such passage")
    for index, card in enumerate(player.misfortunes):
        path = f"{field}.misfortunes[{index}]"
        kind = box.cards[card].misfortune if card in box.cards else "none"
        if kind == "none" or not box.misfortunes[kind].keep:
            raise BadData(path, "must be a card that is kept")
        in_water = laid.layout.hex.water == player.passage
        if kind == "thirst" and ("canteen" in player.items or in_water):
            raise BadData(path, "there is no Thirst with a Canteen or in water")
        if kind == "flashlight_out" and "battery" in player.items:
            raise BadData(path, "there is no Flashlight Out with a Battery")


def _check_hexes(state: State) -> None:
    """Check that each hex of the pile is somewhere once, and Level 2 after Cave Paintings (rule 4.2)."""
    hexes = components().hexes
    seen: set[str] = set()
    to_come = PAINTINGS in state.hexes or (state.drawn is not None and state.drawn.hex == PAINTINGS)
    for index, laid in enumerate(state.map.values()):
        field = f"map[{index}].hex"
        if laid.hex in seen:
            raise BadData(field, "is on the map twice")
        if to_come and hexes[laid.hex].level == 2:
            raise BadData(field, "Level 2 comes after Cave Paintings")
        if laid.hex != COLLAPSED:
            seen.add(laid.hex)
    if state.drawn and state.drawn.hex in state.hexes:
        raise BadData("turn.drawn", "is in the pile, too")
    pile = [("turn.drawn", state.drawn.hex)] if state.drawn else []
    pile += [(f"hexes[{index}]", each) for index, each in enumerate(state.hexes) if each != HIDDEN]
    for field, each in pile:
        if each not in hexes or each in (BASE, COLLAPSED):
            raise BadData(field, "is not a hex of the pile")
        if each in seen:
            raise BadData(field, "is somewhere else, too")
        if to_come and hexes[each].level == 2:
            raise BadData(field, "Level 2 comes after Cave Paintings")
        to_come = to_come and each != PAINTINGS
        seen.add(each)


def _check_numbers(state: State) -> None:
    settings = state.settings
    for name in ("surface", "bag"):
        for index, value in enumerate(getattr(state, name)):
            _check_value(f"{name}[{index}]", value)
    for index, roll in enumerate(state.dice):
        if not 1 <= roll <= settings.die_sides:
            raise BadData(f"dice[{index}]", f"must be 1 to {settings.die_sides}")
    if state.first_seat >= len(state.players):
        raise BadData("first_seat", "must be a seat")
    if state.round < 1 or 0 < settings.round_limit < state.round:
        raise BadData("round", "must be 1 or more, and at most the round limit")


def _check_totals(state: State) -> None:
    """Check that there is no more of anything than the table has (rules 1.4 to 1.6)."""
    box = components()
    for name in ("cards", "discards"):
        for index, card in enumerate(getattr(state, name)):
            if card not in box.cards and (card != HIDDEN or name == "discards"):
                raise BadData(f"{name}[{index}]", "is not known")
    held = [card for player in state.players for card in player.misfortunes]
    copies = {each.id: each.copies for each in box.cards.values()}
    _check_total("cards", [*state.cards, *state.discards, *held], copies)
    lying = [kind for laid in state.map.values() for kind in laid.items]
    carried = [kind for player in state.players for kind in player.items]
    _check_total("supply", [*state.supply, *lying, *carried], {kind: box.items[kind].count for kind in ITEMS})
    values = [value for player in state.players for value in player.treasures]
    values += [each.value for laid in state.map.values() for each in laid.treasures]
    values += state.offer.values if state.offer else ()
    for index, value in enumerate(state.offer.values if state.offer else ()):
        _check_value(f"turn.offer[{index}]", value)
    _check_total(
        "bag", [*state.bag, *state.surface, *values], dict.fromkeys(box.treasure_values, box.treasure_copies)
    )


def _check_total(field: str, found: Sequence[Any], there_are: Mapping[Any, int]) -> None:
    count = Counter(each for each in found if each is not None and each != HIDDEN)
    for each, number in count.items():
        if number > there_are[each]:
            raise BadData(field, f"there are {there_are[each]} of {each} on the table, not {number}")
    # What is hidden has to be something, too.
    if len(found) > sum(there_are.values()):
        raise BadData(field, f"there are {sum(there_are.values())} on the table, not {len(found)}")


def _check_turn(state: State) -> None:
    """Check that seat, MP and what the phase is about fit together (rules 3, 4, 6 and 8)."""
    seat, phase = state.seat, state.phase
    if (phase == "over") != (not count(state, "in")):
        raise BadData("turn.phase", "must be over when nobody is in the caves, and only then")
    if phase == "over":
        if seat is not None:
            raise BadData("turn.seat", "must be null when the game is over")
        if state.mp:
            raise BadData("turn.mp", "must be 0 when the game is over")
        return
    if seat is None or seat >= len(state.players):
        raise BadData("turn.seat", "must be a seat")
    player = state.players[seat]
    if phase not in PHASES_OF[player.state]:
        raise BadData("turn.seat", f"is {player.state}, which does not go with the phase {phase}")
    least, most = (phase == "placing"), (0 if player.state != "in" else MOST_MP)
    if not least <= state.mp <= most:
        raise BadData("turn.mp", f"must be {int(least)} to {most}")
    if player.state == "in" and phase != "fleeing" and routes.must_flee(state, seat):
        raise BadData("turn.phase", "there is a grue, and the spelunker must flee")
    _check_phase(state, seat, player)


def _check_phase(state: State, seat: int, player: Player) -> None:
    match state.phase:
        case "placing":
            _check_drawn(state, seat)
        case "keeping":
            _check_offer(state, player)
        case "fleeing":
            if not routes.must_flee(state, seat) or not routes.first_steps(state, seat):
                raise BadData("turn.phase", "there is no grue to flee from, or no route")
        case "driving":
            if not here(state, seat).grues or not lairs.lairs(state):
                raise BadData("turn.phase", "there is no grue to drive, or no lair")
        case "haunting":
            if not lairs.may_haunt(state, seat):
                raise BadData("turn.phase", "there is no grue on the map, or nobody is out")
        case "taking_lantern":
            if not lairs.may_haunt(state, seat) or not lairs.lantern_holders(state, seat):
                raise BadData("turn.phase", "there is no Lantern to take, no grue, or nobody is out")
        case "moving_grue":
            if not lairs.may_haunt(state, seat) or not lairs.some_grue_can_move(state):
                raise BadData("turn.phase", "there is no grue that can be moved, or nobody is out")


def _check_drawn(state: State, seat: int) -> None:
    assert state.drawn is not None
    to = state.drawn.to
    if to in state.map or not leads_to(state, seat, to):
        raise BadData("turn.to", "must be an empty cell beyond the pawn's passage")


def _check_offer(state: State, player: Player) -> None:
    offer = state.offer
    assert offer is not None
    if not offer.values:
        raise BadData("turn.offer", "must have 1 or more")
    if offer.hex not in state.map:
        raise BadData("turn.hex", f"there is no hex at {list(offer.hex)}")
    if offer.by == "collect_treasure" and offer.hex != player.at:
        raise BadData("turn.hex", "must be the pawn's")
    if offer.icons > (offer.by == "explore"):
        raise BadData("turn.icons", "must be 0 or 1, and 0 for treasures that were picked up")
