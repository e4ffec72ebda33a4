"""The panes beside the caves: the turn, tiles, what can be done, the rooms on show, goods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from cave.cave_vs_cave.turns import walls_left
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
        self.looks = Looks(self, in_ascii=line == "-")

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
        lefts = (
            [title, moment, walls, goal],
            [title, moment, goal],
            [moment, goal],
            [title, moment],
            [moment],
        )
        for left in (*lefts, []):
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
            rows = _aired(self._tiles(now, width), height - 1)
            head = [self.heading("Tiles", width)] if not height or len(rows) < height else []
            return cut_off([*head, *rows], width, height or 99)
        rows = [[Span(f" {line}", "tip")] for line in wrap(sentences.asked(now), width - 2)]
        rows += self._parts(now, width)
        for each in what.doings(now):
            for number, text in enumerate(wrap(each.words, width - 5, indent="  ")):
                key = f" {each.key or ' '} " if not number else "   "
                rows.append([Span(key, "key", f"kind:{each.kind}"), Span(text, "text", f"kind:{each.kind}")])
        return cut_off(rows, width, height or 99)

    def _tiles(self, now: VersusScene, width: int) -> list[Row]:
        """A line for each tile: the key that takes it or who took it, its name, and what it offers."""
        rows: list[Row] = []
        longest = max(cell_len(terms.tile_name(tile)) for tile in now.cave.up)
        for tile in now.cave.up:
            can = tile in self.numbered
            do = f"take:{tile}" if can else ""
            first = Span(f" {what.tile_key(self.numbered, tile) or ' '} ", "key", do)
            if tile in now.cave.taken:
                seat = (now.cave.first + now.cave.taken.index(tile)) % len(now.cave.players)
                first = Span(f" {LETTERS[seat]} ", seat_role(seat))
            name = Span(f" {fit(terms.tile_name(tile), longest)} ", "strong" if can else "dim", do)
            room = width - length([first, name])
            text = what.tile_text(now, tile, room)
            rows.append(
                [first, name, Span(fit(text, min(cell_len(text), room)), "text" if can else "dim", do)]
            )
        return rows

    def _parts(self, now: VersusScene, width: int) -> Sequence[Row]:
        """The parts of the tile in hand: what is done is dim and has a mark."""
        cave = now.cave
        if cave.phase not in ("actions", "dig", "cavern") or not cave.taken or cave.drafting:
            return []
        rows: list[Row] = []
        parts = [
            (words, number in cave.done)
            for number, words in enumerate(terms.tile_words(cave.tile, now.turns))
        ]
        extra = what.additional_of(now, cave.tile)
        parts += [(extra, cave.additional)] if extra else []
        for words, done in parts:
            mark = "done" if done else "open"
            for line, text in enumerate(wrap(words, width - 7)):
                first = f" {mark if not line else '':<4} "
                rows.append([Span(first, "dim" if done else "gain"), Span(text, "dim" if done else "title")])
        if cave.used:
            rows.append([Span(fit(f"      used: {terms.used_rooms(cave.used)}", width - 1), "dim")])
        return rows


class Display(VersusPanel):
    """The rooms on show, whether each fits on the space under the cursor, and what one of them does."""

    at: Space | None = None
    room: str = ""
    """The room that is looked at."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return the rooms, those that fit there first, and what the one looked at does at the end."""
        empty = self.at is not None and fitting.is_empty(now, self.at)
        found = fitting.fits(now, self.at) if self.at is not None and empty else ()
        told = {each.room: each for each in found}
        names = [each.room for each in found] or list(now.cave.display)
        place = "" if self.at is None else terms.space(self.at)
        if empty and self.at is not None:
            place = f"{place}, walls {fitting.walls_at(now, now.seat, self.at)}"
        rows: list[Row] = [self.heading("Rooms on show", width, place if empty else "")]
        more = self._about(now, names, told, width)
        left = (height or 99) - len(more)
        rows += [self._room(name, told.get(name), width) for name in names]
        return [*cut_off(rows, width, max(1, left)), *more][: height or None]

    def _room(self, name: str, here: fitting.Fit | None, width: int) -> Row:
        """A room: its points, its cost and its walls; what does not do here is marked."""
        room = terms.room(name)
        code = here.code if here is not None else ""
        do = f"room:{name}"
        mark = "" if here is None or code else "$" if here.why else ">"
        role = room.colour if not code else "dim"
        ground = None if code or name == self.room else self.looks.ground(room.colour)
        row = [
            Span(f" {mark or ' '} ", "gain" if mark == ">" else "warn", do),
            Span(fit(room.name, 14), "chosen" if name == self.room else role, do, ground),
            Span(f"{room.vp:>3} ", "strong", do, self.looks.ground("points")),
            Span(f" {fit(terms.amounts(room.cost), 6)}", "warn" if mark == "$" else "text", do, ground),
            Span(f"{fit(terms.walls(room), 4)} ", "warn" if code == "walls_differ" else "text", do, ground),
        ]
        left = width - length(row) - 1
        if left > 8:
            why = f"{here.why}  " if here is not None and here.why and code != "walls_differ" else ""
            row.append(Span(fit(why, min(cell_len(why), left)), "warn", do))
            effect, left = terms.room_effect(name), left - cell_len(why)
            row.append(Span(fit(effect, max(0, min(cell_len(effect), left))), "dim", do))
        return row

    def _about(
        self, now: VersusScene, names: Sequence[str], told: Mapping[str, fitting.Fit], width: int
    ) -> list[Row]:
        """What the room that is looked at does, and why it does not fit or where it does."""
        name = self.room if self.room in names else ""
        if not name:
            return []
        here = told.get(name)
        if here is not None and here.why:
            where = f"{'' if here.code else 'fits, but '}{here.why}"
        else:
            spaces = [terms.space(at) for at in fitting.spaces_for(now, name)]
            where = f"fits on {' '.join(spaces)}" if spaces else "fits nowhere now"
        room = terms.room(name)
        lines = [*wrap(f"{room.name}: {terms.room_effect(name)}", width - 2), *wrap(where, width - 2)]
        return [[Span(f" {line}", "tip")] for line in lines]


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
            Span(full * shown, "title", "", self.looks.good(number)),
            Span(empty * (room - shown), "dim"),
            Span(f" {many:>2}", "strong"),
            Span("".join(f" ({each})" for each in others), "dim"),
        ]


def _aired(rows: Sequence[Row], height: int) -> list[Row]:
    """Return the rows with an empty one before each, where there is room for that."""
    if 2 * len(rows) > height:
        return list(rows)
    return [line for row in rows for line in ([], row)]
