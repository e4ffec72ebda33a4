"""Summaries of records for tests of their list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from cave import record
from client.app.screens.records import RecordsScreen
from client.replay import Summary

SEATS = (record.SeatForm("Ann"), record.SeatForm("Bea"), record.SeatForm("Rookie", "bot", "rookie"))
HEADER = record.Header("cave-record", 1, "the-cave", {"edition": "french"}, SEATS, seed="k")
SCORES = tuple(record.SeatScore(seat, total, seat == 0) for seat, total in enumerate((43, 38, 12)))
PATHS = tuple(Path(f"{name}.jsonl") for name in "abcd")


def summaries() -> dict[Path, Summary]:
    """A finished game, one that stopped early, one without its seed, and a damaged file; newest first."""
    found = (
        Summary(PATHS[0], "2026-01-04 18:22", record.Outline(HEADER, 344, SCORES)),
        Summary(PATHS[1], "2026-01-03 09:05", record.Outline(replace(HEADER, settings={}), 12, ())),
        Summary(PATHS[2], "2026-01-02 23:59", record.Outline(replace(HEADER, seed=None), 7, ())),
        Summary(PATHS[3], "2026-01-01 00:00", problem="line 1: is no JSON."),
    )
    return {summary.path: summary for summary in found}


def choice(found: Mapping[Path, Summary] | None = None, *, glyphs: str = "unicode") -> RecordsScreen:
    """Return the screen for choosing one of these."""
    known = summaries() if found is None else found
    return RecordsScreen(lambda: list(known), known.__getitem__, glyphs=glyphs)
