"""Where this program keeps what it keeps. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path

RECORDS = "records"


def folder() -> Path:
    """Where the settings file lies."""
    from platformdirs import user_config_path

    return user_config_path("cave-game", appauthor=False)


def data_folder() -> Path:
    """Where keys and games are kept."""
    from platformdirs import user_data_path

    return user_data_path("cave-game", appauthor=False)


def games_folder() -> Path:
    """Where each local game has a folder while it is unfinished."""
    return data_folder() / "games"


def records_folder() -> Path:
    """Where records of games are kept."""
    return data_folder() / RECORDS
