"""The curtain between people at one keyboard: games with secrets have it without writing anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from client.present.scene import Scene, scene
from client.table import TableState
from client.tui import table
from client.tui.controller import Controller
from client.tui.key_words import KeyWords
from client.tui.table import TableScreen
from client.tui.widgets.hints import Hint
from client.tui.widgets.panel import Panel, Row, Span
from tests.client.fake_session import FakeSession
from tests.client.pilot import press
from tests.client.screens import show, text
from tests.game_kit import installed_games
from tests.toy.face import FACE as LANTERNS
from tests.toy.purses import Take
from tests.toy.screen import LanternScreen
from tests.toy.test_purses import FACE as PURSES

ANN, BEA = "Pass the keyboard to A Ann", "Pass the keyboard to B Bea"


class Purse(Panel):
    """The coins in the purse of the shown seat."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        now = self.screen.scene  # type: ignore[attr-defined]
        return [[Span(f"purse {now.view.position.players[now.seat].coins}")]]


class PursesScreen(TableScreen[Scene]):
    """A table of Purses, of which nothing knows that there are secrets."""

    BINDINGS: ClassVar[list[BindingType]] = [*table.BINDINGS, Binding("s", "do('cover')", "", id="purses.s")]
    key_words: ClassVar[KeyWords] = KeyWords(BINDINGS)

    def __init__(self, session: FakeSession) -> None:
        super().__init__(PURSES, session)
        self.controller = Controller(self)

    def make_scene(self, state: TableState, last: int | None) -> Scene:
        return scene(state, last)

    def compose(self) -> ComposeResult:
        yield Purse()
        yield from self.foot()

    def show_board(self, *, moved: bool) -> None:
        self.query_one(Purse).refill()

    def hints(self) -> Sequence[Hint]:
        return ()


@pytest.fixture(autouse=True)
def purses() -> Iterator[None]:
    with installed_games(Path(__file__).with_name("second")):
        yield


def purse(coins: Any) -> str:
    return f"purse {tuple(coins)}"


async def test_what_a_seat_knows_is_hidden_until_its_person_is_there() -> None:
    session = FakeSession(mine=(0, 1), game="purses", seed="curtain")
    async with show(PursesScreen(session)) as (app, pilot):
        assert app.screen is app.shown, "nobody has a secret yet"
        session.play(0, Take())
        await pilot.pause()
        assert app.screen is app.shown, "Bea has none either"
        session.play(1, Take())
        await pilot.pause()
        mine = purse(session.full.players[0].coins)
        assert ANN in text(app.screen)
        assert purse([0]) in text(app.shown)
        await press(pilot, "enter")
        assert app.screen is app.shown
        assert mine in text(app.screen)
        await press(pilot, "s")
        assert purse([0]) in text(app.screen)
        await press(pilot, "s")
        assert mine in text(app.screen)


async def test_whoever_is_not_there_yet_may_come_later() -> None:
    session = FakeSession(mine=(0, 1), game="purses", seed="curtain")
    session.play(0, Take())
    session.play(1, Take())
    async with show(PursesScreen(session)) as (app, pilot):
        await press(pilot, "escape")
        assert purse([0]) in text(app.screen)
        session.evolve(watchers=1)
        await pilot.pause()
        assert app.screen is app.shown, "what else happens does not ask again"
        await press(pilot, "u")
        assert ANN in text(app.screen), "to play one has to be there"


@pytest.mark.parametrize("mine", [(0,), ()])
async def test_nobody_is_in_the_way_of_one_person(mine: tuple[int, ...]) -> None:
    session = FakeSession(mine=mine, game="purses", seed="curtain")
    session.play(0, Take())
    session.play(1, Take())
    async with show(PursesScreen(session)) as (app, _):
        assert app.screen is app.shown
        assert purse(session.full.players[0].coins if mine else [0]) in text(app.screen)


async def test_a_hand_of_choices_is_hidden_too() -> None:
    session = FakeSession(mine=(0, 1), game="lanterns", seed="curtain")
    async with show(LanternScreen(LANTERNS, session)) as (app, pilot):
        assert ANN in text(app.screen)
        hand = [f"[{choice.lantern}]" for choice in session.state.choices[0]]
        assert not [each for each in hand if each in text(app.shown)]
        await press(pilot, "enter")
        assert [each for each in hand if each in text(app.screen)] == hand
        await press(pilot, str(session.state.choices[0][0].lantern))
        assert BEA in text(app.screen)
        assert not app.shown.scene.choices  # type: ignore[attr-defined]
