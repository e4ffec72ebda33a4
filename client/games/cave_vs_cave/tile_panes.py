"""The panes of the action tiles, of the actions of the taken tile, and of the display."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile

from rich.cells import cell_len

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.components import Room
from cave.cave_vs_cave.turns import allowed_room_uses, room_action_of
from client.face import LETTERS
from client.games.cave_vs_cave import tasks, terms
from client.games.cave_vs_cave.panes import VersusPanel
from client.games.cave_vs_cave.picture import WIDE, Look
from client.games.cave_vs_cave.room_painter import INNER, RoomSignWriter
from client.games.cave_vs_cave.scene import VersusScene, asked_words
from client.tui.canvas import cut
from client.tui.widgets.panel import Row, Span, cut_off, fit, flow, length, seat_role, shorten_text, wrap
from client.wording import count, joined

HEADING = 1
MARGIN = 1  # free columns to the right of tiles and rooms
NUMBER = 3  # columns of a tile's key, padded on both sides
AIRY, DENSEST = -1, 3
FITS = "*"  # before a room that you can place; > is the way in, and a trade


class Tiles(VersusPanel):
    in_words = ""  # the key that lists the tiles in words
    _hinted = ""

    def keep_in_sight(self, tile: str) -> None:
        """Keep the tile that a hint or a tip names in sight; another word: begin with the first one again."""
        if tile != self._hinted:
            self._hinted, self._above = tile, 0
            self.refill()

    def scene_rows(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        width -= MARGIN
        if not lists_tiles(now):
            return self.rows_in_goods_colours(self.rows_in_window(hand_rows(now, width), height))
        for density in range(AIRY, DENSEST + 1):
            rows = tile_rows(now, width, density)
            if not height or len(rows) < height:
                break
        if density == DENSEST:
            rows = tile_rows(now, width, density, height - HEADING - len(rows))
        takes = "Take a tile" if density > 0 else "Tiles: take one by its key"
        note = self.in_words if density > 0 else ""
        head = self.heading_row(takes if now.takable_tiles and not now.step_is_done else "Tiles", width, note)
        kept: list[int] = []
        if self._hinted in {*now.cave.up} - {*now.cave.taken}:
            keys = [row[0].text.strip() if row else "" for row in rows]
            first = keys.index(tasks.tile_key(now, self._hinted))
            kept = [first, *takewhile(lambda row: rows[row] and not keys[row], range(first + 1, len(rows)))]
        return self.rows_in_goods_colours([head, *self.rows_in_window(rows, height and height - HEADING, kept)])


def lists_tiles(now: VersusScene) -> bool:
    """Return whether the tiles are listed, not the actions of the tile in hand; a lesson that shows a mistake in
    mid-turn keeps those.
    """
    lesson, cave = now.state.lesson, now.cave
    mid_turn = lesson is not None and lesson.shows and (cave.seat, cave.phase) == (now.seat, "actions")
    return now.mode in ("take", "waiting", "watching", "over") and bool(cave.up) and not mid_turn


def tile_rows(now: VersusScene, width: int, density: int = 0, spare: int = 0) -> list[Row]:
    """Return one or more rows per tile. ``density`` -1 adds blank rows, 1 uses letters for goods, 2 puts two
    taken tiles in a row, 3 gives each tile one row; ``spare`` rows go to the tiles that are shortened most.
    """
    packed = density > 1 and sum(tasks.seat_that_took_tile(now, tile) is not None for tile in now.cave.up) > 1
    longest = max(cell_len(terms.tile_name(tile)) for tile in now.cave.up)
    texts = {tile: tasks.tile_text(now, tile) for tile in now.cave.up if tile not in now.cave.taken}
    texts = {tile: terms.goods_as_letters(text) if density > 0 else text for tile, text in texts.items()}
    aligned = all(NUMBER + longest + 1 + cell_len(text) <= width for text in texts.values())
    whole: list[str] = []  # those that are not shortened

    def columns_short(tile: str) -> tuple[int, int]:
        """Return the columns that are missing for the fewest words, and those of the words that they leave out."""
        room = width - NUMBER - 1 - cell_len(terms.tile_name(tile))
        fewest = cell_len(terms.effect_in_few_words(texts[tile], room))
        return max(0, fewest - room), cell_len(texts[tile]) - fewest

    for tile in sorted(texts, key=columns_short, reverse=True):
        wanted = tile in now.takable_tiles or not now.takable_tiles
        further = len(wrap(f"{terms.tile_name(tile)} {texts[tile]}", width - NUMBER, indent="  ")) - 1
        if density < DENSEST or (wanted and 0 < further <= spare):
            whole.append(tile)
            spare -= further
    rows: list[Row] = []
    taken: list[Row] = []
    for tile in now.cave.up:
        can, key = tile in now.takable_tiles, f" {tasks.tile_key(now, tile)} "
        do = f"take:{tile}" if can else ""
        title, room = terms.tile_name(tile), width - NUMBER
        if (seat := tasks.seat_that_took_tile(now, tile)) is not None:
            name = f"{title} " if packed else fit(title, longest + 1)
            row = [Span(key + name, "dim"), Span(f" {LETTERS[seat]} ", seat_role(seat))]
            taken.append(row)
            rows += [] if packed else [[*row, Span(" took it", "dim")], *[[]] * (density == AIRY)]
            continue
        begins = (longest if aligned else cell_len(title)) + 1
        text = texts[tile]
        if tile not in whole:
            text = shorten_text(terms.effect_in_few_words(text, room - begins), room - begins)
        one, *more = wrap(fit(title, begins) + text, room, indent="  ")
        rows.append(
            [
                Span(key, "key" if can else "dim", do),
                Span(one[:begins], "strong" if can else "dim", do),
                Span(one[begins:], "text", do),
            ]
        )
        rows += [[Span(" " * NUMBER + line, "text", do)] for line in more] + [[]] * (density == AIRY)
    return [*rows, *(flow(taken, width) if packed and taken else [])]


def hand_rows(now: VersusScene, width: int) -> list[Row]:
    rows: list[Row] = [[Span(f" {line}", "tip")] for line in wrap(asked_words(now), width - 2)]
    rows += _tile_parts_rows(now, width)
    found = () if now.step_is_done else tasks.doings(now)
    keys = "Each action keeps its key:" if now.mode == "actions" else "Press a key:"
    rows += [[Span(f" {keys}", "dim")]] if found else []
    for each in found:
        do = f"kind:{each.kind}"
        for number, text in enumerate(wrap(each.words, width - 5, indent="  ")):
            key = f" {each.key or ' '} " if not number else "   "
            rows.append([Span(key, "key", do), Span(text, "text", do)])
    return rows


def _tile_parts_rows(now: VersusScene, width: int) -> list[Row]:
    cave = now.cave
    if cave.phase not in ("actions", "dig", "cavern") or not cave.taken or cave.drafting:
        return []
    # A lesson explains the price later.
    told = terms.tile_parts(cave.tile, now.turns_this_round, explained=now.state.lesson is None)
    parts = [(words, number in cave.done) for number, words in enumerate(told)]
    running = room_action_of(cave)
    if cave.used and running and "use_room" in now.kinds:
        left = allowed_room_uses(now.me, running[1]) - len(cave.used)
        parts = [
            (f"use {count(left, 'more room')}", False) if words.startswith("use ") else (words, done)
            for words, done in parts
        ]
    extra = tasks.words_of_additional(now, cave.tile)
    parts += [(extra, cave.additional)] if extra else []
    rows: list[Row] = []
    for words, done in parts:
        for line, text in enumerate(wrap(words, width - 7)):
            first = f" {'done' if done and not line else '':<4} "
            rows.append([Span(first, "dim" if done else "gain"), Span(text, "dim" if done else "title")])
    used = f"used: {joined([terms.room_name(each) for each in cave.used])}" if cave.used else ""
    return [*rows, *([Span(f"      {line}", "dim")] for line in wrap(used, width - 7) if used)]


POINTS = 3  # columns of a room's points
NAMES = 10  # least columns of names: "points" is above the points
ABOUT = 4  # rows beside the rooms on show: the heading, and the words about one room
LEAST_EFFECT = 12
COMES = "Rooms that are dug up come here."
MESSAGE = 2  # rows of a tip, which cover the last rooms: more are a hint, and rooms come before words about one
LEAST_ROOMS = 3  # rows left for rooms if the words about one of them are long


def _room_cost_cell(room: Room, squeezed: int) -> str:
    cost = terms.goods_as_letters(terms.amounts_as_letters(room.cost)).replace("nothing", "free")
    return cost.replace(" ", "") if squeezed else cost


def _room_walls_cell(room: Room, squeezed: int) -> str:
    walls = terms.WALLS[room.walls][0]
    return walls.replace(" or ", "/").replace(", ", "/") if squeezed > 1 and "corner" in walls else walls


def _room_columns(names: Sequence[str], width: int) -> tuple[int, int, int, int, int]:
    """Return the columns of names, costs and walls of rooms, which of them are shortened: 0 none, 1 the costs,
    2 the walls, too; and the columns of the bands under names.
    """
    rooms = [terms.room_of_name(name) for name in names]
    points = {each: len(terms.points_sign(each.id)) for each in rooms}
    widest, name = max(points.values(), default=1), max((cell_len(each.name) for each in rooms), default=0)
    longest = max([NAMES, name + widest - 2, *(cell_len(each.name) + points[each] - 1 for each in rooms)])
    for squeezed in range(3):
        cost = 1 + max([4, *(cell_len(_room_cost_cell(each, squeezed)) for each in rooms)])
        walls = max((cell_len(_room_walls_cell(each, squeezed)) for each in rooms), default=0)
        left = max(POINTS, width - 1 - POINTS - cost - walls)
        if left >= longest:
            break
    found = min(longest, left)
    return found, cost, walls, squeezed, min(name, found + 2 - widest)


CARDS = (8, 7, 6)  # rows of a room's picture with its cost and walls, best first
ACROSS = 3  # least number of pictures side by side


def card_rows(many: int, width: int, height: int) -> int:
    """Return the rows of each room's picture if all fit, else 0."""
    across = width // WIDE
    fitting = (high for high in CARDS if -(-many // across) * high <= height)
    return next(fitting, 0) if many and across >= ACROSS else 0


def room_rows(many: int, beside: int, width: int, height: int) -> int:
    """Return the rows that this many rooms on show need, with the rows ``beside`` them."""
    left = height - beside
    if high := card_rows(many, width, left):
        return -(-many // (width // WIDE)) * high + beside
    return many * (2 if 5 * many // 2 <= left else 1) + beside


def half_of_rooms(many: int) -> int:
    """Return the rows of half of the rooms on show, with the number of the others."""
    return (many + 1) // 2 + (many > 1)


class Display(VersusPanel):
    at: Space | None = None
    there: Space | None = None  # the space under the cursor in the opponent's cave
    room: str = ""
    describes = True  # even if rooms have too little room for that
    _before: tuple[Space | None, str] = (None, "")
    _sizes = (0, 0, 0, 0, 1)
    _fits: Collection[str] = ()  # the rooms with ``FITS``
    drawer: Callable[[], RoomSignWriter]
    """Returns the caves' drawer, for the pictures of rooms."""

    def scene_rows(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        width -= MARGIN
        empty = self.at is not None and tasks.is_empty(now, self.at)
        found = {each.room: each for each in tasks.room_fits(now, self.at)} if empty and self.at else {}
        names = [*found] or [*tasks.rooms_best_first(now)]
        self._fits = {
            name for name in names if (found[name].words == "fits" if found else tasks.can_furnish(now, name))
        }
        self._follow(names, height)
        more = self._description_rows(now, found, width)
        if 0 < height < HEADING + len(names) + len(more):
            more = self._description_rows(now, found, width, with_sign=bool(found))
        gives_way = not self.describes or self._covered > MESSAGE
        if gives_way and 0 < height < HEADING + max(len(names), LEAST_ROOMS) + len(more):
            more = []
        if height:
            most = max(0, height - HEADING - max(LEAST_ROOMS, half_of_rooms(len(names))))
            more = [*cut_off(more, width, most)]
        left = max(1, height - HEADING - len(more)) if height else 0
        if not names:
            note = [self.heading_row("No rooms on show", width)]
            if not (now.cave.drafting or now.over):
                note += ([Span(f" {line}", "dim")] for line in wrap(COMES, width - 2))
            return [*note, *self.rows_in_goods_colours(more)]
        if cards := self._room_cards(names, found, width, left):
            return [self.heading_row("Rooms on show", width), *cards, *self.rows_in_goods_colours(more)]
        self._sizes = _room_columns(names, width)
        for effects in (str, terms.goods_as_letters, None):
            told = [self._room_rows(name, found.get(name), width, effects) for name in names]
            spare = left - sum(map(len, told))
            if not left or spare >= 0:
                break
        for number, room in enumerate(names if effects is None else ()):  # rows that remain say what the first rooms do
            longer = self._room_rows(room, found.get(room), width, terms.goods_as_letters)
            if (further := len(longer) - len(told[number])) > spare:
                break
            told[number], spare = longer, spare - further
        rows = [row for each in told for row in each]
        name, cost, *_ = self._sizes
        points = "points " if name + POINTS - 7 > len("ROOMS") else ""
        head = Span(f" {fit('ROOMS', name + POINTS - len(points))}", "title")
        walls = shorten_text("walls around it", max(5, width - name - POINTS - cost - 1))
        heads = Span(f"{points}{fit('cost', cost)}{walls if walls.endswith('it') else 'walls'}", "dim")
        return self.rows_in_goods_colours([[head, heads], *self.rows_in_window(rows, left), *more])

    def _follow(self, names: Sequence[str], height: int) -> None:
        if self._before[0] != self.at:
            self._above = 0
        if self.room in names and self._before != (self.at, self.room):
            row = names.index(self.room)
            self._above = row if row < self._above else max(self._above, row - max(0, height - 6))
        self._before = (self.at, self.room)

    def _room_cards(
        self, names: Sequence[str], found: Mapping[str, tasks.RoomFit], width: int, height: int
    ) -> list[Row]:
        """Return the rooms as in a cave, with cost and walls below; nothing if they do not fit."""
        rows: list[Row] = []
        high = card_rows(len(names), width, height)
        drawer = self.drawer()
        if high:
            across = width // WIDE
            for start in range(0, len(names), across):
                beside = names[start : start + across]
                cards = [self._room_card(drawer, name, found.get(name), high) for name in beside]
                rows += [[span for card in cards for span in card[row]] for row in range(high)]
        return rows

    def _room_card(self, drawer: RoomSignWriter, name: str, here: tasks.RoomFit | None, high: int) -> list[Row]:
        do, code, why = f"room:{name}", here.code if here else "", here.why if here else ""
        block = drawer.block(Look("room", name), high)[1:]
        rows: list[Row] = [
            [Span(" "), *(Span(piece.text, do=do, look=piece.style) for piece in cut(row, 1, WIDE))] for row in block
        ]
        room = terms.room_of_name(name)
        cost, walls = _room_cost_cell(room, 1), _room_walls_cell(room, 2)
        if not walls.islower():
            walls += " wall" if walls == "1" else " walls"
        for long, short in ((" or ", "/"), ("corner", "cor.")):
            if len(cost) + 1 + len(walls) > INNER - 1:  # a gap to the next room
                walls = walls.replace(long, short)
        if name == self.room:
            needs = [Span(f"{cost} {walls}", "chosen", do)]
        else:
            needs = [
                Span(f"{cost} ", "warn" if why and not code else "text", do),
                Span(fit(walls, INNER - 1 - len(cost)), "warn" if code == "walls_differ" else "text", do),
            ]
        mark = Span(FITS if name in self._fits else " ", "gain")
        return [*rows, self.rows_in_goods_colours([[mark, *needs, Span(" " * (INNER - length(needs)))]])[0]]

    def _room_rows(
        self, name: str, here: tasks.RoomFit | None, width: int, effects: Callable[[str], str] | None
    ) -> list[Row]:
        """Return a room: its points, cost and walls, with its effect below if it fits."""
        room, do = terms.room_of_name(name), f"room:{name}"
        code, why = (here.code, here.why) if here is not None else ("", "")
        role, (longest, most, walls, squeezed, band) = "dim" if code else room.colour, self._sizes
        points = terms.points_sign(name)
        label = f"{fit(room.name, longest + 1 - len(points)).rstrip():<{band}}"
        ground = None if code or name == self.room else self.ground_style(room.colour)
        row = [
            Span(FITS if name in self._fits else " ", "gain", do),
            Span(label, "chosen" if name == self.room else role, do, ground),
            Span(f"{points:>{longest + 2 - cell_len(label)}} ", "key", do),
            Span(fit(_room_cost_cell(room, squeezed), most), "warn" if why and not code else "text", do),
            Span(fit(_room_walls_cell(room, squeezed), walls), "warn" if code == "walls_differ" else "text", do),
            Span(" "),
        ]
        words, ink = terms.room_effect(name), "dim" if code else "text"
        left, short = width - length(row), terms.goods_as_letters(words)
        if effects is None or (effects is terms.goods_as_letters and cell_len(short) <= left):
            if cell_len(short := terms.effect_in_few_words(short, left)) > left:
                short = terms.room_signs(name)
            return [[*row, Span(short, ink, do)] if cell_len(short) <= left >= LEAST_EFFECT else row]
        use = "use: " if room.colour == "orange" else ""
        below = wrap(f"  {use}{effects(words)}", width - 1, indent="  ")
        return [row, *([Span(line, ink, do)] for line in below)]

    def _description_rows(
        self, now: VersusScene, found: Mapping[str, tasks.RoomFit], width: int, *, with_sign: bool = True
    ) -> list[Row]:
        """Describe the selected room, else the space under the cursor, and ``FITS``."""
        if self.there is not None:
            words = tasks.space_words(now, 1 - now.seat, self.there)
        elif self.room in now.cave.display:
            here = found.get(self.room)
            words = tasks.room_words(now, self.room)
            words += f" On {terms.space_words(self.at)}: {here.words}." if here is not None and self.at else ""
        elif self.at is not None:
            words = tasks.space_words(now, now.seat, self.at)
            if self._fits and with_sign:
                words += f" {FITS} fits {'here' if found else 'a space'}, and you have its cost."
        else:
            return []
        return [[Span(f" {line}", "tip")] for line in wrap(words, width - 2)]
