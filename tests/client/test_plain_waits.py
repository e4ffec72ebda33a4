"""When line mode asks, and when it no longer waits for players elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client.games.the_cave.face import FACE
from client.plain.table_dialogue import keyboard_must_answer, waits_for_people
from client.present.scene import has_secrets, scene
from client.table import Seat, TableState
from tests.client.caves_of_casadh.tables import GAME as CASADH
from tests.client.fake_session import FakeSession

THE_CAVE = FakeSession().game

ANN, BEA = Seat("Ann", "person", mine=True), Seat("Bea", "person")
BOT, HANDED = Seat("Rookie", "bot", level="rookie"), Seat("Bea", "person", level="rookie", handed=True)


class View(msgspec.Struct, frozen=True):
    """The view of one seat or of all: the seats to act, and the viewer's secret."""

    acting: frozenset[int] = frozenset()
    viewer: int | None = None
    hand: str = ""
    over: bool = False


def at_table(*seats: Seat, acting: set[int], **more: Any) -> TableState:
    """A table at which these seats are to act."""
    choices = {seat: ("a choice",) for seat in acting if seats[seat].mine}
    view = View(frozenset(acting))
    state = TableState(table="t", title="t", game=THE_CAVE, status="playing", seats=seats, choices=choices)
    return replace(state, **{"view": view, "views": {0: view}, "seen": {0: 0}, **more})


@pytest.mark.parametrize(
    ("state", "asked"),
    [
        pytest.param(at_table(ANN, BEA, acting={0}), True, id="my turn"),
        pytest.param(at_table(ANN, BEA, acting={1}), False, id="another's turn"),
        pytest.param(at_table(ANN, BEA, acting={0, 1}), True, id="at the same time"),
        pytest.param(at_table(ANN, BOT, acting={0, 1}), False, id="a bot still chooses"),
        pytest.param(at_table(ANN, HANDED, acting={0, 1}), False, id="a person's bot still chooses"),
        pytest.param(at_table(ANN, BOT, acting={0}), True, id="a bot has chosen"),
        pytest.param(at_table(ANN, BEA, acting=set(), status="over"), True, id="the end"),
        pytest.param(at_table(ANN, BEA, acting={1}, set_aside="Nobody can play on."), True, id="given up"),
        pytest.param(at_table(ANN, BEA, acting={0}, seen={0: 7}), False, id="not all has come"),
        pytest.param(at_table(ANN, BEA, acting=set(), status="over", seen={0: 7}), False, id="part of the end"),
        pytest.param(at_table(ANN, BEA, acting={1}, link="closed"), True, id="no link any more"),
        pytest.param(at_table(BEA, BEA, acting={1}), True, id="who watches"),
    ],
)
def test_a_prompt_appears_when_a_local_player_must_act(state: TableState, asked: bool) -> None:
    assert keyboard_must_answer(state) == asked


@pytest.mark.parametrize(
    ("state", "waits"),
    [
        pytest.param(at_table(ANN, BEA, acting={1}), True, id="another's turn"),
        pytest.param(at_table(ANN, BOT, acting={1}), False, id="a bot's turn"),
        pytest.param(at_table(ANN, HANDED, acting={1}), False, id="a bot's turn in a person's place"),
        pytest.param(at_table(ANN, BEA, BOT, acting={1, 2}), False, id="a bot is to act as well"),
        pytest.param(at_table(ANN, BEA, acting={0}), False, id="my turn"),
        pytest.param(at_table(ANN, BEA, acting=set(), status="over"), False, id="the end"),
        pytest.param(at_table(ANN, BEA, acting={1}, seen={0: 7}), False, id="not all has come"),
        pytest.param(at_table(ANN, BOT, acting={1}, link="lost"), True, id="the link is lost"),
        pytest.param(at_table(ANN, BOT, acting={1}, set_aside="Nobody can play on."), True, id="given up"),
        pytest.param(
            at_table(ANN, Seat("", "open"), acting=set(), status="waiting", view=None), True, id="a free seat"
        ),
        pytest.param(at_table(ANN, BOT, acting=set(), status="waiting", view=None), False, id="about to begin"),
    ],
)
def test_waiting_for_people_differs_from_waiting_for_bots(state: TableState, waits: bool) -> None:
    assert waits_for_people(state) == waits


def test_a_shared_keyboard_has_secrets_if_a_seat_sees_more_than_all() -> None:
    cyd = replace(ANN, name="Cyd")
    state = at_table(ANN, cyd, BEA, acting={2}, views={0: View(viewer=0), 1: View(viewer=1, hand="a card")})
    state = replace(state, view=View())
    assert [has_secrets(state, seat) for seat in (0, 1, 2)] == [False, True, False]
    alone = replace(state, seats=(BEA, ANN, BEA))
    assert not has_secrets(alone, 1), "nobody else looks"


@pytest.mark.parametrize("game", [THE_CAVE, CASADH])
def test_choices_are_secret_if_the_game_says_so(game: Any) -> None:
    state = at_table(ANN, ANN, acting={0}, game=game, views={0: View(viewer=0), 1: View(viewer=1)})
    state = replace(state, view=View())
    assert has_secrets(state, 0) == game.secret_choices
    assert not has_secrets(state, 1), "who has nothing to choose"


def test_watchers_see_the_seat_to_act_or_the_last_one() -> None:
    def seat(*acting: int, last: int | None) -> int:
        state = at_table(BEA, BEA, BEA, acting={*acting}, choices={}, views={})
        return scene(state, last, FACE).seat

    assert seat(2, last=0) == seat(2, last=None) == 2
    assert seat(1, 2, last=0) == seat(1, 2, last=None) == 0
    assert seat(last=1) == 1


def test_a_game_that_is_over_offers_no_choices() -> None:
    state = at_table(ANN, BEA, acting={0})
    resigned = replace(state, resigned=True)
    assert [scene(each, None, FACE).choices for each in (state, resigned)] == [("a choice",), ()]
