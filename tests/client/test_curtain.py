"""The curtain of a shared keyboard: closed for each other player, and when seats return."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.present.scene import Curtain
from client.table import Seat, TableState
from tests.client.test_plain_waits import ANN, BEA, CASADH, THE_CAVE, View, at_table

TREASURES = {0: View(viewer=0, hand="a crown"), 1: View(viewer=1, hand="a cup")}


def shared(*seats: Seat, acting: int = 0) -> TableState:
    """A table at which each seat knows its own treasures."""
    views = {number: TREASURES[number] for number, seat in enumerate(seats) if seat.mine}
    state = at_table(*seats, acting={acting}, game=CASADH, views=views)
    return replace(state, view=View())


def opened(curtain: Curtain) -> None:
    curtain.closed = False


def test_a_seats_secrets_are_hidden_until_the_player_is_ready() -> None:
    curtain, state = Curtain(), shared(ANN, ANN)
    hidden = curtain.before(state, 0)
    assert (hidden.views, hidden.choices, hidden.refusals) == ({}, {}, {})
    assert curtain.closed
    assert curtain.passed
    opened(curtain)
    assert curtain.before(state, 0) is state
    assert curtain.before(shared(ANN, ANN, acting=1), 1).views == {}
    assert curtain.before(state, 0).views == {}, "also when the first one is back"


def test_seats_returned_from_another_terminal_are_hidden_again() -> None:
    curtain, state = Curtain(), shared(ANN, ANN)
    curtain.before(state, 0)
    opened(curtain)
    away = shared(BEA, BEA)
    assert curtain.before(away, 0) is away, "a watcher sees what all see"
    assert curtain.before(state, 0).views == {}
    assert curtain.closed


def test_one_returned_seat_is_hidden_again() -> None:
    curtain = Curtain()
    curtain.before(shared(ANN, ANN), 0)
    opened(curtain)
    alone = shared(ANN, BEA)
    assert curtain.before(alone, 0) is alone, "nobody else is at this keyboard"
    assert curtain.before(shared(ANN, ANN), 0).views == {}


@pytest.mark.parametrize("seats", [(ANN, BEA), (BEA, BEA)])
def test_there_is_no_curtain_without_a_shared_keyboard(seats: tuple[Seat, Seat]) -> None:
    curtain, state = Curtain(), shared(*seats)
    assert curtain.before(state, 0) is state
    assert not curtain.closed


def test_choices_without_secrets_stay_visible() -> None:
    state = replace(shared(ANN, ANN), game=THE_CAVE)
    hidden = Curtain().before(state, 0)
    assert hidden.views == {}
    assert hidden.choices == state.choices
