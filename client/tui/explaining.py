"""Screens on which words of the rules are explained where the mouse points at them."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from cave.game import AnyGame
from client.face import Face
from client.tui.widgets.panel import Panel


class Explaining(Screen[ScreenResultType]):
    """Shows the sentence of a word under the mouse. It is our own, whoever wrote the word."""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Find the word of the game that is played here, in the text of a pane or a page."""
        widget, _ = self.get_widget_at(*event.screen_offset)
        faces = (getattr(screen, "face", None) for screen in reversed(self.app.screen_stack))
        face = next((face for face in faces if isinstance(face, Face)), None)
        if face is not None and isinstance(widget, Panel | Static):
            said = self._word_at(face.game, widget, event)
            if said or widget.tooltip:
                widget.tooltip = Content(said) if said else None

    @staticmethod
    def _word_at(game: AnyGame, widget: Widget, event: events.MouseMove) -> str:
        from cave.glossary import explained, words_in  # Not before a word is pointed at.

        offset = event.get_content_offset(widget)
        if offset is None:
            return ""
        line = widget.render_line(offset.y)
        at = len(line.crop(0, offset.x).text)
        return next((explained(game, name) for place, name in words_in(game, line.text) if at in place), "")
