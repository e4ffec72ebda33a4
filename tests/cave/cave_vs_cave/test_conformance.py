"""Cave vs Cave, run through the conformance kit: whole games over many seeds, seats and all settings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Anytime
from cave.cave_vs_cave.components import ENTRANCE, components
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.goods import NUMBER
from cave.cave_vs_cave.state import State, as_edge
from cave.cave_vs_cave.turns import all_walls, spare_orange_rooms
from cave.game import AnyGame, Json, Refused, Step
from tests.cave import conformance as kit
from tests.cave import contract
from tests.cave.cave_vs_cave.builders import CODES
from tests.effort import effort

GAMES: dict[str, tuple[int, Json]] = {
    "era 1": (2, {}),
    "era 1, alone": (1, {}),
    "eras 1 and 2": (2, {"edition": "era-1-2"}),
    "eras 1 and 2, alone": (1, {"edition": "era-1-2", "cavern": "3-4"}),
    "quick start": (2, {"edition": "era-2"}),
    "quick start, cavern of 3 or 4": (2, {"edition": "era-2", "cavern": "3-4"}),
    "era 1, cavern of 3 or 4": (2, {"cavern": "3-4"}),
}
ROOMS = [room for room in components().rooms if room != ENTRANCE]


def dweller(game: AnyGame, state: State, seat: int, rng: Random) -> Any:
    """Acts at random, but saves most goods for tiles and rooms."""
    choices = game.choices(state, seat)
    plain = [choice for choice in choices if not isinstance(choice.action, Anytime)]
    return game.sample(rng.choice(plain if plain and rng.random() < 0.9 else choices), rng)


def places(state: State) -> list[str | None]:
    """The rooms of a game, in all places."""
    return [
        *state.display,
        *(room for pile in state.piles for room in pile),
        *(room for player in state.players for room in (*player.rooms.values(), *player.covered.values())),
        *(() if state.later is None else (*state.later.light, *state.later.rooms)),
    ]


def whole(start: State, state: State) -> None:
    """No room is lost or duplicated, goods and walls are within limits (rules 1.1, 1.3, 1.4)."""
    assert sorted(places(state), key=str) == sorted(places(start), key=str)
    assert set(places(state)) <= set(ROOMS)
    for player in state.players:
        assert all(0 <= many <= most for many, most in zip(player.goods, components().limits, strict=True))
        assert spare_orange_rooms(player) >= 1
        assert not player.rooms.keys() & player.covered.keys()
    assert sum(len(player.walls) for player in state.players) <= all_walls(state)


def conserved(before: State, seat: int, action: Any, step: Step[Any, Any]) -> None:
    """The other player's cave is unchanged, except at the start of an era."""
    if before.era == step.state.era:
        for other, player in enumerate(before.players):
            if other != seat:
                assert replace(step.state.players[other], goods=player.goods) == player
    if before.phase in ("actions", "dig"):
        assert step.state.taken[: len(before.taken)] in (before.taken, ())


def paid(before: State, seat: int, choice: Json, after: State) -> None:
    """No good decreases by more than the price, and the price was available."""
    if before.era != after.era:
        return
    price = choice["price"]
    old, new = before.players[seat].goods, after.players[seat].goods
    for good, number in NUMBER.items():
        assert old[number] - new[number] <= price.get(good, 0)


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    """Other face-down, piled and future rooms, and other future tiles."""
    for _ in range(3):
        yield GAME.imagine(GAME.view(state, viewer), str(rng.random()))


def same_action(state: State, one: Json, other: Json) -> bool:
    """Edges and goods may be named in any order, and a wall's or a single space's default left out."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    try:
        return _canonical(one) == _canonical(other)
    except (TypeError, ValueError, KeyError):
        return False


def _canonical(action: Json) -> Json:
    form = {name: value for name, value in action.items() if value != [] or name != "walls"}
    if form.get("spaces") == 1 and form["spaces"] is not True:
        del form["spaces"]
    if "between" in form:
        form["between"] = as_edge(*map(tuple, form["between"]))
    if "walls" in form and isinstance(form["walls"], list):
        form["walls"] = sorted(as_edge(*map(tuple, edge)) for edge in form["walls"])
    if "goods" in form:
        form["goods"] = sorted(form["goods"])
    return form


SUBJECT = kit.Subject(
    game=GAME,
    player=dweller,
    bound=1500,
    codes=CODES,
    same_action=same_action,
    invariant=whole,
    step_invariant=conserved,
    check_price=paid,
    twins=twins,
)
TestContract = contract.suite(SUBJECT, GAMES, every=effort(29, 5), seeds=effort(15, 100), refused=effort(10, 60))


def test_the_options_make_games() -> None:
    kit.check_options(GAME)
    assert GAME.settings({"edition": "era-1", "cavern": "3-4"}) == {"edition": "era-1", "cavern": "3-4"}


class Generous(type(GAME)):  # type: ignore[misc]
    """Offers tiles that were taken."""

    def choices(self, state: State, seat: int) -> Any:
        found = super().choices(state, seat)
        return GAME.choices(replace(state, taken=()), seat) if state.phase == "take" and found else found


def test_the_kit_notices_what_is_broken() -> None:
    state = GAME.new(2, {}, "taken")
    for action in ({"type": "take", "tile": "cultivation"}, {"type": "end_turn"}):
        seat = min(GAME.to_act(state))
        state = GAME.apply(state, seat, GAME.decode(state, seat, action)).state
    kit.check_state(SUBJECT, state, Random(1))
    with pytest.raises((AssertionError, Refused)):
        kit.check_state(replace(SUBJECT, game=Generous()), state, Random(1))
