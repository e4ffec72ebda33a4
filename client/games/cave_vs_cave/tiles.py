"""The panes of the action tiles, of what the one in hand lets you do, and of the rooms on show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from cave.cave_vs_cave.actions import Space
from client.face import LETTERS
from client.games.cave_vs_cave import tasks, terms
from client.games.cave_vs_cave.board import SPELT
from client.games.cave_vs_cave.panes import VersusPanel
from client.games.cave_vs_cave.scene import VersusScene, asked_words
from client.tui.widgets.panel import Row, Span, fit, flow, length, seat_role, shortened, wrap
from client.wording import joined


class Tiles(VersusPanel):
    numbered: Sequence[str] = ()

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        if lists_tiles(now):
            rows = tile_rows(now, self.numbered, width)
            if 0 < height < len(rows):
                return self.window(tile_rows(now, self.numbered, width, packed=True), height)
            if 2 * len(rows) < height:
                rows = [line for row in rows for line in ([], row)]
            head = [self.heading("Tiles", width)] if not height or len(rows) < height else []
            return [*head, *rows]
        return self.window(hand_rows(now, width), height)


def lists_tiles(now: VersusScene) -> bool:
    return now.mode in ("take", "waiting", "watching", "over") and bool(now.cave.up)


def tile_rows(now: VersusScene, numbered: Sequence[str], width: int, *, packed: bool = False) -> list[Row]:
    """Return a row for each tile, two where one will not do; ``packed`` tiles that are taken share rows."""
    longest = max(cell_len(terms.tile_name(tile)) for tile in now.cave.up)
    rows: list[Row] = []
    taken: list[Row] = []
    for tile in now.cave.up:
        seat = tasks.taker(now, tile)
        if seat is None or not packed:
            rows += _tile(now, numbered, tile, seat, longest, width)
        else:
            who = Span(f" {LETTERS[seat]} ", seat_role(seat))
            taken.append([who, Span(f" {terms.tile_name(tile)}", "dim")])
    return [*rows, *(flow(taken, width) if taken else [])]


def _tile(
    now: VersusScene, numbered: Sequence[str], tile: str, seat: int | None, longest: int, width: int
) -> list[Row]:
    """Return a tile in rows: what it offers in a column, in signs where that needs them, or else below."""
    can = tile in numbered
    do = f"take:{tile}" if can else ""
    first = Span(f" {tasks.tile_key(numbered, tile) or ' '} ", "key", do)
    if seat is not None:
        first = Span(f" {LETTERS[seat]} ", seat_role(seat))
    title = terms.tile_name(tile)
    role = "text" if can else "dim"
    column, room = longest + 1, width - 3
    words, signs = (tasks.tile_text(now, tile, style) for style in (terms.WORDS, terms.SIGNS))
    for text, begins in ((words, column), (signs, column), (signs, cell_len(title) + 1)):
        if begins + cell_len(text) <= room:
            name = Span(fit(title, begins), "strong" if can else "dim", do)
            return [[first, name, Span(text, role, do)]]
    one, *more = wrap(f"{title} {signs}".replace("extra ", "extra\u00a0"), room)
    name = Span(fit(title, cell_len(title)), "strong" if can else "dim", do)
    return [
        [first, name, Span(one[len(title) :], role, do)],
        *([Span(f"     {line}", role, do)] for line in more),
    ]


def hand_rows(now: VersusScene, width: int) -> list[Row]:
    rows: list[Row] = [[Span(f" {line}", "tip")] for line in wrap(asked_words(now), width - 2)]
    rows += _parts(now, width)
    for each in tasks.doings(now):
        do = f"kind:{each.kind}"
        for number, text in enumerate(wrap(each.words, width - 5, indent="  ")):
            key = f" {each.key or ' '} " if not number else "   "
            rows.append([Span(key, "key", do), Span(text, "text", do)])
    return rows


def _parts(now: VersusScene, width: int) -> list[Row]:
    cave = now.cave
    if cave.phase not in ("actions", "dig", "cavern") or not cave.taken or cave.drafting:
        return []
    parts = [
        (words, number in cave.done) for number, words in enumerate(terms.tile_parts(cave.tile, now.turns))
    ]
    extra = tasks.additional_of(now, cave.tile)
    parts += [(extra, cave.additional)] if extra else []
    rows: list[Row] = []
    for words, done in parts:
        mark = "done" if done else "open"
        for line, text in enumerate(wrap(words, width - 7)):
            first = f" {mark if not line else '':<4} "
            rows.append([Span(first, "dim" if done else "gain"), Span(text, "dim" if done else "title")])
    used = f"used: {joined([terms.room_name(each) for each in cave.used])}" if cave.used else ""
    return [*rows, *([Span(f"      {line}", "dim")] for line in wrap(used, width - 7) if used)]


ROOMY = 44  # columns from which there is air in the rows of the rooms

MARKS = {"walls_differ": "w", "too_many_blue": "b"}  # the marks of what is in the way
LEAST_EFFECT = 11  # the least columns in which what a room does can be told in several lines

MOST_OF_ONE = 9
COLUMNS, ROOMY_COLUMNS = (9, 2, 4), (14, 3, 5)  # the columns of a room's name, points and cost
ROOM_FOR_WHY = 20  # columns after cost and walls from which the reason why a room does not do stands there


class Display(VersusPanel):
    at: Space | None = None
    there: Space | None = None  # the space that is pointed at in the other's cave
    room: str = ""
    _before: tuple[Space | None, str] = (None, "")

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        found: Sequence[tasks.Fit] = ()
        place = ""
        if self.at is not None and tasks.is_empty(now, self.at):
            found = tasks.fits(now, self.at)
            place = f"{terms.space(self.at)}, walls {tasks.walls_at(now, now.seat, self.at)}"
        told = {each.room: each for each in found}
        names = [*told] or [*now.cave.display]
        self._follow(names, height)
        more = self._about(now, told, width)
        left = max(1, height - 1 - len(more)) if height else 0
        rows = [row for name in names for row in self._room(name, told.get(name), width, whole=True)]
        if left and len(rows) > left:
            rows = [row for name in names for row in self._room(name, told.get(name), width, whole=False)]
        return [self.heading("Rooms on show", width, place), *self.window(rows, left), *more][
            : height or None
        ]

    def _follow(self, names: Sequence[str], height: int) -> None:
        if self._before[0] != self.at:
            self._above = 0
        if self.room in names and self._before != (self.at, self.room):
            row = names.index(self.room)
            self._above = row if row < self._above else max(self._above, row - max(0, height - 6))
        self._before = (self.at, self.room)

    def _room(self, name: str, here: tasks.Fit | None, width: int, *, whole: bool) -> list[Row]:
        """Return a room; ``whole``: the words of what it does go on below, else there are signs."""
        room = terms.room(name)
        code = here.code if here is not None else ""
        do = f"room:{name}"
        mark = "" if here is None else MARKS.get(code, " ") if code else "$" if here.why else ">"
        role = room.colour if not code else "dim"
        ground = None if code or name == self.room else self.ground(room.colour)
        pad = " " if width >= ROOMY else ""
        most, points, costs = ROOMY_COLUMNS if pad else COLUMNS
        # Before points of two figures there is a blank, too.
        blank = 0 if pad else int(room.vp > MOST_OF_ONE)
        title = fit(room.name, most - blank) + " " * blank
        cost = terms.amounts(room.cost).replace(" ", pad)
        row = [
            Span(f"{pad}{mark or ' '} ", "gain" if mark == ">" else "dim" if code else "warn", do),
            Span(title, "chosen" if name == self.room else role, do, ground),
            Span(f"{room.vp:>{points}}{pad}", "strong", do, self.ground("points")),
            Span(f" {fit(cost, costs)} ", "warn" if mark == "$" else "text", do, ground),
            Span(f"{terms.walls(room):<4}", "warn" if code == "walls_differ" else "text", do, ground),
        ]
        left = width - length(row)
        why = f"{here.why}  " if here is not None and here.why and code != "walls_differ" else ""
        if left > ROOM_FOR_WHY and why:
            row.append(Span(shortened(why, left), "warn", do))
            left -= cell_len(why)
        effect = terms.room_effect(name)
        if cell_len(effect) > left and whole and left > LEAST_EFFECT:
            # A column stays free: the other's cave may begin beside it.
            first, *others = wrap(effect.replace(" > ", "\u00a0>\u00a0"), left - 1)
            below = [[Span(" " * (width - left) + line, "dim", do)] for line in others]
            return [[*row, Span(first, "dim", do)], *below]
        if cell_len(effect) > left:
            effect = terms.room_effect(name, terms.SIGNS)
        return [[*row, Span(shortened(effect, max(0, left)), "dim", do)]]

    def _about(self, now: VersusScene, told: Mapping[str, tasks.Fit], width: int) -> list[Row]:
        """Describe a room: the rival's under the cursor, the selected one, or an own one cut off."""
        other = "" if self.there is None else now.room_at(1 - now.seat, self.there)
        looked = self.room if self.room in now.cave.display else ""
        own = "" if self.at is None else now.me.rooms.get(self.at, "")
        cut = own and max(len(terms.room_name(own)), len(terms.room_effect(own))) > SPELT
        room = other or looked or (own if cut else "")
        words = [f"{terms.room_name(room)}: {terms.room_effect(room)}"] if room else []
        if looked and not other:
            here = told.get(looked)
            words.append(here.words if here is not None and here.why else tasks.where(now, looked))
        return [[Span(f" {line}", "tip")] for each in words for line in wrap(each, width - 2)]
