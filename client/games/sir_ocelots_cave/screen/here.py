"""The pane about the place under the cursor: what each piece would bring, or what is collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.sir_ocelots_cave.screen.looks import ROLES
from client.games.sir_ocelots_cave.telling import Here, Offer
from client.tui.roles import Hue
from client.tui.widgets.panel import Panel, Row, Span, cut_off, length, shortened, wrap

NARROW = 44
"""Columns below which an offer takes two rows."""
NAME = 13
"""Columns for the name of an offer, if none is longer."""


class HerePane(Panel):
    """A title, what can be done there, and what there is to know."""

    ROLES: ClassVar[Mapping[str, Hue]] = ROLES

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._here = Here()

    def show(self, here: Here) -> None:
        """Show what there is to say about a place."""
        self._here = here
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the offers as lines that can be clicked, then the facts."""
        here = self._here
        narrow = width < NARROW
        titles = wrap(here.title, width - 2) if narrow else [shortened(here.title, width - 2)]
        rows: list[Row] = [[Span(f" {title}", "strong")] for title in titles]
        column = max([NAME, *(len(f"{offer.name} {offer.about}") + 1 for offer in here.offers)])
        for offer in here.offers:
            rows += self._offer(offer, width, 0 if narrow else column)
        facts = [[Span(f" {line}", "dim")] for fact in here.facts for line in wrap(fact, width - 2)]
        return cut_off([*rows, *facts], width, height)

    def _offer(self, offer: Offer, width: int, column: int) -> list[Row]:
        """Return one row with the name in a ``column`` of its own, or where that is 0 two."""
        chosen = "strong" if offer.chosen else "text"
        head = [
            Span(">" if offer.chosen else " ", "key", offer.do),
            Span(f"{offer.key} ", "key", offer.do),
            Span(offer.name, chosen, offer.do),
        ]
        if column:
            head.append(Span(f" {offer.about}".ljust(column - len(offer.name)), "dim", offer.do))
        gain, loss = offer.takes or offer.nothing, offer.hands
        role = "gain" if offer.takes else "dim"
        if not column:
            lines = [[*head, Span(" ", "text")]]
            # That nothing is taken need not be said where there is something worse to say.
            gain = offer.takes if loss else gain
            for text, each in ((gain, role), (loss, "warn")):
                if text:
                    lines += [[Span(f"   {line}", each, offer.do)] for line in wrap(text, width - 4)]
            if len(lines) > 1 and gain and len(lines[0][2].text) + len(gain) + 5 <= width:
                lines[0] = [*head, Span(f" {gain}", role, offer.do)]
                del lines[1]
            return list(lines)
        row = [*head, Span(gain, role, offer.do)]
        if loss:
            row.append(Span(f"  {shortened(loss, max(1, width - length(row) - 2))}", "warn", offer.do))
        return [row]
