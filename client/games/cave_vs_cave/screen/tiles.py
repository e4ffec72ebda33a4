"""The pane of the action tiles, and of what the one in hand lets one do."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.face import LETTERS
from client.games.cave_vs_cave.known import doings as what
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.said import sentences
from client.games.cave_vs_cave.screen.panes import VersusPanel
from client.tui.widgets.panel import Row, Span, fit, flow, seat_role, wrap
from client.wording import joined


class Tiles(VersusPanel):
    """The action tiles while one is to be taken, else what the tile in hand lets one do."""

    numbered: Sequence[str] = ()
    """The tiles that can be taken, in the order of their numbers."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return tiles with who took them, or the kinds of actions that are possible."""
        if lists_tiles(now):
            rows = tile_rows(now, self.numbered, width)
            if 0 < height < len(rows):
                return self.window(tile_rows(now, self.numbered, width, packed=True), height)
            rows = _aired(rows, height - 1)
            head = [self.heading("Tiles", width)] if not height or len(rows) < height else []
            return [*head, *rows]
        return self.window(hand_rows(now, width), height)


def lists_tiles(now: VersusScene) -> bool:
    """Return whether the pane lists the tiles: not while one has a tile in hand."""
    return now.mode in ("take", "waiting", "watching", "over") and bool(now.cave.up)


def tile_rows(now: VersusScene, numbered: Sequence[str], width: int, *, packed: bool = False) -> list[Row]:
    """Return a row for each tile, two where one will not do; ``packed`` tiles that are taken share rows."""
    longest = max(cell_len(terms.tile_name(tile)) for tile in now.cave.up)
    rows: list[Row] = []
    taken: list[Row] = []
    for tile in now.cave.up:
        seat = what.taker(now, tile)
        if seat is None or not packed:
            rows += _tile(now, numbered, tile, seat, longest, width)
        else:
            who = Span(f" {LETTERS[seat]} ", seat_role(seat))
            taken.append([who, Span(f" {terms.tile_name(tile)}", "dim")])
    return [*rows, *(flow(taken, width) if taken else [])]


def _tile(
    now: VersusScene, numbered: Sequence[str], tile: str, seat: int | None, longest: int, width: int
) -> list[Row]:
    """Return the key that takes a tile or who took it, its name, and what it offers.

    What it offers stands in a column, in signs where there is little room; where that will not do it begins
    beside the name, and goes on below.
    """
    can = tile in numbered
    do = f"take:{tile}" if can else ""
    first = Span(f" {what.tile_key(numbered, tile) or ' '} ", "key", do)
    if seat is not None:
        first = Span(f" {LETTERS[seat]} ", seat_role(seat))
    title = terms.tile_name(tile)
    role = "text" if can else "dim"
    column, room = longest + 1, width - 3
    words, signs = (what.tile_text(now, tile, style) for style in (terms.WORDS, terms.SIGNS))
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
    """Return what is asked for, the parts of the tile in hand, and the kinds of actions that are possible."""
    rows: list[Row] = [[Span(f" {line}", "tip")] for line in wrap(sentences.asked(now), width - 2)]
    rows += _parts(now, width)
    for each in what.doings(now):
        do = f"kind:{each.kind}"
        for number, text in enumerate(wrap(each.words, width - 5, indent="  ")):
            key = f" {each.key or ' '} " if not number else "   "
            rows.append([Span(key, "key", do), Span(text, "text", do)])
    return rows


def _parts(now: VersusScene, width: int) -> list[Row]:
    """Return the parts of the tile in hand: what is done is dim and has a mark."""
    cave = now.cave
    if cave.phase not in ("actions", "dig", "cavern") or not cave.taken or cave.drafting:
        return []
    parts = [
        (words, number in cave.done) for number, words in enumerate(terms.tile_parts(cave.tile, now.turns))
    ]
    extra = what.additional_of(now, cave.tile)
    parts += [(extra, cave.additional)] if extra else []
    rows: list[Row] = []
    for words, done in parts:
        mark = "done" if done else "open"
        for line, text in enumerate(wrap(words, width - 7)):
            first = f" {mark if not line else '':<4} "
            rows.append([Span(first, "dim" if done else "gain"), Span(text, "dim" if done else "title")])
    used = (
        wrap(f"used: {joined([terms.room_name(each) for each in cave.used])}", width - 7) if cave.used else []
    )
    return [*rows, *([Span(f"      {line}", "dim")] for line in used)]


def _aired(rows: Sequence[Row], height: int) -> list[Row]:
    """Return the rows with an empty one before each, where there is room for that."""
    if 2 * len(rows) > height:
        return list(rows)
    return [line for row in rows for line in ([], row)]
