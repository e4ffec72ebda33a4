"""What is remembered between games: a name, the last pack, how things are drawn.

One small JSON file in the user's configuration folder. A file that is broken, or a folder that can
not be written, is no reason to stop: the settings are then the usual ones, or kept for this run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import attrs

from cave.game import BadData, Json
from client.looks import THEMES

Glyphs = Literal["auto", "unicode", "ascii"]
GLYPHS: tuple[Glyphs, ...] = ("auto", "unicode", "ascii")
FILE = "settings.json"


@attrs.frozen
class Settings:
    """The remembered choices; ``last_pack`` is a pack action, or None before the first one."""

    name: str = ""
    glyphs: Glyphs = "auto"
    theme: str = "auto"
    address: str = ""
    last_pack: Json = None


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
    return data_folder() / "records"


def load(path: Path | None = None) -> Settings:
    """The settings of the file, or the usual ones where it can not be read.

    A value of the wrong kind is left out and the others are kept.
    """
    from cave import codec

    try:
        data = codec.decode(((path or folder()) / FILE).read_bytes())
    except (OSError, BadData):
        return Settings()
    if not isinstance(data, dict):
        return Settings()
    texts = {
        name: data[name][:200]
        for name in ("name", "address")
        if isinstance(data.get(name), str) and data[name].isprintable()
    }
    if data.get("glyphs") in GLYPHS:
        texts["glyphs"] = data["glyphs"]
    if data.get("theme") in THEMES:
        texts["theme"] = data["theme"]
    pack = data.get("last_pack")
    return Settings(**texts, last_pack=pack if isinstance(pack, dict) else None)


def save(settings: Settings, path: Path | None = None) -> bool:
    """Write the file as a whole; False where that is not possible (a read-only folder)."""
    from cave import codec

    target = path or folder()
    scratch = target / f"{FILE}.{os.getpid()}"
    try:
        target.mkdir(parents=True, exist_ok=True)
        scratch.write_bytes(codec.encode(attrs.asdict(settings)) + b"\n")
        scratch.replace(target / FILE)
    except OSError:
        scratch.unlink(missing_ok=True) if os.access(target, os.W_OK) else None
        return False
    return True
