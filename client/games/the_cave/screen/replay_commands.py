"""The command palette in a replay: turns, steps, speeds, players and tiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from client.games.the_cave.screen.commands import Command, LookCommands
from client.games.the_cave.screen.replay import ReplayScreen
from client.present.score import signed
from client.replay import history, words
from client.replay.session import SPEEDS


class ReplayCommands(LookCommands):
    """What can be done with a replay."""

    def commands(self) -> Iterator[Command]:
        """Playing, going about, every turn; the teams."""
        screen = self.screen
        if not isinstance(screen, ReplayScreen):
            return
        playback = screen.playback
        for text, help_, word in (
            ("Play", words.playing(playback), "play"),
            ("Play forwards" if playback.way < 0 else "Play backwards", "turns the way round", "way"),
            ("Go to the start", "step 0", "first"),
            ("Go to the end", f"step {screen.replay.last}", "last"),
            ("Go to a turn", "the list of all turns", "turns"),
            ("Log", "the whole game; a line goes to its step", "log"),
            ("Help", "keys, map legend, rules", "help"),
            ("Leave the replay", "to where you came from", "quit"),
        ):
            yield Command(text, help_, partial(screen.action_do, word))
        for gear, speed in enumerate(SPEEDS):
            so = " It is set now." if gear == playback.gear else ""
            shift = partial(screen.action_do, f"speed:{gear - playback.gear}")
            yield Command(f"Speed: {words.SPEED_WORDS[speed]}", f"when it plays by itself.{so}", shift)
        names = screen.desk.view.names
        for turn in screen.replay.turns:
            about = ", ".join(part for part in (f"step {turn.step}", signed(turn.points)) if part)
            go = partial(screen.action_do, f"go_to:{turn.step}")
            yield Command(f"Go to {history.turn_words(turn, names)}", about, go)
        yield from self.teams()

    def searched(self, query: str) -> Iterator[Command]:
        """A step by its number, and the places."""
        screen = self.screen
        number = query.lower().removeprefix("go to").strip().removeprefix("step").strip()
        if isinstance(screen, ReplayScreen) and number.isdecimal() and int(number[:9]) <= screen.replay.last:
            go = partial(screen.action_do, f"go_to:{int(number)}")
            yield Command(f"Go to step {int(number)}", f"of {screen.replay.last}", go)
        yield from super().searched(query)
