"""Lanterns as the client knows it beside its rules; what each method is for stands in ``client/face.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from cave.game import Json
from client.face import LogEntry, Page, SheetWords
from client.games.face import GameFace

if TYPE_CHECKING:
    from .lines import LanternLines
    from .rules import View
    from .screen import LanternReplay, LanternScreen


class LanternFace(GameFace):
    """Light the brightest lantern, and win the gem."""

    name = "lanterns"
    blurb = "Light the brightest lantern, and win the gem."
    length = "5 minutes"
    sheet: ClassVar[SheetWords] = SheetWords({"gems": "Gems"})
    key_heads: ClassVar[Mapping[str, str]] = {"lanterns": "Lanterns"}

    def log_line(self, index: int, event: Json, view: View) -> LogEntry | None:
        match event["type"]:
            case "chose":
                return LogEntry(index, event["seat"], view.names[event["seat"]], "has chosen")
            case "shown":
                lit = zip(view.names, event["lit"], strict=True)
                return LogEntry(index, None, "", ", ".join(f"{name} lights {each}" for name, each in lit))
            case "won":
                name = view.names[event["seat"]]
                return LogEntry(index, event["seat"], name, "wins the gem", f"+{event['points']:g}")
            case _:
                return LogEntry(index, None, "", f"a gem of {event['gem']} is found")

    def turn(self, event: Json) -> int | None:
        return None

    def running_turn(self, view: View) -> int | None:
        return None

    def help(self, glyphs: str) -> Mapping[str, Page]:
        text = "All choose a lantern in secret. The brightest one wins the gem.\n"
        return {"brief": Page("Brief", text), "how": Page("How", text), "keys": Page("Keys", "")}

    def lines(self) -> type[LanternLines]:
        from .lines import LanternLines

        return LanternLines

    def screen(self) -> type[LanternScreen]:
        from .screen import LanternScreen

        return LanternScreen

    def replay_screen(self) -> type[LanternReplay]:
        from .screen import LanternReplay

        return LanternReplay


FACE = LanternFace()
