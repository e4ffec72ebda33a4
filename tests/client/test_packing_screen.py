"""The packing, exchange and discard screens, by keys alone and by mouse alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from cave.games import get
from cave.the_cave.packing import discard_form, exchange_form, pack_form
from cave.the_cave.state import Camp, Items, Team
from client.games.the_cave.face import FACE
from client.games.the_cave.forms.exchange import DiscardScreen, ExchangeScreen
from client.games.the_cave.forms.packing import PackingScreen
from client.games.the_cave.forms.slots import Slots
from client.games.the_cave.said.guide import packing as packing_tips
from client.tui.widgets.form import Lines
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import Pilot, press, run, settle
from tests.client.screens import SIZES, cut_off, show, smaller, text

GAME = get("the-cave")
STATE = GAME.new(2, {}, "k")
FORM = GAME.choices(STATE, 1)[0]
LAST = {"type": "pack", "backpack": {"consumable": 3}, "camp": None}
SUGGESTED = {"consumable": 4, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1}
LONG = "Bartholomew the Explorer"


def packing(**more: object) -> PackingScreen:
    return PackingScreen(FACE, FORM, seat=1, name="Bea", **more)  # type: ignore[arg-type]


async def click(pilot: Pilot[None], target: str) -> bool:
    """Click what a selector finds, or a slot, told as ``backpack 0``."""
    part, _, number = target.partition(" ")
    if not number.isdecimal():
        return await pilot.click(target)
    slots = pilot.app.screen.query_one(f"#{part}", Slots)
    offset = next(
        (sum(len(span.text) for span in row[:index]), y)
        for y, row in enumerate(slots._rows)
        for index, span in enumerate(row)
        if span.do == number
    )
    return await pilot.click(slots, offset=offset)


async def test_enter_packs_the_suggested_kit() -> None:
    """Rule 2.3: the first kit."""
    async with show(packing()) as (app, pilot):
        await pilot.press("enter")
        assert app.results == [{"type": "pack", "backpack": SUGGESTED, "camp": None}]


async def test_a_whole_pack_with_camp_by_keys_alone() -> None:
    async with show(packing()) as (app, pilot):
        await pilot.press(
            "x", "f", "f", "r", "c", "k", "f", "o", "tab", "backspace", "down", "right", "enter"
        )
        # k goes to the camp; tab back to the backpack, where the last thing, the camera, is taken
        # out again; down from oxygen is the camera, and right puts it in again.
        assert app.results == [
            {
                "type": "pack",
                "backpack": {"consumable": 2, "rope": 1, "camera": 1},
                "camp": {"consumable": 1, "oxygen": 1},
            }
        ]


async def test_the_camp_stands_in_the_slots_that_it_fills() -> None:
    """Rule 2.3: two of the eight."""
    async with show(packing()) as (app, pilot):
        await pilot.press("k")
        await pilot.pause()
        assert "7-8 CAMP  2 of 4" in text(app.screen)


async def test_a_whole_pack_with_camp_by_mouse_alone() -> None:
    async with show(packing()) as (app, pilot):
        for target in (
            "#hint-empty",
            "#item-consumable .more",
            "#item-consumable .more",
            "#item-rope .what",
            "#item-camera .more",
            "#item-camera .less",
            "#take-camp",
            "#item-consumable .more",
            "#backpack-head",
            "backpack 0",
            "#hint-pack",
        ):
            assert await click(pilot, target), target
        assert app.results == [
            {"type": "pack", "backpack": {"consumable": 1, "rope": 1}, "camp": {"consumable": 1}}
        ]


async def test_kits_by_key_and_by_mouse_are_the_same() -> None:
    screen = packing(last=LAST)
    async with show(screen) as (app, pilot):
        kits = list(app.shown.query("Tap.kit"))
        assert len(kits) == 5
        for number, kit in enumerate(kits, 1):
            await pilot.press("x", str(number))
            by_key = screen.draft
            assert by_key.backpack.slots, number
            await pilot.press("x")
            assert not screen.draft.backpack.slots
            await pilot.click(kit)
            assert screen.draft == by_key, number
        assert by_key.backpack == Items(3), "the last one is that of the last trip"


async def test_what_does_not_fit_is_said_and_changes_nothing() -> None:
    async with show(packing()) as (app, pilot):
        before = app.shown.draft  # type: ignore[attr-defined]
        await pilot.press("f")
        assert app.shown.draft == before  # type: ignore[attr-defined]
        assert "The backpack is full" in text(app.screen)
        await pilot.press("x")
        assert "No consumables" in text(app.screen)


async def test_at_a_shared_keyboard_each_packs_unseen() -> None:
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


async def test_packing_can_be_put_off() -> None:
    async with show(packing()) as (app, pilot):
        await pilot.press("escape")
        assert app.results == [None]


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_nothing_is_cut_off(ascii_only: bool) -> None:
    glyphs = "ascii" if ascii_only else "unicode"
    screen = PackingScreen(FACE, FORM, seat=1, name=LONG, glyphs=glyphs, last=LAST)
    async with show(screen, SIZES[-1], ascii_only=ascii_only) as (app, pilot):
        for keys in ((), ("x",), ("4",), ("x", "c", "c", "k"), ("3", "r")):
            await pilot.press(*keys)
            async for size in smaller(pilot, *reversed(SIZES)):
                assert cut_off(app.screen) == [], (keys, size)
                shown = text(app.screen)
                assert "Same as last time" in shown, (keys, size)
                assert "Pack and go" in shown, (keys, size)
                if ascii_only:
                    assert shown.isascii(), [letter for letter in shown if not letter.isascii()][:5]


@pytest.mark.parametrize("last", [None, LAST])
async def test_the_guide_takes_nothing_away_where_there_is_room_for_it(last: object) -> None:
    """What the kit is worth stays, to its last row, and nothing needs a scrollbar."""
    async with show(packing(tips=packing_tips(STATE.settings), last=last), (140, 45)) as (app, pilot):
        async for size in smaller(pilot, (140, 45), (100, 30), (80, 24)):
            shown = text(app.screen)
            assert "Most points win" in shown, size
            if last is None or size != (80, 24):
                assert "a photo of each wonder" in shown, size
            assert not any(part.show_vertical_scrollbar for part in app.screen.query(Lines)), size
        await pilot.press("down")
        await pilot.pause()
        assert "Most points win" not in text(app.screen)


async def test_help_opens_and_closes() -> None:
    async with show(packing()) as (app, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Packing" in text(app.screen)
        await pilot.press("escape")
        assert app.screen is app.shown


# ------------------------------------------------------------------ exchange and discard


def exchange() -> ExchangeScreen:
    return ExchangeScreen(exchange_form(Items(2, 1, 1), Items(1, 2)), seat=0, name="Ann")


async def test_an_exchange_is_a_sheet_that_leaves_the_map_in_sight() -> None:
    """It has all five kinds of things, and at most nine rows."""
    full = ExchangeScreen(exchange_form(Items(2, 1, 1, 1, 1), Items(1, 2, 1)), seat=0, name="Ann")
    async with show(full, SIZES[-1]) as (app, pilot):
        await pilot.press("f", "f")
        async for size in smaller(pilot, *reversed(SIZES)):
            box = app.screen.query_one("#box").region
            assert box.height <= 9, size
            assert (box.width, box.bottom) == size
            heading = next(line for line in text(app.screen).splitlines() if "CAMP" in line)
            for part in ("backpack", "camp"):
                assert app.screen.query_one(f"#{part}").region.x == heading.index(part.upper()) - 2, size
            assert cut_off(app.screen) == [], size


async def test_an_exchange_by_keys_alone() -> None:
    """Rule 6.5."""
    async with show(exchange()) as (app, pilot):
        await pilot.press("f", "tab", "r", "enter")
        assert app.results == [{"type": "exchange", "to_camp": {"consumable": 1}, "to_backpack": {"rope": 1}}]


async def test_an_exchange_by_mouse_alone() -> None:
    async with show(exchange()) as (app, pilot):
        await click(pilot, "backpack 0")
        await click(pilot, "camp 3")
        await pilot.click("#hint-done")
        assert app.results == [{"type": "exchange", "to_camp": {"consumable": 1}, "to_backpack": {"rope": 1}}]


async def test_an_exchange_of_nothing_and_one_left_alone_give_nothing() -> None:
    async with show(exchange()) as (app, pilot):
        await pilot.press("f", "x", "enter")
        assert app.results == [None]
    async with show(exchange()) as (app, pilot):
        await pilot.press("f", "escape")
        assert app.results == [None]


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_dropping_things(by: str) -> None:
    """Rule 6.7."""
    async with show(DiscardScreen(discard_form(Items(2, 1)), seat=0, name="Ann")) as (app, pilot):
        if by == "keys":
            await pilot.press("f", "r", "tab", "r", "enter")
        else:
            await click(pilot, "backpack 0")
            await pilot.click("#hint-done")
        assert app.results == [{"type": "discard", "items": {"consumable": 1}}]


async def test_a_camp_in_the_backpack_fills_two_slots_and_cannot_be_dropped() -> None:
    """Rule 2.3."""
    screen = DiscardScreen(discard_form(Items(5, 1)), seat=0, name="Ann", carries_camp=True)
    async with show(screen) as (app, pilot):
        assert "8 of 8 slots" in text(app.screen)
        assert "CAMP" in text(app.screen)
        await click(pilot, "backpack 6")
        await pilot.press("enter")
        assert app.results == [None]


async def test_what_is_in_a_packed_camp_is_shown_though_it_cannot_be_filled() -> None:
    form = pack_form(Team((0, 0), Items(4), Camp("packed", None, Items(3, 1))), free=False)
    screen = PackingScreen(FACE, form, seat=0, name="Ann", in_camp=Items(3, 1))
    async with show(screen) as (app, _):
        assert "cannot be filled now" in text(app.screen)
        (camp,) = app.screen.query("#camp").results(Slots)
        assert [slot.text for slot in camp._slots if slot.text] == ["consumable"] * 3 + ["rope"]


@pytest.mark.parametrize("kind", ["exchange", "discard"])
async def test_nothing_of_the_slots_is_cut_off(kind: str) -> None:
    if kind == "exchange":
        screen: ExchangeScreen | DiscardScreen = ExchangeScreen(
            exchange_form(Items(8), Items(4)), seat=4, name=LONG
        )
    else:
        screen = DiscardScreen(discard_form(Items(8)), seat=4, name=LONG)
    async with show(screen, SIZES[-1]) as (app, pilot):
        await pilot.press("f")
        async for size in smaller(pilot, *reversed(SIZES)):
            assert cut_off(app.screen) == [], size
            assert ("camp is full" in text(app.screen)) == (kind == "exchange"), size


async def test_a_hint_is_told_in_the_form_unless_it_comes_too_late() -> None:
    asked: list[Callable[[str], None]] = []
    async with show(packing(ask=asked.append)) as (app, pilot):
        await press(pilot, "y")
        (tell,) = asked
        tell("Hint: pack 6 consumables.")
        await settle(pilot)
        assert "Hint: pack 6 consumables." in text(app.screen)
        message = app.screen.query_one("#message")
        advice = message.styles.color
        await press(pilot, "x", "enter")  # Nothing is packed then.
        assert message.styles.color != advice
        await press(pilot, "y")
        await press(pilot, "1", "enter")
        tell("Hint: too late.")
        assert app.results == [{"type": "pack", "backpack": SUGGESTED, "camp": None}]


async def test_the_form_opens_after_the_chat_and_has_one_of_its_own() -> None:
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


async def test_the_form_goes_when_another_terminal_takes_the_seat() -> None:
    session = FakeSession(mine=(0,), seed="k")
    app = TableApp(session)
    async with run(app, size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, PackingScreen)
        session.evolve(seats=tuple(replace(seat, mine=False) for seat in session.state.seats), choices={})
        await settle(pilot)
        assert not isinstance(app.screen, PackingScreen)
        assert app.screen is app.table
