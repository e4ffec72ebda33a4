"""The face of Basalt; ``client/face.py`` documents the methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from cave.game import Json
from client.face import LogEntry, SheetWords
from client.games.face import GameFace

if TYPE_CHECKING:
    from .lines import BasaltLines
    from .screen import BasaltScreen


class BasaltFace(GameFace):
    """Build columns of basalt on hexes, the higher beside the lower."""

    name = "basalt"
    blurb = "Put columns of basalt on hexes, the higher beside the lower."
    length = "10 minutes"
    brief = "A column brings a point for each one beside it that is as high or lower."
    sheet: ClassVar[SheetWords] = SheetWords({"put": "On the board", "hand": "In the hand"})
    key_heads: ClassVar[Mapping[str, str]] = {"basalt": "Basalt"}

    def log_line(self, index: int, event: Json, view: Any) -> LogEntry | None:
        seat = event.get("seat")
        name = "" if seat is None else view.names[seat]
        match event["type"]:
            case "stood":
                x, y = event["at"]
                words = f"puts a {event['height']} on {x},{y}"
                return LogEntry(index, seat, name, words, f"+{event['points']}", at=(x, y))
            case "drew":
                height = view.cave.players[seat].drawn[event["number"] :][:1]
                return LogEntry(index, seat, name, f"draws a {height[0]}") if any(height) else None
            case "shown":
                hands = zip(view.names, event["hands"], strict=True)
                told = (f"{name} holds {' '.join(map(str, hand))}" for name, hand in hands)
                return LogEntry(index, None, "", ", ".join(told))
        return None

    def turn(self, event: Json) -> int | None:
        return event["seat"] if event["type"] == "began" else None

    def running_turn(self, view: Any) -> int | None:
        return view.cave.seat

    def lines(self) -> type[BasaltLines]:
        from .lines import BasaltLines

        return BasaltLines

    def screen(self) -> type[BasaltScreen]:
        from .screen import BasaltScreen

        return BasaltScreen


FACE = BasaltFace()
