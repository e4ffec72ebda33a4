"""The panes above and below the map: the header, the supplies, and the available actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style

from cave.the_cave.state import TURN_AP
from client.games.the_cave import terms
from client.games.the_cave.actions import ActionLine
from client.games.the_cave.lit_painter import LitPainter
from client.games.the_cave.map_signs import SETS
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.sign_painter import OVERVIEW
from client.games.the_cave.supplies import Supplies, last_rounds
from client.present.hosts import header_words_without_turn
from client.settings.appearance import GlyphSetName
from client.tui.canvas import BLACK, WHITE, Rgb, mix, readable_ink, style_of_inks
from client.tui.motion import TURN, MotionPlayer
from client.tui.text_roles import PANELS, SEATS, Hue
from client.tui.themes import motion_of
from client.tui.widgets.panel import Panel, Row, Span, fit, flow, length, seat_role, shorten_text, wrap
from client.tui.widgets.panes import WIDE, game_title, header_row, which_table
from client.wording import count

PIPS: Mapping[GlyphSetName, tuple[str, str]] = {"unicode": ("▐▌", "▗▖"), "ascii": ("#", ".")}
"""An action point left, and a spent one."""
LONGEST = 14  # most cells of the way home; a longer way is drawn to scale
SHINE = 0.55  # share of white in the light that passes through the sign of a turn


class HeaderBar(Panel):
    """Game, stacks, whose turn it is, action points: one row."""

    def __init__(self, glyph_set: GlyphSetName, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glyph_set = glyph_set
        self._now: CaveScene | None = None
        self._address = ""
        self._local = False
        self._shining = MotionPlayer(self, TURN, self._shine, lambda: motion_of(self.app))
        self._lit: int | None = None  # position of the light that passes through the sign "your turn"

    def shine(self) -> None:
        """Let a light pass through the sign when the user's turn begins."""
        self._shining.start()

    def _shine(self, number: int | None) -> None:
        self._lit = number
        self.refill()

    def show(self, now: CaveScene, address: str = "", *, local: bool = False) -> None:
        """Set the text of the row. The table number of a ``local`` game is shown only if it fits."""
        self._now, self._address, self._local = now, address, local
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row; its left side drops the least important parts first."""
        now = self._now
        if now is None:
            return [[]]
        points: list[Span] = []
        if not (now.cave.phase == "packing" or now.over or now.state.halted):
            ap, (lit, spent) = now.cave.ap, PIPS[self._glyph_set]
            pips = Span(lit * ap, "key"), Span(spent * (TURN_AP - ap), "dim"), Span(f" {ap}", "strong")
            points = [Span("  AP ", "dim"), *pips, Span(" ")]
        number = "" if self._local else f"  {now.state.table}"
        where = Span(which_table(now, self._address, width).text[1:] or number, "dim")
        name, stacks = game_title(now), self._tile_stack_spans(now, every=width >= WIDE)
        lefts = ([name, where, *stacks], [name, *stacks], stacks)
        return [self._lit_up(row) for row in header_row(now, width, lefts, _whose_turn_words(now), points)]

    def _lit_up(self, row: Row) -> Row:
        sign = next((span for span in row if span.role in SEATS), None)
        ground = None if sign is None else self._style(sign.role).bgcolor
        if self._lit is None or sign is None or ground is None or ground.triplet is None:
            return row
        step = -(-len(sign.text) // (TURN.frames or 1))
        start, end = self._lit * step, (self._lit + 1) * step
        bright = mix(Rgb(*ground.triplet), WHITE, SHINE)
        shining = Span(sign.text[start:end], look=style_of_inks(readable_ink(BLACK, bright), bright, True))
        at = row.index(sign)
        dark = [Span(part, sign.role) for part in (sign.text[:start], sign.text[end:])]
        return [*row[:at], dark[0], shining, dark[1], *row[at + 1 :]]

    def _tile_stack_spans(self, now: CaveScene, *, every: bool) -> list[Span]:
        """Return the tiles left, with a separate bar for ``every`` stack; at the end the rounds left."""
        rounds, stacks = last_rounds(now.cave), now.view.stack_sizes
        last = [Span(f"  {rounds}", "warn")] if rounds and not now.over else []
        if not any(stacks):
            return last or [Span("  no tiles left", "dim")]
        if not every:
            return last or [Span(f"  {count(sum(stacks), 'tile')} left", "dim")]
        found: list[Span] = [Span("  tile stacks:", "dim")]
        for number, size in enumerate(stacks):
            bar = "" if self._glyph_set == "ascii" or not size else f"{'▌' * -(-size // 2)} "
            found += [Span(f"  {terms.ROMAN[number]} ", "dim"), Span(bar, "title")]
            found.append(Span(f"{size or '-'}", "strong" if size else "dim"))
        return [*found, *last]


def _whose_turn_words(now: CaveScene) -> tuple[str, str]:
    if trouble := header_words_without_turn(now.state):
        return trouble, "warn"
    seat = now.cave.seat
    if now.over or seat is None:
        return "the game is over", "strong"
    if now.cave.phase != "packing" and now.state.plays(seat):
        return f"YOUR TURN  {terms.team_letter(seat)} {now.view.names[seat]}", seat_role(seat)
    return now.waits_for[0].lower() + now.waits_for[1:-1], "strong"


WAY_HOME = "way home "


class SupplyBar(Panel):
    """Shows the turns for which the consumables last, and the way home; highlighted in the last rounds."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._supplies: Supplies | None = None
        self._name = ""
        self._seat: int | None = None
        self._ap = 0

    def show(self, supplies: Supplies | None, name: str = "", seat: int | None = None, ap: int | None = None) -> None:
        """Set the supplies, their owner if that is not obvious, and the AP of the turn."""
        self._supplies, self._name, self._seat, self._ap = supplies, name, seat, ap or 0
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return one row: in words, and at the end with the way home as a line if it fits."""
        found = self._supplies
        if found is None:
            return [[]]
        loud = found.turns_left is not None and not (found.at_base and found.turns_left == 0)
        role = "loud" if loud or found.is_too_late else "warn" if found.verdict_words else "strong"
        lead = [Span(" "), Span(f" {self._name} ", seat_role(self._seat))] if self._name else []
        way: list[Span] = []
        if self._seat is not None:
            way = way_home(found, self._seat, terms.team_letter(self._seat), self._ap, self._line)
        room = width - length(lead)
        text = next((text for text in found.shorter_texts if len(text) + 2 <= room), found.shorter_texts[-1])
        text = shorten_text(text, room - 2)
        spans = [Span(f" {text} ", role)]
        if role == "warn" and text.endswith(f": {found.verdict_words}"):
            told = text.removesuffix(found.verdict_words)
            spans = [Span(f" {told}", "strong"), Span(f"{found.verdict_words} ", "warn")]
        gap = room - cell_len(text) - length(way) - 3
        if way and gap > len(WAY_HOME):
            way, gap = [Span(WAY_HOME, "dim"), *way], gap - len(WAY_HOME)
        return [[*lead, *spans, *([Span(" " * gap), *way] if way and gap > 0 else [])]]


def way_home(found: Supplies, seat: int, letter: str, ap: int, line: str) -> list[Span]:
    """Return the way home, a cell per AP: ``⌂──━━━A``, bold for the AP of this turn."""
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


REASONS = 3  # rows below the actions from which illegal actions and their reasons fit
NOT_NOW = "NOT NOW, AND WHY"
GAP = 3  # columns between two actions


class Actions(Panel):
    """The actions with key, price and gain; a click on a line does its action."""

    ROLES: ClassVar[Mapping[str, Hue]] = {**OVERVIEW, **PANELS, "price": Hue("gain", bold=True), "loss": PANELS["warn"]}

    def __init__(self, *, line: str, glyph_set: GlyphSetName, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._glyphs = SETS[glyph_set]
        self._painter: LitPainter | None = None
        self._lines: tuple[ActionLine, ...] = ()
        self._note = ""
        self._all = ""

    def draw(self, painter: LitPainter | None) -> None:
        """Set the painter of the map: the legend has its colours."""
        if painter is not self._painter:
            self._painter = painter
            self.refill()

    def show(self, lines: tuple[ActionLine, ...], note: str = "", *, all_key: str = "a") -> None:
        """Set the actions; without any, show the note. ``all_key`` lists all of them."""
        self._lines, self._note, self._all = lines, note, all_key
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the legal actions, short if space is tight, with the illegal ones and the reasons below."""
        if not self._lines:
            rows: list[Row] = [[Span(f" {line}", "dim")] for line in wrap(self._note, width - 2)]
            return [*rows, *self._legend_rows(width, height - len(rows))]
        legal = [line for line in self._lines if line.legal]
        refused = self._lines[len(legal) :]
        rows = _flow_of_action_cells([_supply_cell(line, line.label) for line in legal], width)
        if refused and height - len(rows) >= REASONS:
            heading: Row = [Span(f" {NOT_NOW}", "title")]
            return [
                *rows,
                heading,
                *self._fitted_action_rows(_refused_action_rows(refused, width), height - len(rows) - 1),
            ]
        for long in (True, False):
            rows = self._shown_action_rows(legal, len(refused), width, long=long)
            if len(rows) <= height:
                return rows
        # Not even the short form fits: show as many as fit, and the number of the others.
        for most in range(len(legal) - 1, -1, -1):
            rows = self._shown_action_rows(legal[:most], len(self._lines) - most, width, long=False)
            if len(rows) <= height:
                break
        return rows[:height]

    def _legend_rows(self, width: int, height: int) -> Sequence[Row]:
        glyphs = self._glyphs
        signs = [(glyphs.kinds[kind], kind, terms.KINDS[kind]) for kind in terms.KINDS if glyphs.kinds[kind].strip()]
        signs += [(glyphs.kinds["squeeze"], "squeeze", "squeeze"), (glyphs.rope_ns, "rope", "rope")]
        signs += [(glyphs.need, "need", "rope needed"), (glyphs.exit, "exit", "unexplored")]
        cells: list[Row] = [
            [Span(" "), Span(sign, role, look=self._look_of_sign(role)), Span(f" {words:<15}", "dim")]
            for sign, role, words in signs
        ]
        rows = flow(cells, width - 1)
        return [[], self.heading_row("Signs", width), *rows] if len(rows) + 2 <= height else []

    def _look_of_sign(self, role: str) -> Style | None:
        return None if self._painter is None else self._painter.sign_style(role)

    def _shown_action_rows(self, legal: Sequence[ActionLine], rest: int, width: int, *, long: bool) -> list[Row]:
        cells = [_supply_cell(line, line.label if long else line.short) for line in legal]
        if rest:
            refused = rest == sum(not line.legal for line in self._lines)
            words = f"{rest} more you cannot do now: why" if refused else f"{rest} more"
            cells.append([Span(self._all, "key", "all"), Span(f" {words}", "dim", "all")])
        return _flow_of_action_cells(cells, width)

    def _fitted_action_rows(self, blocks: Sequence[Sequence[Row]], height: int) -> list[Row]:
        if sum(map(len, blocks)) <= height:
            return [row for block in blocks for row in block]
        shown: list[Row] = []
        for number, block in enumerate(blocks):
            if len(shown) + len(block) >= height:
                rest = len(blocks) - number
                break
            shown += block
        return [*shown, [Span(f" {self._all} ", "key", "all"), Span(f"{rest} more", "dim", "all")]]


def _supply_cell(line: ActionLine, label: str) -> Row:
    spans = [Span(f" {line.key} ", "cap", line.do), Span(f" {label}", "text", line.do)]
    if line.price:
        spans.append(Span(", " if line.loses_points else " ", "text", line.do))
        spans.append(Span(line.price, "loss" if line.loses_points else "price", line.do))
    if line.gain:
        spans.append(Span(f" {line.gain}", "gain", line.do))
    return spans


def _flow_of_action_cells(cells: Sequence[Row], width: int) -> list[Row]:
    return [[Span(" "), *row] for row in flow(cells, width - 1, " " * GAP)]


def _refused_action_rows(refused: Sequence[ActionLine], width: int) -> list[list[Row]]:
    if len({line.why for line in refused}) == 1 < len(refused):
        return [[[Span(f" {part}", "dim", "all")] for part in wrap(refused[0].why, width - 2)]]
    names = max(cell_len(line.short) for line in refused)
    blocks: list[list[Row]] = []
    for line in refused:
        first, *rest = wrap(line.why[:1].lower() + line.why[1:], width - names - 6)
        head = [Span(f" {line.key} ", "dim", "all"), Span(f"{fit(line.short, names)}  ", "text", "all")]
        indent = " " * (names + 5)
        blocks.append([[*head, Span(first, "dim", "all")], *([Span(indent + part, "dim", "all")] for part in rest)])
    return blocks
