"""``cave simulate``: bots play a series of games, and the figures are told."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from io import StringIO
from pathlib import Path

import click
import msgspec

from cave import codec
from cave.game import BadData, GameInfo, Json, chosen
from cave.wire import harmless
from client import games as faces
from client.commands.files import check_new, check_picture, save
from client.commands.play import PositionFile, read_position
from client.commands.terminal import FAILED, Progress, fail, width
from client.lab import kept, report, workers
from client.lab.figures import figures
from client.lab.series import GameFailed, Outcome, Series, start
from client.launch import new_game
from client.settings import folders

FOLDER = "simulations"
"""The folder, in that of the data, of what interrupted series leave."""


class Wanted(msgspec.Struct, frozen=True):
    """What is done with the figures: as ``json`` in place of the table, with a ``chart`` below it, and saved
    as a file of points and as a picture (each the name of a new file, - for the standard output).
    """

    json: bool = False
    chart: bool = False
    csv: str | None = None
    plot: str | None = None


def levels(game: GameInfo, text: str) -> tuple[str, ...]:
    """Read the level of each seat from ``one,other,other``; ends with a sentence for what cannot be."""
    known = ", ".join(game.bots)
    found = tuple(word.strip() for word in text.split(",") if word.strip())
    if not game.bots:
        fail(f"{game.title} has no bots.")
    if not found:
        example = ",".join(usual(game))
        fail(f"Who plays? Name the level of each seat, as in --seats {example}; the levels are {known}.")
    for level in found:
        if level not in game.bots:
            fail(f"{game.title} has no bot {level!r}: its levels are {known}.")
    if len(found) not in game.seats:
        fail(f"A game is for {new_game.sides(game)}; --seats names {len(found)}.")
    return found


def usual(game: GameInfo) -> list[str]:
    """Return an example of who may play: the strongest levels."""
    count = new_game.usual_seats(game)
    return ([*game.bots] * count)[-count:]


def series_of(
    game: GameInfo,
    seats: str,
    settings: Json,
    seed: str,
    position: PositionFile | None,
    *,
    shuffle: bool,
    longest: int,
) -> Series:
    """Return the series that the options ask for; ends with a sentence where it cannot be."""
    playing = levels(game, seats)
    start = None
    if position is not None:
        start, count = read_position(position)
        if count != len(playing):
            fail(f"The position has {count} {game.side.lower()}s; --seats names {len(playing)}.")
    if shuffle and (start is None or not _open(game, start)):
        fail(
            "--shuffle needs a --position."
            if start is None
            else "--shuffle needs a position in which no player knows what the others do not."
        )
    try:
        chosen(game.options, settings, len(playing))
    except BadData as error:
        fail(f"These rules cannot be: {error}.")
    return Series(game.name, playing, settings, seed, start, shuffle, longest)


def _open(game: GameInfo, position: Json) -> bool:
    """Return whether all players know the same."""
    from cave import games

    rules = games.get(game.name)
    state = rules.from_position(position)
    return all(rules.sees_as_watcher(state, seat) for seat in range(len(rules.standing(state))))


def run(series: Series, count: int, jobs: int, dask: str | None, wanted: Wanted, *, fresh: bool) -> int:
    """Play the games and tell the figures; what an interrupted series has left is not played again."""
    total = series.whole(count)
    if wanted.plot is not None:
        check_picture(wanted.plot)
    for name in (wanted.csv, wanted.plot):
        check_new(name)
    if total != count:
        click.echo(f"{total} games, so that each seed is played in every rotation of the seats.", err=True)
    folder = folders.data_folder() / FOLDER
    try:
        with kept.kept(folder, series, fresh=fresh) as games:
            # What cannot be told now, as the disk is full, is there for the next time.
            _tell(series, _played(games, series, total, jobs, dask), wanted)
    except (GameFailed, kept.NotKept, workers.NoDask) as error:
        fail(str(error), FAILED)
    return 0


def _played(games: kept.Kept, series: Series, total: int, jobs: int, dask: str | None) -> list[Outcome]:
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


def _tell(series: Series, outcomes: Sequence[Outcome], wanted: Wanted) -> None:
    found, face = figures(series, outcomes), faces.get(series.game)
    if wanted.csv is not None:
        text = StringIO()
        report.write_csv(text, outcomes)
        _put(wanted.csv, text.getvalue(), "The points of each game are")
    if wanted.plot is not None:
        _put(wanted.plot, report.picture(found, outcomes, face.game.title), "The picture of the points is")
    if wanted.json:
        click.echo(codec.encode(report.as_json(series, found)))
        return
    if "-" in (wanted.csv, wanted.plot):
        return
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    game = face.game
    words = face.sheet_of(game.view(start(game, series, series.seed), None))
    lines = report.table(found, words, width())
    if wanted.chart:
        lines += ["", *report.chart(found, outcomes, width(), ascii_only=ascii_only)]
    click.echo("\n".join(lines))


def _put(name: str, text: str, what: str) -> None:
    """Save a text in a new file, or write it to the standard output."""
    if name == "-":
        click.echo(text, nl=False)
        return
    save(Path(name), text.encode())
    click.echo(f"{what} in {harmless(name)}.", err=True)
