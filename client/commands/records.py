"""``cave replay`` and ``cave referee``: commands for records and scripts."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from cave import codec, record, script
from cave.files import error_reason, read_regular
from cave.game import BadData
from cave.wire import one_line
from client.commands.options import Items, display_options, items, show_display_option
from client.commands.terminal import (
    FAILED,
    check_picture_name,
    exit_on_bad_content,
    exit_on_error,
    fail,
    printable_name,
    read_input,
    save_new_file,
    tell_if_long,
    warn,
)
from client.wording import count

WHICH = "Which record? Name its file, or - for standard input."
NOT_PIPED = "Only --check and --plot read standard input: save the record in a file, and name that."
MOST = 50


def complete_records(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """Return the kept records that complete a name, newest first, and all other files."""
    from client import replay, system

    found = items(begun, ((str(path), "") for path in replay.record_files(system.records_folder())[:MOST]))
    # Bash's own file completion would drop the names before it.
    return [CompletionItem(begun, type="file"), *found]


@click.command()
@click.argument("file", required=False, default="", shell_complete=complete_records)
@click.option("--check", is_flag=True, help="Replay it without a screen and compare the digest.")
@click.option("--list", "listing", is_flag=True, help="List the records, newest first, without a screen.")
@click.option(
    "--sort",
    "order",
    type=click.Choice(("newest", "level", "points", "length")),
    default="newest",
    help="With --list: by time, by the level of the bots, by points or by steps.",
)
@click.option(
    "--plot",
    type=click.Path(),
    metavar="SVG",
    help="Save the points over the game as a picture in this new file; - prints it.",
)
@display_options
@click.pass_context
def replay(context: click.Context, file: str, check: bool, listing: bool, order: str, plot: str | None) -> None:
    """Step through the record in FILE, or choose one of yours.

    With --list, FILE is words to search for: cave replay --list "ann french".
    """
    if check + listing + (plot is not None) > 1:
        fail("--check, --list and --plot do not go together: choose one of them.")
    if listing:
        list_records(file, order)
        return
    if (check or plot is not None) and not file:
        fail(WHICH)
    if plot is not None:
        save_plot(file, plot)
        return
    if check:
        sys.exit(check_record(file))
    from client import replay
    from client.launch.opening import ReplayFile

    if file == "-":
        fail(NOT_PIPED)
    if file:
        tell_if_long(Path(file))
        with exit_on_error(BadData):
            replay.read_record(Path(file))
    show_display_option(context, ReplayFile(Path(file) if file else None))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--export", type=click.Path(), metavar="ZIP", help="Save the data behind it in this file.")
@click.option("--delete", is_flag=True, help="Delete the data behind it, after a question.")
@display_options
@click.pass_context
def profile(context: click.Context, as_json: bool, export: str | None, delete: bool) -> None:
    """Show your wins, points, rating and records.

    It uses only the records on this machine. Nothing is sent anywhere.
    """
    if as_json + delete + (export is not None) > 1:
        fail("--json, --export and --delete do not go together: choose one of them.")
    if as_json:
        print_profile()
    elif export is not None:
        export_records_and_results(Path(export))
    elif delete:
        delete_profile()
    else:
        from client.launch.opening import ShowProfile

        show_display_option(context, ShowProfile())


def print_profile() -> None:
    import msgspec

    from client import replay, system
    from client.lab.profile import make_profile
    from client.settings.file import SettingsFile

    found = [replay.summary_of(path) for path in replay.record_files(system.records_folder())]
    made = make_profile(found, SettingsFile().settings)
    click.echo(msgspec.json.format(msgspec.json.encode(made)).decode())


def export_records_and_results(target: Path) -> None:
    """Write the records and the results of caves of the day and puzzles to a new file."""
    from zipfile import ZIP_DEFLATED, ZipFile

    from client import replay, system
    from client.settings.file import SettingsFile

    files = replay.record_files(system.records_folder())
    memory = SettingsFile().settings
    content, saved = BytesIO(), 0
    with ZipFile(content, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in files:
            try:
                data = read_regular(path)
            except OSError as error:
                warn(f"{path} is left out: {error_reason(error, 'it cannot be read')}.")
                continue
            # A name that is not UTF-8 has surrogates.
            name = path.name.encode(errors="backslashreplace").decode()
            archive.writestr(f"records/{name}", data)
            saved += 1
        archive.writestr("days.json", codec.encode(memory.days))
        archive.writestr("puzzles.json", codec.encode(memory.puzzles))
    save_new_file(target, content.getvalue())
    click.echo(f"{count(saved, 'record')} saved in {one_line(str(target))}.")


def delete_profile() -> None:
    """Delete all records and the results of caves of the day and puzzles."""
    from msgspec.structs import replace as changed

    from client import replay, system
    from client.settings.file import SettingsFile

    files = replay.record_files(system.records_folder())
    what = f"{count(len(files), 'record')} and the results of daily caves and puzzles"
    click.confirm(f"Delete {what} on this machine for good?", abort=True, err=True)
    kept_files = []
    for path in (each for file in files for each in (file, file.with_suffix(replay.ANALYSIS))):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            kept_files.append(f"{path} cannot be deleted: {error_reason(error)}.")
    kept = SettingsFile()
    forgotten = changed(kept.settings, days={}, puzzles={})
    if problem := kept.save(forgotten, "daily caves and puzzles are still remembered"):
        fail(problem, FAILED)
    for problem in kept_files:
        warn(problem)
    if kept_files:
        sys.exit(FAILED)
    click.echo(f"Deleted: {what}.")


@click.command()
@click.argument("file", type=click.Path())
def referee(file: str) -> None:
    """Judge a script step by step.

    FILE may be - for the standard input.
    """
    with exit_on_bad_content(file):
        for line in script.judge_script(read_input(file)):
            sys.stdout.buffer.write(codec.encode(line) + b"\n")
        sys.stdout.buffer.flush()


def list_records(words: str, order: str) -> None:
    """List the kept records with these words, one per line."""
    from client import replay, system
    from client.lab.daily import record_line_of
    from client.present.records import fields, newest_first, sort_records

    lines = (record_line_of(replay.summary_of(path)) for path in replay.record_files(system.records_folder()))
    found = sort_records(newest_first(each for each in lines if each.matches_words(words)), order)
    for each in found:
        click.echo("  ".join(fields(each)))
    if not found:
        click.echo("No saved game has these words." if words else "No games have been saved yet.", err=True)


def check_record(name: str) -> int:
    """Replay a record and compare the digest of the final position."""
    tell_if_long(Path(name))
    with exit_on_bad_content(name):
        result = record.check_record(BytesIO(read_input(name)))
    steps = count(result.steps, "step")
    if result.matches is None:
        print(f"{steps}, {_ending_words(result)}. The position is {result.digest}.")
        return FAILED if result.cut else 0
    if not result.matches:
        fail(f"{printable_name(name)}: after {steps} the position is {result.digest}, not the recorded one.", FAILED)
    print(f"{steps}, and the final position is as recorded: {result.digest}.")
    return 0


def _ending_words(result: record.CheckResult) -> str:
    if result.cut:
        return f"then the record breaks off in line {result.cut}"
    if result.over:
        return "and the game is over, but the line of the result is missing"
    if result.resigned:
        return f"and the game is over: {result.resigned.removesuffix('.')}"
    return "then the record ends without a result"


def save_plot(name: str, out: str) -> None:
    """Save the points over a record as a picture; ``-`` is standard output. Replaces no file."""
    from client import games
    from client.game_history import points_in
    from client.present import plot_svg

    check_picture_name(out)
    tell_if_long(Path(name))
    with exit_on_bad_content(name):
        played = record.replay(BytesIO(read_input(name)))
        face = games.get_face(played.game.name)
    over = played.game.over(played.final_state)
    picture = plot_svg.points_svg(points_in(face, played), played.game.title, over=over).encode()
    if out == "-":
        sys.stdout.buffer.write(picture)
        sys.stdout.buffer.flush()
    else:
        save_new_file(Path(out), picture)
        click.echo(f"The points over the game are in {one_line(out)}.")
