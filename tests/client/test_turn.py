"""Whose turn it is, as the header of a table says it."""

from __future__ import annotations

import msgspec
import pytest

from cave import games
from client.games import get as face_of
from client.present.scene import Scene
from client.table import Seat, TableState
from client.tui.widgets.turn import whose_turn

THERE = Seat("Bea", "person")


def scene(name: str, bea: Seat) -> Scene:
    """A new game in which it is the turn of Bea, as Ann sees it."""
    game = games.get(name)
    tries = (game.new(2, {}, f"{number}") for number in range(99))
    state = next(each for each in tries if game.to_act(each) == {1})
    return face_of(name).scene(
        TableState(
            table="T",
            title=game.title,
            game=game,
            status="playing",
            seats=(Seat("Ann", "person", mine=True), bea),
            view=game.view(state, None),
            views={0: game.view(state, 0)},
            choices={0: game.choices(state, 0)},
        ),
        None,
    )


@pytest.mark.parametrize("name", ["sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave"])
@pytest.mark.parametrize(
    ("bea", "said"),
    [
        (THERE, "is playing"),
        (msgspec.structs.replace(THERE, present=False), "(away)"),
        (
            msgspec.structs.replace(THERE, present=False, stand_in="bot", level="guide"),
            "(away: a bot (guide) plays)",
        ),
        (msgspec.structs.replace(THERE, present=False, stand_in="skip"), "(away: skipped)"),
        (Seat("", "open", present=False, team="Bea", stand_in="bot"), "(free seat: a bot plays)"),
    ],
)
def test_who_waits_is_told_of_one_who_is_not_there(name: str, bea: Seat, said: str) -> None:
    now = scene(name, bea)
    assert whose_turn(now, 1)[0] == f"B {now.view.names[1]} {said}"
