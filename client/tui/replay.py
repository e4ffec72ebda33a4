"""A replay: the screen of a table fed by a record, with words to step, jump and play.

Textual takes the keys of a screen from its class. So the replay of a game is a separate class: its table's
with the keys of a replay, and a controller with the words for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, cast

from msgspec.structs import replace
from textual import events
from textual.binding import Binding, BindingType
from textual.timer import Timer

from client import game_history
from client.present.log import entries
from client.present.scene import Scene
from client.present.score import signed_points
from client.replay import (
    ANALYSE,
    BACK,
    PLAY_ON,
    SPEED_WORDS,
    SPEEDS,
    Playback,
    ReplaySession,
    playing_words,
    replay_controls,
    replay_place,
)
from client.tui.chooser import Caption, ChooserScreen, Entry
from client.tui.command_palette import Command
from client.tui.dialogs import TableDialogs
from client.tui.keymap import KeyWords, live_key
from client.tui.sentences import ONLY_SEEN
from client.tui.table import TableScreen
from client.tui.widgets.bottom_rows import Controls, Hint, ReplayBar
from client.tui.widgets.dialog_box import BELOW

OVER_HERE = "The game is over here. Go back to an earlier step first."
TIMER = "replay plays"  # the name of the only timer


class Replaying:
    """The words of a replay, and those for looking around. A timer runs only during playback."""

    def __init__(self, screen: TableScreen[Any], asking: TableDialogs) -> None:
        session = screen.session
        assert isinstance(session, ReplaySession)
        self._screen = screen
        self._session = session
        self._asking = asking
        asking.points = partial(asyncio.to_thread, session.points)
        self._timer: Timer | None = None
        self.playback = Playback()  # automatic playback

    # Display

    def show_place(self) -> None:
        for bar in self._screen.query(ReplayBar):
            bar.show(replay_place(self._session, self.playback))
        for pane in self._screen.query(Controls):
            groups = replay_controls(self.playback)
            pane.show([KEY_WORDS.hints(group, self._screen.keymap) for group in groups])

    # Stepping

    def doings(self) -> Mapping[str, Callable[..., object]]:
        """Return the functions for stepping and playback; no action of the game is done."""
        replay = self._session
        return {
            "step": lambda by: replay.go_to_step(replay.step + int(by)),
            "turn": lambda by: replay.go_turn(int(by)),
            "round": lambda by: replay.go_turn(int(by) * len(replay.state.seats)),
            "first": lambda: replay.go_to_step(0),
            "last": lambda: replay.go_to_step(replay.last),
            "go_to": lambda step: replay.go_to_step(int(step)),
            "turns": self._choose_turn,
            "play": self._start_or_stop,
            "way": lambda: self._play(self.playback.playback_reversed()),
            "speed": lambda by: self._play(self.playback.with_speed_changed(int(by))),
            "play_on": self._play_on,
            "analyse": lambda: self._screen.dismiss(ANALYSE),
            "enter": self._enter_replay_step,
            "log": self._show_log,
            "help": lambda: self._asking.show_help("replay"),
            "quit": lambda: self._screen.dismiss("menu"),
            "back": lambda: self._screen.dismiss(BACK),
        }

    def _enter_replay_step(self) -> None:
        if self._screen.scene.over:
            self._asking.show_score()
        else:
            self._screen.say(ONLY_SEEN, "text")

    def _play_on(self) -> None:
        from client.tui.chooser import level_entries

        if self._screen.scene.over:
            self._screen.say(OVER_HERE, "text")
            return

        def chosen(level: str) -> None:
            self._screen.dismiss(f"{PLAY_ON}{level}")

        if len(self._session.state.seats) == 1:
            chosen("")
            return
        levels = level_entries(self._session.state.game)
        self._asking.open_list("Play on from here against", levels, chosen, chosen=len(levels) - 1)

    def _choose_turn(self) -> None:

        def chosen(step: int | None) -> None:
            if step is not None:
                self._session.go_to_step(step)

        self._screen.app.push_screen(JumpScreen(self._session, line=self._screen.line), chosen)

    def _show_log(self) -> None:
        from client.tui.chooser import step_entries

        whole = self._session.state_at_end
        found = entries(self._screen.face.log_line, whole.log, whole.view)
        lines, here = step_entries(found, whole.log, self._session.step)
        hint = "{take} go to that step   {back} back"
        self._asking.open_list("Log", lines, self._session.go_to_step, chosen=here, hint=hint)

    def commands(self) -> Iterator[Command]:
        """List playback, navigation and every turn, for the palette."""
        playback = self.playback
        for text, help_, word in (
            ("Play", playing_words(playback), "play"),
            ("Play forwards" if playback.way < 0 else "Play backwards", "turns the way round", "way"),
            ("Go to the start", "step 0", "first"),
            ("Go to the end", f"step {self._session.last}", "last"),
            ("Go to a turn", "the list of all turns", "turns"),
            ("Log", "the whole game; a line goes to its step", "log"),
            ("Help", "keys, map legend, rules", "help"),
            ("Leave the replay", "to where you came from", "quit"),
        ):
            yield Command(text, help_, partial(self._screen.action_do, word))
        if self._session.state.game.bots:
            play_on = partial(self._screen.action_do, "play_on")
            yield Command("Play on from here", "in the seat whose turn it is, against bots", play_on)
            analyse = partial(self._screen.action_do, "analyse")
            yield Command("Analyse this game", "the chances turn by turn, and the largest mistakes", analyse)
        for gear, speed in enumerate(SPEEDS):
            so = " It is set now." if gear == playback.gear else ""
            shift = partial(self._screen.action_do, f"speed:{gear - playback.gear}")
            yield Command(f"Speed: {SPEED_WORDS[speed]}", f"when it plays by itself.{so}", shift)
        for turn in self._session.turns:
            about = ", ".join(part for part in (f"step {turn.step}", signed_points(turn.points)) if part)
            go = partial(self._screen.action_do, f"go_to:{turn.step}")
            yield Command(f"Go to {game_history.turn_words(turn, self._screen.scene.view.names)}", about, go)

    def palette_places(self, query: str) -> Iterator[Command]:
        """Find a step by its number."""
        number = query.lower().removeprefix("go to").strip().removeprefix("step").strip()
        if number.isdecimal() and int(number[:9]) <= self._session.last:
            go = partial(self._screen.action_do, f"go_to:{int(number)}")
            yield Command(f"Go to step {int(number)}", f"of {self._session.last}", go)

    # Playback

    def stop(self) -> None:
        self._play(replace(self.playback, playing=False))

    def _start_or_stop(self) -> None:
        playback = self.playback
        if not playback.playing and self._session.step == self._last_replay_step:
            # The end is reached in that direction: start over from the other end.
            self._session.go_to_step(self._session.last - self._last_replay_step)
        self._play(replace(playback, playing=not playback.playing))

    @property
    def _last_replay_step(self) -> int:
        return self._session.last if self.playback.way > 0 else 0

    def _play(self, playback: Playback) -> None:
        if playback == self.playback:
            return
        self.playback = playback
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if playback.playing:
            self._timer = self._screen.set_interval(1 / playback.speed, self._play_next_step, name=TIMER)
        self.show_place()

    def _play_next_step(self) -> None:
        self._session.go_to_step(self._session.step + self.playback.way)
        if self._session.step == self._last_replay_step:
            self.stop()


BINDINGS: list[BindingType] = [
    Binding("right", "do('step:1')", "Step on", id="replay.on", priority=True, show=False),
    Binding("left", "do('step:-1')", "Step back", id="replay.back", priority=True, show=False),
    Binding("down", "do('turn:1')", "Turn on", id="replay.turn_on", priority=True, show=False),
    Binding("up", "do('turn:-1')", "Turn back", id="replay.turn_back", priority=True, show=False),
    Binding("pagedown", "do('round:1')", "Round on", id="replay.round_on", priority=True, show=False),
    Binding("pageup", "do('round:-1')", "Round back", id="replay.round_back", priority=True, show=False),
    Binding("home", "do('first')", "Start", id="replay.first", priority=True, show=False),
    Binding("end", "do('last')", "End", id="replay.last", priority=True, show=False),
    Binding("space", "do('play')", "Play or stop", id="replay.play", priority=True, show=False),
    Binding("b", "do('way')", "Backwards", id="replay.way", show=False),
    Binding("plus,equals_sign", "do('speed:1')", "Faster", id="replay.faster", show=False),
    Binding("minus", "do('speed:-1')", "Slower", id="replay.slower", show=False),
    Binding("t", "do('turns')", "Go to a turn", id="replay.turns", show=False),
    Binding("P", "do('play_on')", "Play on from here", id="replay.play_on", show=False),
    Binding("A", "do('analyse')", "Analyse this game", id="replay.analyse", show=False),
    Binding("q", "do('quit')", "Leave", id="replay.leave", show=False),
    Binding("escape", "do('back')", "Back", id="replay.escape", show=False),
]

KEY_WORDS = KeyWords(BINDINGS)
SCORE = Hint("enter", "Score", "enter")
PLAY_ON_HINT, ANALYSE_HINT = Hint("P", "Play on", "play_on"), Hint("A", "Analyse", "analyse")


def replay_hints(scene: Scene, looking: Sequence[Hint]) -> Sequence[Hint]:
    """Return the keys to show: score, what bots can do with the game, and ``looking`` around."""
    with_bots = (PLAY_ON_HINT, ANALYSE_HINT) if scene.state.game.bots else ()
    return [*([SCORE] if scene.over else []), *with_bots, *looking]


@cache
def replay_of(screen: type[TableScreen[Any]]) -> type[TableScreen[Any]]:
    own = {
        "__doc__": "The board fed by a record.",
        "__module__": screen.__module__,
        "BINDINGS": BINDINGS,
        "replays": True,
        "hints": lambda self: replay_hints(self.scene, self.LOOKING),
    }
    return cast("type[TableScreen[Any]]", type(f"{screen.__name__}Replay", (screen,), own))


GO_TO = "Go to a turn, or type the number of a step"
GO_TO_STEP = "Go to step {number} of {last}: {take}"


class JumpScreen(ChooserScreen):
    """The turns to choose from; the result is a step, or None. Digits type the number of a step."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("backspace", "erase", "Erase", id="jump.erase", show=False)]

    def __init__(self, session: ReplaySession, *, line: str) -> None:
        names = session.state.view.names
        self._turns, self._last, self._typed = session.turns, session.last, ""
        entries = [Entry("the start", 0, "step 0")]
        entries += [
            Entry(game_history.turn_words(turn, names), turn.step, f"step {turn.step}", signed_points(turn.points))
            for turn in self._turns
        ]
        entries.append(Entry("the end", self._last, f"step {self._last}"))
        chosen = game_history.turn_at(self._turns, session.step) + 1
        super().__init__(GO_TO, entries, chosen=chosen, hint="{take} go there   {back} back", line=line)
        self.add_class(BELOW, update=False)

    def on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if character.isascii() and character.isdigit():
            event.stop()
            self._add_typed_digit(self._typed + character)

    def action_erase(self) -> None:
        self._add_typed_digit(self._typed[:-1])

    def action_take(self) -> None:
        """Go to the typed step, else to the selected turn."""
        if self._typed:
            self.dismiss(int(self._typed))
        else:
            super().action_take()

    def _add_typed_digit(self, typed: str) -> None:
        self._typed = str(min(int(typed), self._last)) if typed else ""
        step = GO_TO_STEP.format(number=self._typed, last=self._last, take=live_key(self, "chooser.take"))
        title = step if self._typed else GO_TO
        self.query(Caption).first(Caption).set_caption(title)
        if self._typed:
            self.entry_list.mark(game_history.turn_at(self._turns, int(self._typed)) + 1)
