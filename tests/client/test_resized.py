"""A screen that has been resized shows what a fresh one of that size shows."""

from __future__ import annotations

import pytest

from tests import snapshots
from tests.client.pilot import settle
from tests.client.scenes import SCENES

FIRST = (200, 60)
WHERE_IT_WAS = {"jump", "placing", "replay-turns", "settings"}
"""The letters of tiles, the corner of the inset and what has been scrolled to stay as the window changes."""


@pytest.mark.parametrize("name", sorted(SCENES.keys() - WHERE_IT_WAS))
async def test_smaller_step_by_step_it_looks_as_when_it_is_opened(name: str) -> None:
    scene = SCENES[name]
    kept = snapshots.file(name, "unicode").read_text(encoding="utf-8")
    async with snapshots.stage() as pilot, snapshots.shown(pilot, scene, "unicode", FIRST) as screen:
        for size in reversed(scene.sizes):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert snapshots.text(screen, size) in kept, size
