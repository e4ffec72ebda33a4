"""The recap shows other players' actions step by step, and can be stepped through again in every game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from cave import games
from client import games as faces
from client.games.caves_of_casadh.log import FALLING, log_line
from client.present.log import entries, last_move_of_others
from client.settings.schema import Preferences, Settings
from client.tui import turn_recap
from client.tui.motion import Motion
from client.tui.sentences import BACK_TO_NOW
from tests.cave.conformance import sent
from tests.client.caves_of_casadh.tables import middle, played
from tests.client.fake_session import FakeSession
from tests.client.pilot import settle
from tests.client.screens import show, text
from tests.client.test_motion import Stage

NAMES = games.game_names()


class Screen(Stage):
    """A fake table screen: it paints on request."""

    replays = False
    face = faces.get_face("caves-of-casadh")

    def __init__(self) -> None:
        super().__init__()
        self.app = None
        self.said: list[str] = []
        self.recap: Any = None
        self.due: list[Callable[[], None]] = []

    def call_after_refresh(self, callback: Callable[..., None], *args: Any) -> None:
        self.due.append(lambda: callback(*args))

    def say(self, _text: str, role: str = "warn") -> None:
        self.said.append(self.recap.text)

    def paint(self) -> None:
        while self.due:
            self.due.pop(0)()


class Fall:
    """The falling events of a game on a screen, from the first on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, width: int = 80) -> None:
        monkeypatch.setattr(turn_recap, "motion_of", lambda app: Motion("full"))
        self.state = played(middle).state
        log = self.state.log
        self.fell = [index for index, line in enumerate(log) if line.event["type"] in FALLING]
        found = [log_line(index, log[index].event, self.state.view) for index in self.fell]
        self.lines = [entry.sentence for entry in found if entry is not None]
        self.screen: Any = Screen()
        self.screen.size = SimpleNamespace(width=width)
        self.screen.query = lambda _kind: ()
        self.shown = self.screen.recap = turn_recap.TurnRecap(self.screen)
        self.comes(0)

    def comes(self, fallen: int) -> None:
        """Follow the log up to the falling event with this number."""
        log = self.state.log[: self.fell[fallen - 1] + 1 if fallen else self.fell[0]]
        state = replace(self.state, log=log, seats=())
        self.shown.follow(SimpleNamespace(state=state, view=self.state.view, since=0, over=False))

    def rest(self) -> list[str]:
        """Return everything shown until nothing is left."""
        self.screen.paint()
        while self.shown.player.is_moving:
            self.shown.player.show_next_frame()
            self.screen.paint()
        told = self.screen.said
        return [line for at, line in enumerate(told) if line and line not in told[:at]]


def test_new_steps_wait_while_earlier_ones_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may act before all events of its last step were shown."""
    fall = Fall(monkeypatch)
    fall.comes(2)
    fall.screen.paint()
    fall.comes(3)
    assert fall.screen.said == fall.lines[:1]
    assert fall.rest() == fall.lines[:3]
    assert fall.screen.said[-1] == ""


def test_nothing_stays_lit_if_movement_ends_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rival's board would stay in view, and be mistaken for the player's own."""
    fall = Fall(monkeypatch)
    lit: list[int] = []
    paint = fall.screen.paint
    fall.screen.paint = lambda: (lit.append(len(fall.shown.lit_places)), paint())
    fall.comes(3)
    fall.screen.paint()
    assert lit[-1]
    monkeypatch.setattr(turn_recap, "motion_of", lambda app: Motion("off"))
    fall.shown.player.stop()
    assert not lit[-1]
    assert fall.shown.text == ""
    assert not fall.shown.waiting


def test_many_waiting_lines_are_shown_together(monkeypatch: pytest.MonkeyPatch) -> None:
    fall = Fall(monkeypatch)
    fall.comes(8)
    told = fall.rest()
    assert ". ".join(told) == ". ".join(fall.lines[:8])
    assert len(told) < 8
    assert all(len(line) <= 78 for line in told if ". " in line)


def moved_by(session: FakeSession, seat: int) -> None:
    game = session.game
    choose = next(iter(game.bots.values()))
    wanted = choose(*sent(game, session.full, seat), "recap")
    session.play(seat, game.decode(session.full, seat, wanted))


def after_a_round(name: str) -> FakeSession:
    """A game in which Bea has played since Ann's last turn, and Ann is to act."""
    session = FakeSession(game=name)
    rounds, acted = 0, False
    while rounds < 2:
        for seat in sorted(session.game.to_act(session.full)):
            rounds += seat == 0 and acted
            acted = seat == 1
            if rounds == 2:
                break
            moved_by(session, seat)
    return session


@pytest.mark.parametrize("name", NAMES)
async def test_backspace_steps_back_through_the_last_round_and_any_key_returns(name: str) -> None:
    face, session = faces.get_face(name), after_a_round(name)
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (_, pilot):
        await settle(pilot)
        now = screen.scene
        steps = [each for each in entries(face.log_line, now.state.log, now.view) if each.index >= now.since]
        assert steps
        before, lit = text(screen), 0
        for number in (*range(len(steps), 0, -1), 1):
            await pilot.press("backspace")
            step = steps[number - 1]
            assert f"{number} of {len(steps)}: {step.sentence}"[:60] in text(screen)
            assert screen.controller.marked_places == ({} if step.at is None else {step.at: "»"})
            lit += "»" in text(screen) and step.at is not None
        assert lit or not any(step.at for step in steps)
        await pilot.press("f12", "G", "G")
        assert not screen.controller.marked_places
        assert f"1 of {len(steps)}: " not in text(screen)
        assert before.splitlines()[0] == text(screen).splitlines()[0]


@pytest.mark.parametrize("name", NAMES)
async def test_the_board_shows_the_position_after_the_step_that_is_shown(name: str) -> None:
    face, session = faces.get_face(name), after_a_round(name)
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (_, pilot):
        await settle(pilot)
        states = [session.state]
        while len(states) < 4 or 0 not in session.game.to_act(session.full):
            (seat,) = sorted(session.game.to_act(session.full))[:1]
            moved_by(session, seat)
            states.append(session.state)
            await settle(pilot)
        now = screen.scene
        steps = [each for each in entries(face.log_line, now.state.log, now.view) if each.index >= now.since]
        for step in reversed(steps):
            await pilot.press("backspace")
            after = next(each for each in states if len(each.log) > step.index)
            assert screen.scene.view == after.views.get(now.seat, after.view)
            assert not screen.scene.can_act or after is states[-1]
        session.acted.clear()
        screen.controller.do("enter")
        await settle(pilot)
        assert not session.acted, "the board showed another position"
        assert screen.scene == now
        assert BACK_TO_NOW in " ".join(text(screen).split())
        await pilot.press("backspace", "escape")
        assert not screen.recap.looks_back, "the next key would only end that"


@pytest.mark.parametrize("name", NAMES)
async def test_a_rivals_steps_are_shown_and_lit_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_recap, "motion_of", lambda app: Motion("calm"))
    face, session = faces.get_face(name), after_a_round(name)
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (_, pilot):
        screen.recap.end()
        start = len(session.state.log)
        while 0 in session.game.to_act(session.full):
            moved_by(session, 0)
        await settle(pilot)
        first = None
        while first is None:
            moved_by(session, 1)
            told = entries(face.log_line, session.state.log, session.state.view)
            first = next((each for each in told if each.index >= start and each.seat == 1), None)
        await settle(pilot)
        assert first.sentence in screen.recap.text
        assert first.at is None or first.at in screen.controller.marked_places


@pytest.mark.parametrize("name", NAMES)
async def test_a_returning_player_reads_what_the_others_did(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_recap, "motion_of", lambda app: Motion("calm"))
    face, session = faces.get_face(name), after_a_round(name)
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (_, pilot):
        await settle(pilot)
        now = screen.scene
        told = entries(face.log_line, now.state.log, now.view)
        first = next(each for each in told if each.index >= now.since and each.seat == 1)
        assert screen.recap.text.startswith(first.sentence)
        await pilot.press("G", "G")
        assert not screen.recap.text


async def test_a_recap_ends_quietly_if_the_screen_loses_its_widgets_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its timer may see that the table is closed when the message line is gone already."""
    monkeypatch.setattr(turn_recap, "motion_of", lambda app: Motion("calm"))
    face, session = faces.get_face("the-cave"), after_a_round("the-cave")
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (app, pilot):
        await settle(pilot)
        assert screen.recap.player.is_moving
        closed = app.pop_screen()
        while screen.children:  # noqa: ASYNC110 - Textual tells nobody
            await asyncio.sleep(0)
        screen.recap.player.show_next_frame()
        assert not screen.recap.player.is_moving
        await closed


async def test_the_news_line_begins_with_events_of_the_reader() -> None:
    face, session = faces.get_face("caves-of-casadh"), after_a_round("caves-of-casadh")
    log = session.state.log
    hurt = {"type": "damaged", "seat": 0, "by": "bats", "hp": 2}
    session.evolve(log=(*log, replace(log[-1], event=hurt)))
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)):
        assert "new lines (backspace): Ann loses 1 HP to bats" in " ".join(text(screen).split())


def test_the_score_sheet_says_what_another_player_did_last() -> None:
    face, state = faces.get_face("caves-of-casadh"), after_a_round("caves-of-casadh").state
    bea = [replace(state.log[-1], event={"type": "damaged", "seat": 1, "by": "bats", "hp": hp}) for hp in (4, 3, 2, 1)]
    told = last_move_of_others(face.log_line, replace(state, log=(*state.log, *bea)))
    assert told == "At the end: Bea loses 1 HP to bats, 3 left; loses 1 HP to bats, 2 left; loses 1 HP to bats, 1 left."
    hurt = replace(bea[0], event={**bea[0].event, "seat": 0})
    assert not last_move_of_others(face.log_line, replace(state, log=(*state.log, *bea, hurt)))


async def test_a_rivals_step_marks_nothing_in_your_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    face, session = faces.get_face("cave-vs-cave"), after_a_round("cave-vs-cave")
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=False)))
    async with show(screen, (80, 24)) as (_, pilot):
        await settle(pilot)
        assert screen.scene.can_act
        monkeypatch.setattr(turn_recap.TurnRecap, "seat_of_step", 1)
        monkeypatch.setattr(turn_recap.TurnRecap, "lit_places", [(1, 1)])
        screen.paint()
        await settle(pilot)
        assert screen.controller.marked_places
        assert "»" not in text(screen)
