"""Ideas of what to do (``GameInfo.advise``): legal, ranked, and from the view alone."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave import games
from cave.game import GameInfo, Idea, Json

NAMES = games.names()
ENOUGH = lambda: True  # noqa: E731 - a guard that stops at once


def after(name: str, actions: int, seed: str = "advise") -> Any:
    """A state some actions into a game of rookies."""
    game = games.get(name)
    state = game.new(2, {}, seed)
    for number in range(actions):
        seat = min(game.to_act(state))
        action = game.bots["rookie"](*sent(game, state, seat), str(number))
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return state


def sent(game: Any, state: Any, seat: int) -> tuple[Json, list[Json]]:
    """What the host sends to a seat."""
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    return json.loads(json.dumps(view)), json.loads(json.dumps(choices))


def ideas(name: str, state: Any, *also: Json) -> list[Idea]:
    game = games.get(name)
    return game.advise(*sent(game, state, min(game.to_act(state))), "seed", also)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("actions", [0, 11, 25])
def test_ideas_are_legal_and_what_is_asked_about_is_among_them(name: str, actions: int) -> None:
    game, state = games.get(name), after(name, actions)
    seat = min(game.to_act(state))
    choice = Random(actions).choice(game.choices(state, seat))
    asked = game.action_json(game.sample(choice, Random(actions)))
    found = ideas(name, state, asked)
    assert [idea.action for idea in found].count(asked) == 1
    assert len({json.dumps(idea.action, sort_keys=True) for idea in found}) == len(found)
    for idea in found:
        game.apply(state, seat, game.decode(state, seat, idea.action))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("actions", [3, 18])
def test_ideas_come_from_the_view_alone(name: str, actions: int) -> None:
    """What the seat does not know is dealt anew, and nothing changes; nor with the same seed once more."""
    game, state = games.get(name), after(name, actions)
    seat = min(game.to_act(state))
    others = [game.imagine(game.view(state, seat), str(number)) for number in range(3)]
    assert any(other != state for other in others)
    first = ideas(name, state)
    assert all(ideas(name, other) == first for other in others)


@pytest.mark.parametrize("name", NAMES)
def test_worths_are_in_the_unit_that_the_game_says(name: str) -> None:
    game = games.get(name)
    found = [idea for actions in (0, 12, 20) for idea in ideas(name, after(name, actions))]
    worths = [idea.worth for idea in found if idea.worth is not None]
    assert worths
    if game.worth_in == "chance":
        assert all(0 <= worth <= 1 for worth in worths)
        assert game.blunder < 1


@pytest.mark.parametrize("name", NAMES)
def test_a_guard_ends_the_thinking_and_there_is_still_an_idea(name: str) -> None:
    game, state = games.get(name), after(name, 6)
    seat = min(game.to_act(state))
    assert game.advise(*sent(game, state, seat), "seed", (), ENOUGH)


def test_to_give_up_is_known_to_lose() -> None:
    """The Caves of Casadh, 1.2: who gives up dies, and the dead do not win."""
    state = next(state for n in range(30, 60) if (state := after("caves-of-casadh", n)).phase == "actions")
    give_up = {"type": "give_up"}
    best, *rest = ideas("caves-of-casadh", state, give_up)
    given = next(idea for idea in rest if idea.action == give_up)
    assert best.worth is not None
    assert given.worth is not None
    assert best.worth - given.worth > games.get("caves-of-casadh").blunder
    assert best.worth - given.worth > 2 * given.error


def test_a_game_that_says_nothing_more_has_what_its_bots_would_do() -> None:
    def bot(action: str) -> Any:
        return lambda view, choices, seed: {"type": action}

    class Plain(GameInfo):
        bots = {"weak": bot("rest"), "mean": bot("dig"), "strong": bot("dig")}  # noqa: RUF012

    found = Plain().advise({}, [], "seed", [{"type": "sing"}, {"type": "rest"}])
    assert found == [Idea({"type": each}) for each in ("dig", "rest", "sing")]
