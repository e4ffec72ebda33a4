"""An input that handles letters and editing keys in the order in which they are typed."""

from __future__ import annotations

from textual.binding import Binding
from textual.events import Key
from textual.widgets import Input

EDITING = {
    key: binding.action for binding in Input.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")
}


class TextInput(Input):
    """Textual writes a letter at once, but lets an editing key go up to the app first: of keys that arrive
    together, as on a slow line, backspace would delete the letters typed after it.
    """

    async def on_key(self, event: Key) -> None:
        if event.key in EDITING:
            event.prevent_default().stop()
            await self.run_action(EDITING[event.key])
