"""The pictures in the README are up to date."""

from __future__ import annotations

import sys

import pytest

from tests import screenshots


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the pictures are made with Python 3.11")
@pytest.mark.parametrize("name", screenshots.PICTURES)
async def test_a_picture_is_up_to_date(name: str) -> None:
    """If this fails after an intended change: ``make screenshots``, and look at the result."""
    kept = (screenshots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    # Compared outside of assert: diffing two pictures takes long.
    up_to_date = await screenshots.picture(name) == kept
    assert up_to_date


def test_every_picture_is_kept_as_png_too() -> None:
    assert {file.stem for file in screenshots.FOLDER.glob("*.png")} == set(screenshots.PICTURES)
