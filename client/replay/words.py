"""The words of a replay: where it stands, how it plays, what one can do."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from client.replay import history
from client.replay.session import Playback, ReplaySession

PLAY_ON = "play on:"
"""With this and a level a replay is left to play on from where it stands."""
ANALYSE = "analyse"
BACK = "back"
"""With this a replay or a score sheet is left for an analysis of the game."""
SPEED_WORDS = {
    0.5: "1 step in 2 seconds",
    1.0: "1 step a second",
    2.0: "2 steps a second",
    4.0: "4 steps a second",
    8.0: "8 steps a second",
}


class Place(msgspec.Struct, frozen=True):
    """Where a replay stands, for its bar: the words left and right of the track, and the track."""

    words: str
    step: int
    last: int
    playing: str


class Control(msgspec.Struct, frozen=True):
    """A key, what it does, also in ``short`` where there is little room, and the word a click posts;
    ``both`` is the word for it and the next one, where there is hardly any.
    """

    key: str
    label: str
    short: str
    do: str
    both: str = ""


BREAKS_OFF = "; the record breaks off here"


def place(session: ReplaySession, playback: Playback) -> Place:
    """Return where the replay stands and how it plays."""
    words = history.place_words(session.face, session.turns, session.step, session.last, session.state.view)
    if session.breaks_off and session.step == session.last:
        words += BREAKS_OFF
    return Place(words, session.step, session.last, playing(playback))


def playing(playback: Playback) -> str:
    """Return how it plays: ``plays back, 2 steps a second``."""
    way = " backwards" if playback.way == -1 else ""
    start = f"plays{way}" if playback.playing else f"paused{way}"
    return f"{start}, {SPEED_WORDS[playback.speed]}"


def controls(playback: Playback) -> Sequence[Sequence[Control]]:
    """Return the keys of a replay, in groups."""
    play = "stop" if playback.playing else "play"
    way = "forwards" if playback.way == -1 else "backwards"
    return (
        (
            Control("left", "step back", "back", "step:-1", "step"),
            Control("right", "step on", "on", "step:1"),
            Control("up", "turn back", "turn back", "turn:-1", "turn"),
            Control("down", "turn on", "turn on", "turn:1"),
            Control("home", "start", "start", "first"),
            Control("end", "end", "end", "last"),
        ),
        (
            Control("space", play, play, "play"),
            Control("b", way, way[:-5], "way"),
            Control("-", "slower", "slow", "speed:-1", "speed"),
            Control("+", "faster", "fast", "speed:1"),
            Control("t", "go to a turn", "turns", "turns"),
        ),
    )
