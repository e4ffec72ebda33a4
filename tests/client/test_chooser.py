"""The list to choose from."""

from __future__ import annotations

import re

from client.tui.chooser import ChooserScreen, Entry, number_key
from tests.client.screens import LEAST, show, text


async def test_rows_are_numbered_and_hidden_rows_counted() -> None:
    entries = [Entry(f"Puzzle {each}", each, key=number_key(each)) for each in range(1, 12)]
    screen = ChooserScreen("Which?", entries, heads=("Name",))
    async with show(screen) as (app, pilot):
        shown = text(screen)
        assert re.search(r"      Name .*\n.* >  1 Puzzle 1", shown)
        assert "    9 Puzzle 9" in shown
        assert "   10 Puzzle 10" in shown
        assert "more" not in shown
        await pilot.resize_terminal(*LEAST)
        assert "↓ 5 more" in text(screen)
        await pilot.press("up")
        assert screen.entry_list.marked == 0, "the last line may be dangerous"
        await pilot.press("end")
        assert "↑ 5 more" in text(screen)
        await pilot.press("q")
        assert app.results == [None]
