"""Cave vs Cave in line mode: its commands and its messages during a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from cave.cave_vs_cave.actions import Action, Choice, EndTurn, Space, Take
from cave.cave_vs_cave.state import ENTRANCE, accessible_rooms
from client.face import LETTERS
from client.games.cave_vs_cave import tasks, terms, texts
from client.games.cave_vs_cave.scene import NOTHING_TO_UNDO, VersusScene, asked_words, moment_words
from client.plain.console import parse_places
from client.plain.line_commands import LineCommand, Option
from client.plain.line_table import LineTable
from client.plain.shared_sentences import NOT_NOW
from client.wording import begun

HOW = "Type a space as row and column, such as 2,0, or cavern."


class VersusLines(LineTable[VersusScene]):
    order: ClassVar[Sequence[str]] = (
        *("moves", "tiles", "rooms", "cave", "fits", "goods", "signs", "turn", "goal", "score", "log"),
        *("since", "who", "rules", "end", "undo"),
    )
    a_rule: ClassVar[str] = "4.4"
    nothing_to_undo: ClassVar[str] = NOTHING_TO_UNDO

    def commands(self) -> Iterable[LineCommand]:
        return (
            self.look_command("tiles", "the action tiles, and who took which", lambda _: self._tiles()),
            self.look_command("rooms", "the rooms on show", lambda _: self._rooms()),
            self.look_command("cave", "the caves, space by space", lambda _: self._caves(), also=("here",)),
            self.look_command("fits", "the rooms on show that fit on a space", self._fitting_room_lines, "2,0"),
            self.look_command("goods", "the goods of all", lambda _: self._goods(), also=("players",)),
            self.look_command("signs", "what letters and signs mean", lambda _: self._signs()),
            LineCommand("end", "end the turn", self._end_turn),
            *super().commands(),
        )

    def _tiles(self) -> list[str]:
        now = self.scene
        lines = []
        for tile in now.cave.up:
            taken = f" {begun(tasks.why_not(now, tile))}." if tile in now.cave.taken else ""
            lines.append(f"{tasks.tile_number(now, tile)} {tasks.tile_line(now, tile)}.{taken}")
        return lines or ["There are no tiles in the draft."]

    def _rooms(self) -> list[str]:
        return [tasks.room_words(self.scene, room) for room in self.scene.cave.display] or ["No rooms are on show."]

    def _caves(self) -> list[str]:
        lines = []
        for seat, player in enumerate(self.scene.cave.players):
            lines.append(f"{LETTERS[seat]} {self.scene.view.names[seat]}:")
            lines += [tasks.space_words(self.scene, seat, at) for at in (ENTRANCE, *player.rooms)]
            reach = accessible_rooms(player, self.scene.cave.era)
            hidden = [terms.space_words(at) for at in player.covered]
            near = " ".join(map(terms.space_words, reach))
            lines.append(f"Face down: {' '.join(hidden) or 'none'}. Can be dug: {near or 'none'}.")
            built = [terms.wall_place_words(player, each) for each in sorted(player.walls)]
            lines.append(f"Walls built {'; '.join(built)}." if built else "No walls built.")
        return lines

    def _fitting_room_lines(self, rest: str) -> list[str]:
        places: list[Space] = ["cavern"] if "cavern" in rest else [*parse_places(rest)]
        if not places:
            return [HOW]
        at = places[0]
        if not tasks.is_empty(self.scene, at):
            return [f"There is no empty space at {terms.space_words(at)}. {HOW}"]
        return [f"{terms.room_name(each.room)}: {each.words}." for each in tasks.room_fits(self.scene, at)] or [
            "No rooms are on show."
        ]

    def _goods(self) -> list[str]:
        return [
            f"{LETTERS[seat]} {self.scene.view.names[seat]}: "
            + ", ".join(f"{good} {player.goods[number]}" for number, good in enumerate(self.scene.goods))
            + "."
            for seat, player in enumerate(self.scene.cave.players)
        ]

    @staticmethod
    def _signs() -> list[str]:
        return [" ".join(line.split()) for line in f"{texts.GOODS}\n{texts.SHORT}".splitlines()]

    # Messages

    def turn(self) -> list[str]:
        now = self.scene
        head = super().turn()
        if now.over:
            return head
        lines = [*head, *([f"{begun(words)}."] if (words := moment_words(now)) else [])]
        if now.can_act:
            lines += [f"{asked_words(now).removesuffix('.')}.", *self._goods()[now.seat : now.seat + 1]]
        return lines

    def offered(self) -> tuple[Any, ...]:
        return (self.scene.seat, self.scene.choices, self.scene.me.goods)

    def possible_options(self) -> Iterable[Option]:
        now = self.scene
        for tile in now.cave.up if now.takable_tiles else ():
            if tile in now.takable_tiles:
                yield Option(tasks.tile_line(now, tile), partial(self._do, Take(tile)), "take a tile")
            else:
                why = f"{terms.tile_name(tile)}: {tasks.why_not(now, tile)}"
                yield Option(why, partial(self.console.write_lines, f"{why}."), "taken")
        for kind, words in [*tasks.KINDS.items()][1:]:
            found = now.kinds.get(kind, ())
            names = {id(each): name.casefold() for name, some in tasks.choices_in_steps(found).items() for each in some}
            for choice in found:
                name = names.get(id(choice), words.casefold())
                yield Option(self.choice_words(choice), partial(self._do, choice.action), name)

    async def _do(self, action: Action) -> None:
        asks = self.console.live and self.setting_value(texts.LEFT)
        doubt = tasks.doubt(self.scene, action) if asks else None
        if doubt is None or await self.ask(doubt.question):
            await self.send_action(self.scene.state.game.action_json(action))

    async def _end_turn(self, _rest: str) -> None:
        if "end_turn" in self.scene.kinds:
            await self._do(EndTurn())
        else:
            await self.console.write_lines(self.scene.why_not("end_turn") or NOT_NOW)

    def choice_words(self, choice: Choice) -> str:
        return tasks.told(self.scene, choice)
