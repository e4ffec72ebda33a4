"""A section: what a pane shows, and what line mode reads aloud."""

from __future__ import annotations

from msgspec import Struct


class Slot(Struct, frozen=True):
    """A thing in a slot, empty for none; a packed camp is two slots ``wide``."""

    text: str = ""
    wide: int = 1


class Section(Struct, frozen=True):
    """A title with a note, facts in the order in which they matter, and slots where things are carried."""

    title: str
    facts: tuple[str, ...] = ()
    note: str = ""
    slots: tuple[Slot, ...] = ()

    @property
    def text(self) -> str:
        """The facts in one line."""
        return ", ".join(self.facts)
