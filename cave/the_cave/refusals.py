"""Why an action is not possible: one sentence for each code, with the number of the rule."""

from __future__ import annotations

from cave.game import Refused
from cave.the_cave import actions as act
from cave.the_cave import checks, prices
from cave.the_cave.actions import Action, Price
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, CAMP_SLOTS, LEVEL, State, Team

_AP = {
    "discover": (act.DISCOVER.ap, "4"),
    "dive": (prices.DIVE_AP, "5.5"),
    "photograph": (prices.PHOTOGRAPH_AP, "5.6"),
    "pack": (act.PACK_AP, "6.1"),
    "pitch": (act.PITCH.ap, "6.4"),
    "strike": (act.STRIKE.ap, "6.6"),
}
_DOING = {
    "discover": "Discovering",
    "dive": "Diving",
    "photograph": "A photograph",
    "pack": "Packing",
    "pitch": "Pitching the camp",
    "strike": "Striking the camp",
}


def refuse(state: State, seat: int, action: Action, code: str) -> Refused:
    """Return the exception for an action that was refused with this code."""
    return Refused(code, sentence(state, seat, action, code))


def sentence(state: State, seat: int, action: Action, code: str) -> str:
    """Return one sentence that tells a person why, and the rule's number in brackets."""
    if code in _TURN:
        return _turn_sentence(state, code)
    return _SENTENCES[code](state, state.teams[seat], action)


_TURN = ("game_over", "not_your_turn", "starving", "wrong_phase")


def _turn_sentence(state: State, code: str) -> str:
    if code == "game_over":
        return "The game is over (rule 7.2)."
    if code == "not_your_turn":
        if state.phase == "packing":
            return "You have packed; the game begins when everybody has (rule 2.3)."
        return "It is not your turn (rule 3)."
    if code == "starving":
        return "Your team is starving: its whole turn is one forced move (rule 3.2)."
    if state.phase == "placing":
        return "First place the tile you have discovered (rule 4.2)."
    if state.phase == "packing":
        return "First pack your backpack (rule 2.3)."
    return "There is no discovered tile to place (rule 4.2)."


_AMOUNTS = "Amounts must be 0 or more, and a team has one camera and one raft (rule 1)."


def _bad_action(state: State, _team: Team, action: Action) -> str:
    match action:
        case act.Move(by="oxygen" | "raft"):
            return "Oxygen and the raft are only for entering water (rule 5)."
        case act.Place():
            if state.drawn is not None and state.drawn.kind == "choke":
                return "A boulder choke is not rotated (rule 4.3)."
            return "A tile is rotated by 0 to 3 quarter turns (rule 4.2)."
        case act.Exchange() if not (action.to_camp.slots or action.to_backpack.slots):
            return "An exchange must move at least one thing (rule 6.5)."
        case act.Discard() if not action.items.slots:
            return "Discard at least one thing (rule 6.7)."
    return _AMOUNTS


def _no_passage(_state: State, _team: Team, _action: Action) -> str:
    return "No passage leads there: both facing sides must be open (rule 5)."


def _no_exit(state: State, team: Team, _action: Action) -> str:
    kind = state.board[team.at].kind
    if kind == "base":
        return "You cannot discover a tile from the home base (rule 4.1)."
    if kind == "choke":
        return "You cannot discover a tile from a boulder choke (rule 4.4)."
    return "This tile has no unexplored exit (rule 4.1)."


def _no_tiles(_state: State, _team: Team, _action: Action) -> str:
    return "All tiles have been discovered (rule 7.1)."


def _illegal_placement(_state: State, _team: Team, _action: Action) -> str:
    return (
        "Place it at an unexplored exit of your own tile, where every side that touches a tile "
        "matches that tile (rule 4.2)."
    )


def _no_token(state: State, team: Team, action: Action) -> str:
    here = state.board[team.at]
    if isinstance(action, act.Dive):
        if here.kind == "water":
            return "The water token of this tile has been taken (rule 5.5)."
        return "You can dive only on a water tile (rule 5.5)."
    if here.kind == "wonder":
        return "The photo token of this tile has been taken (rule 5.6)."
    return "There is no wonder to photograph here (rule 5.6)."


def _not_at_base(_state: State, _team: Team, action: Action) -> str:
    if isinstance(action, act.Pack):
        return "Go to the home base to pack (rule 6.1)."
    return "Go to the home base to abandon the camp (rule 6.8)."


def _camp_not_here(_state: State, team: Team, action: Action) -> str:
    rule = "6.5" if isinstance(action, act.Exchange) else "6.6"
    if team.camp.state == "pitched":
        return f"Your camp is on another tile (rule {rule})."
    return f"Your camp is not pitched (rule {rule})."


def _camp_not_packed(_state: State, team: Team, action: Action) -> str:
    rule = "6.8" if isinstance(action, act.Abandon) else "6.4"
    why = {
        "beside": "You did not take your camp with you",
        "pitched": "Your camp is already pitched",
        "abandoned": "Your camp is gone for good",
    }[team.camp.state]
    return f"{why} (rule {rule})."


def _camp_unavailable(_state: State, team: Team, _action: Action) -> str:
    if team.camp.state == "packed":
        return "A packed camp is closed: pitch it, pack, then strike it (rule 6.3)."
    if team.camp.state == "pitched":
        return "Your camp is on another tile, so you cannot fill it here (rule 6.2)."
    return "Your camp is gone for good (rule 6.8)."


def _not_carried(_state: State, team: Team, action: Action) -> str:
    if isinstance(action, act.Pack):
        if team.lost:
            return "You cannot pack what you lost, or what is in your camp elsewhere (rule 6.9)."
        return "The camera or raft is in your camp, or you have less half-used oxygen (rules 6.1, 6.9)."
    rule = "6.5" if isinstance(action, act.Exchange) else "6.7"
    return f"You do not have all of those things (rule {rule})."


def _no_room(_state: State, team: Team, action: Action) -> str:
    if isinstance(action, act.Strike):
        return (
            f"The camp needs {CAMP_FILLS} free slots in the backpack, which has "
            f"{BACKPACK_SLOTS - team.backpack.slots} (rule 6.6)."
        )
    return (
        f"The backpack has {BACKPACK_SLOTS} slots, a packed camp fills {CAMP_FILLS} of them, "
        f"and the camp holds {CAMP_SLOTS} (rule 2.3)."
    )


def _needs_rope(state: State, team: Team, action: Action) -> str:
    assert isinstance(action, act.Move)
    here, there = state.board[team.at], state.board[action.to]
    metres = abs(here.depth - there.depth)
    return (
        f"{metres} m up or down take {_count(metres // LEVEL, 'rope')} at once, "
        f"and you carry {team.backpack.rope or 'none'} (rule 5.1)."
    )


def _needs_oxygen(_state: State, team: Team, action: Action) -> str:
    if isinstance(action, act.Dive):
        return "A dive uses a tank of oxygen, and you carry none (rule 5.5)."
    if isinstance(action, act.Move) and action.by == "foot" and (team.backpack.tanks or team.backpack.raft):
        return "Enter water with oxygen or the raft, not on foot (rule 5)."
    return "To enter water you need a tank of oxygen or a raft (rule 5)."


def _needs_raft(_state: State, _team: Team, _action: Action) -> str:
    return "Your raft is not in the backpack (rule 5)."


def _needs_camera(_state: State, _team: Team, _action: Action) -> str:
    return "Your camera is not in the backpack (rule 5.6)."


def _not_enough_ap(state: State, team: Team, action: Action) -> str:
    if isinstance(action, act.Move):
        if action.by == "force":
            return f"A forced move takes all 5 AP of a turn, and you have {state.ap} left (rule 5.7)."
        price = checks.move_price(state, team, action)
        assert isinstance(price, Price)
        return f"That move costs {price.ap} AP, and you have {state.ap} left (rule 5)."
    ap, rule = _AP[action.type]
    return f"{_DOING[action.type]} costs {ap} AP, and you have {state.ap} left (rule {rule})."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


_SENTENCES = {
    "bad_action": _bad_action,
    "no_passage": _no_passage,
    "no_exit": _no_exit,
    "no_tiles": _no_tiles,
    "illegal_placement": _illegal_placement,
    "no_token": _no_token,
    "not_at_base": _not_at_base,
    "camp_not_here": _camp_not_here,
    "camp_not_packed": _camp_not_packed,
    "camp_unavailable": _camp_unavailable,
    "not_carried": _not_carried,
    "no_room": _no_room,
    "needs_rope": _needs_rope,
    "needs_oxygen": _needs_oxygen,
    "needs_raft": _needs_raft,
    "needs_camera": _needs_camera,
    "not_enough_ap": _not_enough_ap,
}

CODES = (*_TURN, *_SENTENCES)
