"""The chat beside the log at 140x45."""

from __future__ import annotations

from typing import Any

import pytest
from textual.geometry import Region
from textual.widgets import Input

from client.games.the_cave.screen.panes.actions import Actions
from client.games.the_cave.screen.panes.plan import PlanPane
from client.settings.schema import Preferences, Settings
from client.table import ChatLine
from client.tui.screens.chat import ChatScreen
from client.tui.widgets.chat import NOBODY, ChatPane
from client.tui.widgets.log import LogPane
from client.tui.widgets.message import MessageLine
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed, position
from tests.client.pilot import opened, press, run, settle
from tests.client.screens import text
from tests.client.test_game_screen import click_on, say

BIG = (140, 45)
WANTED = Preferences(Settings(guide=False, chat="on"))


def table(start: Any = None, **options: Any) -> TableApp:
    return TableApp(FakeSession(start=start if start is not None else position()), **options)


def hear(app: TableApp, *words: ChatLine) -> None:
    """Others say something."""
    app.session._chat += words
    app.session._tell()


async def test_what_others_say_stands_there_and_covers_nothing() -> None:
    async with opened(table(preferences=WANTED), BIG) as (app, pilot):
        assert NOBODY in say(app, ChatPane)
        hear(app, ChatLine("Bea", "a rope?"), ChatLine("Bea", "or two?"))
        await settle(pilot)
        assert "2 new, t answers" in say(app, ChatPane)
        assert "Bea: a rope?\n Bea: or two?" in say(app, ChatPane)
        assert not app.table.query_one(MessageLine).display


@pytest.mark.parametrize("size", [(80, 24), BIG])
async def test_whoever_wants_no_chat_sees_a_mark_and_nothing_opens(size: tuple[int, int]) -> None:
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
async def test_what_is_said_while_a_form_covers_the_board_pops_up(chat: Any, told: str) -> None:
    app = table(preferences=Preferences(Settings(guide=False, chat=chat)))
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "question_mark")
        hear(app, ChatLine("Bea", "a rope?"))
        await settle(pilot)
        hear(app, ChatLine("Bea", "[b]or two?"))
        await settle(pilot)
        assert [notice.message for notice in app._notifications] == [told], "one at a time"
        assert app.table.unread == 2
        await press(pilot, "escape")
        assert "Chat (2)" in text(app.screen)


async def test_what_watchers_say_is_a_talk_of_its_own() -> None:
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


async def test_whoever_watches_hears_all() -> None:
    session = FakeSession(start=position(), mine=())
    app = TableApp(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        hear(app, ChatLine("Pat", "dive!", watcher=True), ChatLine("Bea", "a rope?"))
        await settle(pilot)
        assert app.table.unread == 2
        await press(pilot, "t")
        assert "Pat (watching): dive!\n" in "\n".join(map(str.rstrip, text(app.screen).split("\n")))
        assert "Bea: a rope?" in text(app.screen)
        await press(pilot, "tab")
        assert "Bea: a rope?" in text(app.screen)


async def test_new_words_are_new_until_the_talk_was_opened_by_key_or_by_mouse() -> None:
    async with opened(table(preferences=WANTED), BIG) as (app, pilot):
        for by_mouse in (False, True):
            hear(app, ChatLine("Bea", "a rope?"))
            await settle(pilot)
            assert "1 new" in say(app, ChatPane)
            if by_mouse:
                await click_on(pilot, app.table.query_one(ChatPane), "chat")
            else:
                await press(pilot, "t")
            assert isinstance(app.screen, ChatScreen)
            await press(pilot, "h", "i", "enter", "escape")
            assert "new" not in say(app, ChatPane)
            assert "Ann: hi" in say(app, ChatPane)


async def test_the_heading_names_the_key_that_the_person_has_chosen() -> None:
    app = table(preferences=Preferences(Settings(guide=False, chat="on", keys={"game.chat": "T"})))
    async with run(app, size=BIG) as pilot:
        hear(app, ChatLine("Bea", "a rope?"))
        await settle(pilot)
        assert "T answers" in say(app, ChatPane)


async def test_long_words_are_wrapped_and_the_newest_stay() -> None:
    async with opened(table(preferences=WANTED), BIG) as (app, pilot):
        hear(app, *(ChatLine("Bea", f"{number} " + "deep " * 9) for number in range(9)))
        await settle(pilot)
        pane = app.table.query_one(ChatPane)
        assert len(pane._rows) == pane.size.height
        assert "Bea: 8" in say(app, ChatPane)
        assert all(len(line) <= pane.size.width for line in say(app, ChatPane).split("\n"))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 38), (119, 45)])
async def test_without_a_pane_for_it_a_word_is_a_message(size: tuple[int, int]) -> None:
    async with opened(table(preferences=WANTED), size) as (app, pilot):
        assert not app.table.panes.shows("chat", 2)
        hear(app, ChatLine("Bea", "a rope?"))
        await settle(pilot)
        for _ in range(2):
            assert app.table.query_one(MessageLine).text == "Bea: a rope?   (t answers)"
            app.table.say("")


@pytest.mark.parametrize("size", [BIG, (200, 60)])
async def test_plan_and_chat_stand_below_actions_and_log(size: tuple[int, int]) -> None:
    app = table(packed(5), preferences=WANTED)
    async with opened(app, size) as (app, _):
        actions, log, plan, chat = (
            app.table.query_one(kind).region for kind in (Actions, LogPane, PlanPane, ChatPane)
        )
        assert (actions.y, actions.bottom) == (log.y, log.bottom)
        assert (plan.y, plan.bottom) == (chat.y, chat.bottom) == (actions.bottom, size[1] - 1)
        assert (plan.x, plan.width, chat.x) == (actions.x, actions.width, log.x)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 30), BIG])
async def test_a_message_hides_no_line_of_any_pane_whatever_the_size_becomes(size: tuple[int, int]) -> None:
    async with opened(table(), (80, 24) if size == BIG else BIG) as (app, pilot):
        await press(pilot, "w")  # refused
        await pilot.resize_terminal(*size)
        await settle(pilot)
        line = app.table.query_one(MessageLine)
        assert line.display
        for kind in (Actions, LogPane, PlanPane, ChatPane):
            pane = app.table.query_one(kind)
            filled = Region(pane.region.x, pane.region.y, pane.region.width, len(pane._rows))
            assert not pane.display or not filled.overlaps(line.region), kind
        assert size != BIG or "NOT NOW, AND WHY" in say(app, Actions)


@pytest.mark.parametrize(
    ("mine", "wish", "told"),
    [
        ((0,), "auto", True),
        ((0, 1), "auto", False),
        ((0, 1), "on", True),
        ((0,), "off", False),
    ],
)
async def test_where_several_share_a_keyboard_the_talk_is_quiet_unless_wished(
    mine: tuple[int, ...], wish: Any, told: bool
) -> None:
    """Muted by default in hot-seat; what was said is counted all the same."""
    app = TableApp(
        FakeSession(start=position(), mine=mine), preferences=Preferences(Settings(chat=wish, guide=False))
    )
    async with run(app, size=(80, 24)) as pilot:
        hear(app, ChatLine("Pat", "hello"))
        await settle(pilot)
        assert (app.table.query_one(MessageLine).text == "Pat: hello   (t answers)") == told
        assert app.table.unread == 1
