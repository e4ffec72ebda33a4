"""The signs of the board, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.style import Style
from textual.widget import Widget

from cave.codec import Place
from cave.sir_ocelots_cave.components import GEMS, LEVEL, RIM, SQUARES, TOOLS, Gem
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.board import BoardDrawer, BoardPane
from client.games.sir_ocelots_cave.picture import PITCHES, Mark, Rim, Square
from client.games.sir_ocelots_cave.signs import SignWriter
from client.tui.board.view import Block
from client.wording import begun, count

ON = {level: next(at for at in SQUARES if LEVEL[at] == level) for level in (1, 2, 3)}


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    drawer: BoardDrawer = SignWriter("ascii", lambda _: Style.null())
    if page is not None:
        drawer = BoardPane.drawer_on(page, glyphs, light=light)
    pitch = PITCHES[zoom or ("M" if page else "S")]
    for at, look, words in _samples():
        cells = drawer.block(at, look, pitch, cursor=words.startswith("The cursor"))
        yield [drawer.pieces(row) for row in cells], words


def _samples() -> Iterator[tuple[Place, Square | Rim, str]]:
    for gem in GEMS:
        points = count(terms.POINTS[gem], "point") if gem in terms.POINTS else "no points"
        also = f"; {terms.ABOUT[gem]}" if gem in terms.ABOUT else ""
        yield ON[1], _square(gem), f"{begun(terms.NAMES[gem])}: {points}{also}."
    yield ON[1], _square(None), "An empty square."
    for seat in (0, 1):
        yield ON[2], _square(None, companion=seat), f"The companion {terms.companion(seat)}."
    yield RIM[0], _rim(), "A free space of the rim: a tool can be laid there."
    yield RIM[0], _rim(four=True), "A free space that looks to all four sides."
    yield RIM[0], _rim(sees=True), "A free space that sees the square at the cursor."
    for tool in TOOLS:
        yield RIM[0], Rim(tool, None, sees=False, recent=False, four=False), f"A {tool} on the rim."
    yield RIM[0], Rim("lamp", None, sees=False, recent=True, four=False), "A tool laid since your last turn."
    yield RIM[0], Rim(None, "lamp", sees=False, recent=False, four=False), "The tool in your hand."
    yield (
        ON[3],
        _square("opal", lit=True, missing="CP"),
        "Seen from the cursor; compass and pickaxe are missing.",
    )
    yield (
        ON[3],
        _square("opal", missing="P", mark="short"),
        "One more tool of yours, a pickaxe, collects it.",
    )
    yield ON[3], _square("opal", mark="gain"), "The tool in your hand collects this gem at the cursor."
    yield ON[3], _square("opal", mark="leave"), "While you collect: left there (+ is taken)."
    yield ON[3], _square("opal"), "The cursor. A place is named by column and row, such as 9,4."


def _square(
    gem: Gem | None, *, companion: int | None = None, lit: bool = False, missing: str = "", mark: Mark = ""
) -> Square:
    return Square(2 if companion is not None else 1, gem, companion, lit, missing, mark)


def _rim(*, sees: bool = False, four: bool = False) -> Rim:
    return Rim(None, None, sees, recent=False, four=four)
