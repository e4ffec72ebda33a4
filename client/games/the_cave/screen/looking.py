"""Looking around at a table: cursor, zoom, log, chat, help; what any watcher may do, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cave.the_cave.geometry import BASE, Coord
from client.games.the_cave.screen.keys import spoken
from client.games.the_cave.screen.sentences import FOLLOWING, GUIDE_OFF, NOT_FOLLOWING, banner
from client.games.the_cave.screen.table import TableScreen
from client.games.the_cave.screen.widgets.cave_map import CaveMap
from client.games.the_cave.screen.widgets.status import MessageLine


class LookScreen(TableScreen):
    """A table to look at; what can be done at it is in ``GameScreen``."""

    # Places

    def _do_exit(self) -> None:
        self._cycle(self._desk.exits())

    def look_at(self, at: Coord) -> None:
        """Put the cursor on a place and bring it into sight."""
        self.map.move_cursor(at)

    def _do_base(self) -> None:
        self.map.move_cursor(BASE)

    def _do_find(self) -> None:
        self.map.move_cursor(self._desk.team_at)

    def _do_team(self, seat: str) -> None:
        """A click on a team points at it; a second one brings it to the middle of the map."""
        at = self._desk.cave.teams[int(seat)].at
        if self.map.cursor == at:
            self.map.centre_on(at)
        self.look_at(at)

    def _do_follow(self) -> None:
        self._follows = not self._follows
        self._say(spoken(FOLLOWING if self._follows else NOT_FOLLOWING, self.keymap), "text")
        if self._follows and self._desk.view is not None:
            self._follow()

    def _cycle(self, places: Sequence[Coord]) -> None:
        if not places:
            self._say("There is none.")
            return
        at = self.map.cursor
        index = places.index(at) + 1 if at in places else 0
        self.map.move_cursor(places[index % len(places)])

    def _do_zoom(self) -> None:
        zooms = ("L", "M", "S")
        self.map.zoom = zooms[(zooms.index(self.map.zoom) + 1) % len(zooms)]  # type: ignore[assignment]

    def _do_centre(self) -> None:
        self.map.centre_on(self.map.cursor)

    def on_cave_map_cursor_moved(self, event: CaveMap.CursorMoved) -> None:
        """The panes follow the cursor."""
        self._hovered = None
        if not banner(self._desk.state, self.keymap):
            self._say("")
        self._inspect()

    def on_cave_map_tile_hovered(self, event: CaveMap.TileHovered) -> None:
        """The inspector follows the pointer."""
        self._hovered = event.at
        self._inspect()

    # Asking the person

    def _choose(self, title: str, entries: Sequence[Any], then: Callable[[Any], None], **more: Any) -> None:
        from client.tui.screens.chooser import ChooserScreen

        def chosen(value: Any) -> None:
            if value is not None:
                then(value)

        self.app.push_screen(ChooserScreen(title, entries, face=self.face, line=self._line, **more), chosen)

    def _confirm(
        self, question: str, yes: str, no: str, then: Callable[[], None], *, sure: bool = False
    ) -> None:
        """Ask; what Enter answers at once is yes only where little is lost (``sure``)."""
        from client.tui.screens.chooser import Entry

        entries = [Entry(yes, True, key="y"), Entry(no, False, key="n")]
        self._choose(question, entries, lambda answer: then() if answer else None, chosen=0 if sure else 1)

    # Lists and pages

    def _do_log(self) -> None:
        from client.games.the_cave.screen.lists import log_entries

        if self._desk.view is None:
            return
        entries, _ = log_entries(self._desk)

        def found(at: Any) -> None:
            if at:
                self.map.centre_on(at)
                self.map.move_cursor(at)

        self._choose(
            "Log", entries, found, chosen=max(0, len(entries) - 1), hint="{take} show the place   {back} back"
        )

    def _do_chat(self) -> None:
        from client.tui.screens.chat import ChatScreen

        self._talking = True
        self.app.push_screen(ChatScreen(self.session, line=self._line), lambda _: self._read_all())

    def _read_all(self) -> None:
        self._unread, self._talking = 0, False
        self._paint()

    def _do_guide(self) -> None:
        guided = not self.preferences.now.guide
        problem = self.preferences.change(guide=guided)
        self._explain()
        self._say(problem or ("" if guided else spoken(GUIDE_OFF, self.keymap)), "text")

    def _do_help(self) -> None:
        from client.games.the_cave import about
        from client.tui.screens.help import HelpScreen, live_keys

        told = self.query_one("#message", MessageLine).text
        rules = about.here(self._desk, self._hovered or self.map.cursor, told)
        keys = live_keys(self)
        self.app.push_screen(HelpScreen(self.face, glyphs=self._glyphs, topic="game", about=rules, keys=keys))

    def _do_settings(self) -> None:
        from client.app.screens.settings import SettingsScreen

        self.app.push_screen(SettingsScreen(self.preferences, glyphs=self._glyphs))

    def _do_palette(self) -> None:
        self.app.action_command_palette()
