"""The speed of a game's rules and bots, relative to a fixed loop of plain Python in the same run.

A machine's speed varies, and other programs use it as well. So each task takes turns with the control loop,
and the figure is the median of the ratios of their times. The loop must never change: it makes the figures of
two versions comparable.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from cave import bots, games, record
from cave.game import AnyGame, BadData
from client.games import get_face as face_of
from client.launch.new_game import usual_seats
from client.replay import ReplaySession

GROUPS = ("engine", "bots", "host", "start", "drawing")
LOOPS = 1000
PASSES = 20  # runs of the control loop in a round; the time of one counts
ROUNDS = 5
ENOUGH = 0.1
"""CPU seconds of a task in a round; one piece of work may exceed them."""
CAP = 400  # actions after which a random playout stops
LONGEST = 5000  # actions after which a game of bots stops
MOMENTS = 60  # states of a game at which the rules are measured


class Task(msgspec.Struct, frozen=True):
    """Something to measure: ``work`` does a unit, or with ``many`` returns how many."""

    name: str
    unit: str
    work: Callable[[int], Any]
    many: bool = False


class Speed(msgspec.Struct, frozen=True):
    """Units ``per_second``, and the median ``ratio`` to the control loop (half are ``low`` to ``high``)."""

    unit: str
    per_second: float
    ratio: Annotated[float, msgspec.Meta(gt=0)]
    low: float
    high: float


def run_control_loop() -> int:
    """Run the control loop: numbers, a dict, tuples and calls, as in a game's rules."""
    seen: dict[tuple[int, int], int] = {}
    total = 0
    for number in range(LOOPS * PASSES):
        at = number % 97, number % 89
        seen[at] = total = (total + _control_step(at, seen.get(at, 1))) % 1_000_003
    return total


def time_control_loop(clock: Callable[[], float]) -> float:
    begun = clock()
    run_control_loop()
    return (clock() - begun) / PASSES


def _control_step(at: tuple[int, int], value: int) -> int:
    return at[0] * value + at[1]


def rules_tasks(game: AnyGame) -> Iterable[Task]:
    moments = _moments_by_weakest(game)
    actions = [(state, seat, game.idle(state, seat)) for state, seat in moments]
    views = [game.view(*moment) for moment in moments]

    def in_turn(values: Sequence[Any], work: Callable[..., object]) -> Callable[[int], object]:
        return lambda number: work(*values[number % len(values)])

    yield Task("choices", "states", in_turn(moments, game.choices))
    yield Task("apply", "actions", in_turn(actions, game.apply))
    yield Task("view", "views", in_turn(moments, game.view))
    yield Task("imagine", "worlds", lambda number: game.imagine(views[number % len(views)], str(number)))
    yield Task(
        "copies by position", "copies", in_turn(moments, lambda state, _: game.from_position(game.position(state)))
    )
    yield Task("random playouts", "actions", lambda number: play_at_random(game, number), many=True)


def play_at_random(game: AnyGame, number: int) -> int:
    """Play at random to the end or the cap; return the number of actions."""
    return sum(1 for _ in _at_random(game, number))


def bot_tasks(game: AnyGame) -> Iterable[Task]:
    """Yield the tasks of a game's bots: decisions of each level, and whole games of all but the strongest."""
    moments = _moments_by_weakest(game)
    levels = list(game.bots)

    def decide(level: str, number: int) -> None:
        bots.decide(game, *moments[number % len(moments)], level, str(number))

    for level in levels:
        yield Task(f"{level}: decisions", "decisions", partial(decide, level))
        if level == levels[0] or level != levels[-1]:
            yield Task(f"{level}: playouts", "games", partial(_moments_of_bots, game, level))


Moment = tuple[Any, int, Any]
Choose = Callable[[Any, int, int], Any]
"""Chooses the action for a state and a seat; the number counts the actions before."""


def steps(game: AnyGame, seed: str, choose: Choose, most: int = CAP) -> Iterator[Moment]:
    state = game.new(usual_seats(game), {}, seed)
    for number in range(most):
        seats = game.to_act(state)
        if not seats:
            break
        seat = min(seats)
        action = choose(state, seat, number)
        yield state, seat, action
        state = game.apply(state, seat, action).state


def choose_by_bots(game: AnyGame, level: str, first: int = 0) -> Choose:
    """Return a function that chooses like bots of a level; their seeds are numbers from ``first``."""
    return lambda state, seat, number: game.decode(
        state, seat, bots.decide(game, state, seat, level, str(first + number))
    )


def _at_random(game: AnyGame, number: int) -> Iterator[Moment]:
    rng = Random(number)
    return steps(game, str(number), lambda state, seat, _: game.sample(rng.choice(game.choices(state, seat)), rng))


def _moments_of_bots(game: AnyGame, level: str, number: int) -> list[Moment]:
    return list(steps(game, str(number), choose_by_bots(game, level, 1), LONGEST))


def _moments_by_weakest(game: AnyGame) -> list[tuple[Any, int]]:
    """Return states of a game with their acting seats: by the weakest bots, or at random without bots."""
    found = _moments_of_bots(game, next(iter(game.bots)), 0) if game.bots else list(_at_random(game, 0))
    return [(state, seat) for state, seat, _ in found[:: max(1, len(found) // MOMENTS)]]


def measure_task(task: Task, rounds: int = ROUNDS) -> Speed:
    task.work(0)  # loading and caching at first use are not measured
    found = []
    for number in range(rounds):
        loop = time_control_loop(process_time)
        done, count, begun = 0, number, process_time()
        while (spent := process_time() - begun) < ENOUGH:
            made = task.work(count)
            done += made if task.many else 1
            count += rounds
        found.append((done, spent, loop))
    return speed_of_rounds(task.unit, found)


def speed_of_rounds(unit: str, rounds: Sequence[tuple[int, float, float]]) -> Speed:
    """Return the speed from some rounds: units done, seconds, and seconds per pass of the control loop."""
    ratios = [spent / done / loop for done, spent, loop in rounds]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    return Speed(unit, median(done / spent for done, spent, _ in rounds), median(ratios), low, high)


def figures_to_json(game: str, version: str, groups: Mapping[str, Mapping[str, Speed]]) -> Any:
    head = {"format": "cave-bench", "version": 1, "program": version, "game": game}
    return {**head, "groups": msgspec.to_builtins(groups)}


class _Saved(msgspec.Struct, frozen=True):
    format: Literal["cave-bench"]
    version: Literal[1]
    game: str
    groups: dict[str, dict[str, Speed]]
    program: str = ""


def figures_from_json(data: bytes, game: str) -> dict[str, dict[str, Speed]]:
    """Return the figures in the output of ``as_json`` for the same game; raises BadData."""
    try:
        saved = msgspec.json.decode(data, type=_Saved)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadData("", "the file is no result of cave bench --json") from None
    if saved.game != game:
        title = games.game_info(saved.game).title if saved.game in games.game_names() else "another game"
        raise BadData("", f"these are figures of {title}")
    return saved.groups


SIZE = (140, 45)
QUIET = 0.05  # seconds without output after which drawing is complete
DRAWN_STEPS = 8


async def measure_drawn_steps(game: AnyGame, lines: bytes) -> Speed:
    """Return the CPU time of a step of this record, with all its changes on the screen."""
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"  # read when Textual is imported
    from textual.driver import Driver

    from client.tui import window_size
    from client.tui.themes import ThemedApp

    face = face_of(game.name)
    session = ReplaySession(record.replay(lines.splitlines(keepends=True)), face)

    class Shown(ThemedApp[None]):
        HORIZONTAL_BREAKPOINTS = window_size.HORIZONTAL
        VERTICAL_BREAKPOINTS = window_size.VERTICAL
        CSS_PATH: ClassVar[Any] = "../tui/table.tcss"

        def on_mount(self) -> None:
            self.push_screen(face.replay_screen()(face, session))

    class Nowhere(Driver):
        """A terminal that counts its output, and shows nothing."""

        written = 0

        def write(self, data: str) -> None:
            Nowhere.written += len(data)

        def start_application_mode(self) -> None: ...

        def disable_input(self) -> None: ...

        def stop_application_mode(self) -> None: ...

    async def settled() -> None:
        before = -1
        while before != Nowhere.written:
            before = Nowhere.written
            await asyncio.sleep(QUIET)

    app: Any = Shown()
    app.driver_class = Nowhere
    running = asyncio.create_task(app.run_async(size=SIZE))
    try:
        while not (app.is_running and hasattr(app.screen, "session")):
            if running.done():
                raise OSError("the screen could not be opened")
            await asyncio.sleep(QUIET)
        await settled()
        rounds = []
        for _ in range(ROUNDS):
            loop, spent = time_control_loop(process_time), 0.0
            for _ in range(DRAWN_STEPS):
                begun = process_time()
                session.go_to_step(session.step + 1)
                await settled()
                spent += process_time() - begun
            rounds.append((DRAWN_STEPS, spent, loop))
    finally:
        app.exit()
        await running
    return speed_of_rounds("steps", rounds)
