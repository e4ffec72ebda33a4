"""Checks of actions (rule 11): each returns the first refusal that applies, or None."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action, Edge, Space
from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.rounds import fewest_walls
from cave.cave_vs_cave.state import (
    EDGES,
    Player,
    State,
    accepted_wall_sets,
    accessible_rooms,
    as_edge,
    empty_spaces,
    wall_between,
    walls_round,
)
from cave.cave_vs_cave.turns import (
    BLUE,
    PROSPECTING,
    ROOMS,
    TILES,
    chosen_effect,
    good_needed_more,
    goods_in_room_action,
    price_of_action,
    spare_orange_rooms,
    walls_left,
    ways_on_tile,
)
from cave.codec import Place
from cave.game import Refused

_OF_TILE: Mapping[str, tuple[str, str]] = {
    "collect": ("goods to collect", "3.4"),
    "exchange": ("exchange", "3.4"),
    "furnish": ("furnishing", "4.4"),
    "excavate": ("excavation", "4.1"),
    "build_wall": ("wall to build", "4.6"),
    "raze_wall": ("wall to raze", "4.7"),
    "use_room": ("room action", "5.1"),
    "additional": ("Additional Action", "7.5"),
}
"""The actions of tiles, each with the required part of the tile and the rule."""
_PURPOSES: Mapping[str, str] = {
    "exchange": "for the exchange",
    "furnish": "to furnish {}",
    "excavate": "to excavate two rooms",
    "use_room": "to use {}",
    "additional": "for the Additional Action",
    "prospect": "for the Prospecting Site",
}
"""What the goods that are missing are for, by action, with its room."""
_IN_TURN = (*_OF_TILE, "prospect", "anytime", "end_turn")
_PHASES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "draft": (("draft",), "First place a room of the display (rule 8.1)."),
    "cover": (("cover",), "First cover an empty space (rule 8.5)."),
    "take": (("take", "anytime"), "First take a tile (rule 3.2)."),
    "actions": (_IN_TURN, "You have a tile in hand: do its actions, or end your turn (rule 3.2)."),
    "dig": (("excavate", "anytime"), "First excavate the second room (rule 4.2)."),
    "cavern": (("take_cavern",), "First choose the side of the Additional Cavern (rule 4.9)."),
}
"""The actions of each phase, and the hint for any other action."""


def check_seat(state: State, seat: int) -> Refused | None:
    if state.phase == "over":
        return Refused("game_over", "The game is over (rule 6.1).")
    return None if seat == state.seat else Refused("not_your_turn", "It is not your turn (rule 3.1).")


def check_action_suits_phase(state: State, kind: str) -> Refused | None:
    kinds, first = _PHASES.get(state.phase, ((), ""))
    return None if kind in kinds else Refused("wrong_phase", first)


def check_action(state: State, seat: int, action: Action) -> Refused | None:
    return (
        check_seat(state, seat)
        or check_action_suits_phase(state, action.type)
        or _check_action_kind(state, seat, state.players[seat], action)
    )


def _check_action_kind(state: State, seat: int, player: Player, action: Action) -> Refused | None:
    match action:
        case act.UseRoom():
            return _check_use_room(state, player, action)
        case act.Take(tile):
            return check_take_tile(state, player, tile)
        case act.Anytime(good):
            return None if player.goods[g.NUMBER[good]] else _refuse_to_make_food(state, player, good)
        case act.Collect() | act.Exchange():
            return _on_tile(state, action) or _check_affordable(state, player, action)
        case act.Furnish(room, at):
            there = _on_tile(state, action) or check_furnish(state, player, room, at)
            return there or _check_affordable(state, player, action)
        case act.Excavate(at, spaces) if state.phase == "dig":
            return _refuse_option(action) if spaces != 1 else _check_excavation(state, player, at)
        case act.Excavate(at):
            through = any(effect.through_walls for _, effect in ways_on_tile(state, "excavate"))
            return (
                _on_tile(state, action)
                or _check_excavation(state, player, at, through=through)
                or _check_affordable(state, player, action)
            )
        case act.BuildWall() | act.RazeWall():
            return _on_tile(state, action) or _check_wall(state, seat, player, action)
        case act.Additional():
            if TILES[state.tile].era == 1:
                return _refuse_action_not_on_tile(state, action)
            if chosen_effect(state, action) is None:
                return _refuse_option(action)
            return _refuse_repeat("7.5") if state.additional else _check_affordable(state, player, action)
        case act.Prospect():
            return _check_prospect(state, player, action)
        case act.TakeCavern(walls):
            return None if walls in components().cavern[state.settings.cavern] else _refuse_option(action)
        case act.Draft():
            return _check_draft_room(state, seat, player, action)
        case act.Cover(at):
            return Refused(*_NO_SPACE) if at not in empty_spaces(player, state.era) else None
    return None  # All actions of a tile are optional (rule 3.6).


def check_take_tile(state: State, player: Player, tile: str) -> Refused | None:
    """Check that a tile can be taken (rules 3.2, 7.6 and 9.3)."""
    name = TILES[tile].name
    if tile not in state.up:
        return Refused("not_face_up", f"{name} is not face up (rule 3.2).")
    if tile in state.taken:
        return Refused("taken", f"{name} was taken in this round (rule 3.2).")
    good = good_needed_more(state, tile)
    if good is None or all(player is other or player.goods[good] > other.goods[good] for other in state.players):
        return None
    rule = "3.2" if TILES[tile].era == 1 else "7.6"
    return Refused("not_ahead", f"For {name} you need more {g.GOODS[good]} than your opponent (rule {rule}).")


def check_furnish(state: State, player: Player, room: str, at: Space, walls: Iterable[Edge] = ()) -> Refused | None:
    """Check that a room of the display can go on a space with these new walls (rules 4.4, 4.5 and 4.8)."""
    name = ROOMS[room].name
    if room not in state.display:
        return Refused("not_in_display", f"{name} is not in the display (rule 4.4).")
    if at not in empty_spaces(player, state.era):
        return Refused(*_NO_SPACE)
    new = frozenset(walls)
    if not new <= EDGES[state.era]:
        return Refused(*_NO_EDGE)
    if any(wall_between(edge, player.walls) for edge in new):
        return Refused(*_WALL_THERE)
    there = walls_round(at, player.walls | new, state.settings.cavern, player.cavern)
    if there not in accepted_wall_sets(ROOMS[room].walls):
        return Refused("walls_differ", f"The walls of that space do not match {name} (rule 4.5).")
    if room in BLUE and spare_orange_rooms(player) < 2:
        return Refused("too_many_blue", "You must have more orange than blue rooms, including the entrance (rule 4.8).")
    return None


_NO_SPACE = ("no_space", "That is not an empty space of your cave (rule 4.4).")
_NO_EDGE = ("no_edge", "Those are not neighbouring spaces of your cave (rule 1.3).")
_WALL_THERE = ("wall_there", "There is a wall already (rule 4.6).")


def _check_excavation(state: State, player: Player, at: Place, *, through: bool = False) -> Refused | None:
    """Rules 4.1 to 4.3."""
    if at not in player.covered:
        return Refused("not_covered", "There is no face-down room there (rule 4.1).")
    if at not in accessible_rooms(player, state.era, through=through):
        return Refused("no_path", "No open path leads there from the entrance (rule 4.1).")
    return None


def _check_wall(state: State, seat: int, player: Player, action: act.BuildWall | act.RazeWall) -> Refused | None:
    """Rules 4.6 and 4.7."""
    edge = as_edge(*action.between)
    if edge not in EDGES[state.era]:
        return Refused(*_NO_EDGE)
    if isinstance(action, act.RazeWall):
        return None if edge in player.walls else Refused("no_wall", "You have not built a wall there (rule 4.7).")
    if wall_between(edge, player.walls):
        return Refused(*_WALL_THERE)
    return None if walls_left(state, seat) else _refuse_no_walls("4.6")


def _check_use_room(state: State, player: Player, action: act.UseRoom) -> Refused | None:
    """Rules 5.1, 5.2 and 5.9."""
    room = ROOMS[action.room]
    if not ways_on_tile(state, "use_room"):
        return _refuse_action_not_on_tile(state, action)
    if action.room != ENTRANCE and action.room not in player.rooms.values():
        return _refuse_other_room(action.room)
    if not room.effects:
        return Refused("no_room_action", f"{room.name} has no room action (rule 5.1).")
    chosen = chosen_effect(state, action)
    if chosen is None:
        return _refuse_option(action)
    if chosen[0] in state.done and not state.used:
        return _refuse_repeat("3.3")
    if action.room in state.used:
        name = f"{'the ' * (action.room == ENTRANCE)}{room.name}"
        return Refused("room_used", f"You have used {name} in this room action (rule 5.1).")
    if action.at is not None and (refused := _check_excavation(state, player, action.at)):
        return refused
    goods, cost = goods_in_room_action(state, player), chosen[1].pay
    return None if g.can_pay(goods, cost) else _refuse_not_enough(action, goods, cost, "5.1")


def _refuse_other_room(room: str) -> Refused:
    rule = "5.8" if room == PROSPECTING else "5.1"
    return Refused("not_your_room", f"{ROOMS[room].name} is not in your cave (rule {rule}).")


def _check_prospect(state: State, player: Player, action: act.Prospect) -> Refused | None:
    """Rule 5.8."""
    wanted = BLUE[PROSPECTING].tile
    if state.tile != wanted:
        names = f"{TILES[wanted].name}, not with {TILES[state.tile].name}"
        return Refused("not_on_tile", f"The Prospecting Site works with {names} (rule 5.8).")
    if PROSPECTING not in player.rooms.values():
        return _refuse_other_room(PROSPECTING)
    return _refuse_repeat("5.8") if state.prospected else _check_affordable(state, player, action, "5.8")


def _check_draft_room(state: State, seat: int, player: Player, action: act.Draft) -> Refused | None:
    """Rules 8.2 and 8.3."""
    new = {as_edge(*edge) for edge in action.walls}
    if refused := check_furnish(state, player, action.room, action.at, new):
        return refused
    fewest = fewest_walls(action.room, player, state.settings.cavern)
    if fewest is None or len(new) > fewest:
        return Refused("too_many_walls", "Do not build more walls than this room needs (rule 8.2).")
    return None if len(new) <= walls_left(state, seat) else _refuse_no_walls("8.2")


def _on_tile(state: State, action: Action) -> Refused | None:
    """Check that the tile has this action (rule 3.2) with these options, not begun yet (3.3)."""
    chosen = chosen_effect(state, action)
    if chosen is None:
        return _refuse_option(action) if ways_on_tile(state, action.type) else _refuse_action_not_on_tile(state, action)
    return _refuse_repeat("3.3") if chosen[0] in state.done else None


def _refuse_action_not_on_tile(state: State, action: Action) -> Refused:
    what, rule = _OF_TILE[action.type]
    return Refused("not_on_tile", f"{TILES[state.tile].name} has no {what} (rule {rule}).")


def _refuse_option(action: Action) -> Refused:
    match action:
        case act.UseRoom(room):
            words = f"{ROOMS[room].name} is not used in that way (rule 5.2)."
        case act.Furnish():
            words = "That is not a price of the tile (rule 4.4)."
        case act.Excavate():
            words = "Only the tile Excavation excavates two rooms, once (rule 4.2)."
        case act.TakeCavern():
            words = "The Additional Cavern has no such side (rule 4.9)."
        case act.Additional():
            words = "The Additional Action has no such choice (rule 7.5)."
        case _:
            words = "The tile has no such choice (rule 3.4)."
    return Refused("no_such_option", words)


def _refuse_repeat(rule: str) -> Refused:
    return Refused("done_already", f"You have done that in this turn (rule {rule}).")


def _refuse_no_walls(rule: str) -> Refused:
    return Refused("no_walls", f"There are not enough walls left (rule {rule}).")


def _check_affordable(state: State, player: Player, action: Action, rule: str = "") -> Refused | None:
    cost = price_of_action(state, action)
    if g.can_pay(player.goods, cost):
        return None
    return _refuse_not_enough(action, player.goods, cost, rule or _OF_TILE[action.type][1])


def _refuse_not_enough(action: Action, goods: g.Goods, cost: g.Amounts, rule: str) -> Refused:
    words = " and ".join(f"{many} {good}" for good, many in g.amounts_by_name(g.missing_amounts(goods, cost)).items())
    room = getattr(action, "room", "")
    purpose = _PURPOSES[action.type].format(room and ROOMS[room].name)
    return Refused("not_enough", f"You need {words} more {purpose} (rule {rule}).")


def _refuse_to_make_food(state: State, player: Player, good: str) -> Refused:
    """Name all goods that are missing, as food can be made from each."""
    kinds = components().kinds[state.era]
    asked = [each for each in components().anytime if each == good or g.NUMBER[each] < kinds]
    *others, last = [each for each in asked if not player.goods[g.NUMBER[each]]]
    words = f"{', '.join(others)} or {last}" if others else last
    return Refused("not_enough", f"You have no {words} to make food from (rule 3.5).")
