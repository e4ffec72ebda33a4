"""A terminal that is too small: a notice until it grows; the game goes on underneath."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

WIDTH = 80
HEIGHT = 24


def too_small(width: int, height: int) -> bool:
    """Whether the screens would be cut off."""
    return width < WIDTH or height < HEIGHT


class TooSmallScreen(ModalScreen[None]):
    """Names the size there is and the size that is needed."""

    CSS_PATH = "too_small.tcss"
    AUTO_FOCUS = ""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._width = width
        self._height = height

    def compose(self) -> ComposeResult:
        """The notice."""
        yield Static(self._words(), id="notice", markup=False)

    def _words(self) -> str:
        return (
            f"This terminal is {self._width}x{self._height}.\n"
            f"The cave needs {WIDTH}x{HEIGHT}.\n"
            "Make it larger: the game waits."
        )

    def on_screen_resume(self) -> None:
        """Something else lay on top: go away where there is room by now, or name the new size."""
        if not too_small(*self.app.size):
            self.dismiss(None)

    def show(self, width: int, height: int) -> None:
        """Name another size."""
        self._width, self._height = width, height
        for notice in self.query(Static):
            notice.update(self._words())
