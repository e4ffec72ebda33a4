"""What the bots of Cave vs Cave do where there is one thing that anybody would do."""

from __future__ import annotations

import pytest

from cave import bots
from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from tests.cave.cave_vs_cave.builders import do, furnish, player, state
from tests.cave.cave_vs_cave.test_rules_4_and_5 import FULL


@pytest.mark.parametrize("seed", ["a", "b"])
@pytest.mark.parametrize(
    ("sides", "room", "walls"),
    [
        ("2-3", "weaving_room", 2),
        ("2-3", "digging_cave", 3),
        ("3-4", "digging_cave", 3),
        ("3-4", "secret_chamber", 4),
    ],
)
def test_the_rookie_takes_the_side_of_the_cavern_on_which_the_room_on_show_fits(
    sides: str, room: str, walls: int, seed: str
) -> None:
    """Rule 4.9."""
    rooms = {at: each for at, each in FULL.items() if at != (1, 0)}
    now = state(
        player({"wood": 9, "stone": 5, "food": 9, "gold": 1}, rooms),
        player(),
        tile="housework",
        display=("prospecting_site", room),
        settings={"cavern": sides},
    )
    now = do(now, furnish("prospecting_site", (1, 0), food=2))
    assert now.phase == "cavern"
    view = GAME.view_json(GAME.view(now, 0))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(now, 0)]
    assert bots.choose(GAME.name, "rookie", view, choices, seed) == {"type": "take_cavern", "walls": walls}
