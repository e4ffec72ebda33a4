"""The teams with live points, food and depth, and the race for the majorities when there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.present.teams import TeamRow, TokenRow
from client.tui.widgets.panel import Panel, Row, Span, fit, team_role

NARROW = 24
INLINE = 44
COLUMNS = (5, 6, 6, 4)
BELOW = 36


def _short(name: str, width: int) -> str:
    """A name in so many cells; one that is cut keeps the number at its end."""
    number = name[len(name.rstrip("0123456789")) :]
    if cell_len(name) > width > len(number) + 2 and number:
        return fit(name[: -len(number)], width - len(number)) + number
    return fit(name, width)


def _home(row: TeamRow, width: int) -> Span:
    """The turns to the base; in the last rounds those needed of those left."""
    if row.countdown is None:
        return Span(fit(row.home, width, right=True))
    role = "warn" if row.countdown.late else "strong"
    return Span(fit(row.countdown.short, width, right=True), role)


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
        spare = width - NARROW - (2 + sum(COLUMNS) if inline else 6 if below else 0)
        name = 5 + max(0, min(spare, 7))
        home = below
        title = fit("Teams", 2 + name - 2)
        head = f"{self._line} {title}{fit('VP', 4, right=True)} {fit('+bn', 3)}"
        last = any(row.countdown is not None for row in self._teams)
        head += ("  fd home" if last else " food dep") if not home else f"{fit('food', 5, right=True)}"
        if inline:
            cells = zip(self._tokens, COLUMNS, strict=False)
            head += f" {self._line}" + "".join(fit(row.name[: size - 1], size) for row, size in cells)
        elif home:
            head += fit("depth", 6, right=True) + fit("home", 6, right=True)
        rest = max(0, width - len(head) - 1)
        rows: list[Row] = [[Span(head + " ", "title"), Span(self._line * rest, "line")]]
        rows += [self._team(row, name, inline=inline, home=home) for row in self._teams]
        if below and self._tokens:
            rows += self._table(width)
        return rows

    def _team(self, row: TeamRow, name: int, *, inline: bool, home: bool) -> Row:
        food = "?" if row.food is None else f"{row.food}{'!' if row.hungry else ''}"
        mark = ">" if row.turn else " "
        title = row.name if row.present else f"({row.name})"
        spans = [
            Span(mark, "strong"),
            Span(row.letter, team_role(row.seat)),
            Span(" " + _short(title, name), "strong" if row.mine else "text"),
            Span(fit(str(row.points), 4, right=True), "strong"),
            Span(fit(f"+{row.bonus}", 4, right=True), "gain" if row.bonus else "dim"),
            Span(fit(food, 5 if home else 3, right=True), "warn" if row.hungry else "text"),
        ]
        if home or row.countdown is None:
            spans.append(Span(fit(row.depth, 6 if home else 5, right=True)))
        else:
            spans.append(_home(row, 5))
        if inline:
            spans.append(Span("  "))
            for tokens, size in zip(self._tokens, COLUMNS, strict=False):
                count, bonus = tokens.cells[row.seat]
                spans += [
                    Span(str(count), "text" if count else "dim"),
                    Span(fit(f"+{bonus}" if bonus else "", size - len(str(count))), "gain"),
                ]
        elif home:
            spans.append(_home(row, 6))
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
