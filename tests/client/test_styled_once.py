"""A screen that opens is styled once, and nothing is missing then."""

from __future__ import annotations

from typing import Any

import pytest

from client.tui.closing_once import ClosingOnce
from tests import snapshots
from tests.client.pilot import settle
from tests.client.screens import SMALL, show


class Restyled(ClosingOnce[None]):
    """Counts how often all of it is styled anew."""

    times = 0

    def update_node_styles(self, animate: bool = True) -> None:
        self.times += 1
        super().update_node_styles(animate)


async def test_a_screen_that_opens_is_not_styled_once_more() -> None:
    screen = Restyled()
    async with show(screen):
        assert screen.times == 0


@pytest.mark.parametrize("name", ["menu", "new-game", "packing", "actions"])
async def test_to_style_a_screen_once_more_changes_nothing(name: str) -> None:
    async with (
        snapshots.stage() as pilot,
        snapshots.shown(pilot, snapshots.SCENES[name], "unicode", SMALL) as screen,
    ):
        parts: list[Any] = [*screen.walk_children(with_self=True)]
        before = [dict(part.styles.base.get_rules()) for part in parts]
        screen.update_node_styles(animate=False)
        await settle(pilot)
        assert [dict(part.styles.base.get_rules()) for part in parts] == before
