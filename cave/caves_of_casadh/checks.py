"""Whether an action is legal: the code of the refusal, or nothing. Rule 11 has the codes and their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import lairs, routes
from cave.caves_of_casadh.actions import Action, Target
from cave.caves_of_casadh.exploring import is_aligned, origin_of
from cave.caves_of_casadh.geometry import HOME, side_towards
from cave.caves_of_casadh.state import State, here, where
from cave.caves_of_casadh.turns import may_deploy

ALLOWED_IN: Mapping[str, tuple[str, ...]] = {
    "actions": (
        "move",
        "explore",
        "slide",
        "collect_treasure",
        "collect_items",
        "leave",
        "use_medkit",
        "deploy",
        "defuse",
        "give_up",
        "end_turn",
    ),
    "placing": ("place",),
    "keeping": ("keep",),
    "fleeing": ("flee",),
    "driving": ("drive",),
    "haunting": ("move_grue", "end_turn"),
    "taking_lantern": ("take_lantern",),
    "moving_grue": ("place_grue",),
}
"""The actions of each phase."""
PRICES: Mapping[str, int] = dict.fromkeys(
    ("move", "explore", "collect_treasure", "collect_items", "leave"),
    1,
)
"""What costs MP; a flight takes 1 while there is any (rules 3.3 and 8.3)."""


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
    code = check_seat(state, seat) or check_phase(state, action.type)
    if code:
        return code
    own = _CHECKS.get(type(action))
    code = own(state, seat, action) if own else ""
    if code:
        return code
    return "not_enough_mp" if state.mp < PRICES.get(action.type, 0) else ""


def leads_to(state: State, seat: int, to: Target) -> bool:
    """Return whether a cell is beyond a side of the pawn's passage (rule 4.1)."""
    side = side_towards(where(state, seat), to)
    return side is not None and here(state, seat).layout.owner[side] == state.players[seat].passage


def at_marker(state: State, seat: int) -> bool:
    """Return whether the pawn is in the passage with the location marker (rule 1.3)."""
    return here(state, seat).layout.hex.marker == state.players[seat].passage


def _move(state: State, seat: int, action: act.Move) -> str:
    """Check a move (rules 4.1, 7.7 and 8.1)."""
    if not leads_to(state, seat, action.to):
        return "no_passage"
    if action.to not in state.map:
        return "not_explored"
    if routes.is_barred(state, action.to):
        return "blocked"
    barred = state.map[action.to].grues and "lantern" not in state.players[seat].items
    return "grue_there" if barred else ""


def _explore(state: State, seat: int, action: act.Explore) -> str:
    """Check an exploration (rule 4.2)."""
    if not leads_to(state, seat, action.to):
        return "no_passage"
    if action.to in state.map:
        return "already_explored"
    return "" if state.hexes else "no_hexes"


def _place(state: State, seat: int, action: act.Place) -> str:
    """Check how a hex is laid (rule 4.3)."""
    drawn = state.drawn
    assert drawn is not None
    origin = origin_of(where(state, seat), drawn.to)
    return "" if is_aligned(drawn.hex, origin, action.rotation) else "star_not_aligned"


def _keep(state: State, seat: int, action: act.Keep) -> str:
    """Check which treasure is kept (rules 6.1 and 6.2)."""
    assert state.offer is not None
    return "" if action.treasure in state.offer.values else "not_offered"


def _slide(state: State, seat: int, action: act.Slide) -> str:
    """Check a slide (rule 4.5)."""
    player, shape = state.players[seat], here(state, seat).layout.hex
    if action.passage not in routes.slides(shape, player.passage, rope=True):
        return "no_slope"
    if action.passage in routes.slides(shape, player.passage, "rope" in player.items):
        return ""
    return "needs_rope"


def _collect_treasure(state: State, seat: int, action: act.CollectTreasure) -> str:
    """Check whether there is treasure to pick up (rule 6.2)."""
    if not at_marker(state, seat):
        return "not_at_marker"
    return "" if here(state, seat).treasures else "no_treasure"


def _collect_items(state: State, seat: int, action: act.CollectItems) -> str:
    """Check the items to be taken (rule 6.5)."""
    if not at_marker(state, seat):
        return "not_at_marker"
    lying, held = here(state, seat).items, state.players[seat].items
    if not all(kind in lying for kind in action.items):
        return "not_here"
    return "already_held" if any(kind in held for kind in action.items) else ""


def _leave(state: State, seat: int, action: act.Leave) -> str:
    """Check whether one can leave (rule 9.2)."""
    return "" if where(state, seat) == HOME else "not_at_base"


def _use_medkit(state: State, seat: int, action: act.UseMedkit) -> str:
    """Check whether there is a Medkit (rule 6.7)."""
    return "" if "medkit" in state.players[seat].items else "not_held"


def _deploy(state: State, seat: int, action: act.Deploy) -> str:
    """Check whether dynamite can be laid (rule 7.4)."""
    if not may_deploy(here(state, seat)):
        return "not_allowed_here"
    return "" if "dynamite" in state.players[seat].items else "not_held"


def _defuse(state: State, seat: int, action: act.Defuse) -> str:
    """Check whether there is dynamite (rule 7.6)."""
    return "" if action.owner in here(state, seat).dynamite else "no_dynamite"


def _flee(state: State, seat: int, action: act.Flee) -> str:
    """Check the next step of a flight (rule 8.2)."""
    return "" if action.to in routes.first_steps(state, seat) else "no_route"


def _drive(state: State, seat: int, action: act.Drive) -> str:
    """Check where a grue is driven (rule 8.4)."""
    return "" if action.to in lairs.lairs(state) else "illegal_hex"


def _take_lantern(state: State, seat: int, action: act.TakeLantern) -> str:
    """Check whose Lantern is taken (rule 8.5)."""
    return "" if action.holder in lairs.lantern_holders(state, seat) else "no_lantern"


def _place_grue(state: State, seat: int, action: act.PlaceGrue) -> str:
    """Check where a grue is moved (rule 8.6)."""
    laid = state.map.get(action.start)
    if laid is None or not laid.grues:
        return "no_grue"
    return "" if lairs.is_destination(state, action.start, action.to) else "illegal_hex"


_CHECKS: Mapping[type, Callable[[State, int, Any], str]] = {
    act.Move: _move,
    act.Explore: _explore,
    act.Place: _place,
    act.Keep: _keep,
    act.Slide: _slide,
    act.CollectTreasure: _collect_treasure,
    act.CollectItems: _collect_items,
    act.Leave: _leave,
    act.UseMedkit: _use_medkit,
    act.Deploy: _deploy,
    act.Defuse: _defuse,
    act.Flee: _flee,
    act.Drive: _drive,
    act.TakeLantern: _take_lantern,
    act.PlaceGrue: _place_grue,
}
