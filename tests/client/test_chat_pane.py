"""The chat beside the log at 140x45."""

from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import Input

from client.settings.schema import Preferences, Settings
from client.table import ChatLine
from client.tui.widgets.bottom_rows import MessageLine
from client.tui.widgets.panes import NOBODY_SPOKE, ChatPane
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import notices, opened, press, run, settle
from tests.client.screens import text
from tests.client.test_game_screen import say

BIG = (140, 45)
WANTED = Preferences(Settings(guide=False, chat="on"))


def table(start: Any = None, **options: Any) -> TableApp:
    return TableApp(FakeSession(start=start if start is not None else position()), **options)


def hear(app: TableApp, *words: ChatLine) -> None:
    app.session.evolve(chat=(*app.session.state.chat, *words))


async def test_messages_of_others_appear_without_covering_anything() -> None:
    async with opened(table(preferences=WANTED), BIG) as (app, pilot):
        assert NOBODY_SPOKE in say(app, ChatPane)
        hear(app, ChatLine("Bea", "a rope?"), ChatLine("Bea", "or two?"))
        await settle(pilot)
        assert "2 new, t answers" in say(app, ChatPane)
        assert "Bea: a rope?\n Bea: or two?" in say(app, ChatPane)
        assert not app.table.query_one(MessageLine).display


@pytest.mark.parametrize("size", [(80, 24), BIG])
async def test_with_chat_off_a_mark_shows_and_nothing_opens(size: tuple[int, int]) -> None:
    app = table()
    async with run(app, size=size) as pilot:
        await settle(pilot)
        hear(app, ChatLine("Bea", "a rope?"))
        await settle(pilot)
        assert not app.table.panes.shows("chat")
        assert not app.table.query_one(MessageLine).display
        assert "Chat (1)" in text(app.screen)
        assert "a rope?" not in text(app.screen)
        await press(pilot, "t")
        assert "Bea: a rope?" in text(app.screen)
        await press(pilot, "escape")
        assert "Chat (1)" not in text(app.screen)


@pytest.mark.parametrize(("chat", "told"), [("on", "Bea: [b]or two?"), ("off", "Chat (2)")])
async def test_messages_pop_up_while_a_form_covers_the_board(chat: Any, told: str) -> None:
    app = table(preferences=Preferences(Settings(guide=False, chat=chat)))
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        hear(app, ChatLine("Bea", "a rope?"))
        await settle(pilot)
        hear(app, ChatLine("Bea", "[b]or two?"))
        await settle(pilot)
        assert notices(app) == [told], "one at a time"
        assert app.table.unread == 2
        await press(pilot, "escape")
        assert "Chat (2)" in text(app.screen)


async def test_unread_messages_are_still_marked_after_reopening_the_table() -> None:
    preferences = Preferences(Settings(guide=False))
    session = FakeSession(start=position())
    for keys, said, marked in (
        ((), ("a rope?",), 1),
        ((), ("or two?", "three?"), 3),
        (("t", "escape"), (), 0),
        ((), (), 0),
        ((), ("four?",), 1),
    ):
        app = TableApp(session, preferences=preferences)
        async with run(app, size=(80, 24)) as pilot:
            await settle(pilot)
            for words in said:
                hear(app, ChatLine("Bea", words))
                await settle(pilot)
            await press(pilot, *keys)
            assert (f"Chat ({marked})" in text(app.screen)) == bool(marked)


async def test_watchers_have_a_separate_chat() -> None:
    app = table(preferences=WANTED)
    async with run(app, size=BIG) as pilot:
        await settle(pilot)
        hear(app, ChatLine("Pat", "dive!", watcher=True), ChatLine("Bea", "a rope?"))
        await settle(pilot)
        assert app.table.unread == 1
        assert "dive!" not in text(app.screen)
        await press(pilot, "t")
        assert "dive!" not in text(app.screen)
        assert "tab shows what watchers say (1)." in text(app.screen)
        await press(pilot, "tab")
        assert "Pat (watching): dive!" in text(app.screen)
        assert "a rope?" not in text(app.screen).split("Watchers say this")[0].split("dive!")[1]
        assert not app.screen.query_one(Input).display
        await press(pilot, "tab", "h", "i", "enter")
        assert "Ann: hi" in text(app.screen)
