"""The face of The Cave."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cave.game import Idea, Json
from cave.the_cave.game import View
from client.face import SheetWords, Sound
from client.games.face import GameFace
from client.games.the_cave import log, texts
from client.settings.schema import Setting
from client.table import TableState

if TYPE_CHECKING:
    from textual.binding import BindingType

    from client.games.the_cave.lines import CaveLines
    from client.games.the_cave.scene import CaveScene
    from client.tui.table import TableScreen


class TheCaveFace(GameFace):
    """Teams discover a cave tile by tile, and carry what they need."""

    name = "the-cave"
    blurb = "Discover a cave tile by tile, and be home when it ends."
    length = "45 to 90 minutes"
    ratings: ClassVar[Mapping[str, float]] = {"novice": 1000, "rookie": 1179, "guide": 1468, "expert": 1688}
    sheet: ClassVar[SheetWords] = log.WORDS
    sounds: ClassVar[Mapping[str, Sound]] = {"took": "find", "ended": "end"}
    asks: ClassVar[Mapping[str, str]] = {"points": "have {n} points", "home": "be home"}
    never_second: ClassVar[Collection[str]] = ("discard", "pack")
    events: ClassVar[Mapping[str, str]] = {"home": "you are home in time"}
    aims: ClassVar[Mapping[str, str]] = {
        "discover": "it is the way to an unexplored exit",
        "dive": "it is the way to a dive",
        "photograph": "it is the way to a photo",
    }
    settings: ClassVar[Sequence[Setting]] = texts.SETTINGS
    hints: ClassVar[str] = "client.games.the_cave.guide"
    signs: ClassVar[str] = "client.games.the_cave.cave_map"
    poster: ClassVar[str] = "client.games.the_cave.poster"
    key_heads: ClassVar[Mapping[str, str]] = {"map": "Map", "packing": "Packing, exchanging and discarding"}

    log_line = staticmethod(log.log_line)

    def turn(self, event: Json) -> int | None:
        seat: int | None = event["seat"] if event["type"] == "turn_began" else None
        return seat

    def ends_turn(self, event: Json) -> bool:
        """Return whether a turn ends, also one that a start position began."""
        return bool(event["type"] == "turn_ended")

    def running_turn(self, view: View) -> int | None:
        return None if view.cave.phase == "packing" else view.cave.seat

    def round_began(self, event: Json, view: View) -> bool:
        """Return whether the first team's turn begins (rule 7.2)."""
        return self.turn(event) == view.cave.first_seat

    def before_turns(self, view: View) -> str:
        return "packing"

    def last_rounds(self, view: View) -> bool:
        return view.cave.turns_left is not None

    help = staticmethod(texts.pages)

    def commands_to_begin(self) -> str:
        return texts.COMMANDS

    def goal(self, view: View) -> Sequence[str]:
        return texts.goal(view.cave.settings)

    def goal_line(self, view: View) -> str:
        return texts.goal_line(view.cave.settings)

    remark = staticmethod(log.stranded_line)

    def sheet_of(self, view: View) -> SheetWords:
        return log.sheet_words(view.cave)

    def feats(self, view: View, seat: int) -> Sequence[str]:
        return log.team_feats(view.cave.teams[seat])

    def summary(self, view: View) -> str:
        return log.cave_extent_words(view.cave)

    def remembered(self, action: Json) -> Json | None:
        """Return the last pack, which the next game offers again."""
        from client.games.the_cave.packing import remembered

        return remembered(action)

    def recall(self, memory: Mapping[str, Json]) -> Json:
        """Return the last pack, also in the form of earlier versions."""
        return memory.get(self.name, memory.get("last_pack"))

    def turns_back(self, scene: CaveScene, plan: Idea) -> bool:
        return self.action_reason(scene, plan.action, plan.then) == texts.WAY_HOME

    def action_harm(self, scene: CaveScene, action: Json) -> str:
        from client.games.the_cave.guide import harm

        return harm(scene, self.game.action_from_json(action))

    def tutor_accepts(self, scene: CaveScene, action: Json) -> bool:
        """Return whether it is a kit that the packing screen suggests, or the end of a turn in which you can
        only discard things.
        """
        from cave.the_cave.actions import Form
        from client.games.the_cave.actions import kind_of
        from client.games.the_cave.packing import pack_draft_of, ready_kits

        if action["type"] == "end_turn":
            return {*map(kind_of, scene.choices)} <= {"end_turn", "discard"}
        draft = pack_draft_of(action)
        if draft is None:
            return False
        forms = (each for each in scene.choices if isinstance(each, Form) and each.kind == "pack")
        return any(draft == kit.draft for form in forms for kit in ready_kits(form.limits))

    def scene(self, state: TableState, last: int | None) -> CaveScene:
        from client.games.the_cave.scene import scene

        return scene(state, last, self)

    def lines(self) -> type[CaveLines]:
        from client.games.the_cave.lines import CaveLines

        return CaveLines

    def screen(self) -> type[TableScreen[Any]]:
        from client.games.the_cave.screen import GameScreen

        return GameScreen

    def key_places(self) -> Mapping[str, Sequence[BindingType]]:
        """Return the keys of each place: the map is active together with the screen, forms are exclusive."""
        from client.games.the_cave import packing_screens
        from client.games.the_cave.cave_map import CaveMap
        from client.tui.keymap import bindings_of

        forms = (packing_screens.PackingScreen, packing_screens.ExchangeScreen, packing_screens.DiscardScreen)
        tables = {name: [*keys, *CaveMap.BINDINGS] for name, keys in super().key_places().items()}
        return {**{each.__name__: bindings_of(each) for each in forms}, **tables}


FACE = TheCaveFace()
