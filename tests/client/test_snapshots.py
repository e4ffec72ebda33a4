"""Every screen as it is kept, in all sizes, glyphs and themes, opened in each size or resized to it."""

from __future__ import annotations

import pytest

from tests import snapshots

EVERY = [(name, kind) for name, scene in snapshots.SCENES.items() for kind in snapshots.kinds(scene)]
WHERE_IT_WAS = {"jump", "placing", "replay-turns", "settings"}
"""The letters of tiles, the corner of the inset and what has been scrolled to stay as the window changes."""
BEHIND_A_BOX = {"actions", "chat", "keys-new", "moves"}
"""What lies behind a box is laid out a moment after it, by a clock of its own."""
RESIZED = [
    (name, kind) for name, kind in EVERY if kind == "ascii" and name not in WHERE_IT_WAS | BEHIND_A_BOX
]
OPENED = [each for each in EVERY if each not in RESIZED]


def assert_as_kept(name: str, kind: str, made: str, hint: str) -> None:
    if kind == "ascii":
        assert [row for row in made.splitlines() if not row.isascii()] == []
    difference = snapshots.difference(name, kind, made)
    if difference:
        pytest.fail(f"{difference}\n{hint}", pytrace=False)


@pytest.mark.parametrize(("name", "kind"), OPENED, ids=["-".join(each) for each in OPENED])
async def test_a_screen_looks_as_it_is_kept(name: str, kind: str) -> None:
    hint = f"If this was meant: python -m tests.snapshots {name}, and look at the diff."
    assert_as_kept(name, kind, await snapshots.snapshot(name, kind), hint)


@pytest.mark.parametrize(("name", "kind"), RESIZED, ids=["-".join(each) for each in RESIZED])
async def test_smaller_step_by_step_it_looks_as_when_it_is_opened(name: str, kind: str) -> None:
    """What is kept was opened in each size; here one screen is made smaller and smaller."""
    hint = (
        f"If python -m tests.snapshots {name} changes no file, the screen keeps something of a larger size."
    )
    assert_as_kept(name, kind, await snapshots.resized(snapshots.SCENES[name], kind), hint)


def test_no_file_is_kept_of_a_scene_that_is_no_more() -> None:
    assert set(snapshots.FOLDER.glob("*")) == snapshots.files()
