"""The panes of a screen: its first row, those that show a scene, and the layout, computed here instead of in
style sheets, so that it is known before the first frame at a size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.cells import cell_len
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import Layout, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.widget import Widget
from textual.widgets import Tooltip

from client.face import LETTERS
from client.present.cells import Box
from client.present.hosts import header_words_without_turn
from client.present.scene import Scene
from client.tui.text_roles import Hue
from client.tui.widgets.bottom_rows import GoalLine, MessageLine
from client.tui.widgets.panel import AlikeLines, Panel, Row, Span, length, seat_role, shorten_name, shorten_text

KEPT_ROWS = 5  # of the kept pane, above a message
GOAL_FROM = 22  # rows of the smallest window that shows the goal


class ByName(Layout):
    """Each child is in the box of its id; a child without a box is hidden."""

    name = "by-name"

    def __init__(self, boxes: Callable[[Size], Mapping[str, Box]]) -> None:
        self.boxes = boxes

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> list[WidgetPlacement]:
        """Put each child into its box. A tooltip has none: it covers them, alone in its layer."""
        if any(isinstance(child, Tooltip) for child in children):
            return VerticalLayout().arrange(parent, children, size, greedy)
        boxes = self.boxes(size)
        found = ((child, boxes.get(child.id or "")) for child in children)
        return [
            WidgetPlacement(Region(*box), NULL_OFFSET, NULL_SPACING, child) for child, box in found if box is not None
        ]

    @staticmethod
    def lay_out(parent: Widget) -> None:
        """Put the children of a pane into other boxes: Textual caches those of a size."""
        parent.children[-1].refresh(layout=True)


class TablePanes(ByName):
    """A table's panes by window size (``arranged``); the message may cover those in ``covered``. The pane ``kept``
    then moves up, over the one above, and keeps ``KEPT_ROWS``.
    """

    def __init__(
        self, table: Widget, arranged: Callable[[int, int], Mapping[str, Box]], covered: frozenset[str], kept: str = ""
    ) -> None:
        super().__init__(self._with_message)
        self._table = table
        self._arranged = arranged
        self._covered, self._kept = covered, kept
        self._laid_out: Mapping[str, Box] = {}

    def _with_message(self, size: Size) -> Mapping[str, Box]:
        width, height = size
        lines = len(self._table.query_one(GoalLine).lines)
        goal = lines if lines > 1 or height >= GOAL_FROM else 0  # a lesson needs its lines in any window
        boxes = self._arranged(width, height - goal)
        if goal:
            lower = {name: box._replace(y=box.y + goal) for name, box in boxes.items()}
            boxes = {**lower, "header": boxes["header"], "goal": Box(0, 1, width, goal)}
        end = boxes.get("place", boxes["hints"]).y
        rows = self._message_line.count_message_rows(width)
        found = {**boxes, "message": Box(0, end - rows, width, rows), "jump": Box(0, end - 1, width, 1)}
        if rows and self._kept in found:
            kept = found[self._kept]
            found[self._kept] = kept._replace(y=min(kept.y, end - rows - min(kept.height, KEPT_ROWS)))
        return found

    @property
    def _message_line(self) -> MessageLine:
        return self._table.query_one("#message", MessageLine)

    def shows(self, pane: str, rows: int = 1) -> bool:
        """Return whether a pane is shown with at least this many rows."""
        box = self.boxes(self._table.app.size).get(pane)
        return box is not None and box.height >= rows

    def make_room(self) -> None:
        """Lay the panes out if they need other rows, and keep their lines clear of the message."""
        size = self._table.app.size
        boxes = self.boxes(size)
        if boxes != self._laid_out:
            self._laid_out = boxes
            self.lay_out(self._table)
        top = boxes["message"].y if self._message_line.display else size.height
        for pane in self._table.query(Panel):
            box = boxes.get(pane.id or "")
            if box is not None and pane.id in self._covered:
                pane.cover_last_rows(max(0, min(box.height, box.y + box.height - top)))


class Rule(Panel, AlikeLines):
    """A vertical line between two panes: faint where their grounds differ, too."""

    ROLES: ClassVar[Mapping[str, Hue]] = {"edge": Hue("cap")}

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [[Span("|" if self._line == "-" else "▏", "edge")] for _ in range(height)]


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
        row.append(Span(shorten_text(title, width - length(row)), "strong"))
        if self._note and length(row) + 3 + cell_len(self._note) <= width:
            row.append(Span(f"   {self._note}", "dim"))
        return [row]


WIDE = 120  # columns from which a header has the table and the number of watchers


SceneT = TypeVar("SceneT", bound=Scene)


class ScenePane(Panel, Generic[SceneT]):
    """A pane that shows a scene: a subclass returns its lines from ``scene_rows``."""

    scene: SceneT | None = None

    def show(self, scene: SceneT) -> None:
        self.scene = scene
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return [] if self.scene is None else self.scene_rows(self.scene, width, height)

    def scene_rows(self, now: SceneT, width: int, height: int) -> Sequence[Row]:
        raise NotImplementedError


def whose_turn(now: Scene, seat: int | None, most: int = 0) -> tuple[str, str]:
    """Return the words and their role; ``most`` cells show the name of the ``seat`` to act (0: all)."""
    if trouble := header_words_without_turn(now.state):
        return trouble, "warn"
    if now.over or seat is None:
        return "THE GAME IS OVER", "strong"
    name = now.view.names[seat]
    if most:
        name = shorten_name(name, most).rstrip()
    if not now.state.plays(seat):
        absence = now.state.seats[seat].absence_words
        return f"{LETTERS[seat]} {name} {f'({absence})' if absence else 'is playing'}", "strong"
    return f"YOUR TURN  {LETTERS[seat]} {name}", seat_role(seat)


def game_title(now: Scene) -> Span:
    return Span(f"  {now.state.game.title.upper()}", "strong")


def which_table(now: Scene, address: str, width: int) -> Span:
    where = f" on {address}" if address else ""
    words = f"game {now.state.table}{where}" if now.state.lesson is None else now.state.title
    return Span(f"   {words}" if width >= WIDE else "", "dim")


def header_row(
    now: Scene, width: int, lefts: Sequence[Sequence[Span]], whose: tuple[str, str], points: Row = ()
) -> list[Row]:
    words, role = whose
    turn = Span(shorten_text(f" {words} ", width - length(points)), role)
    watching = f"{now.state.watchers} watching   " if now.state.watchers and width >= WIDE else ""
    right = [Span(watching, "dim"), turn, *points]
    for left in (*lefts, []):
        gap = width - length(left) - length(right)
        if gap > 0:
            return [[*left, Span(" " * gap), *right]]
    return [right]
