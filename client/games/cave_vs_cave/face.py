"""The face of Cave vs Cave."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.game import View
from cave.game import Json
from client.face import PIECES, SheetWords, Sound
from client.games.cave_vs_cave import log, texts
from client.games.face import GameFace
from client.settings.schema import Setting
from client.table import TableState

if TYPE_CHECKING:
    from client.games.cave_vs_cave.lines import VersusLines
    from client.games.cave_vs_cave.scene import VersusScene
    from client.tui.table import TableScreen


class CaveVsCaveFace(GameFace):
    name = "cave-vs-cave"
    blurb = "Dig out a cave of your own and furnish it, against another cave or alone."
    length = "30 to 90 minutes"
    ratings: ClassVar[Mapping[str, float]] = {"novice": 1000, "rookie": 1173, "guide": 1414, "expert": 1649}
    sheet: ClassVar[SheetWords] = log.SHEET
    sounds: ClassVar[Mapping[str, Sound]] = {"excavated": "find", "cavern_taken": "find", "over": "end"}
    settings: ClassVar[Sequence[Setting]] = texts.SETTINGS
    pieces: ClassVar[Mapping[str, str]] = {"tile": "the tile {}", **PIECES}
    hints: ClassVar[str] = "client.games.cave_vs_cave.guide"
    signs: ClassVar[str] = "client.games.cave_vs_cave.board"
    poster: ClassVar[str] = "client.games.cave_vs_cave.poster"
    never_second: ClassVar[Collection[str]] = ("end_turn",)
    key_heads: ClassVar[Mapping[str, str]] = {"versus": "Cave vs Cave"}

    log_line = staticmethod(log.log_line)

    def turn(self, event: Json) -> int | None:
        """Return the seat whose turn begins: when it takes a tile, or draws in the draft."""
        seat: int | None = event["seat"] if event["type"] in ("took", "drawn") else None
        return seat

    def ends_turn(self, event: Json) -> bool:
        """Return whether a turn or the draft has ended: the next turn begins when a tile is taken."""
        return bool(event["type"] in ("turn_ended", "era_began"))

    def running_turn(self, view: View) -> int | None:
        return None if view.cave.phase == "take" else view.cave.seat

    def round_number(self, view: View) -> int:
        cave = view.cave
        second = cave.era == 2 and cave.settings.edition == "era-1-2"
        return max(1, cave.round) + (len(components().turns[1, cave.alone]) if second else 0)

    def round_runs(self, view: View) -> bool:
        return view.cave.round > 0

    help = staticmethod(texts.pages)

    def commands_to_begin(self) -> str:
        return texts.COMMANDS

    goal = staticmethod(log.winner_words)
    goal_line = staticmethod(log.goal_line)
    aim = staticmethod(log.solo_goal_line)
    sheet_of = staticmethod(log.sheet_of)

    def scene(self, state: TableState, last: int | None) -> VersusScene:
        from client.games.cave_vs_cave.scene import scene

        return scene(state, last, self)

    def tutor_accepts(self, scene: VersusScene, action: Json) -> bool:
        """Return whether an action collects goods, or ends a turn in which you can only make food, as always."""
        return action["type"] == "collect" or (
            action["type"] == "end_turn" and scene.kinds.keys() <= {"end_turn", "anytime"}
        )

    def lines(self) -> type[VersusLines]:
        from client.games.cave_vs_cave.lines import VersusLines

        return VersusLines

    def screen(self) -> type[TableScreen[Any]]:
        from client.games.cave_vs_cave.screen import VersusScreen

        return VersusScreen


FACE = CaveVsCaveFace()
