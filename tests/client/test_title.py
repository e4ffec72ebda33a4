"""The picture behind the menu: drawn beside the event loop, always the same, and never in the way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.color import Color

from client.app import title
from client.app.screens.menu import ENTRIES, MOTTO, MenuScreen
from client.app.widgets.title_picture import TitlePicture, TitlePictures, light_of
from client.launch.opening import NewGame
from client.tui.paint.colour import contrast
from client.tui.paint.tiers import COLOURS_256
from client.tui.themes import CAVE_HIGH_CONTRAST, OWN
from client.tui.themes import contrast as contrast_of_text
from tests.client.pilot import settle
from tests.client.screens import LARGE, LEAST, SMALL, show, text
from tests.client.test_screens import HELD

PIXEL = "▀"


@pytest.mark.parametrize("size", [LEAST, (41, 13), (60, 15), SMALL, LARGE])
@pytest.mark.parametrize("light", title.LIGHTS)
def test_a_picture_fills_its_window_and_is_always_the_same(size: tuple[int, int], light: str) -> None:
    first = list(title.picture(*size, title.LIGHTS[light]))
    assert (len(first), {len(row) for row in first}) == (size[1] * 2, {size[0]})
    assert first == list(title.picture(*size, title.LIGHTS[light]))


def test_light_comes_in_steps() -> None:
    rows = list(title.picture(*LARGE, title.LAMPLIGHT))
    pixels = [colour for row in rows for colour in row]
    changes = sum(one != other for row in rows for one, other in pairwise(row))
    assert len(set(pixels)) < len(pixels) / 10
    assert changes < len(pixels) / 2


@pytest.mark.parametrize("light", title.LIGHTS)
def test_the_name_stands_out_from_its_edge(light: str) -> None:
    paints = title.LIGHTS[light]
    assert contrast(paints.low, paints.outline) > 3
    assert contrast(paints.high, paints.outline) > 4.5


@pytest.mark.parametrize(
    ("size", "scale"), [(LEAST, 0), ((60, 15), 0), (SMALL, 2), ((100, 30), 3), (LARGE, 4)]
)
def test_the_name_is_as_large_as_there_is_room(size: tuple[int, int], scale: int) -> None:
    assert title.name_scale(*size) == scale


async def test_the_menu_can_be_used_before_its_picture_is_there() -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen) as (app, pilot):
        assert all(name in text(screen) for _, name, _, _ in ENTRIES)
        await pilot.press("n")
        assert app.results == [NewGame()]


@pytest.mark.parametrize("size", [LEAST, (60, 15), (80, 23), SMALL, (100, 30), LARGE])
async def test_the_picture_appears_and_leaves_all_entries_in_sight(size: tuple[int, int]) -> None:
    screen = MenuScreen(pictures=TitlePictures(), last=[HELD])
    async with show(screen, size) as (_, pilot):
        await settle(pilot)
        shown = text(screen)
        assert PIXEL in shown
        assert all(name in shown for _, name, _, _ in ENTRIES)
        assert "against Cyd and Rookie (bot), 2026-01-02 12:00, round 3," in " ".join(shown.split())


async def test_what_is_said_of_the_chosen_entry_stands_below() -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen) as (_, pilot):
        for _, _, what, _ in ENTRIES:
            shown = text(screen)
            assert (what or MOTTO) in shown
            assert sum(each in shown for _, _, each, _ in ENTRIES if each) == bool(what)
            await pilot.press("down")


@pytest.mark.parametrize("theme", [theme.name for theme in OWN])
async def test_the_entries_can_be_read_in_front_of_a_picture(theme: str) -> None:
    screen = MenuScreen(pictures=TitlePictures(), last=[HELD])
    async with show(screen) as (app, pilot):
        app.theme = theme
        await settle(pilot)
        for row in screen._compositor.render_strips():
            for piece in row:
                if piece.style is not None and set(piece.text) - {PIXEL, " "}:
                    assert piece.style.color is not None
                    assert piece.style.bgcolor is not None
                    ink, ground = piece.style.color, piece.style.bgcolor
                    assert contrast_of_text(Color.from_rich_color(ink), Color.from_rich_color(ground)) >= 4.5


async def test_another_window_and_another_light_get_their_own_picture() -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen) as (app, pilot):
        await settle(pilot)
        picture = screen.query_one(TitlePicture)
        dark = picture.render_line(0)
        app.theme = "cave-light"
        await settle(pilot)
        assert picture.render_line(0) != dark
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert PIXEL in picture.render_line(20).text


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", CAVE_HIGH_CONTRAST.name])
async def test_there_is_no_picture_where_colours_are_few(theme: str) -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen) as (app, pilot):
        app.theme = theme
        await settle(pilot)
        assert not light_of(app.current_theme)
        assert PIXEL not in text(screen)


def test_a_picture_that_nobody_waits_for_is_given_up_and_few_are_kept() -> None:
    pictures = TitlePictures()
    pictures.draw((40, 12, "lamp"), lambda: False)
    assert pictures.get((40, 12, "lamp")) is None
    for width in range(40, 45):
        pictures.draw((width, 12, "lamp"), lambda: True)
    assert [pictures.get((width, 12, "lamp")) is not None for width in (40, 44)] == [False, True]


def test_with_256_colours_the_picture_is_in_their_own_numbers() -> None:
    pictures = TitlePictures()
    pictures.draw((40, 12, "lamp"), lambda: True, colours=COLOURS_256)
    found = pictures.get((40, 12, "lamp"))
    assert found is not None
    styles = [part.style for strip in found.strips for part in strip if part.style is not None]
    numbers = {colour.number for style in styles for colour in (style.color, style.bgcolor) if colour}
    assert len(numbers) > 8
    assert min(-1 if number is None else number for number in numbers) >= 16, numbers
