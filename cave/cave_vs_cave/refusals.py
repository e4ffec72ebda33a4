"""Why an action is not possible: one sentence for each code, with the number of the rule."""

from __future__ import annotations

from collections.abc import Mapping

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.actions import Action
from cave.cave_vs_cave.components import ENTRANCE
from cave.cave_vs_cave.gains import in_room_action, price
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import BLUE, PROSPECTING, ROOMS, TILES, needs_more
from cave.game import Refused

CODES = (
    "game_over",
    "not_your_turn",
    "wrong_phase",
    "bad_action",
    "not_on_tile",
    "not_your_room",
    "no_room_action",
    "no_such_option",
    "done_already",
    "room_used",
    "not_face_up",
    "taken",
    "not_ahead",
    "not_in_display",
    "no_space",
    "no_edge",
    "wall_there",
    "no_wall",
    "not_covered",
    "no_path",
    "walls_differ",
    "too_many_blue",
    "too_many_walls",
    "no_walls",
    "not_enough",
)
"""In the order in which they are looked for (rule 11)."""

_PLAIN: Mapping[str, str] = {
    "game_over": "The game is over (rule 6.1).",
    "not_your_turn": "It is not your turn (rule 3.1).",
    "no_space": "That is no empty space of your cave (rule 4.4).",
    "no_edge": "Those are no neighbouring spaces of your cave (rule 1.3).",
    "wall_there": "There is a wall already (rule 4.6).",
    "no_wall": "You have built no wall there (rule 4.7).",
    "not_covered": "No face-down room lies there (rule 4.1).",
    "no_path": "No open path leads there from the entrance (rule 4.1).",
    "too_many_blue": "You must have more orange than blue rooms, the entrance counted (rule 4.8).",
    "too_many_walls": "Build no more walls than this room needs at least (rule 8.2).",
}
_WRONG_PHASE: Mapping[str, str] = {
    "draft": "First place a room of the display (rule 8.1).",
    "cover": "First cover an empty space (rule 8.5).",
    "take": "First take a tile (rule 3.2).",
    "dig": "First excavate the second room (rule 4.2).",
    "cavern": "First say which side of the Additional Cavern you take (rule 4.9).",
}
_RULE_OF: Mapping[str, str] = {
    "collect": "3.4",
    "exchange": "3.4",
    "furnish": "4.4",
    "excavate": "4.1",
    "build_wall": "4.6",
    "raze_wall": "4.7",
    "use_room": "5.1",
    "additional": "7.5",
    "prospect": "5.8",
    "take_cavern": "4.9",
}


def refuse(state: State, seat: int, action: Action, code: str) -> Refused:
    """Return the exception for an action that was refused with this code."""
    return Refused(code, sentence(state, seat, action, code))


def sentence(state: State, seat: int, action: Action, code: str) -> str:
    """Return one sentence that tells a person why, and the rule's number in brackets."""
    match code:
        case "wrong_phase":
            return wrong_phase(state)
        case "not_enough":
            return _not_enough(state, seat, action)
        case "not_on_tile":
            return _not_on_tile(state, action)
        case "no_such_option":
            return _no_such_option(action)
        case "done_already":
            return f"You have done that in this turn (rule {_rule_of_doing(action)})."
        case "no_walls":
            return f"There are not enough walls left (rule {'8.2' if state.drafting else '4.6'})."
    if code in ("not_face_up", "taken", "not_ahead"):
        assert isinstance(action, act.Take)
        return _take(state, action.tile, code)
    room = getattr(action, "room", PROSPECTING)
    if code in ("not_your_room", "no_room_action", "room_used", "not_in_display", "walls_differ"):
        return _room(room, code)
    return _PLAIN[code]


def wrong_phase(state: State) -> str:
    """Say what to do first."""
    return _WRONG_PHASE.get(
        state.phase, "You have a tile in hand: do its actions, or end your turn (rule 3.2)."
    )


def _rule_of_doing(action: Action) -> str:
    return _RULE_OF[action.type] if isinstance(action, act.Additional | act.Prospect) else "3.3"


def _take(state: State, tile: str, code: str) -> str:
    name = TILES[tile].name
    if code == "not_face_up":
        return f"{name} does not lie face up (rule 3.2)."
    if code == "taken":
        return f"{name} was taken in this round (rule 3.2)."
    good = needs_more(state, tile)
    assert good is not None
    rule = "3.2" if TILES[tile].era == 1 else "7.6"
    return f"For {name} you need more {g.GOODS[good]} than your opponent (rule {rule})."


def _not_on_tile(state: State, action: Action) -> str:
    name = TILES[state.tile].name
    if isinstance(action, act.Prospect):
        wanted = TILES[BLUE[PROSPECTING].tile].name
        return f"The Prospecting Site goes with {wanted}, not with {name} (rule 5.8)."
    what = {
        "collect": "goods to collect",
        "exchange": "exchange",
        "furnish": "furnishing",
        "excavate": "excavation",
        "build_wall": "wall to build",
        "raze_wall": "wall to raze",
        "use_room": "room action",
        "additional": "Additional Action",
    }[action.type]
    return f"{name} has no {what} (rule {_RULE_OF[action.type]})."


def _no_such_option(action: Action) -> str:
    match action:
        case act.UseRoom(room):
            return f"{ROOMS[room].name} is not used in that way (rule 5.2)."
        case act.Furnish():
            return "That is no price of the tile (rule 4.4)."
        case act.Excavate():
            return "Two rooms are excavated by the tile Excavation only, once (rule 4.2)."
        case act.TakeCavern():
            return "The Additional Cavern has no such side (rule 4.9)."
        case act.Additional():
            return "The Additional Action has no such choice (rule 7.5)."
    return "The tile has no such choice (rule 3.4)."


def _room(room: str, code: str) -> str:
    name = ROOMS[room].name
    match code:
        case "not_your_room":
            return f"{name} is not in your cave (rule {'5.8' if room == PROSPECTING else '5.1'})."
        case "no_room_action":
            return f"{name} has no room action (rule 5.1)."
        case "room_used":
            return f"You have used {'the ' * (room == ENTRANCE)}{name} in this room action (rule 5.1)."
        case "not_in_display":
            return f"{name} is not in the display (rule 4.4)."
    return f"The walls of that space do not match {name} (rule 4.5)."


def _not_enough(state: State, seat: int, action: Action) -> str:
    player = state.players[seat]
    goods = in_room_action(state, player) if isinstance(action, act.UseRoom) else player.goods
    missing = g.named(g.lacking(goods, price(state, action)))
    rule = "3.5" if isinstance(action, act.Anytime) else _RULE_OF[action.type]
    words = " and ".join(f"{many} {good}" for good, many in missing.items())
    return f"You need {words} more (rule {rule})."
