"""The file of a position to start from. Loads nothing heavy: the host of the game is not started yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from client.commands.exits import fail


class PositionFile(NamedTuple):
    """A file as it was read: once, because a pipe gives what it holds only once."""

    name: str
    data: bytes


def read(name: str) -> PositionFile:
    """Read a file; ends with a sentence where it cannot be read."""
    try:
        return PositionFile(name, Path(name).read_bytes())
    except OSError as error:
        fail(f"{name}: {(error.strerror or 'cannot be read').lower()}.")


def game_name(file: PositionFile) -> str | None:
    """The game that the position names; None if it names none. Nothing else is checked here."""
    try:
        found = json.loads(file.data)
    except (ValueError, RecursionError):
        return None
    name = found.get("game") if isinstance(found, dict) else None
    return name if isinstance(name, str) else None
