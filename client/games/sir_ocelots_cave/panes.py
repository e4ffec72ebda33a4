"""The panes beside the board: the turn, the values of gems, the players."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style

from cave.sir_ocelots_cave.components import CELESTITES, GEMS, Gem
from cave.sir_ocelots_cave.state import PIECES
from client.face import LETTERS
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.board_painter import draw_in_signs, paint_pixel_picture, shapes_of_gems
from client.games.sir_ocelots_cave.gem_signs import FREE, ROLES, SIGNS, SMALL, WORTH
from client.games.sir_ocelots_cave.here import BRIEFEST, Here, Offer
from client.games.sir_ocelots_cave.palette import Palette, gem_palette
from client.games.sir_ocelots_cave.picture import IN_PAIRS, SIDE
from client.games.sir_ocelots_cave.player_rows import PlayerRow, amethysts_in_few_words, ocelot_player_rows
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.tui.canvas import WHITE, Canvas, Rgb, mix, parse_rgb
from client.tui.colour_tiers import NO_COLOURS, cells_as_segments, in_few
from client.tui.motion import Effect, MotionPlayer
from client.tui.text_roles import Hue
from client.tui.themes import colour_tier, motion_of
from client.tui.widgets.panel import (
    PLAIN,
    Panel,
    Row,
    Span,
    cut_off,
    flow,
    length,
    seat_role,
    shorten_name,
    shorten_text,
    wrap,
)
from client.tui.widgets.panes import ScenePane, game_title, header_row, which_table, whose_turn

PICTURED: Sequence[Gem] = ("rock_crystal", "celestite_sun", "opal", "emerald", "red_beryl", "geode")
"""The gems with pictures in the legend; crescent and star have the value of the sun."""
CAPTIONS: Mapping[str, str] = {
    **{gem: gem for gem in PICTURED},
    "rock_crystal": "crystal",
    "celestite_sun": "sun",
    "red_beryl": "beryl",
}
CELESTITES_TOO = " crescent and star 1, as the sun"
GROUPS: Sequence[tuple[str, Sequence[Gem]]] = (
    ("crystal", ("rock_crystal",)),
    ("celestite", CELESTITES),
    ("opal", ("opal",)),
    ("emerald", ("emerald",)),
    ("beryl", ("red_beryl",)),
    ("geode", ("geode",)),
)
INDENT = " " * 4
NO_BREAK = "\xa0"
ROOMY = 20  # rows that hold all words of any amethysts
TRAY = 6  # rows of the shelves with a player's gems
MARGINS = 5  # columns of a player's letter, and the blanks around it
SET = " set: 1 amethyst"
GLINT = Effect(0.08, 4, calm=True)  # of gems added to the shelves
NAMED = 25  # columns from which the names of the tools fit
TOOLS_LINE = [
    Span(text, role)
    for word in ("Compass", "Lamp", "Pickaxe")
    for text, role in ((f" {word[0]}", "mark"), (f"{word[1:]} ", "dim"))
]


class Header(ScenePane[OcelotScene]):
    GROWS = False
    address = ""

    def scene_rows(self, now: OcelotScene, width: int, height: int) -> Sequence[Row]:
        ends = now.cave.turns_left <= terms.LAST_TURNS
        turn = Span(
            "" if now.over or now.state.lesson else f"   turn {now.turn_number} of {PIECES}", "warn" if ends else "dim"
        )
        lefts = ([game_title(now), turn, which_table(now, self.address, width)], [game_title(now), turn], [turn])
        return header_row(now, width, lefts, whose_turn(now, now.cave.seat))


class GemPane(ScenePane[OcelotScene]):
    """A pane whose gems and tools have the board's colours, painted or in signs."""

    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    def __init__(self, *, glyphs: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line="-" if glyphs == "ascii" else "─", id=id)
        self._glyphs = "ascii" if glyphs == "ascii" else "unicode"

    @property
    def painted(self) -> bool:
        return self.screen.query_one(BoardPane).may_paint

    @property
    def palette(self) -> Palette:
        theme = self.app.current_theme
        colours = colour_tier(self.app).colours
        return gem_palette(theme.name, dark=theme.dark, colours=colours, glyphs=self._glyphs)

    @property
    def ground(self) -> Rgb:
        ansi = self.app.current_theme.ansi
        return self.palette.night if ansi else parse_rgb(self.app.theme_variables["surface"])

    def painted_rows(self, canvas: Canvas) -> list[Row]:
        if colour_tier(self.app) != NO_COLOURS:
            return [
                [
                    Span(text, look=look)
                    for text, look, _ in cells_as_segments(row, self._glyphs, colour_tier(self.app).style_maker)
                ]
                for row in canvas.rows
            ]
        few = [[in_few(cell, self.ground, self._glyphs, coloured=False) for cell in row] for row in canvas.rows]
        return [[Span(glyph, look=look) for glyph, look in row] for row in few]

    def _style(self, role: str) -> Style:
        paints = self.painted and colour_tier(self.app) != NO_COLOURS
        ink = self.palette.signs.get(role) if role not in self._styles and paints else None
        if ink is not None:
            tier = colour_tier(self.app)
            seen = tier.style_maker(tier.readable_ink(ink, self.ground), self.ground).color
            self._styles[role] = super()._style(PLAIN) + Style(color=seen)
        return super()._style(role)


class Worth(GemPane):
    def rows(self, width: int, height: int) -> Sequence[Row]:
        if height >= 10 and width >= 30 and self.painted:
            return [*self._gem_picture_rows(width), [Span(CELESTITES_TOO, "dim")], TOOLS_LINE]
        signs = SIGNS[self._glyphs]
        heading = self.heading_row("Worth", width, f"({FREE[self._glyphs]}) rim")
        if height >= len(GROUPS) + 1:
            listed = [self._line_of(name, gems, signs, width) for name, gems in GROUPS]
            tools = [[], TOOLS_LINE] if width >= NAMED else []
            return [heading, *listed, *tools][:height]
        if width >= IN_PAIRS:
            lines = [self._line_of(name, gems, signs, width) for name, gems in GROUPS]
            pairs = zip(lines[::2], lines[1::2], strict=True)
            return [heading, *([*one, Span(" " * (width - 18 - length(one))), *other] for one, other in pairs)]
        short = [Span(f"{''.join(signs[gem] for gem in gems)}{WORTH[gems[0]]}  ", gems[0]) for _, gems in GROUPS]
        return [heading, [Span(" "), *short[:3]], [Span(" "), *short[3:]], []][:height]

    @staticmethod
    def _line_of(name: str, gems: Sequence[Gem], signs: Mapping[Gem, str], width: int) -> list[Span]:
        """Return gems of the same value: ``☼ ∩ * 1 celestite``."""
        gap = " " * (2 * len(CELESTITES) - 2 * len(gems))
        return [
            *(Span(f"{' ' * (gem != gems[0] or width > SIDE)}{signs[gem]}", gem) for gem in gems),
            Span(f"{gap} {WORTH[gems[0]]}", "strong"),
            Span(f" {name}", "text"),
        ]

    def _gem_picture_rows(self, width: int) -> list[Row]:
        ground, shades = self.ground, colour_tier(self.app)
        canvas = Canvas(width, 8, ground)
        each = (width - 1) // 3
        for number, gem in enumerate(PICTURED):
            x, y = 1 + number % 3 * each, number // 3 * 4
            if self._glyphs == "ascii":
                draw_in_signs(canvas, x, y, gem, shades.readable_ink(self.palette.signs[gem], ground))
            else:
                shape, inks = shapes_of_gems(shades)[gem], self.palette.gems[gem]
                paint_pixel_picture(canvas, x, shape, inks, shades.shown(ground), shades, down=y)
            ink = shades.readable_ink(self.palette.text, ground)
            canvas.put(x + 7, y + 1, WORTH[gem], ink, ground, bold=True)
            canvas.text(x, y + 3, CAPTIONS[gem], ink, ground)
        return [self.heading_row("Worth", width, "? a secret amethyst"), *self.painted_rows(canvas)]


class Players(GemPane):
    note = ""

    def __init__(self, *, glyphs: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(glyphs=glyphs, id=id)
        self._light = 0.0  # of the newest gems on the shelves
        self._glint = MotionPlayer(self, GLINT, self._shine, lambda: motion_of(self.app))

    def show(self, scene: OcelotScene) -> None:
        before = self.scene
        super().show(scene)
        if before is not None and _treasure_of_players(before) != _treasure_of_players(scene):
            self._glint.start()

    def _shine(self, step: int | None) -> None:
        self._light = 0.0 if step is None else 0.75 - 0.25 * step
        self.refill()

    def scene_rows(self, now: OcelotScene, width: int, height: int) -> Sequence[Row]:
        room = height // len(now.cave.players)
        rows: list[Row] = []
        players = ocelot_player_rows(now)
        tight = any(cell_len(f"{each.name} {each.points_words}") > width - MARGINS for each in players)
        for each in players:
            card = self._card(each, width, room, tight=tight)
            rows += [*card[:room], *([[]] * (room - len(card)))]
        return rows

    def _card(self, row: PlayerRow, width: int, room: int, *, tight: bool = False) -> list[Row]:
        """Return the rows of a player; ``tight``: the letter has no margin, so that names have more room."""
        arrow = ">" if row.turn else " "
        points = f" {row.points_words}"
        chip = LETTERS[row.seat] if tight else f" {LETTERS[row.seat]} "
        name = shorten_name(row.name, max(1, min(cell_len(row.name), width - 2 - len(chip) - len(points))))
        head = [Span(arrow, "key"), Span(chip, seat_role(row.seat)), Span(f" {name}", "strong")]
        # a long name may use the margin
        room_left = width - length(head)
        points += " " * (len(points) < room_left)
        head.append(Span(points.rjust(room_left), "key"))
        is_wide = width >= IN_PAIRS
        indent = "  " if is_wide else " " * (width > SIDE)
        shelves = TRAY if room >= TRAY + 4 else 0
        has_tools = any(row.tools)
        kinds: list[Row] = [[Span(each)] for each in terms.kinds_left(row.tools) if has_tools]
        told = flow([*kinds, [Span(row.companion, "dim")]], width - len(indent), "  ")
        amethysts = self._amethyst_rows(row, width, ROOMY)
        in_words = 1 + len(told) + len(amethysts) + shelves <= room
        if not in_words:
            short = [[Span(" ".join(terms.kinds_left(row.tools, letters=True)))]] * has_tools
            told = flow([*short, [Span(row.companion, "dim")]], width - len(indent), "  ")
            told = told[: max(has_tools, room - 1 - len(amethysts))]
        lines: list[Row] = [head, *([Span(indent), *line] for line in told)]
        has_set = has_tools and max(row.celestites) > min(row.celestites)
        if not shelves and (row.gems if is_wide else has_set) and len(lines) + len(amethysts) < room:
            lines.append(self._gems_row(row) if is_wide else self._celestite_set_row(row))
        lines += self._amethyst_rows(row, width, room - shelves - len(lines))
        if has_set and not row.stones and not is_wide:
            lines.append([Span(SET, "dim")])  # shown until there is an amethyst
        if in_words and has_tools and not is_wide and len(lines) < room:
            lines.insert(1, [Span(f"{indent}tools left:", "dim")])
        if shelves:
            # Without colours small pictures on top of each other would be blots, and so would signs.
            in_pictures = self.painted and colour_tier(self.app) != NO_COLOURS and self._glyphs != "ascii"
            lines += self._gem_tray(row, width) if in_pictures else self._gem_shelves(row, width)
        return lines

    def _gem_tray(self, row: PlayerRow, width: int) -> list[Row]:
        """Return two shelves with all gems, each kind stacked; missing gems are shadows."""
        shades, lights = colour_tier(self.app), self.palette
        ground = shades.shown(self.ground)
        shelf = shades.shown(mix(ground, lights.held, 0.35))
        canvas = Canvas(width, TRAY, ground)
        for y in (2, 5):
            canvas.fill(0, y, width, 1, shelf)
        shadow = shades.shown(mix(ground, lights.dim, 0.14))
        held = {**dict(row.gems), "geode": len(row.stones)}
        each = (width - 2) // 4
        for number, gem in enumerate(GEMS):
            x, y = 2 + number % 4 * each, number // 4 * 3
            many = held.get(gem, 0)
            inks = lights.gems[gem] if many else dict.fromkeys("abcgvV", shadow)
            light = self._light * (many and gem in row.newest)
            inks = {letter: mix(ink, WHITE, light) for letter, ink in inks.items()}
            dark = {letter: mix(ink, ground, 0.5) for letter, ink in inks.items()}
            for behind in reversed(range(max(1, min(many, each - 4)))):
                shown = dark if behind else inks
                paint_pixel_picture(canvas, x + behind, SMALL[gem], shown, ground, shades, down=y)
            if many:
                ink = lights.mark if gem in row.newest else lights.text
                canvas.text(x + 1, y + 2, str(many), shades.readable_ink(ink, shelf), shelf, bold=True)
        return self.painted_rows(canvas)

    def _gem_shelves(self, row: PlayerRow, width: int) -> Iterator[Row]:
        """Return a shelf for gems of the same value: ``opal ●●● 9``."""
        signs, held = SIGNS[self._glyphs], dict(row.gems)
        for name, gems in GROUPS[:-1]:
            found = [Span(signs[gem] * held.get(gem, 0), gem) for gem in gems]
            if not any(held.get(gem) for gem in gems):
                continue
            points = sum(terms.POINTS[gem] * held.get(gem, 0) for gem in gems)
            gap = " " * (width - 14 - length(found) - len(str(points)))
            role = "mark" if row.newest & {*gems} else "dim"
            yield [Span(f"  {name:<11}", role), *found, Span(f"{gap}{points} ", "text")]

    def _gems_row(self, row: PlayerRow) -> Row:
        signs = SIGNS[self._glyphs]
        return [Span("  "), *(Span(f"{signs[gem]}{number} ", gem) for gem, number in row.gems)]

    def _celestite_set_row(self, row: PlayerRow) -> Row:
        signs, fewest = SIGNS[self._glyphs], min(row.celestites)
        lacking = [signs[gem] for gem, many in zip(CELESTITES, row.celestites, strict=True) if many == fewest]
        which = f"{fewest + 1} " if fewest else ""
        return [Span(f" set {which}needs ", "dim"), Span(" ".join(lacking), "celestite_sun")]

    def _amethyst_rows(self, row: PlayerRow, width: int, room: int) -> list[Row]:
        if not row.stones:
            return []
        wide = width >= IN_PAIRS
        covered = self.note and row.mine
        do = "cover" if covered else ""
        note = self.note if covered and any(stone.now is None for stone in row.stones) else ""
        found = amethysts_in_few_words(row.stones)
        head = "  amethysts " if wide else " amethysts "
        indent = INDENT if wide else " "
        total, specials = row.amethysts_words, any(isinstance(stone.value, str) for stone in row.stones)
        in_short = [f"{total},", "some count gems"] if specials else [total]
        tried = (found, amethysts_in_few_words(row.stones, summed=True), in_short, [total])
        rows = [words_in_rows(each, width, note, head=len(head), indent=indent) for each in tried]
        first, *rest = next((each for each in rows if len(each) <= room), rows[-1])
        return [
            [Span(head, "dim", do), Span(first, "amethyst", do)],
            *([Span(indent, "dim", do), Span(line, "amethyst", do)] for line in rest),
        ]


def _treasure_of_players(scene: OcelotScene) -> Sequence[object]:
    return [(player.collected, len(player.amethysts)) for player in scene.cave.players]


def words_in_rows(words: Sequence[str], width: int, note: str = "", *, head: int, indent: str = " ") -> list[str]:
    """Wrap words, the first row indented by ``head``."""
    pieces = (_unbroken(each, width - len(indent)) for each in (*words, note) if each)
    text = " ".join([NO_BREAK * (head - 1), *pieces])
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False)
    return [line.lstrip().replace(NO_BREAK, " ") for line in lines]


def _unbroken(words: str, width: int) -> str:
    return words.replace(" ", NO_BREAK) if len(words) <= width else words


assert {*GEMS} == {gem for _, gems in GROUPS for gem in gems}

NARROW = 48  # columns below which an offer needs two rows
NAME = 13  # columns of an offer's name, unless one is longer


class HerePane(Panel):
    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._here = Here()

    def show(self, here: Here) -> None:
        self._here = here
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        here = self._here
        narrow = width < NARROW
        titles = wrap(here.title, width - 2)
        if narrow and len(titles) + len(_stacked_offers(here.offers, width, 0)) > height > 0:
            titles = wrap(here.title.partition(":")[0], width - 2)
        if not narrow and len(titles) + len(here.offers) > height:
            titles = [shorten_text(here.title, width - 2)]
        title: list[Row] = [[Span(f" {line}", "strong")] for line in titles]
        if narrow:
            tried = (_stacked_offers(here.offers, width, brief) for brief in range(BRIEFEST + 1))
            offers = next((rows for rows in tried if len(title) + len(rows) <= height or not height), None)
            offers = _stacked_offers(here.offers, width, BRIEFEST) if offers is None else offers
        else:
            offers = _in_columns(here.offers, width)
            if len(offers) > height > 0:
                offers = _side_by_side(here.offers, width, height)
        chosen = [offer for offer in here.offers if offer.chosen]
        if chosen and len(offers) > height > 0:  # a long hint, which speaks of the chosen one
            offers = _stacked_offers(chosen, width, BRIEFEST) if narrow else _in_columns(chosen, width)
            title = title[: max(0, height - len(offers))]
        facts = [[Span(f" {line}", "dim")] for fact in here.facts for line in wrap(fact, width - 2)]
        rows = [*(title if len(offers) != height else ()), *offers, *facts]
        for sign in here.signs:
            found = [[Span(f" {line}", "dim")] for line in wrap(sign, width - 2)]
            if len(rows) + len(found) > height:
                break
            rows += found
        return cut_off(rows, width, height)


def _offer_heading(offer: Offer, about: str = "") -> list[Span]:
    return [
        Span(">" if offer.chosen else " ", "key", offer.do),
        Span(f"{offer.key} ", "key", offer.do),
        Span(offer.name, "strong" if offer.chosen else "text", offer.do),
        Span(about, "dim", offer.do),
    ]


def _in_columns(offers: Sequence[Offer], width: int) -> list[Row]:
    with_about = [_in_row(offer, offers, 0, offer.about) for offer in offers]
    if all(length(row) <= width for row in with_about):
        return list(with_about)
    tried = ([_in_row(offer, offers, brief) for brief in range(BRIEFEST + 1)] for offer in offers)
    return [next((row for row in rows if length(row) <= width), rows[-1]) for rows in tried]


def _side_by_side(offers: Sequence[Offer], width: int, height: int) -> list[Row]:
    """Return several offers in a row; if that takes too many rows, without the words of those that take nothing,
    or only keys and points.
    """
    silent = [replace(offer, nothing="") for offer in offers]
    points = [
        replace(offer, name="", nothing="+0", brief=(offer.brief[0].rpartition(" ")[2], offer.brief[1]))
        for offer in offers
    ]
    tried = [flow((_in_row(offer, (), BRIEFEST) for offer in each), width) for each in (offers, silent, points)]
    return next((rows for rows in tried if len(rows) <= height), tried[1])


def _in_row(offer: Offer, beside: Sequence[Offer], brief: int, about: str = "") -> list[Span]:
    names = (f"{each.name} {each.about if about else ''}" for each in beside)
    column = max([NAME, *(len(name) + 1 for name in names)]) if beside else 0
    gain, loss = offer.words(brief)
    row = _offer_heading(offer, f" {about}".ljust(column - len(offer.name)))
    row.append(Span(gain or offer.nothing, "gain" if gain else "dim", offer.do))
    return [*row, Span(f"  {loss}", "warn", offer.do)] if loss else row


def _stacked_offers(offers: Sequence[Offer], width: int, brief: int) -> list[Row]:
    rows: list[Row] = []
    for offer in offers:
        gain, loss = offer.words(brief)
        # With a loss, "collects nothing" goes without saying.
        told = [(gain or ("" if loss else offer.nothing), "gain" if gain else "dim"), (loss, "warn")]
        if told[0][0] and len(offer.name) + len(told[0][0]) + 5 <= width:
            text, role = told.pop(0)
            rows.append([*_offer_heading(offer, " "), Span(text, role, offer.do)])
        else:
            rows.append(_offer_heading(offer))
        if offer.chosen and offer.about and not brief:
            rows.append([Span(f"   {offer.about}", "dim", offer.do)])
        for text, role in told:
            rows += [[Span(f"   {line}", role, offer.do)] for line in wrap(text, width - 4) if text]
    return rows
