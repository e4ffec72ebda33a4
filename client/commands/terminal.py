"""Input, output, prompts, files and exit of a command."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click

from cave.files import error_reason, read_open_file, write_new

if TYPE_CHECKING:
    from cave.game import GameInfo, Json

BAD_INPUT = 2  # the exit status for an unusable file or option
FAILED = 1  # the exit status for other errors


def fail(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    """Exit with one sentence on stderr, without control characters."""
    warn(sentence)
    sys.exit(status)


def drop_output() -> None:
    """Drop pending output: the interpreter would report it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def exit_on_error(*errors: type[Exception], status: int = BAD_INPUT) -> Iterator[None]:
    """Exit with the message of such an error."""
    try:
        yield
    except errors as error:
        fail(str(error), status)


def warn(sentence: str) -> None:
    from cave.wire import one_line

    click.echo(f"cave: {one_line(sentence)}", err=True)


def check_utf8(text: str) -> None:
    """Exit with a sentence if the bytes of an argument, or of a variable, are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(text).decode(errors="replace")[:SHOWN]
        fail(f"{shown!r} is not UTF-8: type it in UTF-8, or give the file another name.")


SHOWN = 60  # characters of such a text
LEAST = 20  # columns below which nothing is made to fit: no usable terminal is so narrow


def terminal_width() -> int | None:
    """Return the columns of the terminal; None for a pipe or file, whose readers need whole lines."""
    return max(LEAST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


Item = TypeVar("Item")
PARTS = 10  # plain lines per task


def show_progress(source: Iterable[Item], total: int, what: str, done: int = 0) -> Iterator[Item]:
    """Yield from a source and show the progress; ``done`` of the ``total`` steps are from an earlier run."""
    if sys.stderr.isatty():
        options: Any = {"file": sys.stderr, "show_pos": True, "show_eta": True}
        with click.progressbar(source, total - done, what.capitalize(), **options) as bar:
            yield from bar
        return
    begun = monotonic()
    for number, each in enumerate(source, done + 1):
        yield each
        if number * PARTS // total > (number - 1) * PARTS // total:
            spent = (monotonic() - begun) / (number - done)
            left = f", about {duration_words(spent * (total - number))} left" if number < total else ""
            click.echo(f"{number} of {total} {what}{left}", err=True)


def duration_words(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


CODE = "CAVE_CODE"
ASK_CODE = "The table's code"

LONGEST = 16384  # most bytes of a line
LONG = 2**20  # bytes of a record with ten times as many steps as usual games


def read_table_code(word: str | None, file: Path | None) -> str:
    """Return a table's code: an argument, from a file, the environment, or (``-``) typed. May exit."""
    if word is not None and not word.strip():
        fail("The code is empty: give one, or leave out --code.")
    if word and file is not None:
        fail("The code is given twice: leave out either --code or --code-file.")
    if file is None:
        given = word or os.environ.get(CODE, "")
        check_utf8(given)
        if given != "-":
            return given
        asked = ask_secret(ASK_CODE).strip()
        if not asked:
            fail("No code was given: type one, or leave out --code.")
        return asked
    try:
        with file.open("rb") as lines:
            line = lines.readline(LONGEST).decode("utf-8", "replace").strip()
    except OSError as error:
        fail(f"{file}: {error_reason(error, 'cannot be read')}.")
    if not line:
        fail(f"{file}: its first line is empty; write the code there.")
    return line


def ask_secret(question: str) -> str:
    """Read a typed or pasted line without showing it; from a pipe or file its first line."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(question, hide_input=True, err=True))
    line = b""
    # Byte by byte: the bytes after the line belong to the game.
    while (byte := os.read(0, 1)) not in (b"", b"\n") and len(line) < LONGEST:
        line += byte
    return line.decode("utf-8", "replace")


IS_THERE = "{path} is already there. Choose another name, or remove that file first."
NO_FILE = "Name a file, or - for standard input."
NO_NAME = "The file has no name. Give it one, or - to print it."
ONLY_SVG = "{path}: the picture is an SVG. Choose a name that ends in .svg."


class Position(NamedTuple):
    """A position to start from, and its number of seats. Read once: it may be a pipe."""

    game: GameInfo
    data: Json
    seats: int


def printable_name(name: str) -> str:
    return "standard input" if name == "-" else name


@contextmanager
def exit_on_bad_content(name: str, advice: str = "") -> Iterator[None]:
    """Exit with a sentence if the content of this file is invalid."""
    from cave.game import BadData
    from client.wording import in_file

    try:
        yield
    except BadData as error:
        fail(f"{printable_name(name)}: {in_file(error)}{advice}")


def check_new(name: str | None) -> None:
    """Exit with a sentence unless this name can be used for a new file; - and None need no file."""
    if name is not None and name != "-":
        save_new_file(Path(name), b"")
        Path(name).unlink()


def check_picture_name(name: str) -> None:
    """Exit with a sentence if the name of a picture does not end in .svg."""
    if name != "-" and Path(name).suffix.lower() not in ("", ".svg"):
        fail(ONLY_SVG.format(path=name))


def save_new_file(path: Path, data: bytes) -> None:
    """Write a new file, whole or not at all."""
    if not path.name:
        fail(NO_NAME)
    try:
        write_new(path, data)
    except FileExistsError:
        fail(IS_THERE.format(path=path))
    except OSError as error:
        fail(f"{path} cannot be written: {error_reason(error, str(error))}.", FAILED)


def read_input(name: str, *, piped: bool = True) -> bytes:
    """Return the content of a file; - is standard input if ``piped``. Exits with a sentence on failure."""
    if not name:
        fail(NO_FILE)
    try:
        # standard input stays open
        with nullcontext(sys.stdin.buffer) if piped and name == "-" else Path(name).open("rb") as file:
            return read_open_file(file)
    except OSError as error:
        fail(f"{printable_name(name)}: {error_reason(error, 'cannot be read')}.")


def tell_if_long(path: Path) -> None:
    """Say that it takes a while to replay a record with many thousand steps."""
    with suppress(OSError):
        if path.stat().st_size > LONG:
            warn(f"{path.name} is a long record: reading it takes a while.")


def read_position(name: str, wanted: str | None) -> Position:
    """Return the position in a file; exits with a sentence if it is invalid, or of another game."""
    from cave import codec, games
    from cave.game import BadData

    with exit_on_bad_content(name):
        data = codec.decode(read_input(name, piped=False))
        if not isinstance(data, dict):
            raise BadData("", "a position must be an object")
        game = games.game_info(str(data.get("game")))
        if wanted not in (None, game.name):
            fail(f"{name} is a position of {game.title}: leave out {wanted}.")
        rules = games.get_game(game.name)
        return Position(game, data, len(rules.standing(rules.from_position(data))))
