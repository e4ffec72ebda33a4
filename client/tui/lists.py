"""The log as a list to choose from, at a table and in a replay."""

from __future__ import annotations

from collections.abc import Sequence

from client.face import LETTERS, Face, LogEntry
from client.present.log import entries
from client.present.scene import Scene
from client.table import LogLine
from client.tui.screens.chooser import Entry


def log_entries(face: Face, scene: Scene) -> tuple[list[Entry], int]:
    """Return the whole log, and the index of the first line since the shown seat's last turn."""
    found = entries(face.log_line, scene.state.log, scene.view)
    start = next((number for number, entry in enumerate(found) if entry.index >= scene.since), len(found))
    made = [
        Entry(_words(entry), entry.at or "", gain=entry.gain, role="text" if number >= start else "dim")
        for number, entry in enumerate(found)
    ]
    if 0 < start < len(made):
        made.insert(start, Entry("--- since your last turn ---", None, enabled=False))
    return made, start


def step_entries(found: Sequence[LogEntry], log: Sequence[LogLine], step: int) -> tuple[list[Entry], int]:
    """Return the log of a replay, each line giving its step, and the index of the last line that has
    happened at ``step``; those to come are dim.
    """
    steps = [log[entry.index].seq for entry in found]
    made = [
        Entry(_words(entry), at, gain=entry.gain, role="text" if at <= step else "dim")
        for entry, at in zip(found, steps, strict=True)
    ]
    return made, max(0, sum(at <= step for at in steps) - 1)


def _words(entry: LogEntry) -> str:
    who = f"{LETTERS[entry.seat]} {entry.actor} " if entry.seat is not None and entry.actor else ""
    return f"{who}{entry.text}"
