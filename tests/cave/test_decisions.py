"""The levels of each game decide as they did when their strength was measured."""

from __future__ import annotations

import json

import pytest

from cave import codec
from cave.sir_ocelots_cave.bots import load_weights
from tests.bench import ocelot_weights as learning
from tests.cave import decisions


@pytest.mark.parametrize("game", decisions.GAMES)
def test_all_levels_decide_as_they_did_when_they_were_measured(game: str) -> None:
    changed = decisions.changed(game)
    assert not changed, "\n".join(changed[:5])


def test_the_weights_of_sir_ocelots_cave_are_those_of_a_known_seed() -> None:
    form = json.loads(learning.FILE.read_bytes())
    how = form["seed"], form["games"]
    assert (*how, len(form["rounds"])) == (learning.SEED, learning.GAMES, learning.ROUNDS)
    assert codec.decode(codec.encode(learning.weights_json(load_weights(), *how))) == form
