"""The bots of each game: secrets of others change nothing, and their games end."""

from __future__ import annotations

from typing import Any

import pytest

from cave import bots, games
from cave.game import AnyGame, Json
from tests.bench.ladder import play
from tests.cave.conformance import sent

GAMES: list[tuple[str, int, Json]] = [
    ("the-cave", 2, {}),
    ("the-cave", 3, {"edition": "french"}),
    ("sir-ocelots-cave", 2, {}),
    ("caves-of-casadh", 2, {}),
    ("caves-of-casadh", 4, {"dead_loot": "on_hex"}),
    ("cave-vs-cave", 2, {}),
    ("cave-vs-cave", 2, {"edition": "era-1-2"}),
    ("cave-vs-cave", 2, {"edition": "era-2"}),
    ("cave-vs-cave", 1, {"edition": "era-1-2"}),
]
ANY_GAME = pytest.mark.parametrize(("name", "seats", "settings"), GAMES)


def asked(game: AnyGame, level: str, state: Any, seed: str) -> Json:
    """The action of a bot for the seat that is next."""
    return bots.choose(game.name, level, *sent(game, state, min(game.to_act(state))), seed)


@ANY_GAME
def test_information_hidden_from_a_seat_changes_no_decision(name: str, seats: int, settings: Json) -> None:
    """Piles, stacks, bags and others' secrets are dealt again; bots' actions and ideas are the same."""
    game = games.get_game(name)
    state, weakest = game.new(seats, settings, "hidden"), next(iter(game.bots))
    for number in range(31):
        seat = min(game.to_act(state))
        if number in (1, 12, 30):
            others = [game.imagine(game.view(state, seat), str(each)) for each in range(2)]
            assert any(other != state for other in others)
            # The search is slow: it is asked once per game.
            searches = number == 12 and (seats, settings) == (2, {})
            for level in game.bots if searches else [*game.bots][:-1]:
                first = asked(game, level, state, "seed")
                assert all(asked(game, level, other, "seed") == first for other in others)
            if searches:
                of_other, of_same = (game.advise(*sent(game, each, seat), effort=0.25) for each in (others[0], state))
                assert of_other == of_same
        action = asked(game, weakest, state, str(number))
        state = game.apply(state, seat, game.decode(state, seat, action)).state


@pytest.mark.parametrize("seats", [2, 3])
def test_a_short_game_of_experts_ends(seats: int) -> None:
    levels = ("expert", "guide", "expert")[:seats]
    assert play("caves-of-casadh", levels, 0, {"round_limit": 3}, "experts").finished
