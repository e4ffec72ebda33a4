"""The header of a table: the game, the moment, and whose turn it is, in one row."""

from __future__ import annotations

from collections.abc import Sequence

from client.face import LETTERS
from client.present.hosts import in_place_of_the_turn
from client.present.scene import Scene
from client.tui.widgets.names import short
from client.tui.widgets.panel import Row, Span, length, seat_role, shortened

WIDE = 120
"""Columns from which a header says which table it is, and how many watch."""


def whose_turn(now: Scene, seat: int | None, most: int = 0) -> tuple[str, str]:
    """Return the words and their role; ``most`` cells show the name of the ``seat`` to act (0: all)."""
    if trouble := in_place_of_the_turn(now.state):
        return trouble, "warn"
    if now.over or seat is None:
        return "THE GAME IS OVER", "strong"
    name = now.view.names[seat]
    if most:
        name = short(name, most).rstrip()
    if not now.state.plays(seat):
        absence = now.state.seats[seat].absence
        return f"{LETTERS[seat]} {name} {f'({absence})' if absence else 'is playing'}", "strong"
    return f"YOUR TURN  {LETTERS[seat]} {name}", seat_role(seat)


def title(now: Scene) -> Span:
    """Return the name of the game."""
    return Span(f"  {now.state.game.title.upper()}", "strong")


def table(now: Scene, address: str, width: int) -> Span:
    """Return which table it is, where the header has room for that."""
    where = f" on {address}" if address else ""
    return Span(f"   game {now.state.table}{where}" if width >= WIDE else "", "dim")


def header(
    now: Scene, width: int, lefts: Sequence[Sequence[Span]], whose: tuple[str, str], points: Row = ()
) -> list[Row]:
    """Return one row with the first left side that there is room for beside ``whose`` turn it is and the
    ``points`` to spend. Of these a long name is cut, the points are not.
    """
    words, role = whose
    turn = Span(shortened(f" {words} ", width - length(points)), role)
    watching = f"{now.state.watchers} watching   " if now.state.watchers and width >= WIDE else ""
    right = [Span(watching, "dim"), turn, *points]
    for left in (*lefts, []):
        gap = width - length(left) - length(right)
        if gap > 0:
            return [[*left, Span(" " * gap), *right]]
    return [right]
