"""The bots: they see no more than their view, give the same action for it, and come to an end."""

from __future__ import annotations

import json
from random import Random

import pytest

from cave import codec
from cave.game import Json
from cave.sir_ocelots_cave.leaf import learned
from cave.sir_ocelots_cave.state import State
from tests.bench import ocelot_weights as learning
from tests.cave.sir_ocelots_cave.builders import GAME
from tests.cave.sir_ocelots_cave.test_conformance import collector


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """The action of a bot of this level, from what the host sends."""
    assert state.seat is not None
    view = GAME.view_json(GAME.view(state, state.seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, state.seat)]
    return GAME.bots[level](json.loads(json.dumps(view)), json.loads(json.dumps(choices)), seed)


def halfway(seed: int, steps: int, settings: Json | None = None) -> State:
    """A game after some random steps."""
    rng, now = Random(seed), GAME.new(2, settings or {}, str(seed))
    for _ in range(steps):
        assert now.seat is not None
        now = GAME.apply(now, now.seat, collector(GAME, now, now.seat, rng)).state
    return now


@pytest.mark.parametrize("level", GAME.bots)
def test_what_is_hidden_changes_nothing(level: str) -> None:
    """Rule 5.4: bags and the other's amethysts are dealt anew, and the action stays."""
    for seed in (2, 5, 8):
        now = halfway(seed, 30)
        assert now.seat is not None
        first = asked(now, level)
        view = GAME.view(now, now.seat)
        others = [GAME.imagine(view, str(number)) for number in range(4)]
        assert any(other != now for other in others)
        assert all(asked(other, level) == first for other in others)


def test_the_weights_are_those_of_a_known_seed() -> None:
    form = json.loads(learning.FILE.read_bytes())
    how = form["seed"], form["games"]
    assert (*how, len(form["rounds"])) == (learning.SEED, learning.GAMES, learning.ROUNDS)
    assert codec.decode(codec.encode(learning.weights_json(learned(), *how))) == form
