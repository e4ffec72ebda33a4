"""The pane beside the map: luggage, teams with their tokens, and the place under the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style

from client.games.the_cave import terms
from client.games.the_cave.actions import ActionLine
from client.games.the_cave.facts import FactsSection, Inspection, TeamRow, TokenRow
from client.tui.canvas import drawn_pixels, parse_inks, parse_rgb, pixel_cells
from client.tui.motion import Effect, MotionPlayer
from client.tui.text_roles import PANELS, Hue
from client.tui.themes import colour_tier, motion_of, seat_ink, shows_pictures
from client.tui.widgets.panel import CUT, PLAIN, Panel, Row, Span, cut_off, fit, flow, seat_role, shorten_name, wrap
from client.wording import count, name_without_mark

LEAST = (60, 15)  # least columns and rows for a table and its forms
THINGS: Mapping[str, Hue] = {
    "consumable": Hue("map-squeeze"),
    "rope": Hue("map-wonder"),
    "oxygen": Hue("map-exit"),
    "camera": Hue("map-water"),
    "raft": Hue("map-need"),
    "the camp": Hue("map-base"),
}
"""Each item has a colour in front of its name."""
PHOTO = Effect(1.2, 1, calm=True)
PRINT = parse_inks("f f4ecdf r 2b2420 s 4a3c30 c 7fd8ff d 2f7fb8 w ffffff a ffd24a b 8a5a1a")
VIGNETTE = (
    "ffffffffffffffffffff",
    "frrrsrrrrrrrrrrrsrrf",
    "frrssrrrwrrrrrrrssrf",
    "frrsrrrrcrrrarrrrsrf",
    "frrrrwrccdrrabrrrrrf",
    "frrrrcdccdrwabrcrrrf",
    "frsrrcdccdcdabrcdrsf",
    "frssdcdccdcdabdcdssf",
    "fsssssssssssssssssrf",
    "ffffffffffffffffffff",
)
"""The photo of a wonder: a letter per pixel."""
HERE = 7  # rows that tokens and spacing leave for the place under the cursor
CELLS, BARS, BONUS = 9, 7, 4
"""Most cells of a team's tokens, least cells of a bar, and cells of a bonus."""
BRIEF = 3  # most rows of items in a small pane
SLOTS = " slots"
NAMES = 3, 12  # least and most cells of names
AIRY = 30  # columns from which there is space around the letter of a team
NARROW = 22  # columns up to which there is none
EDGE = 1  # columns of margin at the right edge
_BY = {"foot": "on foot", "oxygen": "oxygen", "raft": "raft", "force": "force"}


def supply_bar(text: str, line: str, do: str = "") -> Span:
    """Return a sign in the colour of an item; full and half oxygen have the same."""
    role = next((name for name in THINGS if name in text), "")
    return Span(("|" if line == "-" else "▌") if role else "", role or "none", do)


def thing_chips(
    things: Iterable[tuple[str, str]], width: int, line: str, chosen: str = "", *, brief: bool = False
) -> list[Row]:
    """Return rows of items, each with its bar and the word that a click posts; highlight one."""
    shown: list[Row] = []
    for text, do in things:
        role = "chosen" if do and do == chosen else "text"
        shown.append(
            [
                supply_bar(text, line, do),
                Span(terms.brief_thing_name(text, width // 2 - 3) if brief else text, role, do),
            ]
        )
    return [[Span(" "), *row] for row in flow(shown, width - 1 - EDGE)]


UNKNOWN = FactsSection("Backpack", ("hidden until all packed",))


class Side(Panel):
    """The pane beside the map; it uses fewer rows if space is tight."""

    ROLES: ClassVar[Mapping[str, Hue]] = {**PANELS, **THINGS}

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._luggage: Sequence[FactsSection] = (UNKNOWN,)
        self._owner = ""
        self._teams: tuple[TeamRow, ...] = ()
        self._tokens: tuple[TokenRow, ...] = ()
        self._place: Inspection | None = None
        self._hand: FactsSection | None = None
        self._photo = MotionPlayer(self, PHOTO, self._develop, lambda: motion_of(self.app))
        self._developed = False  # whether the photo just taken is shown

    def develop(self) -> None:
        """Briefly show the photo of a wonder just taken."""
        if shows_pictures(self.app):
            self._photo.start()

    def _develop(self, number: int | None) -> None:
        self._developed = number is not None
        self.refill()

    def show_luggage(self, luggage: Sequence[FactsSection] | None, owner: str = "") -> None:
        """Set the luggage (None: still secret), and its owner if that is not obvious."""
        self._luggage, self._owner = luggage or (UNKNOWN,), owner

    def compare(self, teams: tuple[TeamRow, ...], tokens: tuple[TokenRow, ...]) -> None:
        self._teams, self._tokens = teams, tokens

    def point(self, place: Inspection | None, hand: FactsSection | None = None) -> None:
        """Set the place under the cursor and the tile in hand, and repaint."""
        if place != self._place:
            self._photo.stop()
        self._place, self._hand = place, hand
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        # A message over the last rows does not move the rows above.
        whole = height + self._covered
        cards = [self._luggage_rows(width), self._team_rows(width, told=False)]
        if sum(map(len, cards)) > whole - HERE:
            cards[0] = self._luggage_rows(width, brief=True)
        tokens = self._token_rows(width) if width >= AIRY else []
        if sum(map(len, cards)) + len(tokens) <= whole - HERE:
            cards.append(tokens)
        spare = whole - sum(map(len, cards)) - HERE
        if spare >= len(self._teams):
            spare -= len(self._teams)
            cards[1] = self._team_rows(width, told=True)
        rows: list[Row] = []
        for card in cards:
            rows += [*card, *([[]] if spare >= len(cards) else [])]
        here = self._pointed_place_rows(width, max(0, height - len(rows)))
        if rows[-1] and len(rows) + len(here) < height:
            rows.append([])
        return [*rows, *here][:height]

    # Luggage

    def _luggage_rows(self, width: int, *, brief: bool = False) -> list[Row]:
        rows: list[Row] = []
        for section in self._luggage[:1] if brief else self._luggage:
            owner = f" {self._owner}" if section is self._luggage[0] and self._owner else ""
            things = [(fact, "") for fact in section.facts]
            if brief:
                notes = section.note or section.title, section.note.removesuffix(SLOTS)
                tried = [thing_chips([(note, ""), *things], width, self._line) for note in notes]
                tried.append(thing_chips([(notes[0], ""), *things], width, self._line, brief=True)[:BRIEF])
                rows += next(each for each in tried if len(each) <= BRIEF)
            else:
                note = section.note if len(section.title + owner + section.note) + 4 <= width else ""
                rows += [self.heading_row(section.title + owner, width, note or section.note.removesuffix(SLOTS))]
                rows += thing_chips(things, width, self._line)
        return rows

    # The teams

    def _team_rows(self, width: int, *, told: bool) -> list[Row]:
        """Return a row for each team, and one row of words below it if ``told``."""
        columns = self._team_columns()
        sizes = list(map(_column_size, columns))
        lead = _lead_of_row(width)
        room = width - lead - sum(sizes) - (EDGE if width > NARROW else 0)
        if columns[-1][0].text == "home" and room > max(cell_len(row.name) for row in self._teams):
            sizes[1], room = sizes[1] + 1, room - 1
        name = max(NAMES[0], min(NAMES[1], room))
        head = f" {fit('TEAMS', lead + name - 1)}"
        head += "".join(fit(column[0].text, size, right=True) for column, size in zip(columns, sizes, strict=True))
        rows: list[Row] = [[Span(head[: lead + name], "title"), Span(head[lead + name :], "dim")]]
        for number, row in enumerate(self._teams, 1):
            find, turn, seat = f"team:{row.seat}", ">" if row.turn else " ", seat_role(row.seat)
            title = row.name if row.present else f"({row.name})"
            if cell_len(title) > name and row.kind == "bot":  # the name itself comes first
                title = name_without_mark(title)
            title = shorten_name(title, name)
            spans = [Span(f" {title}", "strong" if row.mine else "text", find)]
            if width >= AIRY:
                spans = [Span(" ", "text", find), Span(f"{turn}{row.letter} ", seat, find), *spans]
            else:
                spans = [Span(turn, "strong", find), Span(row.letter, seat, find), *spans]
            for column, size in zip(columns, sizes, strict=True):
                spans.append(Span(fit(column[number].text, size, right=True), column[number].role, find))
            rows.append(spans)
            if told:
                rows.append([Span(" " * lead), *_luggage_in_words(row, width - lead - EDGE, find)])
        return rows

    def _team_columns(self) -> list[list[Span]]:
        teams = self._teams
        points = [Span("points"), *(Span(str(row.points), "strong") for row in teams)]
        if any(row.countdown is not None for row in teams):
            sums = (f"{row.points}+{row.bonus}" if row.bonus else str(row.points) for row in teams)
            points[1:] = [Span(text, "strong") for text in sums]
            return [points, [Span("home"), *map(_way_home_span, teams)]]
        bonus = (Span(f"+{row.bonus}", "gain" if row.bonus else "dim") for row in teams)
        return [points, *([[Span("bonus"), *bonus]] if any(row.bonus for row in teams) else [])]

    def _token_rows(self, width: int) -> list[Row]:
        first = 2 + max((cell_len(tokens.name) for tokens in self._tokens), default=7)
        size = min(CELLS, (width - first) // max(1, len(self._teams)))
        head = [Span(fit(" TOKENS", first), "title")]
        for row in self._teams:
            head += [Span(row.letter, seat_role(row.seat)), Span(" " * (size - 1))]
        rows: list[Row] = [head]
        for tokens in self._tokens:
            if not any(many for many, _ in tokens.cells):
                continue
            spans = [Span(" " + fit(tokens.name, first - 1))]
            bar = "#" if self._line == "-" else "■"
            # Numbers, unless all fit as bars: rows of a kind are easier to compare.
            bars = size >= BARS and max(many for many, _ in tokens.cells) <= size - BONUS
            for row, (many, bonus) in zip(self._teams, tokens.cells, strict=True):
                text = bar * many if bars and many else str(many or "-")
                gap = " " * (size > len(text) + 3)
                spans += [
                    Span(text, (f"bar-{row.seat}" if bars else "text") if many else "dim"),
                    Span(fit(f"{gap}+{bonus}" if bonus else "", size - len(text)), "gain"),
                ]
            rows.append(spans)
        return rows if rows[1:] else []

    def _style(self, role: str) -> Style:
        kind, _, seat = role.partition("-")
        if kind == "bar" and role not in self._styles:
            self._styles[role] = self._style(PLAIN) + seat_ink(self.app, int(seat), "surface")
        return super()._style(role)

    # Cursor

    def _pointed_place_rows(self, width: int, height: int) -> Sequence[Row]:
        if self._developed and height > len(VIGNETTE) // 2:
            return [[*self.heading_row("Here", width), Span("  the photo", "strong")], *self._vignette_rows(width)]
        rows: list[Row] = []
        for brief, steps in ((False, True), (False, False), (True, False)):
            rows = [] if self._hand is None else self._luggage_card("Tile in hand", self._hand, width, brief=brief)
            under = [] if self._place is None else self._tile_under_rows(self._place, width, brief=brief, steps=steps)
            if not rows or len(rows) + len(under) <= height:
                rows += under
            if len(rows) <= height:
                return rows
        if self._hand is None and self._place is not None:
            facts = self._place.facts  # only whole ones
            for kept in range(len(facts) - 1, 0, -1):
                fewer = replace(self._place, facts=(*facts[:kept], CUT))
                rows = self._tile_under_rows(fewer, width, brief=True, steps=False)
                if len(rows) <= height:
                    return rows
        return cut_off(rows, width, height)

    def _vignette_rows(self, width: int) -> Iterator[Row]:
        ground, pair = parse_rgb(self.background_colors[1].hex6), colour_tier(self.app).style_maker
        left = " " * max(0, (width - len(VIGNETTE[0])) // 2)
        for cells in pixel_cells(drawn_pixels(VIGNETTE, PRINT, ground)):
            yield [Span(left), *(Span(cell.glyph, look=pair(cell.ink, cell.ground)) for cell in cells)]

    def _luggage_card(self, heading: str, section: FactsSection, width: int, *, brief: bool) -> list[Row]:
        facts = [section.text] if brief else section.facts
        rows = self._titled_rows(heading, section.title, width, brief=brief)
        return [*rows, *(row for fact in facts for row in _wrapped_side_lines(fact, width))]

    def _tile_under_rows(self, place: Inspection, width: int, *, brief: bool, steps: bool) -> list[Row]:
        rows = self._titled_rows("Here" if place.is_own else "There", place.title, width, brief=brief)
        rows += [self._way_row(offer, width) for offer in place.ways]
        if place.why:
            rows += _wrapped_side_lines(place.why, width, "warn")
        if plan := place.plan:
            if steps and plan.steps:
                told = [Span(part.text, "strong" if part.turn else "text") for part in plan.steps]
                if place.is_own:
                    told[0] = replace(told[0], text=f"home ({told[0].text})")
                told += [Span(line, "dim") for each in plan.takes for line in wrap(each, width - 2)]
                rows += [[Span(" "), *row] for row in flow([[span] for span in told], width - 1, "  ")]
            elif not place.onward:
                rows += _wrapped_side_lines(f"{'home' if place.is_own else 'there'}: {plan.there}", width)
            if plan.way_back_words:
                rows += _wrapped_side_lines(plan.way_back_words, width, "warn" if plan.verdict else "text")
        for fact in ["; ".join(place.facts)] if brief else place.facts:
            rows += _wrapped_side_lines(fact, width, "dim")
        return rows

    def _titled_rows(self, heading: str, title: str, width: int, *, brief: bool) -> list[Row]:
        if brief:
            return _wrapped_side_lines(title, width, "strong")
        if len(heading) + len(title) + 3 <= width:
            return [[*self.heading_row(heading, width), Span(f"  {title}", "strong")]]
        return [self.heading_row(heading, width), *_wrapped_side_lines(title, width, "strong")]

    def _way_row(self, offer: ActionLine, width: int) -> Row:
        by = getattr(offer.choice and offer.choice.action, "by", "foot")
        do = f"go:{by}"
        row = [Span(f" {_BY[by]} ", "text", do), Span(offer.price, "key", do)]
        if offer.gain:
            row.append(Span(f" {offer.gain}", "gain", do))
        if offer.brings and width >= 36:
            row.append(Span(f" {offer.brings}", "dim", do))
        return row


def _lead_of_row(width: int) -> int:
    return 5 if width >= AIRY else 3


def _luggage_in_words(row: TeamRow, room: int, find: str) -> list[Span]:
    """Return a team's food, its way home and its depth, as much as fits."""
    if row.consumables is None:
        return [Span("backpack: secret", "dim", find)]
    eats = count(row.consumables, "consumable") if row.consumables else "no consumables"
    spans = [Span(eats, "warn" if row.hungry else "dim", find)]
    if row.countdown is None:
        for more in (row.way_home, f"{row.depth} m deep"):
            if sum(cell_len(span.text) for span in spans) + cell_len(more) + 2 <= room:
                spans.append(Span(f", {more}", "dim", find))
    return spans


def _way_home_span(row: TeamRow) -> Span:
    assert row.countdown is not None
    return Span(row.countdown.short, "warn" if row.countdown.is_too_late else "strong")


def _column_size(column: Sequence[Span]) -> int:
    return 1 + max(cell_len(span.text) for span in column)


def _wrapped_side_lines(text: str, width: int, role: str = "text") -> list[Row]:
    return [[Span(f" {line}", role)] for line in wrap(text, width - 1)]
