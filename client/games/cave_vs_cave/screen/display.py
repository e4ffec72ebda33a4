"""The pane of the rooms on show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from cave.cave_vs_cave.actions import Space
from client.games.cave_vs_cave.known import fitting, terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.games.cave_vs_cave.screen.panes import VersusPanel
from client.tui.widgets.panel import Row, Span, cut_off, fit, length, wrap


class Display(VersusPanel):
    """The rooms on show, whether each fits on the space under the cursor, and what one of them does."""

    at: Space | None = None
    room: str = ""
    """The room that is looked at."""

    def told(self, now: VersusScene, width: int, height: int) -> Sequence[Row]:
        """Return the rooms, those that fit there first, and what the one looked at does at the end."""
        empty = self.at is not None and fitting.is_empty(now, self.at)
        found = fitting.fits(now, self.at) if self.at is not None and empty else ()
        told = {each.room: each for each in found}
        names = [each.room for each in found] or list(now.cave.display)
        place = "" if self.at is None else terms.space(self.at)
        if empty and self.at is not None:
            place = f"{place}, walls {fitting.walls_at(now, now.seat, self.at)}"
        rows: list[Row] = [self.heading("Rooms on show", width, place if empty else "")]
        more = self._about(now, names, told, width)
        left = (height or 99) - len(more)
        rows += [self._room(name, told.get(name), width) for name in names]
        return [*cut_off(rows, width, max(1, left)), *more][: height or None]

    def _room(self, name: str, here: fitting.Fit | None, width: int) -> Row:
        """A room: its points, its cost and its walls; what does not do here is marked."""
        room = terms.room(name)
        code = here.code if here is not None else ""
        do = f"room:{name}"
        mark = "" if here is None or code else "$" if here.why else ">"
        role = room.colour if not code else "dim"
        ground = None if code or name == self.room else self.looks.ground(room.colour)
        row = [
            Span(f" {mark or ' '} ", "gain" if mark == ">" else "warn", do),
            Span(fit(room.name, 14), "chosen" if name == self.room else role, do, ground),
            Span(f"{room.vp:>3} ", "strong", do, self.looks.ground("points")),
            Span(f" {fit(terms.amounts(room.cost), 6)}", "warn" if mark == "$" else "text", do, ground),
            Span(f"{fit(terms.walls(room), 4)} ", "warn" if code == "walls_differ" else "text", do, ground),
        ]
        left = width - length(row) - 1
        if left > 8:
            why = f"{here.why}  " if here is not None and here.why and code != "walls_differ" else ""
            row.append(Span(fit(why, min(cell_len(why), left)), "warn", do))
            effect, left = terms.room_effect(name), left - cell_len(why)
            row.append(Span(fit(effect, max(0, min(cell_len(effect), left))), "dim", do))
        return row

    def _about(
        self, now: VersusScene, names: Sequence[str], told: Mapping[str, fitting.Fit], width: int
    ) -> list[Row]:
        """What the room that is looked at does, and why it does not fit or where it does."""
        name = self.room if self.room in names else ""
        if not name:
            return []
        here = told.get(name)
        if here is not None and here.why:
            where = f"{'' if here.code else 'fits, but '}{here.why}"
        else:
            spaces = [terms.space(at) for at in fitting.spaces_for(now, name)]
            where = f"fits on {' '.join(spaces)}" if spaces else "fits nowhere now"
        room = terms.room(name)
        lines = [*wrap(f"{room.name}: {terms.room_effect(name)}", width - 2), *wrap(where, width - 2)]
        return [[Span(f" {line}", "tip")] for line in lines]
