"""The teams with live points, consumables and depth; the race for the majorities when there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style

from client.games.the_cave.known.teams import TeamRow, TokenRow
from client.tui.themes import seat_ink
from client.tui.widgets.names import short
from client.tui.widgets.panel import PLAIN, Panel, Row, Span, fit, seat_role

ROOMY = 36
"""Columns from which the headings have room for whole words."""
CELLS, BARS, BONUS = 9, 7, 4
"""The most cells for what a team has of a token, those from which it is a bar, and those of a bonus."""
NAMES, FAIR = (5, 12), 10
"""The least and the most cells for names; depth and home go before a name has less than FAIR."""
AIRY = 30
"""Columns from which there is air around the letter of a team."""
EDGE = 1
"""Columns of air at the right edge."""


def _who(row: TeamRow, width: int, *, airy: bool) -> list[Span]:
    """Return whether it is its turn, the letter and the name of a team, with a gap between these."""
    title = row.name if row.present else f"({row.name})"
    turn, seat, find = ">" if row.turn else " ", seat_role(row.seat), _find(row)
    name = Span(f" {short(title, width)}", "strong" if row.mine else "text", find)
    if airy:
        return [Span(" ", "text", find), Span(f"{turn}{row.letter} ", seat, find), name]
    return [Span(turn, "strong", find), Span(row.letter, seat, find), name]


def _lead(width: int) -> int:
    """Return the columns before the names."""
    return 5 if width >= AIRY else 3


def _find(row: TeamRow) -> str:
    """Return the word of a click on the team's row."""
    return f"team:{row.seat}"


def _consumables(row: TeamRow) -> Span:
    """Return the consumables, if one may know, and whether they are too few."""
    count = "?" if row.consumables is None else f"{row.consumables}{'!' if row.hungry else ''}"
    return Span(count, "warn" if row.hungry else "text")


def _home(row: TeamRow) -> Span:
    """Return the turns to the base; in the last rounds those needed of those left."""
    if row.countdown is None:
        return Span(row.home)
    return Span(row.countdown.short, "warn" if row.countdown.late else "strong")


class Teams(Panel):
    """One row a team, and where there are rows for it below that, one a kind of token."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._teams: tuple[TeamRow, ...] = ()
        self._tokens: tuple[TokenRow, ...] = ()

    def show(self, teams: tuple[TeamRow, ...], tokens: tuple[TokenRow, ...]) -> None:
        """Set what the table tells."""
        self._teams, self._tokens = teams, tokens
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the table for this width."""
        columns = self._columns(width)
        sizes = list(map(_size, columns))
        lead = _lead(width)
        name = max(NAMES[0], min(NAMES[1], width - lead - sum(sizes) - EDGE))
        head = f" {fit('TEAMS', lead + name - 1)}"
        head += "".join(
            fit(column[0].text, size, right=True) for column, size in zip(columns, sizes, strict=True)
        )
        rows: list[Row] = [[Span(head[: lead + name], "title"), Span(head[lead + name :], "dim")]]
        for number, row in enumerate(self._teams, 1):
            cells = [(column[number], size) for column, size in zip(columns, sizes, strict=True)]
            spans = [Span(fit(cell.text, size, right=True), cell.role, _find(row)) for cell, size in cells]
            rows.append([*_who(row, name, airy=width >= AIRY), *spans])
        tokens = self._table(width)
        spare = height - len(rows) - len(tokens)
        if spare >= 0:
            # Air below the teams comes first: that is where another card begins.
            rows += [*([[]] if spare > 1 else []), *tokens]
        return rows

    @property
    def _bar(self) -> str:
        return "#" if self._line == "-" else "■"

    def _style(self, role: str) -> Style:
        """Return the style of a role: bars have the colour of their team, as far as it can be seen here."""
        kind, _, seat = role.partition("-")
        if kind == "bar" and role not in self._styles:
            self._styles[role] = self._style(PLAIN) + seat_ink(self.app, int(seat), "surface")
        return super()._style(role)

    def _columns(self, width: int) -> list[list[Span]]:
        """Return the columns behind the names: of each the heading, and a cell for each team."""
        teams = self._teams
        roomy = width >= ROOMY
        columns = {
            "points": [Span("VP"), *(Span(str(row.points), "strong") for row in teams)],
            "bonus": [Span("+bn"), *(Span(f"+{row.bonus}", "gain" if row.bonus else "dim") for row in teams)],
            "consumables": [Span("cons" if roomy else "cn"), *map(_consumables, teams)],
            "depth": [Span("depth" if roomy else "deep"), *(Span(row.depth) for row in teams)],
            "home": [Span("home"), *map(_home, teams)],
        }
        last = any(row.countdown is not None for row in teams)
        least = max(NAMES[0], min(FAIR, max(cell_len(row.name.replace("(bot)", "bot")) for row in teams)))
        # In the last rounds all that counts is to be home in time.
        for name in ("depth", "bonus") if last else ("home", "depth", "bonus"):
            names = NAMES[0] if name == "bonus" else least
            if _lead(width) + names + sum(map(_size, columns.values())) + EDGE <= width:
                break
            del columns[name]
        return list(columns.values())

    def _table(self, width: int) -> list[Row]:
        """Return how many each team has of each kind, and the bonus for it."""
        first = 2 + max((cell_len(tokens.name) for tokens in self._tokens), default=7)
        size = min(CELLS, (width - first) // max(1, len(self._teams)))
        head = [Span(fit(" TOKENS", first), "title")]
        for row in self._teams:
            head += [Span(row.letter, seat_role(row.seat)), Span(" " * (size - 1))]
        rows: list[Row] = [head]
        for tokens in self._tokens:
            spans = [Span(" " + fit(tokens.name, first - 1))]
            # A row of numbers, where not all of it can be bars, is compared more easily.
            bars = size >= BARS and max(count for count, _ in tokens.cells) <= size - BONUS
            for row, (count, bonus) in zip(self._teams, tokens.cells, strict=True):
                text = self._bar * count if bars and count else str(count or "-")
                gap = " " * (size > len(text) + 3)
                spans += [
                    Span(text, (f"bar-{row.seat}" if bars else "text") if count else "dim"),
                    Span(fit(f"{gap}+{bonus}" if bonus else "", size - len(text)), "gain"),
                ]
            rows.append(spans)
        return rows


def _size(column: Sequence[Span]) -> int:
    return 1 + max(cell_len(span.text) for span in column)
