"""The commands of the laboratory: ``simulate``, ``bench`` and ``analyse``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from client.commands.options import (
    GameCommand,
    Whole,
    game_argument,
    levels_option,
    offers,
    position_of,
    rules_options,
)
from client.commands.terminal import fail

if TYPE_CHECKING:
    from cave.game import GameInfo

MOST_GAMES = 10_000_000
MOST_JOBS = 1024

jobs_option = click.option(
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    metavar="N",
    help="How many processes work at it; the results are the same.",
)


@click.command(cls=GameCommand)
@game_argument
@levels_option(
    "--seats",
    default="",
    metavar="LEVELS",
    help="The level of the bot at each seat, with commas between them.",
)
@click.option(
    "--games",
    "count",
    type=Whole(1, MOST_GAMES),
    default=100,
    metavar="N",
    help="How many games; each seed is played in every rotation of the seats.",
)
@jobs_option
@rules_options
@click.option("--seed", default="1", metavar="TEXT", help="The same text gives the same games.")
@click.option("--position", type=click.Path(), metavar="FILE", help="Start each game from this position.")
@click.option("--shuffle", is_flag=True, help="Shuffle for each seed what nobody can see in the position.")
@click.option(
    "--longest",
    type=Whole(min=1),
    default=5000,
    metavar="N",
    help="Actions after which a game counts as unfinished.",
)
@click.option("--json", "as_json", is_flag=True, help="Show the figures as JSON.")
@click.option("--chart", is_flag=True, help="Show how the points are spread, below the table.")
@click.option(
    "--csv",
    type=click.Path(),
    metavar="FILE",
    help="Save the points of each game in this new file; - prints them.",
)
@click.option(
    "--plot",
    type=click.Path(),
    metavar="SVG",
    help="Save the spread of the points as a picture in this new file; - prints it.",
)
@click.option("--fresh", is_flag=True, help="Start anew, without the games of a run that was interrupted.")
@click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster whose scheduler has this address, not here."
)
@click.pass_context
def simulate(
    context: click.Context,
    game: GameInfo,
    seats: str,
    count: int,
    jobs: int,
    rules: tuple[str, ...],
    seed: str,
    position: str | None,
    shuffle: bool,
    longest: int,
    as_json: bool,
    chart: bool,
    csv: str | None,
    plot: str | None,
    fresh: bool,
    dask: str | None,
    preset: str = "",
) -> None:
    """Let bots play many games of GAME, and count who wins.

    It shows how often each level wins and how sure that is. Ctrl-C stops it, and the same command goes on
    from there.
    """
    if [csv, plot].count("-") + as_json > 1:
        fail("Only one of --json, --csv - and --plot - can go to the standard output.")
    from client.commands import simulate as commands
    from client.commands.play import chosen_rules

    settings = chosen_rules(game, preset, rules, of_position=position is not None)
    series = commands.series_of(
        game, seats, settings, seed, position_of(context), shuffle=shuffle, longest=longest
    )
    wanted = commands.Wanted(as_json, chart, csv, plot)
    sys.exit(commands.run(series, count, jobs, dask, wanted, fresh=fresh))


@click.command()
@game_argument
@click.option(
    "--only",
    type=click.Choice(["engine", "bots", "host", "start", "drawing"]),
    help="Measure only this.",
)
@click.option(
    "--json",
    "out",
    type=click.Path(),
    metavar="FILE",
    help="Save the figures in this new file; - prints them in place of the table.",
)
@click.option(
    "--against", type=click.Path(), metavar="FILE", help="Compare with the figures in this file, of --json."
)
def bench(game: GameInfo, only: str | None, out: str | None, against: str | None) -> None:
    """Measure how fast rules and bots, host, start and drawing are.

    Each figure is a ratio to the time of a fixed loop in the same run, so that two versions can be compared:
    cave bench --json old.json with one, and cave bench --against old.json with the other.
    """
    from client.commands.bench import run

    sys.exit(run(game, only, out, against))


@click.command()
@click.argument("file", metavar="RECORD", required=False, default="", shell_complete=offers("records"))
@click.option(
    "--worlds",
    type=Whole(2, 10_000),
    default=16,
    metavar="N",
    help="How often each move is played on: more takes longer and is surer.",
)
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="Show what is found as JSON.")
def analyse(file: str, worlds: int, jobs: int, as_json: bool) -> None:
    """Judge the game in RECORD turn by turn.

    It shows what each turn was worth, the largest mistakes, and luck, with the same figures as hints and the
    tutor. It uses nothing that a player did not know at the time. RECORD may be - for the standard input.
    """
    from client.commands.analyse import run

    sys.exit(run(file, worlds, jobs, as_json=as_json))


COMMANDS = (analyse, bench, simulate)
