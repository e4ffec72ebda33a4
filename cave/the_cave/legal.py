"""Legal actions and refusals: each rule is checked in one place, with its refusal.

A function ``_why_...`` returns the refusal of an action, or None if it is legal. ``choices`` offers exactly
the actions without one, and ``rules`` refuses the others. ``RULES.md`` has the codes and their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, get_args

from cave.the_cave import actions as act
from cave.the_cave import packing, routes
from cave.the_cave.actions import Action, AnyChoice, Choice, Form, Move, Pack, Place
from cave.the_cave.state import (
    BACKPACK_SLOTS,
    BASE,
    CAMP_FILLS,
    CAMP_SLOTS,
    LEVEL,
    NOTHING,
    UNIQUE_ITEMS,
    Items,
    State,
    Team,
    Tile,
    neighbours_of,
    turn_sides,
)
from cave.the_cave.tiles import fits_edges, legal_placements, unexplored_exits

Code = Literal[
    "game_over", "not_your_turn", "starving", "wrong_phase", "bad_action", "no_passage", "no_exit",
    "no_tiles", "illegal_placement", "no_token", "not_at_base", "camp_not_here", "camp_not_packed",
    "camp_unavailable", "not_carried", "no_room", "needs_rope", "needs_oxygen", "needs_raft",
    "needs_camera", "not_enough_ap",
]  # fmt: skip
CODES: tuple[Code, ...] = get_args(Code)
Why = tuple[Code, str]
"""A refusal: its code, and a sentence for the player that ends with the rule's number."""


def why_not_your_turn(state: State, seat: int) -> Why | None:
    if state.phase == "over":
        return "game_over", "The game is over (rule 7.2)."
    if state.phase == "packing":
        if seat in state.to_act:
            return None
        return "not_your_turn", "You have packed; the game begins when everybody has (rule 2.3)."
    return None if seat == state.seat else ("not_your_turn", "It is not your turn (rule 3).")


def why_not_in_phase(state: State, kind: str, by: object) -> Why | None:
    """Return why the phase does not allow this type of action, or None."""
    match state.phase:
        case "actions" if kind == "place":
            return "wrong_phase", "There is no discovered tile to place (rule 4.2)."
        case "actions":
            return None
        case "starving":
            assert state.seat is not None
            stuck = kind == "end_turn" and not routes.passages_from(state, state.teams[state.seat].at)
            if not stuck and (kind, by) != ("move", "force"):
                return "starving", "Your team is starving: its whole turn is one forced move (rule 3.2)."
        case "placing" if kind != "place":
            return "wrong_phase", "First place the tile you have discovered (rule 4.2)."
        case "packing" if kind != "pack":
            return "wrong_phase", "First pack your backpack (rule 2.3)."
    return None


def judge_action(state: State, seat: int, action: Action) -> Choice | Why | None:
    """Return the refusal of an action; for a legal move the choice with its price, else None."""
    by = getattr(action, "by", None)
    refused = why_not_your_turn(state, seat) or why_not_in_phase(state, action.type, by)
    return refused or _VERDICT[type(action)](state, state.teams[seat], action)


def _why_not_enough_ap(state: State, ap: int, doing: str, rule: str) -> Why | None:
    if state.ap >= ap:
        return None
    return "not_enough_ap", f"{doing} costs {ap} AP, and you have {state.ap} left (rule {rule})."


def _why_no_discovery(state: State, team: Team, _: act.Discover) -> Why | None:
    if not unexplored_exits(state.board, team.at):
        match state.board[team.at].kind:
            case "base":
                return "no_exit", "You cannot discover a tile from the home base (rule 4.1)."
            case "choke":
                return "no_exit", "You cannot discover a tile from a boulder choke (rule 4.4)."
        return "no_exit", "This tile has no unexplored exit (rule 4.1)."
    if not state.tiles_left:
        return "no_tiles", "All tiles have been discovered (rule 7.1)."
    return _why_not_enough_ap(state, act.DISCOVER.ap, "Discovering", "4")


def _why_no_place(state: State, team: Team, action: Place) -> Why | None:
    """Rules 4.2 and 4.3; every rotation that gives a legal tile is accepted."""
    drawn, rotation = state.drawn, action.rotation
    assert drawn is not None
    if drawn.kind == "choke":
        if rotation:
            return "bad_action", "A boulder choke is not rotated (rule 4.3)."
    elif rotation is None or not 0 <= rotation <= 3:
        return "bad_action", "A tile is rotated by 0 to 3 quarter turns (rule 4.2)."
    if action.at in unexplored_exits(state.board, team.at) and (
        drawn.kind == "choke" or fits_edges(state.board, action.at, turn_sides(drawn.open, rotation or 0))
    ):
        return None
    return (
        "illegal_placement",
        "Place it at an unexplored exit of your own tile, where every side that touches a tile "
        "matches that tile (rule 4.2).",
    )


_Entries = tuple[tuple[Choice, ...], Mapping[act.By, Choice | Why]]


def _entries_to_tile(state: State, team: Team, tile: Tile, climb: int) -> _Entries:
    """Return the legal ways through a passage to ``tile``, and for every way itself or its refusal; ``climb``
    levels have no rope.
    """
    depth_gain = routes.depth_token(team, tile, climb)
    return _price_entries(tile, climb, depth_gain, state.settings.choke_cost, team.backpack, state.ap)


@lru_cache(maxsize=1 << 16)
def _price_entries(tile: Tile, climb: int, depth_gain: int, choke_cost: int, carried: Items, ap: int) -> _Entries:
    kind, level = tile.kind, tile.level

    def way(by: act.By) -> Choice | Why:
        on_foot = by == "foot" and kind == "water"
        if by in ("oxygen", "raft") and kind != "water":
            return "bad_action", "Oxygen and the raft are only for entering water (rule 5)."
        price = routes.entry_price(kind, level, tile.token, climb, depth_gain, "oxygen" if on_foot else by, choke_cost)
        if price.uses.rope > carried.rope:
            ropes, has = f"{climb} rope{'s' * (climb > 1)}", carried.rope or "none"
            said = f"Climbing {climb * LEVEL} m needs {ropes} at once, and you carry {has} (rule 5.1)."
            return "needs_rope", said
        if on_foot and (carried.oxygen_tanks or carried.raft):
            return "needs_oxygen", "Enter water with oxygen or the raft, not on foot (rule 5)."
        if on_foot or price.uses.tank > carried.oxygen_tanks:
            return "needs_oxygen", "To enter water you need a tank of oxygen or a raft (rule 5)."
        if price.needs == "raft" and not carried.raft:
            return "needs_raft", "Your raft is not in the backpack (rule 5)."
        if price.ap <= ap:
            return price.choice(Move(tile.at, by))
        left = f"and you have {ap} left"
        if by == "force":
            return "not_enough_ap", f"A forced move takes all 5 AP of a turn, {left} (rule 5.7)."
        return "not_enough_ap", f"That move costs {price.ap} AP, {left} (rule 5)."

    found = {by: way(by) for by in act.WAYS}
    return tuple(each for each in found.values() if isinstance(each, Choice)), found


def _why_no_move(state: State, team: Team, action: Move) -> Choice | Why:
    """Return a legal move with its price, or its refusal (rule 5)."""
    if action.by not in act.WAYS:
        return "bad_action", "A team moves on foot, by oxygen, by raft or by force (rule 5)."
    way = routes.passage_between(state, team.at, action.to)
    if way is None:
        return "no_passage", "No passage leads there: both facing sides must be open (rule 5)."
    return _entries_to_tile(state, team, *way)[1][action.by]


def _why_no_dive(state: State, team: Team, _: act.Dive) -> Why | None:
    here = state.board[team.at]
    if here.kind != "water":
        return "no_token", "You can dive only on a water tile (rule 5.5)."
    if not here.token:
        return "no_token", "The water token of this tile has been taken (rule 5.5)."
    if not team.backpack.oxygen_tanks:
        return "needs_oxygen", "A dive uses a tank of oxygen, and you carry none (rule 5.5)."
    return _why_not_enough_ap(state, routes.DIVE.ap, "Diving", "5.5")


def _why_no_photograph(state: State, team: Team, _: act.Photograph) -> Why | None:
    here = state.board[team.at]
    if here.kind != "wonder":
        return "no_token", "There is no wonder to photograph here (rule 5.6)."
    if not here.token:
        return "no_token", "The photo token of this tile has been taken (rule 5.6)."
    if not team.backpack.camera:
        return "needs_camera", "Your camera is not in the backpack (rule 5.6)."
    return _why_not_enough_ap(state, routes.PHOTOGRAPH.ap, "A photograph", "5.6")


_NOT_PACKED = {
    "beside": "You did not take your camp with you",
    "pitched": "Your camp is already pitched",
    "abandoned": "Your camp is gone for good",
}


def _why_no_pitch(state: State, team: Team, _: act.Pitch) -> Why | None:
    if team.camp.state != "packed":
        return "camp_not_packed", f"{_NOT_PACKED[team.camp.state]} (rule 6.4)."
    return _why_not_enough_ap(state, act.PITCH.ap, "Pitching the camp", "6.4")


def _why_not_at_camp(team: Team, rule: str) -> Why | None:
    if packing.is_at_own_camp(team):
        return None
    where = "on another tile" if team.camp.state == "pitched" else "not pitched"
    return "camp_not_here", f"Your camp is {where} (rule {rule})."


def _why_no_strike(state: State, team: Team, _: act.Strike) -> Why | None:
    if refused := _why_not_at_camp(team, "6.6"):
        return refused
    room = BACKPACK_SLOTS - team.backpack.slots_filled
    if room < CAMP_FILLS:
        said = f"The camp needs {CAMP_FILLS} free slots in the backpack, which has {room} (rule 6.6)."
        return "no_room", said
    return _why_not_enough_ap(state, act.STRIKE.ap, "Striking the camp", "6.6")


def _why_no_abandon(_: State, team: Team, __: act.Abandon) -> Why | None:
    if team.at != BASE:
        return "not_at_base", "Go to the home base to abandon the camp (rule 6.8)."
    if team.camp.state != "packed":
        return "camp_not_packed", f"{_NOT_PACKED[team.camp.state]} (rule 6.8)."
    return None


_AMOUNTS: Why = "bad_action", "Amounts must be 0 or more, and a team has one camera and one raft (rule 1)."
_NO_ROOM: Why = (
    "no_room",
    f"The backpack has {BACKPACK_SLOTS} slots, a packed camp fills {CAMP_FILLS} of them, "
    f"and the camp holds {CAMP_SLOTS} (rule 2.3).",
)
_CAMP_UNAVAILABLE = {
    "packed": "A packed camp is closed: pitch it, pack, then strike it (rule 6.3).",
    "pitched": "Your camp is on another tile, so you cannot fill it here (rule 6.2).",
    "abandoned": "Your camp is gone for good (rule 6.8).",
}


def _why_no_pack(state: State, team: Team, action: Pack) -> Why | None:
    """Rules 6.1 to 6.3 and 6.9; the packing at the start is free (rule 2.3)."""
    camp, fills = team.camp.state, action.camp is not None
    filled = action.camp or NOTHING
    wanted = action.backpack + filled
    if any(map(packing.is_impossible_kit, (action.backpack, filled, wanted))):
        return _AMOUNTS
    if team.at != BASE:
        return "not_at_base", "Go to the home base to pack (rule 6.1)."
    if fills and not packing.can_fill_camp(team):
        return "camp_unavailable", _CAMP_UNAVAILABLE[camp]
    most = packing.most_to_pack(team, with_camp=fills)
    if any(getattr(wanted, name) > getattr(most, name) for name in ("half_oxygen", *UNIQUE_ITEMS)):
        said = "The camera or raft is in your camp, or you have less half-used oxygen (rules 6.1, 6.9)."
        if team.lost:
            said = "You cannot pack what you lost, or what is in your camp elsewhere (rule 6.9)."
        return "not_carried", said
    carries_camp = camp == "packed" or (fills and camp == "beside")
    if action.backpack.slots_filled + CAMP_FILLS * carries_camp > BACKPACK_SLOTS or filled.slots_filled > CAMP_SLOTS:
        return _NO_ROOM
    return _why_not_enough_ap(state, act.PACK_AP, "Packing", "6.1") if state.phase == "actions" else None


def _why_no_exchange(_: State, team: Team, action: act.Exchange) -> Why | None:
    give, take = action.to_camp, action.to_backpack
    if not (give.slots_filled or take.slots_filled):
        return "bad_action", "An exchange must move at least one thing (rule 6.5)."
    if packing.is_impossible_kit(give) or packing.is_impossible_kit(take):
        return _AMOUNTS
    if refused := _why_not_at_camp(team, "6.5"):
        return refused
    if not (team.backpack.holds(give) and team.camp.items.holds(take)):
        return "not_carried", "You do not have all of those things (rule 6.5)."
    moved = give.slots_filled - take.slots_filled
    if team.backpack.slots_filled - moved > BACKPACK_SLOTS or team.camp.items.slots_filled + moved > CAMP_SLOTS:
        return _NO_ROOM
    return None


def _why_no_discard(_: State, team: Team, action: act.Discard) -> Why | None:
    if not action.items.slots_filled:
        return "bad_action", "Discard at least one thing (rule 6.7)."
    if packing.is_impossible_kit(action.items):
        return _AMOUNTS
    if not team.backpack.holds(action.items):
        return "not_carried", "You do not have all of those things (rule 6.7)."
    return None


_VERDICT: Mapping[type, Callable[[State, Team, Any], Choice | Why | None]] = {
    Move: _why_no_move,
    act.Discover: _why_no_discovery,
    Place: _why_no_place,
    act.Dive: _why_no_dive,
    act.Photograph: _why_no_photograph,
    Pack: _why_no_pack,
    act.Pitch: _why_no_pitch,
    act.Strike: _why_no_strike,
    act.Abandon: _why_no_abandon,
    act.Exchange: _why_no_exchange,
    act.Discard: _why_no_discard,
    act.EndTurn: lambda *_: None,
}

_HERE = (
    act.DISCOVER,
    routes.DIVE.choice(act.Dive()),
    routes.PHOTOGRAPH.choice(act.Photograph()),
    act.PITCH,
    act.STRIKE,
    act.ABANDON,
)
"""Actions on the team's own tile, except forms."""
_HERE_UNLESS = [(each, each.action, _VERDICT[type(each.action)]) for each in _HERE]


def choices(state: State, seat: int) -> tuple[AnyChoice, ...]:
    """Return the legal actions of the seat in a stable order; empty if it is not its turn.

    Order: moves (N, E, S, W; foot, oxygen, raft, force), discover, dive, photograph, the camp, the
    forms, end of turn.
    """
    if why_not_your_turn(state, seat):
        return ()
    team = state.teams[seat]
    match state.phase:
        case "actions":
            here = [each for each, action, refused in _HERE_UNLESS if not refused(state, team, action)]
            passages = [_entries_to_tile(state, team, *way[1:])[0] for way in routes.passages_from(state, team.at)]
            return (*chain(*passages), *here, *_form_choices(state, team), act.END_TURN)
        case "placing":
            assert state.drawn is not None
            return tuple(map(act.FREE.choice, legal_placements(state.board, team.at, state.drawn)))
        case "packing":
            return (packing.pack_form(team, free=True),)
        case _:
            forced = tuple(routes.FORCE.choice(Move(to, "force")) for to, *_ in routes.passages_from(state, team.at))
            return forced or (act.END_TURN,)


def _form_choices(state: State, team: Team) -> list[Form]:
    found = []
    if packing.is_at_own_camp(team) and (team.backpack.slots_filled or team.camp.items.slots_filled):
        found.append(packing.exchange_form(team.backpack, team.camp.items))
    if team.at == BASE and state.ap >= act.PACK_AP:
        found.append(packing.pack_form(team, free=False))
    if team.backpack.slots_filled:
        found.append(packing.discard_form(team.backpack))
    return found


def idle(state: State, seat: int) -> Action:
    """Return the action that changes least: the turn's end, the suggested kit (rule 2.3), or a move."""
    found = choices(state, seat)
    if act.END_TURN in found:
        return act.END_TURN.action
    first = found[0]
    return packing.suggested_pack(first) if isinstance(first, Form) else first.action


_EXCHANGE = act.Exchange(Items(consumable=1), NOTHING)
_DISCARD = act.Discard(Items(consumable=1))


def attempts(state: State, seat: int) -> list[Action]:
    """Return actions that a player might try: every way to every side, and each type without a form now."""
    team = state.teams[seat]
    tried: list[Action] = []
    for _, to, _, _ in neighbours_of(team.at):
        tile = state.board.get(to)
        ways: tuple[act.By, ...] = ("foot",) if tile is None else (*routes.ways_into_tile(tile.kind), "force")
        tried += [Move(to, by) for by in ways]
    tried += [each.action for each in _HERE]
    tried += [_EXCHANGE, Pack(team.backpack), _DISCARD, act.END_TURN.action]
    offered = {form.kind for form in _form_choices(state, team)} if state.phase == "actions" else set()
    return [each for each in tried if each.type not in offered]
