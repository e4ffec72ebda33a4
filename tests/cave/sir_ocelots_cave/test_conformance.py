"""Sir Ocelot's Cave, run through the conformance kit: whole games over many seeds and all settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import AnyGame, Json, Refused, Step
from cave.sir_ocelots_cave.actions import Collecting
from cave.sir_ocelots_cave.components import BAGS, GEMS, KEPT, KINDS, components
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME
from cave.sir_ocelots_cave.state import State, sight_of
from tests.cave import conformance as kit
from tests.cave import contract
from tests.cave.sir_ocelots_cave.builders import CODES
from tests.effort import effort

SETTINGS: dict[str, Json] = {
    "standard": {},
    "the companion sees all of its cave": {"companion_sight": "cave"},
    "geodes left do not count": {"count_geodes_left": False},
    "seat 0 begins": {"first": "seat_0"},
    "seat 1 begins": {"first": "seat_1", "companion_sight": "cave", "count_geodes_left": False},
}


def collector(game: AnyGame, state: State, seat: int, rng: Random) -> Any:
    """Acts at random, preferring companions, and collects most of what it can."""
    choices = game.choices(state, seat)
    if isinstance(choices[0], Collecting):
        return game.sample(choices[0], rng)
    ways = [choice for choice in choices if choice.type in ("advance", "companion")]
    return rng.choice(ways if ways and rng.random() < 0.2 else choices)


def conserved(start: State, state: State) -> None:
    """Gems, tools and amethysts: each exists exactly once (rules 1.4 to 1.6, 5)."""
    box = components()
    for gem, where, before in zip(GEMS, state.gems, start.gems, strict=True):
        assert where & before == where, "a gem came to a square"
        if gem in KEPT:
            collected = sum(player.count_collected(gem) for player in state.players)
            assert where.bit_count() + collected == before.bit_count() == box.count_of_gem(gem)
    assert sum(state.gems).bit_count() == sum(where.bit_count() for where in state.gems)
    laid = Counter(tool.kind for tool in state.tools.values())
    for index, kind in enumerate(KINDS):
        assert laid[kind] + sum(player.tools[index] for player in state.players) == 10
    for index, level in enumerate(box.levels):
        drawn = [each for player in state.players for each in player.amethysts if each.bag == BAGS[index]]
        values = [*state.bags[index], *(each.value for each in drawn)]
        assert Counter(values) == Counter(level.amethysts)
    assert state.sight == sight_of(state.tools), "what is seen is not what the tools see"


def placed(before: State, seat: int, action: Any, step: Step[Any, Any]) -> None:
    """The other player's things are unchanged, and each placement uses one piece (rule 3.1)."""
    other = 1 - seat
    assert step.state.players[other] == before.players[other]
    less = before.players[seat].pieces_left - step.state.players[seat].pieces_left
    assert less == (action.type in ("tool", "companion"))
    assert (step.state.turns_left < before.turns_left) == (step.state.seat != seat)
    types = [event.type for event in step.events]
    assert ("turn_ended" in types) == (step.state.seat != seat)


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    """Other amethysts in the bags and with the others."""
    for _ in range(3):
        yield GAME.imagine(GAME.view(state, viewer), str(rng.random()))


SUBJECT = kit.Subject(
    game=GAME,
    player=collector,
    bound=68,
    codes=CODES,
    invariant=conserved,
    step_invariant=placed,
    twins=twins,
    reveals_to_some=True,
)
GAMES = {name: (2, options) for name, options in SETTINGS.items()}
TestContract = contract.suite(SUBJECT, GAMES, every=effort(11, 3), seeds=effort(20, 100), refused=effort(6, 40))


def test_the_options_make_games() -> None:
    kit.check_options(GAME)
    assert GAME.settings({"first": "random", "companion_sight": "cave"}) == {
        "edition": "standard",
        "companion_sight": "cave",
    }


class Grasping(type(GAME)):  # type: ignore[misc]
    """Offers more than can be collected."""

    def choices(self, state: State, seat: int) -> Any:
        found = super().choices(state, seat)
        if found and isinstance(found[0], Collecting):
            return (Collecting(tuple(state.gems_on_board())),)
        return found


def about_to_draw() -> State:
    """A state in which a geode can be collected, and both players have amethysts."""
    rng = Random(1)
    state = GAME.new(2, {}, "amethysts")
    while not GAME.over(state):
        seat = min(GAME.to_act(state))
        choice = GAME.choices(state, seat)[0]
        geodes = [at for at in getattr(choice, "gems", ()) if state.gem_at(at) == "geode"]
        if geodes and all(player.amethysts for player in state.players):
            return state
        action = GAME.decode(state, seat, {"type": "collect", "gems": choice.gems}) if geodes else None
        state = GAME.apply(state, seat, action or collector(GAME, state, seat, rng)).state
    raise AssertionError("try another seed")


def test_the_kit_notices_what_is_broken() -> None:
    state = about_to_draw()
    kit.check_state(SUBJECT, state, Random(1))
    with pytest.raises((AssertionError, Refused)):
        kit.check_state(replace(SUBJECT, game=Grasping()), state, Random(1))
