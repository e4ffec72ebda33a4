"""The terminal's own sixteen colours, and none: what is written can be read, and is told apart."""

from __future__ import annotations

from typing import Any

import pytest
from rich.color import Color
from rich.style import Style
from textual.screen import Screen

from tests import snapshots
from tests.client.scenes import SCENES
from tests.client.screens import SMALL

PALE = {"yellow", "YELLOW", "cyan", "CYAN", "GREEN", "white", "WHITE"}
"""Not to be read on paper; those in capitals are bright."""
DEEP = {"black", "blue"}
"""Not to be read in the dark."""


def seen(style: Style) -> tuple[str, str]:
    """The names of ink and ground, as they are seen."""
    ink, ground = (snapshots._colour(each or Color.default()) for each in (style.color, style.bgcolor))
    return (ground, ink) if style.reverse else (ink, ground)


def letters(screen: Screen[Any]) -> dict[str, Style]:
    """The style of each piece of text that is shown, by the text."""
    strips = screen._compositor.render_strips()
    return {part.text.strip(): part.style for strip in strips for part in strip if part.style is not None}


@pytest.mark.parametrize("name", ["name", "join", "new-game", "settings"])
async def test_without_colours_a_field_shows_that_it_is_being_filled_in(name: str) -> None:
    stage = snapshots.stage(colours=False)
    async with stage as pilot, snapshots.shown(pilot, SCENES[name], "unicode", SMALL) as screen:
        field = screen.query("Input").first()
        field.focus()
        await pilot.pause()
        x, y, width, _ = field.content_region
        shown = list(screen._compositor.render_strips()[y].crop(x, x + width))
        assert any(part.style is not None and part.style.reverse for part in shown)
        assert all(part.style is not None and part.style.underline for part in shown)


PLACES = ("cursor", "water", "wonder", "squeeze", "descent", "base", "exit", "text")
