"""The goldens of every screen, in all glyphs, in some sizes and themes, or resized to each size."""

from __future__ import annotations

from collections import Counter

import pytest

from tests import snapshots
from tests.client.scenes import LISTS, TABLES

EVERY = [(name, kind) for name, scene in snapshots.SCENES.items() for kind in snapshots.kinds(scene)]
WHERE_IT_WAS = {"jump", "placing", "replay-turns", "settings"}
"""Jump letters, the corner of the inset and scroll offsets stay as the window changes."""
BEHIND_A_BOX = {"actions", "chat", "keys-new", "moves"}
"""The screen behind a box is laid out a moment later, by its own timer."""
RESIZED = [(name, kind) for name, kind in EVERY if kind == "ascii" and name not in WHERE_IT_WAS | BEHIND_A_BOX]
OPENED = [each for each in EVERY if each not in RESIZED]


def assert_as_kept(name: str, kind: str, made: str, hint: str, part: snapshots.Part | None = None) -> None:
    if kind == "ascii":
        assert [row for row in made.splitlines() if not row.isascii()] == []
    difference = snapshots.difference(name, kind, made, part)
    if difference:
        pytest.fail(f"{difference}\n{hint}", pytrace=False)


@pytest.mark.parametrize(("name", "kind"), OPENED, ids=["-".join(each) for each in OPENED])
async def test_a_screen_equals_its_golden(name: str, kind: str) -> None:
    hint = f"If this was meant: python -m tests.snapshots {name}, and look at the diff."
    part = snapshots.sample(name, kind)
    assert_as_kept(name, kind, await snapshots.snapshot(name, kind, part), hint, part)


@pytest.mark.parametrize(("name", "kind"), RESIZED, ids=["-".join(each) for each in RESIZED])
async def test_shrinking_step_by_step_equals_opening_at_that_size(name: str, kind: str) -> None:
    """The goldens were opened in each size; here one screen shrinks step by step."""
    hint = f"If python -m tests.snapshots {name} changes no file, the screen keeps something of a larger size."
    part = snapshots.sample(name, kind)
    assert_as_kept(name, kind, await snapshots.resized(snapshots.SCENES[name], kind, part), hint, part)


def test_goldens_are_read_as_they_were_written() -> None:
    """The chosen looks and sizes are found in the files, and the others are left out."""
    for name, kind in EVERY:
        whole = snapshots.whole(snapshots.SCENES[name], kind)
        assert snapshots.kept(name, kind, whole) == snapshots.kept(name, kind), (name, kind)
        last = whole[-1]
        head = "=== {}x{}".format(*(snapshots.STYLED if kind == snapshots.STYLES else last))
        heads = [line for line in snapshots.kept(name, kind, [last]).splitlines() if line.startswith("=== ")]
        assert heads == [head, *["=== styles"] * (kind == snapshots.STYLES)], (name, kind)


def test_each_look_and_each_size_is_seen_many_times() -> None:
    looks = Counter(look for name, kind in OPENED if kind == "styles" for look in snapshots.sample(name, kind))
    assert set(looks) == set(snapshots.LOOKS)
    assert min(looks.values()) >= 10, looks
    for size in (*LISTS, *TABLES):
        for glyphs in snapshots.GLYPHS:
            count = sum(size in snapshots.sample(name, kind) for name, kind in EVERY if kind == glyphs)
            assert count >= 3, (size, glyphs)


def test_there_is_no_golden_of_a_removed_scene() -> None:
    assert set(snapshots.FOLDER.glob("*")) == snapshots.files()
