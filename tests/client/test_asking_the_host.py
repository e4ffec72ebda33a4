"""Requests before the host has answered earlier ones."""

from __future__ import annotations

import asyncio
from typing import Any

from cave.game import Json
from tests.client.caves_of_casadh import tables
from tests.client.fake_session import FakeSession
from tests.client.screens import show


class LateAnswers(FakeSession):
    """A host whose news arrive before its answers, as they may."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.answers = asyncio.Event()

    async def act(self, seat: int, action: Json) -> None:
        await super().act(seat, action)
        await self.answers.wait()


async def test_an_action_on_a_new_state_need_not_wait_for_the_last_reply() -> None:
    session = LateAnswers(("Ann", "Bea"), mine=(0,), seed="begun", game=tables.GAME.name)
    while session.full.seat != 0:
        session.play(session.full.seat, tables.chosen(session.full, session.full.seat))
    screen = tables.table(session)
    async with show(screen) as (_, pilot):
        await pilot.press("1")
        await pilot.until(lambda: screen.scene.mode == "placing")
        await pilot.press("enter")
        await pilot.until(lambda: screen.scene.mode != "placing")
        session.answers.set()
    assert [action["type"] for _, action in session.acted[:2]] == ["explore", "place"]


async def test_one_request_per_state() -> None:
    """A key pressed twice before any reply acts once."""

    class Silent(LateAnswers):
        async def act(self, seat: int, action: Json) -> None:
            self.acted.append((seat, action))
            await self.answers.wait()

    session = Silent(("Ann", "Bea"), mine=(0,), seed="begun", game=tables.GAME.name)
    while session.full.seat != 0:
        session.play(session.full.seat, tables.chosen(session.full, session.full.seat))
    async with show(tables.table(session)) as (_, pilot):
        await pilot.press("1", "1", "2")
        assert len(session.acted) == 1
        session.answers.set()
