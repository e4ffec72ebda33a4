"""``cave simulate``: bots play a series of games, and the figures are told."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from io import StringIO
from pathlib import Path

import click

from cave import codec
from cave.game import BadData, GameInfo, Json, chosen
from cave.wire import harmless
from client import games as faces
from client.commands.files import check_new, check_picture, read_position, save
from client.commands.options import (
    GameCommand,
    Items,
    Whole,
    game_argument,
    game_of,
    items,
    jobs_option,
    position_of,
    rules_options,
)
from client.commands.play import chosen_rules
from client.commands.terminal import FAILED, Progress, fail, failing, width
from client.lab import report, workers
from client.lab.figures import figures
from client.lab.series import GameFailed, Kept, NotKept, Outcome, Series, kept_games, start
from client.launch import new_game
from client.settings import folders

FOLDER = "simulations"
"""The folder, in that of the data, of what interrupted series leave."""
MOST_GAMES = 10_000_000


def _levels(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """Return the levels of the game's bots, after those that were named and their commas."""
    before, comma, _ = begun.rpartition(",")
    return items(begun, ((f"{before}{comma}{level}", "") for level in game_of(context).bots))


@click.command(cls=GameCommand)
@game_argument
@click.option(
    "--seats",
    default="",
    metavar="LEVELS",
    shell_complete=_levels,
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
    settings = chosen_rules(game, preset, rules, of_position=position is not None)
    playing = levels(game, seats)
    file, begin = position_of(context), None
    if file is not None:
        begin, many = read_position(file)
        if many != len(playing):
            fail(f"The position has {many} {game.side.lower()}s; --seats names {len(playing)}.")
    if shuffle and begin is None:
        fail("--shuffle needs a --position.")
    if shuffle and not _open(game, begin):
        fail("--shuffle needs a position in which no player knows what the others do not.")
    try:
        chosen(game.options, settings, len(playing))
    except BadData as error:
        fail(f"These rules cannot be: {error}.")
    series = Series(game.name, playing, settings, seed, begin, shuffle, longest)
    if plot is not None:
        check_picture(plot)
    for name in (csv, plot):
        check_new(name)
    total = series.whole(count)
    if total != count:
        click.echo(f"{total} games, so that each seed is played in every rotation of the seats.", err=True)
    with (
        failing(GameFailed, NotKept, workers.NoDask, status=FAILED),
        kept_games(folders.data_folder() / FOLDER, series, fresh=fresh) as games,
    ):
        # What cannot be told now, as the disk is full, is there for the next time.
        outcomes = _played(games, series, total, jobs, dask)
        _tell(series, outcomes, as_json=as_json, with_chart=chart, csv=csv, plot=plot)


def levels(game: GameInfo, text: str) -> tuple[str, ...]:
    """Read the level of each seat from ``one,other,other``; ends with a sentence for what cannot be."""
    known = ", ".join(game.bots)
    found = tuple(word.strip() for word in text.split(",") if word.strip())
    if not game.bots:
        fail(f"{game.title} has no bots.")
    if not found:
        most = new_game.usual_seats(game)
        example = ",".join(([*game.bots] * most)[-most:])  # The strongest levels.
        fail(f"Who plays? Name the level of each seat, as in --seats {example}; the levels are {known}.")
    for level in found:
        if level not in game.bots:
            fail(f"{game.title} has no bot {level!r}: its levels are {known}.")
    if len(found) not in game.seats:
        fail(f"A game is for {new_game.sides(game)}; --seats names {len(found)}.")
    return found


def _open(game: GameInfo, position: Json) -> bool:
    """Return whether all players know the same."""
    from cave import games

    rules = games.get(game.name)
    state = rules.from_position(position)
    return all(rules.sees_as_watcher(state, seat) for seat in range(len(rules.standing(state))))


def _played(games: Kept, series: Series, total: int, jobs: int, dask: str | None) -> list[Outcome]:
    """Return the first ``total`` games of the series, those that are missing played now."""
    missing = [number for number in range(total) if number not in games.outcomes]
    done = total - len(missing)
    if done:
        click.echo(
            f"{done} of {total} games are there from a run that was interrupted; --fresh starts anew.",
            err=True,
        )
    source = workers.on_dask(dask, series, missing) if dask else workers.played(series, missing, jobs)
    try:
        # Closed at once when it is interrupted, and not when somebody collects it.
        with closing(source) as found, Progress(total, "games", done) as progress:
            for outcome in found:
                games.add(outcome)
                progress.step()
    except KeyboardInterrupt:
        click.echo(
            f"\n{sum(n < total for n in games.outcomes)} of {total} games are kept in {games.path}; "
            "the same command goes on from there.",
            err=True,
        )
        raise
    return [games.outcomes[number] for number in range(total)]


def _tell(
    series: Series,
    outcomes: Sequence[Outcome],
    *,
    as_json: bool,
    with_chart: bool,
    csv: str | None,
    plot: str | None,
) -> None:
    """Print the figures, and save those that are wanted in files."""
    found, face = figures(series, outcomes), faces.get(series.game)
    if csv is not None:
        text = StringIO()
        report.write_csv(text, outcomes)
        _put(csv, text.getvalue(), "The points of each game are")
    if plot is not None:
        _put(plot, report.picture(found, outcomes, face.game.title), "The picture of the points is")
    if as_json:
        click.echo(codec.encode(report.as_json(series, found)))
        return
    if "-" in (csv, plot):
        return
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    game = face.game
    words = face.sheet_of(game.view(start(game, series, series.seed), None))
    lines = report.table(found, words, width())
    if with_chart:
        lines += ["", *report.chart(found, outcomes, width(), ascii_only=ascii_only)]
    click.echo("\n".join(lines))


def _put(name: str, text: str, what: str) -> None:
    """Save a text in a new file, or write it to the standard output."""
    if name == "-":
        click.echo(text, nl=False)
        return
    save(Path(name), text.encode())
    click.echo(f"{what} in {harmless(name)}.", err=True)
