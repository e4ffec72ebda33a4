"""A replay: the game screen fed by a record, with ways to step, to jump and to let it play."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from typing import Any, ClassVar

import attrs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer

from client.games.the_cave.log import log_line
from client.games.the_cave.screen import replay_keys
from client.games.the_cave.screen.game import GameScreen
from client.games.the_cave.screen.widgets.status import Hints
from client.present.log import entries
from client.replay import words
from client.replay.points import Points
from client.replay.session import Playback, ReplaySession
from client.settings.schema import Preferences
from client.tui.widgets.replay import Controls, ReplayBar

ONLY_SEEN = "This is a replay: you can only step through it, with the keys above."
TIMER = "replay plays"
"""The name of the only timer."""


def _replay_commands() -> type[Any]:
    """The palette's lines, imported when the palette opens."""
    from client.games.the_cave.screen.replay_commands import ReplayCommands

    return ReplayCommands


class ReplayScreen(GameScreen):
    """The game screen fed by a record. No timer runs but while it plays."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [*GameScreen.CSS_PATH, "replay.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    COMMANDS: ClassVar[set[Any]] = {_replay_commands}
    REPLAYS: ClassVar[bool] = True

    def __init__(
        self,
        session: ReplaySession,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(
            session.face,
            session,
            glyphs=glyphs,
            record_path=record_path,
            follow=True,
            preferences=preferences,
        )
        self._replay = session
        self._playback = Playback()
        self._timer: Timer | None = None

    @property
    def replay(self) -> ReplaySession:
        """What is looked back on."""
        return self._replay

    @property
    def playback(self) -> Playback:
        """How it plays by itself."""
        return self._playback

    def compose(self) -> ComposeResult:
        """The game, and above the hints where the replay stands."""
        for widget in super().compose():
            if widget.id == "hints":
                yield ReplayBar(line=self._line, id="place")
                # Where a game has its actions.
                yield Controls(id="controls")
            yield widget

    def on_mount(self) -> None:
        """Show where it stands."""
        self._paint_place()

    def on_screen_suspend(self) -> None:
        """Under a list or a sheet it does not go on."""
        self._play(attrs.evolve(self._playback, playing=False))

    # Showing

    def _paint(self, *, moved: bool = False) -> None:
        super()._paint(moved=moved)
        keymap, over = self.keymap, self._desk.mode == "over"
        self.query_one("#hints", Hints).show(
            replay_keys.hints(keymap, over=over, idle=self._desk.idle(self._place))
        )
        self._paint_place()

    def _paint_place(self) -> None:
        self.query_one(ReplayBar).show(words.place(self._replay, self._playback))
        for pane in self.query(Controls):
            groups = words.controls(self._playback)
            pane.show(replay_keys.renamed(groups, self.keymap))

    # Stepping

    def _do_step(self, by: str) -> None:
        self._replay.go(self._replay.step + int(by))

    def _do_turn(self, by: str) -> None:
        self._replay.go_turn(int(by))

    def _do_round(self, by: str) -> None:
        self._replay.go_turn(int(by) * len(self._replay.state.seats))

    def _do_first(self) -> None:
        self._replay.go(0)

    def _do_last(self) -> None:
        self._replay.go(self._replay.last)

    def _do_go_to(self, step: str) -> None:
        self._replay.go(int(step))

    def _do_turns(self) -> None:
        from client.tui.screens.jump import JumpScreen

        def chosen(step: int | None) -> None:
            if step is not None:
                self._replay.go(step)

        self.app.push_screen(JumpScreen(self._replay, line=self._line), chosen)

    def _do_log(self) -> None:
        """The log of the whole game; a line goes to its step."""
        from client.games.the_cave.screen.lists import step_entries

        whole = self._replay.whole
        found = entries(log_line, whole.log, whole.view)
        lines, here = step_entries(found, whole.log, self._replay.step)
        self._choose("Log", lines, self._replay.go, chosen=here, hint="{take} go to that step   {back} back")

    # Playing by itself

    def _do_play(self) -> None:
        playback = self._playback
        if not playback.playing and self._replay.step == self._end:
            # There is nothing left to play that way: from the other end, then.
            self._replay.go(self._replay.last - self._end)
        self._play(attrs.evolve(playback, playing=not playback.playing))

    @property
    def _end(self) -> int:
        """The step at which it can play no further."""
        return self._replay.last if self._playback.way > 0 else 0

    def _do_way(self) -> None:
        self._play(self._playback.turned())

    def _do_speed(self, by: str) -> None:
        self._play(self._playback.shifted(int(by)))

    def _play(self, playback: Playback) -> None:
        if playback == self._playback:
            return
        self._playback = playback
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if playback.playing:
            self._timer = self.set_interval(1 / playback.speed, self._tick, name=TIMER)
        self._paint_place()

    def _tick(self) -> None:
        self._replay.go(self._replay.step + self._playback.way)
        if self._replay.step == self._end:
            self._play(attrs.evolve(self._playback, playing=False))

    # What only a game has, and leaving

    async def _points(self) -> Points:
        return await asyncio.to_thread(self._replay.points)

    def _alarm(self) -> None:
        """The log tells it; nothing covers a replay."""

    def _why(self, kind: str) -> str:
        return ONLY_SEEN

    def _do_enter(self) -> None:
        if self._desk.mode == "over":
            self._score()
        else:
            self._say(ONLY_SEEN, "text")

    def _do_help(self) -> None:
        from client.tui.screens.help import HelpScreen, live_keys

        self.app.push_screen(HelpScreen(self.face, glyphs=self._glyphs, topic="replay", keys=live_keys(self)))

    def _do_quit(self) -> None:
        self.dismiss("menu")
