"""A replay: the screen of a table fed by a record, with ways to step, to jump and to let it play.

Textual takes the keys of a screen from its class. So a replay is a class of its own: that of the game's
table with ``ReplayMode`` in front.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer

from cave.game import Json
from client.present.log import entries
from client.present.score import signed
from client.replay import history, words
from client.replay.points import Points
from client.replay.session import SPEEDS, Playback, ReplaySession
from client.settings.schema import Preferences
from client.tui import replay_keys
from client.tui.commands import Command
from client.tui.key_words import KeyWords
from client.tui.sentences import ONLY_SEEN
from client.tui.table import Do, SceneT, TableScreen
from client.tui.widgets.hints import Hint, Hints
from client.tui.widgets.replay import Controls, ReplayBar

TIMER = "replay plays"
"""The name of the only timer."""


class ReplayMode(TableScreen[SceneT]):
    """What a game's screen has in a replay. No timer runs but while it plays.

    The panes ``place`` and ``controls`` come above the game's ``hints``. The game may give them another place
    by its CSS, and gives the ``replay_hints`` for looking around.
    """

    BINDINGS: ClassVar[list[BindingType]] = replay_keys.BINDINGS
    replays: ClassVar[bool] = True
    replay_words: ClassVar[KeyWords]
    """The keys of the game and of a replay, by their words."""

    def __init__(
        self,
        session: ReplaySession,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        preferences: Preferences | None = None,
    ) -> None:
        self._replay = session
        self._playback = Playback()
        self._timer: Timer | None = None
        super().__init__(
            session.face,
            session,
            glyphs=glyphs,
            record_path=record_path,
            follow=True,
            preferences=preferences,
        )

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
        self._show_place()

    def on_screen_suspend(self) -> None:
        """Under a list or a sheet it does not go on."""
        self._play(replace(self._playback, playing=False))

    # Showing

    def replay_hints(self) -> tuple[Hint, ...]:
        """The keys with which one looks around."""
        return ()

    def show_hints(self) -> None:
        """Only what one can do in a replay."""
        found = self.replay_hints()
        if self.scene.over:
            found = (replay_keys.SCORE, *found)
        self.query_one("#hints", Hints).show(self.replay_words.hints(found, self.keymap))
        self._show_place()

    def _show_place(self) -> None:
        for bar in self.query(ReplayBar):
            bar.show(words.place(self._replay, self._playback))
        for pane in self.query(Controls):
            pane.show(replay_keys.renamed(words.controls(self._playback), self.keymap))

    # Stepping

    def doings(self) -> Mapping[str, Do]:
        """Stepping and playing, and looking around; nothing of the game."""
        replay = self._replay
        return {
            **super().doings(),
            "step": lambda by: replay.go(replay.step + int(by)),
            "turn": lambda by: replay.go_turn(int(by)),
            "round": lambda by: replay.go_turn(int(by) * len(replay.state.seats)),
            "first": lambda _: replay.go(0),
            "last": lambda _: replay.go(replay.last),
            "go_to": lambda step: replay.go(int(step)),
            "turns": lambda _: self._choose_turn(),
            "play": lambda _: self._start_or_stop(),
            "way": lambda _: self._play(self._playback.turned()),
            "speed": lambda by: self._play(self._playback.shifted(int(by))),
            "enter": lambda _: self._enter(),
            "help": lambda _: self.show_help("replay"),
            "quit": lambda _: self.dismiss("menu"),
        }

    def about(self) -> Sequence[str]:
        """The help begins with the keys of a replay."""
        return ()

    def why(self, word: str) -> str:
        """Nothing of a game can be done."""
        return ONLY_SEEN

    def _enter(self) -> None:
        if self.scene.over:
            self.show_score()
        else:
            self.say(ONLY_SEEN, "text")

    def _choose_turn(self) -> None:
        from client.tui.screens.jump import JumpScreen

        def chosen(step: int | None) -> None:
            if step is not None:
                self._replay.go(step)

        self.app.push_screen(JumpScreen(self._replay, line=self._line), chosen)

    def show_log(self) -> None:
        """The log of the whole game; a line goes to its step."""
        from client.tui.lists import step_entries

        whole = self._replay.whole
        found = entries(self.face.log_line, whole.log, whole.view)
        lines, here = step_entries(found, whole.log, self._replay.step)
        self.choose("Log", lines, self._replay.go, chosen=here, hint="{take} go to that step   {back} back")

    def commands(self) -> Iterator[Command]:
        """Playing, going about, every turn; who plays."""
        playback = self.playback
        for text, help_, word in (
            ("Play", words.playing(playback), "play"),
            ("Play forwards" if playback.way < 0 else "Play backwards", "turns the way round", "way"),
            ("Go to the start", "step 0", "first"),
            ("Go to the end", f"step {self.replay.last}", "last"),
            ("Go to a turn", "the list of all turns", "turns"),
            ("Log", "the whole game; a line goes to its step", "log"),
            ("Help", "keys, map legend, rules", "help"),
            ("Leave the replay", "to where you came from", "quit"),
        ):
            yield Command(text, help_, partial(self.action_do, word))
        for gear, speed in enumerate(SPEEDS):
            so = " It is set now." if gear == playback.gear else ""
            shift = partial(self.action_do, f"speed:{gear - playback.gear}")
            yield Command(f"Speed: {words.SPEED_WORDS[speed]}", f"when it plays by itself.{so}", shift)
        for turn in self.replay.turns:
            about = ", ".join(part for part in (f"step {turn.step}", signed(turn.points)) if part)
            go = partial(self.action_do, f"go_to:{turn.step}")
            yield Command(f"Go to {history.turn_words(turn, self.scene.view.names)}", about, go)
        yield from self.players()

    def searched(self, query: str) -> Iterator[Command]:
        """A step by its number, and what the game finds."""
        number = query.lower().removeprefix("go to").strip().removeprefix("step").strip()
        if number.isdecimal() and int(number[:9]) <= self.replay.last:
            go = partial(self.action_do, f"go_to:{int(number)}")
            yield Command(f"Go to step {int(number)}", f"of {self.replay.last}", go)
        yield from super().searched(query)

    # Playing by itself

    def _start_or_stop(self) -> None:
        playback = self._playback
        if not playback.playing and self._replay.step == self._end:
            # There is nothing left to play that way: from the other end, then.
            self._replay.go(self._replay.last - self._end)
        self._play(replace(playback, playing=not playback.playing))

    @property
    def _end(self) -> int:
        """The step at which it can play no further."""
        return self._replay.last if self._playback.way > 0 else 0

    def _play(self, playback: Playback) -> None:
        if playback == self._playback:
            return
        self._playback = playback
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if playback.playing:
            self._timer = self.set_interval(1 / playback.speed, self._tick, name=TIMER)
        self._show_place()

    def _tick(self) -> None:
        self._replay.go(self._replay.step + self._playback.way)
        if self._replay.step == self._end:
            self._play(replace(self._playback, playing=False))

    # What only a game has

    async def points(self) -> Points:
        """The points over the whole game."""
        return await asyncio.to_thread(self._replay.points)

    def send(self, seat: int, action: Json) -> None:
        """Never: what was played was played."""
        self.say(ONLY_SEEN)
