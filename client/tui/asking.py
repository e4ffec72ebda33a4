"""Screens that open over a table: lists, questions, the log, the chat, help, the score sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from client.table import Rejected
from client.tui import sentences
from client.tui.table import TableScreen

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.history import Points
    from client.tui.screens.score import ScoreScreen

LEAVING = (("Stay", "", "s"), ("Leave to the menu", "menu", "m"), ("Quit the program", "quit", "q"))


class Asking:
    """Opens screens over a table, and does what is chosen there. Each is imported when it opens."""

    def __init__(self, table: TableScreen[Any]) -> None:
        self._table = table
        self._sheet: ScoreScreen | None = None
        self.points: Callable[[], Awaitable[Points | None]] = self._points
        """Gives the points over the game."""

    # Lists and questions

    def choose(
        self,
        title: str,
        entries: Sequence[Any],
        then: Callable[[Any], None],
        otherwise: Callable[[], None] | None = None,
        **more: Any,
    ) -> Screen[Any]:
        """Open a list, and return it; ``then`` gets the value of what is chosen, ``otherwise`` is called
        where the list is closed.
        """
        from client.tui.screens.chooser import ChooserScreen
        from client.tui.widgets.box import BELOW

        def chosen(value: Any) -> None:
            if value is not None:
                then(value)
            elif otherwise is not None:
                otherwise()

        table = self._table
        explain = partial(self.show_help, "game")
        screen = ChooserScreen(title, entries, explain=explain, line=table.line, **more)
        screen.add_class(BELOW, update=False)
        table.app.push_screen(screen, chosen)
        return screen

    def confirm(
        self, question: str, yes: str, no: str, then: Callable[[], None], *, sure: bool = False
    ) -> Screen[Any]:
        """Ask; what Enter answers at once is yes only where little is lost (``sure``)."""
        from client.tui.screens.chooser import Entry

        answers = [Entry(yes, True, key="y"), Entry(no, False, key="n")]
        chosen = 0 if sure else 1
        return self.choose(question, answers, lambda answer: then() if answer else None, chosen=chosen)

    def leave(self) -> None:
        """Ask whether to leave, and where to."""
        from client.tui.screens.chooser import Entry

        answers = [Entry(text, value, key=key) for text, value, key in LEAVING]
        question = sentences.LEAVE if self._table.saved else sentences.LEAVE_UNSAVED
        self.choose(question, answers, self._finish)

    def _finish(self, answer: str | None) -> None:
        """Leave the table when what was asked is gone, unless one stays."""
        if answer:
            self._table.call_later(self._table.finish, answer)

    # The log, the chat and the help

    def show_log(self, point_at: Callable[[Any], None]) -> None:
        """Open the whole log; a line that is about a place points at it."""
        from client.tui.lists import log_entries
        from client.tui.widgets.log import NOTHING

        scene = self._table.scene
        found, _ = log_entries(self._table.face, scene)
        if not found:
            self._table.say(NOTHING, "text")
            return
        self.choose(
            "Log",
            found,
            lambda at: point_at(at) if at else None,
            chosen=max(0, len(found) - 1),
            hint="{take} show the place   {back} back",
        )

    def show_chat(self) -> None:
        """Open the chat; all that was said has then been read."""
        from client.tui.screens.chat import ChatScreen

        table = self._table

        def read(_: None) -> None:
            table.unread, table.talking = 0, False
            table.paint()

        table.talking = True
        table.app.push_screen(ChatScreen(table.session, line=table.line), read)

    def show_help(self, topic: str = "game", about: Sequence[str] = ()) -> None:
        """Open the help at the rules that matter here."""
        from client.tui.screens.help import HelpScreen, live_keys

        table = self._table
        pages = HelpScreen(
            table.face,
            glyphs=table.glyphs,
            topic=topic,
            about=about,
            goal=table.face.goal(table.scene.view),
            keys=live_keys(table),
        )

        async def clicked(action: str | None) -> None:
            if action is not None:
                if table.app.screen is not table:  # The help was opened from a list.
                    table.app.screen.dismiss(None)
                await table.run_action(action)

        table.app.push_screen(pages, clicked)

    # The score sheet

    def show_score(self) -> None:
        """Open the score sheet."""
        from client.tui.screens.score import ScoreScreen

        table = self._table
        state = table.scene.state
        self._sheet = ScoreScreen(
            table.face,
            state,
            record_path=table.record_path,
            glyphs=table.glyphs,
            points=self.points,
            analyse=bool(table.record_path and state.game.bots),
        )

        def left(answer: str | None) -> None:
            self._sheet = None
            self._finish(answer)

        table.app.push_screen(self._sheet, left)

    def hear_score(self) -> None:
        """Tell the score sheet of another state, where it is open."""
        if self._sheet is not None and self._sheet.is_attached:
            self._sheet.hear(self._table.scene.state)

    async def _points(self) -> Points | None:
        """Work the points over the game out from its record, beside the event loop."""
        try:
            lines = await self._table.session.record()
        except (Rejected, ConnectionError):
            return None
        from client.history import points_of  # With the score screen: not before it is needed.

        return await asyncio.to_thread(points_of, self._table.face, lines)
