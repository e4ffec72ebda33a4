"""Why an action is not possible: one sentence for each code, with the number of the rule."""

from __future__ import annotations

from cave.game import Refused
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave.actions import Action
from cave.sir_ocelots_cave.board import BIT
from cave.sir_ocelots_cave.components import Gem
from cave.sir_ocelots_cave.sight import collectable, companion_sees, missing
from cave.sir_ocelots_cave.state import State

CODES = (
    "game_over",
    "not_your_turn",
    "bad_action",
    "wrong_phase",
    "companion_placed",
    "companion_not_placed",
    "deepest_level",
    "none_left",
    "no_space",
    "no_square",
    "wrong_level",
    "occupied",
    "gem_there",
    "no_gem",
    "not_seen",
)
"""In the order in which they are looked for (rule 8)."""

NAMES: dict[Gem, str] = {
    "rock_crystal": "rock crystal",
    "celestite_sun": "celestite sun",
    "celestite_crescent": "celestite crescent",
    "celestite_star": "celestite star",
    "opal": "opal",
    "emerald": "emerald",
    "red_beryl": "red beryl",
    "geode": "geode",
}
_PLAIN = {
    "game_over": "The game is over (rule 6.1).",
    "not_your_turn": "It is not your turn (rule 3.1).",
    "companion_placed": "Your companion is in the cave already (rule 3.4).",
    "companion_not_placed": "Your companion is not in the cave yet (rule 3.2).",
    "deepest_level": "Your companion is on level 3 and stays there (rule 3.2).",
    "no_space": "Tools go on the round spaces of the rim (rule 3.3).",
    "no_square": "Companions go on squares of the caves (rule 1.1).",
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
        case "bad_action":
            return _bad(action)
    match action:
        case act.LayTool(kind):
            if code == "none_left":
                return f"You have no {kind} tool left (rule 1.6)."
            return "A tool lies on that rim space already (rule 3.3)."
        case act.Advance(to) | act.PlaceCompanion(to):
            return _square(state, action, to, code)
        case _:
            return _gems(state, seat, action, code)


def wrong_phase(state: State, kind: str) -> str:
    """Say what to do first."""
    if state.phase == "collecting":
        return "First say which gems you collect (rule 3.5)."
    if kind == "advance":
        return "Your companion has advanced; now place a piece (rule 3.2)."
    return "First place a piece (rule 3.1)."


def _bad(action: Action) -> str:
    if isinstance(action, act.Collect):
        return "Name each gem once (rule 8)."
    return "A tool of that kind has no such side (rule 1.6)."


def _square(state: State, action: Action, at: act.Place, code: str) -> str:
    rule = "3.2" if isinstance(action, act.Advance) else "3.4"
    if code == "occupied":
        return "The other companion stands there (rule 3.4)."
    if code == "wrong_level":
        if rule == "3.4":
            return "A companion comes into the cave on level 1 (rule 3.4)."
        return "A companion goes to the next level only, one level a turn (rule 3.2)."
    gem = state.gem_at(at)
    assert gem is not None
    takes = "only a rock crystal" if rule == "3.2" else "only a gem of value 1"
    return f"There is {a(NAMES[gem])}, and the companion takes {takes} (rule {rule})."


def _gems(state: State, seat: int, action: Action, code: str) -> str:
    assert isinstance(action, act.Collect)
    if code == "no_gem":
        at = next(at for at in action.gems if at not in BIT or state.gem_at(at) is None)
        return f"There is no gem at {at[0]},{at[1]} (rule 3.5)."
    at = next(at for at in action.gems if not BIT[at] & collectable(state, seat))
    gem = state.gem_at(at)
    assert gem is not None
    what = f"the {NAMES[gem]} at {at[0]},{at[1]}"
    lacking = missing(state, at)
    if companion_sees(state, seat, at):
        return f"With your companion, three sides and two tools must see {what} (rule 4.3)."
    return f"No {' and no '.join(lacking)} sees {what} (rule 4.1)."


def a(word: str) -> str:
    """Return the word with its article.

    >>> a("opal"), a("rock crystal")
    ('an opal', 'a rock crystal')
    """
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
