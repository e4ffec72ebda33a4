"""Whose turn it is, in the header of a table."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave import games
from client.games import get_face as face_of
from client.present.scene import Scene
from client.table import Seat, TableState
from client.tui.widgets.bottom_rows import MessageLine
from client.tui.widgets.panes import whose_turn
from tests.client.cave_vs_cave import tables as versus
from tests.client.caves_of_casadh import tables as casadh
from tests.client.fake_session import FakeSession
from tests.client.pilot import press
from tests.client.screens import show
from tests.client.sir_ocelots_cave import tables as ocelot

THERE = Seat("Bea", "person")


def scene(name: str, bea: Seat) -> Scene:
    """A new game on Bea's turn, as Ann sees it."""
    game = games.get_game(name)
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
        (msgspec.structs.replace(THERE, present=False, stand_in="bot", level="guide"), "(away: a bot (guide) plays)"),
        (msgspec.structs.replace(THERE, present=False, stand_in="skip"), "(away: skipped)"),
        (Seat("", "open", present=False, team="Bea", stand_in="bot"), "(free seat: a bot plays)"),
    ],
)
def test_a_waiting_player_learns_that_another_is_away(name: str, bea: Seat, said: str) -> None:
    now = scene(name, bea)
    assert whose_turn(now, 1)[0] == f"B {now.view.names[1]} {said}"


@pytest.mark.parametrize(
    "tables", [ocelot, casadh, versus], ids=["sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave"]
)
async def test_a_waiting_player_sees_that_the_other_is_a_bot(tables: Any) -> None:
    game, names = tables.GAME, ("Dusty", "Rocky")
    (first,) = game.to_act(FakeSession(names, game=game.name).full)
    session = FakeSession(names, mine=(1 - first,), game=game.name)
    seats = tuple(Seat(name, "bot" if seat == first else "person") for seat, name in enumerate(names))
    shown = [seat.name_as_shown for seat in seats]
    views = {1 - first: game.view(session.full, 1 - first, shown)}
    session.evolve(view=game.view(session.full, None, shown), views=views)
    screen = tables.table(session)
    async with show(screen, (100, 30)) as (_, pilot):
        await press(pilot, "enter")
        assert f"Waiting for {'AB'[first]} {names[first]} (bot)" in " ".join(screen.query_one(MessageLine).text.split())
