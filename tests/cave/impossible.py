"""Positions that a game refuses, from the file ``impossible.txt``.

A line such as ``turn.mp: turn.mp = 5; -turn.seat`` has the field of the refusal (``ok`` if there is none) and
the changes of its section's position: a value as JSON, or a field to delete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cave.game import AnyGame, Json
from tests.cave import conformance as kit


def changed(position: Json, changes: str) -> Json:
    """Return the position after the changes. A place beyond the end of a list appends to it."""
    data = kit.through_text(position)
    for change in filter(None, changes.split("; ")):
        path, _, value = change.partition(" = ")
        *way, last = [int(part) if part.isdigit() else part for part in re.findall(r"\w+", path)]
        holder = data
        for part in way:
            holder = holder[part]
        if change.startswith("-"):
            del holder[last]
        elif last == len(holder) and isinstance(holder, list):
            holder.append(json.loads(value))
        else:
            holder[last] = json.loads(value)
    return data


def cases(test: str, starts: Mapping[str, Json]) -> Iterator[object]:
    """Yield the position, the changes and the field of each line of ``impossible.txt`` beside the test."""
    start = None
    for line in Path(test).with_name("impossible.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            start = starts[line.strip("[]")]
        elif line and not line.startswith("#"):
            field, _, changes = line.partition(":")
            yield pytest.param(start, changes.strip(), None if field == "ok" else field, id=line)


def check(game: AnyGame, start: Json, changes: str, field: str | None) -> None:
    assert kit.problem(game, changed(start, changes)) == field
