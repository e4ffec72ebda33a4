"""The teams with live points, food and depth, and the race for the majorities when there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.present.teams import TeamRow, TokenRow
from client.tui.widgets.panel import Panel, Row, Span, fit, team_role

INLINE = 44
COLUMNS = (5, 6, 6, 4)
BELOW = 36
NAMES = (5, 12)
"""The least and the most cells for names."""


def _short(name: str, width: int) -> str:
    """A name in so many cells; one that is cut keeps the number at its end."""
    number = name[len(name.rstrip("0123456789")) :]
    if cell_len(name) > width > len(number) + 2 and number:
        return fit(name[: -len(number)], width - len(number)) + number
    return fit(name, width)


def _who(row: TeamRow, width: int) -> list[Span]:
    """Whether it is its turn, the letter and the name of a team."""
    title = row.name if row.present else f"({row.name})"
    return [
        Span(">" if row.turn else " ", "strong"),
        Span(row.letter, team_role(row.seat)),
        Span(" " + _short(title, width), "strong" if row.mine else "text"),
    ]


def _food(row: TeamRow) -> Span:
    """What food there is, if one may know, and whether it is too little."""
    food = "?" if row.food is None else f"{row.food}{'!' if row.hungry else ''}"
    return Span(food, "warn" if row.hungry else "text")


def _home(row: TeamRow) -> Span:
    """The turns to the base; in the last rounds those needed of those left."""
    if row.countdown is None:
        return Span(row.home)
    return Span(row.countdown.short, "warn" if row.countdown.late else "strong")


class Teams(Panel):
    """One row a team. From 44 columns the tokens stand beside, from 36 below it."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._teams: tuple[TeamRow, ...] = ()
        self._tokens: tuple[TokenRow, ...] = ()

    def show(self, teams: tuple[TeamRow, ...], tokens: tuple[TokenRow, ...]) -> None:
        """Set what the table tells."""
        self._teams, self._tokens = teams, tokens
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """The table for this width."""
        inline = width >= INLINE
        below = BELOW <= width < INLINE
        columns = self._columns(roomy=below, all_of_them=inline or below)
        sizes = [1 + max(cell_len(span.text) for span in (head, *cells)) for head, *cells in columns]
        tokens = 2 + sum(COLUMNS) if inline else 0
        name = max(NAMES[0], min(NAMES[1], width - 3 - sum(sizes) - tokens))
        head = f"{self._line} {fit('Teams', name + 1)}"
        head += "".join(
            fit(column[0].text, size, right=True) for column, size in zip(columns, sizes, strict=True)
        )
        if inline:
            shown = zip(self._tokens, COLUMNS, strict=False)
            head += f" {self._line}" + "".join(fit(row.brief, size) for row, size in shown)
        head += " " * (cell_len(head) < width)
        rows: list[Row] = [[Span(head, "title"), Span(self._line * (width - cell_len(head)), "line")]]
        for number, row in enumerate(self._teams, 1):
            cells = [(column[number], size) for column, size in zip(columns, sizes, strict=True)]
            spans = [
                *_who(row, name),
                *(Span(fit(cell.text, size, right=True), cell.role) for cell, size in cells),
            ]
            rows.append([*spans, *self._beside(row)] if inline else spans)
        if below and self._tokens:
            rows += self._table(width)
        return rows

    def _columns(self, *, roomy: bool, all_of_them: bool) -> list[list[Span]]:
        """What stands behind the names: of each column the heading, and a cell for each team."""
        teams = self._teams
        columns = [
            [Span("VP"), *(Span(str(row.points), "strong") for row in teams)],
            [Span("+bn"), *(Span(f"+{row.bonus}", "gain" if row.bonus else "dim") for row in teams)],
            [Span("food" if roomy else "fd"), *map(_food, teams)],
        ]
        last = any(row.countdown is not None for row in teams)
        if all_of_them or not last:
            columns.append([Span("depth" if roomy else "deep"), *(Span(row.depth) for row in teams)])
        if all_of_them or last:
            columns.append([Span("home"), *map(_home, teams)])
        return columns

    def _beside(self, row: TeamRow) -> list[Span]:
        """The tokens of a team, where they stand beside its row."""
        spans = [Span("  ")]
        for tokens, size in zip(self._tokens, COLUMNS, strict=False):
            count, bonus = tokens.cells[row.seat]
            spans += [
                Span(str(count), "text" if count else "dim"),
                Span(fit(f"+{bonus}" if bonus else "", size - len(str(count))), "gain"),
            ]
        return spans

    def _table(self, width: int) -> list[Row]:
        rows: list[Row] = [self.heading("Tokens and majorities", width)]
        head = [Span(" " * 9)]
        for row in self._teams:
            head += [Span(row.letter, team_role(row.seat)), Span(" " * 5)]
        rows.append(head)
        for tokens in self._tokens:
            spans = [Span(" " + fit(tokens.name, 8))]
            for count, bonus in tokens.cells:
                text = str(count) if count else "-"
                spans += [
                    Span(text, "text" if count else "dim"),
                    Span(fit(f"+{bonus}" if bonus else "", 6 - len(text)), "gain"),
                ]
            rows.append(spans)
        return rows
