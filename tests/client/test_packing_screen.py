"""The packing, exchange and discard screens, by keys alone and by mouse alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from cave.games import get_game
from cave.the_cave.packing import discard_form, exchange_form
from cave.the_cave.state import Items
from client.games.the_cave.face import FACE
from client.games.the_cave.packing_screens import DiscardScreen, ExchangeScreen, PackingScreen, form_screen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import press, run, settle
from tests.client.screens import SIZES, OneScreen, cut_off, show, smaller, text
from tests.server.running import GUARD

GAME = get_game("the-cave")
STATE = GAME.new(2, {}, "k")
FORM = GAME.choices(STATE, 1)[0]
LAST = {"type": "pack", "backpack": {"consumable": 3}, "camp": None}
SUGGESTED = {"consumable": 4, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1}
LONG = "Bartholomew the Explorer"


@pytest.mark.parametrize("hints", [True, False])
async def test_hints_are_offered_only_where_the_table_allows_them(hints: bool) -> None:
    scene = FACE.scene(FakeSession(mine=(1,), start=STATE, hints=hints).state, None)
    screen = form_screen(scene, FORM, FACE, guided=True, ask=lambda hear: hear("Why not."))
    async with show(screen, (100, 40)) as (_, pilot):
        assert ("y Hint" in text(screen)) == hints
        await press(pilot, "y")
        assert "Why not." in text(screen), "also at a table without hints"


def packing(**more: object) -> PackingScreen:
    return PackingScreen(FACE, FORM, seat=1, name="Bea", **more)  # type: ignore[arg-type]


async def test_at_a_shared_keyboard_packs_are_hidden() -> None:
    """Rule 2.3: packs are secret until all have packed."""
    app = TableApp(FakeSession(mine=(0, 1)))
    async with run(app, size=(80, 24)) as pilot:
        for name in ("A Ann", "B Bea"):
            await settle(pilot)
            assert f"Pass the keyboard to {name}" in text(app.screen)
            await press(pilot, "x", "f", "1", "k")
            assert not isinstance(app.screen, PackingScreen)
            await press(pilot, "escape", "p")
            assert f"Pass the keyboard to {name}" in text(app.screen)
            await press(pilot, "enter")
            assert isinstance(app.screen, PackingScreen)
            await press(pilot, "1", "enter")
        await settle(pilot)
        assert app.screen is app.table, "no secret is left"


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
@pytest.mark.parametrize("kind", ["pack", "exchange", "discard"])
async def test_no_text_is_cut_off(kind: str, glyphs: str) -> None:
    screens: dict[str, Any] = {
        "pack": PackingScreen(FACE, FORM, seat=1, name=LONG, glyphs=glyphs, last=LAST),
        "exchange": ExchangeScreen(FACE, exchange_form(Items(8), Items(4)), seat=4, name=LONG, glyphs=glyphs),
        "discard": DiscardScreen(FACE, discard_form(Items(8)), seat=4, name=LONG, glyphs=glyphs),
    }
    async with show(screens[kind], SIZES[-1], ascii_only=glyphs == "ascii") as (app, pilot):
        for keys in ((), ("x",), ("4",), ("x", "c", "c", "k"), ("3", "r")) if kind == "pack" else (("f",),):
            await pilot.press(*keys)
            async for size in smaller(pilot, *reversed(SIZES)):
                assert cut_off(app.screen) == [], (keys, size)
                shown = text(app.screen)
                assert screens[kind].DONE in shown, (keys, size)
                assert "Other side" in shown, (keys, size)
                if glyphs == "ascii":
                    assert shown.isascii(), [letter for letter in shown if not letter.isascii()][:5]


async def test_a_hint_is_shown_in_the_form_unless_it_is_too_late() -> None:
    asked: list[Callable[[str], None]] = []
    async with show(packing(ask=asked.append)) as (app, pilot):
        await press(pilot, "y")
        (tell,) = asked
        tell("Hint: pack 6 consumables.")
        await settle(pilot)
        assert "Hint: pack 6 consumables." in text(app.screen)
        message = app.screen.query_one("#message")
        advice = message.styles.color
        await press(pilot, "x", "enter")  # nothing is packed then
        assert message.styles.color != advice
        await press(pilot, "y")
        await press(pilot, "1", "enter")
        tell("Hint: too late.")
        assert app.results == [{"type": "pack", "backpack": SUGGESTED, "camp": None}]


async def test_a_notice_does_not_cover_the_form() -> None:
    app = OneScreen(packing())
    async with run(app, size=(80, 24), notifications=True) as pilot:
        app.notify("Bea: a rope?", timeout=GUARD)
        await pilot.until(lambda: bool(app.screen.query("Toast")))
        await pilot.pause()
        notice, form = app.screen.query_one("Toast").region, app.screen.query_one("#box").region
        assert notice.area
        assert not notice.overlaps(form)
        assert (notice.y, notice.height) == (1, 1), "nor more than the row of the goal"


async def test_the_form_closes_when_another_terminal_takes_the_seat() -> None:
    session = FakeSession(mine=(0,), seed="k")
    app = TableApp(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, PackingScreen)
        session.evolve(seats=tuple(replace(seat, mine=False) for seat in session.state.seats), choices={})
        await settle(pilot)
        assert app.screen is app.table


async def test_the_form_opens_after_the_chat_and_has_its_own() -> None:
    session = FakeSession(mine=(0,), seed="k")
    begun = session.state
    session.evolve(choices={})
    app = TableApp(session)
    async with run(app, size=(80, 24)) as pilot:
        await press(pilot, "t", "o", "n")
        session.evolve(choices=begun.choices)
        await press(pilot, "e", "enter")
        assert [line.text for line in session.state.chat] == ["one"]
        await press(pilot, "escape")
        assert isinstance(app.screen, PackingScreen)
        await press(pilot, "T", "x", "enter", "escape")
        assert [line.text for line in session.state.chat] == ["one", "x"]
        assert isinstance(app.screen, PackingScreen)
        await press(pilot, "enter")
        assert session.state.view.cave.packed == {0}
