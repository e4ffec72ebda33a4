"""The face of The Caves of Casadh."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from cave.caves_of_casadh.components import components
from cave.caves_of_casadh.game import View
from cave.caves_of_casadh.scoring import treasure_value
from cave.game import Idea, Json
from client.face import SheetWords, Sound
from client.games.caves_of_casadh import log, texts
from client.games.face import GameFace
from client.settings.schema import Setting
from client.table import TableState
from client.wording import count

if TYPE_CHECKING:
    from textual.binding import BindingType

    from client.games.caves_of_casadh.lines import CasadhLines
    from client.games.caves_of_casadh.scene import CasadhScene
    from client.tui.table import TableScreen


class CavesOfCasadhFace(GameFace):
    name = "caves-of-casadh"
    blurb = "Explore winding passages for treasure, and get out alive with the most."
    length = "45 to 70 minutes"
    ratings: ClassVar[Mapping[str, float]] = {"novice": 1000, "rookie": 1230, "guide": 1494, "expert": 1617}
    sheet: ClassVar[SheetWords] = log.SHEET
    sounds: ClassVar[Mapping[str, Sound]] = {
        "rolled": "die",
        "treasure_kept": "find",
        "items_collected": "find",
        "game_over": "end",
    }
    asks: ClassVar[Mapping[str, str]] = {"points": "have {n} points", "out": "be out"}
    falling: ClassVar[Collection[str]] = log.FALLING
    events: ClassVar[Mapping[str, str]] = {"out": "you get out alive"}
    aims: ClassVar[Mapping[str, str]] = {
        "explore": "it is the way to an unexplored exit",
        "collect_treasure": "it is the way to a treasure",
        "leave": "it is the way out",
    }
    never_second: ClassVar[Collection[str]] = ("keep", "place", "give_up")
    settings: ClassVar[Sequence[Setting]] = texts.SETTINGS
    hints: ClassVar[str] = "client.games.caves_of_casadh.guide"
    signs: ClassVar[str] = "client.games.caves_of_casadh.board"
    poster: ClassVar[str] = "client.games.caves_of_casadh.poster"
    key_heads: ClassVar[Mapping[str, str]] = {"casadh": "The Caves of Casadh", "map": "Map"}

    log_line = staticmethod(log.log_line)

    def turn(self, event: Json) -> int | None:
        seat: int | None = event["seat"] if event["type"] == "turn_began" else None
        return seat

    def running_turn(self, view: View) -> int | None:
        return view.cave.seat

    def round_began(self, event: Json, view: View) -> bool:
        """Return whether the first player's turn begins (rule 3.1)."""
        return self.turn(event) == view.cave.first_seat

    def round_number(self, view: View) -> int:
        """Return the round: it ends even if the first player is dead, whose turn then passes (rule 3.2)."""
        return view.cave.round

    help = staticmethod(texts.pages)

    def commands_to_begin(self) -> str:
        return texts.COMMANDS

    def goal(self, view: View) -> Sequence[str]:
        return texts.GOAL

    def goal_line(self, view: View) -> str:
        return texts.IN_SHORT

    remark = staticmethod(log.casadh_tie_words)

    def summary(self, view: View) -> str:
        return count(len(view.cave.map), "hex")

    def scene(self, state: TableState, last: int | None) -> CasadhScene:
        from client.games.caves_of_casadh.scene import scene

        return scene(state, last, self)

    def turns_back(self, scene: CasadhScene, plan: Idea) -> bool:
        """Return whether a plan leads out of the caves."""
        from client.games.caves_of_casadh.guide import leads_out

        return leads_out(scene, *map(self.game.action_from_json, (plan.action, *plan.then)))

    def action_harm(self, scene: CasadhScene, action: Json) -> str:
        """Return the danger that the list of choices shows."""
        return next((each.danger for each in scene.tasks if each.is_for(action)), "")

    def sure_win(self, scene: CasadhScene) -> Json | None:
        from client.games.caves_of_casadh.guide import step_home_for_good

        action = step_home_for_good(scene)
        return None if action is None else self.game.action_json(action)

    def tutor_accepts(self, scene: CasadhScene, action: Json) -> bool:
        """Return whether you go home with a large lead, or leave with more points than the average worth of
        each rival's treasures.
        """
        from cave.caves_of_casadh.outlook import KEPT
        from client.games.caves_of_casadh.guide import is_far_ahead, leads_for_good, leads_out

        if leads_for_good(scene) or is_far_ahead(scene):
            return leads_out(scene, self.game.action_from_json(action))
        held = (len(each.treasures) for each in scene.cave.players if each is not scene.me)
        most = max(components().leave_takes, *held)
        return bool(action["type"] == "leave" and treasure_value(scene.me) > KEPT * most)

    def lines(self) -> type[CasadhLines]:
        from client.games.caves_of_casadh.lines import CasadhLines

        return CasadhLines

    def screen(self) -> type[TableScreen[Any]]:
        from client.games.caves_of_casadh.screen import CasadhScreen

        return CasadhScreen

    def key_places(self) -> Mapping[str, Sequence[BindingType]]:
        from client.games.caves_of_casadh.board import HexMap

        return {name: [*keys, *HexMap.BINDINGS] for name, keys in super().key_places().items()}


FACE = CavesOfCasadhFace()
