"""Legal actions with prices, and refusals: each rule is checked in one place, with its refusal.

Rule 11 has the codes of refusals, and the order of the checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from random import Random

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import routes
from cave.caves_of_casadh.action_table import may_deploy
from cave.caves_of_casadh.actions import Action, Choice, Collecting, Limits, Priced
from cave.caves_of_casadh.components import (
    HOME,
    ITEMS,
    SIDES,
    Cell,
    ItemKind,
    components,
    layout,
    neighbours_of,
    next_cell,
    side_towards,
)
from cave.caves_of_casadh.state import Laid, Phase, Player, State, cell_of, hex_of
from cave.game import Refused

ALLOWED_IN: Mapping[Phase, tuple[str, ...]] = {
    "actions": (
        *("move", "explore", "slide", "collect_treasure", "collect_items", "leave", "use_medkit", "deploy"),
        *("defuse", "give_up", "end_turn"),
    ),
    "placing": ("place",),
    "keeping": ("keep",),
    "fleeing": ("flee",),
    "driving": ("drive",),
    "haunting": ("move_grue", "end_turn"),
    "taking_lantern": ("take_lantern",),
    "moving_grue": ("place_grue",),
    "over": (),
}
"""The actions of each phase."""
PRICES: Mapping[str, int] = dict.fromkeys(("move", "explore", "collect_treasure", "collect_items", "leave"), 1)
"""Actions that cost MP; a step of a flight takes 1 if any are left (rules 3.3 and 8.3)."""
_FIRST: Mapping[Phase, str] = {
    "placing": "First place the hex that you have drawn (rule 4.3).",
    "keeping": "First choose the treasure to keep (rule 6.1).",
    "fleeing": "A grue is here: you must flee (rule 8.2).",
    "driving": "First drive the grue away (rule 8.4).",
    "haunting": "You are out of the caves: you can only try to move a grue (rule 8.5).",
    "taking_lantern": "First choose the Lantern to take (rule 8.5).",
    "moving_grue": "First move a grue (rule 8.6).",
}
"""The refusal of other actions in each phase."""
_OUT_OF_PLACE: Mapping[str, str] = {
    "place": "You have drawn no hex (rule 4.2).",
    "keep": "There are no treasures to choose from (rule 6.1).",
    "flee": "You flee only if a grue is on your hex and you have no Lantern (rule 8.2).",
    "drive": "You can drive a grue only after moving to its hex (rule 8.4).",
}


def why_out_of_turn(state: State, seat: int) -> Refused | None:
    if state.phase == "over":
        return Refused("game_over", "The game is over (rule 9.3).")
    return None if seat == state.seat else Refused("not_your_turn", "It is not your turn (rule 3.2).")


def why_out_of_phase(state: State, kind: str) -> Refused | None:
    if kind in ALLOWED_IN[state.phase]:
        return None
    others = "Only players who are out of the caves or dead can move grues (rule 8.5)."
    return Refused("wrong_phase", _FIRST.get(state.phase) or _OUT_OF_PLACE.get(kind, others))


def refusal(state: State, seat: int, action: Action) -> Refused | None:
    refused = why_out_of_turn(state, seat) or why_out_of_phase(state, action.type)
    if refused:
        return refused
    if state.phase != "actions":
        return _check_answer(state, seat, action)
    refused = _refusal_in_turn(state, seat, action)
    if refused is None and not state.mp and action.type in PRICES:
        return Refused("not_enough_mp", "You have no MP left (rule 3.4).")
    return refused


def _refusal_in_turn(state: State, seat: int, action: Action) -> Refused | None:
    player = state.players[seat]
    match action:
        case act.Move(to):
            if not passage_leads_to(state, seat, to):
                return _refuse_no_passage(state, seat, "4.1")
            if to not in state.map:
                return Refused("not_explored", "That place is unknown: explore it (rule 4.2).")
            if routes.is_hex_barred(state, to):
                return Refused("blocked", "That hex has collapsed and cannot be entered (rule 7.7).")
            if not routes.may_enter(state, to, player.items):
                return Refused("grue_there", "A grue is there, and you have no Lantern (rule 8.1).")
        case act.Explore(to):
            if not passage_leads_to(state, seat, to):
                return _refuse_no_passage(state, seat, "4.2")
            if to in state.map:
                return Refused("already_explored", "There is a hex already; move there (rule 4.2).")
            if not state.hexes:
                return Refused("no_hexes", "There are no hexes left to explore (rule 4.2).")
        case act.Slide(to):
            shape = hex_of(state, seat).layout.hex
            if to not in routes.slides_of_slope(shape, player.passage, rope=True):
                return Refused("no_slope", "No slope joins those passages (rule 4.5).")
            if to not in routes.slides_of_slope(shape, player.passage, "rope" in player.items):
                return Refused("needs_rope", "You need a Rope to go up a slope (rule 4.5).")
        case act.CollectTreasure():
            if not is_at_marker(state, seat):
                return _refuse_not_at_marker("6.2")
            if not hex_of(state, seat).treasures:
                return Refused("no_treasure", "There is no treasure on this hex (rule 6.2).")
        case act.CollectItems(items):
            return _refuse_items(state, seat, items)
        case act.Leave():
            if player.at != HOME:
                return Refused("not_at_base", "You can leave only from Base Camp (rule 9.2).")
        case act.UseMedkit():
            if "medkit" not in player.items:
                return Refused("not_held", "You have no Medkit (rule 6.7).")
        case act.Deploy():
            if not may_deploy(hex_of(state, seat)):
                return Refused(
                    "not_allowed_here", "You cannot lay dynamite on Base Camp or a Collapsed Hex (rule 7.4)."
                )
            if "dynamite" not in player.items:
                return Refused("not_held", "You have no Dynamite (rule 7.4).")
        case act.Defuse(owner):
            if owner not in hex_of(state, seat).dynamite:
                return Refused("no_dynamite", "There is no such dynamite on this hex (rule 7.6).")
    return None


def _check_answer(state: State, seat: int, action: Action) -> Refused | None:
    match action:
        case act.Place(rotation):
            drawn = state.drawn
            assert drawn is not None
            if not is_aligned(drawn.hex, origin_of(cell_of(state, seat), drawn.to), rotation):
                return Refused("star_not_aligned", "A star must face the hex you come from (rule 4.3).")
        case act.Keep(treasure):
            assert state.offer is not None
            if treasure not in state.offer.values:
                return Refused("not_offered", "None of the treasures has that value (rule 6.1).")
        case act.Flee(to):
            if to not in routes.first_flight_steps(state, seat):
                return Refused("no_route", "That is not on a shortest way to a hex without a grue (rule 8.2).")
        case act.Drive(to):
            if to not in routes.free_lairs(state):
                return Refused(
                    "illegal_hex", "A grue is driven to a hex with a grue icon, no grue and no pawn (rule 8.4)."
                )
        case act.TakeLantern(holder):
            if holder not in routes.lantern_holders(state, seat):
                return Refused("no_lantern", "That player has no Lantern to take (rule 8.5).")
        case act.PlaceGrue(start, to):
            if start not in routes.cells_with_grue(state):
                return Refused("no_grue", "There is no grue (rule 8.6).")
            if to not in routes.grue_destinations(state, start):
                return Refused("illegal_hex", "A grue cannot be moved there (rule 8.6).")
    return None


def is_aligned(hex_id: str, origin: int, rotation: int) -> bool:
    """Return whether a star is at that side of the map; true for a hex without stars (rule 4.3)."""
    lie = layout(hex_id, rotation)
    return not lie.stars or origin in lie.stars


@cache
def legal_rotations(hex_id: str, origin: int) -> tuple[int, ...]:
    """Return the legal rotations of a hex explored from the side ``origin`` of its cell.

    Of equivalent rotations, only the smallest is included (rule 4.3).
    """
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for rotation in SIDES:
        if is_aligned(hex_id, origin, rotation):
            found.setdefault(layout(hex_id, rotation).sides, rotation)
    return tuple(found.values())


def origin_of(at: Cell, to: Cell) -> int:
    """Return the side of the new cell that faces the explorer's old cell."""
    side = side_towards(to, at)
    assert side is not None, "a new hex is a neighbour"
    return side


def passage_leads_to(state: State, seat: int, to: act.Target) -> bool:
    """Return whether a cell is beyond a side of the pawn's passage (rule 4.1)."""
    side = side_towards(cell_of(state, seat), to)
    return side is not None and hex_of(state, seat).layout.owner[side] == state.players[seat].passage


def is_at_marker(state: State, seat: int) -> bool:
    """Return whether the pawn is in the passage with the location marker (rule 1.3)."""
    return hex_of(state, seat).layout.hex.marker == state.players[seat].passage


def takable_items(player: Player, laid: Laid) -> tuple[ItemKind, ...]:
    """Return the kinds of items on a hex that a spelunker does not have, in table order."""
    return tuple(kind for kind in ITEMS if kind in laid.items and kind not in player.items)


def _refuse_no_passage(state: State, seat: int, rule: str) -> Refused:
    slopes = "; see whether a slope helps" if hex_of(state, seat).layout.hex.slopes else ""
    return Refused("no_passage", f"Your passage does not lead there{slopes} (rule {rule}).")


def _refuse_not_at_marker(rule: str) -> Refused:
    return Refused("not_at_marker", f"Your passage does not have the location marker (rule {rule}).")


def _refuse_items(state: State, seat: int, items: tuple[ItemKind, ...]) -> Refused | None:
    if not is_at_marker(state, seat):
        return _refuse_not_at_marker("6.5")
    names, lying, held = components().items, hex_of(state, seat).items, state.players[seat].items
    for kind in items:
        if kind not in lying:
            text = f"There is no such item on this hex: {names[kind].name} (rule 6.5)."
            return Refused("not_here", text)
    for kind in items:
        if kind in held:
            return Refused("already_held", f"You have such an item already: {names[kind].name} (rule 6.5).")
    return None


# Choices


@lru_cache(maxsize=4096)
def _priced(action: Action, mp: int | None = None) -> Priced:
    return Priced(action, PRICES.get(action.type, 0) if mp is None else mp)


_COLLECT_TREASURE, _LEAVE = _priced(act.CollectTreasure()), _priced(act.Leave())
_USE_MEDKIT, _DEPLOY, _GIVE_UP = _priced(act.UseMedkit()), _priced(act.Deploy()), _priced(act.GiveUp())
_MOVE_GRUE, _END_TURN = _priced(act.MoveGrue()), _priced(act.EndTurn())


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return the legal actions of the seat in a stable order; empty if it is not its turn.

    Order: moves by side, slides, treasure, items, leaving, free actions, giving up, the end of the turn.
    """
    if seat != state.seat:
        return ()
    match state.phase:
        case "actions":
            return tuple(_all_choices(state, seat))
        case "placing":
            assert state.drawn is not None
            origin = origin_of(cell_of(state, seat), state.drawn.to)
            return tuple(_priced(act.Place(each)) for each in legal_rotations(state.drawn.hex, origin))
        case "keeping":
            assert state.offer is not None
            values = sorted({value for value in state.offer.values if value is not None})
            return tuple(_priced(act.Keep(value)) for value in values)
        case "fleeing":
            price = min(1, state.mp)
            return tuple(_priced(act.Flee(to), price) for to in routes.first_flight_steps(state, seat))
        case "driving":
            return tuple(_priced(act.Drive(to)) for to in routes.free_lairs(state))
        case "haunting":
            return (_MOVE_GRUE, _END_TURN)
        case "taking_lantern":
            return tuple(_priced(act.TakeLantern(each)) for each in routes.lantern_holders(state, seat))
        case _:
            return tuple(_priced(act.PlaceGrue(start, to)) for start, to in routes.grue_moves(state))


def _all_choices(state: State, seat: int) -> Iterator[Choice]:
    player, laid = state.players[seat], hex_of(state, seat)
    shape = laid.layout.hex
    if state.mp:
        yield from map(_priced, _step_actions(state, player, laid))
    for passage in routes.slides_of_slope(shape, player.passage, "rope" in player.items):
        yield _priced(act.Slide(passage))
    if state.mp and shape.marker == player.passage:
        if laid.treasures:
            yield _COLLECT_TREASURE
        if kinds := takable_items(player, laid):
            yield Collecting(limits=Limits(kinds))
    if state.mp and player.at == HOME:
        yield _LEAVE
    if "medkit" in player.items:
        yield _USE_MEDKIT
    if "dynamite" in player.items and may_deploy(laid):
        yield _DEPLOY
    for owner in sorted({*laid.dynamite}):
        yield _priced(act.Defuse(owner))
    yield from (_GIVE_UP, _END_TURN)


def _step_actions(state: State, player: Player, laid: Laid) -> Iterator[Action]:
    assert player.at is not None
    for side in laid.layout.sides[player.passage]:
        to = next_cell(player.at, side)
        if to not in state.map:
            if state.hexes:
                yield act.Explore(to)
        elif routes.may_enter(state, to, player.items):
            yield act.Move(to)


def attempts(state: State, seat: int) -> Iterator[Action]:
    """Yield actions that a player might try: each neighbour, each slope, and one of each type."""
    if state.phase != "actions":
        yield act.EndTurn()
        return
    player, laid = state.players[seat], hex_of(state, seat)
    shape = laid.layout.hex
    for to in neighbours_of(cell_of(state, seat)):
        yield act.Move(to) if to in state.map else act.Explore(to)
    if shape.slopes:
        yield from (act.Slide(each) for each in range(len(shape.passages)) if each != player.passage)
    yield from (act.CollectTreasure(), act.CollectItems(laid.items[:1] or ITEMS[:1]), act.Leave())
    yield from (act.UseMedkit(), act.Deploy(), act.Defuse(seat))


def sample(choice: Choice, rng: Random) -> Action:
    """Return the action, or any part of the items that may be taken."""
    if isinstance(choice, Collecting):
        return act.CollectItems(tuple(rng.sample(choice.items, rng.randint(1, len(choice.items)))))
    return choice.action


def idle(state: State, seat: int) -> Action:
    """Return the end of the turn, or an action of the first choice."""
    found = choices(state, seat)
    return _END_TURN.action if _END_TURN in found else sample(found[0], Random(0))
