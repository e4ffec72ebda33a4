"""Checks for impossible positions; errors name the field (rule 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cave.caves_of_casadh import SEATS, routes
from cave.caves_of_casadh.components import BASE, COLLAPSED, HOME, ITEMS, PAINTINGS, components
from cave.caves_of_casadh.legal import passage_leads_to
from cave.caves_of_casadh.state import Laid, Player, State, count_spelunkers, hex_of
from cave.codec import reject_field_if
from cave.game import BadData

FARTHEST = 99
"""The largest coordinate of a position."""
PILE = sum(map(len, components().pile))
"""The number of hexes that players explore (rule 1.3)."""
MOST_PLACES = 2 * PILE + 1
"""The most places on a map: all hexes, as many Collapsed Hexes, and Base Camp."""
MOST_GRUES = 999
"""The most grues on a hex, and the most steps of vengeance."""
MOST_HP = components().start_hp
"""The most HP, and the most MP at the start of a turn (rule 3.1)."""
PHASES_OF = {
    "in": ("actions", "placing", "keeping", "fleeing", "driving"),
    "out": ("haunting", "taking_lantern", "moving_grue"),
    "dead": ("haunting", "taking_lantern", "moving_grue"),
}
"""The phases by whereabouts of the spelunker to act."""


def check_position_shape(state: State) -> None:
    """Raise BadData for a position that cannot be shown: unknown hexes or cards, invalid seats, or more
    places than possible. Each hex of the pile adds one place, at most a step farther from Base Camp.
    """
    box, seats = components(), len(state.players)
    reject_field_if(seats not in SEATS, "players", f"must be {SEATS[0]} to {SEATS[-1]} players")
    _check_size(state, PILE)
    reject_field_if(HOME not in state.map, "map", "must have BASE at [0, 0]")
    for index, laid in enumerate(state.map.values()):
        reject_field_if(laid.hex not in box.hexes, f"map[{index}].hex", "is not known")
        for number, owner in enumerate(laid.dynamite):
            reject_field_if(owner >= seats, f"map[{index}].dynamite[{number}]", "must be a seat's")
    reject_field_if(state.drawn and state.drawn.hex not in box.hexes, "turn.drawn", "is not a hex of the pile")
    for seat, player in enumerate(state.players):
        if player.state == "in":
            _check_pawn(f"players[{seat}]", state, player)
    _check_acting_seat(state)


def _check_size(state: State, grown: int) -> None:
    reject_field_if(len(state.map) > MOST_PLACES + grown, "map", f"can have at most {MOST_PLACES + grown} places")
    farthest = FARTHEST + grown
    for index, (q, r) in enumerate([*state.map, state.drawn.to if state.drawn else HOME]):
        if not (-farthest <= q <= farthest and -farthest <= r <= farthest):
            field = f"map[{index}].at" if index < len(state.map) else "turn.to"
            raise BadData(field, f"must be {-farthest} to {farthest}")


def _check_pawn(field: str, state: State, player: Player) -> None:
    laid, box = state.map.get(player.at) if player.at else None, components()
    if laid is None:
        raise BadData(f"{field}.at", "there is no hex")
    reject_field_if(player.passage >= len(laid.layout.sides), f"{field}.passage", "there is no such passage")
    for index, card in enumerate(player.misfortunes):
        kind = box.cards[card].misfortune if card in box.cards else "none"
        if kind == "none" or not box.misfortunes[kind].keep:
            raise BadData(f"{field}.misfortunes[{index}]", "must be a card that is kept")


def _check_acting_seat(state: State) -> None:
    seat, phase = state.seat, state.phase
    if (phase == "over") != (not count_spelunkers(state, "in")):
        raise BadData("turn.phase", "must be over when nobody is in the caves, and only then")
    if (seat is None) != (phase == "over"):
        raise BadData("turn.seat", "must be null when the game is over, and only then")
    if seat is None:
        return
    reject_field_if(seat >= len(state.players), "turn.seat", "must be a seat")
    whereabouts = state.players[seat].state
    if phase not in PHASES_OF[whereabouts]:
        raise BadData("turn.seat", f"is {whereabouts}, which does not go with the phase {phase}")


def check_position(state: State) -> None:
    """Raise BadData with the field's path for an impossible state of the right shape."""
    _check_size(state, 0)
    reject_field_if(state.vengeance > MOST_GRUES, "vengeance", f"must be at most {MOST_GRUES}")
    reject_field_if(state.map[HOME].hex != BASE, "map[0].hex", "must be BASE at [0, 0]")
    for index, (at, laid) in enumerate(state.map.items()):
        _check_laid_hex(f"map[{index}]", laid, is_home=at == HOME, seats=len(state.players))
    for seat, player in enumerate(state.players):
        if player.state != "dead":
            _check_player(f"players[{seat}]", state, player)
    _check_all_hexes(state)
    _check_counts(state)
    _check_totals(state)
    _check_turn(state)


def _check_laid_hex(field: str, laid: Laid, *, is_home: bool, seats: int) -> None:
    """Raise BadData for impossible things on a hex (rules 1.2, 1.3 and 2.1)."""
    special = laid.hex in (BASE, COLLAPSED)
    reject_field_if((laid.hex == BASE) != is_home, f"{field}.hex", "there is BASE at [0, 0], and nowhere else")
    reject_field_if(laid.rotation and special, f"{field}.rotation", "must be 0 for BASE and COLL")
    if laid.token and laid.layout.hex.hazard in ("none", "grue"):
        raise BadData(f"{field}.token", "there is no methane, bats or tremors icon")
    most = 0 if is_home else MOST_GRUES
    reject_field_if(laid.grues > most, f"{field}.grues", f"must be at most {most}")
    reject_field_if(laid.dynamite and special, f"{field}.dynamite[0]", "must not be on BASE or COLL")
    for index, treasure in enumerate(laid.treasures):
        if treasure.seen is not None and treasure.seen >= seats:
            raise BadData(f"{field}.treasures[{index}].seen", "must be a seat")


def _check_player(field: str, state: State, player: Player) -> None:
    reject_field_if(not 1 <= player.hp <= MOST_HP, f"{field}.hp", f"must be 1 to {MOST_HP}")
    reject_field_if(len({*player.items}) < len(player.items), f"{field}.items", "must name each kind once")
    if player.at is None:
        return
    laid = state.map[player.at]
    reject_field_if(routes.is_hex_barred(state, player.at), f"{field}.at", "nobody enters a Collapsed Hex")
    in_water = laid.layout.hex.water == player.passage
    for index, card in enumerate(player.misfortunes):
        kind = components().cards[card].misfortune
        if kind == "thirst" and ("canteen" in player.items or in_water):
            raise BadData(f"{field}.misfortunes[{index}]", "there is no Thirst with a Canteen or in water")
        if kind == "flashlight_out" and "battery" in player.items:
            raise BadData(f"{field}.misfortunes[{index}]", "there is no Flashlight Out with a Battery")


def _check_all_hexes(state: State) -> None:
    """Check that each hex of the pile exists once, and Level 2 after Cave Paintings (rule 4.2)."""
    hexes, drawn = components().hexes, state.drawn
    reject_field_if(drawn and drawn.hex in state.hexes, "turn.drawn", "is in the pile, too")
    to_come = PAINTINGS in state.hexes or (drawn is not None and drawn.hex == PAINTINGS)
    found = [(f"map[{index}].hex", laid.hex) for index, laid in enumerate(state.map.values())]
    laid_out = len(found)
    found += [("turn.drawn", drawn.hex)] if drawn else []
    found += [(f"hexes[{index}]", each) for index, each in enumerate(state.hexes)]
    seen: set[str] = set()
    for number, (field, each) in enumerate(found):
        if number >= laid_out and (each not in hexes or each in (BASE, COLLAPSED)):
            raise BadData(field, "is not a hex of the pile")
        reject_field_if(each in seen, field, "is somewhere else, too")
        reject_field_if(to_come and hexes[each].level == 2, field, "Level 2 comes after Cave Paintings")
        to_come = to_come and (number < laid_out or each != PAINTINGS)
        if each != COLLAPSED:
            seen.add(each)


def _check_counts(state: State) -> None:
    settings = state.settings
    for index, roll in enumerate(state.dice):
        reject_field_if(not 1 <= roll <= settings.die_sides, f"dice[{index}]", f"must be 1 to {settings.die_sides}")
    reject_field_if(state.first_seat >= len(state.players), "first_seat", "must be a seat")
    if state.round < 1 or 0 < settings.round_limit < state.round:
        raise BadData("round", "must be 1 or more, and at most the round limit")


def _check_totals(state: State) -> None:
    """Check that nothing exceeds the numbers of the box (rules 1.4 to 1.6)."""
    box = components()
    for name in ("cards", "discards"):
        for index, card in enumerate(getattr(state, name)):
            reject_field_if(card not in box.cards, f"{name}[{index}]", "is not known")
    held = [card for player in state.players for card in player.misfortunes]
    copies = {each.id: each.copies for each in box.cards.values()}
    _check_total("cards", [*state.cards, *state.discards, *held], copies)
    lying = [kind for laid in state.map.values() for kind in laid.items]
    carried = [kind for player in state.players for kind in player.items]
    _check_total("supply", [*state.supply, *lying, *carried], {kind: box.items[kind].count for kind in ITEMS})
    values = [value for player in state.players for value in player.treasures]
    values += [each.value for laid in state.map.values() for each in laid.treasures]
    values += state.offer.values if state.offer else ()
    treasures = dict.fromkeys(box.treasure_values, box.treasure_copies)
    _check_total("bag", [*state.bag, *state.surface, *values], treasures)


def _check_total(field: str, found: Sequence[Any], there_are: Mapping[Any, int]) -> None:
    for each, number in Counter(found).items():
        if number > there_are[each]:
            raise BadData(field, f"there are {there_are[each]} of {each} on the table, not {number}")


def _check_turn(state: State) -> None:
    """Check that MP and the fields of the phase fit the seat (rules 3, 4, 6 and 8)."""
    seat, phase = state.seat, state.phase
    if seat is None:
        reject_field_if(state.mp, "turn.mp", "must be 0 when the game is over")
        return
    player = state.players[seat]
    least, most = (phase == "placing"), (0 if player.state != "in" else MOST_HP)
    reject_field_if(not least <= state.mp <= most, "turn.mp", f"must be {int(least)} to {most}")
    if player.state == "in" and phase != "fleeing" and routes.must_flee(state, seat):
        raise BadData("turn.phase", "there is a grue, and the spelunker must flee")
    problem = _phase_problem(state, seat)
    reject_field_if(problem, "turn.phase", problem)
    if state.drawn and (state.drawn.to in state.map or not passage_leads_to(state, seat, state.drawn.to)):
        raise BadData("turn.to", "must be an empty cell beyond the pawn's passage")
    if offer := state.offer:
        reject_field_if(not offer.values, "turn.offer", "must have 1 or more")
        reject_field_if(offer.hex not in state.map, "turn.hex", f"there is no hex at {list(offer.hex)}")
        reject_field_if(offer.by == "collect_treasure" and offer.hex != player.at, "turn.hex", "must be the pawn's")
        if offer.icons > (offer.by == "explore"):
            raise BadData("turn.icons", "must be 0 or 1, and 0 for treasures that were picked up")


def _phase_problem(state: State, seat: int) -> str:
    haunts = state.players[seat].state != "in" and routes.may_move_grues(state, seat)
    match state.phase:
        case "fleeing" if not routes.must_flee(state, seat) or not routes.first_flight_steps(state, seat):
            return "there is no grue to flee from, or no route"
        case "driving" if not hex_of(state, seat).grues or not routes.free_lairs(state):
            return "there is no grue to drive, or no lair"
        case "haunting" if not haunts:
            return "there is no grue on the map, or nobody is out"
        case "taking_lantern" if not haunts or not routes.lantern_holders(state, seat):
            return "there is no Lantern to take, no grue, or nobody is out"
        case "moving_grue" if not haunts or not routes.some_grue_can_move(state):
            return "there is no grue that can be moved, or nobody is out"
    return ""
