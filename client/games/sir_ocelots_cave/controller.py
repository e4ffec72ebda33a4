"""The controller of Sir Ocelot's Cave: the actions of keys, clicks and palette entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, ClassVar

from cave.codec import Place, to_json
from cave.game import Json
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import BIT, CAVE, LEVELS, RAYS, RIM, TOOLS, Squares, Tool
from cave.sir_ocelots_cave.scoring import amethyst_means
from cave.sir_ocelots_cave.state import collectable_gems
from client.games.sir_ocelots_cave import guide, here, previews, terms, texts
from client.games.sir_ocelots_cave.player_rows import ocelot_player_rows
from client.games.sir_ocelots_cave.previews import HandPreview, gems_on, placements_that_bring
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.tui.board.geometry import next_place
from client.tui.command_palette import Command
from client.tui.controller import Controller, Do
from client.tui.table import TableScreen
from client.wording import joined, without_rule

NO_TOOL = "You have no {tool} left."
TOOL_LAID = "Your tool is laid: {enter} collects the gems marked +."
NONE_BRINGS = "No tool of yours collects anything now."
READY = "Lay a tool anywhere: then you can collect {gems}."
OTHER_TOOL = "Chosen now: the {tool}, which collects something here."
BEST = "Place {number} of {many}, {first} first{geodes}. {key}: the next."
MOST_POINTS = "most points"
GEODES = " (geodes of level {})"
GEODE = "{level}: about {mean:.0f}"
COMPANION_MUST_COME = "You have no tools left, so your companion has to come: {m} shows where, {enter} brings it."
HOW = {
    "tool": "{{enter}} on {at} lays it.",
    "companion": "{{enter}} on {at} brings it.",
    "advance": "{{enter}} on {at} sends it.",
    "collect": "{{enter}} collects.",
}
NO_GEM = "Point at a gem marked + or -: {tab} goes to the next."

PLAYING = frozenset({"enter", "undo", "reset"})
OF_A_TURN = frozenset({"tool", "turn_over", "bringing", "way", "toggle", "all", "cover", "undo", "reset"})
START: Place = (9, 4)  # initial place of the cursor: the rim space that looks in all directions


class OcelotController(Controller[OcelotScene]):
    nothing_to_undo: ClassVar[str] = guide.NOTHING_TO_UNDO
    secrets: ClassVar[str] = "amethysts"
    plays_covered: ClassVar[bool] = True

    def __init__(self, screen: TableScreen[OcelotScene]) -> None:
        super().__init__(screen, guide.newcomer_guide())
        self.cursor: Place = START
        self.left_out: frozenset[Place] = frozenset()
        self._hands: dict[int, HandPreview] = {}
        self._asked: Tool | None = None  # the tool that the player chose in this turn
        self._brought: Place | None = None  # where the best tools were last shown
        self._drawn = ""  # what the last amethyst adds, until the player's next turn ends
        self._warned: Action | None = None  # repeating this placement confirms it

    @property
    def tool_in_hand(self) -> HandPreview | None:
        return previews.keep_tool_in_hand(self.scene.cave, self.scene.seat, self._hands.get(self.scene.seat))

    def prepare_new_scene(self, before: OcelotScene, *, first: bool) -> None:
        if self.scene.collectable != before.collectable:
            self.left_out = frozenset()
        if self.scene.me.pieces_left != before.me.pieces_left:
            self._drawn = ""
        super().prepare_new_scene(before, first=first)

    def after_scene_shown(self, before: OcelotScene) -> None:
        """Say what an amethyst is worth that the only player of this keyboard has drawn."""
        super().after_scene_shown(before)
        now = self.scene
        if now.cave.tools != before.cave.tools:
            self._asked = None
        alone, had = not (now.name_needed or now.over or self.replay), len(before.me.amethysts)
        if alone and len(now.me.amethysts) > had:
            adds = [stone.points_words for stone in ocelot_player_rows(now)[now.seat].stones[had:]]
            self._drawn = f"Your new amethyst{'s add' if len(adds) > 1 else ' adds'} {joined(adds)}."
            self.say(self._drawn, "text")

    def message_when_idle(self) -> str:
        if self.scene.companion_must_come:
            return self._must_come()
        drawn = self._drawn if self.scene.state.lesson is None and not self.scene.over else ""
        return self.advising.hint or drawn or super().message_when_idle()

    def _must_come(self) -> str:
        return self.screen.with_own_keys(COMPANION_MUST_COME)

    # Actions

    def doings(self) -> Mapping[str, Do]:
        return {
            **super().doings(),
            "enter": self._enter,
            "tool": self._take,
            "turn_over": self._turn_over,
            "next": self._look_at_next_place,
            "bringing": self._show_next_bringing_place,
            "way": self._show_next_companion_square,
            "toggle": self._toggle,
            "all": self._take_all_gems,
            "go": self._move_cursor,
        }

    def plays(self, word: str) -> bool:
        return word in PLAYING

    def word_has_no_effect(self, word: str) -> bool:
        return word in OF_A_TURN and self.scene.over

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.asking.show_score()
        elif now.mode == "collecting":
            self._send_action(Collect(tuple(at for at in now.collectable if at not in self.left_out)))
        elif now.mode != "acting":
            self.say(self.why_not_now("enter"))
        elif self.cursor in RAYS:
            held = self.tool_in_hand
            if held is None:
                self.say(self._must_come())  # Without tools only the companion can be placed (rule 3.4).
            else:
                self._place(held.placement_at(self.cursor))
        elif now.me.companion is None:
            self._place(PlaceCompanion(self.cursor))
        else:
            self._place(Advance(self.cursor))

    def _place(self, action: Action) -> None:
        now = self.scene
        why = now.state.game.refusal(now.cave, now.seat, action)
        if why is not None:
            self.say(without_rule(why.message))
            return
        warned = action == self._warned or self.is_hinted(action)
        wished = self.setting_value(texts.SLIP) and not warned and now.state.lesson is None
        found = previews.probable_slip(now.cave, now.view.names, now.seat, action) if wished else None
        if found is not None:
            does = "lays" if isinstance(action, LayTool) else "brings"
            where = "{n} shows where, " if found.others else ""
            self.say(self.screen.with_own_keys(f"{found.words}: {where}{{enter}} again {does} it."))
            self._warned = action
        elif self.setting_value(texts.PLACE):
            act = partial(self._send_action, action, sure=warned)
            self.ask_first(to_json(action), guide.CONFIRM_PLACE, "Place it", "Go on", act, sure=True)
        else:
            self._send_action(action, sure=warned)

    def say(self, text: str, role: str = "warn") -> None:
        """Show a message. A warning about a slip is valid as long as it is visible."""
        self._warned = None
        super().say(text, role)

    def _send_action(self, action: Action, *, sure: bool = False) -> None:
        self.send(self.scene.seat, to_json(action), sure=sure)

    # The tool in hand

    def _take(self, tool: str) -> None:
        now = self.scene
        name: Tool = next(each for each in TOOLS if each == tool)
        found = previews.take_tool_in_hand(now.cave, now.seat, name, self.tool_in_hand)
        if found is None:
            self.say(NO_TOOL.format(tool=name))
        else:
            self._hold(found)

    def _turn_over(self) -> None:
        held = self.tool_in_hand
        if held is not None:
            self._hold(previews.turn_tool_in_hand(held))

    def _hold(self, held: HandPreview) -> None:
        self._hands[self.scene.seat] = held
        self._asked = held.tool
        self.say("")
        self.screen.paint()

    # Gems to collect

    def _toggle(self, place: str = "") -> None:
        now = self.scene
        at = self.cursor
        if place:
            x, _, y = place.partition(",")
            at = (int(x), int(y))
        if at not in now.collectable:
            self.say(self.screen.with_own_keys(NO_GEM) if now.mode == "collecting" else self.why_not_now("toggle"))
            return
        self.left_out = self.left_out ^ {at}
        self.point_at(at)

    def _take_all_gems(self) -> None:
        now = self.scene
        if now.mode == "collecting":
            self.left_out = frozenset() if self.left_out else frozenset(now.collectable)
            self.screen.paint()
        else:
            self.say(self.why_not_now("all"))

    # Looking around

    def point_at(self, at: Any) -> None:
        """Move the cursor to a place; a malicious host may send one outside the board."""
        if at not in BIT and at not in RAYS:
            return
        self.cursor = at
        self.say("")
        self.screen.paint()

    def point_out(self, action: Json) -> str:
        meant = self.scene.state.game.action_from_json(action)
        match meant:
            case LayTool(kind, side, at):
                self._hands[self.scene.seat] = HandPreview(side, kind)
                self.point_at(at)
            case PlaceCompanion(at) | Advance(at):
                self.point_at(at)
            case Collect(gems):
                self.left_out = frozenset(self.scene.collectable) - {*gems}
                self.screen.paint()
        return HOW[meant.type].format(at=terms.board_place_words(self.cursor))

    def would_do(self, action: Json) -> bool:
        held = self.tool_in_hand
        return held is None or action.get("side", held.tool) == held.tool

    def jump_places(self) -> Iterator[Place]:
        now = self.scene
        yield from now.collectable or (*now.ways, *now.free_rim_places)

    def _move_cursor(self, by: str) -> None:
        x, y = (int(each) for each in by.split(","))
        self.point_at(previews.board_place_beside(self.cursor, (x, y)))

    def _look_at_next_place(self, by: str) -> None:
        now = self.scene
        self._cycle(now.collectable if now.mode == "collecting" else now.free_rim_places or RIM, int(by))

    def _show_next_bringing_place(self) -> None:
        now = self.scene
        if now.mode == "collecting":
            self.say(self.screen.with_own_keys(TOOL_LAID), "text")
            return
        found = placements_that_bring(now.cave, now.seat)
        if not found:
            ready = gems_on(now.cave, collectable_gems(now.cave, now.seat))
            self.say(READY.format(gems=terms.gems_words(ready)) if ready else NONE_BRINGS, "text")
            return
        best: dict[Place, HandPreview] = {}
        for trial in sorted(found, key=lambda trial: trial.tool != (self._asked or trial.tool)):
            best.setdefault(trial.at, HandPreview(trial.tool, trial.kinds[0]))
        at, held = self._next_best(tuple(best)), self.tool_in_hand
        self._hands[now.seat] = best[at]
        other = held is not None and held.tool != best[at].tool
        first = f"your {self._asked}" if self._asked else MOST_POINTS
        takes = reduce(or_, (trial.takes for trial in found))
        self._show_best(
            at, tuple(best), takes, "n", OTHER_TOOL.format(tool=best[at].tool) if other else "", first=first
        )

    def _show_next_companion_square(self) -> None:
        best = previews.best_first(self.scene.cave, self.scene.ways)
        if best:
            takes = reduce(or_, (previews.companion_visit(self.scene.cave, at).takes for at in best))
            self._show_best(self._next_best(best), best, takes, "m")
        else:
            mine = self.scene.mode in ("acting", "collecting")
            self.say(here.why_companion_stays(self.scene) if mine else self.why_not_now("way"))

    def _next_best(self, places: Sequence[Place]) -> Place:
        """Choose the best place, or the next one if the best or the last chosen has the cursor."""
        goes_on = self.cursor in places and self.cursor in (self._brought, places[0])
        self._brought = places[(places.index(self.cursor) + 1) % len(places)] if goes_on else places[0]
        return self._brought

    def _show_best(
        self, at: Place, places: Sequence[Place], of: Squares, key: str, message: str = "", *, first: str = MOST_POINTS
    ) -> None:
        self.point_at(at)
        if len(places) > 1:
            number = places.index(at) + 1
            message += " " * bool(message)
            cave = self.scene.cave
            worth = zip(LEVELS, amethyst_means(cave).values(), strict=True)
            told = [GEODE.format(level=level, mean=mean) for level, mean in worth if of & cave.gems[-1] & CAVE[level]]
            geodes = GEODES.format(", ".join(told)) * bool(told)
            message += BEST.format(number=number, many=len(places), first=first, geodes=geodes, key=f"{{{key}}}")
        if message:
            self.say(self.screen.with_own_keys(message), "text")

    def _cycle(self, places: Sequence[Place], by: int) -> None:
        if places:
            self.point_at(next_place(places, self.cursor, by))

    def click(self, at: Place, *, again: bool) -> None:
        """Point at a place, or act there on a second click; while collecting, select or unselect a gem."""
        if at in self.scene.collectable:
            self._toggle(terms.board_place_words(at))
        elif again and self.scene.mode == "acting":
            self.do("enter")
        else:
            self.point_at(at)

    # The palette and the help

    def palette_players(self) -> Iterator[Command]:
        now = self.scene
        for name, player in zip(now.view.names, now.cave.players, strict=True):
            if player.companion is not None:
                label = f"Show the companion of {name}"
                yield Command(label, "move the cursor there", partial(self.point_at, player.companion))

    def palette_places(self, query: str) -> Iterator[Command]:
        x, _, y = query.casefold().removeprefix("go to ").partition(",")
        if x.strip().isdecimal() and y.strip().isdecimal():
            at = (int(x[:4]), int(y[:4]))
            if at in BIT or at in RAYS:
                yield Command(
                    f"Go to {terms.board_place_words(at)}", terms.gem_place_words(at), partial(self.point_at, at)
                )

    def rules_at_cursor(self) -> Sequence[str]:
        if self.scene.mode == "collecting":
            return ("3.5", "4.1", "5.1", "5.2")
        if self.cursor in RAYS:
            return ("1.2", "3.3", "4.1")
        return ("3.2" if self.scene.me.companion else "3.4", "4.1", "4.3")
