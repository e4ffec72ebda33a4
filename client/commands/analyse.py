"""``cave analyse``: a record judged turn by turn, in a table or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from io import BytesIO
from typing import Any

import click
import msgspec

from cave import codec, record
from cave.judge import WORLDS
from client import games as faces
from client.commands import records
from client.commands.files import read, reading, shown
from client.commands.options import Whole, jobs_option
from client.commands.terminal import FAILED, Progress, fail, failing, width
from client.face import Face
from client.lab import analysis, workers
from client.lab.analysis import ActionWords, Job, Judged, Turn, mistake_words
from client.lab.report import columns, fitted, legend, narrowed, wrapped
from client.lab.series import GameFailed
from client.wording import told_apart

FORMAT = "cave-analysis"
VERSION = 2
LARGEST = 5
"""Mistakes that are listed."""
SPARE = ("step", "points", "chance")
"""Columns that a narrow terminal can do without, the least needed first."""
LEAST = 12
"""Characters of a turn and its player, where there is no room for more."""


@click.command()
@click.argument("file", metavar="RECORD", required=False, default="", shell_complete=records.kept)
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
    if not file:
        fail(records.WHICH)
    data = read(file)
    with reading(file):
        played = record.replay(BytesIO(data))
        face = faces.get(played.game.name)
    if not played.game.bots:
        fail(f"{played.game.title} has no bots to judge with.")
    found = analysis.stretches(played)
    if not found:
        fail(f"{shown(file)}: no turn was played, so there is nothing to judge.")
    with failing(GameFailed, status=FAILED):
        turns = analysis.turns(found, _judged(data, worlds / WORLDS, jobs, analysis.tasks(found)))
    if as_json:
        click.echo(codec.encode(told(played, worlds, turns)))
    else:
        click.echo("\n".join(table(played, turns, face, width())))


def _judged(lines: bytes, effort: float, jobs: int, tasks: Sequence[analysis.Task]) -> list[Judged]:
    work = [Job(lines, effort, task) for task in tasks]
    alone = (analysis.judged(job) for job in work)
    results = alone if jobs == 1 else workers.in_processes(analysis.in_process, work, jobs)
    with closing(results) as source, Progress(len(work), "parts") as progress:
        found = []
        for each in source:
            found.append(each)
            progress.step()
        return found


def table(played: record.Replay, turns: Sequence[Turn], face: Face, width: int | None = None) -> list[str]:
    """Return what was found as lines for people that fit a terminal of this ``width``; None is for a pipe."""
    names = [told_apart(seat.name, seat.kind) for seat in played.header.seats]
    rows = [["turn", "step", "points", "", "chance", "", "lost", "luck"]]
    for turn in turns:
        rows.append(
            [
                f"{turn.number} {names[turn.seat]}",
                str(turn.step),
                f"{turn.before.points or 0:.1f}",
                f"to {turn.after.points or 0:.1f}",
                f"{100 * (turn.before.chance or 0):.0f}%",
                f"to {100 * (turn.after.chance or 0):.0f}%",
                f"{100 * turn.lost:.0f}%" if turn.lost else "",
                f"{100 * turn.luck:+.0f}%" if turn.luck else "",
            ]
        )
    shown = fitted(narrowed(rows, width, LEAST), width, SPARE)
    expected = [head for head in ("points", "chance") if head in shown[0]]
    before = f"{', '.join(expected)}: what to expect before the turn and after it. " if expected else ""
    meant = f"{before}lost, luck: the chance to win that mistakes cost and luck brought."
    lines = [*columns(shown), "", *legend(meant, width), ""]
    for seat, name in enumerate(names):
        mine = [turn for turn in turns if turn.seat == seat]
        lost, luck = sum(turn.lost for turn in mine), sum(turn.luck for turn in mine)
        lines += wrapped(f"{name}: {100 * lost:.0f}% lost by mistakes, {100 * luck:+.0f}% by luck.", width)
    largest = analysis.mistakes(turns)[:LARGEST]
    lines += ["", "The largest mistakes:" if largest else "No mistake is certain."]
    words = ActionWords(face, played)
    for turn, other in largest:
        said = mistake_words(other, words, face)
        who = f"Turn {turn.number}, step {other.step}, {names[turn.seat]}"
        lines += wrapped(f"{who}: {said}", width, "  ")
    return lines


def told(played: record.Replay, worlds: int, turns: Sequence[Turn]) -> Any:
    """Return what was found, for programs."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": played.game.name,
        "names": list(played.names),
        "worlds": worlds,
        "turns": [
            {
                **msgspec.to_builtins(turn),
                "mistakes": [{"lost": each.lost, **msgspec.to_builtins(each)} for each in turn.mistakes],
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
