"""The header, the supplies, the backpack and the teams: how things stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style

from cave.the_cave.state import TURN_AP
from client.games.the_cave.board.glyphs import SETS
from client.games.the_cave.known import terms
from client.games.the_cave.known.facts import Section, TeamRow, TokenRow
from client.games.the_cave.known.packing import Slot
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.supplies import Supplies, last_rounds
from client.present.hosts import in_place_of_the_turn
from client.settings.appearance import GlyphSetName
from client.tui.motion import TURN, Player
from client.tui.paint.canvas import pair
from client.tui.paint.colour import BLACK, WHITE, Rgb, mix, readable
from client.tui.roles import PANELS, SEATS, Hue
from client.tui.themes import motion_of, seat_ink
from client.tui.widgets.header import WIDE, game_title, header_row, which_table
from client.tui.widgets.panel import (
    PLAIN,
    Panel,
    Row,
    Span,
    cut_off,
    fit,
    length,
    seat_role,
    short,
    shortened,
    wrap,
)

LIT, SPENT = "▐▌", "▗▖"
LONGEST = 14
"""The most cells of the way home; a longer one is drawn to scale."""
SHINE = 0.55
"""How much white there is in the light that goes through the sign of a turn."""


class HeaderBar(Panel):
    """Game, stacks, whose turn it is, action points: one row."""

    def __init__(self, glyph_set: GlyphSetName, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyph_set = glyph_set
        self._now: CaveScene | None = None
        self._address = ""
        self._local = False
        self._shining = Player(self, TURN, self._shine, lambda: motion_of(self.app))
        self._lit: int | None = None
        """How far a light has come that goes through the sign of one's turn."""

    def shine(self) -> None:
        """Let a light go through the sign as one's turn begins."""
        self._shining.start()

    def _shine(self, number: int | None) -> None:
        self._lit = number
        self.refill()

    def show(self, now: CaveScene, address: str = "", *, local: bool = False) -> None:
        """Set what the row says. The number of a ``local`` table is shown only where there is room."""
        self._now, self._address, self._local = now, address, local
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; the less needed parts of its left side go first."""
        now = self._now
        if now is None:
            return [[]]
        points: list[Span] = []
        if not (now.cave.phase == "packing" or now.over or now.state.halted):
            points = [Span("  AP ", "dim"), *meter(now.cave.ap, TURN_AP, self._glyph_set), Span(" ")]
        number = "" if self._local else f"  {now.state.table}"
        where = Span(which_table(now, self._address, width).text[1:] or number, "dim")
        name, short = game_title(now), self._stacks(now, every=width >= WIDE, short=True)
        stacks = self._stacks(now, every=width >= WIDE)
        lefts = ([name, where, *stacks], [name, where, *short], [name, *stacks], short)
        return [self._lit_up(row) for row in header_row(now, width, lefts, _whose(now), points)]

    def _lit_up(self, row: Row) -> Row:
        sign = next((span for span in row if span.role in SEATS), None)
        ground = None if sign is None else self._style(sign.role).bgcolor
        if self._lit is None or sign is None or ground is None or ground.triplet is None:
            return row
        step = -(-len(sign.text) // (TURN.frames or 1))
        start, end = self._lit * step, (self._lit + 1) * step
        bright = mix(Rgb(*ground.triplet), WHITE, SHINE)
        shining = Span(sign.text[start:end], look=pair(readable(BLACK, bright), bright, True))
        at = row.index(sign)
        dark = [Span(part, sign.role) for part in (sign.text[:start], sign.text[end:])]
        return [*row[:at], dark[0], shining, dark[1], *row[at + 1 :]]

    def _stacks(self, now: CaveScene, *, every: bool, short: bool = False) -> list[Span]:
        """Return the stack in use, or all of them, with bars as high as they are, or in words; at the end the
        rounds left. In ``short`` there is only a colon between the name of a stack and its tiles.
        """
        rounds, stacks = last_rounds(now.cave), now.view.stack_sizes
        last = [Span(f"  {rounds}", "warn")] if rounds and not now.over else []
        if not any(stacks) and not last:
            return [Span("  no tiles left", "dim")]
        block = "" if short or self._glyph_set == "ascii" else "▌"
        found: list[Span] = []
        for number, size in enumerate(stacks):
            if every or (size and not found and not last):
                bar = f" {block * -(-size // 2)} " if size and block else " " if block else ":"
                found.append(Span(f"  {terms.ROMAN[number]}", "dim"))
                found += [
                    Span(bar, "title" if block else "dim"),
                    Span(f"{size or '-'}", "strong" if size else "dim"),
                ]
        if any(stacks) and found and not (block or short):
            found.append(Span(" left", "dim"))
        return [*found, *last]


def _whose(now: CaveScene) -> tuple[str, str]:
    if trouble := in_place_of_the_turn(now.state):
        return trouble, "warn"
    seat = now.cave.seat
    if now.over or seat is None:
        return "the game is over", "strong"
    if now.cave.phase != "packing" and now.state.plays(seat):
        return f">> YOUR TURN  {terms.letter(seat)} {now.view.names[seat]}", seat_role(seat)
    return now.waits_for[0].lower() + now.waits_for[1:-1], "strong"


class SupplyBar(Panel):
    """Consumables for this many turns against the way home, always; loud in the last rounds."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._supplies: Supplies | None = None
        self._name = ""
        self._seat: int | None = None
        self._ap = 0

    def show(
        self, supplies: Supplies | None, name: str = "", seat: int | None = None, ap: int | None = None
    ) -> None:
        """Set what the bar tells, whose it is where that is not plain, and the AP of the turn."""
        self._supplies, self._name, self._seat, self._ap = supplies, name, seat, ap or 0
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row: in words, and at the end the way home as a line where there is room for it."""
        found = self._supplies
        if found is None:
            return [[]]
        loud = found.turns_left is not None and not (found.at_base and found.turns_left == 0)
        role = "loud" if loud or found.late else "warn" if found.verdict else "strong"
        lead = [Span(" "), Span(f" {self._name} ", seat_role(self._seat))] if self._name else []
        way: list[Span] = []
        if self._seat is not None:
            way = way_home(found, self._seat, terms.letter(self._seat), self._ap, self._line)
        room = width - length(lead)
        beside = room - length(way) - 2 if way else room
        text = next((text for text in found.whole if len(text) + 2 <= beside), "")
        text = text or next((text for text in found.texts if len(text) + 2 <= room), found.texts[-1])
        text = shortened(text, room - 2)
        spans = [Span(f" {text} ", role)]
        if role == "warn" and text.endswith(f": {found.verdict}"):
            told = text.removesuffix(found.verdict)
            spans = [Span(f" {told}", "strong"), Span(f"{found.verdict} ", "warn")]
        gap = room - cell_len(text) - length(way) - 3
        return [[*lead, *spans, *([Span(" " * gap), *way] if way and gap > 0 else [])]]


def meter(ap: int, of: int, glyph_set: GlyphSetName) -> list[Span]:
    """Return full and empty pips and the number: ``▐▌▐▌▐▌▗▖▗▖ 3``."""
    glyphs = SETS[glyph_set]
    lit, spent = (glyphs.pip, glyphs.pip_spent) if glyph_set == "ascii" else (LIT, SPENT)
    return [Span(lit * ap, "key"), Span(spent * (of - ap), "dim"), Span(f" {ap}", "strong")]


def way_home(found: Supplies, seat: int, letter: str, ap: int, line: str) -> list[Span]:
    """Return the way home, a cell for each AP: ``⌂──━━━A``, strong as far as the AP of this turn go.

    Nothing where there is no way, or none to go.
    """
    if found.at_base or not found.home_ap:
        return []
    base, far, near = ("^", "-", "=") if line == "-" else ("⌂", "─", "━")
    length = min(LONGEST, found.home_ap)
    now = min(length, -(-ap * length // found.home_ap)) if found.running else 0
    return [
        Span(base, "gain"),
        Span(far * (length - now), "dim"),
        Span(near * now, "key"),
        Span(letter, seat_role(seat)),
    ]


ROOMY = 36
"""Columns from which the headings have room for whole words."""
CELLS, BARS, BONUS = 9, 7, 4
"""The most cells for what a team has of a token, those from which it is a bar, and those of a bonus."""
NAMES, FAIR = (5, 12), 10
"""The least and the most cells for names; depth and home go before a name has less than FAIR."""
AIRY = 30
"""Columns from which there is air around the letter of a team."""
EDGE = 1
"""Columns of air at the right edge."""


def _who(row: TeamRow, width: int, *, airy: bool) -> list[Span]:
    title = row.name if row.present else f"({row.name})"
    turn, seat, find = ">" if row.turn else " ", seat_role(row.seat), _find(row)
    name = Span(f" {short(title, width)}", "strong" if row.mine else "text", find)
    if airy:
        return [Span(" ", "text", find), Span(f"{turn}{row.letter} ", seat, find), name]
    return [Span(turn, "strong", find), Span(row.letter, seat, find), name]


def _lead(width: int) -> int:
    return 5 if width >= AIRY else 3


def _find(row: TeamRow) -> str:
    """Return the word of a click on the team's row."""
    return f"team:{row.seat}"


def _consumables(row: TeamRow) -> Span:
    count = "?" if row.consumables is None else f"{row.consumables}{'!' if row.hungry else ''}"
    return Span(count, "warn" if row.hungry else "text")


def _home(row: TeamRow) -> Span:
    """Return the turns to the base; in the last rounds those needed of those left."""
    if row.countdown is None:
        return Span(row.home)
    return Span(row.countdown.short, "warn" if row.countdown.late else "strong")


class Teams(Panel):
    """One row a team, and where there are rows for it below that, one a kind of token."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._teams: tuple[TeamRow, ...] = ()
        self._tokens: tuple[TokenRow, ...] = ()

    def show(self, teams: tuple[TeamRow, ...], tokens: tuple[TokenRow, ...]) -> None:
        """Set what the table tells."""
        self._teams, self._tokens = teams, tokens
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        columns = self._columns(width)
        sizes = list(map(_size, columns))
        lead = _lead(width)
        name = max(NAMES[0], min(NAMES[1], width - lead - sum(sizes) - EDGE))
        head = f" {fit('TEAMS', lead + name - 1)}"
        head += "".join(
            fit(column[0].text, size, right=True) for column, size in zip(columns, sizes, strict=True)
        )
        rows: list[Row] = [[Span(head[: lead + name], "title"), Span(head[lead + name :], "dim")]]
        for number, row in enumerate(self._teams, 1):
            cells = [(column[number], size) for column, size in zip(columns, sizes, strict=True)]
            spans = [Span(fit(cell.text, size, right=True), cell.role, _find(row)) for cell, size in cells]
            rows.append([*_who(row, name, airy=width >= AIRY), *spans])
        tokens = self._table(width)
        spare = height - len(rows) - len(tokens)
        if spare >= 0:
            # Air below the teams comes first: that is where another card begins.
            rows += [*([[]] if spare > 1 else []), *tokens]
        return rows

    @property
    def _bar(self) -> str:
        return "#" if self._line == "-" else "■"

    def _style(self, role: str) -> Style:
        """Return the style of a role: bars have the colour of their team, as far as it can be seen here."""
        kind, _, seat = role.partition("-")
        if kind == "bar" and role not in self._styles:
            self._styles[role] = self._style(PLAIN) + seat_ink(self.app, int(seat), "surface")
        return super()._style(role)

    def _columns(self, width: int) -> list[list[Span]]:
        teams = self._teams
        roomy = width >= ROOMY
        columns = {
            "points": [Span("VP"), *(Span(str(row.points), "strong") for row in teams)],
            "bonus": [Span("+bn"), *(Span(f"+{row.bonus}", "gain" if row.bonus else "dim") for row in teams)],
            "consumables": [Span("cons" if roomy else "cn"), *map(_consumables, teams)],
            "depth": [Span("depth" if roomy else "deep"), *(Span(row.depth) for row in teams)],
            "home": [Span("home"), *map(_home, teams)],
        }
        last = any(row.countdown is not None for row in teams)
        least = max(NAMES[0], min(FAIR, max(cell_len(row.name.replace("(bot)", "bot")) for row in teams)))
        # In the last rounds all that counts is to be home in time.
        for name in ("depth", "bonus") if last else ("home", "depth", "bonus"):
            names = NAMES[0] if name == "bonus" else least
            if _lead(width) + names + sum(map(_size, columns.values())) + EDGE <= width:
                break
            del columns[name]
        return list(columns.values())

    def _table(self, width: int) -> list[Row]:
        first = 2 + max((cell_len(tokens.name) for tokens in self._tokens), default=7)
        size = min(CELLS, (width - first) // max(1, len(self._teams)))
        head = [Span(fit(" TOKENS", first), "title")]
        for row in self._teams:
            head += [Span(row.letter, seat_role(row.seat)), Span(" " * (size - 1))]
        rows: list[Row] = [head]
        for tokens in self._tokens:
            spans = [Span(" " + fit(tokens.name, first - 1))]
            # A row of numbers, where not all of it can be bars, is compared more easily.
            bars = size >= BARS and max(count for count, _ in tokens.cells) <= size - BONUS
            for row, (count, bonus) in zip(self._teams, tokens.cells, strict=True):
                text = self._bar * count if bars and count else str(count or "-")
                gap = " " * (size > len(text) + 3)
                spans += [
                    Span(text, (f"bar-{row.seat}" if bars else "text") if count else "dim"),
                    Span(fit(f"{gap}+{bonus}" if bonus else "", size - len(text)), "gain"),
                ]
            rows.append(spans)
        return rows


def _size(column: Sequence[Span]) -> int:
    return 1 + max(cell_len(span.text) for span in column)


LEAST = (60, 15)
"""The columns and rows from which a table and its forms can be played."""
BACKPACK: Mapping[str, Hue] = {
    **PANELS,
    "consumable": Hue("map-squeeze"),
    "rope": Hue("map-wonder"),
    "oxygen": Hue("map-exit"),
    "camera": Hue("map-water"),
    "raft": Hue("map-need"),
    "CAMP": Hue("map-base"),
}
"""Each thing has a colour beside its name."""
THINGS = ("consumable", "rope", "oxygen", "camera", "raft", "CAMP")


def of_thing(text: str) -> str:
    """Return the role of a thing by its name; full and half oxygen share a role."""
    return next((name for name in THINGS if name in text), "none")


def bar(line: str) -> str:
    """Return the sign that has the colour of a thing."""
    return "|" if line == "-" else "▌"


def slot_rows(
    slots: Sequence[Slot],
    width: int,
    line: str,
    *,
    across: int = 2,
    do: str = "",
    chosen: int | None = None,
) -> list[Row]:
    """Return rows of slots, each with a bar in the colour of its thing.

    A click on a slot does ``do`` with the number of the slot; the ``chosen`` slot is highlighted.
    """
    each = (width - 1) // across
    rows: list[list[Span]] = []
    used = 0
    for number, slot in enumerate(slots):
        if used % across == 0:
            rows.append([Span(" ")])
        cells = min(slot.wide, across - used % across) * each - 1
        gap = int(len(slot.text) != cells - 1)  # A name that just fits takes the column between two slots.
        text = terms.brief(slot.text, cells - 1 - gap) or ("-" if line == "-" else "·")
        role = "chosen" if number == chosen else "slot" if slot.text else "none"
        press = f"{do} {number}" if do else ""
        rows[-1] += [
            Span(bar(line), of_thing(slot.text), press),
            Span(fit(f" {text}", cells - gap), role, press),
            Span(" " * gap),
        ]
        used += slot.wide
    return list(rows)


UNKNOWN = Section("Backpack", ("hidden until all packed",))


class Backpack(Panel):
    """Eight slots in two columns, and the camp's four below; where there is less room, in words."""

    ROLES: ClassVar[Mapping[str, Hue]] = BACKPACK

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._sections: Sequence[Section] = (UNKNOWN,)
        self._owner = ""

    def show(self, luggage: Sequence[Section] | None, owner: str = "") -> None:
        """Set what is carried (None: not to be known yet), and by whom where that is not plain."""
        self._sections, self._owner = luggage or (UNKNOWN,), owner
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return all slots, or in words what is in them; the camp goes first."""
        for in_words in (False, True):
            rows = [row for each in self._sections for row in self._told(each, width, in_words=in_words)]
            if len(rows) <= height:
                return rows
        first = self._sections[0]
        return cut_off(
            _words(terms.brief(f"{first.note or first.title}: {first.text}", width), width), width, height
        )

    def _told(self, section: Section, width: int, *, in_words: bool) -> list[Row]:
        owner = f" {self._owner}" if section is self._sections[0] and self._owner else ""
        heading = self.heading(section.title + owner, width, section.note)
        if in_words or not section.slots:
            return [heading, *(_words(terms.brief(section.text, width), width) if section.facts else [])]
        return [heading, *slot_rows(section.slots, width, self._line)]


def _words(text: str, width: int) -> list[Row]:
    return [[Span(f" {line}")] for line in wrap(text, width - 1)]
