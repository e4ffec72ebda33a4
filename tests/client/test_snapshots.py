"""Every screen as it is kept, in all sizes, glyphs and themes."""

from __future__ import annotations

import pytest

from tests import snapshots

EVERY = [(name, kind) for name, scene in snapshots.SCENES.items() for kind in snapshots.kinds(scene)]


@pytest.mark.parametrize(("name", "kind"), EVERY, ids=["-".join(each) for each in EVERY])
async def test_a_screen_looks_as_it_is_kept(name: str, kind: str) -> None:
    made = await snapshots.snapshot(name, kind)
    if kind == "ascii":
        assert [row for row in made.splitlines() if not row.isascii()] == []
    difference = snapshots.difference(name, kind, made)
    if difference:
        hint = f"If this was meant: python -m tests.snapshots {name}, and look at the diff."
        pytest.fail(f"{difference}\n{hint}", pytrace=False)


def test_no_file_is_kept_of_a_scene_that_is_no_more() -> None:
    assert set(snapshots.FOLDER.glob("*")) == snapshots.files()
