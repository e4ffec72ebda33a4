"""The kept game of the toy, as in ``tests/test_playthroughs.py`` for the built-in games."""

from __future__ import annotations

from cave import record
from tests.playthrough import playthrough, record_file, text, text_file


def test_the_kept_game_is_unchanged() -> None:
    assert record.check_record(record_file("lanterns").read_bytes().splitlines(keepends=True)).matches
    assert text(playthrough("lanterns")) == text_file("lanterns").read_text(encoding="utf-8")
