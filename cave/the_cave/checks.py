"""Whether an action is legal: for each a function that gives the code of the refusal, or nothing.

``choices`` offers exactly what passes here and ``rules`` refuses exactly what does not, so the two
cannot disagree. Codes and their order are those of the table in ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave.the_cave import actions as act
from cave.the_cave import prices
from cave.the_cave.actions import Action, Price
from cave.the_cave.geometry import BASE, turned
from cave.the_cave.packing import camp_here, check_discard, check_exchange, check_pack
from cave.the_cave.placing import fits, unexplored_exits
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, State, Team, Tile

ALLOWED_IN = {"packing": ("pack",), "placing": ("place",)}


def check_seat(state: State, seat: int) -> str:
    """Return whether the seat is to act (codes ``game_over`` and ``not_your_turn``)."""
    if state.phase == "over":
        return "game_over"
    if state.phase == "packing":
        ready = 0 <= seat < len(state.teams) and seat not in state.packed
    else:
        ready = seat == state.seat
    return "" if ready else "not_your_turn"


def check_phase(state: State, kind: str, by: object) -> str:
    """Return whether an action of this type has its place in the phase (``starving``, ``wrong_phase``)."""
    phase = state.phase
    if phase == "actions":
        return "wrong_phase" if kind == "place" else ""
    if phase == "starving":
        assert state.seat is not None
        if kind == "move" and by == "force":
            return ""
        stuck = kind == "end_turn" and not prices.passages(state, state.teams[state.seat].at)
        return "" if stuck else "starving"
    return "" if kind in ALLOWED_IN[phase] else "wrong_phase"


def check_discover(state: State, team: Team) -> str:
    """Rule 4.1."""
    if not unexplored_exits(state.board, team.at):
        return "no_exit"
    if not state.tiles_left:
        return "no_tiles"
    return "" if state.ap >= act.DISCOVER.ap else "not_enough_ap"


def check_place(state: State, team: Team, action: act.Place) -> str:
    """Rules 4.2 and 4.3; every rotation that gives a legal tile is accepted."""
    drawn = state.drawn
    assert drawn is not None
    rotation = action.rotation
    if drawn.kind == "choke":
        if rotation:
            return "bad_action"
    elif rotation is None or not 0 <= rotation <= 3:
        return "bad_action"
    if action.at not in unexplored_exits(state.board, team.at):
        return "illegal_placement"
    legal = drawn.kind == "choke" or fits(state.board, action.at, turned(drawn.open, rotation or 0))
    return "" if legal else "illegal_placement"


def move_price(state: State, team: Team, action: act.Move) -> Price | str:
    """Return the price of a move, or the code of the refusal where there is no such way (rule 5)."""
    if action.by not in act.WAYS:
        return "bad_action"
    way = prices.passage(state, team.at, action.to)
    return "no_passage" if way is None else _price_of_way(state, team, action, *way)


def _price_of_way(state: State, team: Team, action: act.Move, tile: Tile, climb: int) -> Price | str:
    """Return the price of a move through a passage to ``tile``; ``climb`` is the number of levels without
    a rope.
    """
    if action.by == "foot" and tile.kind == "water":
        # Not a way in. Missing ropes are named first, as in the order of the codes.
        return "needs_rope" if climb > team.backpack.rope else "needs_oxygen"
    if action.by in ("oxygen", "raft") and tile.kind != "water":
        return "bad_action"
    gain = prices.depth_token(team, tile, climb)
    return prices.entry(tile.kind, tile.level, tile.token, climb, gain, action.by, state.settings.choke_cost)


def check_way(state: State, team: Team, action: act.Move, tile: Tile, climb: int) -> str:
    """Rule 5 for a move through a passage to ``tile``; ``climb`` is the number of levels without a rope."""
    return check_paid(state, team, _price_of_way(state, team, action, tile, climb))


def check_paid(state: State, team: Team, price: Price | str) -> str:
    """Return the code of what the team lacks to pay the price of a move; the code in its place stays."""
    return price if isinstance(price, str) else prices.lacking(price, team.backpack, state.ap)


def check_dive(state: State, team: Team) -> str:
    """Rule 5.5."""
    here = state.board[team.at]
    if here.kind != "water" or not here.token:
        return "no_token"
    return prices.lacking(prices.DIVE, team.backpack, state.ap)


def check_photograph(state: State, team: Team) -> str:
    """Rule 5.6."""
    here = state.board[team.at]
    if here.kind != "wonder" or not here.token:
        return "no_token"
    return prices.lacking(prices.PHOTOGRAPH, team.backpack, state.ap)


def check_pitch(state: State, team: Team) -> str:
    """Rule 6.4."""
    if team.camp.state != "packed":
        return "camp_not_packed"
    return "" if state.ap >= act.PITCH.ap else "not_enough_ap"


def check_strike(state: State, team: Team) -> str:
    """Rule 6.6."""
    if not camp_here(team):
        return "camp_not_here"
    if team.backpack.slots + CAMP_FILLS > BACKPACK_SLOTS:
        return "no_room"
    return "" if state.ap >= act.STRIKE.ap else "not_enough_ap"


def check_abandon(_state: State, team: Team) -> str:
    """Rule 6.8."""
    if team.at != BASE:
        return "not_at_base"
    return "" if team.camp.state == "packed" else "camp_not_packed"


def check_pack_now(state: State, team: Team, action: act.Pack) -> str:
    """Rule 6.1; the packing at the start is free (rule 2.3)."""
    code = check_pack(state, team, action)
    if not code and state.phase == "actions" and state.ap < act.PACK_AP:
        return "not_enough_ap"
    return code


def check(state: State, seat: int, action: Action) -> str:
    """Return the code of the refusal of any action, or nothing when it is legal."""
    return check_time(state, seat, action) or check_rest(state, state.teams[seat], action)


def check_time(state: State, seat: int, action: Action) -> str:
    """Return the code where it is not the seat's time for such an action."""
    by = action.by if isinstance(action, act.Move) else None
    return check_seat(state, seat) or check_phase(state, action.type, by)


def check_rest(state: State, team: Team, action: Action) -> str:
    """Check the rest once seat and phase are right."""
    return _CHECKS[type(action)](state, team, action)


_CHECKS: Mapping[type, Callable[[State, Team, Any], str]] = {
    act.Move: lambda state, team, action: check_paid(state, team, move_price(state, team, action)),
    act.Discover: lambda state, team, _: check_discover(state, team),
    act.Place: check_place,
    act.Dive: lambda state, team, _: check_dive(state, team),
    act.Photograph: lambda state, team, _: check_photograph(state, team),
    act.Pack: check_pack_now,
    act.Pitch: lambda state, team, _: check_pitch(state, team),
    act.Strike: lambda state, team, _: check_strike(state, team),
    act.Abandon: lambda state, team, _: check_abandon(state, team),
    act.Exchange: lambda _, team, action: check_exchange(team, action),
    act.Discard: lambda _, team, action: check_discard(team, action),
    act.EndTurn: lambda *_: "",
}
