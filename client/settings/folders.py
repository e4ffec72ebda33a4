"""Where this program keeps what it keeps, and whether it can. Imports nothing heavy."""

from __future__ import annotations

import os
from pathlib import Path

from cave.files import make_private, reason
from client import system

RECORDS = "records"
ROOM = 8 * 2**20
"""Bytes that a game and its record need at most, and some to spare."""
UNSAVED = "Nothing can be saved in {folder} ({why}): games, records and keys are lost when you quit."
UNRECORDED = "No record can be saved in {folder} ({why}). Move away what is there, or make it writable."


def folder() -> Path:
    """Return where the settings file lies."""
    from platformdirs import user_config_path

    return user_config_path("cave-game", appauthor=False)


def data_folder() -> Path:
    """Return where keys and games are kept."""
    from platformdirs import user_data_path

    return user_data_path("cave-game", appauthor=False)


def games_folder() -> Path:
    """Return where each local game has a folder while it is unfinished."""
    return data_folder() / "games"


def records_folder() -> Path:
    """Return where records of games are kept."""
    return data_folder() / RECORDS


def unwritable(folder: Path) -> str:
    """Return why nothing can be saved in a folder, in a few words; empty where all is well."""
    try:
        make_private(folder)
        room = system.free_space(folder)
    except OSError as error:
        return reason(error, "it cannot be used")
    if not os.access(folder, os.W_OK | os.X_OK):
        return "it cannot be written"
    return "no space left on device" if room < ROOM else ""


def unrecorded() -> str:
    """Return the sentence about a folder of records in which none can be saved; empty where all is well."""
    records = records_folder()
    why = unwritable(records) if os.path.lexists(records) else ""
    return UNRECORDED.format(folder=records, why=why) if why else ""


def unsaved() -> str:
    """Return the sentence about a data folder in which nothing can be saved; empty where all is well."""
    why = unwritable(data_folder())
    return UNSAVED.format(folder=data_folder(), why=why) if why else ""
