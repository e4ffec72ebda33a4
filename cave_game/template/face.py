"""The face of Lanterns; see ``client/face.py`` for each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from cave.game import Json
from client.face import LogEntry, SheetWords
from client.games.face import GameFace
from client.present.scene import Scene


class LanternFace(GameFace):
    """Light the brightest lantern, and win the gem."""

    name = "lanterns"
    blurb = "Light the brightest lantern, and win the gem."
    length = "5 minutes"
    brief = "All choose a lantern in secret. The brightest one wins the gem."
    sheet: ClassVar[SheetWords] = SheetWords({"gems": "Gems"})

    def board(self, scene: Scene) -> Sequence[str]:
        view = scene.view
        scores = [f"{view.names[score.seat]} has {score.total:g}." for score in view.standing]
        return [*scores, *(f"The gem brings {gem}." for gem in view.cave.gems[:1])]

    def action_words(self, scene: Any, action: Json) -> str:
        return f"light your lantern of brightness {action['lantern']}"

    def log_line(self, index: int, event: Json, view: Any) -> LogEntry | None:
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


FACE = LanternFace()
