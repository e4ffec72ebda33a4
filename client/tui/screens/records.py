"""The choice of a record: those that were kept, newest first, or any file by its path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client.tui.widgets.tap import Hint, KeyHint, Tap


class RecordsScreen(Screen[Path | None]):
    """Choose a record; None to go back."""

    CSS_PATH = "records.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", id="records.back")]

    def __init__(self, records: Sequence[Path]) -> None:
        super().__init__()
        self._records = tuple(records)

    def compose(self) -> ComposeResult:
        """The kept records and a line for a path."""
        with Vertical(id="sheet"):
            yield Static(" Replay a game", id="title")
            yield Static(
                "Kept games, newest first" if self._records else "No game was kept yet.", classes="head"
            )
            yield OptionList(*[Option(f" {path.stem}") for path in self._records], id="records")
            with Horizontal(classes="line"):
                yield Static("File", classes="what")
                yield Input(placeholder="or the path of a record", compact=True, id="path")
        with Horizontal(id="hints"):
            yield Hint("enter", "Replay", "open")
            yield Hint("tab", "List or path", "next")
            yield KeyHint("records.back", "Menu", "back")

    def on_mount(self) -> None:
        """Begin where there is something to choose."""
        if self._records:
            self.query_one("#records", OptionList).highlighted = 0
            self.query_one("#records").focus()
        else:
            self.query_one("#path").focus()

    def action_back(self) -> None:
        """To the menu."""
        self.dismiss(None)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._records[event.option_index])

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.dismiss(Path(event.value.strip()).expanduser())

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "back":
                self.action_back()
            case "next":
                self.focus_next()
            case _:
                typed = self.query_one("#path", Input).value.strip()
                if typed:
                    self.dismiss(Path(typed).expanduser())
                else:
                    self.query_one("#records", OptionList).action_select()


def kept(folder: Path) -> list[Path]:
    """The records in a folder, newest first; none where it can not be read."""
    try:
        return sorted(folder.glob("*.jsonl"), reverse=True)[:200]
    except OSError:
        return []
