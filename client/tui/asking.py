"""What the screen of a table opens over itself: lists, questions, the log, help, the score sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from client.face import Face
from client.present.scene import Scene
from client.table import Rejected, Session, TableState
from client.tui import sentences
from client.tui.covering import Leavable

if TYPE_CHECKING:
    from client.replay.points import Points
    from client.tui.screens.score import ScoreScreen

LEAVING = (("Stay", "", "s"), ("Leave to the menu", "menu", "m"), ("Quit the program", "quit", "q"))


class AskingScreen(Leavable):
    """The screen of a table that asks the person. What it opens is imported when it opens."""

    def __init__(
        self,
        face: Face,
        session: Session,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        saved: bool = True,
    ) -> None:
        super().__init__()
        self.face = face
        self.session = session
        self._glyphs = glyphs
        self._line = "-" if glyphs == "ascii" else "─"
        self._record_path = record_path
        self._saved = saved
        self._sheet: ScoreScreen | None = None

    @property
    def scene(self) -> Scene:
        """What is shown now."""
        raise NotImplementedError

    # Lists and questions

    def choose(self, title: str, entries: Sequence[Any], then: Callable[[Any], None], **more: Any) -> None:
        """Open a list; ``then`` gets the value of what is chosen."""
        from client.tui.screens.chooser import AT_A_TABLE, ChooserScreen

        def chosen(value: Any) -> None:
            if value is not None:
                then(value)

        screen = ChooserScreen(title, entries, face=self.face, line=self._line, **more)
        screen.add_class(AT_A_TABLE)
        self.app.push_screen(screen, chosen)

    def confirm(
        self, question: str, yes: str, no: str, then: Callable[[], None], *, sure: bool = False
    ) -> None:
        """Ask; what Enter answers at once is yes only where little is lost (``sure``)."""
        from client.tui.screens.chooser import Entry

        answers = [Entry(yes, True, key="y"), Entry(no, False, key="n")]
        self.choose(question, answers, lambda answer: then() if answer else None, chosen=0 if sure else 1)

    def ask_to_leave(self) -> None:
        """Ask whether to leave, and where to."""
        from client.tui.screens.chooser import Entry

        answers = [Entry(text, value, key=key) for text, value, key in LEAVING]
        question = sentences.LEAVE if self._saved else sentences.LEAVE_UNSAVED

        def left(answer: str) -> None:
            if answer:
                self.call_later(self.finish, answer)  # when the question is gone

        self.choose(question, answers, left)

    # The log and the help

    def show_log(self) -> None:
        """Open the whole log."""
        from client.tui.lists import log_entries

        if self.scene.view is None:
            return
        found, _ = log_entries(self.face, self.scene)
        self.choose(
            "Log",
            found,
            lambda at: self.point_at(at) if at else None,
            chosen=max(0, len(found) - 1),
            hint="{take} show the place   {back} back",
        )

    def point_at(self, at: Any) -> None:
        """Show a place that a line of the log is about."""

    def show_help(self, topic: str = "game") -> None:
        """Open the help at the rules that matter here."""
        from client.tui.screens.help import HelpScreen, live_keys

        pages = HelpScreen(
            self.face, glyphs=self._glyphs, topic=topic, about=self.about(), keys=live_keys(self)
        )
        self.app.push_screen(pages)

    def about(self) -> Sequence[str]:
        """The numbers of the rules that matter at what one points at now."""
        return ()

    # The score sheet

    def show_score(self) -> None:
        """Open the score sheet."""
        from client.tui.screens.score import ScoreScreen

        screen = ScoreScreen(
            self.face,
            self.scene.state,
            record_path=self._record_path,
            glyphs=self._glyphs,
            points=self.points,
            rematch=bool(self.scene.state.my_seats),
        )
        self._sheet = screen

        def left(answer: str | None) -> None:
            self._sheet = None
            if answer is not None:
                self.call_later(self.finish, answer)  # when the sheet is gone

        self.app.push_screen(screen, left)

    def hear_score(self, state: TableState) -> None:
        """Tell the score sheet of another state, where it is open."""
        if self._sheet is not None and self._sheet.is_attached:
            self._sheet.hear(state)

    async def points(self) -> Points | None:
        """The points over the game from its record, worked out beside the event loop."""
        try:
            lines = await self.session.record()
        except (Rejected, ConnectionError):
            return None
        from client.replay.points import points_of  # With the score screen: not before it is needed.

        return await asyncio.to_thread(points_of, self.face, lines)
