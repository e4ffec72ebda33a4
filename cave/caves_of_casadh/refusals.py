"""Why an action is not possible: one sentence for each code, with the number of the rule."""

from __future__ import annotations

from collections.abc import Mapping

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import components
from cave.caves_of_casadh.state import State, here
from cave.game import Refused

CODES = (
    "game_over",
    "not_your_turn",
    "bad_action",
    "wrong_phase",
    "no_passage",
    "not_explored",
    "blocked",
    "grue_there",
    "already_explored",
    "no_hexes",
    "star_not_aligned",
    "not_offered",
    "no_slope",
    "needs_rope",
    "not_at_marker",
    "no_treasure",
    "not_here",
    "already_held",
    "not_at_base",
    "not_allowed_here",
    "not_held",
    "no_dynamite",
    "no_route",
    "illegal_hex",
    "no_lantern",
    "no_grue",
    "not_enough_mp",
)
"""Every code; those of one action in the order in which they are looked for (rule 11)."""

_PLAIN: Mapping[str, str] = {
    "game_over": "The game is over (rule 9.3).",
    "not_your_turn": "It is not your turn (rule 3.2).",
    "bad_action": "The action cannot be read (rule 11).",
    "not_explored": "Nothing is known of that place yet; explore it (rule 4.2).",
    "blocked": "That hex has collapsed, and nobody gets in (rule 7.7).",
    "grue_there": "A grue is there, and you have no Lantern (rule 8.1).",
    "already_explored": "There is a hex already; move there (rule 4.2).",
    "no_hexes": "There are no hexes left to explore (rule 4.2).",
    "star_not_aligned": "A star must face the hex you come from (rule 4.3).",
    "not_offered": "No treasure of that value is among them (rule 6.1).",
    "no_slope": "No slope joins those passages (rule 4.5).",
    "needs_rope": "Only with a Rope can you go up a slope (rule 4.5).",
    "no_treasure": "There is no treasure on this hex (rule 6.2).",
    "not_at_base": "You can leave only from Base Camp (rule 9.2).",
    "not_allowed_here": "No dynamite may be laid on Base Camp or a Collapsed Hex (rule 7.4).",
    "no_dynamite": "There is no such dynamite on this hex (rule 7.6).",
    "no_route": "That is not on a shortest way to a hex without a grue (rule 8.2).",
    "no_lantern": "That player has no Lantern to take (rule 8.5).",
    "no_grue": "There is no grue (rule 8.6).",
}
_FIRST: Mapping[str, str] = {
    "placing": "First place the hex that you have drawn (rule 4.3).",
    "keeping": "First choose the treasure that you keep (rule 6.1).",
    "fleeing": "A grue is here: you must flee (rule 8.2).",
    "driving": "First drive the grue away (rule 8.4).",
    "haunting": "You are out of the caves: you can only try to move a grue (rule 8.5).",
    "taking_lantern": "First choose the Lantern that is taken (rule 8.5).",
    "moving_grue": "First move a grue (rule 8.6).",
}
_OUT_OF_PLACE: Mapping[str, str] = {
    "place": "You have drawn no hex (rule 4.2).",
    "keep": "There are no treasures to choose from (rule 6.1).",
    "flee": "You flee only when a grue is on your hex and you have no Lantern (rule 8.2).",
    "drive": "You drive a grue only when you have come to it (rule 8.4).",
}


def refuse(state: State, seat: int, action: Action, code: str) -> Refused:
    """Return the exception for an action that was refused with this code."""
    return Refused(code, sentence(state, seat, action, code))


def sentence(state: State, seat: int, action: Action, code: str) -> str:
    """Return one sentence that tells a person why, and the rule's number in brackets."""
    if code in _PLAIN:
        return _PLAIN[code]
    match code:
        case "wrong_phase":
            return wrong_phase(state, action.type)
        case "no_passage":
            return _no_passage(state, seat, action)
        case "not_at_marker":
            rule = "6.5" if isinstance(action, act.CollectItems) else "6.2"
            return f"Your passage does not have the location marker (rule {rule})."
        case "illegal_hex":
            if isinstance(action, act.Drive):
                return "A grue is driven to a hex with a grue icon, no grue and no pawn (rule 8.4)."
            return "A grue cannot be moved there (rule 8.6)."
        case "not_enough_mp":
            return "You have no MP left (rule 3.4)."
    return _items(state, seat, action, code)


def wrong_phase(state: State, kind: str) -> str:
    """Say what to do first, or why that cannot be done."""
    if state.phase != "actions":
        return _FIRST[state.phase]
    return _OUT_OF_PLACE.get(kind, "Grues are moved by those who are out of the caves or dead (rule 8.5).")


def _no_passage(state: State, seat: int, action: Action) -> str:
    rule = "4.2" if isinstance(action, act.Explore) else "4.1"
    lie = here(state, seat).layout
    if lie.hex.slopes:
        return f"Your passage does not lead there; see whether a slope helps (rule {rule})."
    return f"Your passage does not lead there (rule {rule})."


def _items(state: State, seat: int, action: Action, code: str) -> str:
    names = components().items
    if code == "not_held":
        medkit = isinstance(action, act.UseMedkit)
        return "You have no Medkit (rule 6.7)." if medkit else "You have no Dynamite (rule 7.4)."
    assert isinstance(action, act.CollectItems)
    if code == "not_here":
        lying = here(state, seat).items
        missing = next(kind for kind in action.items if kind not in lying)
        return f"There is no such item on this hex: {names[missing].name} (rule 6.5)."
    held = state.players[seat].items
    twice = next(kind for kind in action.items if kind in held)
    return f"You have such an item already: {names[twice].name} (rule 6.5)."
