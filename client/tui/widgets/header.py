"""The first row of a screen: a title, or the game, the moment and whose turn it is; and panes of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.cells import cell_len

from client.face import LETTERS
from client.present.hosts import in_place_of_the_turn
from client.present.scene import Scene
from client.tui.widgets.panel import Panel, Row, Span, length, seat_role, short, shortened


class Letter(Panel):
    """A seat's letter in its colour."""

    DEFAULT_CSS = "Letter { width: 5; height: 1; background: transparent; }"

    def __init__(self, seat: int, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._seat = seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]]


class TitleBar(Panel):
    """A seat's letter in its colour, a title, and a note if it fits."""

    DEFAULT_CSS = "TitleBar { height: 1; background: $panel; }"

    def __init__(self, title: str, note: str = "", *, seat: int | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._title, self._note, self._seat = title, note, seat

    def rows(self, width: int, height: int) -> Sequence[Row]:
        row: list[Span] = []
        if self._seat is not None:
            row = [Span(" "), Span(f" {LETTERS[self._seat]} ", seat_role(self._seat))]
        title = f" {self._title}"
        row.append(Span(shortened(title, width - length(row)), "strong"))
        if self._note and length(row) + 3 + cell_len(self._note) <= width:
            row.append(Span(f"   {self._note}", "dim"))
        return [row]


WIDE = 120  # columns from which a header says which table it is, and how many watch


SceneT = TypeVar("SceneT", bound=Scene)


class ScenePane(Panel, Generic[SceneT]):
    """A pane that shows a scene: a subclass returns its lines from ``told``."""

    scene: SceneT | None = None

    def show(self, scene: SceneT) -> None:
        self.scene = scene
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [] if self.scene is None else self.told(self.scene, width, height)

    def told(self, now: SceneT, width: int, height: int) -> Sequence[Row]:
        raise NotImplementedError


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


def game_title(now: Scene) -> Span:
    return Span(f"  {now.state.game.title.upper()}", "strong")


def which_table(now: Scene, address: str, width: int) -> Span:
    where = f" on {address}" if address else ""
    return Span(f"   game {now.state.table}{where}" if width >= WIDE else "", "dim")


def header_row(
    now: Scene, width: int, lefts: Sequence[Sequence[Span]], whose: tuple[str, str], points: Row = ()
) -> list[Row]:
    words, role = whose
    turn = Span(shortened(f" {words} ", width - length(points)), role)
    watching = f"{now.state.watchers} watching   " if now.state.watchers and width >= WIDE else ""
    right = [Span(watching, "dim"), turn, *points]
    for left in (*lefts, []):
        gap = width - length(left) - length(right)
        if gap > 0:
            return [[*left, Span(" " * gap), *right]]
    return [right]
