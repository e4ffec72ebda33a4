"""A series of games of bots: the same setup gives the same games, in any order and on any machine. Each seed
is played in every rotation of the seats, so that no level has the better seat.

The games are played in this process, in separate processes, or on a Dask cluster; only the times differ. Run
as a program, this file is such a process: it reads a line of JSON with a series and a number, and writes the
game as a line.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen
from threading import Thread
from time import thread_time
from typing import IO, Annotated, Any

if not __package__:
    # A process starts this file by its path, so the packages must be put on the import path.
    sys.path[0] = str(Path(__file__).resolve().parents[2])

import msgspec
from filelock import FileLock, Timeout

from cave import __version__, bots, codec, files, games, processes
from cave.codec import Count
from cave.files import error_reason, make_private
from cave.game import AnyGame, Json
from cave.processes import answer_lines
from cave.score import win_shares
from client.games import get_face as face_of


class Series(msgspec.Struct, frozen=True):
    """The setup of a series: the level of each seat, and the options of a new game.

    With a ``position`` each game starts from it; ``shuffle`` shuffles its hidden components for each seed. A
    game with more than ``longest`` actions is left unfinished.
    """

    game: str
    levels: tuple[str, ...]
    settings: Json = msgspec.field(default_factory=dict)
    seed: str = ""
    position: Json = None
    shuffle: bool = False
    longest: int = 5000

    @property
    def count_rotations(self) -> int:
        """The number of rotations until all levels sit as at first."""
        seats = len(self.levels)
        return next(by for by in range(1, seats + 1) if self.rotated_levels(by) == self.levels)

    def rotated_levels(self, by: int) -> tuple[str, ...]:
        """Return the level of each seat, ``by`` seats further."""
        by %= len(self.levels)
        return self.levels[by:] + self.levels[:by]

    def games_for_rotations(self, wanted: int) -> int:
        """Return the number of games if each seed is played in every rotation: ``wanted`` or a few more."""
        return -(-wanted // self.count_rotations) * self.count_rotations


Total = Annotated[float, msgspec.Meta(ge=-(10**6), le=10**6)]
"""Points; the bounds, far from those of any game, are for damaged files."""


class SeatResult(msgspec.Struct, frozen=True):
    """A seat at the end of a game. ``win`` is its share of the win, 0 to 1; ``ms`` are the CPU milliseconds
    of each of its decisions. ``points`` and ``bonus`` are by category, as in ``Score``.
    """

    level: str
    total: Total | None
    win: Annotated[float, msgspec.Meta(ge=0, le=1)]
    points: dict[str, Total]
    bonus: dict[str, Total]
    note: str
    ms: tuple[Annotated[float, msgspec.Meta(ge=0, le=1e9)], ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """A game that was played: its ``number`` in the series, its ``seed`` (from 0) and its rotation."""

    number: int
    seed: int
    rotation: int
    finished: bool
    actions: Count
    turns: Count
    seats: tuple[SeatResult, ...]

    def belongs_to(self, series: Series) -> bool:
        rotations, levels = series.count_rotations, tuple(seat.level for seat in self.seats)
        in_order = self.number >= 0 and divmod(self.number, rotations) == (self.seed, self.rotation)
        return in_order and levels == series.rotated_levels(self.rotation)


DIED = "A process that plays or judges games has died; there may be too little memory."


class LabFailed(Exception):
    """Games cannot be played, judged or saved; the message is one sentence."""


def play_game(series: Series, number: int) -> Outcome:
    """Play a game of a series. Raises LabFailed."""
    game, face = games.get_game(series.game), face_of(series.game)
    seed, rotation = divmod(number, series.count_rotations)
    levels = series.rotated_levels(rotation)
    text = f"{series.seed}:{seed}"
    state = start_game(game, series, text)
    turns = int(face.running_turn(game.view(state, None)) is not None)
    ms: list[list[float]] = [[] for _ in levels]
    actions = 0
    while actions < series.longest and (seats := game.to_act(state)):
        seat = min(seats)
        try:
            action, spent = bot_decision(game, state, seat, levels[seat], f"{text}:{actions}")
            step = game.apply(state, seat, game.decode(state, seat, action))
        except Exception as error:
            where = f"game {number + 1} (seed {text!r}, action {actions + 1})"
            raise LabFailed(f"{levels[seat]} failed in {where}: {type(error).__name__}: {error}") from error
        state = step.state
        turns += sum(face.turn(game.event_json(event)) is not None for event in step.events)
        ms[seat].append(spent)
        actions += 1
    over = game.over(state)
    return Outcome(number, seed, rotation, over, actions, turns, _seat_results(game, state, levels, ms, over=over))


def start_game(game: AnyGame, series: Series, seed: str) -> Any:
    if series.position is None:
        return game.new(len(series.levels), series.settings, seed)
    state = game.from_position(series.position)
    return game.imagine(game.view(state, None), seed) if series.shuffle else state


def bot_decision(game: AnyGame, state: Any, seat: int, level: str, seed: str) -> tuple[Json, float]:
    """Return the action of a bot that sees only its seat's view, and its CPU milliseconds."""
    view = game.view_json(game.view(state, seat))
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    begun = thread_time()
    action = bots.choose(game.name, level, view, choices, seed)
    return action, round((thread_time() - begun) * 1000, 3)


def _seat_results(
    game: AnyGame, state: Any, levels: tuple[str, ...], ms: list[list[float]], *, over: bool
) -> tuple[SeatResult, ...]:
    standing = game.standing(state)
    won = win_shares(standing) if over else (0.0,) * len(levels)
    return tuple(
        SeatResult(levels[seat], line.total, won[seat], dict(line.points), dict(line.bonus), line.note, tuple(ms[seat]))
        for seat, line in enumerate(standing)
    )


MOST_BYTES = 256 * files.KIB * files.KIB  # most bytes of such a file: a million games and more


def file_name_of(series: Series) -> str:
    """Return the name of the file of a series, which includes the version of the program."""
    text = codec.canonical_json([__version__, msgspec.to_builtins(series)])
    return f"{series.game}-{hashlib.sha256(text).hexdigest()[:16]}.jsonl"


class KeptSeries:
    """The games of a series played so far, and their file."""

    def __init__(self, path: Path, file: IO[bytes], found: dict[int, Outcome]) -> None:
        self.path = path
        self.outcomes = found
        self._file = file

    def keep_game(self, outcome: Outcome) -> None:
        """Save a game; raises LabFailed."""
        self.outcomes[outcome.number] = outcome
        with _saying_sentence(self.path):
            self._file.write(msgspec.json.encode(outcome) + b"\n")
            self._file.flush()


@contextmanager
def kept_games(folder: Path, series: Series, *, fresh: bool = False) -> Iterator[KeptSeries]:
    """Open the saved games, none with ``fresh``; deletes the file if no error occurs. Raises LabFailed."""
    path = folder / file_name_of(series)
    lock = FileLock(path.with_suffix(".lock"), mode=0o600, fallback_to_soft=False)
    with _saying_sentence(path):
        make_private(folder)
        lock.acquire(timeout=0)
    try:
        with _saying_sentence(path):
            found = {} if fresh else _read_kept(path, series)
            # Rewritten without an incomplete line; until that is done, the old file has the games.
            lines = (series, *found.values())
            files.replace_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            file = files.open_at_end(path)
        with file:
            yield KeptSeries(path, file, found)
        with _saying_sentence(path):
            path.unlink()
    finally:
        lock.release()
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def _saying_sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except Timeout:
        raise LabFailed(
            "Another cave simulate is playing these games. Wait for it, or choose another --seed."
        ) from None
    except OSError as error:
        why = files.error_reason(error, str(error))
        raise LabFailed(f"Nothing can be saved in {path.parent}: {why}.") from None


def _read_kept(path: Path, series: Series) -> dict[int, Outcome]:
    """Return the games in a file; none if it does not exist, or belongs to another series."""
    try:
        first, *lines = files.read_regular(path, MOST_BYTES).splitlines()
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
        if outcome.belongs_to(series):
            found[outcome.number] = outcome
    return found


ERRORS = 2  # the error output of this process, which its children share
PROGRAM = str(Path(__file__).resolve())
NO_PROCESSES = "No other process can be started ({why}). simulate and analyse need none with --jobs 1."


def play_all(series: Series, numbers: Sequence[int], jobs: int = 1) -> Generator[Outcome, None, None]:
    """Play these games of a series and yield each when it is finished. Raises LabFailed."""
    if jobs == 1:
        yield from (play_game(series, number) for number in numbers)
        return
    asked = [(series, number) for number in numbers]
    with closing(in_processes(PROGRAM, asked, Outcome | str, jobs)) as answers:
        yield from map(_parse_outcome, answers)


def in_processes(program: str, asked: Sequence[object], answer: Any, jobs: int) -> Generator[Any, None, None]:
    """Yield the answers of ``jobs`` processes that run a program, decoded as this type, in no particular
    order. Closing or interrupting it ends the processes. Raises LabFailed if one dies or cannot be started.
    """
    left, answers = deque(asked), SimpleQueue[bytes]()
    children: list[Popen[bytes]] = []

    def work(process: Popen[bytes]) -> None:
        with suppress(IndexError):  # the queue is empty
            while True:
                line = msgspec.json.encode(left.popleft()) + b"\n"
                try:
                    answers.put(processes.exchange_lines(process, line, -1))
                except (OSError, ValueError):
                    answers.put(b"")

    try:
        for _ in range(min(jobs, len(asked))):
            children.append(processes.start_child([sys.executable, program], stderr=ERRORS))
            Thread(target=work, args=(children[-1],), daemon=True).start()
        for _ in asked:
            if not (line := answers.get()):
                raise LabFailed(DIED)
            yield msgspec.json.decode(line, type=answer)
    except OSError as error:
        raise LabFailed(NO_PROCESSES.format(why=error_reason(error, str(error)))) from None
    finally:
        left.clear()
        for process in children:
            processes.end_child(process)


async def _connect_to_scheduler(distributed: Any, address: str) -> None:
    """Connect to a scheduler; a client that fails to connect would report errors at exit."""
    place = distributed.comm.normalize_address(address)
    known = distributed.security.Security().get_connection_args("client")
    comm = await distributed.comm.connect(place, timeout=10, **known)
    comm.abort()


def on_dask(address: str, series: Series, numbers: Sequence[int]) -> Generator[Outcome, None, None]:
    """Play games on the Dask cluster of this scheduler, whose workers need this version; raises LabFailed."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise LabFailed(
            "The package distributed is not installed, and --dask needs it: pip install 'cave-game[dask]'."
        ) from None
    try:
        asyncio.run(_connect_to_scheduler(distributed, address))
        cluster = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise LabFailed(f"There is no Dask scheduler at {address}.") from None
    text, version = msgspec.json.encode(series), __version__

    # A nested function is pickled by value. A module-level one is pickled by the name of its module, which
    # workers find only after the program's package has been imported.
    def work(number: int) -> bytes:
        import cave_game  # noqa: F401
        from client.lab.series import play_for_cluster

        return play_for_cluster(text, number, version)

    futures: list[Any] = []
    try:
        futures = cluster.map(work, numbers, pure=False, retries=0)
        for future in distributed.as_completed(futures, loop=cluster.loop):
            yield _parse_outcome(msgspec.json.decode(future.result(), type=Outcome | str))
    except (ImportError, AttributeError):
        raise LabFailed(f"The workers of {address} need this program, in version {version}.") from None
    except (distributed.KilledWorker, OSError) as error:
        raise LabFailed(f"The Dask cluster at {address} has failed: {error}.") from None
    finally:
        with suppress(Exception):
            cluster.cancel(futures)
        cluster.close()


def play_for_cluster(text: bytes, number: int, version: str) -> bytes:
    """Play a game on a worker of a cluster; return it, or the error as a sentence, as JSON."""
    if version == __version__:
        found = _play_or_sentence(msgspec.json.decode(text, type=Series), number)
    else:
        found = f"A worker has version {__version__} of this program, and here it is {version}."
    return msgspec.json.encode(found)


def _play_or_sentence(series: Series, number: int) -> Outcome | str:
    try:
        return play_game(series, number)
    except LabFailed as error:
        return str(error)


def _parse_outcome(found: Outcome | str) -> Outcome:
    if isinstance(found, str):
        raise LabFailed(found)
    return found


if __name__ == "__main__":
    answer_lines(lambda line: _play_or_sentence(*msgspec.json.decode(line, type=tuple[Series, int])))
