"""Commands that read a file: the referee, and what is done with a record without a screen."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from cave import codec, record, script
from cave.files import read_bounded, reason, write_new
from cave.game import BadData
from cave.wire import harmless
from client.commands.terminal import FAILED, fail
from client.trouble import in_file

WHICH = "Which record? Name its file, or - for standard input."
IS_THERE = "{path} is already there. Choose another name, or remove that file first."
NO_FILE = "Name a file, or - for standard input."
NOT_PIPED = "Only --check and --plot read standard input: save the record in a file, and name that."
NO_NAME = "The file has no name. Give it one, or - to print it."
ONLY_SVG = "{path}: the picture is an SVG. Choose a name that ends in .svg."


def referee(name: str) -> int:
    """Judge a script: one JSON object a step on the standard output."""
    try:
        judged = script.referee(read(name))
        write = sys.stdout.buffer.write
        for line in judged:
            write(codec.encode(line) + b"\n")
        sys.stdout.buffer.flush()
    except BadData as error:
        fail(f"{shown(name)}: {in_file(error)}")
    return 0


def list_records(words: str) -> int:
    """List the kept records that have these words, the newest first, one a line."""
    from client.present.records import fields, line, newest_first
    from client.replay import records
    from client.settings import folders

    lines = (line(records.summary(path)) for path in records.files(folders.records_folder()))
    found = newest_first(each for each in lines if each.has(words))
    for each in found:
        click.echo("  ".join(fields(each)))
    if not found:
        click.echo("No saved game has these words." if words else "No games have been saved yet.", err=True)
    return 0


def check(name: str) -> int:
    """Play a record through and compare the digest of the final position."""
    if not name:
        fail(WHICH)
    try:
        result = record.check(BytesIO(read(name)))
    except BadData as error:
        fail(f"{shown(name)}: {in_file(error)}")
    steps = "1 step" if result.steps == 1 else f"{result.steps} steps"
    if result.matches is None:
        print(f"{steps}, {_how_it_ends(result)}. The position is {result.digest}.")
        return FAILED if result.cut else 0
    if not result.matches:
        fail(f"{shown(name)}: after {steps} the position is {result.digest}, not the recorded one.", FAILED)
    print(f"{steps}, and the final position is as recorded: {result.digest}.")
    return 0


def _how_it_ends(result: record.CheckResult) -> str:
    """Return how a record ends that claims no final position: it may be cut off anywhere."""
    if result.cut:
        return f"then the record breaks off in line {result.cut}"
    if result.over:
        return "and the game is over, but the line of the result is missing"
    if result.resigned:
        return f"and the game is over: {result.resigned.removesuffix('.')}"
    return "then the record ends without a result"


def plot(name: str, out: str) -> int:
    """Save the points over a record as a picture; ``-`` is the standard output, and no file is replaced."""
    from client import games
    from client.present import plot_svg
    from client.replay.points import points

    if not name:
        fail(WHICH)
    check_picture(out)
    try:
        played = record.replay(BytesIO(read(name)))
        face = games.get(played.game.name)
    except BadData as error:
        fail(f"{shown(name)}: {in_file(error)}")
    over = played.game.over(played.final)
    picture = plot_svg.svg(points(face, played), played.game.title, over=over).encode()
    if out == "-":
        sys.stdout.buffer.write(picture)
        sys.stdout.buffer.flush()
        return 0
    save(Path(out), picture)
    click.echo(f"The points over the game are in {harmless(out)}.")
    return 0


def replay(name: str) -> Any:
    """Return the opening of a record, or of the list of them; ends with a sentence where it is none."""
    from client.launch.opening import ReplayFile
    from client.replay import session as replays

    if not name:
        return ReplayFile()
    if name == "-":
        fail(NOT_PIPED)
    path = Path(name)
    try:
        replays.read(path)
    except BadData as error:
        fail(str(error))
    return ReplayFile(path)


def shown(name: str) -> str:
    """Return the name of a file in a sentence."""
    return "standard input" if name == "-" else name


def check_new(name: str | None) -> None:
    """End with a sentence where a file of this name is there, or where none can be written; - is the standard
    output, and None no file.
    """
    if name is not None and name != "-":
        save(Path(name), b"")
        Path(name).unlink()


def check_picture(name: str) -> None:
    """End with a sentence where a picture of this name would not be taken for the SVG that it is."""
    if name != "-" and Path(name).suffix.lower() not in ("", ".svg"):
        fail(ONLY_SVG.format(path=name))


def save(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all."""
    if not path.name:
        fail(NO_NAME)
    try:
        write_new(path, data)
    except FileExistsError:
        fail(IS_THERE.format(path=path))
    except OSError as error:
        fail(f"{path} cannot be written: {reason(error, str(error))}.", FAILED)


def read(name: str, *, piped: bool = True) -> bytes:
    """Return what a file holds; - is the standard input, where that may be ``piped``.

    Ends with a sentence where it cannot be read, or is larger than any record, script or position.
    """
    if not name:
        fail(NO_FILE)
    try:
        # The standard input stays open.
        with nullcontext(sys.stdin.buffer) if piped and name == "-" else Path(name).open("rb") as file:
            return read_bounded(file)
    except OSError as error:
        fail(f"{shown(name)}: {reason(error, 'cannot be read')}.")
