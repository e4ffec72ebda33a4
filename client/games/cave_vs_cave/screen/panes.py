"""The panes beside the caves: the turn, tiles, what can be done, the rooms on show, goods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.turns import needs_more, walls_left
from client.face import LETTERS
from client.games.cave_vs_cave.known import doings as what
from client.games.cave_vs_cave.known import fitting, terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.said import sentences
from client.games.cave_vs_cave.screen.looks import Looks
from client.tui.roles import PANELS, Hue
from client.tui.widgets.names import short
from client.tui.widgets.panel import Panel, Row, Span, cut_off, fit, length, seat_role, wrap


class VersusPanel(Panel):
    """A pane that shows a scene."""

    ROLES: ClassVar[Mapping[str, Hue]] = {
        **PANELS,
        "orange": Hue("map-squeeze", bold=True),
        "blue": Hue("map-water", bold=True),
    }

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self.scene: VersusScene | None = None
        self.looks = Looks()

    def notify_style_update(self) -> None:
        """Take the colours of another theme."""
        super().notify_style_update()
        self.looks.clear()

    def show(self, scene: VersusScene) -> None:
        """Show another scene."""
        self.scene = scene
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the lines of the scene, if there is one."""
        return [] if self.scene is None else self.told(self.scene, width, height)

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return the lines of a scene."""
        raise NotImplementedError


class Header(VersusPanel):
    """Game, round and turn, walls that are left, and whose turn it is: one row."""

    GROWS = False

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return one row; the less needed parts of its left side go first."""
        seat = now.cave.seat
        if now.over or seat is None:
            right = [Span(" THE GAME IS OVER ", "strong")]
        else:
            mine = seat in now.state.my_seats
            name = short(now.view.names[seat], 16).rstrip()
            words = f" YOUR TURN  {LETTERS[seat]} {name} " if mine else f" {LETTERS[seat]} {name} is playing "
            right = [Span(words, seat_role(seat) if mine else "strong")]
        title = Span(f"  {now.state.game.title.upper()}", "strong")
        moment = Span(f"   {sentences.moment(now)}", "dim")
        walls = Span("", "dim")
        if not now.over:
            walls = Span(f"   walls left {walls_left(now.cave, now.seat)}", "dim")
        goal = Span(f"   goal {sentences.goal(now)}" if now.cave.alone else "", "tip")
        room = width - length(right) - 1
        for left in ([title, moment, walls, goal], [title, moment, goal], [title, moment], [moment], []):
            if length(left) <= room:
                return [[*left, Span(" " * (width - length(left) - length(right))), *right]]
        return [right]


class Tiles(VersusPanel):
    """The action tiles while one is to be taken, else what the tile in hand lets one do."""

    numbered: Sequence[str] = ()
    """The tiles that can be taken, in the order of their numbers."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return tiles with who took them, or the kinds of actions that are possible."""
        if now.mode in ("take", "waiting", "watching", "over") and now.cave.up:
            rows = [self.heading("Tiles", width), *_aired(self._tiles(now, width), height - 1)]
            return cut_off(rows, width, height or 99)
        rows = [[Span(f" {line}", "tip")] for line in wrap(sentences.asked(now), width - 2)]
        rows += self._parts(now, width)
        for each in what.doings(now):
            lines = wrap(each.words, width - 6, indent="  ")
            for number, text in enumerate(lines):
                key = f"  {each.key or ' '} " if not number else "    "
                rows.append([Span(key, "key", f"kind:{each.kind}"), Span(text, "text", f"kind:{each.kind}")])
        return cut_off(rows, width, height or 99)

    def _tiles(self, now: VersusScene, width: int) -> Sequence[Row]:
        rows: list[Row] = []
        for tile in now.cave.up:
            number = self.numbered.index(tile) + 1 if tile in self.numbered else 0
            key = f"{number if 0 < number < 10 else ' '} "
            name = terms.tile_name(tile)
            words = " · ".join(terms.tile_words(tile, now.turns))
            extra = what.additional_of(now, tile)
            text = f"{words}{f' · {extra}' if extra else ''}"
            good = needs_more(now.cave, tile)
            if good is not None and tile not in now.cave.taken:
                text += f" · needs more {GOODS[good]}"
            row = [
                Span(f" {key}", "key", f"take:{tile}" if number else ""),
                Span(fit(name, 13), "strong" if number else "dim", f"take:{tile}" if number else ""),
            ]
            if tile in now.cave.taken:
                seat = (now.cave.first + now.cave.taken.index(tile)) % len(now.cave.players)
                row.append(Span(f" {LETTERS[seat]} ", seat_role(seat)))
            room = width - length(row) - 1
            row.append(
                Span(f" {fit(text, min(cell_len(text), max(1, room - 1)))}", "text" if number else "dim")
            )
            rows.append(row)
        return rows

    @staticmethod
    def _parts(now: VersusScene, width: int) -> Sequence[Row]:
        """The parts of the tile in hand: done ones are dim and have a mark."""
        cave = now.cave
        if cave.phase not in ("actions", "dig") or not cave.taken:
            return []
        rows: list[Row] = []
        for number, words in enumerate(terms.tile_words(cave.tile, now.turns)):
            done = number in cave.done
            mark = "x" if done else "o"
            rows.append([Span(fit(f"  {mark} {words}", width - 1), "dim" if done else "title")])
        if cave.used:
            rows.append([Span(fit(f"    used: {terms.used_rooms(cave.used)}", width - 1), "dim")])
        extra = what.additional_of(now, cave.tile)
        if extra:
            mark = "x" if cave.additional else "o"
            rows.append([Span(fit(f"  {mark} {extra}", width - 1), "dim" if cave.additional else "title")])
        return rows


class Display(VersusPanel):
    """The rooms on show, and whether each fits on the space under the cursor."""

    at: Space | None = None

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return the rooms, those that fit there first."""
        title = "Rooms on show"
        note = "" if self.at is None else f"on {terms.space(self.at)}"
        rows: list[Row] = [self.heading(title, width, note)]
        empty = self.at is not None and self.at not in now.me.rooms and self.at not in now.me.covered
        found = fitting.fits(now, self.at) if self.at is not None and empty else ()
        told = {each.room: each for each in found}
        names = [each.room for each in found] or list(now.cave.display)
        for name in names:
            room, each = terms.room(name), told.get(name)
            fits = each is not None and each.fits
            ground = None if self._line == "-" else self.looks.ground(self.app, room.colour)
            row = [
                Span(" > " if fits else "   ", "gain"),
                Span(fit(room.name, 14), room.colour if fits or each is None else "dim", "", ground),
                Span(f"{room.vp:>3} ", "strong", "", self.looks.ground(self.app, "points")),
                Span(f" {fit(terms.amounts(room.cost), 6)}", "text", "", ground),
                Span(fit(terms.walls(room), 4), "text", "", ground),
            ]
            more = each.why if each is not None and each.why else "" if fits else terms.room_effect(name)
            left = width - length(row) - 2
            if left > 4:
                more = f"{more}  {terms.room_effect(name)}" if each is not None and left > 30 else more
                row.append(
                    Span(f" {fit(more, min(cell_len(more), left))}", "warn" if each and each.why else "dim")
                )
            rows.append(row)
        return cut_off(rows, width, height or 99)


class GoodsPane(VersusPanel):
    """The goods of all players as tracks, two beside each other."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return a track for each good: of the shown player, and the figure of the other."""
        kinds = components().kinds[now.cave.era]
        others = [seat for seat in range(len(now.cave.players)) if seat != now.seat]
        note = " ".join(f"({LETTERS[seat]} {now.view.names[seat]})" for seat in others)
        rows: list[Row] = [self.heading("Goods", width, note)]
        each = max(16, (width - 1) // 2)
        cells = [self._track(now, number, each) for number in range(kinds)]
        half = -(-len(cells) // 2)
        for line in range(half):
            left = cells[line]
            right = cells[line + half] if line + half < len(cells) else []
            rows.append([*left, Span(" " * max(0, each - length(left))), *right])
        return rows[:height] if height else rows

    def _track(self, now: VersusScene, number: int, width: int) -> list[Span]:
        full, empty = ("#", ".") if self._line == "-" else ("■", "·")
        many = now.me.goods[number]
        others = [player.goods[number] for seat, player in enumerate(now.cave.players) if seat != now.seat]
        tail = f" {many:>2}" + "".join(f" ({each})" for each in others)
        room = max(0, min(9, width - 9 - len(tail)))
        shown = min(many, room)
        return [
            Span(f" {fit(GOODS[number], 7)}", "text"),
            Span(full * shown, "title", "", self._ink(number)),
            Span(empty * (room - shown), "dim"),
            Span(f" {many:>2}", "strong"),
            Span("".join(f" ({each})" for each in others), "dim"),
        ]

    def _ink(self, number: int) -> Style | None:
        return None if self._line == "-" else self.looks.good(self.app, number)


class Points(VersusPanel):
    """The score so far, line by line."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return a column for each player."""
        rows: list[Row] = [self.heading("Points so far", width)]
        standing = now.view.standing
        words = {"era_1": "Era I", "rooms": "rooms", "gold": "gold", "iron": "iron", "weapon": "weapons"}
        for category, title in words.items():
            values = [line.points.get(category, 0) for line in standing]
            if any(values):
                rows.append(
                    [Span(f" {fit(title, 9)}", "text"), *(Span(f"{each:>7g}", "text") for each in values)]
                )
        rows.append(
            [
                Span(f" {fit('total', 9)}", "strong"),
                *(Span(f"{line.total or 0:>7g}", "key") for line in standing),
            ]
        )
        if now.cave.alone:
            rows.append([Span(f" goal: {sentences.goal(now)}", "tip")])
        return rows[:height] if height else rows


def _aired(rows: Sequence[Row], height: int) -> list[Row]:
    """Return the rows with an empty one before each, where there is room for that."""
    if 2 * len(rows) > height:
        return list(rows)
    return [line for row in rows for line in ([], row)]
