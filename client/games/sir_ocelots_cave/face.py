"""The face of Sir Ocelot's Cave."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cave.game import Json
from cave.sir_ocelots_cave.game import View
from cave.sir_ocelots_cave.state import SEATS, TURNS
from client.face import SheetWords, Sound
from client.games.face import GameFace
from client.games.sir_ocelots_cave import log, texts
from client.games.sir_ocelots_cave.terms import LAST_TURNS
from client.settings.schema import Setting
from client.table import TableState

if TYPE_CHECKING:
    from client.games.sir_ocelots_cave.lines import OcelotLines
    from client.games.sir_ocelots_cave.scene import OcelotScene
    from client.tui.table import TableScreen


class SirOcelotsCaveFace(GameFace):
    name = "sir-ocelots-cave"
    blurb = "Lay tools round three caves, and collect the gems that three of them see."
    length = "20 to 30 minutes"
    ratings: ClassVar[Mapping[str, float]] = {"novice": 1000, "rookie": 1360, "guide": 1648, "expert": 1858}
    sheet: ClassVar[SheetWords] = log.SHEET
    sounds: ClassVar[Mapping[str, Sound]] = {"drew": "find", "ended": "end"}
    settings: ClassVar[Sequence[Setting]] = texts.SETTINGS
    never_second: ClassVar[Collection[str]] = ("collect",)
    hints: ClassVar[str] = "client.games.sir_ocelots_cave.guide"
    signs: ClassVar[str] = "client.games.sir_ocelots_cave.board"
    poster: ClassVar[str] = "client.games.sir_ocelots_cave.poster"
    key_heads: ClassVar[Mapping[str, str]] = {"ocelot": "Sir Ocelot's Cave"}

    log_line = staticmethod(log.log_line)

    def turn(self, event: Json) -> int | None:
        seat: int | None = event["seat"] if event["type"] == "turn_began" else None
        return seat

    def running_turn(self, view: View) -> int | None:
        return view.cave.seat

    def turn_shown(self, number: int, start: View) -> int:
        """Return the number of the player's own turn (rule 6.1)."""
        return (TURNS - start.cave.turns_left + number - 1) // SEATS + 1

    def round_began(self, event: Json, view: View) -> bool:
        """Return whether the first player's turn begins (rule 2.3)."""
        return self.turn(event) == view.cave.first_seat

    def last_rounds(self, view: View) -> bool:
        """Return whether the last turns have begun (rule 6.1)."""
        return view.cave.turns_left <= LAST_TURNS

    def last_rounds_words(self) -> str:
        return f"{LAST_TURNS} turns left"

    def sheet_of(self, view: View) -> SheetWords:
        return log.sheet_of(view)

    help = staticmethod(texts.pages)

    def commands_to_begin(self) -> str:
        return texts.COMMANDS

    def gain_shown(self, scene: OcelotScene, action: Json) -> float:
        from client.games.sir_ocelots_cave import guide

        return guide.gain_shown(scene, self.game.action_from_json(action))

    def opens_shown(self, scene: OcelotScene, action: Json) -> float:
        from client.games.sir_ocelots_cave import guide

        return guide.opens_shown(scene, self.game.action_from_json(action))

    def goal(self, view: View) -> Sequence[str]:
        return texts.GOAL

    def goal_line(self, view: View) -> str:
        return texts.AMETHYSTS if any(player.amethysts for player in view.cave.players) else texts.IN_SHORT

    def scene(self, state: TableState, last: int | None) -> OcelotScene:
        from client.games.sir_ocelots_cave.scene import scene

        return scene(state, last, self)

    def lines(self) -> type[OcelotLines]:
        from client.games.sir_ocelots_cave.lines import OcelotLines

        return OcelotLines

    def screen(self) -> type[TableScreen[Any]]:
        from client.games.sir_ocelots_cave.screen import OcelotScreen

        return OcelotScreen


FACE = SirOcelotsCaveFace()
