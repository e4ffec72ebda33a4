"""Goldens of every screen, in all sizes, sets of glyphs and themes, as text with readable diffs.

Run: ``python -m tests.snapshots`` (or ``make snapshots``) writes all anew; names of scenes write those. A
scene has three files:

- ``NAME-unicode.txt`` and ``NAME-ascii.txt``: the rows of the screen in each size;
- ``NAME-styles.txt``: a letter for each cell that is more than the commonest ground, and for each letter
  its colours and attributes in each theme. A letter stands for what looks the same in *all* themes.
"""

from __future__ import annotations

import tests.pinned  # noqa: F401 - before textual

# isort: split

import asyncio
import difflib
import os
import re
import string
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, redirect_stderr
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from textual._context import visible_screen_stack
from textual.reactive import Reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Input

from client.app.app import CaveApp
from client.settings.appearance import ANSI_THEMES, OWN_THEMES
from client.tui.themes import ThemedApp
from tests.client.pilot import Pilot, press, run, settle, strips
from tests.client.scenes import SCENES, Scene
from tests.client.screens import CSS
from tests.effort import effort
from tests.tools import names_to_renew

FOLDER = Path(__file__).parent / "client" / "goldens" / "screens"
GLYPHS = ("unicode", "ascii")
STYLES = "styles"
KINDS = (*GLYPHS, STYLES)
NO_COLOUR = "NO_COLOR"
COLOURLESS = "ansi-dark"
"""The theme without colours."""
LOOKS = (*OWN_THEMES, *ANSI_THEMES, NO_COLOUR)
"""Our themes, those of the terminal's own sixteen colours, and no colours at all."""
STYLED = (140, 45)
"""The size whose styles are kept: it has everything of smaller ones, in the same roles."""
LARGER = (200, 60)
COLUMN = 20
MARKS = "." + string.ascii_letters + string.digits + string.punctuation.replace(".", "")
ATTRIBUTES = {"bold": "b", "dim": "d", "italic": "i", "underline": "u", "reverse": "r", "strike": "s"}
SIXTEEN = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""The terminal's own colours; the bright ones in capitals."""

SOME = {STYLES: effort(2, len(LOOKS)), "unicode": effort(1, 99), "ascii": effort(3, 99)}
"""The part of a file that the tests check. With this many scenes each look and size is checked many times."""

Size = tuple[int, int]
Looks = tuple[str, ...]
"""The styles of a cell in the requested looks."""
Part = Sequence[Any]
"""The requested part of a file: some looks of its styles, some sizes of its texts."""


# Showing a scene


class Stage(ThemedApp[None]):
    """Shows one screen after the other."""

    HORIZONTAL_BREAKPOINTS = CaveApp.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = CaveApp.VERTICAL_BREAKPOINTS
    CSS_PATH = CSS


class Colourless(Stage):
    """Sets its theme before its filters are chosen, like the command line."""

    theme = Reactive(COLOURLESS)


@contextmanager
def colourless(wanted: bool = True) -> Iterator[None]:
    """Set the environment of an app without colours, or with them, independent of the tests' own."""
    before = os.environ.pop("NO_COLOR", None)
    if wanted:
        os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        os.environ.pop("NO_COLOR", None)
        if before is not None:
            os.environ["NO_COLOR"] = before


@asynccontextmanager
async def stage(*, colours: bool = True, draws: bool = True) -> AsyncIterator[Pilot[None]]:
    """Run an app without a screen. It is drawn when it is read (``_rows``)."""
    with colourless(not colours):
        app = Stage() if colours else Colourless(COLOURLESS)
    app.draws = draws
    async with run(app, size=STYLED) as pilot:
        yield pilot


@asynccontextmanager
async def shown(pilot: Pilot[None], scene: Scene, glyphs: str, size: Size) -> AsyncIterator[Screen[Any]]:
    """The scene, reopened on the stage."""
    app = pilot.app
    app.set_class(glyphs == "ascii", "-ascii")
    await pilot.resize_terminal(*size)
    await app.push_screen(scene.screen(glyphs))
    await settle(pilot)
    await press(pilot, *scene.keys)
    await _calm(pilot)
    yield app.screen
    while len(app.screen_stack) > 1:
        await app.pop_screen()


async def _calm(pilot: Pilot[None]) -> None:
    """Stop changes over time: no cursor blinks."""
    fields = pilot.app.screen.query(Input)
    for field in fields:
        field.cursor_blink = False
    if fields:
        await pilot.pause()


# As text


def whole(scene: Scene, kind: str) -> Part:
    """Return everything in one of the files of a scene."""
    return LOOKS if kind == STYLES else scene.sizes


def sample(name: str, kind: str) -> Part:
    """Return the part for the tests, which varies from scene to scene: two looks, a size in unicode, and in
    ascii the least size and others.
    """
    every = whole(SCENES[name], kind)
    first = [each for each, scene in SCENES.items() if scene.sizes == SCENES[name].sizes].index(name)
    turns = [every[(first + step) % len(every)] for step in range(len(every))]
    if kind == STYLES:
        turns = [*turns[::2], *turns[1::2]]
    elif kind == "ascii":
        turns = [every[0], *(size for size in turns[1:] if size != every[0]), turns[0]]
    return [each for each in every if each in turns[: SOME[kind]]]


async def snapshot(name: str, kind: str, part: Part | None = None) -> str:
    """The expected text of a file of a scene, or of a part of it."""
    scene = SCENES[name]
    wanted = whole(scene, kind) if part is None else part
    return await (styles(scene, wanted) if kind == STYLES else texts(scene, kind, wanted))


async def texts(scene: Scene, glyphs: str, sizes: Sequence[Size]) -> str:
    """The screen in these sizes, without colours."""
    parts = []
    async with stage() as pilot:
        for size in sizes:
            async with shown(pilot, scene, glyphs, size) as screen:
                parts.append(text(screen, size))
    return "".join(parts)


async def resized(scene: Scene, glyphs: str, sizes: Sequence[Size]) -> str:
    """The same, but opened once in a larger window, which then shrinks step by step."""
    parts = []
    async with stage() as pilot, shown(pilot, scene, glyphs, LARGER) as screen:
        for size in reversed(sizes):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            parts.append(text(screen, size))
    return "".join(reversed(parts))


def text(screen: Screen[Any], size: Size) -> str:
    return "".join([_head(size), *(f"{row.text.rstrip()}\n" for row in _rows(screen))])


async def styles(scene: Scene, looks: Sequence[str] = LOOKS) -> str:
    """Return which cells look alike, and how, in these looks."""
    return _styles(await _looks(scene, looks), looks)


def _styles(grid: list[list[Looks]], looks: Sequence[str]) -> str:
    counted = Counter(cell for row in grid for cell in row)
    ground = counted.most_common(1)[0][0]
    cells = [ground, *(cell for cell in counted if cell != ground)]
    assert len(cells) <= len(MARKS), "more styles than letters"
    marks = dict(zip(cells, MARKS, strict=False))
    parts = [_head(STYLED)]
    parts += ["".join(marks[cell] for cell in row).rstrip(".") + "\n" for row in grid]
    parts.append("=== styles\n" + _line("", looks))
    parts += [_line(mark, cell) for cell, mark in marks.items()]
    return "".join(parts)


async def _looks(scene: Scene, looks: Sequence[str]) -> list[list[Looks]]:
    """The looks of each cell, without pictures, which only some themes have."""
    found = []
    themes = [look for look in looks if look != NO_COLOUR]
    async with stage(draws=False) as pilot:
        pilot.app.theme = themes[0]
        async with shown(pilot, scene, "unicode", STYLED) as screen:
            for theme in themes:
                if pilot.app.theme != theme:
                    pilot.app.theme = theme
                    await settle(pilot)
                found.append(_rows(screen))
    if NO_COLOUR in looks:
        plain = stage(colours=False, draws=False)
        async with plain as pilot, shown(pilot, scene, "unicode", STYLED) as screen:
            found.append(_rows(screen))
    for look, rows in zip(looks, found, strict=True):
        for row, first in zip(rows, found[0], strict=True):
            assert row.text == first.text, f"{look} shows another text than {looks[0]}"
    grids = [[_cells(row) for row in rows] for rows in found]
    return [list(zip(*lines, strict=True)) for lines in zip(*grids, strict=True)]


def _rows(screen: Screen[Any]) -> list[Strip]:
    visible_screen_stack.set(screen.app._background_screens)
    return strips(screen)


def _cells(row: Strip) -> list[str]:
    found: list[str] = []
    for segment in row:
        style = segment.style or Style()
        looks = _look(False, style), _look(True, style)
        for letter in segment.text:
            found += [looks[letter == " "]] * cell_len(letter)
    return found


@cache
def _look(blank: bool, style: Style) -> str:
    """Return letters on ground, and attributes; of a blank only the visible part."""
    seen = [mark for name, mark in ATTRIBUTES.items() if getattr(style, name)]
    if blank and not {"u", "r", "s"} & set(seen):
        return f"-/{colour(style.bgcolor)}"
    return f"{colour(style.color)}/{colour(style.bgcolor)} {''.join(seen)}".rstrip()


def colour(colour: Color | None) -> str:
    if colour is None:
        return "-"
    if colour.triplet is not None:
        return colour.triplet.hex[1:]
    if colour.number is None:
        return colour.name
    return SIXTEEN[colour.number] if colour.number < 8 else SIXTEEN[colour.number - 8].upper()


def _head(size: Size) -> str:
    return f"=== {size[0]}x{size[1]}\n"


def _line(mark: str, cells: Sequence[str]) -> str:
    return f"{mark:2}{''.join(f'{cell:{COLUMN}}' for cell in cells)}".rstrip() + "\n"


# The files


def file(name: str, kind: str) -> Path:
    return FOLDER / f"{name}-{kind}.txt"


def files() -> set[Path]:
    return {file(name, kind) for name, scene in SCENES.items() for kind in kinds(scene)}


def kinds(scene: Scene) -> tuple[str, ...]:
    return KINDS if STYLED in scene.sizes else GLYPHS


def kept(name: str, kind: str, part: Part | None = None) -> str:
    """The golden of a scene, or of a part of it."""
    path = file(name, kind)
    told = path.read_text(encoding="utf-8") if path.exists() else ""
    if part is None or not told:
        return told
    if kind == STYLES:
        return _some_looks(told, part)
    heads = {_head(size) for size in part}
    sizes = re.split(r"^(?==== \d+x\d+$)", told, flags=re.MULTILINE)
    return "".join(each for each in sizes if each[: each.find("\n") + 1] in heads)


def _some_looks(told: str, looks: Sequence[str]) -> str:
    """Return the file of styles reduced to some looks."""
    shown, _, table = told.partition("=== styles\n")
    columns, *lines = ([*_columns(line)] for line in table.splitlines())
    places = [columns.index(look, 1) for look in looks]
    styled = {line[0]: tuple(line[place] for place in places) for line in lines}
    rows = [row.ljust(STYLED[0], ".") for row in shown.splitlines()[1:]]
    return _styles([[styled[mark] for mark in row] for row in rows], looks)


def _columns(line: str) -> Iterator[str]:
    yield line[:1]
    for at in range(2, 2 + COLUMN * len(LOOKS), COLUMN):
        yield line[at : at + COLUMN].rstrip()


def difference(name: str, kind: str, made: str, part: Part | None = None) -> str:
    """A readable diff against the golden; empty if they are equal."""
    file_name = file(name, kind).name
    lines = difflib.unified_diff(
        kept(name, kind, part).splitlines(),
        made.splitlines(),
        f"{file_name} (kept)",
        f"{file_name} (now)",
        n=2,
        lineterm="",
    )
    return "\n".join(lines)


def main(names: list[str]) -> int:
    """Write the named scenes, or all; remove files of scenes that are gone. Print the changes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in names or SCENES:
        for kind in kinds(SCENES[name]):
            try:
                # A failing app prints everything it knows; the error alone is enough here.
                with redirect_stderr(StringIO()):
                    made = asyncio.run(snapshot(name, kind))
            except Exception as error:
                failed = True
                print(f"{name}-{kind}: cannot be shown: {error!r}", file=sys.stderr)
                continue
            if difference(name, kind, made):
                file(name, kind).write_text(made, encoding="utf-8")
                print(f"{name}-{kind}: written")
    if not names:
        for path in sorted(set(FOLDER.glob("*")) - files()):
            path.unlink()
            print(f"{path.stem}: removed")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(names_to_renew(__doc__, SCENES)))
