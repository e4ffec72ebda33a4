"""The legal actions of a seat, and refusals of the others. Rule 8 has the codes and their order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from random import Random

from cave.codec import Place
from cave.game import Refused
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave.actions import Action, Choice
from cave.sir_ocelots_cave.components import (
    BIT,
    CAVE,
    GEMS,
    KINDS,
    LEVEL,
    LEVELS,
    RAYS,
    RIM,
    SQUARES,
    Gem,
    Squares,
    squares_in_order,
)
from cave.sir_ocelots_cave.state import LAID, SIDES_OF, Player, State, collectable_gems, companion_sees, missing_tools

ALLOWED_IN: Mapping[str, tuple[str, ...]] = {
    "advancing": ("advance", "tool", "companion"),
    "placing": ("tool", "companion"),
    "collecting": ("collect",),
    "over": (),
}
"""The actions of each phase (rule 3.1)."""
ENTERED: tuple[Gem, ...] = GEMS[:4]
"""The gems that a companion takes when it is placed: crystals and celestites (rule 3.4)."""
PASSED: tuple[Gem, ...] = GEMS[:1]
"""The gem that a companion takes when it advances: a rock crystal (rule 3.2)."""
NAMES: Mapping[Gem, str] = {gem: gem.replace("_", " ") for gem in GEMS}


def check_action(state: State, seat: int, action: Action) -> None:
    check_turn(state, seat)
    check_action_suits_phase(state, action.type)
    match action:
        case act.LayTool():
            _check_tool(state, state.players[seat], action)
        case act.Collect(gems):
            _check_gems(state, seat, gems)
        case act.PlaceCompanion(at):
            if state.players[seat].companion is not None:
                raise Refused("companion_placed", "Your companion is in the cave already (rule 3.4).")
            _check_square(state, at, LEVELS[0])
        case act.Advance(to):
            stands = state.players[seat].companion
            if stands is None:
                raise Refused("companion_not_placed", "Your companion is not in the cave yet (rule 3.2).")
            if LEVEL[stands] == LEVELS[-1]:
                raise Refused("deepest_level", "Your companion is on level 3 and stays there (rule 3.2).")
            _check_square(state, to, LEVEL[stands] + 1)


def check_turn(state: State, seat: int) -> None:
    if state.phase == "over":
        raise Refused("game_over", "The game is over (rule 6.1).")
    if seat != state.seat:
        raise Refused("not_your_turn", "It is not your turn (rule 3.1).")


def check_action_suits_phase(state: State, kind: str) -> None:
    if kind in ALLOWED_IN[state.phase]:
        return
    first = "First lay a tool (rule 3.1)."
    if state.phase == "collecting":
        first = "First choose the gems to collect (rule 3.5)."
    elif kind == "advance":
        first = "Your companion has advanced; now lay a tool (rule 3.2)."
    raise Refused("wrong_phase", first)


def _check_tool(state: State, player: Player, action: act.LayTool) -> None:
    """Rule 3.3."""
    if (action.kind, action.side) not in LAID:
        raise Refused("bad_action", "A tool of that kind has no such side (rule 1.6).")
    if not player.tools[KINDS.index(action.kind)]:
        raise Refused("none_left", f"You have no {action.kind} tool left (rule 1.6).")
    if action.at not in RAYS:
        raise Refused("no_space", "Tools go on the round spaces of the rim (rule 3.3).")
    if action.at in state.tools:
        raise Refused("occupied", "A tool lies on that rim space already (rule 3.3).")


def _check_square(state: State, at: Place, level: int) -> None:
    """Raise Refused unless a companion may go to a square of that level and take its gem."""
    enters = level == LEVELS[0]
    if at not in BIT:
        raise Refused("no_square", "Companions go on squares of the caves (rule 1.1).")
    if LEVEL[at] != level:
        next_only = "A companion goes to the next level only, one level a turn (rule 3.2)."
        comes = "A companion enters the caves on level 1 (rule 3.4)."
        raise Refused("wrong_level", comes if enters else next_only)
    if any(player.companion == at for player in state.players):
        raise Refused("occupied", "The other companion stands there (rule 3.4).")
    gem = state.gem_at(at)
    if gem is not None and gem not in (ENTERED if enters else PASSED):
        takes = "a gem of value 1 (rule 3.4)" if enters else "a rock crystal (rule 3.2)"
        raise Refused("gem_there", f"There is {with_article(NAMES[gem])}, and the companion takes only {takes}.")


def _check_gems(state: State, seat: int, gems: tuple[Place, ...]) -> None:
    """Rule 3.5."""
    if len(set(gems)) < len(gems):
        raise Refused("bad_action", "Name each gem once (rule 8).")
    lying, seen = state.with_gems, collectable_gems(state, seat)
    for x, y in gems:
        if not BIT.get((x, y), 0) & lying:
            raise Refused("no_gem", f"There is no gem at {x},{y} (rule 3.5).")
    for at in gems:
        if not BIT[at] & seen:
            raise Refused("not_seen", _not_seen_sentence(state, seat, at))


def _not_seen_sentence(state: State, seat: int, at: Place) -> str:
    gem = state.gem_at(at)
    assert gem is not None
    what = f"the {NAMES[gem]} at {at[0]},{at[1]}"
    if companion_sees(state, seat, at):
        return f"With your companion, three sides and two tools must see {what} (rule 4.3)."
    return f"No {' and no '.join(missing_tools(state, at))} sees {what} (rule 4.1)."


def with_article(word: str) -> str:
    """Return the word with its article.

    >>> with_article("opal"), with_article("rock crystal")
    ('an opal', 'a rock crystal')
    """
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


# Choices


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return the legal actions of the seat in a stable order; empty if it is not its turn.

    Order: moves of the companion by square, then tools by rim space, kind and side.
    """
    if seat != state.seat:
        return ()
    if state.phase == "collecting":
        return (act.Collecting(squares_in_order(collectable_gems(state, seat))),)
    player = state.players[seat]
    found = [*_companion_choices(state, player)]
    one, two, three = player.tools
    laying = _tool_placements(one > 0, two > 0, three > 0).copy()
    for at in state.tools:
        del laying[at]
    for each in laying.values():
        found += each
    return tuple(found)


@cache
def _tool_placements(*left: bool) -> dict[Place, tuple[act.LayTool, ...]]:
    """Return all placements on each rim space by a player with tools of these kinds left."""
    sides = [(kind, side) for kind, some in zip(KINDS, left, strict=True) if some for side in SIDES_OF[kind]]
    return {at: tuple(act.LayTool(kind, side, at) for kind, side in sides) for at in RIM}


def _companion_choices(state: State, player: Player) -> tuple[Choice, ...]:
    if player.companion is None:
        return _companion_placements(CAVE[LEVELS[0]] & ~_squares_barred(state, ENTERED))
    if state.phase == "advancing" and (level := LEVEL[player.companion]) < LEVELS[-1]:
        return _companion_advances(CAVE[level + 1] & ~_squares_barred(state, PASSED))
    return ()


def _squares_barred(state: State, takes: tuple[Gem, ...]) -> Squares:
    """Return the squares that a companion cannot enter: those with other gems, or with the other
    companion.
    """
    found = 0
    for where in state.gems[len(takes) :]:
        found |= where
    for player in state.players:
        if player.companion is not None:
            found |= BIT[player.companion]
    return found


# Cached: the squares open to a companion rarely change.


@lru_cache(maxsize=1024)
def _companion_placements(where: Squares) -> tuple[act.PlaceCompanion, ...]:
    return tuple(map(act.PlaceCompanion, squares_in_order(where)))


@lru_cache(maxsize=1024)
def _companion_advances(where: Squares) -> tuple[act.Advance, ...]:
    return tuple(map(act.Advance, squares_in_order(where)))


def sample(choice: Choice, rng: Random) -> Action:
    """Return the action, or any part of a collection."""
    if isinstance(choice, act.Collecting):
        return act.Collect(tuple(at for at in choice.gems if rng.random() < 0.5))
    return choice


def idle(state: State, seat: int) -> Action:
    """Return the action that changes least: collect nothing, or lay the first legal tool."""
    found = choices(state, seat)
    if isinstance(found[0], act.Collecting):
        return act.Collect(())
    laying = [choice for choice in found if isinstance(choice, act.LayTool)]
    return laying[0] if laying else next(each for each in found if isinstance(each, act.PlaceCompanion))


def attempts(state: State) -> list[Action]:
    free = next(at for at in RIM if at not in state.tools)
    tools = [act.LayTool(kind, sides[0], free) for kind, sides in SIDES_OF.items()]
    ways = [act.Advance(squares_in_order(CAVE[level])[0]) for level in LEVELS[1:]]
    return [*ways, act.PlaceCompanion(SQUARES[0]), *tools, act.Collect(())]
