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
from client.tui.widgets.panel import Row, Span, cut_off, fit, length, seat_role, wrap


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


def _aired(rows: Sequence[Row], height: int) -> list[Row]:
    """Return the rows with an empty one before each, where there is room for that."""
    if 2 * len(rows) > height:
        return list(rows)
    return [line for row in rows for line in ([], row)]
