"""Messages from screens to the app."""

from __future__ import annotations

from textual.message import Message


class SettingChanged(Message):
    """Another value holds for the setting of this name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
