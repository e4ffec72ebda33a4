"""Whether an action is legal: the code of the refusal, or nothing. Rule 11 has the codes and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action, Edge, Space
from cave.cave_vs_cave.board import (
    CAVERN,
    EDGES,
    accepted,
    accessible,
    as_edge,
    empty,
    wall_between,
    walls_round,
)
from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.drafting import fewest_walls
from cave.cave_vs_cave.gains import in_room_action, meant, price
from cave.cave_vs_cave.goods import Goods
from cave.cave_vs_cave.state import Player, State
from cave.cave_vs_cave.turns import BLUE, PROSPECTING, ROOMS, TILES, balance, needs_more, walls_left, ways
from cave.codec import Place

IN_TURN = (
    "collect",
    "exchange",
    "furnish",
    "excavate",
    "build_wall",
    "raze_wall",
    "use_room",
    "additional",
    "prospect",
    "anytime",
    "end_turn",
)
ALLOWED_IN: Mapping[str, tuple[str, ...]] = {
    "draft": ("draft",),
    "cover": ("cover",),
    "take": ("take", "anytime"),
    "actions": IN_TURN,
    "dig": ("excavate", "anytime"),
    "cavern": ("take_cavern",),
}
"""The actions of each phase (rule 11)."""


def check_seat(state: State, seat: int) -> str:
    """Return whether the seat is to act (codes ``game_over`` and ``not_your_turn``)."""
    if state.phase == "over":
        return "game_over"
    return "" if seat == state.seat else "not_your_turn"


def check_phase(state: State, kind: str) -> str:
    """Return whether an action of this type has its place in the phase."""
    return "" if kind in ALLOWED_IN.get(state.phase, ()) else "wrong_phase"


def check(state: State, seat: int, action: Action) -> str:
    """Return the code of the refusal of any action, or nothing when it is legal."""
    return (
        check_seat(state, seat)
        or check_phase(state, action.type)
        or _CHECKS[type(action)](state, state.players[seat], action)
    )


def _take(state: State, player: Player, action: act.Take) -> str:
    return check_take(state, player, action.tile)


def check_take(state: State, player: Player, tile: str) -> str:
    """Return whether a tile can be taken (rules 3.2, 7.6 and 9.3)."""
    if tile not in state.up:
        return "not_face_up"
    if tile in state.taken:
        return "taken"
    good = needs_more(state, tile)
    if good is None:
        return ""
    return (
        ""
        if all(player is other or player.goods[good] > other.goods[good] for other in state.players)
        else "not_ahead"
    )


def _anytime(state: State, player: Player, action: act.Anytime) -> str:
    """Rule 3.5."""
    return _enough(player.goods, price(state, action))


def _simple(state: State, player: Player, action: act.Collect | act.Exchange) -> str:
    """Rule 3.4."""
    return _on_tile(state, action) or _enough(player.goods, price(state, action))


def _furnish(state: State, player: Player, action: act.Furnish) -> str:
    """Rules 4.4, 4.5 and 4.8."""
    return (
        _on_tile(state, action)
        or check_room(state, player, action.room, action.at)
        or _enough(player.goods, price(state, action))
    )


def check_room(state: State, player: Player, room: str, at: Space, walls: Iterable[Edge] = ()) -> str:
    """Return whether a room of the display may stand on a space, once there are these new walls as well."""
    if room not in state.display:
        return "not_in_display"
    if at not in empty(player, state.era):
        return "no_space"
    new = frozenset(walls)
    if not new <= EDGES[state.era]:
        return "no_edge"
    if any(wall_between(edge, player.walls) for edge in new):
        return "wall_there"
    there = walls_round(at, player.walls | new, state.settings.cavern, player.cavern)
    if there not in accepted(ROOMS[room].walls):
        return "walls_differ"
    return "too_many_blue" if room in BLUE and balance(player) < 2 else ""


def _excavate(state: State, player: Player, action: act.Excavate) -> str:
    """Rules 4.1 to 4.3."""
    if state.phase == "dig":
        return "no_such_option" if action.spaces != 1 else _dig(state, player, action.at)
    code = _on_tile(state, action)
    if code:
        return code
    chosen = meant(state, action)
    assert chosen is not None
    return _dig(state, player, action.at, through=chosen.effect.through_walls) or _enough(
        player.goods, chosen.effect.pay
    )


def _dig(state: State, player: Player, at: Place, *, through: bool = False) -> str:
    if at not in player.covered:
        return "not_covered"
    return "" if at in accessible(player, state.era, through=through) else "no_path"


def _build_wall(state: State, player: Player, action: act.BuildWall) -> str:
    """Rule 4.6."""
    edge = as_edge(*action.between)
    code = _on_tile(state, action) or _on_edge(state, edge)
    if code:
        return code
    if wall_between(edge, player.walls):
        return "wall_there"
    assert state.seat is not None
    return "" if walls_left(state, state.seat) else "no_walls"


def _raze_wall(state: State, player: Player, action: act.RazeWall) -> str:
    """Rule 4.7."""
    edge = as_edge(*action.between)
    code = _on_tile(state, action) or _on_edge(state, edge)
    return code or ("" if edge in player.walls else "no_wall")


def _on_edge(state: State, edge: Edge) -> str:
    return "" if edge in EDGES[state.era] else "no_edge"


def _use_room(state: State, player: Player, action: act.UseRoom) -> str:
    """Rules 5.1, 5.2 and 5.9."""
    found = ways(state, "use_room")
    if not found:
        return "not_on_tile"
    if action.room != ENTRANCE and action.room not in player.rooms.values():
        return "not_your_room"
    if not ROOMS[action.room].effects:
        return "no_room_action"
    chosen = meant(state, action)
    if chosen is None:
        return "no_such_option"
    if chosen.number in state.done and not state.used:
        return "done_already"
    if action.room in state.used:
        return "room_used"
    code = "" if action.at is None else _dig(state, player, action.at)
    return code or _enough(in_room_action(state, player), chosen.effect.pay)


def _additional(state: State, player: Player, action: act.Additional) -> str:
    """Rule 7.5."""
    if TILES[state.tile].era == 1:
        return "not_on_tile"
    chosen = meant(state, action)
    if chosen is None:
        return "no_such_option"
    return "done_already" if state.additional else _enough(player.goods, chosen.effect.pay)


def _prospect(state: State, player: Player, action: act.Prospect) -> str:
    return check_prospect(state, player)


def check_prospect(state: State, player: Player) -> str:
    """Return whether the Prospecting Site can be used now (rule 5.8)."""
    if state.tile != BLUE[PROSPECTING].tile:
        return "not_on_tile"
    if PROSPECTING not in player.rooms.values():
        return "not_your_room"
    return "done_already" if state.prospected else _enough(player.goods, price(state, act.Prospect()))


def _take_cavern(state: State, player: Player, action: act.TakeCavern) -> str:
    """Rule 4.9."""
    return "" if action.walls in components().cavern[state.settings.cavern] else "no_such_option"


def _draft(state: State, player: Player, action: act.Draft) -> str:
    """Rules 8.2 and 8.3."""
    new = {as_edge(*edge) for edge in action.walls}
    code = check_room(state, player, action.room, action.at, new)
    if code:
        return code
    fewest = fewest_walls(action.room, player, state.settings.cavern)
    if fewest is None or len(new) > fewest:
        return "too_many_walls"
    assert state.seat is not None
    return "" if len(new) <= walls_left(state, state.seat) else "no_walls"


def _cover(state: State, player: Player, action: act.Cover) -> str:
    """Rule 8.5."""
    return "" if action.at in empty(player, state.era) and action.at != CAVERN else "no_space"


def _end_turn(state: State, player: Player, action: act.EndTurn) -> str:
    """Rule 3.6: all that the tile offers may be left out."""
    return ""


def _on_tile(state: State, action: Action) -> str:
    """Return whether the tile has such an action (rule 3.2), with these words, and it is still to be begun
    (3.3).
    """
    if not ways(state, action.type):
        return "not_on_tile"
    chosen = meant(state, action)
    if chosen is None:
        return "no_such_option"
    return "done_already" if chosen.number in state.done else ""


def _enough(goods: Goods, cost: g.Amounts) -> str:
    return "" if g.has(goods, cost) else "not_enough"


_CHECKS: Mapping[type, Callable[[State, Player, Any], str]] = {
    act.Take: _take,
    act.Anytime: _anytime,
    act.Collect: _simple,
    act.Exchange: _simple,
    act.Furnish: _furnish,
    act.Excavate: _excavate,
    act.BuildWall: _build_wall,
    act.RazeWall: _raze_wall,
    act.UseRoom: _use_room,
    act.Additional: _additional,
    act.Prospect: _prospect,
    act.TakeCavern: _take_cavern,
    act.Draft: _draft,
    act.Cover: _cover,
    act.EndTurn: _end_turn,
}
