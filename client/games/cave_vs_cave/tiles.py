"""The panes of the action tiles, of the actions of the tile in hand, and of the display."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.components import Room
from client.face import LETTERS
from client.games.cave_vs_cave import tasks, terms
from client.games.cave_vs_cave.panes import VersusPanel
from client.games.cave_vs_cave.scene import VersusScene, asked_words
from client.tui.widgets.panel import Row, Span, fit, flow, length, seat_role, shortened, wrap
from client.wording import joined

HEADING = 1
NUMBER = 3  # columns of a tile's number
DENSEST = 3


class Tiles(VersusPanel):
    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        if not lists_tiles(now):
            return self.inked(self.window(hand_rows(now, width), height))
        head = self.heading("Tiles: take one by its number" if now.takes else "Tiles", width)
        for density in range(DENSEST + 1):
            rows = tile_rows(now, width, density)
            if not height or len(rows) < height:
                break
        return self.inked([head, *self.window(rows, height and height - HEADING)])


def lists_tiles(now: VersusScene) -> bool:
    return now.mode in ("take", "waiting", "watching", "over") and bool(now.cave.up)


def tile_rows(now: VersusScene, width: int, density: int = 0) -> list[Row]:
    """Return a row for each tile, or more; the denser, the less: 1 letters for goods, 2 rows shared by those
    that are taken, 3 one row each.
    """
    packed = density > 1
    longest = max(cell_len(terms.tile_name(tile)) for tile in now.cave.up)
    texts = {tile: tasks.tile_text(now, tile) for tile in now.cave.up if tile not in now.cave.taken}
    texts = {tile: terms.brief(text) if density else text for tile, text in texts.items()}
    aligned = all(NUMBER + longest + 1 + cell_len(text) <= width for text in texts.values())
    rows: list[Row] = []
    taken: list[Row] = []
    for tile in now.cave.up:
        can, number = tile in now.takes, f"{tasks.tile_number(now, tile):>2} "
        do = f"take:{tile}" if can else ""
        title, room = terms.tile_name(tile), width - NUMBER
        if (seat := tasks.taker(now, tile)) is not None:
            name = title if packed else fit(title, longest + 1)
            row = [Span(number + name, "dim"), Span(f" {LETTERS[seat]} ", seat_role(seat))]
            taken.append(row)
            rows += [] if packed else [[*row, Span(" took it", "dim")]]
            continue
        begins = (longest if aligned else cell_len(title)) + 1
        text = texts[tile]
        if density == DENSEST:
            text = shortened(terms.terse(text, room - begins), room - begins)
        one, *more = wrap(fit(title, begins) + text, room, indent="  ")
        rows.append(
            [
                Span(number, "key" if can else "dim", do),
                Span(one[:begins], "strong" if can else "dim", do),
                Span(one[begins:], "text", do),
            ]
        )
        rows += [[Span(" " * NUMBER + line, "text", do)] for line in more]
    return [*rows, *(flow(taken, width) if packed and taken else [])]


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


POINTS = 3  # the columns of a room's points
LEAST_EFFECT = 12
LEAST_ROOMS = 3  # rows of rooms that are left when words about one of them are long


def _cost(room: Room, squeezed: int) -> str:
    cost = terms.brief(terms.amounts(room.cost)).replace("nothing", "free")
    return cost.replace(" ", "") if squeezed else cost


def _walls(room: Room, squeezed: int) -> str:
    walls = terms.WALLS[room.walls][0]
    return walls.replace(", ", "/").replace(" or ", "/") if squeezed > 1 else walls


def _columns(names: Sequence[str], width: int) -> tuple[int, int, int]:
    """Return the columns of the names and costs of rooms, and whether these are squeezed for that: 0 nothing,
    1 the costs, 2 the walls, too.
    """
    rooms = [terms.room(name) for name in names]
    longest = max((cell_len(each.name) for each in rooms), default=0)
    for squeezed in range(3):
        cost = 1 + max([4, *(cell_len(_cost(each, squeezed)) for each in rooms)])
        walls = max((cell_len(_walls(each, squeezed)) for each in rooms), default=0)
        left = width - 1 - POINTS - cost - walls
        if left >= longest:
            break
    return min(longest, left), cost, squeezed


class Display(VersusPanel):
    at: Space | None = None
    there: Space | None = None  # the space that is pointed at in the other's cave
    room: str = ""
    _before: tuple[Space | None, str] = (None, "")
    _sizes = (0, 0, 0)

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        empty = self.at is not None and tasks.is_empty(now, self.at)
        found = {each.room: each for each in tasks.fits(now, self.at)} if empty and self.at else {}
        names = [*found] or [*now.cave.display]
        self._follow(names, height)
        more = self._description(now, found, width)
        if height:
            more = more[: max(0, height - HEADING - LEAST_ROOMS)]
        left = max(1, height - HEADING - len(more)) if height else 0
        self._sizes = _columns(names, width)
        for effects in (str, terms.brief, None):
            rows = [row for name in names for row in self._room(name, found.get(name), width, effects)]
            if not left or len(rows) <= left:
                break
        name, cost, _ = self._sizes
        head = Span(f" {fit('ROOMS', name + POINTS - 7)}", "title")
        walls = shortened("walls around it", max(5, width - name - POINTS - cost - 1))
        heads = Span(f"points {fit('cost', cost)}{walls if walls.endswith('it') else 'walls'}", "dim")
        return self.inked([[head, heads], *self.window(rows, left), *more])

    def _follow(self, names: Sequence[str], height: int) -> None:
        if self._before[0] != self.at:
            self._above = 0
        if self.room in names and self._before != (self.at, self.room):
            row = names.index(self.room)
            self._above = row if row < self._above else max(self._above, row - max(0, height - 6))
        self._before = (self.at, self.room)

    def _room(
        self, name: str, here: tasks.Fit | None, width: int, effects: Callable[[str], str] | None
    ) -> list[Row]:
        """Return a room: its points, cost and walls, and if there is room its effect below."""
        room, do = terms.room(name), f"room:{name}"
        code, why = (here.code, here.why) if here is not None else ("", "")
        role, (longest, most, squeezed) = "dim" if code else room.colour, self._sizes
        ground = None if code or name == self.room else self.ground(room.colour)
        row = [
            Span(">" if here is not None and not code and not why else " ", "gain", do),
            Span(fit(room.name, longest), "chosen" if name == self.room else role, do, ground),
            Span(f"{room.vp:>{POINTS - 1}} ", "strong", do, self.ground("points")),
            Span(fit(_cost(room, squeezed), most), "warn" if why and not code else "text", do),
            Span(f"{_walls(room, squeezed)} ", "warn" if code == "walls_differ" else "text", do),
        ]
        words, ink = terms.room_effect(name), "dim" if code else "text"
        left, short = width - length(row), terms.brief(words)
        if effects is None or (effects is terms.brief and cell_len(short) <= left):
            return [[*row, Span(shortened(short, left), ink, do)] if left >= LEAST_EFFECT else row]
        below = wrap(f"  {effects(words)}", width - 1, indent="  ")
        return [row, *([Span(line, ink, do)] for line in below)]

    def _description(self, now: VersusScene, found: Mapping[str, tasks.Fit], width: int) -> list[Row]:
        """Describe the chosen room, or else the space under the cursor."""
        if self.there is not None:
            words = tasks.space_words(now, 1 - now.seat, self.there)
        elif self.room in now.cave.display:
            here = found.get(self.room)
            words = tasks.room_words(now, self.room)
            words += f" On {terms.space(self.at)}: {here.words}." if here is not None and self.at else ""
        elif self.at is not None:
            words = tasks.space_words(now, now.seat, self.at)
            words += " > marks what you can place there." if found else ""
        else:
            return []
        return [[Span(f" {line}", "tip")] for line in wrap(words, width - 2)]
