"""The list to choose from."""

from __future__ import annotations

from client.tui.chooser import ChooserScreen, Entry, number_key
from tests.client.screens import show, text


async def test_every_row_has_its_number_in_a_column_and_the_first_nine_are_keys() -> None:
    entries = [Entry(f"Puzzle {each}", each, key=number_key(each)) for each in range(1, 12)]
    screen = ChooserScreen("Which?", entries)
    async with show(screen) as (app, pilot):
        shown = text(screen)
        assert " >  1 Puzzle 1" in shown
        assert "    9 Puzzle 9" in shown
        assert "   10 Puzzle 10" in shown
        await pilot.press("1")
        assert app.results == [1]
