"""The settings file: kept whole, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.settings import FILE, Settings, load, save

PACK = {"type": "pack", "backpack": {"consumable": 4}, "camp": None}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    kept = Settings(name="Ann", glyphs="ascii", theme="cave-light", address="host:1", last_pack=PACK)
    assert save(kept, tmp_path / "new" / "folder")
    assert load(tmp_path / "new" / "folder") == kept
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == [FILE]


def test_no_file_gives_the_usual_settings(tmp_path: Path) -> None:
    assert load(tmp_path / "nothing") == Settings()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b'"name"'])
def test_a_broken_file_gives_the_usual_settings(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)
    assert load(tmp_path) == Settings()


def test_values_of_a_wrong_kind_are_left_out_and_the_others_kept(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '{"name": 3, "glyphs": "emoji", "theme": [], "address": "here", "last_pack": "x", "more": 1}'
    )
    assert load(tmp_path) == Settings(address="here")


def test_a_name_with_escapes_is_left_out(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"name": "\\u001b[2J"}')
    assert load(tmp_path).name == ""


def test_a_folder_that_can_not_be_written_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(Settings(name="Ann"), tmp_path / "file" / "folder")
    (tmp_path / FILE).mkdir()
    assert not save(Settings(name="Ann"), tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(FILE)] == [FILE]
