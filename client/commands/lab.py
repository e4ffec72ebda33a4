"""``cave simulate`` lets bots play; ``cave analyse`` judges a game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import click
import msgspec

from cave import codec, record
from cave.game import BadData, GameInfo, Json, chosen_values
from cave.judge import WORLDS
from cave.wire import one_line
from client import games as faces
from client import system
from client.commands import records
from client.commands.options import (
    GameCommand,
    Items,
    Whole,
    game_argument,
    house_rule_options,
    items,
    jobs_option,
    meant_game,
)
from client.commands.play import chosen_settings
from client.commands.terminal import (
    FAILED,
    check_new,
    check_picture_name,
    exit_on_bad_content,
    exit_on_error,
    fail,
    printable_name,
    read_input,
    save_new_file,
    show_progress,
    terminal_width,
)
from client.face import Face
from client.lab import analysis, series_figures
from client.lab.analysis import Job, Judged, Part, Turn, mistake_words, scenes_of_record
from client.lab.series import (
    KeptSeries,
    LabFailed,
    Outcome,
    Series,
    in_processes,
    kept_games,
    on_dask,
    play_all,
    start_game,
)
from client.lab.series_figures import (
    align_columns,
    figures_of_series,
    fit_columns,
    legend,
    narrow_first_column,
    wrap_sentence,
)
from client.launch import new_game
from client.present import advice
from client.wording import told_apart

FOLDER = "simulations"  # the folder of interrupted series, in the data folder
MOST_GAMES = 10_000_000


def _complete_levels(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """Return the levels of the game's bots, each after the levels and commas already typed."""
    before, comma, _ = begun.rpartition(",")
    return items(begun, ((f"{before}{comma}{level}", "") for level in meant_game(context).game.bots))


@click.command(cls=GameCommand)
@game_argument
@click.option(
    "--seats",
    default="",
    metavar="LEVELS",
    shell_complete=_complete_levels,
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
@house_rule_options
@click.option("--seed", default="1", metavar="TEXT", help="The same text gives the same games.")
@click.option("--position", type=click.Path(), metavar="FILE", help="Start each game from this position.")
@click.option("--shuffle", is_flag=True, help="Shuffle the hidden components of the position for each seed.")
@click.option(
    "--longest", type=Whole(min=1), default=5000, metavar="N", help="Actions after which a game counts as unfinished."
)
@click.option("--json", "as_json", is_flag=True, help="Show the figures as JSON.")
@click.option("--chart", is_flag=True, help="Show the distribution of the points below the table.")
@click.option(
    "--csv", type=click.Path(), metavar="FILE", help="Save the points of each game in this new file; - prints them."
)
@click.option(
    "--plot",
    type=click.Path(),
    metavar="SVG",
    help="Save the distribution of the points as a picture in this new file; - prints it.",
)
@click.option("--fresh", is_flag=True, help="Start again, without the games of an interrupted run.")
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster whose scheduler has this address, not here.")
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

    It shows how often each level wins, and how certain that is. Ctrl-C stops it, and the same command resumes
    it.
    """
    if [csv, plot].count("-") + as_json > 1:
        fail("Only one of --json, --csv - and --plot - can go to the standard output.")
    settings = chosen_settings(game, preset, rules, of_position=position is not None)
    playing = parse_levels(game, seats)
    start_at = meant_game(context).position
    if start_at is not None and start_at.seats != len(playing):
        fail(f"The position has {start_at.seats} {game.side.lower()}s; --seats names {len(playing)}.")
    if shuffle and start_at is None:
        fail("--shuffle needs a --position.")
    begin = None if start_at is None else start_at.data
    if shuffle and not _has_unseated_position(game, begin):
        fail("--shuffle needs a position in which all players know the same.")
    try:
        chosen_values(game.options, settings, len(playing))
    except BadData as error:
        fail(f"These rules cannot be: {error}.")
    series = Series(game.name, playing, settings, seed, begin, shuffle, longest)
    if plot is not None:
        check_picture_name(plot)
    for name in (csv, plot):
        check_new(name)
    total = series.games_for_rotations(count)
    if total != count:
        click.echo(f"{total} games, so that each seed is played in every rotation of the seats.", err=True)
    with (
        exit_on_error(LabFailed, status=FAILED),
        kept_games(system.data_folder() / FOLDER, series, fresh=fresh) as games,
    ):
        # If output fails now (a full disk), the results are saved for the next run.
        outcomes = _play_series(games, series, total, jobs, dask)
        _print_progress(series, outcomes, as_json=as_json, with_chart=chart, csv=csv, plot=plot)


def parse_levels(game: GameInfo, text: str) -> tuple[str, ...]:
    """Read the level of each seat from ``one,other,other``; exits with a sentence for an invalid one."""
    known = ", ".join(game.bots)
    found = tuple(word.strip() for word in text.split(",") if word.strip())
    if not game.bots:
        fail(f"{game.title} has no bots.")
    if not found:
        most = new_game.usual_seats(game)
        example = ",".join(([*game.bots] * most)[-most:])  # the strongest levels
        fail(f"Who plays? Name the level of each seat, as in --seats {example}; the levels are {known}.")
    for level in found:
        if level not in game.bots:
            fail(f"{game.title} has no bot {level!r}: its levels are {known}.")
    if len(found) not in game.seats:
        fail(f"A game is for {new_game.player_counts(game)}; --seats names {len(found)}.")
    return found


def _has_unseated_position(game: GameInfo, position: Json) -> bool:
    rules = faces.get_face(game.name).game
    state = rules.from_position(position)
    return all(rules.sees_as_watcher(state, seat) for seat in range(len(rules.standing(state))))


def _play_series(games: KeptSeries, series: Series, total: int, jobs: int, dask: str | None) -> list[Outcome]:
    missing = [number for number in range(total) if number not in games.outcomes]
    done = total - len(missing)
    if done:
        click.echo(f"{done} of {total} games are kept from an interrupted run; --fresh starts again.", err=True)
    source = on_dask(dask, series, missing) if dask else play_all(series, missing, jobs)
    try:
        # Close at once on an interrupt, not in garbage collection.
        with closing(source) as found:
            for outcome in show_progress(found, total, "games", done):
                games.keep_game(outcome)
    except KeyboardInterrupt:
        click.echo(
            f"\n{sum(n < total for n in games.outcomes)} of {total} games are kept in {games.path}; "
            "the same command continues from there.",
            err=True,
        )
        raise
    return [games.outcomes[number] for number in range(total)]


def _print_progress(
    series: Series, outcomes: Sequence[Outcome], *, as_json: bool, with_chart: bool, csv: str | None, plot: str | None
) -> None:
    found, face = figures_of_series(series, outcomes), faces.get_face(series.game)
    if csv is not None:
        text = StringIO()
        series_figures.write_csv(text, outcomes)
        _put(csv, text.getvalue(), "The points of each game are")
    if plot is not None:
        _put(plot, series_figures.spread_picture(found, outcomes, face.game.title), "The picture of the points is")
    if as_json:
        click.echo(codec.encode(series_figures.figures_json(series, found)))
        return
    if "-" in (csv, plot):
        return
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    words = face.sheet_of(face.game.view(start_game(face.game, series, series.seed), None))
    lines = series_figures.figures_table(found, words, terminal_width())
    if with_chart:
        lines += ["", *series_figures.spread_chart(found, outcomes, terminal_width(), ascii_only=ascii_only)]
    click.echo("\n".join(lines))


def _put(name: str, text: str, what: str) -> None:
    if name == "-":
        click.echo(text, nl=False)
        return
    save_new_file(Path(name), text.encode())
    click.echo(f"{what} in {one_line(name)}.", err=True)


FORMAT = "cave-analysis"
VERSION = 2
LARGEST = 5
SPARE = ("step", "points", "chance")
"""Columns to drop on a narrow terminal, the least important first."""
LEAST_TURN = 12  # characters of a turn and its player in the narrowest terminal


@click.command()
@click.argument("file", metavar="RECORD", required=False, default="", shell_complete=records.complete_records)
@click.option(
    "--worlds",
    type=Whole(2, 10_000),
    default=16,
    metavar="N",
    help="Simulated games for each move: more take longer and are more precise.",
)
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as JSON.")
def analyse(file: str, worlds: int, jobs: int, as_json: bool) -> None:
    """Judge the game in RECORD turn by turn.

    It shows the value of each turn, the largest mistakes, and luck, with the same figures as hints and the
    tutor. It uses nothing that a player did not know at the time. RECORD may be - for the standard input.
    """
    if not file:
        fail(records.WHICH)
    data = read_input(file)
    with exit_on_bad_content(file):
        played = record.replay(BytesIO(data))
        face = faces.get_face(played.game.name)
    if not played.game.bots:
        fail(f"{played.game.title} has no bots to judge with.")
    found = analysis.stretches_to_judge(played)
    if not found:
        fail(f"{printable_name(file)}: no turn was played, so there is nothing to judge.")
    with exit_on_error(LabFailed, status=FAILED):
        turns = analysis.judge_turns(found, _judge_record(data, worlds / WORLDS, jobs, analysis.judging_tasks(found)))
    if as_json:
        click.echo(codec.encode(analysis_json(played, worlds, turns)))
    else:
        click.echo("\n".join(analysis_table(played, turns, face, terminal_width())))


def _judge_record(lines: bytes, effort: float, jobs: int, tasks: Sequence[analysis.Task]) -> list[Judged]:
    work = [Job(lines, effort, task) for task in tasks]
    alone = (analysis.judge_task(job) for job in work)
    parts = alone if jobs == 1 else in_processes(analysis.PROGRAM, work, Part, jobs)
    with closing(parts) as source:
        return [analysis.task_result(part) for part in show_progress(source, len(work), "parts")]


def analysis_table(played: record.Replay, turns: Sequence[Turn], face: Face, width: int | None = None) -> list[str]:
    """Return the analysis as lines of at most this ``width``; None for a pipe."""
    names = [told_apart(seat.name, seat.kind) for seat in played.header.seats]
    rows = [["turn", "step", "points", "", "chance", "", "lost", "luck"]]
    for turn in turns:
        rows.append(
            [
                f"{analysis.turn_shown(face, played, turn)} {names[turn.seat]}",
                str(turn.step),
                f"{turn.before.points or 0:.1f}",
                f"to {turn.after.points or 0:.1f}",
                f"{100 * (turn.before.chance or 0):.0f}%",
                f"to {100 * (turn.after.chance or 0):.0f}%",
                f"{100 * turn.lost:.0f}%" if turn.lost else "",
                f"{100 * turn.luck:+.0f}%" if turn.luck else "",
            ]
        )
    shown = fit_columns(narrow_first_column(rows, width, LEAST_TURN), width, SPARE)
    expected = [head for head in ("points", "chance") if head in shown[0]]
    told = f"what to expect before the turn and after it, {advice.EXPERT}"
    before = f"{', '.join(expected)}: {told}. " if expected else ""
    meant = f"{before}lost, luck: the chance to win that mistakes cost and luck brought."
    lines = [*align_columns(shown), "", *legend(meant, width), ""]
    for seat, name in enumerate(names):
        mine = [turn for turn in turns if turn.seat == seat]
        lost, luck = sum(turn.lost for turn in mine), sum(turn.luck for turn in mine)
        lines += wrap_sentence(f"{name}: {100 * lost:.0f}% lost by mistakes, {100 * luck:+.0f}% by luck.", width)
    largest = analysis.sort_mistakes(turns)[:LARGEST]
    lines += ["", "The largest mistakes:" if largest else "No mistake is certain."]
    scene = scenes_of_record(face, played)
    for turn, other in largest:
        said = " ".join(mistake_words(other, scene(other.step), face))
        who = f"Turn {analysis.turn_shown(face, played, turn)}, step {other.step}, {names[turn.seat]}"
        lines += wrap_sentence(f"{who}: {said}", width, "  ")
    return lines


def analysis_json(played: record.Replay, worlds: int, turns: Sequence[Turn]) -> Any:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": played.game.name,
        "names": list(played.names),
        "worlds": worlds,
        "turns": [
            {
                **msgspec.to_builtins(turn),
                "mistakes": [{"lost": each.chance_lost, **msgspec.to_builtins(each)} for each in turn.mistakes],
            }
            for turn in turns
        ],
        "seats": [
            {
                "lost": sum(turn.lost for turn in turns if turn.seat == seat),
                "luck": sum(turn.luck for turn in turns if turn.seat == seat),
            }
            for seat in range(len(played.names))
        ],
    }
