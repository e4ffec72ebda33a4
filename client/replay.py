"""Records of games: summaries for lists, and replays step by step, with the interface of a table."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cave import codec, record
from cave.files import check_regular, error_reason, read_regular
from cave.game import BadData, Json
from cave.record import Outline
from cave.wire import clean_text
from client import game_history
from client.face import Face
from client.game_history import PointsHistory, points_in
from client.table import Rejected, Seat, TableState
from client.wording import in_file, local_time

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)  # steps per second


class Playback(Struct, frozen=True):
    """Automatic playback: whether it runs, its direction (1 forward, -1 back), and its speed."""

    playing: bool = False
    way: int = 1
    gear: int = 1

    @property
    def speed(self) -> float:
        return SPEEDS[self.gear]

    def with_speed_changed(self, by: int) -> Playback:
        """Return it ``by`` speeds faster, or slower if that is negative."""
        return replace(self, gear=max(0, min(self.gear + by, len(SPEEDS) - 1)))

    def playback_reversed(self) -> Playback:
        return replace(self, way=-self.way)


class ReplaySession:
    """A read-only Session; ``go`` chooses the step, 0 is the start. All states are kept in memory."""

    def __init__(self, replay: record.Replay, face: Face, title: str = "") -> None:
        self._replay = replay
        self.face = face
        self.names = replay.names
        self.last = len(replay.steps)
        self.breaks_off = bool(replay.cut)
        """Whether the record was cut off within a line, so that more may have been played."""
        self._title = clean_text(title)
        self._listeners: list[Callable[[TableState], Any]] = []
        self._log = game_history.log_in(replay)
        self._log_ends = tuple(accumulate((len(played.events) for played in replay.steps), initial=0))
        self.turns = game_history.turns_in(face, replay.game.view(replay.start, None), self._log)
        self.step = 0
        self.state = self._make_state(0)

    @property
    def state_at_end(self) -> TableState:
        return self._make_state(self.last)

    @property
    def furthest_step(self) -> Any:
        return self._replay.state_after(self.step)

    def points(self) -> PointsHistory:
        """Return the points over the whole game. Slow."""
        return points_in(self.face, self._replay)

    def go_turn(self, by: int) -> None:
        """Go to the start of a later or (below 0) earlier turn, or of the running one."""
        starts = [turn.step for turn in self.turns]
        at = game_history.turn_at(self.turns, self.step)
        if by < 0 and at >= 0 and self.step > starts[at]:
            at += 1
        to = at + by
        self.go_to_step(0 if to < 0 else starts[to] if to < len(starts) else self.last)

    def go_to_step(self, step: int) -> None:
        """Choose a step; beyond the ends the nearest one."""
        step = max(0, min(step, self.last))
        if step != self.step:
            self.step = step
            self.state = self._make_state(self.step)
            for listener in tuple(self._listeners):
                listener(self.state)

    def _make_state(self, step: int) -> TableState:
        replay = self._replay
        game = replay.game
        state = replay.state_after(step)
        seats = tuple(Seat(seat.name, seat.kind) for seat in replay.header.seats)
        names = [seat.name_as_shown or name for seat, name in zip(seats, replay.names, strict=True)]
        return TableState(
            table="replay",
            title=self._title or "Replay",
            game=game,
            seq=step,
            status="over" if game.over(state) else "playing",
            set_aside=replay.resignation_sentence if step == self.last else "",
            seats=seats,
            view=game.review(state, names),
            log=self._log[: self._log_ends[step]],
        )

    def listen(self, listener: Any) -> None:
        self._listeners.append(listener)

    def unlisten(self, listener: Any) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def act(self, *_asked: Any, **_more: Any) -> NoReturn:
        raise Rejected("replay", "This is a replay: you cannot change anything.")

    undo = propose = agree = take_back = act

    async def say(self, text: str) -> None:
        raise Rejected("replay", "Nobody is listening to a replay.")

    async def record(self) -> list[Json]:
        return []

    async def close(self) -> None: ...


def read_record(path: Path) -> record.Replay:
    """Replay a record's file. Raises BadData, with the file's name as the field."""
    try:
        return record.replay(BytesIO(read_regular(path)))
    except OSError as error:
        raise BadData(str(path), f"{error_reason(error, 'cannot be read')}.") from None
    except BadData as error:
        raise BadData(str(path), in_file(error)) from None


PLAY_ON = "play on:"  # with this prefix of a level, a replay ends in order to play on from its step
ANALYSE = "analyse"
BACK = "back"  # ends a replay or a score sheet in order to return to an analysis
SPEED_WORDS = {
    0.5: "1 step in 2 seconds",
    1.0: "1 step a second",
    2.0: "2 steps a second",
    4.0: "4 steps a second",
    8.0: "8 steps a second",
}


class Place(msgspec.Struct, frozen=True):
    """The position of a replay, for its bar: the words left and right of the track, and the track."""

    words: str
    step: int
    last: int
    playing: str


class Control(msgspec.Struct, frozen=True):
    """A key, its action (also ``short``), the word of a click; ``both``: combined with the next one."""

    key: str
    label: str
    short: str
    do: str
    both: str = ""


BREAKS_OFF = "; the record breaks off here"


def replay_place(session: ReplaySession, playback: Playback) -> Place:
    view, index = session.state.view, game_history.turn_at(session.turns, session.step)
    if view.over:
        where = "the end"
    elif index < 0:
        where = session.face.before_turns(view)
    else:
        where = game_history.turn_words(session.turns[index], view.names)
    if session.breaks_off and session.step == session.last:
        where += BREAKS_OFF
    return Place(f"step {session.step} of {session.last}, {where}", session.step, session.last, playing_words(playback))


def playing_words(playback: Playback) -> str:
    way = " backwards" if playback.way == -1 else ""
    start = f"plays{way}" if playback.playing else f"paused{way}"
    return f"{start}, {SPEED_WORDS[playback.speed]}"


def replay_controls(playback: Playback) -> Sequence[Sequence[Control]]:
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


ANALYSIS = ".analysis"  # suffix of the file with the results of a record's analysis
BATCH = 25  # records read at a time, briefly


class Summary(msgspec.Struct, frozen=True):
    """A record's summary, with local time ``when``; ``outline`` is None if the file is not a record or
    damaged, and ``problem`` says why. Records with the same ``digest`` belong to one game.
    """

    path: Path
    when: str
    outline: Outline | None = None
    problem: str = ""
    digest: str = ""


def record_files(folder: Path) -> list[Path]:
    """Return the records in a folder, newest first; none if it is unreadable."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.glob("*.jsonl"):
            with contextlib.suppress(OSError):
                check_regular(path)
                found.append((path.stat().st_mtime_ns, path.name, path))
    return [path for _, _, path in sorted(found, reverse=True)]


def batches_of_paths(paths: Sequence[Path]) -> Iterator[Sequence[Path]]:
    for start in range(0, len(paths), BATCH):
        yield paths[start : start + BATCH]


def summary_of(path: Path) -> Summary:
    """Summarize a record; never raises."""
    written = ""
    try:
        written = _time_words(local_time(path.stat().st_mtime))
        data = read_regular(path)
        outline = record.read_outline(BytesIO(data))
    except OSError as error:
        return Summary(path, written, problem=f"{error_reason(error, 'cannot be read')}.")
    except BadData as error:
        return Summary(path, written, problem=in_file(error))
    head = outline.header
    when = _created_time(head.created) or written
    # In the record of another terminal a bot may play for an absent player.
    same = replace(head, seats=tuple(record.SeatForm(seat.name) for seat in head.seats))
    game = codec.encode(same) + data.partition(b"\n")[2]
    return Summary(path, when, outline, digest=hashlib.blake2b(game).hexdigest())


def _created_time(created: str) -> str:
    try:
        return _time_words(datetime.fromisoformat(created).astimezone())
    except (ValueError, OverflowError, OSError):
        return ""


def _time_words(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"
