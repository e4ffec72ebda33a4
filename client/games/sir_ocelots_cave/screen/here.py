"""The pane about the place under the cursor: what each piece would bring, or what is collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from client.games.sir_ocelots_cave.screen.looks import ROLES
from client.games.sir_ocelots_cave.words import BRIEFEST, Here, Offer
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
        """Return the offers as lines that can be clicked, then the facts; in fewer words where they have no
        room.
        """
        here = self._here
        narrow = width < NARROW
        titles = wrap(here.title, width - 2) if narrow else [shortened(here.title, width - 2)]
        title: list[Row] = [[Span(f" {line}", "strong")] for line in titles]
        if narrow:
            tried = (_stacked(here.offers, width, brief) for brief in range(BRIEFEST + 1))
            offers = next((rows for rows in tried if len(title) + len(rows) <= height or not height), None)
            offers = _stacked(here.offers, width, BRIEFEST) if offers is None else offers
        else:
            offers = _in_columns(here.offers, width)
        facts = [[Span(f" {line}", "dim")] for fact in here.facts for line in wrap(fact, width - 2)]
        return cut_off([*title, *offers, *facts], width, height)


def _head(offer: Offer, about: str = "") -> list[Span]:
    return [
        Span(">" if offer.chosen else " ", "key", offer.do),
        Span(f"{offer.key} ", "key", offer.do),
        Span(offer.name, "strong" if offer.chosen else "text", offer.do),
        Span(about, "dim", offer.do),
    ]


def _in_columns(offers: Sequence[Offer], width: int) -> list[Row]:
    """Return a row for each offer, the names with their meaning if all has room."""
    with_about = [_in_row(offer, offers, 0, offer.about) for offer in offers]
    if all(length(row) <= width for row in with_about):
        return list(with_about)
    tried = ([_in_row(offer, offers, brief) for brief in range(BRIEFEST + 1)] for offer in offers)
    return [next((row for row in rows if length(row) <= width), rows[-1]) for rows in tried]


def _in_row(offer: Offer, beside: Sequence[Offer], brief: int, about: str = "") -> list[Span]:
    """Return an offer with its name in a column as wide as those of the others."""
    names = (f"{each.name} {each.about if about else ''}" for each in beside)
    column = max([NAME, *(len(name) + 1 for name in names)])
    gain, loss = offer.words(brief)
    row = _head(offer, f" {about}".ljust(column - len(offer.name)))
    row.append(Span(gain or offer.nothing, "gain" if gain else "dim", offer.do))
    return [*row, Span(f"  {loss}", "warn", offer.do)] if loss else row


def _stacked(offers: Sequence[Offer], width: int, brief: int) -> list[Row]:
    """Return the offers with their gain and their loss below them."""
    rows: list[Row] = []
    for offer in offers:
        gain, loss = offer.words(brief)
        # That nothing is taken need not be said where there is something worse to say.
        told = [(gain or ("" if loss else offer.nothing), "gain" if gain else "dim"), (loss, "warn")]
        if told[0][0] and len(offer.name) + len(told[0][0]) + 5 <= width:
            text, role = told.pop(0)
            rows.append([*_head(offer, " "), Span(text, role, offer.do)])
        else:
            rows.append(_head(offer))
        for text, role in told:
            rows += [[Span(f"   {line}", role, offer.do)] for line in wrap(text, width - 4) if text]
    return rows
