"""The picture behind the menu: drawn outside the event loop, always the same, and blocking nothing."""

from __future__ import annotations

import pytest
from textual.color import Color

from client.app.screens.menu import ENTRIES, MenuScreen
from client.launch.opening import NewGame
from client.tui.colour_tiers import COLOURS_16
from client.tui.themes import CAVE_HIGH_CONTRAST, OWN
from client.tui.themes import contrast as contrast_of_text
from client.tui.title_painter import LIGHTS, TitlePainter
from client.tui.title_picture import FEW, TitlePictures, light_of
from tests.client.pilot import settle, strips
from tests.client.screens import LARGE, LEAST, SMALL, show, text
from tests.client.test_screens import HELD

PIXEL = "▀"


async def test_the_menu_can_be_used_before_its_picture_is_there() -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen, LEAST) as (app, pilot):
        await pilot.pause()
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
        # If not all fit, the list scrolls, and the row below shows how to quit.
        assert all(name in shown for _, name, _, _ in ENTRIES[: max(0, size[1] - 4)])
        assert "against Cyd and Rookie (bot), 2026-01-02 12:00, round 3," in " ".join(shown.split())


@pytest.mark.parametrize(("width", "height"), [SMALL, (100, 30), LARGE])
def test_the_entries_cover_no_part_of_the_name(width: int, height: int) -> None:
    name = TitlePainter(width, 2 * height, LIGHTS["lamp"]).name
    assert max(name) < 2 * (height - 16) or min(map(min, name.values())) >= 28
    assert max(map(max, name.values())) < width


@pytest.mark.parametrize("theme", [theme.name for theme in OWN])
async def test_the_entries_can_be_read_in_front_of_a_picture(theme: str) -> None:
    screen = MenuScreen(pictures=TitlePictures(), last=[HELD])
    async with show(screen) as (app, pilot):
        app.theme = theme
        await settle(pilot)
        for row in strips(screen):
            for piece in row:
                if piece.style is not None and set(piece.text) - {PIXEL, " "}:
                    ink, ground = piece.style.color, piece.style.bgcolor
                    assert contrast_of_text(Color.from_rich_color(ink), Color.from_rich_color(ground)) >= 4.5


@pytest.mark.parametrize(("theme", "light"), [("ansi-dark", FEW), ("ansi-light", ""), (CAVE_HIGH_CONTRAST.name, "")])
async def test_with_few_colours_only_dark_terminals_show_a_picture(theme: str, light: str) -> None:
    screen = MenuScreen(pictures=TitlePictures())
    async with show(screen) as (app, pilot):
        app.theme = theme
        await settle(pilot)
        assert light_of(app) == light
        assert (PIXEL in text(screen)) == bool(light)


def test_behind_forms_the_picture_has_no_name() -> None:
    """Slices of its letters covered the form for joining a game."""
    pictures, window = TitlePictures(), (140, 45, "lamp")
    pictures.draw(window, lambda: True)
    found = pictures.get(window)
    differ = [y for y, (row, bare) in enumerate(zip(found.strips, found.nameless, strict=True)) if row != bare]
    assert differ == list(range(differ[0], differ[-1] + 1)), "the letters, and nothing else"
    assert differ[-1] < found.shore


def test_in_16_colours_each_wave_changes_a_small_part_of_the_lake() -> None:
    pictures, window = TitlePictures(), (*SMALL, FEW)
    pictures.draw(window, lambda: True, moving=True, colours=COLOURS_16)
    found = pictures.get(window)
    assert all(0 < sum(part.area for part in step) < 100 for step in found.changes)
