"""The signs of the map, as the help shows them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from rich.segment import Segment
from textual.widget import Widget

from cave.caves_of_casadh.components import BASE, COLLAPSED, PAINTINGS, Hex, components, layout
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.passages import GRIDS, OVERVIEW
from client.games.caves_of_casadh.picture import EmptyLook, HexLook, Look, Way, look_of
from client.games.caves_of_casadh.signs import ICONS, signs
from client.tui.board.geometry import outline
from client.tui.board.view import Block
from client.wording import joined


def legend(page: Widget | None, glyphs: str, *, light: bool, zoom: str) -> Iterator[tuple[Block, str]]:
    grid = GRIDS["M" if zoom in ("", OVERVIEW) else zoom]
    for look, words in _samples():
        if page is None:
            yield [[Segment(sign.text)] for sign in signs(look, grid, ascii_only=True)], words
            continue
        drawer = HexMap.drawer_on(page, glyphs, light=light)
        cursor = words.startswith("The cursor")
        rows = drawer.block((0, 0), look, grid, range(grid.block[0]), cursor=cursor)
        air = [Segment(" " * span.start, page.rich_style) for span in outline(grid)]
        yield [[before, *row] for before, row in zip(air, rows, strict=True)], words


def _samples() -> Iterator[tuple[Look, str]]:
    hexes = [each for each in components().hexes.values() if not each.special]
    bare = next(each for each in hexes if not (each.slopes or each.stars or each.water >= 0))
    slope = next(each for each in hexes if each.slopes)
    wet = next(each for each in hexes if each.water >= 0)
    star = next(each for each in hexes if each.stars and not each.slopes)
    there = replace(_hex(bare), marker=-1, hazard="")
    yield replace(there, pawns=((0, 0),), own=0), "Spelunker A, and the passage that this pawn is in."
    yield there, "A hex of level 1. Its passages are bands; a band that runs over another has dark sides."
    yield replace(there, level=2), "A hex of level 2: more treasures, and more dangers."
    yield _hex(slope), "A slope: free in the direction of its arrow, and with a Rope against it."
    yield _hex(wet), "Water takes Thirst from everybody who gets into its passage."
    yield _hex(star), "Stars: one of them must face the hex from which this one is explored."
    yield replace(there, marker=0, treasures=3), "The location marker, with 3 treasures, face down."
    yield replace(there, marker=0, items=2), "The location marker, with 2 items, face up."
    icons = joined([f"{ICONS[kind]} {name}" for kind, name in terms.HAZARDS.items()])
    yield replace(there, hazard="methane"), f"A hazard icon: {icons}. Nothing happens until its token comes."
    for kind, hazard in components().hazards.items():
        name, item = terms.HAZARDS[kind], terms.item(hazard.immune_item)
        if kind == "grue":
            yield replace(there, hazard=kind, grues=1), f"A grue: it bars the way; a {item} drives it off."
        else:
            harm = f"takes {hazard.damage} HP from all who enter without {item}"
            yield replace(there, hazard=kind, token=True), f"{name}: the token {harm}."
    yield replace(there, dynamite="A"), "Dynamite of spelunker A."
    yield _hex(components().hexes[BASE]), "Base Camp: the only way out of the caves."
    yield _hex(components().hexes[PAINTINGS]), "Cave Paintings: from now on hexes of level 2 are found."
    yield _hex(components().hexes[COLLAPSED]), "A collapsed hex: nobody can get in."
    yield (
        replace(there, way=Way(1, 0, "1", "-1HP")),
        "Press 1 to go here: it costs 1 MP, and the token there takes 1 HP.",
    )
    yield (
        EmptyLook((0,), Way(2, 0, "?")),
        "Press 2 to explore this place: a card decides how many MP it costs.",
    )
    yield EmptyLook((0,)), "A passage ends here: unexplored."
    yield replace(there, ghost=True), "The hex in your hand, as it would lie."
    yield there, "The cursor."


def _hex(kind: Hex) -> HexLook:
    return look_of(layout(kind.id, 0), near=2)
