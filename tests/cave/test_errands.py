"""What a bot that runs errands goes for: a place is worth the points that it brings, for what is carried."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import Json
from cave.the_cave import errands, guide
from tests.cave.builders import GAME, choices, state, team, tile

WEST, EAST, HOME = (-1, -1), (1, -1), (0, 0)


def goes(west: Json, east: Json, ap: int = 5, turns_left: int | None = None, **items: int) -> Any:
    """Where it goes from a crossing north of the base, with these tiles at its sides."""
    now = state(
        tile(0, -1, sides="ESW"),
        # The only exit of the cave lies far away, beyond the base.
        *(tile(0, y, sides="NS") for y in range(1, 6)),
        {**west, "at": [*WEST]},
        {**east, "at": [*EAST]},
        ana=team((0, -1), **{"consumable": 3, **items}),
        ap=ap,
        turns_left=turns_left,
    )
    action = errands.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")
    return tuple(action["to"]) if action["type"] == "move" else action["type"]


def side(kind: str = "plain", **more: Any) -> Json:
    """A tile whose exits other than the one to the crossing lead nowhere."""
    return tile(0, 0, kind, **{"sides": "EW", **more})


@pytest.mark.parametrize("turns_left", [None, 6])
def test_it_goes_for_nothing_from_which_it_would_come_home_hungry(turns_left: int | None) -> None:
    """Rule 3.1: with 2 AP it is not home by the next turn, and eats out there, however near the end is."""
    wonder, nothing = side("wonder", token=True, sides="E"), side(sides="W")
    for fed, there in ((1, WEST), (0, HOME)):
        assert goes(wonder, nothing, ap=2, turns_left=turns_left, camera=1, consumable=fed) == there


@pytest.mark.parametrize(("far", "turns_left", "to"), [(8, None, -2), (40, None, -2), (8, 6, 0), (40, 6, 0)])
def test_it_goes_hungry_for_the_last_exit_rather_than_let_the_game_stand_still(
    far: int, turns_left: int | None, to: int
) -> None:
    """No kit feeds it there and back over 40 tiles, yet somebody has to go. Near the end nobody has to."""
    passage = [tile(0, 1, sides="N"), *(tile(0, -y, sides="NS") for y in range(1, far + 1))]
    now = state(*passage, ana=team((0, -1), consumable=3), turns_left=turns_left)
    assert chosen(now) == {"type": "move", "to": [0, to], "by": "foot"}


def chosen(now: Any) -> Json:
    """Return what it does in seat 0."""
    return errands.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")


@pytest.mark.parametrize("bot", [errands, guide])
@pytest.mark.parametrize(
    ("cave", "to"),
    [
        ([tile(0, -1, sides="NS"), tile(0, -2, sides="NS"), tile(0, -3, sides="S")], [0, -1]),
        # In a set-up position there may be no way home, and no way out at all.
        ([tile(0, -1, sides="S"), tile(0, -2, sides="N"), tile(0, -3, sides="S")], [0, -3]),
        ([tile(0, -2, sides="N")], None),
    ],
)
def test_who_starves_goes_home_by_force(bot: Any, cave: list[Json], to: list[int] | None) -> None:
    """Rule 3.2."""
    now = state(*cave, ana=team((0, -2)), phase="starving")
    action = bot.choose(GAME.view_json(GAME.view(now, 0)), choices(now), "any text")
    assert action == ({"type": "move", "to": to, "by": "force"} if to else {"type": "end_turn"})


@pytest.mark.parametrize(("rule", "goes_on"), [(True, False), (False, True)])
def test_it_takes_no_photograph_for_which_it_would_be_stranded_with_nothing(
    rule: bool, goes_on: bool
) -> None:
    """House rule: who is stranded scores nothing. With the last AP of its last turn it goes home instead."""
    now = state(
        tile(0, -1, "wonder", sides="NS", token=True),
        ana=team((0, -1), consumable=3, camera=1),
        ap=1,
        turns_left=1,
        settings={"stranded_score_nothing": rule},
    )
    assert (chosen(now)["type"] == "photograph") == goes_on
