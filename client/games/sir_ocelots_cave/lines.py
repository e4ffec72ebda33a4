"""Sir Ocelot's Cave in line mode: its commands, and sentences about the caves and the players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.codec import Place, to_json
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import (
    BIT,
    CELESTITES,
    KINDS,
    LEVEL,
    RAYS,
    RIM,
    SQUARES,
    TOOLS,
    Gem,
    Kind,
    Tool,
    set_of_squares,
)
from cave.sir_ocelots_cave.scoring import tools_left
from cave.sir_ocelots_cave.state import PIECES, SIDES_OF, missing_tools
from client.games.sir_ocelots_cave import guide, here, previews, terms, texts
from client.games.sir_ocelots_cave.player_rows import ocelot_player_rows
from client.games.sir_ocelots_cave.previews import (
    best_of_each,
    companion_visit,
    finishing_placements,
    gems_at,
    kinds_left,
    placements_that_bring,
    sight_from,
    tool_trials,
    worth_of,
)
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.plain import shared_sentences
from client.plain.console import parse_places
from client.plain.line_commands import LineCommand, Option
from client.plain.line_table import LineTable
from client.wording import begun, count, joined, without_rule

MOST = 12  # tools in a list; others can be typed
SOME = 6  # squares for the companion in a list
FEW = 2  # rim spaces in a list for a tool that collects nothing anywhere
MORE = "{more} more: try 9,4 says what each tool brings at a place, rim lists the free spaces."
HOW_TO_LAY = (
    "Say where: {tool} 9,4, or with the kind: {tool} {kind} 9,4. "
    "Kind A is compass/lamp, B lamp/pickaxe, C pickaxe/compass."
)
HOW_TO_COLLECT = "Say which: collect all, collect none, collect 5,4 6,4, or collect all but 5,4."
NOTHING_TO_COLLECT = "There is nothing to collect now: first lay a tool."


class OcelotLines(LineTable[OcelotScene]):
    order: ClassVar[Sequence[str]] = (
        *("moves", "board", "rim", "look", "here", "try", "short", "players", "amethysts", "turn", "goal"),
        *("score", "log", "since", "who", "rules"),
        *("compass", "lamp", "pickaxe", "companion", "collect", "undo"),
    )
    a_rule: ClassVar[str] = "4.1"
    nothing_to_undo: ClassVar[str] = guide.NOTHING_TO_UNDO

    def commands(self) -> Iterable[LineCommand]:
        return (*self._look_commands(), *self._action_commands(), *super().commands())

    def _look_commands(self) -> Iterable[LineCommand]:
        yield self.look_command(
            "board", "the gems of the caves, row by row", lambda _: board(self.scene), also=("map",)
        )
        yield self.look_command("rim", "the tools on the rim, and the free spaces", lambda _: rim(self.scene))
        yield self.look_command("look", "the contents of a place, and the tools that see it", self._place_lines, "9,4")
        yield self.look_command("here", "your companion's square", lambda _: own_place_lines(self.scene))
        yield self.look_command("try", "what each tool would bring at a place", self._try, "9,4")
        yield self.look_command("short", "gems for which you lack one tool", lambda _: short_board_lines(self.scene))
        yield self.look_command(
            "players",
            "points, tools, gems and celestites of both",
            lambda _: list(ocelot_player_lines(self.scene)),
            also=("gems", "tools"),
        )
        yield LineCommand("amethysts", "your amethysts, and what each is worth now", self._show_amethysts, when="begun")

    def _action_commands(self) -> Iterable[LineCommand]:
        for tool in terms.TOOL_LETTERS:
            yield LineCommand(tool, f"lay a {tool}", partial(self._lay, tool), "[A, B or C] 9,4", also=(tool[0],))
        yield LineCommand(
            "companion",
            "bring your companion to a square",
            self._place_companion,
            "5,5",
            also=("moth", "bat", "advance"),
        )
        yield LineCommand("collect", "collect gems", self._collect, "[all, none, 5,4 6,4, or all but 5,4]")

    # Looking

    def _place_lines(self, rest: str) -> list[str]:
        places = parse_places(rest)
        return [line for at in places[:4] for line in square_lines(self.scene, at)] or [NO_PLACE]

    def _try(self, rest: str) -> list[str]:
        places = parse_places(rest)
        return tried_tool_lines(self.scene, places[0]) if places else [NO_PLACE]

    async def _show_amethysts(self, _rest: str) -> None:
        lines = amethysts(self.scene)
        if self.scene.me.amethysts:
            await self.reveal(*lines)
        else:
            await self.console.write_lines(*lines)

    # Messages

    def score_sheet(self) -> list[str]:
        """Return the score sheet; without secrets on a shared screen."""
        if not self.shared:
            return super().score_sheet()
        return [*shared_sentences.score_sheet_lines(self.face, self.state.view, over=False), NOT_COUNTED]

    def turn(self) -> list[str]:
        now = self.scene
        head = super().turn()
        if now.over:
            return head
        left = f"Turn {now.turn_number} of {PIECES}."
        return [*head, left, f"Tools left: {terms.tools_left_words(now.me.tools)}."]

    def asked(self, *, same_turn: bool) -> list[str]:
        if self.scene.mode == "collecting":
            gems = worth_of(self.scene.cave, self.scene.seat, set_of_squares(self.scene.collectable))
            return [f"You can collect {gems}.", *self.list_options()]
        told = super().asked(same_turn=same_turn)
        if self.scene.companion_must_come:
            told.insert(0, COMPANION_MUST_COME)
        return told

    def offered(self) -> tuple[Any, ...]:
        now = self.scene
        return (now.seat, now.choices, now.cave.sight)

    def possible_options(self) -> Iterable[Option]:
        now = self.scene
        if now.mode == "collecting":
            yield self._option_of_action(Collect(now.collectable))
            for at in now.collectable if len(now.collectable) > 1 else ():
                (gem,) = gems_at(now.cave, (at,))
                rest = tuple(each for each in now.collectable if each != at)
                text = f"collect all but the {terms.NAMES[gem]} at {terms.board_place_words(at)}"
                yield Option(text, partial(self._do, Collect(rest)))
            yield self._option_of_action(Collect(()))
        elif now.mode == "acting":
            yield from map(self._option_of_action, self._placing_actions())

    def _option_of_action(self, action: Action) -> Option:
        brings = guide.gems_brought_words(self.scene, action)
        text = guide.words(self.scene, action)
        if isinstance(action, LayTool) and "(" not in text:
            text += f" {terms.other_side_words(action.side, (action.kind,))}"
        text += f": {brings}" if brings else ""
        return Option(text, partial(self._do, action))

    def list_options(self) -> list[str]:
        listed, now = super().list_options(), self.scene
        if now.mode == "acting":
            tools = len(tools_left(now.cave, now.seat))
            more = len(now.lays) * tools + len(now.ways) - len(self.numbers)
            listed += [MORE.format(more=more)] if more > 0 else []
        return listed

    def _placing_actions(self) -> Iterable[Action]:
        """Return placements that collect something, then the companion's, then tools that collect nothing."""
        now, seat = self.scene, self.scene.seat
        found = placements_that_bring(now.cave, seat)
        for trial in best_of_each(found, MOST):
            yield LayTool(trial.kinds[0], trial.tool, trial.at)
        for at in previews.best_first(now.cave, now.ways)[:SOME]:
            way = now.ways[at]
            if companion_visit(now.cave, at).takes or isinstance(way, Advance) or not found:
                yield way
        idle = set(tools_left(now.cave, seat)) - {trial.tool for trial in found}
        free = sorted(now.lays, key=lambda at: -(sight_from(now.cave, at) & now.cave.with_gems).bit_count())
        for tool in (each for each in TOOLS if each in idle):
            for at in free[:FEW]:
                yield LayTool(kinds_left(now.cave, seat, tool)[0], tool, at)

    # Actions

    async def _do(self, action: Action) -> None:
        lasting = isinstance(action, LayTool | PlaceCompanion | Advance) and self.setting_value(texts.PLACE)
        if not lasting or await self.ask(guide.CONFIRM_PLACE):
            await self.send_action(to_json(action))

    async def _do_judged_action(self, action: Action) -> None:
        now = self.scene
        why = now.state.game.refusal(now.cave, now.seat, action)
        if why is not None:
            await self.console.write_lines(without_rule(why.message))
        elif await self._meant(action):
            await self._do(action)

    async def _meant(self, action: Action) -> bool:
        """Confirm a placement that is probably a slip; programs are not asked."""
        now = self.scene
        warned = self.console.live and self.setting_value(texts.SLIP)
        found = previews.probable_slip(now.cave, now.view.names, now.seat, action) if warned else None
        return found is None or await self.ask(f"{found.words}. Place it?")

    async def _lay(self, tool: Tool, rest: str) -> None:
        now = self.scene
        places = parse_places(rest)
        named: list[Kind] = [kind for kind in KINDS if kind.casefold() in rest.split()]
        kinds = named or list(kinds_left(now.cave, now.seat, tool))
        if len(places) != 1 or (named and tool not in SIDES_OF[named[0]]):
            kind = next(kind for kind in KINDS if tool in SIDES_OF[kind])
            await self.console.write_lines(HOW_TO_LAY.format(tool=tool, kind=kind))
        elif not kinds:
            await self.console.write_lines(f"You have no {tool} left.")
        else:
            await self._do_judged_action(LayTool(kinds[0], tool, places[0]))

    async def _place_companion(self, rest: str) -> None:
        now = self.scene
        places = parse_places(rest)
        if len(places) != 1:
            where = " ".join(terms.board_place_words(at) for at in now.ways)
            turn = now.mode in ("acting", "collecting")
            why_not = here.why_companion_stays(now) if turn else NO_PLACE
            await self.console.write_lines(f"It can go to: {where}." if where else why_not)
        elif now.me.companion is None:
            await self._do_judged_action(PlaceCompanion(places[0]))
        else:
            await self._do_judged_action(Advance(places[0]))

    async def _collect(self, rest: str) -> None:
        now = self.scene
        named = parse_places(rest)
        if now.mode != "collecting":
            await self.console.write_lines(NOTHING_TO_COLLECT)
        elif rest in ("", "all"):
            await self._do(Collect(now.collectable))
        elif rest in ("none", "nothing"):
            await self._do(Collect(()))
        elif not named:
            await self.console.write_lines(HOW_TO_COLLECT)
        elif "but" in rest.split():
            await self._do(Collect(tuple(at for at in now.collectable if at not in named)))
        else:
            await self._do_judged_action(Collect(tuple(dict.fromkeys(named))))


NO_PLACE = "Type a place as two numbers, such as 9,4: its column and its row."
HOW_PLACES_ARE_NAMED = (
    "A place is two numbers, such as 9,4: its column, from 0 in the west, and its row, from 0 in the north."
)
NOT_A_PLACE = "There is no square and no rim space at {at}."
COMPANION_MUST_COME = "You have no tools left: your companion has to come, to a square of level 1."
NOWHERE = "Your companion is not in the caves yet; look 9,4 describes a place."
NOT_COUNTED = "Amethysts are secret and not counted; type amethysts to see your own."
ALOUD = 4  # gems per line that a person can follow


def board(scene: OcelotScene) -> list[str]:
    cave = scene.cave
    lines = [HOW_PLACES_ARE_NAMED]
    for level in (1, 2, 3):
        rows: dict[int, list[str]] = {}
        for at in SQUARES:
            gem = cave.gem_at(at)
            if LEVEL[at] == level and gem is not None:
                lost = " out of reach" * bool(BIT[at] & scene.out_of_reach)
                rows.setdefault(at[1], []).append(f"{terms.SHORT[gem]} {terms.board_place_words(at)}{lost}")
        lines.append(f"Level {level}:" if rows else f"Level {level}: empty.")
        lines += [f"Row {row}: {', '.join(found)}." for row, found in rows.items()]
    return [*lines, *rim(scene)]


def rim(scene: OcelotScene) -> list[str]:
    tools = scene.cave.tools
    laid = [f"{tools[at].side} {terms.board_place_words(at)}" for at in RIM if at in tools]
    free = [terms.board_place_words(at) for at in RIM if at not in tools]
    lines = [f"On the rim: {', '.join(laid)}." if laid else "On the rim: nothing yet."]
    # Forty places are one long line: halves are easier to read.
    for start in range(0, len(free), 20):
        lines.append(f"Free{' as well' if start else ''}: {' '.join(free[start : start + 20])}.")
    return lines


def square_lines(scene: OcelotScene, at: Place) -> list[str]:
    cave = scene.cave
    if at not in BIT and at not in RAYS:
        return [NOT_A_PLACE.format(at=terms.board_place_words(at))]
    lines = [f"{begun(here.place_title(scene, at))}."]
    if at in RAYS:
        for ray in RAYS[at]:
            gems = ((each, cave.gem_at(each)) for each in ray.line)
            found = [_seen_by_words(scene, each, gem) for each, gem in gems if gem is not None]
            side = f"To the {terms.COMPASS_WORDS[ray.direction]}, level {ray.level}"
            if not found:
                lines.append(f"{side}: no gems.")
            for start in range(0, len(found), ALOUD):
                lines.append(f"{'Then' if start else side}: {', '.join(found[start : start + ALOUD])}.")
        return lines
    return [*lines, *(f"{begun(line)}." for line in here.square_facts(scene, at))]


def own_place_lines(scene: OcelotScene) -> list[str]:
    at = scene.me.companion
    if at is None:
        return [NOWHERE]
    sees = here.sees_words(scene, sight_from(scene.cave, at))
    return [*square_lines(scene, at), f"It sees {sees} from there."]


def _seen_by_words(scene: OcelotScene, at: Place, gem: Gem) -> str:
    names = missing_tools(scene.cave, at)
    if BIT[at] & scene.out_of_reach:
        return f"{terms.SHORT[gem]} {terms.board_place_words(at)} out of reach"
    told = f" without {' and '.join(names)}" if names else " ready"
    return f"{terms.SHORT[gem]} {terms.board_place_words(at)}{told if len(names) < len(TOOLS) else ''}"


def tried_tool_lines(scene: OcelotScene, at: Place) -> list[str]:
    cave, seat = scene.cave, scene.seat
    if at in RAYS:
        found = tool_trials(cave, seat, at)
        if not found and at in cave.tools:
            return [f"A tool lies at {terms.board_place_words(at)} already."]
        if not found:
            return ["You have no tools left."]
        return [f"{trial.tool.capitalize()}: {guide.trial_words(scene, trial)}." for trial in found]
    if at not in BIT:
        return [NOT_A_PLACE.format(at=terms.board_place_words(at))]
    if scene.mode == "acting" and at not in scene.ways:
        action = PlaceCompanion(at) if scene.me.companion is None else Advance(at)
        why = scene.state.game.refusal(cave, seat, action)
        return [without_rule(why.message) if scene.ways and why else here.why_companion_stays(scene)]
    return [f"Your companion {guide.visit_words(scene, companion_visit(cave, at))}."]


def short_board_lines(scene: OcelotScene) -> list[str]:
    cave, seat = scene.cave, scene.seat
    lines = []
    for at in scene.needs:
        gem = cave.gem_at(at)
        if gem is not None:
            ways = finishing_placements(cave, seat, at)
            told = [f"{joined(list(tools), 'or')} at {terms.board_place_words(rim)}" for rim, tools in ways]
            lines.append(f"{begun(terms.NAMES[gem])} at {terms.board_place_words(at)}: {'; '.join(told)}.")
    return lines or ["No gem is one tool short for you."]


def ocelot_player_lines(scene: OcelotScene) -> Iterator[str]:
    for row in ocelot_player_rows(scene):
        tools = terms.tools_left_words(row.tools)
        yield f"{row.name}: {count(row.points, 'point')} in gems. Tools left: {tools}; {row.companion}."
        held = ", ".join(f"{terms.SHORT[gem]} {number}" for gem, number in row.gems)
        bags = ", ".join(stone.bag for stone in row.stones)
        about = f", about {row.expected} points in all" * bool(bags and not scene.over)
        yield f"Gems: {held or 'none'}. Amethysts: {bags or 'none'}{about}."
        lacking = [
            terms.SHORT[gem] for gem, n in zip(CELESTITES, row.celestites, strict=True) if n <= min(row.celestites)
        ]
        yield f"For the next set of celestites: {joined(lacking)}."


def amethysts(scene: OcelotScene) -> list[str]:
    if not scene.state.my_seats:
        return ["Amethysts are secret until the end."]
    found = [f"{begun(each.amethyst_words)}." for each in ocelot_player_rows(scene)[scene.seat].stones]
    return found or ["You have no amethysts."]
