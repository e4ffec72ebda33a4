"""``cave bench``: the speed of rules, bots, host, start and drawing, relative to a fixed loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from cave import __version__, codec, games, record
from cave.game import AnyGame, GameInfo
from client.commands.options import game_argument
from client.commands.terminal import (
    FAILED,
    check_new,
    exit_on_bad_content,
    fail,
    read_input,
    save_new_file,
    show_progress,
    terminal_width,
)
from client.lab import speed_measurement
from client.lab.series_figures import align_columns, fit_columns
from client.lab.speed_measurement import Speed
from client.launch.new_game import usual_seats

STEPS = 60
PATIENCE = 60.0
SPARE = ("half of the rounds", "a second", "before")
"""Columns to drop, in this order, on a narrow terminal."""
WHICH = "Name a file that cave bench --json FILE has saved for the same game."

Measured = dict[str, dict[str, Speed]]


@click.command()
@game_argument
@click.option("--only", type=click.Choice(["engine", "bots", "host", "start", "drawing"]), help="Measure only this.")
@click.option(
    "--json",
    "out",
    type=click.Path(),
    metavar="FILE",
    help="Save the figures in this new file; - prints them in place of the table.",
)
@click.option("--against", type=click.Path(), metavar="FILE", help="Compare with the figures in this file, of --json.")
def bench(game: GameInfo, only: str | None, out: str | None, against: str | None) -> None:
    """Measure how fast rules and bots, host, start and drawing are.

    Each figure is a ratio to the time of a fixed loop in the same run, so that two versions can be compared:
    cave bench --json old.json with one, and cave bench --against old.json with the other.
    """
    rules = games.get_game(game.name)
    before: Mapping[str, Mapping[str, Speed]] = {}
    if against is not None:
        with exit_on_bad_content(against, f" {WHICH}"):
            before = speed_measurement.figures_from_json(read_input(against), game.name)
    check_new(out)
    groups = [only] if only else list(speed_measurement.GROUPS)
    works = [(group, name, work) for group in groups for name, work in figures_by_task(rules, group)]
    found: Measured = {}
    for group, name, work in show_progress(works, len(works), "figures"):
        try:
            found.setdefault(group, {})[name] = work()
        except (ConnectionError, TimeoutError, OSError) as error:
            fail(f"{group} cannot be measured: {error or 'it takes too long'}.", FAILED)
    data = codec.encode(speed_measurement.figures_to_json(game.name, __version__, found)) + b"\n"
    if out == "-":
        click.echo(data, nl=False)
        return
    click.echo("\n".join(table(found, before, terminal_width())))
    if out is not None:
        save_new_file(Path(out), data)


def figures_by_task(game: AnyGame, group: str) -> Iterator[tuple[str, Callable[[], Speed]]]:
    if group in ("engine", "bots"):
        for task in speed_measurement.rules_tasks(game) if group == "engine" else speed_measurement.bot_tasks(game):
            yield task.name, partial(speed_measurement.measure_task, task)
    elif group == "host":
        yield "actions sent to all players", lambda: asyncio.run(_measure_host(game))
    elif group == "start":
        yield "cave --help", _measure_start
    else:
        yield "steps of a replay, 140x45", partial(_measure_drawing, game)


def _measure_drawing(game: AnyGame) -> Speed:
    from client.lab.speed_measurement import measure_drawn_steps

    return asyncio.run(measure_drawn_steps(game, _record_of_bots(game)))


def table(found: Measured, before: Mapping[str, Mapping[str, Speed]], across: int | None = None) -> list[str]:
    """Return the figures as lines that fit this width (None: a pipe); a lower ratio is faster."""
    heads = ["", "a second", "", "ratio", "half of the rounds", *(["before", "change"] if before else [])]
    rows = [heads]
    for group, figures in found.items():
        for name, each in figures.items():
            row = [f"{group}: {name}", three_digits(each.per_second), each.unit, three_digits(each.ratio)]
            row.append(f"{three_digits(each.low)} to {three_digits(each.high)}")
            then = before.get(group, {}).get(name)
            if before:
                row += [three_digits(then.ratio), f"{each.ratio / then.ratio - 1:+.0%}"] if then else ["-", "-"]
            rows.append(row)
    rows = fit_columns(rows, across, SPARE if before else SPARE[:2])
    return [*align_columns(rows), "", "ratio: the time of one beside that of the control loop; less is faster."]


def three_digits(number: float) -> str:
    """Return a number with three significant digits, or more before the point."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _measure_start() -> Speed:
    """Measure wall-clock time: other processes do part of the work."""
    command = [sys.executable, "-c", "import cave_game; cave_game.main()", "--help"]
    rounds = []
    for _ in range(1 + speed_measurement.ROUNDS):
        loop = speed_measurement.time_control_loop(perf_counter)
        begun = perf_counter()
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        rounds.append((1, perf_counter() - begun, loop))
    return speed_measurement.speed_of_rounds("starts", rounds[1:])  # Python compiles in the first one.


def first_actions(game: AnyGame, most: int) -> list[tuple[int, Any]]:
    """Return the first actions of a game, with their seats; the weakest bots play, or idle seats."""
    choose = (
        speed_measurement.choose_by_bots(game, next(iter(game.bots)))
        if game.bots
        else lambda state, seat, _: game.idle(state, seat)
    )
    return [
        (seat, game.action_json(action)) for _, seat, action in speed_measurement.steps(game, "bench", choose, most)
    ]


def _record_of_bots(game: AnyGame) -> bytes:
    names = [record.SeatForm(f"{game.side} {seat + 1}") for seat in range(usual_seats(game))]
    head = record.header_line(game, {}, names, seed="bench", created="")
    return record.write([head, *(record.action_line(*each) for each in first_actions(game, STEPS))])


async def _measure_host(game: AnyGame) -> Speed:
    """Measure the time from an action until all clients of a local host have received it."""
    actions = first_actions(game, STEPS)
    rounds = []
    async with host_connections(usual_seats(game)) as connections:
        for _ in range(speed_measurement.ROUNDS):
            loop = speed_measurement.time_control_loop(perf_counter)
            async with asyncio.timeout(PATIENCE):
                spent = await _play_actions(game, connections, actions)
            rounds.append((len(actions), spent, loop))
    return speed_measurement.speed_of_rounds("actions", rounds)


@asynccontextmanager
async def host_connections(count: int) -> AsyncIterator[list[Any]]:
    from client.launch.own_host import OwnHost
    from client.net.connection import connect
    from server import LOCAL, local_command

    host = OwnHost(local_command())
    connections: list[Any] = []
    try:
        door = await host.wait_for_door()
        for _ in range(count):
            connections.append(await connect(f"{LOCAL}:{door['port']}"))
        yield connections
    finally:
        for each in connections:
            await each.close()
        await host.end()


async def _play_actions(game: AnyGame, connections: list[Any], actions: list[tuple[int, Any]]) -> float:
    """Play these actions at a new table, and return the seconds since the first one."""
    seats = [{"kind": "open"}] * len(connections)
    table = await connections[0].open(game.name, seats, seed="bench")
    sessions = [await each.sit(table, f"Player {seat}") for seat, each in enumerate(connections, 1)]
    await asyncio.gather(*(each.wait_for_state(lambda state: state.status == "playing") for each in sessions))
    begun = perf_counter()
    for seq, (seat, action) in enumerate(actions, start=1):
        await sessions[seat].act(seat, action)

        def told(state: Any, seq: int = seq) -> bool:
            return bool(state.seq > seq and state.is_of_one_moment)

        await asyncio.gather(*(each.wait_for_state(told) for each in sessions))
    return perf_counter() - begun
