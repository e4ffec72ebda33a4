"""The panes beside the map: the turn, the choices, players, hazards, and the hex under the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.segment import Segment

from cave.caves_of_casadh.actions import Keep
from cave.caves_of_casadh.components import Cell, components
from client.face import LETTERS
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.dice import FACES, ROLL, DieRoll
from client.games.caves_of_casadh.dice import die_rows as rows_of_roll
from client.games.caves_of_casadh.hex_painter import HexPainter
from client.games.caves_of_casadh.hex_signs import ROLES as ON_THE_MAP
from client.games.caves_of_casadh.passages import axial_cell, on_board
from client.games.caves_of_casadh.scene import (
    CasadhScene,
    PlayerRow,
    card_words,
    hex_facts,
    hex_title,
    home_words,
    laid_hex_at,
    offered_values,
    player_rows,
    points_with_surface,
    track_words,
)
from client.games.caves_of_casadh.tasks import NO_WAY_HOME, Task
from client.tui.board.geometry import Place
from client.tui.motion import MotionPlayer
from client.tui.text_roles import PANELS, Hue
from client.tui.themes import motion_of
from client.tui.widgets.panel import Row, Span, fit, flow, length, seat_role, shorten_name, shorten_text, wrap
from client.tui.widgets.panes import ScenePane, game_title, header_row, which_table, whose_turn
from client.wording import count

ROLES: Mapping[str, Hue] = {
    **ON_THE_MAP,
    **PANELS,
    "hp": Hue("map-need", bold=True),
    "item": Hue("map-water"),
    "coin": Hue("map-wonder", "cap", bold=True),
}
LEGEND = (
    ("?", "unknown", "unexplored"),
    ("♦", "marker", "marker: items"),
    ("T2", "treasure", "2 treasures"),
    ("i1", "item", "1 item"),
    ("b", "hazard", "bats, asleep"),
    ("B!", "token", "awake: -1 HP"),
    ("►", "slope", "slope down"),
    ("≈", "water", "water"),
    ("2!", "danger", "danger there"),
    ("2×", "danger", "no way home"),
    ("*", "star", "must face you"),
    ("L1", "level", "hex level"),
)
LEAST_LEGEND = 4  # rows below which the legend is hidden
TITLES: Mapping[str, str] = {
    "actions": "What you can do",
    "placing": "Lay the hex",
    "keeping": "Keep one",
    "fleeing": "Flee",
    "driving": "Drive the grue",
    "haunting": "Move Grue",
    "taking_lantern": "Take a Brass Lantern",
    "moving_grue": "Move a grue",
    "over": "The end",
    "waiting": "Waiting",
    "watching": "Watching",
}
DONE = "Step done"  # of a lesson
TAKE_IT = "Take it"  # the only treasure
LEADS_ON = "where you can go on (?: unexplored)"
CHANCE = "chance the next wakes all"
NO_HAZARDS = "none yet: new hexes bring methane (gas), bats, tremors (quakes), grues (beasts)"
FREE = "0 MP"
SIGN = "×"  # no way home, as on the map
EDGE = 1  # columns of margin at the right edge
WIDE_SIDE = 36  # columns from which this fits
BESIDE = 10  # columns of a player's first row besides name and HP
HERE = 7  # rows that players leave to the hex under the cursor if short names of their items suffice
COIN_ROWS, COIN_COLUMNS = 4, 13
COLUMN = 28  # least columns of a task beside another one


class CasadhPane(ScenePane[CasadhScene]):
    GROWS: ClassVar[bool] = False
    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    def __init__(self, *, glyphs: str, line: str = "─", id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self.signs = terms.pane_signs(glyphs)
        self._in_ascii = terms.IN_ASCII if glyphs == "ascii" else {}

    def drawn_sign(self, sign: str) -> str:
        return sign.translate(self._in_ascii)


class Header(CasadhPane):
    address = ""

    def scene_rows(self, now: CasadhScene, width: int, height: int) -> Sequence[Row]:
        cave = now.cave
        points: list[Span] = []
        if not (now.over or now.state.halted or cave.seat is None) and cave.players[cave.seat].state == "in":
            most = components().start_hp  # As many MP as HP (rule 3.1).
            spent = self.signs["lost"] * (most - cave.mp)
            points = [Span(" MP ", "dim"), Span(self.signs["mp"] * cave.mp, "key"), Span(spent, "dim")]
        number = Span("" if now.over else f"   round {cave.round}", "dim")
        name = game_title(now)
        lefts = ([name, number, which_table(now, self.address, width)], [name, number], [name], [number])
        return header_row(now, width, lefts, whose_turn(now, cave.seat), [*points, Span(" ")])


class Tasks(CasadhPane):
    note = ""
    chosen: Task | None = None
    named: Sequence[Task] = ()  # the action that a hint names

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._roll: DieRoll | None = None
        self._frame = 0
        self.tumbling = MotionPlayer(self, ROLL, self._show_roll, lambda: motion_of(self.app))

    def show_roll(self, found: DieRoll) -> None:
        """Show a roll instead of the list; without animations the die does not roll."""
        self._roll, self._frame = found, FACES if motion_of(self.app).level == "calm" else 0
        self.tumbling.start()
        if not self.tumbling.is_moving:
            self._roll = None

    def end_roll(self) -> None:
        self.tumbling.stop()

    def _show_roll(self, number: int | None) -> None:
        if number is None:
            self._roll = None
        self._frame = max(self._frame, number or 0)
        self.refill()

    def scene_rows(self, now: CasadhScene, width: int, height: int) -> Sequence[Row]:
        if self._roll is not None:
            return rows_of_roll(self._roll, self._frame, width)[:height]
        card = card_words(now) if now.mode == "keeping" else ""
        aside = LEADS_ON if now.mode == "placing" else card or home_words(now)
        offered = offered_values(now.cave) if now.mode == "keeping" else ()
        title = DONE if now.step_is_done else TAKE_IT if len(offered) == 1 else TITLES[now.mode]
        heading = self.heading_row(title, width, aside)
        if now.step_is_done or not now.tasks:
            return [heading, *([Span(f" {line}", "dim")] for line in wrap(self.note, width - 2))][:height]
        keys = _keys_of_treasures(now.tasks)
        if offered and keys.keys() >= {*offered} and height > COIN_ROWS and len(offered) * COIN_COLUMNS < width:
            return [heading, *self._treasure_card_rows(keys, offered)]
        room = max(1, height - 1)
        columns = max(1, min(width // COLUMN, -(-len(now.tasks) // room)))
        # Giving up is only in the list of all actions, apart from the end of the turn.
        shown = tuple(task for task in now.tasks if task.kind != "give_up")
        if len(shown) > room * columns:
            wanted = [task for task in shown if task in (self.chosen, *self.named)]
            others = [task for task in shown if task not in wanted]
            others.sort(key=lambda task: task.key.isdecimal())  # leave out slopes, which come last
            kept = [*wanted, *others[: max(0, room * columns - 1 - len(wanted))]]
            shown = tuple(task for task in shown if task in kept)
        more = len([task for task in now.tasks if task.kind != "give_up"]) - len(shown)
        forms = [_told_tasks(shown, more, brief=bool(form), short=max(0, form - 1)) for form in range(4)]
        least = max(width, min(sum(_rows_needed(each, room)) for each in forms))
        told = next(each for each in forms if sum(_rows_needed(each, room)) <= least)
        if any(SIGN in line[3] for line in told):
            told = [(*line[:3], self.drawn_sign(line[3]), line[4]) for line in told]
            heading = self.heading_row(title, width, f"{aside} ({self.drawn_sign(SIGN)}: none)")
        widths = _rows_cut_to_fit(_rows_needed(told, room), width)
        rows: list[list[Span]] = [[] for _ in range(min(room, len(told)))]
        for number, line in enumerate(told):
            chosen = number < len(shown) and shown[number] is self.chosen
            rows[number % room] += _task_row(line, widths[number // room], chosen=chosen)
        return [heading, *rows]

    def _treasure_card_rows(self, key_of: Mapping[int, str], values: Sequence[int]) -> Iterator[Row]:
        """Yield treasures to choose from as cards with their values, each above its key: one for equal values."""
        inside = COIN_COLUMNS - 4
        for left, middle, right in ("+-+", "| |", "+-+") if self._in_ascii else ("┌─┐", "│ │", "└─┘"):
            texts = ((f"worth {each}" if middle == " " else "").center(inside, middle) for each in values)
            cards = zip(texts, map(key_of.__getitem__, values), strict=True)
            yield [
                span
                for text, key in cards
                for span in (Span("  "), Span(f"{left}{text}{right}", "coin", f"number:{key}"))
            ]
        does = "keep" if len(values) > 1 else TAKE_IT.lower()
        row: list[Span] = []
        for each, before in zip(values, (None, *values), strict=False):
            key, words = (" ", "the same") if each == before else (key_of[each], does)
            row += [Span(f"  {key}", "key", f"number:{key_of[each]}"), Span(f" {words:<{COIN_COLUMNS - 4}}")]
        yield row


def _keys_of_treasures(tasks: Sequence[Task]) -> Mapping[int, str]:
    """Return the keys of treasures to keep, by value. Of a host that contradicts itself some may be missing."""
    return {action.treasure: task.key for task in tasks for action in task.actions if isinstance(action, Keep)}


def _coin_pixel(at: Place, piece: Segment) -> Span:
    q, r = axial_cell(at)
    return Span(piece.text, do=f"show:{q},{r}", look=piece.style)


def _holdings_in_words(row: PlayerRow, purse: Sequence[Span], width: int) -> list[Row]:
    held = [*(Span(name, "item") for name in row.items), *_treasure_spans(row, purse, width)]
    held = held or [Span("no items", "dim")] * (width >= WIDE_SIDE - EDGE)
    return [*_separated_by_commas(held, width), *_holdings_in_a_row(row, purse, width, items=False)]


def _treasure_spans(row: PlayerRow, purse: Sequence[Span], width: int) -> list[Span]:
    """Return the number of treasures, unless their sum is shown with it."""
    number = len(row.player.treasures)
    return [Span(count(number, "treasure"), "treasure")] if number and not _is_too_long(purse, width) else []


def _is_too_long(purse: Sequence[Span], width: int) -> bool:
    return len(purse) > 1 and length(purse) > width - 2


def _holdings_in_a_row(row: PlayerRow, purse: Sequence[Span], width: int, *, items: bool = True) -> list[Row]:
    held = [*(Span(name, "item") for name in row.items), *_treasure_spans(row, purse, width)] if items else []
    held += [Span(name, "warn") for name in row.misfortunes]
    return [*_separated_by_commas(held, width), *_indented(_counted_treasures(purse, width), width)]


def _holdings_in_brief(
    row: PlayerRow, purse: Sequence[Span], width: int, form: int, *, counted: bool = False
) -> list[Row]:
    """Return the holdings with short names; ``counted``: ``3 treasures`` instead of ``T3``."""
    number = len(row.player.treasures)
    held: list[Row] = [[Span(terms.BRIEF[kind][form], "item")] for kind in row.player.items]
    # Values, if shown, say how many there are.
    told = count(number, "treasure") if counted else f"T{number}"
    held += [[Span(told, "treasure")]] if number and not row.values else []
    burdens = terms.misfortune_names(row.player.misfortunes, lambda kind: terms.BRIEF[kind][form])
    purse = [replace(span, text=span.text.removeprefix("treasures ")) for span in purse]
    return _indented([*_counted_treasures(purse, width), *held, *([Span(name, "warn")] for name in burdens)], width)


def _separated_by_commas(spans: Sequence[Span], width: int) -> list[Row]:
    commas = "," * (len(spans) - 1)
    return _indented([[replace(span, text=span.text + commas[at : at + 1])] for at, span in enumerate(spans)], width)


def _indented(pieces: Sequence[Row], width: int) -> list[Row]:
    return [[Span("  "), *row] for row in flow(pieces, width - 2)] if pieces else []


def _counted_treasures(purse: Sequence[Span], width: int) -> list[Row]:
    if not purse:
        return []
    first, *rest = purse
    if _is_too_long(purse, width):
        return [[replace(first, text=f"{count(1 + first.text.count('+'), 'treasure')}: {rest[0].text[1:]}")]]
    return [[replace(first, text=shorten_text(first.text, width - 2 - length(rest))), *rest]]


Told = tuple[str, str, str, str, str]  # key, words, price, danger, and the word of a click


def _told_tasks(tasks: Sequence[Task], more: int, *, brief: bool, short: int) -> list[Told]:
    """Return the lines; ``short`` leaves out the MP of free tasks (1), and has a sign for the loss of the way home (2).
    Words are cut before prices.
    """
    lines = []
    for task in tasks:
        words = (task.brief if brief else "") or task.words
        do = f"number:{task.key}" if task.key.isdecimal() else task.kind
        price = task.price.removeprefix(FREE).removeprefix(", ") if short else task.price
        danger = task.danger.replace(NO_WAY_HOME, SIGN) if short > 1 else task.danger
        words = words.removeprefix("take ").removeprefix("look for ") if short > 1 else words
        price, danger = (f" {each}" if each else "" for each in (price, danger))
        lines.append((task.key, words, price, danger, do))
    return [*lines, ("a", f"{more} more", "", "", "all")] if more else lines


def _rows_needed(told: Sequence[Told], rows: int) -> list[int]:
    lines = [sum(map(cell_len, line[:4])) + 4 for line in told]
    return [max(lines[start : start + rows]) for start in range(0, len(lines), rows)]


def _rows_cut_to_fit(found: list[int], width: int) -> list[int]:
    while sum(found) > width:
        found[found.index(max(found))] -= 1
    return found


def _task_row(line: Told, width: int, *, chosen: bool) -> Row:
    key, words, price, hurt, do = line
    room = width - len(key) - 3 - len(price) - len(hurt)
    row = [
        Span(f"{'>' if chosen else ' '}{key} ", "key", do),
        Span(shorten_text(words, max(4, room)), "strong" if chosen else "text", do),
        Span(price, "gain", do),
        Span(hurt, "warn", do),
    ]
    return [*row, Span(" " * max(0, width - length(row)))]


class Side(CasadhPane):
    cursor: Cell = (0, 0)
    cover_key = ""
    rotation = 0  # index of the rotation of the hex in hand
    board: HexMap | None = None

    def scene_rows(self, now: CasadhScene, width: int, height: int) -> Sequence[Row]:
        rows: list[Row] = []
        tracks = self._hazard_track_rows(now, width)
        told = self._player_rows(now, width, height - len(tracks))
        most = max(3 * len(told) + 16, sum(map(len, told)) + len(told) + len(tracks) + HERE)
        roomy = height >= most
        for each in told:
            rows += [*each, *[[]] * roomy]
        here = [*self._facts_at_cursor(now, width - EDGE)]
        spare = height - len(rows) - len(tracks) - sum(map(len, here))
        rows += [*[[]] * (not roomy and spare > 1), *tracks, *[[]] * (roomy or spare > 0)]
        for fact in here:  # a fact without enough room is left out whole; a message may cover the last row
            rows += fact if len(rows) + len(fact) < height + (fact is here[0]) else []
        rows += self._whole_cave_picture(width, height - len(rows)) or self._legend_rows(width, height - len(rows))
        return [*rows, *self._close_up(width, height - len(rows))]

    def _whole_cave_picture(self, width: int, height: int) -> Sequence[Row]:
        """Return a picture of the whole cave, if the map shows only part of it."""
        board = self.board
        if board is None:
            return []
        board.fit_before_painting()  # this pane may be filled before the map is painted
        if board.shows_all:
            return []
        found = board.inset_rows(width, height - 2)
        rows = [[_coin_pixel(*piece) for piece in row] for row in found]
        return [[], self.heading_row("Whole cave", width), *rows] if rows else []

    def _close_up(self, width: int, height: int) -> Sequence[Row]:
        found = [] if self.board is None else self.board.close_up(on_board(self.cursor), width, height - 2)
        rows = [[_coin_pixel(*piece) for piece in row] for row in found]
        return [[], self.heading_row("Close up", width), *rows] if rows else []

    def _legend_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the map's legend if the pane would be empty, in two columns if they fit."""
        across = 2 if width >= WIDE_SIDE else 1
        lit = self.board.drawer if self.board is not None else None
        look = lit.sign_style if isinstance(lit, HexPainter) else lambda _: None
        cells = [
            [
                Span(" " * (3 - len(sign))),
                Span(self.drawn_sign(sign), role, look=look(role)),
                Span(f" {words}".ljust(width // across - 3), "dim"),
            ]
            for sign, role, words in LEGEND
        ]
        starts = range(0, len(cells), across)
        rows = [[span for cell in cells[at : at + across] for span in cell] for at in starts]
        aside = "rest in help" if len(rows) > height - 2 else ""
        return [[], self.heading_row("Signs", width, aside), *rows][:height] if height > LEAST_LEGEND else []

    def _player_rows(self, now: CasadhScene, width: int, height: int) -> list[list[Row]]:
        found, width = [*player_rows(now)], width - EDGE
        longest = max(cell_len(row.name) for row in found) - len("()")
        head = partial(self._player_heading, now, width=width, tight=longest + components().start_hp + BESIDE > width)
        told: list[list[Row]] = []
        for holds in (
            _holdings_in_words,
            _holdings_in_a_row,
            partial(_holdings_in_brief, form=0, counted=True),
            partial(_holdings_in_brief, form=0),
            partial(_holdings_in_brief, form=1),
        ):
            told = [[head(row), *holds(row, self._player_treasures(now, row), width)] for row in found]
            if sum(map(len, told)) <= height - HERE:
                break
        if (total := points_with_surface(now)) and found[now.seat].values:
            more, rows = f"{total} with the Surface", told[now.seat]
            if rows[-1][-1].do == "cover" and length(rows[-1]) + len(f" ({more})") <= width:
                rows[-1] = [*rows[-1], Span(f" ({more})", "treasure")]
            elif sum(map(len, told)) < height - HERE:
                rows.append([Span(f"  {more}", "treasure")])
        while sum(map(len, told)) >= height > len(told):  # keeps hazards and the name of the hex visible
            max(told, key=len).pop()
        return told

    def _player_heading(self, now: CasadhScene, row: PlayerRow, *, width: int, tight: bool) -> Row:
        """Return the name and HP; ``tight`` leaves more room for the name."""
        arrow, player = ">" if row.seat == now.cave.seat else " ", row.player
        lost = self.signs["lost"] * (components().start_hp - player.hp)
        state = [Span(self.signs["hp"] * player.hp, "hp"), Span(lost, "dim")]
        if player.state != "in":
            state = [Span(player.state.upper().center(4), "dim")]
        head = [Span(arrow, "key"), Span(f" {LETTERS[row.seat]} ", seat_role(row.seat))]
        head += [] if tight else [Span(" ")]
        room = width - length(head) - 1 - length(state)
        name = shorten_name(row.name, max(1, room))
        return [*head, Span(f"{fit(name, room)} ", "strong"), *state]

    def _player_treasures(self, now: CasadhScene, row: PlayerRow) -> Sequence[Span]:
        if row.values:
            texts = ("+".join(map(str, row.values)), f"={sum(row.values)}" * (len(row.values) > 1))
            return [Span(text, "treasure", "cover") for text in texts]
        if not now.over and row.player.treasures and row.seat in now.state.my_seats and self.cover_key:
            return [Span(f"treasures hidden ({self.cover_key})", "dim", "cover")]
        return []

    def _hazard_track_rows(self, now: CasadhScene, width: int) -> list[Row]:
        if not any(track.icons or track.tokens or track.vengeance for track in now.tracks):
            none = wrap(NO_HAZARDS, width - 2)
            return [self.heading_row("Hazards", width), *([Span(f" {line}", "dim")] for line in none)]
        rows: list[Row] = [self.heading_row("Hazards", width, CHANCE if width >= WIDE_SIDE else "next wakes?")]
        for track in now.tracks:
            if not (track.icons or track.tokens or track.vengeance):
                continue
            odds = f"{track.percent}%"
            told = [f" {terms.HAZARDS[track.hazard]:<8}{words}" for words in track_words(track)]
            text = next((words for words in told if len(words) <= width - len(odds) - 2), told[-1])
            role = "warn" if track.tokens else "text"
            gap = " " * max(1, width - len(text) - len(odds) - 1)
            rows.append([Span(text, role), Span(gap), Span(odds, "warn" if track.percent >= 50 else "gain")])
        return rows

    def _facts_at_cursor(self, now: CasadhScene, width: int) -> Iterator[list[Row]]:
        """Yield the rows of the name, and of each fact; the most important first."""
        at = self.cursor
        laid = laid_hex_at(now.cave, at)
        lines = wrap(terms.place_words(hex_title(now.cave, at), at), width - 2)
        rows: list[Row] = [[Span(f" {line}", "title")] for line in lines]
        if laid is not None and not laid.layout.hex.special:
            level = Span(f" level {laid.layout.hex.level}", "level")
            rows = [*rows[:-1], *flow([rows[-1], [level]], width - 1, "")]
        yield rows
        for fact in hex_facts(now, at, self.rotation):
            yield [[Span(f" {line}", "text")] for line in wrap(fact, width - 2, indent=" ")]
