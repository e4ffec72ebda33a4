"""Keys that are typed before the screen that they are meant for is there."""

from __future__ import annotations

from collections import deque
from typing import Any, TypeVar

from textual import events

from client.tui.terse import TerseApp

Result = TypeVar("Result")


class TypeAheadApp(TerseApp[Result]):
    """Keys wait until all screens have their widgets, and go on in the order typed.

    The library hands a key to a screen at once, and one without widgets cannot do what the key asks for.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._typed: deque[events.Key | events.Paste] = deque()

    async def on_event(self, event: events.Event) -> None:
        """Let keys and pasted text wait for their turn; all else goes its way."""
        if isinstance(event, events.Key | events.Paste) and self.screen_stack:
            self._typed.append(event)
            await self._work_off()
        else:
            await super().on_event(event)

    async def _work_off(self) -> None:
        while self._typed and self.screen_stack:
            waited_for = next((screen for screen in self.screen_stack if not screen.is_mounted), None)
            if waited_for is not None:
                # It calls back as soon as it is mounted.
                waited_for.call_later(self.call_later, self._work_off)
                return
            await super().on_event(self._typed.popleft())
