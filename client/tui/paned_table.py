"""A table whose panes lie where arithmetic puts them, with messages over the lowest ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual.geometry import Size
from textual.layout import Layout

from client.face import Face
from client.present.cells import Box
from client.table import Session
from client.tui.table import SceneT, TableScreen
from client.tui.widgets.message import MessageLine
from client.tui.widgets.panel import Panel
from client.tui.widgets.panes import ByName


class PanedTable(TableScreen[SceneT]):
    """A table of panes. A game says by ``arranged`` where they lie; one without a box is not shown."""

    COVERED: ClassVar[frozenset[str]]
    """The panes over which messages may lie. Their last lines move up."""

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self._panes = ByName(self.boxes)
        self._laid_out: Mapping[str, Box] = {}

    def arranged(self, width: int, height: int) -> Mapping[str, Box]:
        """Where the panes lie in a window of this size, by their ids."""
        raise NotImplementedError

    @property
    def layout(self) -> Layout:
        """Where the panes lie."""
        return self._panes

    def boxes(self, size: Size) -> Mapping[str, Box]:
        """The panes in a window of this size, and over the last rows above the keys the message."""
        width, height = size
        boxes = self.arranged(width, height)
        end = boxes["place" if self.replays else "hints"].y
        rows = self.query_one("#message", MessageLine).lines(width)
        return {**boxes, "message": Box(0, end - rows, width, rows), "jump": Box(0, end - 1, width, 1)}

    def say(self, text: str, role: str = "warn") -> None:
        """Say something, or with nothing to say what the guide explains."""
        super().say(text, role)
        self.make_room()

    def on_resize(self) -> None:
        """In another window the message takes other rows, and other panes are shown."""
        self.make_room()

    def make_room(self) -> None:
        """Lay the panes out where they need other rows, and keep their lines out of those of the message."""
        boxes = self.boxes(self.app.size)
        if boxes != self._laid_out:
            self._laid_out = boxes
            # Asked for by a pane: where the panes lie is kept until one of them wants it anew, and what
            # the screen itself asks for while it is covered would find the old places when it is back.
            self.query(Panel).first().refresh(layout=True)
        message = self.query_one("#message", MessageLine)
        top = boxes["message"].y if message.display else self.app.size.height
        for pane in self.query(Panel):
            box = boxes.get(pane.id or "")
            if box is not None and pane.id in self.COVERED:
                pane.cover(max(0, min(box.height, box.y + box.height - top)))
