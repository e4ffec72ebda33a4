"""Pages as users see them: their first and last row, lists, fields and scrollbars."""

from __future__ import annotations

import pytest
from textual.widgets import Input, OptionList

from client.tui.widgets.form_fields import Choices
from tests.client.pilot import press, settle
from tests.client.scenes import SCENES
from tests.client.screens import show, text

LISTS = ("menu", "join", "join-tables", "records", "keys")
FIELDS = ("name", "join", "records", "new-game", "settings")


@pytest.mark.parametrize("name", LISTS)
async def test_the_mark_of_a_list_follows_the_chosen_row(name: str) -> None:
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


async def test_a_list_has_the_same_background_with_and_without_focus() -> None:
    async with show(SCENES["join"].screen("unicode")) as (app, pilot):
        await settle(pilot)
        hosts, tables = (app.screen.query_one(f"#{name}", OptionList) for name in ("hosts", "tables"))
        assert hosts.has_focus
        assert hosts.background_colors == tables.background_colors


@pytest.mark.parametrize("name", FIELDS)
async def test_a_field_has_a_border_if_backgrounds_are_too_similar(name: str) -> None:
    async with show(SCENES[name].screen("unicode")) as (app, pilot):
        app.theme = "ansi-dark"
        await settle(pilot)
        rows = text(app.screen).split("\n")
        fields = [field for field in app.screen.query(Input) if field.visible and field.region]
        assert fields
        for field in fields:
            region = field.region
            assert rows[region.y][region.x] == rows[region.y][region.right - 1] == "|"
