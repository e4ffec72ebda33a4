"""A series of games of bots: the same text gives the same games, in any order and anywhere.
Each seed is played in every rotation of the seats, so that no level has the better seat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import thread_time
from typing import IO, Any

import msgspec
from filelock import FileLock, Timeout

from cave import __version__, bots, codec, files, games
from cave.files import make_private
from cave.game import AnyGame, Json
from cave.score import shares
from client.games import get as face_of


class Series(msgspec.Struct, frozen=True):
    """The setup of a series: the level of each seat, and the options of a new game.

    With a ``position`` each game starts there; ``shuffle`` shuffles its hidden components for each seed.
    A game with more than ``longest`` actions is left unfinished.
    """

    game: str
    levels: tuple[str, ...]
    settings: Json = msgspec.field(default_factory=dict)
    seed: str = ""
    position: Json = None
    shuffle: bool = False
    longest: int = 5000

    @property
    def rotations(self) -> int:
        """In how many ways the levels can be moved round the table before all sit as at first."""
        seats = len(self.levels)
        return next(by for by in range(1, seats + 1) if self.rotated(by) == self.levels)

    def rotated(self, by: int) -> tuple[str, ...]:
        """Return the level of each seat, ``by`` seats further."""
        by %= len(self.levels)
        return self.levels[by:] + self.levels[:by]

    def whole(self, wanted: int) -> int:
        """Return the number of games when each seed is played in every rotation: ``wanted`` or a few more."""
        return -(-wanted // self.rotations) * self.rotations


class SeatResult(msgspec.Struct, frozen=True):
    """A seat at the end of a game. ``win`` is its share of the win, 0 to 1; ``ms`` are the CPU
    milliseconds of each of its decisions. ``points`` and ``bonus`` go by category, as in ``Score``.
    """

    level: str
    total: float | None
    win: float
    points: dict[str, float]
    bonus: dict[str, float]
    note: str
    ms: tuple[float, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """A game that was played: ``number`` in its series, the ``seed`` (from 0) and the rotation it was."""

    number: int
    seed: int
    rotation: int
    finished: bool
    actions: int
    turns: int
    seats: tuple[SeatResult, ...]


DIED = "A process that plays or judges games has died; there may be too little memory."


class LabFailed(Exception):
    """Games cannot be played, judged or kept; one sentence."""


def play(series: Series, number: int) -> Outcome:
    """Play a game of a series. Raises LabFailed."""
    game, face = games.get(series.game), face_of(series.game)
    seed, rotation = divmod(number, series.rotations)
    levels = series.rotated(rotation)
    text = f"{series.seed}:{seed}"
    state = start(game, series, text)
    turns = int(face.running_turn(game.view(state, None)) is not None)
    ms: list[list[float]] = [[] for _ in levels]
    actions = 0
    while actions < series.longest and (seats := game.to_act(state)):
        seat = min(seats)
        try:
            action, spent = decision(game, state, seat, levels[seat], f"{text}:{actions}")
            step = game.apply(state, seat, game.decode(state, seat, action))
        except Exception as error:
            where = f"game {number + 1} (seed {text!r}, action {actions + 1})"
            raise LabFailed(f"{levels[seat]} failed in {where}: {type(error).__name__}: {error}") from error
        state = step.state
        turns += sum(face.turn(game.event_json(event)) is not None for event in step.events)
        ms[seat].append(spent)
        actions += 1
    over = game.over(state)
    return Outcome(number, seed, rotation, over, actions, turns, _results(game, state, levels, ms, over=over))


def start(game: AnyGame, series: Series, seed: str) -> Any:
    if series.position is None:
        return game.new(len(series.levels), series.settings, seed)
    state = game.from_position(series.position)
    return game.imagine(game.view(state, None), seed) if series.shuffle else state


def decision(game: AnyGame, state: Any, seat: int, level: str, seed: str) -> tuple[Json, float]:
    """Return the action of a bot that sees only its seat's view, and the CPU milliseconds that it took."""
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    begun = thread_time()
    action = bots.choose(game.name, level, view, choices, seed)
    return action, round((thread_time() - begun) * 1000, 3)


def _results(
    game: AnyGame, state: Any, levels: tuple[str, ...], ms: list[list[float]], *, over: bool
) -> tuple[SeatResult, ...]:
    standing = game.standing(state)
    won = shares(standing) if over else (0.0,) * len(levels)
    return tuple(
        SeatResult(
            levels[seat],
            line.total,
            won[seat],
            dict(line.points),
            dict(line.bonus),
            line.note,
            tuple(ms[seat]),
        )
        for seat, line in enumerate(standing)
    )


MOST_BYTES = 256 * files.KIB * files.KIB  # bytes of such a file: a million games and more


def name_of(series: Series) -> str:
    """Return the name of the file of a series: another version of the program has another one."""
    text = codec.canonical([__version__, msgspec.to_builtins(series)])
    return f"{series.game}-{hashlib.sha256(text).hexdigest()[:16]}.jsonl"


class Kept:
    """The games of a series that were played so far, and the file that they go to."""

    def __init__(self, path: Path, file: IO[bytes], found: dict[int, Outcome]) -> None:
        self.path = path
        self.outcomes = found
        self._file = file

    def add(self, outcome: Outcome) -> None:
        """Keep a game; raises LabFailed."""
        self.outcomes[outcome.number] = outcome
        with _sentence(self.path):
            self._file.write(msgspec.json.encode(outcome) + b"\n")
            self._file.flush()


@contextmanager
def kept_games(folder: Path, series: Series, *, fresh: bool = False) -> Iterator[Kept]:
    """Open the kept games, none with ``fresh``; the file goes if all goes well. Raises LabFailed."""
    path = folder / name_of(series)
    lock = FileLock(path.with_suffix(".lock"), mode=0o600, fallback_to_soft=False)
    with _sentence(path):
        make_private(folder)
        lock.acquire(timeout=0)
    try:
        with _sentence(path):
            found = {} if fresh else _read_kept(path, series)
            # Rewritten without an incomplete line; until that is done, the games are in the old file.
            lines = (series, *found.values())
            files.replace(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            file = files.open_at_end(path)
        with file:
            yield Kept(path, file, found)
        with _sentence(path):
            path.unlink()
    finally:
        lock.release()
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except Timeout:
        raise LabFailed(
            "Another cave simulate is playing these games. Wait for it, or choose another --seed."
        ) from None
    except OSError as error:
        why = files.reason(error, str(error))
        raise LabFailed(f"Nothing can be saved in {path.parent}: {why}.") from None


def _read_kept(path: Path, series: Series) -> dict[int, Outcome]:
    """Return the games in a file; none if it does not exist, or is not of this series."""
    try:
        first, *lines = files.read_small(path, MOST_BYTES).splitlines()
        if msgspec.json.decode(first, type=Series) != series:
            return {}
    except (FileNotFoundError, ValueError):
        return {}
    found = {}
    for line in lines:
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except ValueError:
            continue
        found[outcome.number] = outcome
    return found
