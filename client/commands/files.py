"""Files that commands read and write: each fault ends in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from cave import codec, games
from cave.files import read_bounded, reason, write_new
from cave.game import BadData, GameInfo, Json
from client.commands.terminal import FAILED, fail
from client.wording import in_file

IS_THERE = "{path} is already there. Choose another name, or remove that file first."
NO_FILE = "Name a file, or - for standard input."
NO_NAME = "The file has no name. Give it one, or - to print it."
ONLY_SVG = "{path}: the picture is an SVG. Choose a name that ends in .svg."


class Position(NamedTuple):
    """A position to start from, and how many seats it has. Read once: it may be a pipe."""

    game: GameInfo
    data: Json
    seats: int


def shown(name: str) -> str:
    return "standard input" if name == "-" else name


@contextmanager
def reading(name: str, advice: str = "") -> Iterator[None]:
    """End with a sentence where what is read from this file is wrong."""
    try:
        yield
    except BadData as error:
        fail(f"{shown(name)}: {in_file(error)}{advice}")


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


def read_position(name: str, wanted: str | None) -> Position:
    """Return the position in a file; ends with a sentence if it is wrong, or not of the ``wanted`` game."""
    with reading(name):
        data = codec.decode(read(name, piped=False))
        if not isinstance(data, dict):
            raise BadData("", "a position must be an object")
        game = games.info(str(data.get("game")))
        if wanted not in (None, game.name):
            fail(f"{name} is a position of {game.title}: leave out {wanted}.")
        rules = games.get(game.name)
        return Position(game, data, len(rules.standing(rules.from_position(data))))
