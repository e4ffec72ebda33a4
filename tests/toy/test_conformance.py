"""The toy game, run through the conformance kit: whole games of every number of seats and all settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cave import games
from cave.game import AnyGame, Json
from cave_game.template.game import GAME
from cave_game.template.rules import State, imagine
from tests.cave import conformance as kit
from tests.effort import effort

NAMES = ["Ana", "Bea", "Cem", "Dov", "Eve", "Flo"]
SETTINGS: dict[str, Json] = {
    "calm": {},
    "storm": {"edition": "storm"},
    "long and calm": {"rounds": 5},
    "a short storm": {"edition": "storm", "rounds": 3},
    "a storm that shares": {"edition": "storm", "ties": "share"},
}


def anything(game: AnyGame, state: State, seat: int, rng: Random) -> Any:
    return rng.choice(game.choices(state, seat))


def conserved(start: State, state: State) -> None:
    """No lantern is created or lost, and no point that was not in a gem."""
    assert Counter(state.dealt) == Counter(start.dealt)
    over = start.gems[: len(start.gems) - len(state.gems)]
    assert sum(player.points for player in state.players) <= sum(over)


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    """Other hands and choices of the others, other future gems."""
    for _ in range(3):
        yield imagine(GAME.view(state, viewer).cave, str(rng.random()))


SUBJECT = kit.Subject(
    game=GAME,
    player=anything,
    bound=30,
    codes=("game_over", "not_your_turn", "bad_action", "burnt", "not_in_hand"),
    invariant=conserved,
    twins=twins,
)


def look(state: State, rng: Random) -> None:
    kit.check_state(SUBJECT, state, rng)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("chosen", SETTINGS)
def test_a_whole_game_keeps_the_contract(chosen: str, seats: int) -> None:
    names, given_settings, seed = NAMES[:seats], SETTINGS[chosen], f"{chosen} {seats}"
    played = kit.play(SUBJECT, names, given_settings, seed, look, every=effort(9, 4))
    kit.check_replay(SUBJECT, played, names, given_settings, seed)
    assert len(played.actions) == seats * len(played.start.gems)


def test_the_longest_game_is_as_long_as_the_game_says() -> None:
    assert len(kit.play(SUBJECT, NAMES, {"rounds": 5}, "long").actions) == GAME.longest


def test_the_options_make_games() -> None:
    kit.check_options(GAME)
    assert GAME.settings({"edition": "storm", "rounds": 5, "ties": "nobody"}) == {"edition": "storm"}
    assert GAME.settings({"edition": "storm", "rounds": 3}) == {"edition": "storm", "rounds": 3}
    assert GAME.settings({"edition": "calm", "ties": "share"}) == {}


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.text(max_size=8), seats=st.integers(1, 6), steps=st.integers(0, 30))
def test_the_contract_holds_at_any_point_of_any_game(seed: str, seats: int, steps: int) -> None:
    rng = Random(seed)
    state = GAME.new(seats, {"rounds": 5}, seed)
    for _ in range(min(steps, 5 * seats)):
        seat = rng.choice(sorted(GAME.to_act(state)))
        state = GAME.apply(state, seat, anything(GAME, state, seat, rng)).state
    kit.check_wild_actions(SUBJECT, state, rng, 30)
    kit.check_secrecy(SUBJECT, state, rng)


class Talkative(type(GAME)):  # type: ignore[misc]
    """It reveals to everybody which lantern was chosen."""

    def public_event(self, event: Any) -> Any:
        return event


class Transparent(type(GAME)):  # type: ignore[misc]
    """Shows all hands."""

    def view(self, state: State, seat: int | None, names: Any = ()) -> Any:
        return replace(super().view(state, seat, names), cave=replace(state, gems=state.gems))


class Careless(type(GAME)):  # type: ignore[misc]
    """Does not declare that its choices depend on secrets."""

    secret_choices = False


class Lavish(type(GAME)):  # type: ignore[misc]
    """Its totals differ from the sum of the lines."""

    def standing(self, state: State) -> Any:
        return tuple(replace(score, total=score.total + 0.25) for score in super().standing(state))


@pytest.mark.parametrize("broken", [Talkative, Transparent, Careless, Lavish])
def test_the_kit_notices_what_is_broken(broken: Any) -> None:
    state = GAME.new(3, {}, "kit")
    kit.check_state(SUBJECT, state, Random(1))
    with pytest.raises(AssertionError):
        kit.check_state(replace(SUBJECT, game=broken()), state, Random(1))


def test_the_list_of_games_has_what_is_installed() -> None:
    assert games.game_names()[:2] == ("the-cave", "sir-ocelots-cave")
    assert games.game_names()[-1] == "lanterns"
    assert games.get_game("lanterns") is GAME
