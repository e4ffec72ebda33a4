"""The Cave, as the client knows it beside its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cave.game import Json
from cave.score import Score
from cave.the_cave.view import View
from client.face import LogEntry, Page, SheetWords
from client.games.face import GameFace
from client.games.the_cave.said import help as pages
from client.games.the_cave.said import log, result, settings
from client.settings.schema import Setting
from client.table import TableState

if TYPE_CHECKING:
    from textual.binding import BindingType

    from client.games.the_cave.known.scene import CaveScene
    from client.games.the_cave.said.lines.table import CaveLines
    from client.tui.table import TableScreen


class TheCaveFace(GameFace):
    """Teams discover a cave tile by tile, and carry what they need."""

    name = "the-cave"
    blurb = "Discover a cave tile by tile, and be home when it ends."
    length = "45 to 90 minutes"
    sheet: ClassVar[SheetWords] = result.WORDS
    settings: ClassVar[Sequence[Setting]] = settings.SETTINGS
    key_heads: ClassVar[Mapping[str, str]] = {
        "map": "Map",
        "packing": "Packing",
        "exchange": "Exchanging and discarding",
        "alarm": "The end is near",
    }

    def log_line(self, index: int, event: Json, view: View) -> LogEntry | None:
        """The sentence of an event."""
        return log.log_line(index, event, view)

    def turn(self, event: Json) -> int | None:
        """The team whose turn begins."""
        seat: int | None = event["seat"] if event["type"] == "turn_began" else None
        return seat

    def running_turn(self, view: View) -> int | None:
        """The team whose turn it is; packing is no turn."""
        return None if view.cave.phase == "packing" else view.cave.seat

    def round_began(self, event: Json, view: View) -> bool:
        """Whether it is the first team's turn that begins (rule 7.2)."""
        return self.turn(event) == view.cave.first_seat

    def before_turns(self, view: View) -> str:
        """Packing comes before the first turn."""
        return "packing"

    def last_rounds(self, view: View) -> bool:
        """Whether the last rounds have begun (rules 7.1 and 7.2)."""
        return view.cave.turns_left is not None

    def help(self, glyphs: str) -> Mapping[str, Page]:
        """Its pages."""
        return pages.pages(glyphs)

    def commands_to_begin(self) -> str:
        """Commands of the line mode to begin with."""
        return pages.COMMANDS

    def goal(self, view: View) -> Sequence[str]:
        """Return what wins and what loses."""
        return pages.goal(view.cave.settings)

    def remark(self, scores: Sequence[Score], names: Sequence[str]) -> str:
        """Who was not home in time (rule 7.3)."""
        return result.stranded_line(scores, names)

    def summary(self, view: View) -> str:
        """How large the cave became."""
        return result.extent(view.cave)

    def remembered(self, action: Json) -> Json | None:
        """The last pack is offered again in the next game."""
        from client.games.the_cave.known.packing import remembered

        return remembered(action)

    def recall(self, memory: Mapping[str, Json]) -> Json:
        """The last pack, also as earlier versions kept it."""
        return memory.get(self.name, memory.get("last_pack"))

    def scene(self, state: TableState, last: int | None) -> CaveScene:
        """Return the table as the shown team sees it."""
        from client.games.the_cave.known.scene import scene

        return scene(state, last)

    def action_words(self, scene: Any, action: Json) -> str:
        """Say what an action is; for hints."""
        from client.games.the_cave.said import hints

        return hints.words(scene, self.game.action_from_json(action))

    def action_reason(self, scene: Any, action: Json, then: Sequence[Json] = ()) -> str:
        """Say what speaks for it."""
        from client.games.the_cave.said import hints

        read = self.game.action_from_json
        return hints.reason(scene, read(action), [read(each) for each in then])

    def lines(self) -> type[CaveLines]:
        """The line mode."""
        from client.games.the_cave.said.lines.table import CaveLines

        return CaveLines

    def screen(self) -> type[TableScreen[Any]]:
        """The screen."""
        from client.games.the_cave.screen.game import GameScreen

        return GameScreen

    def replay_screen(self) -> type[TableScreen[Any]]:
        """The screen of a replay."""
        from client.games.the_cave.screen.replay import ReplayScreen

        return ReplayScreen

    def key_places(self) -> Mapping[str, Sequence[BindingType]]:
        """The map listens beside the screen; forms listen alone."""
        from client.games.the_cave.board.cave_map import CaveMap
        from client.games.the_cave.forms import alarm, exchange, packing
        from client.tui.keymap import bindings_of

        forms = (packing.PackingScreen, exchange.ExchangeScreen, exchange.DiscardScreen, alarm.AlarmScreen)
        tables = {name: [*keys, *CaveMap.BINDINGS] for name, keys in super().key_places().items()}
        return {**{each.__name__: bindings_of(each) for each in forms}, **tables}


FACE = TheCaveFace()
