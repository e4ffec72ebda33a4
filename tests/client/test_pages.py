"""Pages: their first and last row, their lists, fields and scrollbars, as a person sees them."""

from __future__ import annotations

import pytest
from textual.screen import Screen
from textual.widgets import Input, OptionList

from client.app.screens.menu import MenuScreen
from client.app.screens.new_game import NewGameScreen
from client.app.widgets.title_picture import TitlePictures
from client.tui.widgets.choices import Choices
from client.tui.widgets.cycle import Cycle
from client.tui.widgets.form import Button, Field
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.title_bar import TitleBar
from tests.client.pilot import press, settle
from tests.client.scenes import SCENES
from tests.client.screens import LARGE, SMALL, in_themes, show, smaller, text
from tests.client.test_screens import HELD

SIZES = (LARGE, (100, 30), SMALL)
PAGES = ("new-game", "settings", "keys", "join", "join-tables", "records", "packing")
LISTS = ("menu", "join", "join-tables", "records", "keys")
FIELDS = ("name", "join", "records", "new-game", "settings")


@pytest.mark.parametrize("name", PAGES)
async def test_the_title_is_in_the_first_row_and_the_keys_in_the_last(name: str) -> None:
    scene = SCENES[name]
    async with show(scene.screen("unicode"), LARGE) as (app, pilot):
        await press(pilot, *scene.keys)
        async for width, height in smaller(pilot, *SIZES):
            title, hints = (app.screen.query_one(kind).region for kind in (TitleBar, HintBar))
            assert (title.x, title.y, title.width) == (0, 0, width)
            assert (hints.x, hints.bottom, hints.width) == (0, height, width)


@pytest.mark.parametrize("name", LISTS)
async def test_the_chosen_row_of_a_list_has_a_mark_that_goes_with_it(name: str) -> None:
    scene = SCENES[name]
    async with show(scene.screen("unicode")) as (app, pilot):
        await settle(pilot)
        listed = next(each for each in app.screen.query(Choices) if each.highlighted is not None)
        for _ in range(2):
            at = listed.highlighted
            assert at is not None
            marks = [listed.render_line(y).text[0] for y in range(listed.option_count)]
            assert [y for y, mark in enumerate(marks) if mark == ">"] == [at]
            await press(pilot, "down")


async def test_a_list_has_the_same_ground_with_the_cursor_and_without() -> None:
    async with show(SCENES["join"].screen("unicode")) as (app, pilot):
        await settle(pilot)
        hosts, tables = (app.screen.query_one(f"#{name}", OptionList) for name in ("hosts", "tables"))
        assert hosts.has_focus
        assert hosts.background_colors == tables.background_colors


@pytest.mark.parametrize("name", FIELDS)
async def test_a_field_has_an_edge_where_grounds_cannot_be_told_apart(name: str) -> None:
    async with show(SCENES[name].screen("unicode")) as (app, pilot):
        app.theme = "ansi-dark"
        await settle(pilot)
        rows = text(app.screen).split("\n")
        fields = [field for field in app.screen.query(Input) if field.visible and field.region]
        assert fields
        for field in fields:
            region = field.region
            assert isinstance(field, Field)
            assert rows[region.y][region.x] == rows[region.y][region.right - 1] == "|"


@pytest.mark.parametrize("name", ["new-game", "settings"])
async def test_what_is_typed_begins_below_the_words_of_the_choices(name: str) -> None:
    async with show(SCENES[name].screen("unicode"), LARGE) as (app, pilot):
        field = app.screen.query_one("#seed" if name == "new-game" else "#name", Field)
        async for theme in in_themes(pilot, "cave-dark", "ansi-dark"):
            choice = next(each for each in app.screen.query(Cycle) if each.region.x == field.region.x)
            assert field.content_region.x == choice.content_region.x + 2, theme


async def test_the_form_of_a_game_has_air_below_its_title_and_its_button_in_sight() -> None:
    async with show(NewGameScreen("Ann"), LARGE) as (app, pilot):
        async for size in smaller(pilot, *SIZES):
            assert app.screen.query_one("#game").region.y > 1, size
            button = app.screen.query_one(Button)
            assert app.screen.query_one("#form").region.contains_region(button.region), size
            assert app.theme_variables["primary"].lower() == button.styles.background.hex.lower()


@pytest.mark.parametrize("name", ["how-to-play", "help-legend", "settings", "keys"])
async def test_a_scrollbar_has_one_column_at_the_edge_and_air_before_it(name: str) -> None:
    scene = SCENES[name]
    async with show(scene.screen("unicode"), LARGE) as (app, pilot):
        await press(pilot, *scene.keys)
        async for size in smaller(pilot, *SIZES):
            rows = text(app.screen).split("\n")
            for pane in app.screen.query("#sheet, #list"):
                if pane.show_vertical_scrollbar:
                    bar = pane.vertical_scrollbar.region
                    assert (bar.width, bar.right) == (1, pane.region.right), size
                    assert {rows[y][bar.x - 1] for y in range(bar.y, bar.bottom)} <= set(" ▀▄"), size


async def test_the_bar_of_the_menu_has_the_same_air_on_both_sides_of_its_plate() -> None:
    screen: Screen[object] = MenuScreen(pictures=TitlePictures(), last=[HELD])  # type: ignore[assignment]
    async with show(screen, LARGE) as (_, pilot):
        async for size in smaller(pilot, LARGE, SMALL):
            plate, bar = screen.query_one("#sheet").region, screen.query_one(Choices)
            assert (bar.region.x - plate.x, plate.right - bar.region.right) == (1, 1), size
            assert all(bar.render_line(y).text.endswith(" ") for y in range(bar.option_count)), size


@pytest.mark.parametrize("name", ["score", "ocelot-score"])
async def test_all_of_the_score_begins_in_one_column_and_the_plot_has_air(name: str) -> None:
    async with show(SCENES[name].screen("unicode"), LARGE) as (app, pilot):
        async for size in smaller(pilot, LARGE, (100, 30)):
            rows = text(app.screen).split("\n")
            total = next(row for row in rows if row.lstrip().startswith("Total"))
            edge = len(total) - len(total.lstrip())
            plot = next(y for y, row in enumerate(rows) if "POINTS BY ROUND" in row)
            words = ("+8", "The last", "Record:", "POINTS")
            found = [row for row in rows if row.lstrip().startswith(words)]
            assert len(found) >= 2, size
            assert {len(row) - len(row.lstrip()) for row in found} == {edge}, size
            assert not rows[plot - 1].strip(), size
            assert not rows[app.screen.query_one(HintBar).region.y - 1].strip(), size


@pytest.mark.parametrize("name", ["game", "jump", "ocelot", "ocelot-collecting"])
async def test_the_keys_of_a_table_leave_the_last_column_free(name: str) -> None:
    scene = SCENES[name]
    async with show(scene.screen("unicode")) as (app, pilot):
        await press(pilot, *scene.keys)
        keys = text(app.screen).split("\n")[-1]
        assert keys.endswith(" ")
        assert "Quit" in keys
